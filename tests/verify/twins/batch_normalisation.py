"""Twins of what is called false of batch-normalised chains, from the print: what is said after (3),
(9), the step of Lemma 6 after (37), (55) as a step from (54), (24)-(28), footnotes 4 and 16, (73),
(92) and (96)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lemmata import (
    Count,
    Each,
    Matrix,
    Number,
    Sum,
    Vector,
    When,
    Whole,
    beside,
    cols,
    column,
    diag,
    diagonal,
    dim,
    implies,
    matrix,
    outer,
    rank,
    rows,
    singular,
    sqrt,
    upto,
)
from verify.language.terms import Term

H, W, SPECTRA = Matrix("H", "d", "N"), Matrix("W", "d", "d"), Matrix("lambda", "s", "d")
u, p = Vector("u", "d"), Vector("p", "s")
gamma, bound, alpha = Number("gamma"), Number("B"), Number("alpha")

M = H @ H.T / cols(H)
SIGNS = outer(u, u)  # M where all its entries are -1 or 1
MOVED = gamma * (W @ SIGNS) + gamma * (SIGNS @ W.T) + gamma**2 * (W @ SIGNS @ W.T)  # (37)

mean_cube = Sum(
    upto(dim(p)),
    lambda k: p[k] * Sum(upto(cols(SPECTRA)), lambda i: abs(SPECTRA[k, i]) ** 3),
)

# (3), where singular values beyond min(d, N) are 0 and count on neither side.
tau = Number("tau")
soft_rank = Count(singular(H), lambda value: value**2 / cols(H) >= tau)

# (24)-(28): diag(A) is the diagonal matrix with the diagonal of A, as in (2).
S = diag(Vector("S", "d"))
half, half_of_signs = H + gamma * (S @ W @ S @ H), S @ H + gamma * (W @ S @ H)


def of_its_diagonal(square: Term) -> Term:
    return diag(diagonal(square))


half_diagonals = [
    of_its_diagonal(half @ half.T),
    of_its_diagonal(
        (S @ S @ H + gamma * (S @ W @ S @ H)) @ (S @ S @ H + gamma * (S @ W @ S @ H)).T
    ),
    of_its_diagonal(S @ half_of_signs @ half_of_signs.T @ S),
    of_its_diagonal(half_of_signs @ half_of_signs.T),
    half_of_signs @ half_of_signs.T,
]

# Footnote 16.
coefficients, v = Vector("alpha", "d"), Vector("v", "d")
support = outer(coefficients, v) / dim(v)

# (96): by the chain rule the gradient of L_i by row k is (nabla l_i)_k times column i of H. There
# is a c, since no (nabla l_i)_k is 0, if the one is a multiple of the other.
G, E = Matrix("G", "o", "N"), Vector("E", "N")


def gradient(k: Term, i: Term) -> Term:
    return matrix(rows(H), 1, lambda r, _: G[k, i] * column(H, i)[r])


def is_multiple(k: Term, i: Term, j: Term) -> Term:
    return rank(beside(gradient(k, i), gradient(k, j))) == rank(gradient(k, j))


sequence, size = Vector("y", "K"), Whole("N", 1, 20)
limit = sequence[dim(sequence)]  # a sequence keeps the last number that is listed


def from_index(n: Term) -> Term:
    later = Each(upto(dim(sequence)), lambda m: implies(m > n, sequence[m] < alpha))
    met = sequence[When(n <= dim(sequence), n, dim(sequence))] < alpha
    return implies(met, later & (limit < (size - n) / size * alpha))


# Footnote 4. Of the laws 0, ..., 8 the third is of variance 1/3, all others of variance one and all
# of mean zero; 4 and 8 are not symmetric, 6, 7 and 8 have no density.
law = Whole("law", 0, 8)
variance_of_law = When(law == 2, Fraction(1, 3), 1)

# (73): second derivatives of M_ij^2/(M_ii M_jj) at any diagonal, and E w w' over pairs of weights.
MOMENT, scale = Matrix("M", "d", "d"), Number("scale")
shift, ties = Whole("shift", -1, 2), Whole("ties", 0, 2)
size_of_moment = rows(MOMENT)
places = upto(size_of_moment)


def factor(p: Term, q: Term, r: Term, c: Term) -> Term:
    """That of W_rc in [W M + M W^T]_pq."""
    return When(r == p, MOMENT[c, q], 0) + When(r == q, MOMENT[p, c], 0)


def mean_of_two(r: Term, c: Term, s: Term, e: Term) -> Term:
    """E W_rc W_se."""
    same, mirrored = (r == s) & (c == e), (r == e) & (c == s)
    shared = When(ties == 0, same, When(ties == 1, r == s, same | mirrored))
    return shift**2 + When(shared, scale**2 * variance_of_law, 0)


def in_places(says: Callable[[Term, Term], Term]) -> Term:
    return Sum(places, lambda r: Sum(places, lambda c: says(r, c)))


def moment_of_two(one: tuple[Term, Term], other: tuple[Term, Term]) -> Term:
    """K of (70)."""
    return in_places(
        lambda r, c: in_places(
            lambda s, e: factor(*one, r, c) * factor(*other, s, e) * mean_of_two(r, c, s, e)
        )
    )


def second_order(i: Term, j: Term) -> Term:
    """T_2 over gamma^2, by (70)."""
    a, b, m = MOMENT[i, i], MOMENT[j, j], MOMENT[i, j]
    ii, ij, jj = (i, i), (i, j), (j, j)
    return (
        moment_of_two(ij, ij)
        - 2 * m * (moment_of_two(ij, ii) / a + moment_of_two(ij, jj) / b)
        + m**2 * (moment_of_two(ii, ii) / a**2 + moment_of_two(jj, jj) / b**2)
        + m**2 * moment_of_two(ii, jj) / (a * b)
    ) / (a * b)


def right_of_73(i: Term, j: Term) -> Term:
    return Sum(
        places,
        lambda k: (
            MOMENT[k, j] ** 2
            + MOMENT[i, k] ** 2
            - 8 * MOMENT[k, j] * MOMENT[i, j] * MOMENT[k, i]
            + 4 * MOMENT[i, j] ** 2 * MOMENT[k, i] ** 2
            + 4 * MOMENT[i, j] ** 2 * MOMENT[k, j] ** 2
        ),
    )


TWINS = {
    "dkbhl20.def1.b@A": (
        (variance_of_law == 1) & (law != 4) & (law != 8) & (law != 6) & (law != 7)
    ),
    "dkbhl20.lem7_T1T2.c": Each(
        places,
        lambda i: Each(
            places,
            lambda j: implies(i != j, gamma**2 * second_order(i, j) == right_of_73(i, j)),
        ),
    ),
    "dkbhl20.lem16.b": Each(upto(size), from_index),
    "dkbhl20.p1p2.b": Each(
        upto(rows(H)),
        lambda i: Each(upto(rows(H)), lambda j: implies(i != j, abs(M[i, j]) < 1)),
    ),
    "dkbhl20.lem6a.a@A": Each(
        upto(rows(W)),
        lambda i: Each(upto(rows(W)), lambda j: abs(MOVED[i, j]) <= 4 * gamma * bound),
    ),
    "dkbhl20.lem13_53.e.from54": mean_cube <= cols(SPECTRA) ** 2 / (1 - alpha),
    "dkbhl20.def_softrank.b": (
        soft_rank == Count(singular(H), lambda value: abs(value) > sqrt(cols(H) * tau))
    ),
    "dkbhl20.lem4.e": (
        (half_diagonals[0] == half_diagonals[1])
        & (half_diagonals[1] == half_diagonals[2])
        & (half_diagonals[2] == half_diagonals[3])
        & (half_diagonals[3] == half_diagonals[4])
    ),
    "dkbhl20.lem3.h.entries": Each(
        upto(dim(v)), lambda i: Each(upto(dim(v)), lambda j: abs(support[i, j]) < 1)
    ),
    "dkbhl20.prop19.a@B": Each(
        upto(rows(G)),
        lambda k: Each(
            upto(dim(E)),
            lambda i: Each(
                upto(dim(E)),
                lambda j: implies((E[i] != 0) & (E[j] != 0), is_multiple(k, i, j)),
            ),
        ),
    ),
}
