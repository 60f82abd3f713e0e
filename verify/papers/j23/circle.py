"""Section 3.3.1: the ranks of the identity on the circle."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.language.building import (
    Count,
    Each,
    Matrix,
    Some,
    The,
    Vector,
    When,
    Whole,
    dim,
    larger,
    rank,
    smaller,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.matrix_notation import projection
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated, unless

T = Matrix("T", "n", "k", meaning="its columns span $T_x\\Omega$")
t = Vector("t", "v", meaning="the vertices of the polygon, by their parameters")
g = Vector("g", "v", meaning="the values of a map at the vertices")
closed = Whole("closed", 0, 1)
COUNT = dim(t)
VERTEX_NUMBERS = upto(COUNT)


# maps on a polygon that are linear on its edges ---------------------------------------------------
def value(place: Term) -> Term:
    """At the vertex that has this place in their order along the circle."""

    def is_there(i: Term) -> Term:
        return Count(VERTEX_NUMBERS, lambda j: t[j] < t[i]) == place - 1

    return g[The(VERTEX_NUMBERS, is_there)]


def following(place: Term) -> Term:
    """The next place; behind the last one the first."""
    return place % COUNT + 1


def _folds(end: Term, shared: Term, other: Term) -> Term:
    """Whether from a vertex both edges go up, or both down."""
    return (value(end) - value(shared)) * (value(other) - value(shared)) > 0


def _overlap(k: Term, m: Term) -> Term:
    """Whether two edges have a value in common."""
    ends = [(value(place), value(following(place))) for place in (k, m)]
    low, high = [smaller(*pair) for pair in ends], [larger(*pair) for pair in ends]
    return larger(*low) <= smaller(*high)


def _meet(k: Term, m: Term) -> Term:
    """Whether two edges have a value in common at different points."""
    apart = When(following(m) == k, _folds(m, k, following(k)), _overlap(k, m))
    return When(following(k) == m, _folds(k, m, following(m)), apart)


EDGES = upto(When(closed == 1, COUNT, COUNT - 1))
COLLIDES = Some(VERTEX_NUMBERS, lambda i: Some(upto(i - 1), lambda j: g[i] == g[j])) | Some(
    EDGES, lambda m: Some(upto(m - 1), lambda k: _meet(k, m))
)
"""Whether the map has the same value at two different points."""
INNER = When(COLLIDES, 2, 1)
"""The inner dimension that g leaves possible: 1 where it is one to one."""


# hypotheses ---------------------------------------------------------------------------------------
def _moved_apart(case: Tensors, random: Random) -> Tensors:
    """At least three vertices, all different."""
    count = max(3, len(case.arrays["t"].entries))
    places = tuple(Fraction(k - 1, 2) for k in range(count))
    values = tuple(Fraction(random.randint(-4, 4), 2) for _ in range(count))
    return case.changing(t=Tensor(("v",), (count,), places), g=Tensor(("v",), (count,), values))


def _opened(case: Tensors, random: Random) -> Tensors:
    """An arc, g increasing along it in half of the cases."""
    if random.random() < 0.5:
        return with_value(case, "closed", 0)
    order = sorted(case.arrays["t"].entries)
    increasing = tuple(Fraction(order.index(at)) for at in case.arrays["t"].entries)
    opened = with_value(case, "closed", 0)
    return opened.changing(g=replace(case.arrays["g"], entries=increasing))


_APART = (COUNT >= 3) & Each(VERTEX_NUMBERS, lambda i: Each(upto(i - 1), lambda j: t[i] != t[j]))
VERTICES = Given(
    "three vertices",
    _APART,
    "the polygon has at least three vertices, all different",
    unless(_APART, _moved_apart),
)
CLOSED = Given(
    "whole circle",
    closed == 1,
    r"$\Omega$ is the whole circle: closed is $1$",
    lambda case, random: with_value(case, "closed", 1),
    _opened,
)

# claims -------------------------------------------------------------------------------------------
CLAIMS = (
    stated(
        "j23.id.circle.tangent",
        printed("Section 3.3.1"),
        "Jacobian rank of the identity",
        r"$\mathrm{Rank}_J(id;\Omega)=\max_{x\in\Omega}\dim T_x\Omega$: the rank of the identity "
        r"along $T_x\Omega$, the span of the columns of $T$, is its dimension (1 on the circle).",
        rank(projection(T)) == rank(T),
        exact_only=True,
    ),
    stated(
        "j23.id.circle@B",
        printed("Section 3.3.1"),
        "Bottleneck rank of the circle",
        r"The circle $\Omega=\mathbb S^{2-1}$ has $\mathrm{Rank}_J(id;\Omega)=1$ and "
        r"$\mathrm{Rank}_{BN}(id;\Omega)=2$.",
        INNER == 2,
        (VERTICES, CLOSED),
        depends=("j23.bnrank@B",),
        pool=pool_with(t, g, closed),
        reading="B",
        reading_text="Section 3.1: the factors are piecewise linear; maps to $\\mathbb R$ that are "
        "linear on the edges of an inscribed polygon, with the values g at its vertices",
        exact_only=True,
        through="polygons inscribed in the circle stand for it, and a map of the line that takes a "
        "value twice is no embedding (docs/mathematics/j23.md#the-bottleneck-rank)",
    ),
)
