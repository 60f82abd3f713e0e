"""Moments of Gaussian variables, as terms."""

from __future__ import annotations

from fractions import Fraction

from verify.language.building import rising
from verify.language.terms import Term, make

HALF = Fraction(1, 2)


def square_moment(dimension: Term | int, power: Term | Fraction) -> Term:
    """E |x|^(2p) for x ~ N(0, I): 2^p Gamma(d/2 + p) / Gamma(d/2), defined for p above -d/2."""
    return make("pow", 2, power) * rising(make("div", dimension, 2), power)


def mean_length(dimension: Term | int) -> Term:
    """E |x|."""
    return square_moment(dimension, HALF)
