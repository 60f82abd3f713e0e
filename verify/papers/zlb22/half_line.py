"""Gaussian moments that are Gamma functions, in numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs import reals
from graphs.arithmetic import as_fraction
from graphs.reals import Real


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
    ratio = reals.gamma_ratio((dimension + power) / 2, Fraction(dimension, 2))
    scale = reals.power(Fraction(2), half)
    return (scale if isinstance(scale, Real) else as_fraction(scale)) * ratio
