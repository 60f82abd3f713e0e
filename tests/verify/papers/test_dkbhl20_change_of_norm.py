"""(51) and (52): by hand, and what the engine says."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import RATIONALS, as_fraction
from verify.deep import tensor_of
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.sampling import look
from verify.methods.schema import schema
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import change_of_norm
from verify.papers.dkbhl20.long_runs import BASE, run_of
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.sampling import FIRST
from verify.tensors import Tensor

CI = Context(budget_named("ci"), 2, "cpu")
HALF = Fraction(1, 2)


def pair(rows, gamma):
    made = {"H": tensor_of(("d", "N"), rows), "gamma": Tensor((), (), (Fraction(gamma),))}
    made["atoms"] = tensor_of(("k",), (-1, 1))
    made["probs"] = tensor_of(("k",), (HALF, HALF))
    return Chained(made)


def change(case):
    found = change_of_norm.mean_change(Chained.scene([case], RATIONALS))
    return as_fraction(found.values[0])


def test_the_mean_change_by_hand():
    # M = I, gamma = 1/2, signs: rows (1 + a/2, b/2) and (c/2, 1 + d/2); each cosine squared
    cosines = []
    for a, b, c, d in np.ndindex(2, 2, 2, 2):
        one = (1 + Fraction(2 * a - 1, 2), Fraction(2 * b - 1, 2))
        two = (Fraction(2 * c - 1, 2), 1 + Fraction(2 * d - 1, 2))
        dot = one[0] * two[0] + one[1] * two[1]
        norms = (one[0] ** 2 + one[1] ** 2) * (two[0] ** 2 + two[1] ** 2)
        cosines.append(dot**2 / norms)
    assert change(pair(((1, 1), (1, -1)), HALF)) == 2 * sum(cosines) / 16


def test_rank_one_stays():
    assert change(pair(((1, -1), (-1, 1)), Fraction(1, 3))) == 0


def test_a_row_may_vanish():
    # u + W u with u = (1, 1): 1 - 1 - ... reaches -1, never 0; at gamma = 1/2 it does
    assert not change_of_norm._may_vanish(pair(((1, 1), (1, 1)), Fraction(1, 3)))
    assert change_of_norm._may_vanish(pair(((1, 1), (1, 1)), HALF))


def test_means_alone_do_not_keep_the_norm():
    found = pointwise(find("dkbhl20.lem13_53.a@A"), CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


def test_an_invariant_law_keeps_it():
    claim = find("dkbhl20.lem13_53.a@B")
    assert schema(claim, CI).outcome is Outcome.PROVES
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
