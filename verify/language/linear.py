"""Operators of vectors and matrices, on columns. What is computed entry by entry works in every
arithmetic; ranks, inverses and spectra are exact."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs import reals
from graphs.algebraic import Algebraic
from graphs.arithmetic import Array, as_fraction, object_array, rational
from graphs.errors import NotRationalError
from graphs.matrices import characteristic_polynomial, inverse, rank
from graphs.real_roots import root_count
from graphs.univariate import univariate
from verify.language.choices import arrays_named
from verify.language.columns import Column, Groups, Lists, Rows, paired
from verify.language.frames import OPERATIONS, Frame, TooManyRowsError
from verify.language.lowering import LARGEST, SQUARED
from verify.language.operations import (
    LARGEST_LITERAL,
    both,
    of_groups,
    operation,
    raised,
    whole_numbers,
)
from verify.language.sorts import MAT, VEC
from verify.language.terms import Term

if TYPE_CHECKING:
    from verify.language.evaluation import Evaluation

MOST_ENTRIES = 250_000


def numbers_of(by: Evaluation, frame: Frame, pieces: list[tuple[Rows, Array]]) -> Column:
    """The column of numbers that arrays (k,) in some rows make."""
    values, defined = by.arithmetic.zeros(len(frame)), np.zeros(len(frame), dtype=bool)
    for rows, array in pieces:
        values[rows] = array
        defined[rows] = True
    return Column(values, defined)


def flat(array: Array) -> Array:
    """(k, size): the entries of each."""
    size = int(np.prod(array.shape[1:]))
    return array.reshape(len(array), size)


# entry by entry ----------------------------------------------------------------------------------
def _unary(name: str, change: Callable[[Array], Array | None]) -> None:
    """A function of all matrices of one shape; None where it has no value."""

    def of_one(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
        pieces = [
            (rows, made)
            for rows, array in one.values.parts.values()
            if (made := change(array)) is not None
        ]
        if term.sort in (MAT, VEC):
            return of_groups(by, frame, pieces)
        return numbers_of(by, frame, pieces)

    OPERATIONS[name] = of_one


def _places_of_diagonal(size: int) -> np.ndarray:
    return np.arange(size)


def _diagonal(matrices: Array) -> Array | None:
    rows, columns = matrices.shape[1:]
    at = _places_of_diagonal(rows)
    return matrices[:, at, at] if rows == columns else None


def _trace(matrices: Array) -> Array | None:
    found = _diagonal(matrices)
    return None if found is None else found.sum(1)


def _frob2(arrays: Array) -> Array:
    return flat(arrays * arrays).sum(1)


_unary("transpose", lambda matrices: matrices.swapaxes(1, 2))
_unary("frob2", _frob2)
_unary("trace", _trace)
_unary("diagonal", _diagonal)


def _product(one: Array, other: Array) -> Array | None:
    if one.shape[2] != other.shape[1]:
        return None
    if len(other.shape) == 3:
        return one @ other
    columns = other.reshape(len(other), other.shape[1], 1)
    return (one @ columns).reshape(len(one), one.shape[1])


def _outer(one: Array, other: Array) -> Array:
    left = one.reshape(len(one), one.shape[1], 1)
    return left * other.reshape(len(other), 1, other.shape[1])


def _kron(one: Array, other: Array) -> Array:
    (count, n, m), (k, width) = one.shape, other.shape[1:]
    product = one.reshape(count, n, 1, m, 1) * other.reshape(count, 1, k, 1, width)
    return product.reshape(count, n * k, m * width)


PRODUCTS: dict[str, Callable[[Array, Array], Array | None]] = {
    "matmul": _product,
    "outer": _outer,
    "kron": _kron,
}


@operation(*PRODUCTS)
def _of_two(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    return of_groups(by, frame, paired(one.values, other.values, PRODUCTS[term.op]))


@operation("dot")
def _dot(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    def product(a: Array, b: Array) -> Array | None:
        return flat(a * b).sum(1) if a.shape == b.shape else None

    return numbers_of(by, frame, paired(one.values, other.values, product))


@operation("beside", "above")
def _together(by: Evaluation, frame: Frame, term: Term, one: Column, other: Column) -> Column:
    across = 2 if term.op == "beside" else 1

    def join(a: Array, b: Array) -> Array | None:
        fits = a.shape[3 - across] == b.shape[3 - across]
        return by.arithmetic.join([a, b], across) if fits else None

    return of_groups(by, frame, paired(one.values, other.values, join))


@operation("diag")
def _diag(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    pieces = []
    for rows, array in one.values.parts.values():
        size = array.shape[1]
        made = by.arithmetic.zeros((len(rows), size, size))
        at = np.arange(size)
        made[:, at, at] = array
        pieces.append((rows, made))
    return of_groups(by, frame, pieces)


def _places(column: Column) -> np.ndarray:
    """(R,): whole numbers as indices from 0; one that is far outside as -1."""
    try:
        found = column.values.astype(np.int64) - 1
    except OverflowError:
        near = [int(i) - 1 if 0 < i < 2**40 else -1 for i in column.values]
        return np.array(near, dtype=np.int64)
    return np.where((found >= 0) & (found < 2**40), found, -1)


def _parts(
    groups: Groups, up: Rows | None, known: np.ndarray, *indices: tuple[np.ndarray, int]
) -> list[Any]:
    """Of each group the rows in which indices lie inside, the places of their arrays in the group,
    the group, and the indices. up: by row the one whose array it is, if that is another one. Each
    index comes with the axis that it runs along."""
    found = []
    whose = np.arange(len(known)) if up is None else up
    for rows, array in groups.parts.values():
        place = np.searchsorted(rows, whose)
        place[place == len(rows)] = 0
        inside = known & (rows[place] == whose)
        for at, axis in indices:
            inside = inside & (at >= 0) & (at < array.shape[axis])
        kept = np.flatnonzero(inside)
        found.append((kept, place[kept], array, [at[kept] for at, _ in indices]))
    return found


@operation("entry")
def _entry(
    by: Evaluation, frame: Frame, term: Term, one: Column, up: Rows | None, i: Column, j: Column
) -> Column:
    parts = _parts(one.values, up, both(i, j), (_places(i), 1), (_places(j), 2))
    pieces = [(rows, array[place, a, b]) for rows, place, array, (a, b) in parts]
    return numbers_of(by, frame, pieces)


@operation("coord", "row", "column")
def _coord(
    by: Evaluation, frame: Frame, term: Term, one: Column, up: Rows | None, i: Column
) -> Column:
    axis = 2 if term.op == "column" else 1
    pieces = []
    for rows, place, array, (at,) in _parts(one.values, up, i.defined, (_places(i), axis)):
        turned = array.swapaxes(1, 2) if term.op == "column" else array
        pieces.append((rows, turned[place, at]))
    if term.op == "coord":
        return numbers_of(by, frame, pieces)
    return of_groups(by, frame, pieces)


@operation("rows", "cols", "dim")
def _length(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    values = whole_numbers([0] * len(frame))
    for rows, array in one.values.parts.values():
        values[rows] = array.shape[2 if term.op == "cols" else 1]
    return Column(values, one.values.defined(len(frame)))


def sized(by: Evaluation, frame: Frame, make: Callable[..., Array], *sizes: Column) -> Column:
    """Matrices of sizes that are whole numbers: make tells what (k, ...) there is of one size."""
    known = np.logical_and.reduce([size.defined for size in sizes])
    rows_of: dict[tuple[int, ...], list[int]] = {}
    for row in np.flatnonzero(known):
        shape = tuple(int(size.values[row]) for size in sizes)
        if min(shape) >= 1:
            rows_of.setdefault(shape, []).append(int(row))
    pieces = []
    for shape, rows in rows_of.items():
        if np.prod([float(length) for length in shape]) * len(rows) > MOST_ENTRIES:
            raise TooManyRowsError(f"a matrix of {' x '.join(map(str, shape))}")
        pieces.append((np.array(rows), make(len(rows), *shape)))
    return of_groups(by, frame, pieces)


@operation("eye")
def _eye(by: Evaluation, frame: Frame, term: Term, size: Column) -> Column:
    def make(count: int, n: int) -> Array:
        unit = [1 if i == j else 0 for i in range(n) for j in range(n)]
        return by.arithmetic.array(unit * count).reshape(count, n, n)

    return sized(by, frame, make, size)


@operation("zeros")
def _zeros(by: Evaluation, frame: Frame, term: Term, rows: Column, columns: Column) -> Column:
    return sized(by, frame, lambda *shape: by.arithmetic.zeros(shape), rows, columns)


@operation("unfold")
def _unfold(by: Evaluation, frame: Frame, term: Term) -> Column:
    """In the frame of the cases, as a field."""
    mode, pieces = term.args[1], []
    for cases, array in arrays_named(by, term.args[0].args[0].name):
        count, *lengths = array.shape
        before, rows, after = prod(lengths[: mode - 1]), lengths[mode - 1], prod(lengths[mode:])
        slices = array.reshape(count, before, rows, after).swapaxes(1, 2)
        pieces.append((cases, slices.reshape(count, rows, before * after)))
    return of_groups(by, frame, pieces)


# exact linear algebra ----------------------------------------------------------------------------
def only_rational(name: str, matrix: Array) -> None:
    """Raises NotRationalError where an entry is not rational: then there is no method here."""
    entries = matrix.reshape(-1) if isinstance(matrix, np.ndarray) else ()
    if any(isinstance(entry, reals.Real | Algebraic) for entry in entries):
        raise NotRationalError(f"{name} of a matrix with entries that are not rational")


def _each_matrix(
    name: str,
    change: Callable[[np.ndarray], Any],
    *,
    whole: bool = False,
    of_reals: bool = False,
) -> None:
    """A function of one matrix; None where it has no value. of_reals: whether its entries may be
    other numbers than rationals."""

    def of_one(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
        pieces, numbers = [], []
        for rows, array in one.values.parts.values():
            for row, matrix in zip(rows, array, strict=True):
                if not of_reals:
                    only_rational(name, matrix)
                found = change(matrix)
                if found is None:
                    continue
                if term.sort == MAT:
                    pieces.append((np.array([row]), found[None]))
                else:
                    numbers.append((row, found))
        if term.sort == MAT:
            return of_groups(by, frame, pieces)
        return _scattered(by, frame, term, numbers, whole=whole)

    OPERATIONS[name] = of_one


def _scattered(
    by: Evaluation, frame: Frame, term: Term, found: list[Any], *, whole: bool
) -> Column:
    from verify.language.operations import nothing

    column = nothing(by, term.sort, len(frame))
    for row, value in found:
        column.values[row] = value
        column.defined[row] = True
    return column


def _square(matrix: np.ndarray) -> bool:
    rows, columns = matrix.shape
    return bool(rows == columns)


def _det(matrix: np.ndarray) -> Any:
    if not _square(matrix):
        return None
    constant = characteristic_polynomial(matrix)[0]
    return constant if len(matrix) % 2 == 0 else -constant


def _inverse(matrix: np.ndarray) -> Any:
    try:
        return inverse(matrix) if _square(matrix) else None
    except ZeroDivisionError:
        return None


def _symmetric(matrix: np.ndarray) -> bool:
    return _square(matrix) and bool((matrix == matrix.T).all())


def _definite(matrix: np.ndarray) -> Any:
    """By Descartes' rule, all eigenvalues being real: the signs of the coefficients alternate."""
    if not _symmetric(matrix):
        return None
    coefficients = characteristic_polynomial(matrix)
    degree = len(coefficients) - 1
    return all((-1) ** (degree - k) * c >= 0 for k, c in enumerate(coefficients))


