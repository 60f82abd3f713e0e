"""Arguments for the steps of the proof of Proposition 18, part 2: polynomials on a segment."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step
from verify.papers.j23.jacobian_proofs import PIECE

BIAFFINE = "where the D_l are constant Theta(x, y) is a sum of products of affine functions of x "
BIAFFINE += "and of y: its alphas are affine, its Jacobians constant"
USES = ("fully connected", "slope inside (-1, 1)", "smooth at the points", "constant slopes")


def _form(ring: Ring, s: Any, t: Any) -> Any:
    """Any function of degree 1 in each of s and t."""
    a, b, c, d = ring.generators[:4]
    return a + b * s + c * t + d * s * t


def affine_in_each() -> Argument:
    """Second differences of a function that is affine in each of its places."""
    ring = ring_of(5)
    half = ring.constant(Fraction(1, 2))
    places = (ring.constant(Fraction(0)), half, ring.constant(Fraction(1)))
    t = ring.generators[4]
    steps = []
    for name, first in (("x", True), ("y", False)):
        low, middle, high = (_form(ring, s, t) if first else _form(ring, t, s) for s in places)
        second = low + high - 2 * middle
        steps.append(Step(f"the second difference in {name} is 0", ring.is_zero(second)))
    return Argument(
        "a + b s + c t + d s t has no square of s and none of t",
        tuple(steps),
        (PIECE, BIAFFINE),
        USES,
        section="docs/mathematics/j23.md#derivatives-without-limits",
    )


def second_derivative_of_the_diagonal() -> Argument:
    """Of F(t, t): the first derivative is the sum of the partial ones, the second is 2 d."""
    ring = ring_of(6)
    t, s = ring.generators[4:6]
    partial = [
        ring.derivative(_form(ring, *(t if k == place else s for k in (0, 1))), 4)
        for place in (0, 1)
    ]
    on_diagonal = [_replaced(ring, polynomial) for polynomial in partial]
    first = ring.derivative(_form(ring, t, t), 4)
    second = ring.derivative(first, 4)
    mixed = ring.derivative(ring.derivative(_form(ring, t, s), 4), 5)
    steps = (
        Step("d/dt F(t, t) = F_x + F_y", ring.is_zero(first - sum(on_diagonal))),
        Step("d^2/dt^2 F(t, t) = 2 F_xy", ring.is_zero(second - 2 * mixed)),
    )
    return Argument(
        "along the segment the kernel is F(s, t) = a + b s + c t + d s t, and d/ds is |x-y| "
        "times the derivative along u",
        steps,
        (PIECE, BIAFFINE),
        USES,
        section="docs/mathematics/j23.md#proposition-9-part-2",
    )


def _replaced(ring: Ring, polynomial: Any) -> Any:
    """With t in the place of s."""
    total = ring.constant(Fraction(0))
    for exponents, coefficient in ring.terms(polynomial).items():
        powers = list(exponents)
        powers[4] += powers[5]
        powers[5] = 0
        term = ring.constant(coefficient)
        for generator, exponent in zip(ring.generators, powers, strict=True):
            term = term * generator**exponent
        total = total + term
    return total
