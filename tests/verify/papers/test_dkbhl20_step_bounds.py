"""Bounds on one step from a matrix of signs, solved by hand."""

from fractions import Fraction
from itertools import product
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from graphs.arithmetic import RATIONALS, as_fraction
from verify.checker.restated import ACCEPT, check
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import step_bounds
from verify.runs.budgets import budget_named
from verify.tensors import tensor

SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = Context(budget_named("ci"), 0, "cpu")
F = Fraction
CLAIMS = {claim.id.removeprefix("dkbhl20.lem6a."): claim for claim in step_bounds.CLAIMS}


def case(u, weights, gamma, bound=None):
    arrays = {
        "u": tensor(("d",), u),
        "W": tensor(("d", "d"), weights),
        "gamma": tensor((), gamma),
    }
    if bound is not None:
        arrays["B"] = tensor((), bound)
    return Chained(arrays)


def values(name, found):
    entries = CLAIMS[name].measure(Chained.scene([found], RATIONALS))
    labels = [entries.label(k) for k in range(len(entries.values))]
    return {
        (label.get("part", ""), *label["entry"]): as_fraction(value)
        for label, value in zip(labels, entries.values, strict=True)
    }


def violated(name, found):
    return bool(judge_exactly(CLAIMS[name], found).violations)


THRESHOLD = case([1, 1], [[1, 1], [1, 1]], F(1, 16), 1)  # all weights at B = 1, d = 2


def test_the_corner_by_hand():
    # Delta M_ij = 4 gamma + 4 gamma^2 = 1/4 + 1/64, above 4 gamma B = 1/4
    assert values("a@A", THRESHOLD) == {
        (part, i, j): F(1, 4) - sign * F(17, 64)
        for i, j in ((0, 0), (0, 1), (1, 1))
        for part, sign in (("above", 1), ("below", -1))
    }
    assert violated("a@A", THRESHOLD)
    # 17/8 d gamma B = 17/64 is attained
    assert values("a@A.fix", THRESHOLD)["above", 0, 1] == 0
    assert not violated("a@A.fix", THRESHOLD)
    assert values("b", THRESHOLD)["above", 0, 0] == F(1, 2) - F(17, 64)


def test_one_row_keeps_within_the_printed_bound():
    # d = 1: 2 gamma B + gamma^2 B^2 <= 4 gamma B
    assert values("a@A", case([1], [[1]], F(1, 8), 1))["above", 0, 0] == F(1, 2) - F(17, 64)
    assert not violated("a@A", case([1], [[1]], F(1, 8), 1))
    # where gamma is not small nothing is said
    assert not violated("a@A", case([1], [[1]], 3, 1))


@pytest.mark.parametrize("bound", [1, F(7, 4), 16])
@pytest.mark.parametrize("size", [1, 2])
def test_every_corner_of_the_cube_meets_the_bounds_that_hold(size, bound):
    for signs in product((1, -1), repeat=size):
        for weights in product((bound, -bound), repeat=size * size):
            rows = [weights[k : k + size] for k in range(0, size * size, size)]
            found = case(signs, rows, F(1) / (8 * bound * size), bound)
            for name in ("a@A.fix", "b"):
                assert min(values(name, found).values()) >= 0
            assert set(values("d", found).values()) == {0}


def test_signs_by_hand():
    # u = (1, 1), W = -1 from the first neuron to itself: v = (1 - 2 gamma', 1)
    turned = case([1, 1], [[-1, -1], [0, 0]], 2, 1)
    assert values("d", turned) == {("", 0, 0): 0, ("", 0, 1): -2, ("", 1, 1): 0}
    assert not violated("d", turned)  # gamma is too large
    gone = case([1, 1], [[-1, 0], [0, 0]], 1, 1)
    assert values("d", gone) == {("", 0, 0): -1, ("", 0, 1): -1, ("", 1, 1): 0}
    kept = case([1, -1], [[3, 0], [F(1, 2), 1]], 1)
    assert set(values("c", kept).values()) == {0}
    assert not step_bounds.DEFINED_SIGNS.test(
        Chained.scene([case([1, 1], [[-1, 0], [0, 0]], 1)], RATIONALS),
        SimpleNamespace(owner=np.array([0])),
    )[0]


def test_a_normalisation_that_turns_signs_is_noticed(monkeypatch):
    plain = step_bounds.ChainScene.sqrt
    monkeypatch.setattr(step_bounds.ChainScene, "sqrt", lambda scene, x: -plain(scene, x))
    assert violated("c", case([1, -1], [[3, 0], [F(1, 2), 1]], 1))


def test_instances_reach_the_corners():
    random = Random(3)
    drawn = [step_bounds.ONE_STEP.draw(random) for _ in range(200)]
    corners = [{abs(x) for x in one.arrays["W"].entries} == {one.number("B")} for one in drawn]
    assert sum(corners) >= 40
    assert not all(corners)
    for one in drawn[:50]:
        repaired = step_bounds.BOUNDED.repair(one, random)
        bound = repaired.number("B")
        assert max(abs(x) for x in repaired.arrays["W"].entries) <= bound
        small = step_bounds.SMALL.repair(repaired, random)
        assert 8 * bound * len(small.arrays["u"].entries) * small.number("gamma") <= 1


# verdicts -----------------------------------------------------------------------------------------
def test_the_printed_bound_is_refuted_with_a_certificate():
    evidence = pointwise(CLAIMS["a@A"], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == ACCEPT


@pytest.mark.parametrize("name", ["a@A.fix", "b", "d"])
def test_arguments_hold_and_no_case_speaks_against_them(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES
    assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.SUPPORTS
    assert CLAIMS[name].proof().uses == tuple(h.name for h in CLAIMS[name].hypotheses)


@pytest.mark.parametrize("name", ["a@A.fix", "d"])
def test_the_threshold_the_bound_and_the_signs_are_needed(name):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], CI).needs}
    for hypothesis in ("weights at most B", "u of signs", "gamma at most 1/(8Bd)"):
        assert needs[hypothesis].needed
        assert check(needs[hypothesis].certificate).code == ACCEPT


def test_wrong_numbers_or_words_are_no_argument(monkeypatch):
    assert all(step.holds for step in step_bounds.numbers_of_the_bound())
    assert step_bounds.increment_in_words().holds
    with monkeypatch.context() as turned:  # as if a transpose were the matrix itself
        turned.setattr(
            "verify.papers.dkbhl20.words.Words.transposed", property(lambda words: words)
        )
        assert step_bounds.increment_in_words().holds is False
    monkeypatch.setattr(step_bounds, "Fraction", lambda *parts: F(*parts) + 1)
    assert not all(step.holds for step in step_bounds.numbers_of_the_bound())
