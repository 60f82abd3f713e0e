"""Twins of what is called false of R^(0) of affine functions in Section 3.1 of J23. Domains are
hulls of points and lines; a set of dimension r has r + 1 points that are independent once a 1 is
added to each."""

from __future__ import annotations

from lemmata import (
    Each,
    Map,
    Matrix,
    Max,
    Min,
    Number,
    Some,
    Sum,
    Vector,
    When,
    above,
    beside,
    cols,
    dot,
    frob2,
    larger,
    matrix,
    rank,
    row,
    rows,
    smaller,
    upto,
    vector,
)
from verify.language.terms import Term

X, Y, a = Matrix("X", "N", "n"), Matrix("Y", "M", "n"), Number("a")
F, A = Matrix("F", "q", "n"), Matrix("A", "q", "n")
p, s = Vector("p", "n"), Vector("s", "q")
points, lines = upto(rows(X)), upto(rows(Y))


def filled(number: int, rows_of: Term) -> Term:
    return matrix(rows(rows_of), 1, lambda i, j: number)


def dimension(hull: Term, directions: Term) -> Term:
    """Of conv(hull) + span(directions)."""
    return rank(above(beside(filled(1, hull), hull), beside(filled(0, directions), directions))) - 1


def of_image(linear: Term) -> Term:
    return dimension(X @ linear.T, Y @ linear.T)


def cost(linear: Term) -> Term:
    """At least the dimension of the image a layer, and 2 chains for a line that goes on in both
    directions, where sigma_a keeps no sign but the positive one."""
    goes_on = Some(lines, lambda m: frob2(linear @ row(Y, m)) > 0)
    return When(goes_on & (a <= 0), larger(2, of_image(linear)), of_image(linear))


def at_most(linear: Term) -> Term:
    """A chain for each dimension of the image, and another for each that has no end."""
    return of_image(linear) + rank(Y @ linear.T)


# phi A psi ----------------------------------------------------------------------------------------
def factor(t: Term, of: Term) -> Term:
    return When(t < 0, of, 1)


def inner(x: Term) -> Term:
    """A psi(x)."""
    return A @ vector(cols(A), lambda j: x[j] * factor(x[j], p[j]))


def value(x: Term) -> Term:
    """f(x)."""
    return vector(rows(A), lambda i: inner(x)[i] * factor(inner(x)[i], s[i]))


def mean(first: Term) -> Term:
    """Of the points, with the weights 1 + k^2 + (k + first mod N), k = 0, 1, ..., N - 1."""
    weights = Map(points, lambda k: 1 + (k - 1) ** 2 + (first + k - 1) % rows(X))
    whole = Sum(weights, lambda weight: weight)
    return vector(cols(X), lambda j: Sum(points, lambda k: weights[k] * X[k, j]) / whole)


def differential(x: Term) -> Term:
    """Df(x)."""
    return matrix(
        rows(A), cols(A), lambda i, j: factor(inner(x)[i], s[i]) * A[i, j] * factor(x[j], p[j])
    )


def smooth(x: Term) -> Term:
    return Each(upto(cols(A)), lambda j: x[j] != 0) & Each(
        upto(rows(A)), lambda i: inner(x)[i] != 0
    )


seen = Max(points, lambda k: When(smooth(mean(k)), of_image(differential(mean(k))), 0))


def opens(y: Term) -> Term:
    """Whether no ray holds both ends f(y) and f(-y) of a line."""
    ends = matrix(2, rows(A), lambda m, i: value(When(m == 1, y, -y))[i])
    return (rank(ends) == 2) | (dot(row(ends, 1), row(ends, 2)) < 0)


layers = When((a <= 0) & Some(lines, lambda m: opens(row(Y, m))), larger(2, seen), seen)
one_orthant = Each(
    upto(cols(X)), lambda j: Min(points, lambda k: X[k, j]) * Max(points, lambda k: X[k, j]) >= 0
)
images = matrix(rows(X), rows(A), lambda k, i: inner(row(X, k))[i])
through = When(one_orthant & (rank(Y) == 0), dimension(images, Y @ A.T), smaller(rows(A), cols(A)))
bottleneck = smaller(smaller(rank(A), dimension(X, Y)), through)

TWINS: dict[str, Term] = {
    "j23.bnrank.conjecture@B": (cost(F) <= of_image(F)) & (of_image(F) <= at_most(F)),
    "j23.sandwich.upper": cost(F) <= of_image(F),
    "j23.sandwich.order": cost(F) <= of_image(F),
    "j23.rankprops.3@A": (cost(A) <= rank(A)) & (rank(A) <= at_most(A)),
    "j23.rankprops.bij": (layers <= rank(A)) & (rank(A) <= bottleneck),
}