def _rank(matrix: np.ndarray) -> int:
    """Elimination divides, which largest roots do not: they are enclosed."""
    return int(rank(np.vectorize(_divisible, otypes=[object])(matrix)))


def _divisible(entry: Any) -> Any:
    return reals.real(entry) if isinstance(entry, Algebraic) else entry


_each_matrix("rank", _rank, whole=True, of_reals=True)
_each_matrix("det", _det)
_each_matrix("inverse", _inverse, of_reals=True)
_each_matrix("pdet2", reals.pseudo_determinant_squared)
_each_matrix("definite", _definite)


def _eigenvalues(matrix: np.ndarray) -> list[Any] | None:
    """Of a symmetric matrix, the largest first: those of a shifted one that has none below 1."""
    if not _symmetric(matrix):
        return None
    size = sum((abs(entry) for entry in matrix.reshape(-1)), rational(0)) + 1
    shift = object_array(
        [[size if i == j else 0 for j in range(len(matrix))] for i in range(len(matrix))], rational
    )
    return [value - size for value in reals.eigenvalues_of_gram(matrix + shift)]


def _largest(by: Evaluation, matrices: Array) -> tuple[np.ndarray, Array]:
    """Which of symmetric matrices of one shape have eigenvalues, and the largest one of each. In
    numbers that are not exact that of the symmetric matrix with the same lower triangle."""
    rows, columns = matrices.shape[1:]
    if rows != columns:
        return np.zeros(0, dtype=np.int64), by.arithmetic.zeros(0)
    kept = np.arange(len(matrices))
    if by.arithmetic.exact:
        only_rational("eigenvalues", matrices)
        same = by.arithmetic.may_be_zero(matrices - matrices.swapaxes(1, 2))
        kept = np.flatnonzero(same.reshape(len(matrices), -1).all(1))
    return kept, by.arithmetic.largest_eigenvalues(matrices[kept])


