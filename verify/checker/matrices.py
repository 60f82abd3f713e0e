"""Vectors, matrices, tensors, and exact linear algebra.

Of matrices of rationals: elimination without fractions. Of others: the characteristic polynomial,
which needs no decision on what is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from operator import mul
from typing import Any

from .arithmetic import Arithmetic, rational, size
from .enclosures import Enclosure
from .outcomes import defined
from .rates import Moving, moves, speed, still


class Vector(tuple[Any, ...]):
    """Entries."""


class Matrix(tuple[Any, ...]):
    """Rows, each a `Vector`."""

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return len(self), len(self[0])

    @property
    def square(self) -> bool:
        """Whether it has as many rows as columns."""
        return len(self) == len(self[0])

    @property
    def entries(self) -> list[Any]:
        """Row by row."""
        return [entry for row in self for entry in row]


@dataclass(frozen=True)
class Tensor:
    """An array of at least three axes: their lengths, and all entries, the last index fastest."""

    lengths: tuple[int, ...]
    entries: tuple[Any, ...]

    def unfolded(self, k: int) -> Matrix:
        """The mode-k unfolding, k from 1.

        For each choice of the indices before the k-th and of the k-th, the entries are a block: the
        i-th row is made of the blocks of k-th index i, in their order.
        """
        height, block = self.lengths[k - 1], prod(self.lengths[k:])
        return matrix(
            (
                entry
                for start in range(i * block, len(self.entries), height * block)
                for entry in self.entries[start : start + block]
            )
            for i in range(height)
        )


Rows = Iterable[Iterable[Any]]


def matrix(rows: Rows) -> Matrix:
    """A matrix of the given rows."""
    return Matrix(map(Vector, rows))


def shape(value: Vector | Matrix | Tensor) -> tuple[int, ...]:
    """The lengths along the axes."""
    if isinstance(value, Tensor):
        return value.lengths
    return value.shape if isinstance(value, Matrix) else (len(value),)


def entrywise(function: Callable[..., Any], *arrays: Any) -> Any:
    """A function of the entries of arrays of one shape."""
    first = arrays[0]
    defined(all(shape(array) == shape(first) for array in arrays))
    if isinstance(first, Tensor):
        return Tensor(first.lengths, tuple(map(function, *(array.entries for array in arrays))))
    if isinstance(first, Matrix):
        return Matrix(entrywise(function, *rows) for rows in zip(*arrays, strict=True))
    return Vector(map(function, *arrays))


def transpose(a: Matrix) -> Matrix:
    """A^T."""
    return matrix(zip(*a, strict=True))


def product(run: Arithmetic, a: Matrix, b: Matrix) -> Matrix:
    """A B."""
    defined(a.shape[1] == b.shape[0])
    run.budget.items(len(a) * len(b[0]))
    columns = transpose(b)
    return matrix([run.dot(row, column) for column in columns] for row in a)


def identity(n: int) -> Matrix:
    """The identity matrix."""
    return matrix([int(i == j) for j in range(n)] for i in range(n))


def symmetric(run: Arithmetic, a: Matrix) -> bool:
    """Whether A = A^T."""
    pairs = [(a[i][j], a[j][i]) for i in range(len(a)) for j in range(i)] if a.square else []
    return a.square and all(run.compare(x, y) == 0 for x, y in pairs)


def gram(run: Arithmetic, a: Matrix) -> Matrix:
    """A A^T or A^T A, whichever is smaller."""
    first = a if len(a) <= len(a[0]) else transpose(a)
    return product(run, first, transpose(first))


# rationals ----------------------------------------------------------------------------------------
def exact(a: Matrix) -> bool:
    """Whether all entries are known to be rational."""
    return all(map(rational, a.entries))


def whole_rows(run: Arithmetic, rows: Rows) -> tuple[list[list[int]], list[int]]:
    """Each row times the least common denominator of its entries, and these."""
    result, factors = [], []
    for row in map(list, rows):
        bits = sum(map(size, row))
        run.budget.length(bits)
        run.budget.steps(1, bits)
        run.budget.steps(2 * len(row), 0)
        factor = lcm(*(x.denominator for x in row))
        result.append([x.numerator * (factor // x.denominator) for x in row])
        factors.append(factor)
    return result, factors


def eliminated(
    run: Arithmetic, rows: list[list[int]], columns: int
) -> tuple[list[list[int]], int, int]:
    """Elimination up and down in so many columns: the rows, how many pivots, and the last pivot.

    Every entry on the way is a minor of the matrix, so the divisions leave no remainder (Bareiss).
    The last pivot, with the sign of the swaps, is the determinant of a square matrix of full rank;
    then the diagonal is that number.
    """
    height = len(rows)
    bits = sum(max(x.bit_length() for x in row) + len(row).bit_length() for row in rows)
    run.budget.length(bits)
    run.budget.steps(min(height, columns) * height * len(rows[0]), 2 * bits, 500)
    found, last = 0, 1
    for column in range(columns):
        at = next((r for r in range(found, height) if rows[r][column]), None)
        if at is None:
            continue
        if at != found:
            rows[found], rows[at] = rows[at], [-x for x in rows[found]]
        pivot, line = rows[found][column], rows[found]
        for r, row in enumerate(rows):
            if r != found:
                factor = row[column]
                rows[r] = [(pivot * x - factor * y) // last for x, y in zip(row, line, strict=True)]
        found, last = found + 1, pivot
    return rows, found, last


def characteristic(run: Arithmetic, a: Any) -> tuple[list[Any], Any]:
    """The coefficients of det(x - A), from the constant one up to 1, and with c_0 the constant one
    the matrix -c_0 A^-1, where that exists (Faddeev and LeVerrier). Whole numbers stay whole."""
    n = len(a)
    short = all(isinstance(x, int) for row in a for x in row)
    if not short:
        a = [[Enclosure.of(x, run.bits) if rational(x) and x else x for x in row] for row in a]
    bits = max(size(x) for row in a for x in row) + n.bit_length()
    run.budget.length(n * bits)
    run.budget.steps(n**4 + 1, (n + 1) * bits if short else 2 * bits, 150 if short else 4_000)
    coefficients: list[Any] = [0] * n + [1]
    power: list[list[Any]] = [[0] * n for _ in range(n)]
    before: Any = power
    for k in range(1, n + 1):
        before = [
            [x + coefficients[n - k + 1] if i == j else x for j, x in enumerate(row)]
            for i, row in enumerate(power)
        ]
        columns = list(zip(*before, strict=True))
        power = [[sum(map(mul, row, column)) for column in columns] for row in a]
        trace = sum(power[i][i] for i in range(n))
        coefficients[n - k] = -trace // k if isinstance(trace, int) else -trace / k
    return coefficients, before


# functions of a matrix ----------------------------------------------------------------------------
def rank(run: Arithmetic, a: Matrix) -> int:
    """The rank: of a matrix that is not rational, how many singular values are not 0."""
    if exact(a):
        return eliminated(run, whole_rows(run, a)[0], len(a[0]))[1]
    coefficients, _ = characteristic(run, gram(run, a))
    return len(coefficients) - 1 - next(k for k, c in enumerate(coefficients) if c)


def determinant(run: Arithmetic, a: Matrix) -> Any:
    """The determinant; its derivative is the sum of those with one row replaced by its own."""
    defined(a.square)
    if moves(a):
        fixed, speeds = still(a), speed(a)
        replaced = (Matrix((*fixed[:i], speeds[i], *fixed[i + 1 :])) for i in range(len(a)))
        return Moving(determinant(run, fixed), run.total(determinant(run, r) for r in replaced))
    if exact(a):
        rows, factors = whole_rows(run, a)
        _, found, last = eliminated(run, rows, len(a))
        return Fraction(last, prod(factors)) if found == len(a) else 0
    return characteristic(run, a)[0][0] * (-1) ** len(a)


def inverse(run: Arithmetic, a: Matrix) -> Matrix:
    """The inverse; its derivative is -A^-1 A' A^-1."""
    defined(a.square)
    if moves(a):
        found = inverse(run, still(a))
        change = product(run, product(run, found, speed(a)), found)
        return matrix(
            map(lambda x, dx: Moving(x, -dx), *r) for r in zip(found, change, strict=True)
        )
    n = len(a)
    run.budget.items(n * n)
    if exact(a):
        rows, _ = whole_rows(run, ((*row, *unit) for row, unit in zip(a, identity(n), strict=True)))
        reduced, found_pivots, last = eliminated(run, rows, n)
        defined(found_pivots == n)
        return matrix([Fraction(x, last) for x in row[n:]] for row in reduced)
    coefficients, before = characteristic(run, a)
    defined(bool(coefficients[0]))
    return matrix([run.div(-x, coefficients[0]) for x in row] for row in before)


def kronecker(run: Arithmetic, a: Matrix, b: Matrix) -> Matrix:
    """Kronecker's product."""
    run.budget.items(len(a) * len(a[0]) * len(b) * len(b[0]))
    return matrix([run.mul(x, y) for x in row for y in second] for row in a for second in b)
