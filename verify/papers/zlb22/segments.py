"""A network along the segment from one choice of weights to another, as polynomials in t.

A case has a displacement `V` (n, n) beside the arrays of a network; the normalised weights at t are
W + t V. A polynomial is the vector of its coefficients, the constant one first; zeros may stand at
its end.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Fold,
    Let,
    Map,
    Matrix,
    Max,
    Sum,
    When,
    between,
    dim,
    floor,
    upto,
    vector,
)
from verify.language.terms import Term, written
from verify.papers.zlb22.dag_notation import NEURONS, VERTICES, W, X, parents

V = Matrix("V", "n", "n", meaning="the displacement of W")


# polynomials --------------------------------------------------------------------------------------
def coefficient(p: Term, j: Term) -> Term:
    """Of t^(j - 1); 0 beyond what is written."""
    return When((j >= 1) & (j <= dim(p)), p[j], 0)


def of_two(p: Term, q: Term, made: Callable[[Term, Term], Term]) -> Term:
    """What is made of two polynomials, each of which is written once."""
    return Let(p, lambda p: Let(q, lambda q: made(p, q)))


@written(r"({0:}+{1:})")
def plus(p: Term, q: Term) -> Term:
    """p + q."""

    def total(p: Term, q: Term) -> Term:
        length = When(dim(p) > dim(q), dim(p), dim(q))
        return vector(length, lambda j: coefficient(p, j) + coefficient(q, j))

    return of_two(p, q, total)


@written(r"{0}\cdot {1}")
def times(p: Term, q: Term) -> Term:
    """p q."""

    def product(p: Term, q: Term) -> Term:
        return vector(
            dim(p) + dim(q) - 1,
            lambda j: Sum(upto(dim(p)), lambda i: p[i] * coefficient(q, j - i + 1)),
        )

    return of_two(p, q, product)


def constant(c: Term | int) -> Term:
    """The polynomial c."""
    return vector(1, lambda j: j - j + c)


@written(r"{0}\circ {1}")
def composed(coefficients: Term, z: Term) -> Term:
    """The polynomial with these coefficients of a polynomial, by Horner's rule."""
    last = dim(coefficients)
    return Fold(
        upto(last - 1),
        constant(coefficients[last]),
        lambda total, j: plus(times(total, z), constant(coefficients[last - j])),
    )


@written(r"{0}({1:})")
def value(p: Term, t: Term | int) -> Term:
    """p(t)."""
    return Sum(upto(dim(p)), lambda j: p[j] * t ** (j - 1))


@written(r"{0}'({1:})")
def slope(p: Term, t: Term | int) -> Term:
    """p'(t)."""
    return Sum(between(2, dim(p)), lambda j: (j - 1) * p[j] * t ** (j - 2))


@written(r"{0}''({1:})")
def bend(p: Term, t: Term | int) -> Term:
    """p''(t)."""
    return Sum(between(3, dim(p)), lambda j: (j - 1) * (j - 2) * p[j] * t ** (j - 3))


@written(r"{0}''/2")
def half_bend(p: Term) -> Term:
    """p''/2."""
    length = When(dim(p) > 2, dim(p) - 2, 1)
    return vector(length, lambda j: j * (j + 1) / 2 * coefficient(p, j + 2))


# the network --------------------------------------------------------------------------------------
def pre_activation(v: Term, values: Term) -> Term:
    """The sum over the parents of (W + t V) times their values."""
    length = 1 + floor(Max(parents(v), lambda u: dim(values[u])))
    return vector(
        length,
        lambda j: Sum(
            parents(v),
            lambda u: W[v, u] * coefficient(values[u], j) + V[v, u] * coefficient(values[u], j - 1),
        ),
    )


def along(activated: Callable[[Term, Term], Term]) -> Term:
    """The value of each vertex, in t. activated: that of a neuron, by its pre-activation."""
    return Fold(
        NEURONS,
        Map(VERTICES, lambda u: constant(X[1, u])),
        lambda values, v: Let(
            activated(v, pre_activation(v, values)),
            lambda made: Map(VERTICES, lambda u: When(u == v, made, values[u])),
        ),
    )
