"""What the lemmas and definitions give that a proof may use: their facts, as the checker has them.

By name, from what a lemma takes, in its order, and a vector that it may make. Which these are, and
in what words, says `verify.checker.lemmas`; a fact that is another one there makes a proof fail.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.language.building import FUNCTIONS, upto
from verify.language.terms import Term, number

TRUSTED = {
    "rayleigh": r"Rayleigh: for symmetric $S$, $\lambda_{\min}(S)\lVert x\rVert^2\le x^TSx\le"
    r"\lambda_{\max}(S)\lVert x\rVert^2$",
    "eigenvector": r"a symmetric $S$ has a unit vector $x$ with $Sx=\lambda_{\max}(S)x$",
    "norm": r"$\lVert M\rVert_2^2$ is the largest eigenvalue of $M^TM$, and $\lVert M\rVert_2\ge0$",
    "singular": r"$\lVert M\rVert_F^2$ is the sum of the squares of the first "
    r"$\operatorname{rank}(M)$ singular values, which lie between $0$ and $\lVert M\rVert_2$",
    "balance": "at a hidden vertex with a positively homogeneous activation the sum of "
    r"$w_e\,\partial\nu/\partial w_e$ over the edges in is that over the edges out",
}
"""The lemmas that are not proved, as the reports tell them."""

MAKING = frozenset({"eigenvector"})
"""Those that make a vector."""

dot, norm, rank, frob2, rows, cols, singular, eigenvalues = (
    FUNCTIONS[name]
    for name in ("dot", "norm", "rank", "frob2", "rows", "cols", "singular", "eigenvalues")
)
Sum, Each, card, between, larger, smaller, sqrt = (
    FUNCTIONS[name] for name in ("Sum", "Each", "card", "between", "larger", "smaller", "sqrt")
)
into, out_of, w, grad = (FUNCTIONS[name] for name in ("into", "out_of", "w", "grad"))


def largest(matrix: Term) -> Term:
    """The largest eigenvalue of a symmetric matrix."""
    return eigenvalues(matrix)[1]


def least(matrix: Term) -> Term:
    """Its least one."""
    return eigenvalues(matrix)[rows(matrix)]


def _singular(matrix: Term, _: Term) -> list[Term]:
    many, values = upto(rank(matrix)), singular(matrix)
    return [
        rank(matrix) >= 0,
        frob2(matrix) == Sum(many, lambda k: values[k] ** 2),
        Each(many, lambda k: values[k] >= 0),
        Each(many, lambda k: values[k] <= norm(matrix)),
    ]


def flowing(edges: Term, j: Term) -> Term:
    """The sum of w dnu(x_j)/dw over edges."""
    return Sum(edges, lambda e: w(e) * grad(e, j))


FACTS: dict[str, Callable[..., list[Term]]] = {
    "rayleigh": lambda s, x, _: [
        dot(x, s @ x) <= largest(s) * dot(x, x),
        least(s) * dot(x, x) <= dot(x, s @ x),
    ],
    "eigenvector": lambda s, x: [dot(x, x) == 1, s @ x == largest(s) * x],
    "norm": lambda m, _: [norm(m) ** 2 == largest(m.T @ m), norm(m) >= 0],
    "singular": _singular,
    "balance": lambda v, j, _: [flowing(into(v), j) == flowing(out_of(v), j)],
    "divisor": lambda a, b, _: [b != 0],
    "reciprocal": lambda b, _: [b * (number(Fraction(1)) / b) == 1],
    "symmetric": lambda s, _: [s == s.T],
    "shape": lambda m, _: [rows(m) >= 1, cols(m) >= 1],
    "length": lambda a, b, _: [card(between(a, b)) == b - a + 1],
    "norm of a vector": lambda x, _: [norm(x) ** 2 == dot(x, x), norm(x) >= 0],
    "root": lambda x, _: [sqrt(x) >= 0, sqrt(x) ** 2 == x],
    "radicand": lambda x, _: [x >= 0],
    "absolute": lambda x, _: [abs(x) == x],
    "absolute of a negative": lambda x, _: [abs(x) == -x],
    "larger": lambda x, y, _: [larger(x, y) == x],
    "larger second": lambda x, y, _: [larger(x, y) == y],
    "smaller": lambda x, y, _: [smaller(x, y) == x],
    "smaller second": lambda x, y, _: [smaller(x, y) == y],
}
