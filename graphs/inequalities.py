"""Strict linear inequalities over the rationals: a solution, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphs.arithmetic import as_fraction, rational

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Alternative:
    """One of the two alternatives of Gordan's theorem for a matrix A of m rows and k columns.

    Either solution (k numbers) has A w > 0 in every row, or certificate (m numbers, none negative,
    not all 0) has y^T A = 0; the other is None. The rows where the certificate is not 0 contradict
    one another, and no proper subset of them does.
    """

    solution: tuple[Fraction, ...] | None
    certificate: tuple[Fraction, ...] | None


def strictly_positive(rows: Sequence[Sequence[Fraction]], size: int) -> Alternative:
    """Decide whether some w in Q^size has `row . w > 0` for every row; exact, and always ends.

    The simplex method looks for y >= 0 with y^T A = 0 and sum(y) = 1, from artificial variables,
    by Bland's rule. When it fails, the multipliers of the equations are a solution.

    >>> one, two = Fraction(1), Fraction(2)
    >>> strictly_positive([[one], [two]], 1).solution is not None
    True
    >>> strictly_positive([[one], [-two]], 1).certificate
    (Fraction(2, 3), Fraction(1, 3))
    """
    count = len(rows)
    if count == 0:
        return Alternative((ZERO,) * size, None)
    equations = size + 1
    nothing, one = rational(0), rational(1)
    # each equation: its coefficients of y, of the artificial variables, and its right side
    table = []
    for i in range(equations):
        left = [one if i == size else rational(row[i]) for row in rows]
        artificial = [one if k == i else nothing for k in range(equations)]
        table.append([*left, *artificial, one if i == size else nothing])
    basis = [count + i for i in range(equations)]
    # reduced costs of minimising the sum of the artificial variables, and minus that sum
    cost = [-sum((line[c] for line in table), nothing) for c in range(count + equations + 1)]
    for i in range(equations):
        cost[count + i] = nothing
    while True:
        entering = next((c for c in range(count) if cost[c] < 0), None)
        if entering is None:
            break
        _pivot(table, cost, basis, _leaving(table, basis, entering), entering)
    if cost[-1] == 0:
        y = [ZERO] * count
        for line, variable in zip(table, basis, strict=True):
            if variable < count:
                y[variable] = as_fraction(line[-1])
        return Alternative(None, tuple(y))
    multipliers = [ONE - as_fraction(cost[count + i]) for i in range(size)]
    return Alternative(tuple(-m for m in multipliers), None)


def _leaving(table: list[list[Any]], basis: list[int], entering: int) -> int:
    """The row of the least ratio, the least variable among equals (Bland). One always exists:
    the sum of the artificial variables is bounded below."""
    candidates = [
        (line[-1] / line[entering], basis[i], i)
        for i, line in enumerate(table)
        if line[entering] > 0
    ]
    return min(candidates)[2]


def _pivot(
    table: list[list[Any]], cost: list[Any], basis: list[int], row: int, column: int
) -> None:
    """Make `column` basic in `row`."""
    pivot = table[row][column]
    table[row] = [number / pivot for number in table[row]]
    for line in (*(line for i, line in enumerate(table) if i != row), cost):
        factor = line[column]
        if factor:
            line[:] = [a - factor * b for a, b in zip(line, table[row], strict=True)]
    basis[row] = column
