"""The proof of Proposition 14 in numbers: by hand, and what the engine says."""

from fractions import Fraction

import pytest

from graphs.rationals import RATIONALS
from tests.verify.language.values import case, worth
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.j23 import best_ratios as ratios
from verify.papers.j23 import free_expansions as limits
from verify.papers.registry import find
from verify.search.arguments import beside_the_point
from verify.search.certificates import answer

SMOKE = Context(budget_named("smoke"), 2, "cpu")


FREE = {"f0": 1, "g0": 1, "h0": 1, "f1": 2, "g1": 3, "h1": 5, "f2": 7, "g2": 11, "h2": 13}


def places(term):
    """The leaves of a conjunction."""
    return [leaf for side in term.args for leaf in places(side)] if term.op == "and" else [term]


def left_minus_right(term, **values):
    of = case(**{name: Fraction(value) for name, value in values.items()})
    return [worth(one - other, of) for one, other in (leaf.args for leaf in places(term))]


def test_limits_by_hand():
    # p = 1/4 of the layers: divided, both sides tend to 0
    there = {**FREE, "p": Fraction(1, 4)}
    p, told = limits.p, 7 / Fraction(3, 4) + 44
    assert left_minus_right(limits.of_compositions(-1, p, 1 - p), **there) == [-13, -told]
    # multiplied, p for f: 7 / (1/4) + 11 / (3/4)
    wrong = left_minus_right(limits.of_compositions(1, p, 1 - p), **there)
    assert wrong == [0, 0, 0, 0, 0, 28 + Fraction(44, 3) - told]
    assert left_minus_right(limits.of_compositions(1, 1 - p, p), **there) == [0] * 6


def test_limits_of_sums_by_hand():
    there = {**FREE, "h0": 2}
    assert left_minus_right(limits.of_sums(-1), **there) == [-13, -18]
    assert left_minus_right(limits.of_sums(1), **there) == [0] * 6
    assert left_minus_right(limits.of_sums(1), **FREE)[-2] == 1  # of L^2, on the right


def held(term, **values):
    """Whether something is true of these numbers."""
    arrays = {k: tensor(("k",) if isinstance(v, list) else (), v) for k, v in values.items()}
    scene = Tensors.scene([Tensors(arrays)], RATIONALS)
    return bool(Evaluation(scene).column(lowered(term, {})).values[0])


@pytest.mark.parametrize(
    ("term", "values", "holds"),
    [
        (ratios.split(ratios.u, ratios.v, ratios.p) == 9, {"u": 1, "v": 4, "p": "1/3"}, True),
        (ratios.INSIDE, {"u": 1, "v": 4}, True),
        (Fraction(1, 3) == ratios.BEST_AT, {"u": 1, "v": 4}, True),
        (ratios.INSIDE, {"u": 0, "v": 0}, True),
        (ratios.INSIDE, {"u": 0, "v": 1}, False),
        (ratios.INSIDE, {"u": 1, "v": 0}, False),
        (ratios.MINIMISES.holds, {"u": 1, "v": 4, "p": "1/3"}, True),
        (ratios.MINIMISES.holds, {"u": 1, "v": 4, "p": "1/2"}, False),
        (ratios.MINIMISES.holds, {"u": -1, "v": -4, "p": "1/3"}, False),
        (ratios.BEST, {"s": 2, "t": 1, "p": "1/3", "e": 1}, True),
        (ratios.BEST, {"s": 0, "t": 0, "p": "1/3", "e": 1}, True),
        (ratios.WHOLE == 20, {"x": [3, -1]}, True),
        (ratios.LINEAR, {"x": [3, -1], "p": "1/4"}, True),
    ],
)
def test_ratios_by_hand(term, values, holds):
    arrays = {k: v if isinstance(v, list) else Fraction(v) for k, v in values.items()}
    assert held(term, **arrays) is holds


@pytest.mark.parametrize(("u", "v"), [(-1, 5), (5, Fraction(-1, 100)), (-3, -2), (-1, 0)])
@pytest.mark.parametrize("bound", [0, 10, 10**6])
def test_below_every_bound_by_hand(u, v, bound):
    found = ratios.split(ratios.u, ratios.v, ratios.near())
    assert held(found <= -bound - 1, u=u, v=v, M=bound)


FOR_ALL_SIZES = ["ratio.value", "ratio.linear", "0.deduced@B", "eq1.limits.fix", "2.limits.fix"]


@pytest.mark.parametrize("name", FOR_ALL_SIZES)
def test_proofs_are_accepted(name):
    assert check(find(f"j23.prop4.{name}").derivation().record).code == 0


@pytest.mark.parametrize("name", ["eq1.limits", "ratio.attained", "2.limits"])
def test_what_is_printed_is_refuted(name):
    found = pointwise(find(f"j23.prop4.{name}"), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert answer(found.certificate)["exit"] == 0


PROVED = [claim for claim in ratios.CLAIMS if claim.proof is not None]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_arguments_hold_and_are_about_the_claim(claim):
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)
