"""Theorem 10's steps about numbers and lists, and Section 3.1: cases by hand, and verdicts."""

from fractions import Fraction
from itertools import product

import pytest

from tests.verify.arrays import value_at
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.claim import Claim
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import (
    section31,
    theorem10_counts,
    theorem10_end,
    theorem10_indices,
    theorem10_threshold,
)
from verify.papers.j23.rank_one_fits import direction
from verify.search.judging import judge_exactly
from verify.statements.quantities import dot, root, upper_root

SMOKE = Context(budget_named("smoke"))
MODULES = (theorem10_counts, theorem10_threshold, theorem10_indices, theorem10_end, section31)
CLAIMS = {
    claim.id.removeprefix("j23.").removeprefix("thm10."): claim
    for module in MODULES
    for claim in module.CLAIMS
}
REFUTED = ("depth.b", "proj", "chain.a", "chain.order", "move", "path")
PROVED = {name for name, claim in CLAIMS.items() if claim.derivation is not None}
THRESHOLD = {"c": 2, "D": 1, "q": 1, "x": 1, "y": 1, "n": 1, "p": "1/2"}
LAYER = {"W": [[0, 1], [0, 0]], "u": [1, 0], "v": [0, 1], "Z": [[0, 0], [0, 1]], "rho": 0}
WIDE = {"W": [[3, 4]], "u": [1], "v": ["3/5", "4/5"], "Z": [[0, 0], [3, 4]], "rho": 4}
FAR = {"W": [[1]], "u": [1], "Z": [[0], [0], [1]], "rho": 0}
EVEN = FAR | {"Z": [[0], [1], [2], [3]]}
BRACKET = {"E": 3, "F": 5, "c": 4, "n": 2}
FOURTH = [[1, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]  # column means 1/4, 0, 3/4, 1
SQUARE = [[0, 0], [0, 1], [1, 1], [1, 0]]
LAST = {"t": [2, 2], "c": 1, "c2": 1, "p": "1/2", "n": 1}


def case_of(claim: Claim, **nested) -> Tensors:
    """A case of a claim from nested lists, with the axes of its pool."""
    axes = dict(claim.pool.arrays)
    whole = {name for name, _, _ in claim.pool.integers}
    return Tensors(
        {
            name: tensor(axes.get(name, ()), value, integer=name in whole)
            for name, value in nested.items()
        }
    )


@pytest.mark.parametrize("name", REFUTED)
def test_what_fails_is_refuted_with_a_certificate(name):
    found = pointwise(CLAIMS[name], SMOKE)
    if found.outcome is not Outcome.REFUTES:  # more cases tell
        found = pointwise(CLAIMS[name], Context(budget_named("ci")))
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


@pytest.mark.parametrize("name", sorted(PROVED))
def test_what_is_proved_is_accepted(name):
    assert check(CLAIMS[name].derivation().record).code == 0


def test_six_are_proved():
    assert {"jac.b", "depth.a", "chain.c", "quarter.a", "move.fix", "tradeoff"} == PROVED


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("jac.b", "lengths"),
        ("depth.a", "a norm"),
        ("depth.a", "threshold"),
        ("depth.b.fix", "p at most 1/2"),
        ("depth.b.fix", "far apart"),
        ("quarter.b", "steep intervals"),
        ("proj.fix", "in order"),
        ("move.fix", "c_1 within bounds"),
        ("c1range@A", "a multiple below"),
        ("tradeoff", "deep"),
        ("bn1fit", "distinct points"),
        ("overrank.high", "room for a higher rank"),
    ],
)
def test_hypotheses_are_needed(name, hypothesis):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], SMOKE).needs}
    assert needs[hypothesis].needed
    assert needs[hypothesis].certificate is not None


