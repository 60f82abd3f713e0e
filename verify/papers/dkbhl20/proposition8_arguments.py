"""Arguments for Proposition 8, for every d: traces, minors and sums over pairs of indices."""

from __future__ import annotations

from itertools import combinations, permutations
from math import prod
from typing import Any

from verify.core.argument import Argument, Step
from verify.statements.derivations.symbols import (
    THREE_INDICES,
    TWO_INDICES,
    added,
    same,
    symbols,
    symmetric_symbols,
    trace,
)

NEWTON = (
    "the elementary symmetric functions of the eigenvalues are the sums of the principal minors, "
    "and Newton's identities"
)
NOT_NEGATIVE = "the eigenvalues are real and at least 0, so that they are their absolute values"
SEMIDEFINITE, EQUAL = "positive semidefinite", "equal row norms"


def principal_minors(matrix: Any, order: int) -> Any:
    """The sum of the principal minors of order 1, 2 or 3; 0 where there is none."""
    total = matrix[0, 0] * 0
    for places in combinations(range(len(matrix)), order):
        for columns, sign in zip(permutations(places), (1, -1, -1, 1, 1, -1), strict=False):
            total = total + prod(matrix[at] for at in zip(places, columns, strict=True)) * sign
    return total


def power_sum(matrix: Any, power: int) -> Any:
    """sum_i lambda_i^power for the powers 2 and 3, by Newton's identities."""
    first, second, third = (principal_minors(matrix, order) for order in (1, 2, 3))
    if power == 2:
        return first * first - second * 2
    return first * first * first - first * second * 3 + third * 3


def traces(*powers: int) -> tuple[Step, ...]:
    """Tr M^k is the power sum made of principal minors."""
    steps = []
    for size in (1, 2, 3):
        ring, matrix = symmetric_symbols(size)
        product = {2: matrix @ matrix, 3: matrix @ matrix @ matrix}
        for k in powers:
            text = f"Tr M^{k} is Newton's polynomial in the sums of principal minors, d = {size}"
            steps.append(same(ring, text, trace(product[k]), power_sum(matrix, k)))
    return tuple(steps)


def row_squares() -> tuple[Step, ...]:
    """(M^2)_ii is the sum of the squares of row i, and these add up to Tr M^2."""
    steps = []
    for size in (1, 2, 3):
        ring, matrix = symmetric_symbols(size)
        square = matrix @ matrix
        sums = [added(ring, [entry * entry for entry in row]) for row in matrix]
        for i, total in enumerate(sums):
            text = f"(M^2)_ii = sum_k M_ik^2, i = {i + 1}, d = {size}"
            steps.append(same(ring, text, square[i, i], total))
        text = f"|M|_F^2 = Tr M^2, d = {size}"
        steps.append(same(ring, text, added(ring, sums), trace(square)))
    return tuple(steps)


def equal_numbers() -> tuple[Step, ...]:
    """Of d numbers r_i: how far d times one, and d times the sum of squares, is from equality."""
    steps = []
    for size in range(1, 5):
        ring, r = symbols(size)
        total = added(ring, r)
        spread = added(ring, [(x - y) * (x - y) for x, y in combinations(r, 2)])
        squares = added(ring, [x * x for x in r])
        text = f"d sum r_i^2 - (sum r_i)^2 is the sum of the (r_i - r_j)^2, i < j, d = {size}"
        steps.append(same(ring, text, squares * size - total * total, spread))
        text = f"d r_1 - sum r_i is the sum of the r_1 - r_i, d = {size}"
        steps.append(same(ring, text, r[0] * size - total, added(ring, [r[0] - x for x in r])))
    return tuple(steps)


def powers_of_the_matrix() -> Argument:
    """(75)."""
    return Argument(
        "traces of M^2 and M^3 are the power sums of the eigenvalues, which are at least 0",
        traces(2, 3),
        (NEWTON, NOT_NEGATIVE, THREE_INDICES),
        (SEMIDEFINITE,),
        section="docs/mathematics/dkbhl20.md#proposition-8",
    )


def rows_of_the_square() -> Argument:
    """(76)."""
    return Argument(
        "d equal numbers with the sum |M|_F^2 are |M|_F^2 / d each",
        (*traces(2), *row_squares(), *equal_numbers()),
        (NEWTON, THREE_INDICES),
        (SEMIDEFINITE, EQUAL),
        section="docs/mathematics/dkbhl20.md#proposition-8",
    )


def fourth_powers_of_the_norm() -> Argument:
    """(77)."""
    return Argument(
        "the diagonal entries of M^2 are the squared norms of the rows; where these are equal, d "
        "times the sum of their squares is the square of their sum",
        (*traces(2), *row_squares(), *equal_numbers()),
        (NEWTON, THREE_INDICES, TWO_INDICES),
        (SEMIDEFINITE, EQUAL),
        section="docs/mathematics/dkbhl20.md#proposition-8",
    )


def three_equations() -> Argument:
    """(44), reading B with the 2-norm."""
    return Argument(
        "traces of powers are power sums, and the diagonal of M^2 is |M|_F^2 / d throughout",
        (*traces(2, 3), *row_squares(), *equal_numbers()),
        (NEWTON, NOT_NEGATIVE, THREE_INDICES, TWO_INDICES),
        (SEMIDEFINITE, EQUAL),
        section="docs/mathematics/dkbhl20.md#proposition-8",
    )


def spectral_form() -> Argument:
    """(45) with the 2-norm: delta_F is a combination of what (44) gives."""
    return Argument(
        "delta_F(M) is 2 d^2 less 2 |M|_F^2 and 8 Tr M^3, and 8 Tr diag(M^2)^2 more, and each of "
        "the three is what (44) says",
        three_equations().steps,
        (NEWTON, NOT_NEGATIVE, THREE_INDICES, TWO_INDICES),
        (SEMIDEFINITE, EQUAL),
        section="docs/mathematics/dkbhl20.md#proposition-8",
    )
