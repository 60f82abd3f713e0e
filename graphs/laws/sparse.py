"""Homogeneous linear equations over the rationals with few unknowns each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

Row = dict[int, Fraction]


def solutions(
    equations: Iterable[Mapping[int, Fraction | int]], unknowns: Iterable[int]
) -> list[Row]:
    """A basis of the solutions, each as its non-zero entries, in the order of their free unknowns.

    Each basis vector is 1 at an unknown at which the others are 0.

    >>> solutions([{0: Fraction(1), 1: Fraction(-1)}], [0, 1, 2])
    [{0: Fraction(1, 1), 1: Fraction(1, 1)}, {2: Fraction(1, 1)}]
    """
    pivots: dict[int, Row] = {}  # unknown -> its value in terms of unknowns that came before it
    for equation in equations:
        _independent(equation, pivots)
    basis = {k: {k: Fraction(1)} for k in sorted(unknowns) if k not in pivots}
    for k in sorted(pivots):
        for free, value in _substituted(pivots[k], pivots).items():
            basis[free][k] = value
    return [dict(sorted(vector.items())) for vector in basis.values()]


def _substituted(equation: Mapping[int, Fraction | int], pivots: Mapping[int, Row]) -> Row:
    """The equation with every pivot replaced: from the last unknown down, as values come before."""
    row = {k: Fraction(value) for k, value in equation.items() if value}
    while True:
        known = [k for k in row if k in pivots]
        if not known:
            return row
        k = max(known)
        factor = row.pop(k)
        for other, value in pivots[k].items():
            total = row.get(other, Fraction(0)) + factor * value
            if total:
                row[other] = total
            else:
                row.pop(other, None)


def rank_of(rows: Iterable[Mapping[int, Fraction | int]]) -> list[bool]:
    """For each row whether it is independent of those before it."""
    pivots: dict[int, Row] = {}
    return [_independent(row, pivots) for row in rows]


def _independent(equation: Mapping[int, Fraction | int], pivots: dict[int, Row]) -> bool:
    """Whether an equation says more than the pivots; then it becomes one of them."""
    row = _substituted(equation, pivots)
    if not row:
        return False
    last = max(row)
    factor = -row.pop(last)
    pivots[last] = {k: value / factor for k, value in row.items()}
    return True
