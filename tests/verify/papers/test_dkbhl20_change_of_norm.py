"""(51) and (52): by hand, and what the engine says."""

import numpy as np
import pytest

from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.statistics.sampling import FIRST
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.sampling import look
from verify.methods.schema import schema
from verify.papers.dkbhl20 import change_of_norm
from verify.papers.dkbhl20.long_runs import BASE, run_of
from verify.papers.registry import find

CI = Context(budget_named("ci"), 2, "cpu")


def test_an_invariant_law_keeps_it():
    claim = find("dkbhl20.lem13_53.a@B")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


def test_the_mean_of_the_change_by_its_definition():
    seen = run_of(BASE, 2, np.random.default_rng(0), 0, depth=50)
    means = {name: seen.mean(name) for name in ("frobenius", "cube", "squares")}
    found = 2 * 64 - 2 * means["frobenius"] - 8 * means["cube"] + 8 * means["squares"]
    assert change_of_norm.mean_of_change(seen, BASE) == pytest.approx(found)


@pytest.mark.parametrize("place", [0, -1])
def test_the_mean_of_the_change_is_small(place):
    sampled = find("dkbhl20.lem13_53.b").sampled
    arm = sampled.arms(0)[place]
    assert look(sampled, arm, np.random.default_rng(0), 2 * FIRST, 1).holds is True
