"""Finite piecewise linear functions (FPLF) and networks: Section 2 before Remark 1, Appendix D.2.

From a function to a network: f = max_i min_j l_ij with affine l_ij (every FPLF is of this form), by
max(u, v) = v + max(u - v, 0), with (1 - a^2) max(z, 0) = sigma(z) + a sigma(-z) and (1 + a) z =
sigma(z) - sigma(-z). From a network to a function: verify.papers.j23.pieces.
"""

from __future__ import annotations

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.language.building import (
    Each,
    Fold,
    Matrix,
    Max,
    Min,
    Number,
    Sum,
    Tensor,
    Vector,
    When,
    Whole,
    cols,
    dim,
    dot,
    row,
    rows,
    unfold,
    upto,
    vector,
    written,
)
from verify.language.terms import Term
from verify.papers.j23.matrix_notation import SLOPE as INSIDE
from verify.papers.j23.matrix_notation import a, inside
from verify.papers.j23.sources import printed
from verify.statements.stated import pool_with, stated

# from functions to networks -----------------------------------------------------------------------
A, c, X = Tensor("A", "r", "s", "n"), Matrix("c", "r", "s"), Matrix("X", "N", "n")


def affine(i: Term, j: Term, x: Term) -> Term:
    """A_ij . x + c_ij; the columns of the last unfolding of A are the A_ij in order."""
    return dot(row(unfold(A, 3).T, (i - 1) * cols(c) + j), x) + c[i, j]


@written(r"\sigma_a({0})")
def leaky(z: Term) -> Term:
    """The activation, of a number."""
    return When(z >= 0, z, a * z)


def rectified(z: Term) -> Term:
    """max(z, 0) by two neurons."""
    return (leaky(z) + a * leaky(-z)) / (1 - a**2)


def carried(z: Term) -> Term:
    """z by two neurons."""
    return (leaky(z) - leaky(-z)) / (1 + a)


def greatest(numbers: Term) -> Term:
    """The maximum by one layer after the other: the larger of the first two, the others carried
    on."""

    def next_layer(h: Term, layer: Term) -> Term:
        first = carried(h[2]) + rectified(h[1] - h[2])
        return vector(dim(h) - 1, lambda k: When(k == 1, first, carried(h[k + 1])))

    return Fold(upto(dim(numbers) - 1), numbers, next_layer)[1]


def network(x: Term) -> Term:
    """The maxima of the minima: these are maxima of opposites."""

    def opposites(i: Term) -> Term:
        return vector(cols(c), lambda j: -affine(i, j, x))

    return greatest(vector(rows(c), lambda i: -greatest(opposites(i))))


def piecewise_linear(x: Term) -> Term:
    """max_i min_j (A_ij . x + c_ij)."""
    return Max(upto(rows(c)), lambda i: Min(upto(cols(c)), lambda j: affine(i, j, x)))


REPRESENTED = Each(upto(rows(X)), lambda p: network(row(X, p)) == piecewise_linear(row(X, p)))


def representation_argument() -> Argument:
    """The two gadgets and the maximum, on either side of 0."""
    ring = ring_of(3)
    s, z, v = ring.generators
    above, below = (z, -(s * z)), (s * z, -z)  # sigma(z) and sigma(-z) for z >= 0 and z < 0
    steps = [
        Step(
            "sigma(z) + a sigma(-z) is (1 - a^2) z for z >= 0 and 0 for z < 0",
            ring.is_zero(above[0] + s * above[1] - (z - s * s * z))
            and ring.is_zero(below[0] + s * below[1]),
        ),
        Step(
            "sigma(z) - sigma(-z) is (1 + a) z on both sides",
            all(ring.is_zero(one - other - z - s * z) for one, other in (above, below)),
        ),
        Step(
            "(1 - a)(sigma(v) - sigma(-v)) + sigma(z) + a sigma(-z) is (1 - a^2) max(v, v + z) on "
            "all four sides: v for u - v = z < 0, else u",
            all(
                ring.is_zero((1 - s) * (p - m) + zs + s * zm - (1 - s * s) * (v + kept * z))
                for p, m in ((v, -(s * v)), (s * v, -v))
                for (zs, zm), kept in ((above, 1), (below, 0))
            ),
        ),
    ]
    return Argument(
        "maxima, minima and identities are networks of two neurons a value, for every slope inside "
        "(-1, 1)",
        tuple(steps),
        ("every continuous finite piecewise linear function is max_i min_j of affine functions",),
        uses=(INSIDE.name,),
        section="docs/mathematics/j23.md#piecewise-linear-functions",
    )


TO_NETWORK = stated(
    "j23.fplfnets.represent",
    printed("Section 2, before Remark 1"),
    "piecewise linear functions are networks",
    r"Every finite piecewise linear function, $\max_i\min_j(A_{ij}\cdot x+c_{ij})$, is represented "
    r"by a network with the nonlinearity $\sigma_a$ of some finite depth and width.",
    REPRESENTED,
    (INSIDE,),
    depends=("j23.setup", "j23.homog@A"),
    pool=pool_with(A, c, X, a, largest=3, adapt=inside),
    exact_only=True,
    proof=representation_argument,
)


# lower semi-continuity ----------------------------------------------------------------------------
C, D = Vector("c", "n"), Vector("d", "n")
e, L = Number("e"), Whole("L", 2, 6)


def cost(coefficients: Term) -> Term:
    """R(f; Omega, L) of f(x)_i = c_i max(x_i, 0)."""
    return L * Sum(upto(dim(coefficients)), lambda i: abs(coefficients[i]) ** (2 / L))


CONTINUOUS = stated(
    "j23.fplf.continuity",
    printed("Appendix D.2"),
    "lower semi-continuity of the cost",
    r"$R(f;\Omega)$ is lower semi-continuous, $\liminf_{f\to f_0}R(f;\Omega)\ge R(f_0;\Omega)$: "
    r"for $f_\epsilon(x)_i=(c_i+\epsilon d_i)\max(x_i,0)$ with the ReLU on a box around $0$, "
    r"$L\ge2$, $R(f_\epsilon;\Omega,L)\ge R(f_0;\Omega,L)-L\sum_i|\epsilon d_i|^{2/L}$.",
    cost(C + e * D) >= cost(C) - cost(e * D),
    depends=("j23.repcost",),
    pool=pool_with(C, D, e, L, largest=3),
    exact_only=True,
    through="a family of functions whose cost is known stands for all sequences "
    "(docs/mathematics/j23.md#piecewise-linear-functions)",
)

CLAIMS = (TO_NETWORK, CONTINUOUS)
