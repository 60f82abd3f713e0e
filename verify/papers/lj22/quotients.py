"""The derivative of the risk in each weight from values of the risk.

Equation (8) equates it with a sum of gradients; computing both sides by one backward pass would
compare a thing with itself. Here the loss is a polynomial that the case holds, whose derivative
takes the prescribed values at the margins. Where nu is differentiable each activation keeps its
slope near w, so that nu is linear in each weight there and the risk along one weight a polynomial
of the degree of the loss: as many of its values, and one more, give its derivative.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from verify.cases.case import Case
from verify.cases.descent import rates_of, slope_rows
from verify.cases.prescribing import follow
from verify.cases.smooth_steps import off_the_loss
from verify.cases.transformations import with_one_loss
from verify.language.building import (
    Along,
    Each,
    Prod,
    Sum,
    When,
    card,
    element,
    examples,
    inputs,
    loss_slope,
    nu,
    slope,
    upto,
    w,
    x,
    y,
)
from verify.language.terms import Term
from verify.papers.lj22.path_terms import mean
from verify.papers.lj22.smooth_terms import LOSS, POLYNOMIAL, loss, slope_of_loss
from verify.papers.lj22.tree_terms import OUTPUT, weighted
from verify.statements.stated import Given

Numbers = Sequence[Fraction]
DEGREE = card(LOSS) - 1


# the derivative of the risk -----------------------------------------------------------------------
def beyond(e: Term, h: Term, j: Term) -> Term:
    """nu(x_j) where w_e + h stands for w_e, by the slopes that the activations have at w."""

    def moved(f: Term) -> Term:
        return w(f) + When(f == e, h, 0)

    def post(u: Term, path: Term, before: Term) -> Term:
        return When(element(u, inputs()), x(u, j), slope(u, j) * weighted(u, moved, before))

    return Along(OUTPUT, post)


def risen(e: Term, h: Term) -> Term:
    """How much higher the risk is there than at w."""
    return mean(lambda j: loss(y(j) * beyond(e, h, j)) - loss(y(j) * nu(j)))


def choose(n: Term, k: Term) -> Term:
    """n over k."""
    return Prod(upto(k), lambda i: (n - i + 1) / i)


def by_values(e: Term) -> Term:
    """dR/dw_e: the derivative at 0 of a polynomial p of degree n is the sum over k = 1, ..., n of
    (-1)^(k + 1) (n over k) (p(k) - p(0))/k."""
    return Sum(upto(DEGREE), lambda k: (-1) ** (k + 1) * choose(DEGREE, k) / k * risen(e, k))


# the loss -----------------------------------------------------------------------------------------
def polynomial_loss(margins: Numbers, slopes: Numbers) -> list[Fraction]:
    """The coefficients, constant first, of the polynomial of least degree that is 0 at 0 and whose
    derivative at each margin is the given slope (Lagrange's formula)."""
    slope_at = dict(zip(margins, slopes, strict=True))
    derivative = [Fraction(0)] * len(slope_at)
    for node, steepness in slope_at.items():
        basis = [steepness]
        for other in slope_at:
            if other != node:
                scaled = [c / (node - other) for c in basis]
                shifted = [Fraction(0), *scaled]
                padded = [*scaled, Fraction(0)]
                basis = [a - other * b for a, b in zip(shifted, padded, strict=True)]
        derivative = [a + b for a, b in zip(derivative, basis, strict=True)]
    return [Fraction(0), *(c / (k + 1) for k, c in enumerate(derivative))]


def with_its_loss(case: Case, random: Random) -> Case:
    """The case with the polynomial that has the prescribed slopes at its margins, at every step if
    it makes any; equal margins have equal slopes then."""
    if not case.network.homogeneous:  # no exact margins
        return case.choosing(loss=["0", "1"])
    case = with_one_loss(case)
    rows, sizes = slope_rows(case), rates_of(case) or [Fraction(1)]
    nodes: list[Fraction] = []
    slopes: list[Fraction] = []

    def told(step: int, margins: list[Fraction]) -> list[Fraction]:
        nodes.extend(margins)
        slopes.extend(rows[step])
        return rows[step]

    follow(case, told, lambda step, _: sizes[step], min(len(rows), len(sizes)))
    return case.choosing(loss=[str(c) for c in polynomial_loss(nodes, slopes)])


WORDS = r"the loss is a polynomial of which $\ell'$ takes the prescribed values at the margins"
POLYNOMIAL_LOSS = Given(
    "polynomial loss",
    (card(LOSS) >= 1) & Each(examples(), lambda j: loss_slope(j) == slope_of_loss(y(j) * nu(j))),
    WORDS,
    with_its_loss,
    off_the_loss,
)
ONE_POLYNOMIAL_LOSS = Given(
    "polynomial loss", POLYNOMIAL, f"{WORDS}, the same at every step", with_its_loss, off_the_loss
)
BY_VALUES = (
    r"where $\nu$ is differentiable each activation keeps its slope near $w$: there the risk of a "
    "polynomial loss is along one weight a polynomial of known degree, which finitely many values "
    "determine; and at finitely many margins a polynomial has the slopes of any loss"
)
