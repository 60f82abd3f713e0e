"""Twins of what is called false of growing spectra, from the print: Example 12, (87) to (89).

d = n^m; lambda_1 = a n^p, n^c eigenvalues b n^q, all others equal. Powers of n are kept as lists of
a coefficient and an exponent; sums of powers of eigenvalues times powers of how many are left.
"""

from __future__ import annotations

from itertools import product

from lemmata import (
    Filter,
    Let,
    Map,
    Max,
    Number,
    Sum,
    When,
    Whole,
    distinct,
    item,
    list_,
    tuple_,
)
from verify.language.terms import Term

Monomials = list[tuple[Term, Term]]

a, b = Number("a"), Number("b")
m, p, c, q = (Whole(name, 0, 10) for name in "mpcq")
one, nought = 0 * a + 1, 0 * m

left: Monomials = [(one, m), (-one, nought), (-one, c)]
remaining: Monomials = [(one, m), (-a, p), (-b, c + q)]


def multiplied(*factors: Monomials) -> Monomials:
    found: Monomials = [(one, nought)]
    for factor in factors:
        found = [(x * y, i + j) for (x, i), (y, j) in product(found, factor)]
    return found


squares = multiplied([(a**2, 2 * p), (b**2, c + 2 * q)], left) + multiplied(remaining, remaining)
cubes = multiplied([(a**3, 3 * p), (b**3, c + 3 * q)], left, left) + multiplied(
    remaining, remaining, remaining
)


def listed(monomials: Monomials) -> Term:
    return list_(*(tuple_(coefficient, exponent) for coefficient, exponent in monomials))


def total(some: Term, exponent: Term) -> Term:
    """The coefficient of a power of n."""
    return Sum(some, lambda pair: When(item(pair, 2) == exponent, item(pair, 1), 0))


def exponents(some: Term) -> Term:
    found = distinct(Map(some, lambda pair: item(pair, 2)))
    return Filter(found, lambda exponent: total(some, exponent) != 0)


def highest(monomials: Monomials) -> Term:
    return Let(listed(monomials), lambda some: Max(exponents(some), lambda exponent: exponent))


def last(monomials: Monomials) -> Term:
    """The coefficient of the highest power."""
    return Let(
        listed(monomials),
        lambda some: total(some, Max(exponents(some), lambda exponent: exponent)),
    )


# how many are left grows like n^m
order_of_squares, order_of_cubes = highest(squares) - m, highest(cubes) - 2 * m

# alpha = |l|_2^4 / (d |l|_3^3), each divided by the square of how many are left
above, below = 2 * highest(squares), m + highest(cubes)
alpha = above - below
sign_at_last = When(
    above == below,
    9 * last(cubes) - 10 * last(squares) ** 2,
    When(above < below, 9 * last(cubes), -10 * last(squares) ** 2),
)

TWINS: dict[str, Term] = {
    "dkbhl20.ex12.a": sign_at_last > 0,
    "dkbhl20.ex12.b": (order_of_cubes == 3 * p) & (order_of_squares == 2 * p),
    "dkbhl20.ex12.c": (order_of_cubes == 3 * p) & (2 * order_of_squares - m == 4 * p - m),
    "dkbhl20.ex12.d": (alpha <= p - m) & (alpha < 0),
}
