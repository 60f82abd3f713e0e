"""Moments of Gaussian variables, as terms."""

from __future__ import annotations

from verify.language.building import rising
from verify.language.terms import Term, make


def length_moment(dimension: Term | int, power: Term | int) -> Term:
    """E |x|^p for x ~ N(0, I): 2^(p/2) Gamma((d + p)/2) / Gamma(d/2), defined for p above -d."""
    half = make("div", power, 2)
    return make("pow", 2, half) * rising(make("div", dimension, 2), half)
