"""Tails of Gaussian laws that are known in closed form, as terms: P(... > x), 1 for x below 0."""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Filter,
    Number,
    Prod,
    Sum,
    When,
    dim,
    erfc,
    exp,
    floor,
    rising,
    sqrt,
    upto,
)
from verify.language.terms import Term, called, written
from verify.papers.zlb22.gaussian_moments import HALF

Tail = Callable[[Term], Term]

ROOT_OF_PI = called(r"\sqrt{\pi}", rising(1, -HALF))
"""Gamma(1/2) / Gamma(1)."""


@written(r"\mathbb P(\lvert g\rvert>{0:})")
def normal_tail(x: Term) -> Term:
    """Of a standard normal number."""
    return When(x < 0, 1, erfc(x / sqrt(2)))


@written(r"\mathbb P(\lVert g_{{0:}}\rVert>{1:})")
def chi_tail(dimension: Term, x: Term) -> Term:
    """Of the length of a standard normal vector: Gamma(d/2, y) / Gamma(d/2) with y = x^2 / 2, by
    steps of 1 in the first argument down to Gamma(0, y) / Gamma(0) = 0 or erfc(sqrt y)."""
    y = x**2 / 2

    def step(k: Term) -> Term:
        order = dimension / 2 - k
        return y**order / rising(1, order)

    least = When(dimension % 2 == 1, erfc(x / sqrt(2)), 0)
    return When(x < 0, 1, least + exp(-y) * Sum(upto(floor(dimension / 2)), step))


@written(r"\mathbb P(\lVert A_{{0:}}g\rVert>{1:})")
def paired_tail(sizes: Term, x: Term) -> Term:
    """Of the root of sum_i s_i^2 (g_i^2 + h_i^2), for different s_i > 0: a sum of independent
    exponential variables, by partial fractions."""

    def share(i: Term) -> Term:
        others = Filter(upto(dim(sizes)), lambda j: j != i)
        return Prod(others, lambda j: sizes[i] ** 2 / (sizes[i] ** 2 - sizes[j] ** 2))

    parts = Sum(upto(dim(sizes)), lambda i: share(i) * exp(-(x**2) / (2 * sizes[i] ** 2)))
    return When(x < 0, 1, parts)


@written(r"\mathbb P(\lvert g+{0:}\rvert>{1:})")
def shifted_tail(shift: Term, x: Term) -> Term:
    """Of a standard normal number and a shift."""
    both = erfc((x - shift) / sqrt(2)) + erfc((x + shift) / sqrt(2))
    return When(x < 0, 1, both / 2)


# a law of the weights -----------------------------------------------------------------------------
chance = Number("chance", meaning="with this probability all weights are multiplied by `scale`")
scale = Number("scale", meaning="what weights are multiplied by, now and then")


def by_law(tail: Tail, x: Term) -> Term:
    """Of what has this tail for standard normal weights and is of degree 1 in them."""
    return (1 - chance) * tail(x) + chance * tail(x / scale)