@operation(LARGEST, SQUARED)
def _largest_eigenvalue(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
    pieces = []
    for rows, array in one.values.parts.values():
        if term.op == SQUARED:
            turned = array.swapaxes(1, 2)
            array = turned @ array if array.shape[1] >= array.shape[2] else array @ turned
        kept, found = _largest(by, array)
        pieces.append((rows[kept], found))
    return numbers_of(by, frame, pieces)


def _singular(matrix: np.ndarray) -> list[Any]:
    found = reals.singular_values(matrix)
    return [*found, *[rational(0)] * (min(matrix.shape) - len(found))]


def _lists(name: str, change: Callable[[np.ndarray], list[Any] | None]) -> None:
    """A list of numbers for each matrix."""

    def of_one(by: Evaluation, frame: Frame, term: Term, one: Column) -> Column:
        found: list[list[Any]] = [[] for _ in range(len(frame))]
        defined = np.zeros(len(frame), dtype=bool)
        for rows, array in one.values.parts.values():
            for row, matrix in zip(rows, array, strict=True):
                only_rational(name, matrix)
                values = change(matrix)
                if values is not None:
                    found[row], defined[row] = values, True
        items = np.empty(sum(map(len, found)), dtype=object)
        items[:] = [value for values in found for value in values]
        return Column(Lists(np.array(list(map(len, found)), dtype=np.int64), items), defined)

    OPERATIONS[name] = of_one


_lists("eigenvalues", _eigenvalues)
_lists("singular", _singular)


def _norm(array: np.ndarray) -> Any:
    if array.ndim == 1:
        return reals.sqrt(sum((x * x for x in array), rational(0)))
    return reals.largest_singular_value(array)


def _nuclear(matrix: np.ndarray) -> Any:
    return sum(reals.singular_values(matrix), rational(0))


_each_matrix("norm", _norm, of_reals=True)
_each_matrix("nuclear", _nuclear)


def _sum_of_powers(matrix: np.ndarray, half: Any) -> Any:
    """The sum of these powers of the squares of the singular values; of a whole power it is
    rational, the trace of a power of the Gram matrix."""
    only_rational("schatten", matrix)
    if half in range(1, LARGEST_LITERAL + 1):
        gram = matrix @ matrix.T if matrix.shape[0] <= matrix.shape[1] else matrix.T @ matrix
        return np.linalg.matrix_power(gram, int(as_fraction(half))).trace()
    squares = reals.squared_singular_values(matrix)
    return sum((raised(s, half) for s in squares), rational(0))


@operation("schatten")
def _schatten(by: Evaluation, frame: Frame, term: Term, one: Column, power: Column) -> Column:
    found = []
    for rows, array in one.values.parts.values():
        for row, matrix in zip(rows, array, strict=True):
            if power.defined[row] and power.values[row] > 0:
                found.append((row, _sum_of_powers(matrix, power.values[row] / 2)))
    return _scattered(by, frame, term, found, whole=False)


@operation("roots")
def _roots(
    by: Evaluation, frame: Frame, term: Term, one: Column, low: Column, high: Column
) -> Column:
    found = []
    for rows, array in one.values.parts.values():
        for row, coefficients in zip(rows, array, strict=True):
            if low.defined[row] and high.defined[row]:
                ends = (low.values[row], high.values[row])
                only_rational("roots", np.array([*coefficients, *ends], dtype=object))
                p = univariate(map(as_fraction, coefficients))
                if p:
                    found.append((row, root_count(p, *map(as_fraction, ends))))
    return _scattered(by, frame, term, found, whole=True)
