"""The proof of Proposition 14 in numbers: by hand, and what the engine says."""

from fractions import Fraction

import pytest

from graphs.arithmetic import as_fraction
from verify.checker.restated import check
from verify.deep import number, tensor_of
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import beside_the_point
from verify.papers.j23 import best_ratios as ratios
from verify.papers.j23 import free_expansions as limits
from verify.papers.j23 import second_correction_proofs as proofs
from verify.real_arrays import RealTensors
from verify.registry import find
from verify.runs.budgets import budget_named

SMOKE = Context(budget_named("smoke"), 2, "cpu")


def case(**values):
    return RealTensors({name: number(value) for name, value in values.items()})


def left_minus_right(sides):
    return {label.get("part", ""): as_fraction(one - other) for label, one, other in sides}


FREE = {"f0": 1, "g0": 1, "h0": 1, "f1": 2, "g1": 3, "h1": 5, "f2": 7, "g2": 11, "h2": 13}


def test_limits_by_hand():
    # p = 1/4 of the layers: divided, both sides tend to 0
    there = case(**FREE, p=Fraction(1, 4))
    divided = left_minus_right(limits.composition_limits(there, -1, "f"))
    told = 7 / Fraction(3, 4) + 44
    assert divided == {"left, limit": -13, "right, limit": -told}
    # multiplied, p for f: 7 / (1/4) + 11 / (3/4)
    wrong = left_minus_right(limits.composition_limits(there, 1, "f"))
    assert wrong["left, limit"] == 0
    assert wrong["right, limit"] == 28 + Fraction(44, 3) - told
    right = left_minus_right(limits.composition_limits(there, 1, "g"))
    assert set(right.values()) == {0}
    assert set(right) == {f"{s}, {w}" for s in ("left", "right") for w in ("limit", "L^1", "L^2")}


def test_limits_of_sums_by_hand():
    there = case(**{**FREE, "h0": 2})
    assert left_minus_right(limits.sum_limits(there, -1)) == {
        "left, limit": -13,
        "right, limit": -18,
    }
    assert set(left_minus_right(limits.sum_limits(there, 1)).values()) == {0}
    left_over = left_minus_right(limits.sum_limits(case(**FREE), 1))
    assert left_over["right, L^2"] == 1


def test_ratios_by_hand():
    assert [ratios.split(1, 4, Fraction(1, 3)), ratios.split(1, 4, Fraction(1, 2))] == [9, 10]
    for u, v, missed in ((1, 4, 0), (0, 0, 0), (0, 1, 1), (2, 0, 1)):
        ((_, found, _),) = ratios.attained(case(u=u, v=v))
        assert found == missed, (u, v)
    assert ratios._minimises(case(u=1, v=4, p=Fraction(1, 3)))
    assert not ratios._minimises(case(u=1, v=4, p=Fraction(1, 2)))
    assert not ratios._minimises(case(u=-1, v=-4, p=Fraction(1, 3)))


@pytest.mark.parametrize(("u", "v"), [(-1, 5), (5, Fraction(-1, 100)), (-3, -2), (-1, 0)])
@pytest.mark.parametrize("bound", [0, 10, 10**6])
def test_below_every_bound_by_hand(u, v, bound):
    ((_, one, other),) = ratios.below_every_bound(case(u=u, v=v, M=bound))
    assert one == -bound
    assert other <= -bound - 1


def test_best_ratio_by_hand():
    found = left_minus_right(ratios.best_ratio(case(s=2, t=1, p=Fraction(1, 3), e=1)))
    assert found["below"] == 0
    assert 0 <= found["reached"] < 1
    found = left_minus_right(ratios.best_ratio(case(s=0, t=0, p=Fraction(1, 3), e=1)))
    assert found == {"below": 0, "reached": 1}


def test_the_split_of_linear_maps_by_hand():
    made = RealTensors({"x": tensor_of(("k",), [3, -1]), "p": number(Fraction(1, 4))})
    (_, one, other), _ = ratios.linear_split(made)
    assert one == other == 20


@pytest.mark.parametrize("name", ["eq1.limits", "ratio.attained", "2.limits"])
def test_what_is_printed_is_refuted(name):
    found = pointwise(find(f"j23.prop4.{name}"), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


PROVED = [claim for claim in (*ratios.CLAIMS, *limits.CLAIMS) if claim.proof is not None]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_arguments_hold_and_are_about_the_claim(claim):
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_an_argument_notices_other_operations(monkeypatch):
    right = limits.along_ratio
    for operation, share in ((-1, "g"), (1, "f")):
        monkeypatch.setattr(
            limits, "along_ratio", lambda n, one, o, s, w=(operation, share): right(n, one, *w)
        )
        assert not proofs.limits_of_compositions().holds
