"""Polynomials in one variable t over the rationals.

A polynomial is the tuple of its coefficients from the constant one up, with no 0 at the end; ()
is the zero polynomial.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import zip_longest

Univariate = tuple[Fraction, ...]

ZERO: Univariate = ()


def univariate(coefficients: Iterable[Fraction | int | str]) -> Univariate:
    """The polynomial with these coefficients, from the constant one up.

    >>> univariate([0, 1, 0])
    (Fraction(0, 1), Fraction(1, 1))
    """
    numbers = [Fraction(c) for c in coefficients]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def degree(p: Univariate) -> int:
    """The degree; -1 for the zero polynomial."""
    return len(p) - 1


def plus(p: Univariate, q: Univariate) -> Univariate:
    """p + q."""
    return univariate(a + b for a, b in zip_longest(p, q, fillvalue=Fraction(0)))


def times(p: Univariate, q: Univariate) -> Univariate:
    """p q."""
    product = [Fraction(0)] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return univariate(product)


def minus(p: Univariate, q: Univariate) -> Univariate:
    """p - q."""
    return plus(p, tuple(-b for b in q))


def value(p: Univariate, t: Fraction) -> Fraction:
    """p(t)."""
    total = Fraction(0)
    for coefficient in reversed(p):
        total = total * t + coefficient
    return total


def derivative(p: Univariate) -> Univariate:
    """dp/dt."""
    return univariate(k * c for k, c in enumerate(p) if k)


def integral(p: Univariate, start: Fraction, end: Fraction) -> Fraction:
    """The integral of p over [start, end]."""
    primitive = (Fraction(0), *(c / (k + 1) for k, c in enumerate(p)))
    return value(primitive, end) - value(primitive, start)


# division -----------------------------------------------------------------------------------------
def divided(p: Univariate, q: Univariate) -> tuple[Univariate, Univariate]:
    """Quotient and remainder of p by q, q not the zero polynomial.

    >>> [tuple(map(int, part)) for part in divided(univariate([1, 0, 0, 1]), univariate([1, 1]))]
    [(1, -1, 1), ()]
    """
    left, quotient = list(p), [Fraction(0)] * max(len(p) - len(q) + 1, 0)
    for shift in reversed(range(len(quotient))):
        factor = quotient[shift] = left[shift + len(q) - 1] / q[-1]
        for k, c in enumerate(q if factor else ()):
            left[shift + k] -= factor * c
    return univariate(quotient), univariate(left[: len(q) - 1] if quotient else left)


def common_divisor(p: Univariate, q: Univariate) -> Univariate:
    """The greatest common divisor with leading coefficient 1; zero of two zeros."""
    while q:
        p, q = q, divided(p, q)[1]
    return tuple(c / p[-1] for c in p)
