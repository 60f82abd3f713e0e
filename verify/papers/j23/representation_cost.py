"""Sections 1 and 2.1: the representation cost, and its expansion where it is known at every
depth."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Matrix,
    Number,
    Vector,
    Whole,
    beside,
    cols,
    eye,
    frob2,
    implies,
    inverse,
    larger,
    log,
    matrix,
    rows,
)
from verify.language.terms import Term
from verify.papers.j23.affine_cases import HULL, affine_pool, layers
from verify.papers.j23.affine_costs import Affine, acute, has_origin
from verify.papers.j23.matrix_notation import KEPT_SLOPE, pseudo_inverse
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated

# the two minima -----------------------------------------------------------------------------------
X = Matrix("X", "N", "n", meaning="the points of Omega, as rows")
Y = Matrix("Y", "N", "q")
penalty = Number("lambda")
INPUTS = beside(X, matrix(rows(X), 1, lambda i, j: 1))
"""The points with a last coordinate 1, which carries the bias."""
GRAM = INPUTS @ INPUTS.T
SOLUTION = inverse(INPUTS.T @ INPUTS + penalty * eye(cols(INPUTS))) @ INPUTS.T @ Y
VALUES = GRAM @ inverse(GRAM + penalty * eye(rows(X))) @ Y
LEAST_NORM = frob2(pseudo_inverse(INPUTS) @ VALUES)
"""R(f; X, 1) of a function with these values."""
MINIMA = (
    frob2(INPUTS @ SOLUTION - Y) + penalty * frob2(SOLUTION)
    == frob2(VALUES - Y) + penalty * LEAST_NORM
)
"""The minimum over (W, b) of sum |W x_i + b - y_i|^2 + lambda |theta|^2, and that over the values
f(x_i) of sum |f(x_i) - y_i|^2 + lambda R(f; X, 1)."""


def _positive_weight(case: Tensors, random: Random) -> Tensors:
    value = abs(case.number("lambda")) or Fraction(1, random.choice((1, 10, 1000)))
    return with_value(case, "lambda", value)


PENALISED = Given("lambda above 0", penalty > 0, r"$\lambda>0$", _positive_weight, built_in=True)


COST = stated(
    "j23.repcost",
    printed("Section 2.1"),
    "representation cost, and the two minima at depth 1",
    r"$R(f;\Omega,L)=\min_{\theta:f_{\theta|\Omega}=f_{|\Omega}}\lVert\theta\rVert^2$, and for any "
    r"cost $C$ on functions $\Omega\to\mathbb R^{d_{out}}$, $\min_\theta C(f_\theta)+\lambda\lVert"
    r"\theta\rVert^2=\min_fC(f)+\lambda R(f;\Omega,L)$. (Solved on both sides: $L=1$, finite "
    r"$\Omega$, $C$ the sum of squared distances; $R$ is then the least norm of an interpolation.)",
    MINIMA,
    (PENALISED,),
    depends=("j23.setup",),
    pool=pool_with(X, Y, penalty, largest=3, adapt=_positive_weight),
    exact_only=True,
    through="both minima are solved where $L=1$, as least squares "
    "(docs/mathematics/j23.md#two-minima-one-layer-widths)",
)


# the expansion ------------------------------------------------------------------------------------
F, d = Matrix("F", "q", "n"), Vector("d", "q")
L = Whole("L", 1, 20)
f = Affine(F, d)


def _within(series: Term, rest: Term | int) -> Term:
    """What is left of |R - series| <= rest, for R from below and from above."""
    return (f.cost_at_least(L) >= series - rest) & (f.cost_at_most(L) <= series + rest)


CONSTANT = (f.order == 0) & has_origin(f.points) & (frob2(f.value(1)) <= 1)
"""Constants c with |c| <= 1 on domains with 0: R = |c|^2."""
OF_RANK_1 = (L >= 2) & (f.order == 1) & (frob2(d) == 0) & (f.on_span == f.along) & acute(f.on_span)
"""Linear maps of rank one along acute domains: R = L s^(2/L)."""


SQUARE = frob2(f.on_span)
LOGARITHM = log(SQUARE)
SERIES = L + LOGARITHM + LOGARITHM**2 / (2 * L)
"""L + 2 log s + 2 log^2 s / L."""
REST = abs(LOGARITHM) ** 3 * larger(SQUARE, 1) / (6 * L**2)
EXPANDED = implies(CONSTANT, _within(frob2(f.value(1)), 0)) & implies(
    OF_RANK_1, _within(SERIES, REST)
)


EXPANSION = stated(
    "j23.expansion",
    printed("Section 1, Section 1.1, Section 3"),
    "expansion of the representation cost",
    r"$R(f;\Omega,L)=LR^{(0)}(f;\Omega)+R^{(1)}(f;\Omega)+\frac1LR^{(2)}(f;\Omega)+O(L^{-2})$. "
    rf"(Where $R$ is known at every depth, with the constant of Taylor's formula; {HULL}.)",
    EXPANDED,
    (KEPT_SLOPE, layers(L)),
    depends=("j23.repcost",),
    pool=affine_pool(F, d, L),
    exact_only=True,
    through="of constants and of maps of rank one the cost is known at every depth, and Taylor's "
    "formula bounds the rest (docs/mathematics/j23.md#powers-and-logarithms)",
)


CLAIMS = (COST, EXPANSION)
