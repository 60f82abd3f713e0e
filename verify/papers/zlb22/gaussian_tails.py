"""Tails of Gaussian laws that are known in closed form, as real numbers.

normal: |g|. chi: the length of a standard normal vector. paired: the square root of sum_i s_i^2
(g_i^2 + g'_i^2), a sum of independent exponential variables. Each is P(... > x), and 1 below 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from graphs import reals
from graphs.arithmetic import rational
from graphs.reals import Real, real

HALF = rational(Fraction(1, 2))
Tail = Callable[[Any], Any]


def erfc(value: Any) -> Any:
    """The complementary error function; of 0 the rational 1."""
    if not isinstance(value, Real) and value == 0:
        return rational(1)
    number = real(value)
    return Real(lambda bits: number.ball(bits).erfc())


def normal_tail(x: Any) -> Any:
    """P(|g| > x) = erfc(x / sqrt 2).

    >>> round(float(normal_tail(Fraction(2))), 4)
    0.0455
    """
    return rational(1) if x < 0 else erfc(x * reals.sqrt(HALF))


def chi_tail(dimension: int, x: Any) -> Any:
    """P(|g| > x) for g in that dimension: with y = x^2 / 2 exp(-y) sum_{j < dimension/2} y^j / j!
    where it is even, erfc(sqrt y) + exp(-y) sum_{0 < j < dimension/2} y^(j - 1/2) / Gamma(j + 1/2)
    where it is odd."""
    if dimension < 1:
        raise ValueError(f"a standard normal vector in dimension {dimension}")
    if x < 0:
        return rational(1)
    y = x * x * HALF
    term, total = rational(1), rational(0)
    if dimension % 2 == 0:
        for j in range(dimension // 2):
            total = total + term
            term = term * y * rational(Fraction(1, j + 1))
        return reals.exp(-y) * total
    for j in range(1, (dimension + 1) // 2):  # Gamma(j + 1/2) = (j - 1/2) Gamma(j - 1/2)
        term = term * rational(Fraction(2, 2 * j - 1)) * (y if j > 1 else 1)
        total = total + term
    rest = reals.exp(-y) * total * x * reals.sqrt(HALF) / root_of_pi()
    return normal_tail(x) + rest


def root_of_pi() -> Real:
    """sqrt(pi): Gamma(1/2)."""
    half = real(HALF)
    return Real(lambda bits: half.ball(bits).gamma())


def paired_tail(sizes: Sequence[Any], x: Any) -> Any:
    """P(sum_i s_i^2 (g_i^2 + g'_i^2) > x^2) for different s_i > 0: the sum of c_i exp(-x^2 / (2
    s_i^2)) with c_i the product over j of s_i^2 / (s_i^2 - s_j^2)."""
    if x < 0:
        return rational(1)
    squares = [size * size for size in sizes]
    total = rational(0)
    for i, square in enumerate(squares):
        weight = rational(1)
        for j, other in enumerate(squares):
            if i != j:
                weight = weight * square / (square - other)
        total = total + reals.exp(-(x * x * HALF / square)) * weight
    return total


def shifted_tail(shift: Any, x: Any) -> Any:
    """P(|g + shift| > x)."""
    if x < 0:
        return rational(1)
    return (_upper(x - shift) + _upper(x + shift)) * HALF


def _upper(x: Any) -> Any:
    """2 P(g > x), for any x."""
    return erfc(x * reals.sqrt(HALF))


def mixed(tail: Tail, chance: Any, scale: Any, x: Any) -> Any:
    """The tail at x of what is multiplied by the scale with some chance.

    Numbers that are 0 take no part, so that what is exact stays exact.
    """
    if chance == 0 or scale == 1:
        return tail(x)
    usual, rare = tail(x), tail(x / scale)
    return usual * (rational(1) - chance) + rare * chance