@pytest.mark.parametrize(
    ("name", "at", "numbers", "value"),
    [
        # D / ((1 - p) 3) = 4: of 1, 0, 5 two are short, and p 3 = 3/2
        ("jac.b", (), {"d": [1, 0, 5], "D": 6, "p": "1/2"}, "1/2"),
        ("depth.a", (), THRESHOLD | {"z": 1, "L": 2}, 0),  # 1 - 1/(1/2 2)
        ("depth.a", (), THRESHOLD | {"z": 2, "L": 4}, "1/2"),
        # gaps of 2 about 0, the bound is N / 2: of -1, 1 none is above 1
        ("depth.b.fix", (), {"t": [-1, 1], "g": 2, "p": "1/2"}, 0),
        ("depth.b", (), {"t": [-3, -1, 1, 3], "g": 2, "p": "1/4"}, 0),
        ("depth.b", (), {"t": [-2, 0, 2, 4], "g": 2, "p": "1/4"}, -1),
        # the ends are two steps apart, as far as p = 2/3 asks
        ("depth.b", (), {"t": [0, 0, 4], "g": 2, "p": "2/3"}, "-1/2"),
        ("quarter.a", (), {"M": FOURTH}, 2),
        ("quarter.b", (), {"M": [[0, 1, 1]], "J": [1, 1, 0]}, 0),
        ("proj", (2,), LAYER, -1),
        ("proj.fix", (2,), LAYER, 0),
        ("proj.fix", (2,), WIDE, 0),  # |W s| = 25, v s = 5, |s| = 5
        ("chain.a", (1, 2), FAR, "-1/2"),
        ("chain.a.fix", (1, 2), FAR, 0),
        ("chain.a", (1, 3), EVEN, 0),
        ("chain.c", (), BRACKET | {"h": [0, 2]}, 0),  # 3 2 - 2 4 3 / 4
        ("chain.order", (), {"n": 2, "j": 1, "k": 2}, "-5/36"),  # 1/9 - 1/4
        ("chain.order.fix", (), {"n": 2, "j": 1, "k": 2}, 0),
        ("move", (), {"alpha": 1, "beta": 2, "mu": 0, "k": 2}, 0),
        ("move", (), {"alpha": 2, "beta": 2, "mu": 0, "k": 2}, "-1/2"),
        ("move.fix", (), {"alpha": 1, "beta": 1, "mu": 1, "k": 2}, "1/2"),
        # bounds 1/2, 1 and 1/2, 1/4; p L / 4 = 1/4
        ("final.sum", (2,), LAST | {"a": ["1/2", 0], "j": ["1/2", 0]}, "3/16"),
        ("final.last", (1,), {"t": [2, 3], "c": 2, "c2": 3, "p": "1/3", "m": 2, "k": 3}, 0),
        ("c1range@A", (), {"gamma": "19/10", "k": 2}, "1/10"),
        ("tradeoff", (), {"log": 12, "R": 2, "kappa": "6/5", "L": 10, "k": 2}, 0),
        ("path", (), {"Y": [[0], [1], [3]]}, -3),  # 3; d_1 + d_2 = 4, 3, 5
        ("path.fix", ([1, 2, 3],), {"Y": [[0], [1], [3]]}, 0),  # 3 - 6 + (3 + 3)/2
        ("path", (), {"Y": SQUARE}, -1),
        ("path.fix", ([1, 2, 3, 4],), {"Y": SQUARE}, 0),
        ("bn1fit", (), {"X": [[0, 0], [1, -1], [2, 5]], "Y": [[1], [7], [-3]]}, 0),
        ("overrank.high", (), {"A": [[1, 0], [0, 0]], "e": "1/100"}, 0),
    ],
)
def test_by_hand(name, at, numbers, value):
    claim = CLAIMS[name]
    assert value_at(claim, case_of(claim, **numbers), *at) == Fraction(value)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("jac.b", {"d": [1, 0, 6], "D": 6, "p": "1/2"}),
        ("depth.a", THRESHOLD | {"z": "1/2", "L": 2}),
        ("depth.a", THRESHOLD | {"z": 1, "L": 1}),
        ("depth.b", {"t": [-1, 0, 2, 4], "g": 2, "p": "1/4"}),
        ("depth.b", {"t": [0, 0, 4], "g": 2, "p": "19/20"}),  # none are as far apart
        ("depth.b", {"t": [0, 0], "g": 1, "p": "1/2"}),
        ("quarter.a", {"M": [[1, 0, 0]]}),
        ("quarter.b", {"M": [[0, 1]], "J": [1, 0]}),  # no second closest point
        ("proj", LAYER | {"u": [2, 0]}),
        ("proj", LAYER | {"W": [[0, 1], [0, 1]]}),
        ("proj.fix", LAYER | {"Z": [[0, 1], [0, 0]]}),
        ("chain.a", FAR | {"W": [[2]]}),
        ("chain.a", FAR | {"W": [[0]], "Z": [[0], [5], [6]], "rho": "-1/2"}),
        ("chain.c", BRACKET | {"h": [0, 1]}),
        ("move.fix", {"alpha": 2, "beta": 2, "mu": 0, "k": 2}),
        ("final.sum", LAST | {"a": ["1/3", 0], "j": ["1/2", 0]}),
        ("c1range@A", {"gamma": 2, "k": 2}),
        ("tradeoff", {"log": 9, "R": 0, "kappa": "9/10", "L": 10, "k": 2}),  # it would be -1
        ("path", {"Y": [[0], [1]]}),
        ("path", {"Y": [[0], [1], [1]]}),
        ("bn1fit", {"X": [[1], [1]], "Y": [[0], [4]]}),
        ("overrank.high", {"A": [[1, 0], [0, 1]], "e": 1}),
    ],
)
def test_of_these_nothing_is_said(name, numbers):
    claim = CLAIMS[name]
    assert judge_exactly(claim, case_of(claim, **numbers)).admitted == 0


@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 2), (2, 3)])
def test_grids_have_the_halves_that_are_said(n, k):
    points = list(product(range(n), repeat=k))
    for point in points:
        squares = sorted(
            sum((a - b) ** 2 for a, b in zip(point, other, strict=True))
            for other in points
            if other != point
        )
        assert squares[:2] == [1, 1]


def test_a_direction_tells_all_points_apart():
    assert direction([[Fraction(1), Fraction(-1)], [Fraction(0), Fraction(0)]]) == [1, 2]
    corners = [list(map(Fraction, corner)) for corner in product((0, 1), (0, -1), (0, 2))]
    along = direction(corners)
    assert len({dot(along, corner) for corner in corners}) == len(corners)


def test_lengths_are_rational_where_they_can_be():
    assert float(root(2)) == pytest.approx(2**0.5)
    assert upper_root(Fraction(1, 4)) == Fraction(1, 2)
    assert 2 <= upper_root(Fraction(2)) ** 2 < Fraction(9, 4)
