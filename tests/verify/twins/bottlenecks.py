"""Twins of what is called false of bottlenecks in deep networks, from the print: the proof of
Example 20, Proposition 14 and its proof, the symmetry of Section 5, and the proof of Theorem 10."""

from __future__ import annotations

from lemmata import (
    Count,
    Each,
    Filter,
    Fold,
    Let,
    Map,
    Matrix,
    Min,
    Number,
    Some,
    Sorted,
    Sum,
    Vector,
    When,
    Whole,
    between,
    card,
    cols,
    diag,
    dim,
    dot,
    eye,
    floor,
    frob2,
    implies,
    inverse,
    item,
    list_,
    log,
    matrix,
    norm,
    orders,
    outer,
    rank,
    row,
    rows,
    singular,
    smaller,
    sqrt,
    tuple_,
    upto,
    vector,
    zeros,
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
        for (r, c), entry in entries.items():
            found = When((i == r) & (j == c), entry, found)
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

# The proof of Proposition 14, first two displays and (2): L_f = p L, L_g = (1 - p) L. Both sides of
# what is left at finite depth, divided by L, tend to what they have of order L.
f0, g0, h0 = Number("f0"), Number("g0"), Number("h0")
f2, g2, h2 = Number("f2"), Number("g2"), Number("h2")
p = Number("p")
divided = (h2 == 0) & (p * f0 + (1 - p) * g0 - h0 == f2 / (1 - p) + g2 / p)
divided_sums = (h2 == 0) & (f0 + g0 - h0 == f2 + g2)

# Proposition 4, part 3, on the hull of the rows of X, 0 one of them: x -> A x is x -> A P x there,
# P the projection to the span, whose cost is known where no two points form an obtuse angle, nor
# their images. The end of the proof: of such a map, and of a constant that is at most 1 long.
A, X = Matrix("A", "m", "n"), Matrix("X", "N", "n")
constant, q = Vector("c", "m"), Number("q")


def first_rows(of: Term, count: Term) -> Term:
    return matrix(count, cols(of), lambda i, j: of[i, j])


def along_rows(of: Term) -> Term:
    """The projection to the span of the rows, by those that are not in the span of the former."""
    new = Filter(
        upto(rows(of)),
        lambda i: (
            rank(first_rows(of, i)) > When(i == 1, 0, rank(first_rows(of, When(i == 1, 1, i - 1))))
        ),
    )

    def onto(some: Term) -> Term:
        chosen = matrix(card(some), cols(of), lambda i, j: of[some[i], j])
        return chosen.T @ inverse(chosen @ chosen.T) @ chosen

    return Let(new, lambda some: When(card(some) == 0, zeros(cols(of), cols(of)), onto(some)))


def right_angled(points: Term) -> Term:
    gram = points @ points.T
    return Each(upto(rows(points)), lambda i: Each(upto(i), lambda j: gram[i, j] >= 0))


def turned_into_orthant(linear: Term) -> Term:
    narrow = rank(linear) <= 2
    return narrow & right_angled(X @ along_rows(linear)) & right_angled(X @ linear.T)


def half_of_log_squares(of: Term) -> Term:
    """|log_+ A^T A|_F^2 / 2."""
    return Sum(Filter(singular(of), lambda s: s > 0), lambda s: log(s**2) ** 2) / 2


here = A @ along_rows(X)
with_origin = Some(upto(rows(X)), lambda i: Each(upto(cols(X)), lambda j: X[i, j] == 0))
of_the_map = implies(
    with_origin & turned_into_orthant(here), half_of_log_squares(here) == half_of_log_squares(A)
)


def twice_log(of: Term, exponent: Term | int) -> Term:
    """2 log |.|_+ of the map with the singular values to a power."""
    return Sum(Filter(singular(of), lambda s: s > 0), lambda s: log((s**exponent) ** 2))


between_layers = implies(
    with_origin & (q > 0) & (q < 1),
    implies((norm(A) == 0) & (norm(constant) <= 1), q * dot(constant, constant) == 0)
    & implies(
        (norm(constant) == 0) & turned_into_orthant(here),
        twice_log(here, q) == q * twice_log(here, 1),
    ),
)

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

# The proof of Theorem 10 (19 in Appendix C) ------------------------------------------------------
Y = Matrix("Y", "N", "k")


def apart(i: Term, j: Term) -> Term:
    return norm(row(Y, i) - row(Y, j))


def half_of_two(i: Term) -> Term:
    """(d_1,i + d_2,i) / 2: of the distances to the others the least two."""
    others = Filter(upto(rows(Y)), lambda j: i != j)
    return Let(Sorted(Map(others, lambda j: apart(i, j))), lambda d: (d[1] + d[2]) / 2)


shortest = Min(
    orders(upto(rows(Y))),
    lambda way: Sum(between(2, rows(Y)), lambda m: apart(way[m - 1], way[m])),
)

# The rows of Z are z_(i_1), ..., z_(i_N), in the order of the proof.
Z, W_l, u_l, rho = Matrix("Z", "N", "n"), Matrix("W", "n", "n"), Vector("u", "n"), Number("rho")


def between_rows(m: Term, other: Term) -> Term:
    return row(Z, m) - row(Z, other)


def halves(m: Term) -> Term:
    """The m-th term of the first sum of the fourth display, less rho times that of the second."""
    back, on = between_rows(m, m - 1), between_rows(m, m + 1)
    return (norm(W_l @ back) + norm(W_l @ on)) / 2 - rho * (norm(back) + norm(on)) / 2


# A grid of n^k points from face to face of the unit cube, with k > 1: each has two neighbours, and
# n - 1 of the steps to neighbours are as long as an edge of the cube. N^(1/k) = n.
n, more = Whole("n", 2, 9), Whole("j", 1, 5)


def half_by_order(per_axis: Term) -> Term:
    return 1 / (per_axis - 1) / per_axis


ordered, gap = Vector("t", "N"), Number("g")
norms_beyond = Count(upto(dim(ordered)), lambda m: abs(ordered[m]) > gap * dim(ordered) / 4)

# Exponents of N: what is 1/N away moves by the Lipschitz constant e^((|theta^(1:l-1)|^2 - l + 1)/2)
# times that.
alpha, beta, rank_of_it = Number("alpha"), Number("beta"), Whole("k", 1, 6)
change, bound = alpha / 2 - 1, 1 - 1 / rank_of_it - beta / 2

TWINS: dict[str, Term] = {
    "j23.ex20.norm.line2": first_line == second_line,
    "j23.ex20.weights.alpha3@B": are(
        alpha_behind, triple(scale * x1, scale * x2, (x3 + sigma(x1 - x2)) / scale**2)
    ),
    "j23.ex20.weights.f@B": are(output, triple(x1, x2, x3 + sigma(x1 - x2))),
    "j23.prop4.ratio.attained": implies(to_it + from_it > 0, (least_at > 0) & (least_at < 1)),
    "j23.prop4.eq1.limits": divided,
    "j23.prop4.2.limits": divided_sums,
    "j23.prop4.3@B": of_the_map,
    "j23.prop4.tail.first": between_layers,
    "j23.sym.rank2@A": (smaller(smaller(dim(v), T), 2) >= 2) & (rank(jacobian) <= 2),
    "j23.thm10.path": shortest >= Sum(upto(rows(Y)), half_of_two),
    "j23.thm10.proj": Each(
        between(2, rows(Z)),
        lambda m: Let(
            between_rows(m, m - 1),
            lambda step: norm(W_l @ step) <= dot(u_l, step) + rho * norm(step),
        ),
    ),
    "j23.thm10.chain.a": Each(
        upto(rows(Z) - 1),
        lambda m2: Each(
            upto(m2 - 1),
            lambda m1: dot(u_l, between_rows(m2, m1)) >= Sum(between(m1 + 1, m2), halves),
        ),
    ),
    "j23.thm10.chain.order": half_by_order(n) <= half_by_order(n + more),
    "j23.thm10.depth.b": norms_beyond >= dim(ordered) / 2,
    "j23.thm10.move": change <= bound,
}
