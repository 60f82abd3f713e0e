"""Domains conv(X) + span(Y), bounded or with lines, and R^(0) of affine functions on them.

Bounded: R^(0) is the rank r of F along the domain. From below by the Jacobian; from above by r
chains, made positive by a shift, so that R <= L r + O(1).

With lines: let u_l, v_l be the slopes of alpha_l at both ends of a line of the domain on which f is
not bounded, U = |u_l ^ v_l| the area between them. For slopes a in (-1, 0] activations end in the
positive orthant, and one layer has U' <= U |theta|^2 / 2. (Rows on which both ends have one sign
count as linear. With squares P, Q of the two ends after the layer, C their product over those rows,
c = u.v and |u|^2 |v|^2 - c^2 = 1: |W|^2 / 2 >= sqrt(1 + c^2) sqrt(P Q) - c C >= sqrt(P Q - C^2).)
Layer 1 has U <= |W_1 y|^2 / 2, and layer L needs |W_L|^2 >= 2 |F y|^2 / U. So R >= 2 L
(|F y| / |y|)^(2/L): R^(0) >= 2, with equality for rank 1, and R(id; R, L) = 2 L for the ReLU.
From above each direction along which f is not bounded takes two neurons a layer.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.language.building import (
    Filter,
    Let,
    Matrix,
    Min,
    Sum,
    Vector,
    When,
    Whole,
    above,
    between,
    card,
    cols,
    eye,
    frob2,
    larger,
    matrix,
    rank,
    row,
    rows,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23.matrix_notation import a, inside, projection, pseudo_inverse
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, unless

SHAPE = r"$\Omega=\mathrm{conv}(X)+\mathrm{span}(Y)$"
ON_DOMAINS = (
    "of affine functions the cost lies between bounds that hold at every depth, from the Jacobian, "
    "from lines and from chains (docs/mathematics/j23.md#what-an-infimum-lets-one-say)"
)

X = Matrix("X", "N", "n", meaning="points, as rows")
Y = Matrix("Y", "M", "n", meaning="directions of lines, as rows")
POINTS = upto(rows(X))
DIRECTIONS = above(matrix(rows(X), cols(X), lambda i, j: X[i, j] - X[1, j]), Y).T
"""Columns that span the tangent space of Omega."""
DIMENSION = rank(DIRECTIONS)
HAS_INTERIOR = rank(DIRECTIONS) == cols(X)
WITHOUT_LINES = frob2(Y) == 0
BENDS_BACK = (a > -1) & (a <= 0)
"""For these slopes activations end in the positive orthant."""


# ranks and costs ----------------------------------------------------------------------------------
def along(linear: Term) -> Term:
    """Rank_J = Rank_BN with piecewise linear factors, of an affine function: the rank along the
    domain, by its Jacobian and by a factorisation."""
    return rank(linear @ DIRECTIONS)


def unbounded(linear: Term) -> Term:
    """The rank along the lines."""
    return rank(linear @ Y.T)


def at_least(linear: Term) -> Term:
    """A number that R^(0) of an affine function is not below."""
    ends_apart = (unbounded(linear) >= 1) & BENDS_BACK
    return When(ends_apart, larger(along(linear), 2), along(linear))


def at_most(linear: Term) -> Term:
    """A number that R^(0) of an affine function is not above."""
    return along(linear) + unbounded(linear)


F, d = Matrix("F", "q", "n"), Vector("d", "q")
L = Whole("L", 2, 8)


def column_basis(A: Term) -> Term:
    """The columns of a matrix that are no combination of those before."""

    def first(count: Term) -> Term:
        return matrix(rows(A), cols(A), lambda i, j: When(j <= count, A[i, j], 0))

    basis = Filter(upto(cols(A)), lambda j: rank(first(j)) > rank(first(j - 1)))
    return Let(basis, lambda js: matrix(rows(A), card(js), lambda i, j: A[i, js[j]]))


def _through(C: Term, B: Term, depth: Term | int) -> Term:
    lowest = vector(rows(B), lambda i: Min(POINTS, lambda n: (B @ row(X, n))[i]))
    last = F @ row(X, 1) + d - C @ (B @ row(X, 1) - lowest)
    identities = Sum(between(2, depth - 1), lambda layer: frob2(eye(rows(B))))
    return frob2(B) + frob2(lowest) + identities + frob2(C) + frob2(last)


def through_rank(depth: Term | int) -> Term:
    """|theta|^2 of a network of depth L >= 2 that is x -> F x + d on a bounded domain: W_1 = B and
    W_L = C with linear P_T = C B of full rank, identities between, a bias b_1 that makes the first
    layer positive and b_L that takes it back; of a constant b_L alone."""

    def factored(A: Term) -> Term:
        return Let(
            column_basis(A), lambda C: Let(pseudo_inverse(C) @ A, lambda B: _through(C, B, depth))
        )

    of_rank_above_0 = Let(F @ projection(DIRECTIONS), factored)
    return When(along(F) == 0, frob2(F @ row(X, 1) + d), of_rank_above_0)


# hypotheses ---------------------------------------------------------------------------------------
def without_lines(case: Tensors, random: Random) -> Tensors:
    """Y = 0."""
    return with_entries(case, "Y", [Fraction(0)] * len(case.arrays["Y"].entries))


def with_lines(case: Tensors, random: Random) -> Tensors:
    """A row of Y is a unit vector."""
    array = case.arrays["Y"]
    entries = [Fraction(0)] * len(array.entries)
    entries[random.randrange(array.shape[1])] = Fraction(1)
    return with_entries(case, "Y", entries)


def solid(case: Tensors, random: Random) -> Tensors:
    """The points become those of a simplex, as many as needed."""
    width = case.lengths["n"]
    base = case.arrays["X"].entries[:width]
    steps = [[Fraction(i == j) for j in range(width)] for i in range(-1, width)]
    entries = tuple(b + s for step in steps for b, s in zip(base, step, strict=True))
    return case.changing(X=Tensor(("N", "n"), (width + 1, width), entries))


with_interior = unless(HAS_INTERIOR, solid)


def flat(case: Tensors, random: Random) -> Tensors:
    """All points equal, no lines."""
    array = case.arrays["X"]
    first = array.entries[: array.shape[1]]
    return without_lines(with_entries(case, "X", first * array.shape[0]), random)


def on_a_face(case: Tensors, random: Random) -> Tensors:
    """One coordinate is the same at all points."""
    array = case.arrays["X"]
    width = array.shape[1]
    which = random.randrange(width)
    first = array.entries[which]
    entries = tuple(first if place % width == which else v for place, v in enumerate(array.entries))
    return with_entries(case, "X", entries)


def on_a_line(case: Tensors) -> Tensors:
    """All points are one, all lines as the first."""
    for name in "XY":
        array = case.arrays[name]
        first = array.entries[: array.shape[1]]
        case = with_entries(case, name, first * array.shape[0])
    return case


def unseen(case: Tensors) -> Tensors:
    """F does not see the coordinates in which the points differ."""
    array, points = case.arrays["F"], case.arrays["X"]
    width = points.shape[1]
    if array.shape[1] != width:
        return case
    columns = [points.entries[j::width] for j in range(width)]
    entries = tuple(
        v if len(set(columns[place % width])) == 1 else Fraction(0)
        for place, v in enumerate(array.entries)
    )
    return with_entries(case, "F", entries)


BOUNDED = Given(
    "bounded domain",
    WITHOUT_LINES,
    r"$\Omega$ is bounded: $Y=0$",
    without_lines,
    with_lines,
)
TWO_LAYERS = Given(
    "two layers", L >= 2, r"$L\ge2$: a layer before $\mathbb R^k$, one behind it", built_in=True
)
SOLID = Given(
    "domain with interior",
    HAS_INTERIOR,
    r"$\Omega$ has interior points",
    with_interior,
    flat,
)


# making cases -------------------------------------------------------------------------------------
ARRANGEMENTS = (
    "as it comes",
    "a line",
    "a line",
    "bounded",
    "a face",
    "a face",
    "simplex",
    "simplex",
    "a point",
)


def arranged(case: Tensors, random: Random) -> Tensors:
    """A slope inside (-1, 1); mostly no lines, often a simplex."""
    case = inside(case, random)
    how = random.choice(ARRANGEMENTS)
    if how not in ("as it comes", "a line"):
        case = without_lines(case, random)
    if how == "a line":
        case = on_a_line(case)
    if how == "simplex" or (how == "a face" and random.random() < 0.5):
        case = with_interior(case, random)
    if how == "a point":
        case = flat(case, random)
    if how == "a face":
        case = on_a_face(case, random)
        case = unseen(case) if "F" in case.arrays and random.random() < 0.5 else case
    return case


def domain_pool(*arrays: Term) -> TensorPool:
    """A pool of such cases; X, Y and a are there by themselves."""
    return pool_with(X, Y, a, *arrays, largest=3, adapt=arranged)
