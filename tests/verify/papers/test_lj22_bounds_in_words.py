"""The printed factor 8^(N_r(j)) V_c(j) by hand."""

import pytest

from tests.verify.arrays import entries_of, integers, value_of
from tests.verify.language.values import worth
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.terms import number
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.papers.lj22.bounds_in_words import INNER, OTHER, denominator, shape
from verify.papers.registry import find

CI = Context(budget_named("ci"))
SIZES = dict.fromkeys(("n0", "n1", "n2", "q1", "q2", "r1", "r2"), 1)
KERNELS = {f"{letter}{k}": 1 for letter in "abc" for k in (1, 2)}


def tail(**values):
    return integers(**{**SIZES, **KERNELS, "blocks": 0, **values})


def shaped(case, place, inner=INNER):
    return tuple(worth(side, case) for side in shape(number(place), inner))


def test_shapes():
    case = tail(K=1, M=1, j=1, a1=3, b1=4, c1=5, n0=6, n1=2, q1=7, r1=8, blocks=1)
    assert [shaped(case, place) for place in (1, 2, 3)] == [(3, 20), (2, 13), (1, 2)]
    assert shaped(case, 2, OTHER) == (2, 14)
    assert shaped(tail(K=1, M=1, j=1, n0=6, n1=2), 2) == (2, 6)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        # M + 1 = 2 is the block, 2 x (6 + 7); one block after j = 1
        ({"K": 1, "M": 1, "j": 1, "n0": 6, "n1": 2, "q1": 7, "blocks": 1}, 8 * 13),
        ({"K": 1, "M": 1, "j": 2, "n0": 6, "n1": 2, "q1": 7, "blocks": 1}, 1),
        # M + 1 = 1 is the convolution: j > M = 0
        ({"K": 2, "M": 0, "j": 1, "a1": 5}, 1),
        # M + 1 = 3 is the first of the M layers, 2 x 6; k = 2 is a convolution
        ({"K": 2, "M": 2, "j": 1, "n0": 6, "n1": 2, "a2": 4, "b2": 3}, 6 * 3),
        # no convolution: M + 1 is Fin, 1 x 5
        ({"K": 0, "M": 2, "j": 1, "n1": 9, "n2": 5, "blocks": 2}, 8 * 5),
    ],
)
def test_the_factor(values, wanted):
    assert worth(denominator(INNER), tail(**values)) == wanted


def test_the_inner_width_of_a_block_enters():
    claim = find("lj22.sig3.i")
    case = tail(K=1, M=1, j=1, q1=1, r1=2, blocks=1)
    assert value_of(claim, case, at=[]) == 8 * 2 - 8 * 3
    assert value_of(claim, tail(K=0, M=1, j=1, q1=1, r1=2, blocks=1), at=[]) == 0
    assert entries_of(claim, tail(K=1, M=1, j=3)) == []
    evidence = pointwise(claim, CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == 0


def test_a_bound_better_than_the_rank():
    claim = find("lj22.sig3.ii")
    case = tail(K=1, M=1, j=1, a1=20, c1=30, blocks=1)
    assert [worth(side, case) for side in claim.terms.says.args] == [8 * 2, 20]
    assert value_of(claim, case, at=[]) == 1
    assert value_of(claim, tail(K=1, M=1, j=1, a1=16, c1=30, blocks=1), at=[]) == 0
    evidence = search(claim, CI)
    assert evidence.outcome is Outcome.PROVES
    assert check(evidence.certificate).code == 0
    assert "where the left side is" in evidence.summary
    sides = evidence.certificate["value"]
    swapped = {"left": sides["right"], "right": sides["left"]}
    assert check({**evidence.certificate, "value": swapped}).code == 1
