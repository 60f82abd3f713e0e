"""The real roots of a polynomial over the rationals on an interval, counted by Descartes' rule of
signs on ever smaller parts (Vincent, Collins and Akritas)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from graphs.algebraic import integers, squarefree
from graphs.univariate import Univariate, plus, times, univariate, value


def root_count(p: Univariate, low: Fraction, high: Fraction) -> int:
    """How many different real roots p, not the zero polynomial, has on [low, high].

    >>> zero, one = Fraction(0), Fraction(1)
    >>> [root_count(univariate(p), zero, 2 * one) for p in ([-2, 0, 1], [0, 0, 1], [1, 0, 1])]
    [1, 1, 0]
    """
    if low > high:
        return 0
    at_ends = sum(value(p, end) == 0 for end in {low, high})
    inside: Univariate = ()
    for c in reversed(squarefree(integers(p))):  # at low + (high - low) s
        inside = plus(times(inside, univariate([low, high - low])), univariate([c]))
    return at_ends + (_between(integers(inside)) if low < high else 0)


def _between(p: Sequence[int]) -> int:
    """How many roots a polynomial without multiple roots has between 0 and 1.

    The positive roots of (1 + x)^n p(1 / (1 + x)) are as many as the changes of sign among its
    coefficients if these are at most one.
    """
    signs = [c > 0 for c in _shifted(p[::-1]) if c]
    changes = sum(one != other for one, other in pairwise(signs))
    if changes <= 1:
        return changes
    left = [c << (len(p) - 1 - k) for k, c in enumerate(p)]  # at x / 2
    right = _shifted(left)
    return _between(left) + (right[0] == 0) + _between(right)


def _shifted(p: Sequence[int]) -> list[int]:
    """The polynomial at x + 1."""
    shifted = list(p)
    for k in range(len(p)):
        for j in range(len(p) - 2, k - 1, -1):
            shifted[j] += shifted[j + 1]
    return shifted
