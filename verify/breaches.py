"""How an exact solution breaks a statement about the limit: entries that are 0 where it does not.

On a ray w(t) = s(t) w every quadratic quantity is s^2 times its value at w, and every quotient of
two of them is constant; at rest everything is constant. So each statement about t -> infinity, or
about all t with one constant, is decided at w. Squared spectral norms are bounded by plain
rationals, which the entry names, so that no root is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from graphs.definiteness import gram, lower_bound, trace, upper_bound
from verify.rays import RAY
from verify.vocabulary import Entries, Row, Scene, constant_entries

Numbers = list[list[Fraction]]
Breach = tuple[dict[str, Any], Fraction]
Breaches = Callable[[Any], list[Breach]]
ZERO = Fraction(0)


def of_cases(breaches: Breaches) -> Callable[[Scene], Entries]:
    """The measure that a list of breaches for each case makes."""

    def measure(scene: Scene) -> Entries:
        rows: list[Row] = [
            (number, entry, value)
            for number, case in enumerate(scene.cases)
            for entry, value in breaches(case)
        ]
        return constant_entries(scene, rows)

    return measure


def short_gram(matrix: Numbers) -> Numbers:
    """W W^T or W^T W, whichever is smaller: they have the same eigenvalues but zeros."""
    if len(matrix) <= len(matrix[0]):
        return gram(matrix)
    return gram([list(column) for column in zip(*matrix, strict=True)])


def grows(case: Any) -> bool:
    """Whether the solution of a case goes to infinity."""
    return bool(case.choice.get("solution") == RAY)


def excess(matrix: Numbers, divisor: int, name: dict[str, Any]) -> Breach:
    """||W||_F^2 / divisor - ||W||_2^2 at w, or less: if positive it is unbounded on the ray."""
    square = short_gram(matrix)
    frobenius = trace(square)
    norm = upper_bound(square, frobenius / divisor)
    if norm is None:
        return name, ZERO
    return {**name, "norm": str(norm)}, frobenius / divisor - norm


def shortfall(matrix: Numbers, divisor: int, name: dict[str, Any]) -> Breach:
    """1 / divisor - ||W||_2^2 / ||W||_F^2, or less: the ratio is constant on a ray."""
    frobenius = trace(short_gram(matrix))
    entry, value = excess(matrix, divisor, name)
    return entry, value / frobenius if value else ZERO


def off_rank_one(matrix: Numbers, name: dict[str, Any]) -> Breach:
    """1 - ||W||_2^2 / ||W||_F^2, or less. The squared distance of W / ||W||_F from the rank one
    matrix u v^T of its principal singular vectors is at least that."""
    return shortfall(matrix, 1, name)


def misaligned(matrix: Numbers, following: Numbers, name: dict[str, Any]) -> Breach:
    """1 - <v, u>^2, or less, for the principal right singular vector v of the following matrix
    and every principal left singular vector u of the matrix; 0 where the following matrix has not
    rank one. As v^T W W^T v >= ||W||_2^2 <v, u>^2, it is at least 1 - v^T W W^T v / ||W||_2^2.
    """
    row = next((row for row in following if any(row)), None)
    if row is None or not _parallel(following, row):
        return name, ZERO
    image = [
        sum((a * b for a, b in zip(row, column, strict=True)), ZERO)
        for column in zip(*matrix, strict=True)
    ]
    quotient = _square(image) / _square(row)
    norm = lower_bound(short_gram(matrix), quotient)
    if norm is None:
        return name, ZERO
    return {**name, "norm": str(norm)}, 1 - quotient / norm


def outgrown(large: Numbers, small: Numbers, share: Fraction, name: dict[str, Any]) -> Breach:
    """share ||A||_2^2 - ||B||_2^2 at w, or less: if positive it is unbounded on the ray."""
    for_large = short_gram(large)
    for_small = short_gram(small)
    above = lower_bound(for_large, ZERO)
    if above is None:
        return name, ZERO
    below = upper_bound(for_small, share * above)
    if below is None:
        return name, ZERO
    return {**name, "norms": [str(above), str(below)]}, share * above - below


def _parallel(matrix: Numbers, row: list[Fraction]) -> bool:
    k = next(k for k, value in enumerate(row) if value)
    return all(other[i] * row[k] == other[k] * row[i] for other in matrix for i in range(len(row)))


def _square(vector: list[Fraction]) -> Fraction:
    return sum((value * value for value in vector), ZERO)
