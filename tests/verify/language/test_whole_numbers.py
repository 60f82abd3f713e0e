"""Many whole numbers at once: as they are one by one, also where one does not fit into 64 bits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from graphs.rings import ring_of
from tests.verify.language.values import case, worth
from verify.language.building import (
    Map,
    Prod,
    Sum,
    Vector,
    Whole,
    between,
    card,
    distinct,
    intersection,
    minus,
    sign,
    union,
    upto,
)
from verify.language.frames import TooManyRowsError
from verify.language.operations import FAR, FEW, int64
from verify.language.terms import Term

n, v = Whole("n", 1, 200), Vector("v", "k")
MANY = 2 * FEW


def test_what_fits_is_told_from_what_does_not() -> None:
    assert int64(np.array([3, -2, 3], dtype=object)).tolist() == [3, -2, 3]
    assert int64(np.array([], dtype=object)).tolist() == []
    for far in (FAR, -FAR, 2**63, 2**80):
        assert int64(np.array([1, far], dtype=object)) is None
    polynomial = ring_of(1).generators[0]
    assert int64(np.array([1, polynomial], dtype=object)) is None


SQUARES = Map(upto(n), lambda k: (k - 3) ** 2)  # 4, 1, 0, 1, 4, 9, ...
OTHERS = Map(between(2, n), lambda k: k)
EXPECTED = {
    "numbers": (Sum(upto(n), lambda k: k / 2), lambda m: Fraction(m * (m + 1), 4)),
    "signs": (Sum(upto(n), lambda k: sign(k / 1 - 5)), lambda m: m - 9),
    "places": (Sum(upto(n), lambda k: v[k - n + 2]), lambda m: None),
    "products": (Prod(upto(n), lambda k: k / (k + 1)), lambda m: Fraction(1, m + 1)),
    "distinct": (card(distinct(SQUARES)), lambda m: m - 2),
    "union": (card(union(SQUARES, OTHERS)), lambda m: len({*squares(m), *range(2, m + 1)})),
    "both": (
        card(intersection(SQUARES, OTHERS)),
        lambda m: len({*squares(m)} & {*range(2, m + 1)}),
    ),
    "rest": (card(minus(SQUARES, OTHERS)), lambda m: len({*squares(m)} - {*range(2, m + 1)})),
    "far": (
        card(distinct(Map(upto(n), lambda k: 2**70 + (k - 3) ** 2))),
        lambda m: m - 2,
    ),
}


def squares(m: int) -> list[int]:
    return [(k - 3) ** 2 for k in range(1, m + 1)]


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("many", [12, MANY])
def test_many_are_as_few(name: str, many: int) -> None:
    term, expected = EXPECTED[name]
    assert isinstance(term, Term)
    assert worth(term, case(n=many, v=[1, 2])) == expected(many)


def test_an_entry_far_out_is_none() -> None:
    here = case(n=1, v=[5, 7])
    assert worth(v[n + 1], here) == 7
    assert worth(SQUARES[n], here) == 4
    for many in (v, SQUARES):
        assert [worth(many[n + far], here) for far in (2, 2**61, -(2**70))] == [None] * 3


def test_lists_of_many_rows_are_kept_apart() -> None:
    apart = Sum(upto(n), lambda k: card(distinct(Map(upto(n), lambda j: (j - k) ** 2))))
    expected = sum(len({(j - k) ** 2 for j in range(1, 41)}) for k in range(1, 41))
    assert worth(apart, case(n=40)) == expected


def test_lists_that_are_too_long_are_not_made() -> None:
    with pytest.raises(TooManyRowsError, match="2000001 whole numbers in a list"):
        worth(card(upto(n + 2_000_000)), case(n=1))
