"""Twins of what is called false of bottlenecks in deep networks, from the print: the proof of
Example 20, the ratio of Proposition 14, and the symmetry of Section 5."""

from __future__ import annotations

from lemmata import (
    Each,
    Fold,
    Let,
    Matrix,
    Number,
    Vector,
    When,
    Whole,
    between,
    diag,
    dim,
    eye,
    floor,
    frob2,
    implies,
    item,
    list_,
    matrix,
    outer,
    rank,
    smaller,
    sqrt,
    tuple_,
    upto,
    vector,
)
from verify.language.terms import Term

# Example 20, t = e^epsilon -----------------------------------------------------------------------
L, t, a = Whole("L", 2, 10), Number("t"), Number("a")
x1, x2, x3 = Number("x1"), Number("x2"), Number("x3")
half = floor(L / 2)

first_line = (
    (L - 2) / 2 * (2 * t**2 + t**-4)
    + (3 + 2 * t ** (2 - L))
    + (3 + t ** (2 * (2 - L)))
    + (L - 2) / 2 * (2 * t**-2 + t**4)
)
second_line = (
    3 * L
    + 2 * (t**2 - 1)
    + (t**-4 - 1)
    + 2 * t ** (2 - L)
    + t ** (2 * (2 - L))
    + 2 * (t**-2 - 1)
    + (t**4 - 1)
)


def sigma(x: Term) -> Term:
    return When(x >= 0, x, a * x)


def activated(values: Term) -> Term:
    return vector(dim(values), lambda i: sigma(values[i]))


def filled(height: int, width: int, entries: dict[tuple[int, int], Term | int]) -> Term:
    """A matrix with these entries, and 0 else."""

    def at(i: Term, j: Term) -> Term:
        found: Term | int = 0
        for (row, column), entry in entries.items():
            found = When((i == row) & (j == column), entry, found)
        return found

    return matrix(height, width, at)


def triple(first: Term, second: Term, third: Term) -> Term:
    return vector(3, lambda i: list_(first, second, third)[i])


ones = {(1, 1): 1, (2, 2): 1, (3, 3): 1}
opening, closing = diag(triple(t, t, t**-2)), diag(triple(t**-1, t**-1, t**2))
scale = t ** (half - 1)  # e^((L - 2) epsilon / 2)
widening = filled(4, 3, {**ones, (4, 1): 1 / scale, (4, 2): -1 / scale})
narrowing = filled(3, 4, {**ones, (3, 4): 1 / scale**2})

before = Fold(upto(half - 1), triple(x1, x2, x3), lambda x, _: activated(opening @ x))
narrowed = narrowing @ activated(widening @ before)
alpha_behind = activated(narrowed)
alpha_last = Fold(between(half + 2, L - 1), alpha_behind, lambda x, _: activated(closing @ x))
output = When(half + 1 == L, narrowed, closing @ alpha_last)  # the last pre-activation


def are(values: Term, displayed: Term) -> Term:
    return Each(upto(3), lambda i: values[i] == displayed[i])


# Proposition 14: the one place where u / p + v / (1 - p) is least, unless both are 0 -------------
to_it, from_it = Number("u"), Number("v")
least_at = sqrt(to_it) / (sqrt(to_it) + sqrt(from_it))

# Section 5 ---------------------------------------------------------------------------------------
E, T, eta = Matrix("E", "d", "d"), Whole("T", 1, 3), Number("eta")
v, w = Vector("v", "d"), Vector("w", "d")
target = outer(w, w) + E
twice_symmetric = target + target.T


def slope(at: Term) -> Term:
    """The gradient of C(v) = |v v^T - (w w^T + E)|_F^2."""
    return 4 * (frob2(at) * at) - 2 * (twice_symmetric @ at)


def curvature(at: Term) -> Term:
    return 8 * outer(at, at) + 4 * (frob2(at) * eye(dim(at))) - 2 * twice_symmetric


def step(state: Term) -> Term:
    """From v(k) and its Jacobian to v(k + 1) and its own."""
    return Let(
        item(state, 1),
        lambda at: tuple_(
            at - eta * slope(at), item(state, 2) - eta * (curvature(at) @ item(state, 2))
        ),
    )


def derivative(k: Term) -> Term:
    """Of C(v(k)) by v(0)."""
    moved = Fold(upto(k), tuple_(v, eye(dim(v))), lambda state, _: step(state))
    return Let(moved, lambda state: item(state, 2).T @ slope(item(state, 1)))


jacobian = matrix(T, dim(v), lambda k, i: derivative(k)[i])

TWINS: dict[str, Term] = {
    "j23.ex20.norm.line2": first_line == second_line,
    "j23.ex20.weights.alpha3@B": are(
        alpha_behind, triple(scale * x1, scale * x2, (x3 + sigma(x1 - x2)) / scale**2)
    ),
    "j23.ex20.weights.f@B": are(output, triple(x1, x2, x3 + sigma(x1 - x2))),
    "j23.prop4.ratio.attained": implies(to_it + from_it > 0, (least_at > 0) & (least_at < 1)),
    "j23.sym.rank2@A": (smaller(smaller(dim(v), T), 2) >= 2) & (rank(jacobian) <= 2),
}
