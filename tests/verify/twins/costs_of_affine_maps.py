"""Twins of what is called false of costs of affine functions in Theorem 3 of J23, and of minima
rank by rank. What is known of such costs: docs/mathematics/j23.md#bounds-on-an-infimum."""

from __future__ import annotations

from dataclasses import dataclass

from lemmata import (
    Each,
    Filter,
    Let,
    Matrix,
    Max,
    Min,
    Number,
    Prod,
    Some,
    Sum,
    Vector,
    When,
    Whole,
    beside,
    card,
    cols,
    column,
    dim,
    eye,
    frob2,
    inverse,
    item,
    larger,
    list_,
    log,
    matrix,
    rank,
    row,
    rows,
    singular,
    smaller,
    sqrt,
    trace,
    tuple_,
    upto,
    vector,
    zeros,
)
from verify.language.terms import Term

X, a = Matrix("X", "N", "n"), Number("a")
L, L1, L2 = Whole("L", 1, 3), Whole("L1", 1, 3), Whole("L2", 1, 3)


def first(A: Term, count: Term) -> Term:
    return matrix(rows(A), cols(A), lambda i, j: When(i <= count, A[i, j], 0))


def onto(A: Term) -> Term:
    """The projection to the span of the rows, by those that are no combination of rows before."""

    def by_rows(A: Term, chosen: Term) -> Term:
        B = matrix(card(chosen), cols(A), lambda i, j: A[chosen[i], j])
        return Let(B, lambda B: B.T @ inverse(B @ B.T) @ B)

    def nonzero(A: Term) -> Term:
        chosen = Filter(upto(rows(A)), lambda i: rank(first(A, i)) > rank(first(A, i - 1)))
        return Let(chosen, lambda chosen: by_rows(A, chosen))

    return Let(A, lambda A: When(rank(A) == 0, zeros(cols(A), cols(A)), nonzero(A)))


def right_angled(points: Term) -> Term:
    numbers = upto(rows(points))
    return Each(numbers, lambda i: Each(numbers, lambda j: (points @ points.T)[i, j] >= 0))


def at_zero(radius: Term) -> Term:
    return When(radius > 4, 3, When(radius > 1, 2 * sqrt(radius) - 1, radius))


