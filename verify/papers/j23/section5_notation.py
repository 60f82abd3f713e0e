"""What Section 5 speaks of: C(v) = |v v^T - (w w^T + E)|^2, its descent, the statistics of v."""

from __future__ import annotations

from verify.language.building import Matrix, Number, Vector, dim, dot, eye, frob2, outer
from verify.language.terms import Term

w, v = Vector("w", "d"), Vector("v", "d")
eta = Number("eta", meaning="the step of descent")
E = Matrix("E", "d", "d", meaning="the noise")
Q = Matrix("Q", "d", "d", meaning="the rotation")


def cost(at: Term) -> Term:
    """C(v)."""
    return frob2(outer(at, at) - (outer(w, w) + E))


def gradient(at: Term) -> Term:
    """The gradient of C: 2 (M + M^T) v with M = v v^T - (w w^T + E)."""
    matrix = outer(at, at) - (outer(w, w) + E)
    return 2 * ((matrix + matrix.T) @ at)


def stepped(at: Term) -> Term:
    """v after one step of gradient descent."""
    return at - eta * gradient(at)


def along(at: Term) -> Term:
    """(w^T v)^2, the first statistic."""
    return dot(w, at) ** 2


def across(at: Term) -> Term:
    """|(I - w w^T) v|^2, the second one."""
    return frob2((eye(dim(w)) - outer(w, w)) @ at)


def next_along(one: Term, other: Term) -> Term:
    """The first statistic after a step, of both before it."""
    return one * (1 - 4 * eta * (one + other - 1)) ** 2


def next_across(one: Term, other: Term) -> Term:
    """The second one."""
    return other * (1 - 4 * eta * (one + other)) ** 2


def printed_cost(at: Term) -> Term:
    """|v|^4 - 2 (w^T v)^2 + 1."""
    return dot(at, at) ** 2 - 2 * dot(w, at) ** 2 + 1
