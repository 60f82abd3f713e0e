"""Sums over pairs of indices, term by term: arguments that hold for any number of indices.

Each symmetric double sum is half the sum over all ordered pairs (k, l) of what (k, l) and (l, k)
give together. So an equation between double sums follows from the equation of the terms of one
pair k != l and of one pair k = l, which are polynomials in the numbers of two indices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Step

TERM_BY_TERM = (
    "a double sum is half the sum over all pairs of indices of the terms of (k, l) and (l, k)"
)
Terms = Callable[..., Any]  # of the numbers of k, then of those of l


def equal_double_sums(text: str, numbers: int, one: Terms, other: Terms) -> tuple[Step, ...]:
    """The steps for two double sums with that many numbers at each index; one and other: what the
    ordered pair (k, l) contributes."""
    ring = ring_of(2 * numbers)
    first, second = ring.generators[:numbers], ring.generators[numbers:]
    apart = one(*first, *second) + one(*second, *first)
    apart = apart - other(*first, *second) - other(*second, *first)
    same = one(*first, *first) - other(*first, *first)
    return (
        Step(f"{text}: the terms of a pair k != l", ring.is_zero(apart)),
        Step(f"{text}: the terms of a pair k = l", ring.is_zero(same)),
    )


def lagrange() -> tuple[Step, ...]:
    """sum a^2 sum b^2 - (sum a b)^2 = (1/2) sum over k, l of (a_k b_l - a_l b_k)^2."""
    return equal_double_sums(
        "2 sum a^2 sum b^2 - 2 (sum a b)^2 = sum (a_k b_l - a_l b_k)^2",
        2,
        lambda a, b, c, d: 2 * (a * a * d * d - a * b * c * d),
        lambda a, b, c, d: (a * d - c * b) ** 2,
    )


def variance() -> tuple[Step, ...]:
    """n sum x^2 - (sum x)^2 = (1/2) sum over k, l of (x_k - x_l)^2, for n numbers x."""
    return equal_double_sums(
        "2 n sum x^2 - 2 (sum x)^2 = sum (x_k - x_l)^2",
        1,
        lambda x, y: 2 * (x * x - x * y),
        lambda x, y: (x - y) ** 2,
    )