@dataclass(frozen=True)
class Function:
    """x -> H x + e on the hull of the rows of P."""

    H: Term
    e: Term
    P: Term

    @property
    def points(self) -> Term:
        return upto(rows(self.P))

    def at(self, i: Term) -> Term:
        return self.H @ row(self.P, i) + self.e

    @property
    def steep(self) -> Term:
        """The derivative along the hull."""
        moves = matrix(rows(self.P), cols(self.P), lambda i, j: self.P[i, j] - self.P[1, j])
        return self.H @ onto(moves)

    @property
    def order(self) -> Term:
        return rank(self.steep)

    @property
    def centred(self) -> Term:
        def opposite(i: Term, j: Term) -> Term:
            return row(self.P, i) == -row(self.P, j)

        return Some(self.points, lambda i: Some(self.points, lambda j: opposite(i, j)))

    @property
    def constant(self) -> Term:
        """A lower bound of the cost of a constant."""
        return When(self.centred, at_zero(frob2(row_of(self, 1))), 0)

    @property
    def folded(self) -> Term:
        def of_pair(x: Term, y: Term) -> Term:
            kappa = larger(1 - abs(a), frob2(x) + abs(a) * frob2(x))
            return When((x == -y) & (frob2(x) > 0), 2 * frob2(self.H @ x) / kappa, 0)

        def of_one(i: Term) -> Term:
            return Max(self.points, lambda j: of_pair(row(self.P, i), row(self.P, j)))

        return Max(self.points, of_one)

    @property
    def alone(self) -> Term:
        """The norm of one layer."""
        whole = beside(self.H, column_of(self.e))
        places = beside(self.P, matrix(rows(self.P), 1, lambda i, j: 1))
        return frob2(whole @ onto(places))

    def cost_above(self, depth: Term) -> Term:
        def powers(J: Term) -> Term:
            return Sum(upto(rank(J)), lambda i: singular(J)[i] ** (2 / depth))

        layers = depth * larger(Let(self.steep, powers), self.folded ** (1 / depth))
        steep = larger(layers, When(self.centred, at_zero(frob2(self.e)), 0))
        return When(depth == 1, self.alone, When(self.order == 0, self.constant, steep))

    @property
    def by_outputs(self) -> tuple[Term, Term]:
        """The squares along chains, and that of the last bias."""
        up = vector(dim(self.e), lambda i: larger(Max(self.points, lambda k: -self.at(k)[i]), 0))
        squares = vector(dim(self.e), lambda i: frob2(row(self.H, i)) + (self.e + up)[i] ** 2)
        return squares, frob2(up)

    @property
    def by_inputs(self) -> tuple[Term, Term]:
        up = vector(cols(self.P), lambda j: larger(Max(self.points, lambda k: -self.P[k, j]), 0))
        squares = vector(
            cols(self.P), lambda j: frob2(column(self.H, j)) + frob2(up[j] * column(self.H, j))
        )
        return squares, frob2(self.e - self.H @ up)

    @property
    def seen(self) -> Term:
        return self.H @ onto(self.P)

    @property
    def right_angled(self) -> Term:
        def of(S: Term) -> Term:
            inside, images = self.P @ onto(S), self.P @ S.T
            return (rank(S) < 3) & Let(inside, right_angled) & Let(images, right_angled)

        return Let(self.seen, of)

    def stacked(self, depth: Term) -> Term:
        """sum of Tr G_l G_(l-1)^+, both 1 off the rows of A."""

        def gram(A: Term, layer: Term) -> Term:
            return eye(cols(A)) + layer / depth * (A.T @ A - onto(A))

        def norm(A: Term, layer: Term) -> Term:
            return trace(inverse(gram(A, layer - 1)) @ gram(A, layer)) - cols(A) + rank(A)

        return Let(self.seen, lambda A: Sum(upto(depth), lambda layer: norm(A, layer)))

    def cost_below(self, depth: Term) -> Term:
        def chains(squares: Term, last: Term) -> Term:
            return last + depth * Sum(upto(dim(squares)), lambda i: squares[i] ** (1 / depth))

        both = smaller(chains(*self.by_outputs), chains(*self.by_inputs))
        one = depth * frob2(self.seen) ** (1 / depth)
        kernels = When(rank(self.seen) == 1, one, self.stacked(depth)) + frob2(self.e)
        steep = When(self.right_angled, smaller(kernels, both), both)
        return When(depth == 1, self.alone, When(self.order == 0, frob2(row_of(self, 1)), steep))

    @property
    def correction_above(self) -> Term:
        def of(J: Term) -> Term:
            volume = Prod(upto(rank(J)), lambda i: singular(J)[i] ** 2)
            folded = larger(volume, When(rank(J) == 1, self.folded, 0))
            return When(rank(J) == 0, self.constant, log(folded))

        return Let(self.steep, of)

    @property
    def correction_below(self) -> Term:
        """Where a network with as many chains as the order is known."""

        def chains(squares: Term, last: Term) -> Term:
            alive = Filter(upto(dim(squares)), lambda i: squares[i] > 0)
            return tuple_(card(alive), last + log(Prod(alive, lambda i: squares[i])))

        volume = Let(self.seen, lambda S: Prod(upto(rank(S)), lambda i: singular(S)[i] ** 2))
        kernels = tuple_(When(self.right_angled, rank(self.seen), 0), frob2(self.e) + log(volume))
        known = list_(chains(*self.by_outputs), chains(*self.by_inputs), kernels)
        fitting = Filter(known, lambda one: item(one, 1) == self.order)
        least = Min(fitting, lambda one: item(one, 2))
        return When(self.order == 0, frob2(row_of(self, 1)), least)


def row_of(function: Function, i: int) -> Term:
    return function.H @ row(function.P, i) + function.e


def column_of(v: Term) -> Term:
    return matrix(dim(v), 1, lambda i, j: v[i])


F, d = Matrix("F", "q", "n"), Vector("d", "q")
G, c = Matrix("G", "q", "n"), Vector("c", "q")
f, g, both = (Function(*parts, X) for parts in ((F, d), (G, c), (F + G, d + c)))

outer_map, inner_map = Matrix("F", "q", "m"), Matrix("G", "m", "n")
shift = Vector("c", "m")
inside = Function(inner_map, shift, X)
image = matrix(rows(X), dim(shift), lambda k, i: inside.at(k)[i])
outside = Function(outer_map, d, image)
whole = Function(outer_map @ inner_map, outer_map @ shift + d, X)

A = Matrix("A", "q", "n")
linear = Function(A, vector(rows(A), lambda i: 0), X)
size = log(Prod(upto(rank(A)), lambda i: singular(A)[i] ** 2))

# Minima rank by rank, k = 0: a matrix of one entry e' <= e costs less than 0, e = 1/2, 1/4, ...
Y, weight, depth = Matrix("Y", "m", "n"), Number("lambda"), Whole("L", 1, 20)


def cheaper(e: Term) -> Term:
    return e**2 + 2 * e * abs(Y[1, 1]) + weight * (depth + log(e**2)) < 0


TWINS: dict[str, Term] = {
    "j23.thm3.lb@B": ~(
        f.correction_below < log(Prod(upto(rank(F)), lambda i: singular(F)[i] ** 2))
    ),
    "j23.thm3.1.ineq@B": ~(
        outside.cost_below(L1) + inside.cost_below(L2) < whole.cost_above(L1 + L2)
    ),
    "j23.thm3.2.ineq@A": ~(f.cost_below(L) + g.cost_below(L) < both.cost_above(L)),
    "j23.thm3.2": ~(f.correction_below + g.correction_below < both.correction_above),
    "j23.thm3.3@B": ~((linear.correction_above > size) | (linear.correction_below < size)),
    "j23.rankmin.b": ~Some(upto(64), lambda k: cheaper(1 / 2**k)),
}
