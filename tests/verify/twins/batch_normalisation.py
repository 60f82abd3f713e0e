"""Twins of what is called false of batch-normalised chains, from the print: (9), the step of
Lemma 6 after (37), and (55) as a step from (54)."""

from __future__ import annotations

from lemmata import Each, Matrix, Number, Sum, Vector, cols, dim, implies, outer, rows, upto

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

TWINS = {
    "dkbhl20.p1p2.b": Each(
        upto(rows(H)),
        lambda i: Each(upto(rows(H)), lambda j: implies(i != j, abs(M[i, j]) < 1)),
    ),
    "dkbhl20.lem6a.a@A": Each(
        upto(rows(W)),
        lambda i: Each(upto(rows(W)), lambda j: abs(MOVED[i, j]) <= 4 * gamma * bound),
    ),
    "dkbhl20.lem13_53.e.from54": mean_cube <= cols(SPECTRA) ** 2 / (1 - alpha),
}
