"""Gaussian moments that are Gamma functions: of |g|, and of the length of a Gaussian vector."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs import reals
from graphs.arithmetic import as_fraction
from graphs.reals import Real


def gamma(value: Fraction | int) -> Any:
    """Gamma at a rational above 0; a rational where that is an integer.

    >>> gamma(5)
    Fraction(24, 1)
    """
    x = Fraction(value)
    if x <= 0:
        raise ValueError(f"Gamma at {x}: give a number above 0")
    if x.denominator == 1 and x <= 64:
        product = Fraction(1)
        for factor in range(2, int(x)):
            product *= factor
        return product
    number = reals.real(x)
    return Real(lambda bits: number.ball(bits).gamma())


def length_moment(dimension: int, power: Fraction | int) -> Any:
    """E |x|^power for x ~ N(0, I), power above -dimension: 2^(p/2) Gamma((d + p)/2) / Gamma(d/2).

    >>> length_moment(1, 4)
    Fraction(3, 1)
    """
    power = Fraction(power)
    half = Fraction(power) / 2
    if half.denominator == 1 and 0 <= half <= 64:
        product = Fraction(1)
        for step in range(int(half)):
            product *= dimension + 2 * step
        return product
    ratio = gamma((dimension + power) / 2) / gamma(Fraction(dimension, 2))
    return as_plain(reals.power(Fraction(2), half)) * ratio


def as_plain(value: Any) -> Any:
    """A rational of the exact arithmetic as a Fraction; a Real as it is."""
    return value if isinstance(value, Real) else as_fraction(value)


def power(value: Any, exponent: Fraction) -> Any:
    """A number above 0 to a rational power: a Fraction or a Real."""
    return as_plain(reals.power(value, Fraction(exponent)))


def least(*values: Any) -> Any:
    """The smallest of some numbers, where nothing has to be told."""
    found = values[0]
    for value in values[1:]:
        found = -reals.larger(-found, -value)
    return found
