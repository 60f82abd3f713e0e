"""Proofs of what Section 5 says of one step of descent and of its flow, in every dimension.

At E = 0 both sides are polynomials in v.v, w.v, w.w and the step that differ by a multiple of
w.w - 1. With noise the remainders are made of E v and E w, and |E x| is at most |E|_F |x|.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.language.building import dot, eigenvalues, frob2, outer, rows, zeros
from verify.language.proofs import Coefficient, Fact, Proof, Use
from verify.language.terms import Term, rebuilt
from verify.papers.j23.section5_notation import E, Q, across, eta, gradient, v, w

SQUARE, ACROSS, LENGTH = dot(v, v), dot(w, v), dot(w, w)
HALF = Fraction(1, 2)
SPREAD = SQUARE + ACROSS**2 * (LENGTH - 1)  # the sum of the statistics
NOISE = E + E.T
Steps = Callable[[Proof], None]
Uses = dict[Use, Coefficient]


# without noise ------------------------------------------------------------------------------------
def split(p: Proof) -> None:
    """|v - (w.v) w|^2 = |v|^2 - 2 (w.v)^2 + (w.v)^2 |w|^2."""
    p.algebra(p.goal, {p.given["unit vector"]: -(ACROSS**2)})


def noiseless(said: Term) -> Term:
    """What is said, with 0 in place of E."""
    if said.op == "field":
        return zeros(rows(E), rows(E)) if said.args == E.args else said
    return rebuilt(said, noiseless)


def by_length(factor: Term) -> Steps:
    """The two sides differ by so many times w.w - 1."""

    def steps(p: Proof) -> None:
        found = p.algebra(noiseless(p.goal), {p.given["unit vector"]: factor})
        p.same(p.goal, [p.given["no noise"]], found)

    return steps


def _next_first() -> Term:
    first, second = 1 - 4 * eta * (SQUARE - LENGTH), 1 - 4 * eta * (SPREAD - 1)
    return 4 * eta * ACROSS**2 * (1 + ACROSS**2) * (first + second)


def _next_second() -> Term:
    first, second = 1 - 4 * eta * SQUARE, 1 - 4 * eta * SPREAD
    rest = 8 * eta * first + 16 * eta**2 * LENGTH
    return ACROSS**2 * (4 * eta * across(v) * (first + second) + (LENGTH - 1) * rest)


next_first, next_second = by_length(_next_first()), by_length(_next_second())
cost_without_noise = by_length(LENGTH + 1)


class Turned:
    """Q keeps v.v and w.v, and w = Q w. uses: how a step from Q v is made of one from v."""

    def __init__(self, p: Proof) -> None:
        about = p.given["rotation about w"]
        self.orthogonal, fixed = p.part(about, 0), p.part(about, 1)
        by_w: Uses = {self.orthogonal: outer(w, v), fixed: -(Q @ v)}
        self.kept = p.algebra(dot(Q @ v, Q @ v) == SQUARE, {self.orthogonal: outer(v, v)})
        along_w = p.algebra(dot(w, Q @ v) == ACROSS, by_w)
        square = p.same(dot(Q @ v, Q @ v) * (Q @ v) == SQUARE * (Q @ v), [self.kept])
        axis = p.same(dot(w, Q @ v) * w == ACROSS * w, [along_w])
        self.uses: Uses = {square: -4 * eta, axis: 4 * eta, fixed: -4 * eta * ACROSS}


def rotation(p: Proof) -> None:
    """A step from Q v is Q times one from v."""
    found = p.algebra(noiseless(p.goal), Turned(p).uses)
    p.same(p.goal, [p.given["no noise"]], found)


# the flow -----------------------------------------------------------------------------------------
VELOCITY = -gradient(v)
MOVING = {  # the rates of the statistics
    "along": 2 * dot(w, v) * dot(w, VELOCITY),
    "across": 2 * dot(v - dot(w, v) * w, VELOCITY - dot(w, VELOCITY) * w),
}


def evolution(which: str) -> Steps:
    """The rate of a statistic at E = 0."""
    factor = {"along": 8 * ACROSS**2, "across": 8 * ACROSS**2 * (LENGTH - 1)}[which]

    def steps(p: Proof) -> None:
        moved = p.rate(p.goal.args[0].args[0], MOVING[which])
        says = MOVING[which] == p.goal.args[1]
        found = p.algebra(noiseless(says), {p.given["unit vector"]: factor})
        here = p.same(says, [p.given["no noise"]], found)
        p.algebra(p.goal, {moved: 1, here: 1})

    return steps


# with noise ---------------------------------------------------------------------------------------
def applied(p: Proof, matrix: Term, x: Term) -> Fact:
    """|M x|^2 <= |M|^2 |x|^2: at a unit vector u |M|^2 - |M u|^2 is the square of M - (M u) u^T."""
    gram = matrix.T @ matrix
    symmetric = p.algebra(gram == gram.T, {})
    unit, vector = p.lemma("eigenvector", symmetric, S=gram)
    u, top = p.made, eigenvalues(gram)[1]
    moved = matrix @ u
    value = p.algebra(dot(moved, moved) == top, {vector: u, unit: top})
    uses: Uses = {value: 1, unit: -dot(moved, moved)}
    most = p.algebra(top <= frob2(matrix), uses, [matrix - outer(moved, u)])
    below, _ = p.lemma("rayleigh", symmetric, S=gram, x=x)
    square = p.algebra(dot(x, x) >= 0, {}, [x])
    return p.algebra(frob2(matrix @ x) <= frob2(matrix) * frob2(x), {below: 1, (most, square): 1})


def noise(p: Proof) -> Fact:
    """|E + E^T|^2 <= 4 |E|^2."""
    return p.algebra(frob2(NOISE) <= 4 * frob2(E), {}, [E - E.T])


def not_negative(p: Proof, *roots: Term) -> list[Fact]:
    """That squares are not."""
    return [p.algebra(frob2(x) >= 0, {}, [x]) for x in roots]


def rotation_with_noise(p: Proof) -> None:
    """The difference is 2 eta (F Q v - Q F v) with F = E + E^T."""
    turned = Turned(p)
    one, other = NOISE @ (Q @ v), Q @ (NOISE @ v)
    difference = p.goal.args[0].args[0]
    apart = p.algebra(difference == 2 * eta * (one - other), turned.uses)
    kept = p.algebra(
        frob2(other) == frob2(NOISE @ v), {turned.orthogonal: outer(NOISE @ v, NOISE @ v)}
    )
    step, length = p.algebra(eta**2 >= 0, {}, [eta]), *not_negative(p, v)
    p.algebra(
        p.goal,
        {
            apart: -(difference + 2 * eta * (one - other)),
            (applied(p, NOISE, Q @ v), step): 8,
            (applied(p, NOISE, v), step): 8,
            turned.kept: -8 * eta**2 * frob2(NOISE),
            kept: -8 * eta**2,
            (noise(p), step, length): 16,
        },
        [(4, eta * (one + other))],
    )


PARTS = {"along": ACROSS * w, "across": v - ACROSS * w}  # the one the statistic is the square of


def evolution_with_noise(which: str) -> Steps:
    """The remainder is 4 a.Fv, a the part of v that the statistic is the square of."""
    part, moved_by = PARTS[which], NOISE @ v
    factor = {
        "along": 8 * ACROSS**2,
        "across": 8 * ACROSS**2 * (LENGTH - 1) + 4 * ACROSS * dot(w, moved_by),
    }[which]

    def steps(p: Proof) -> None:
        unit = p.given["unit vector"]
        remainder = p.goal.args[0].args[0]
        moved = p.rate(remainder.args[0].args[0], MOVING[which])
        apart = p.algebra(remainder == 4 * dot(part, moved_by), {moved: 1, unit: factor})
        below = p.algebra(frob2(part) <= SQUARE, {unit: -2 * ACROSS**2}, [v - part])
        length, size = not_negative(p, v, moved_by)
        p.algebra(
            p.goal,
            {
                apart: -(remainder + 4 * dot(part, moved_by)),
                (below, size): 16,
                (applied(p, NOISE, v), length): 16,
                (noise(p), length, length): 16,
            },
            [(8, outer(part, moved_by) - outer(moved_by, part))],
        )

    return steps


def below_noise(p: Proof, x: Term) -> Fact:
    """(x.Ex)^2 <= |x|^4 |E|^2."""
    moved, (length,) = E @ x, not_negative(p, x)
    uses: Uses = {(applied(p, E, x), length): 1}
    square = (HALF, outer(x, moved) - outer(moved, x))
    return p.algebra(dot(x, moved) ** 2 <= frob2(x) ** 2 * frob2(E), uses, [square])


def root(p: Proof, square: Fact, positive: Fact) -> Fact:
    """x <= y from x^2 <= y^2 and y >= 0."""
    x, y = square.term.args[0].args[0], positive.term.args[0]

    def otherwise(more: Fact) -> Fact:
        false = p.algebra(y**2 < y**2, {(more, more): 1, (more, positive): 2, square: 1})
        return p.absurd(x <= y, false)

    return p.cases(x <= y, lambda fact: p.algebra(x <= y, {fact: 1}), otherwise)


def cost_with_noise(p: Proof) -> None:
    """The remainder is -2 (v.Ev - w.Ew), and -(v.Ev) (w.Ew) is at most |v|^2 |E|^2."""
    unit, at_v, at_w = p.given["unit vector"], dot(v, E @ v), dot(w, E @ w)
    remainder, size = p.goal.args[0].args[0], frob2(E)
    apart = p.algebra(remainder == -2 * (at_v - at_w), {unit: LENGTH + 1})
    of_v = below_noise(p, v)
    of_w = p.algebra(at_w**2 <= size, {below_noise(p, w): 1, unit: -(LENGTH + 1) * size})
    length, positive = not_negative(p, v, E)
    square = p.algebra(at_v**2 >= 0, {}, [at_v])
    bound = p.algebra(SQUARE * size >= 0, {(length, positive): 1})
    product = p.algebra(
        (-at_v * at_w) ** 2 <= (SQUARE * size) ** 2, {(of_v, positive): 1, (of_w, square): 1}
    )
    mixed = root(p, product, bound)
    uses: Uses = {apart: -(remainder - 2 * (at_v - at_w)), of_v: 4, of_w: 4, mixed: 8}
    p.algebra(p.goal, uses)
