"""How fast the gradient of a polynomial risk can change: bounds on balls, exactly, and the step
sizes that a descent takes from them.

For networks that are fully connected and linear, with a polynomial loss. A bound on the operator
norm of the Hessian of the risk over the ball {every layer's Frobenius norm <= r} is a Lipschitz
constant of its gradient there, the ball being convex.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from graphs.paths import enumerate_paths
from verify.cases.descent import derivative, loss_of, polynomial, rate_of
from verify.cases.prescribing import follow, gradient_of, with_slopes

if TYPE_CHECKING:
    from graphs.network import Network
    from verify.cases.case import Case

PATHS = 1000
SCALE = 1 << 20
TRIES = 40


def radius_squared(case: Case) -> Fraction:
    """The square of the largest Frobenius norm of a layer: the edges that enter one depth."""
    squares: dict[int, Fraction] = {}
    network = case.network
    for head, weight in zip(network.heads, network.edge_weights(case.weights), strict=True):
        depth = network.depths[head]
        squares[depth] = squares.get(depth, Fraction(0)) + weight * weight
    return max(squares.values())


def root_above(square: Fraction) -> Fraction:
    """The root of a rational, rounded up to a rational where it is none."""
    numerator, denominator = isqrt(square.numerator), isqrt(square.denominator)
    if numerator**2 == square.numerator and denominator**2 == square.denominator:
        return Fraction(numerator, denominator)
    scaled = square * SCALE * SCALE
    return Fraction(isqrt(scaled.numerator // scaled.denominator) + 1, SCALE)


def curvature_bound(case: Case, radius: Fraction) -> Fraction:
    """A bound on the operator norm of the Hessian of the risk, wherever no weight exceeds the
    radius.

    With N(r) = sum_p |x_p| r^|p| and its derivatives N_e, N_ef (the terms of the paths through
    these edges, one factor r less for each) and |l'|, |l''| the derivatives of the loss with
    absolute values of its coefficients: |d2 R/dw_e dw_f| is at most the mean over the examples of
    |l''|(N) N_e N_f + |l'|(N) N_ef. The largest row sum bounds the norm of a symmetric matrix.
    """
    network, loss = case.network, loss_of(case)
    first = [abs(c) for c in derivative(loss)]
    second = [abs(c) for c in derivative(derivative(loss))]
    paths = list(enumerate_paths(network, PATHS))
    edges = range(network.edge_count)
    rows = [Fraction(0)] * network.edge_count
    for x in case.inputs:
        held = zip(network.inputs, network.constants, strict=True)
        size = {v: abs(constant) for v, constant in held if constant is not None}
        size |= dict(zip(network.free_inputs, map(abs, x), strict=True))
        total, one, two = _sums(network, paths, size, radius)
        bend, slope = polynomial(second, total), polynomial(first, total)
        for e in edges:
            for f in edges:
                pair = two.get((e, f), Fraction(0)) if e != f else Fraction(0)
                rows[e] += bend * one[e] * one[f] + slope * pair
    return max(rows) / case.example_count


def _sums(
    network: Network,
    paths: list[tuple[int, ...]],
    size: dict[int, Fraction],
    radius: Fraction,
) -> tuple[Fraction, list[Fraction], dict[tuple[int, int], Fraction]]:
    """N, N_e and N_ef of one example."""
    total = Fraction(0)
    one = [Fraction(0)] * network.edge_count
    two: dict[tuple[int, int], Fraction] = {}
    for path in paths:
        x, length = size[network.tails[path[0]]], len(path)
        total += x * radius**length
        for e in path:
            one[e] += x * radius ** (length - 1)
            for f in path:
                if e != f:
                    two[e, f] = two.get((e, f), Fraction(0)) + x * radius ** (length - 2)
    return total, one, two


def rounded_up(value: Fraction) -> Fraction:
    """A plain number that is no smaller: an eighth of an integer, or two digits and zeros."""
    unit = Fraction(1, 8)
    while value > 100 * unit:
        unit *= 10 if unit >= 1 else 8
    return -(-value // unit) * unit


def loss_slopes_given(case: Case, margins: list[Fraction]) -> list[Fraction]:
    """l' of the polynomial loss at the margins."""
    steep = derivative(loss_of(case))
    return [polynomial(steep, z) for z in margins]


def settled(case: Case, *, reach: bool = False, factor: Fraction = Fraction(1)) -> Case:
    """The case with smoothness constants that hold on the ball of each step, and the slopes of its
    loss. reach: on a ball that holds the next weights, too. factor: how much larger than needed."""
    betas: list[Fraction] = []

    def rate_at(step: int, here: Case) -> Fraction:
        bound = curvature_bound(here, root_above(radius_squared(here)))
        beta = rounded_up(bound * factor) or Fraction(1)  # above 0
        for _ in range(TRIES if reach else 0):
            gradient, rate = gradient_of(here), rate_of(beta)
            moved = [w - rate * d for w, d in zip(here.weights, gradient, strict=True)]
            after = max(radius_squared(here), radius_squared(here.with_weights(moved)))
            needed = curvature_bound(here, root_above(after))
            if needed <= beta:
                break
            beta = rounded_up(min(needed, 2 * beta + 1))
        betas.append(beta)
        return rate_of(beta)

    count = len(case.choice.get("beta", ())) or 1
    follow(case, lambda _, margins: loss_slopes_given(case, margins), rate_at, count)
    return resloped(with_its_steps(case.choosing(beta=[str(beta) for beta in betas])))


def with_its_steps(case: Case) -> Case:
    """The case with the step sizes min(1, 1/beta) of its smoothness constants."""
    betas = [Fraction(beta) for beta in case.choice.get("beta", ())]
    return case.choosing(eta=[str(rate_of(beta)) for beta in betas])


def resloped(case: Case) -> Case:
    """The case with the slopes of its polynomial loss at every step."""
    return with_slopes(case, lambda _, margins: loss_slopes_given(case, margins))


def times(left: list[Fraction], right: list[Fraction]) -> list[Fraction]:
    """The product of two polynomials, constant first."""
    product = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product


def sum_of_squares(parts: list[list[Fraction]]) -> list[Fraction]:
    """The sum of the squares of polynomials."""
    squares = [times(part, part) for part in parts]
    width = max(map(len, squares))
    padded = [square + [Fraction(0)] * (width - len(square)) for square in squares]
    return [sum(column, Fraction(0)) for column in zip(*padded, strict=True)]
