"""The vocabulary for claims about matrices and numbers: a scene of arrays, and its entries.

A batch shares its shapes; the leading axis of every array is the instance. Measures use what stands
here, `+ - *` and indexing, and so are evaluated in rationals (eigenvalues being real algebraic
numbers, compared exactly: graphs.algebraic) and in float64 balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from graphs.arithmetic import Arithmetic, Array
from verify.cases.scenes import Entries

if TYPE_CHECKING:
    from verify.cases.tensors import Tensors

Part = tuple[dict[str, Any], Array, Array]  # label, left side, right side


class MatrixScene:
    """A batch of instances made of arrays, in one arithmetic."""

    def __init__(
        self, cases: Sequence[Tensors], arithmetic: Arithmetic, numbers: Array | None = None
    ) -> None:
        self.cases = tuple(cases)
        self.arithmetic = arithmetic
        self._numbers = numbers
        self._arrays: dict[str, Array] = {}

    def moved(self, numbers: Array, cases: Sequence[Tensors] | None = None) -> Self:
        """The same instances with other numbers, those of all instances one after the other (see
        `Tensors.numbers`). cases: the instances with these numbers, for what is asked of them."""
        rows = numbers.reshape(len(self.cases), -1)
        return type(self)(self.cases if cases is None else cases, self.arithmetic, rows)

    def only(self, kept: np.ndarray) -> Self:
        """The scene of some of the instances, by their numbers."""
        numbers = None if self._numbers is None else self._numbers[kept]
        return type(self)([self.cases[k] for k in kept], self.arithmetic, numbers)

    @cached_property
    def lengths(self) -> dict[str, int]:
        """The length of each axis."""
        return self.cases[0].lengths

    def __getitem__(self, name: str) -> Array:
        """(C, ...): the array of that name in each instance; made once, and not to be changed."""
        if name not in self._arrays:
            self._arrays[name] = self._array(name)
        return self._arrays[name]

    def _array(self, name: str) -> Array:
        shape = self.cases[0].arrays[name].shape
        if self._numbers is not None and self.cases[0].arrays[name].free:
            return self._numbers[:, self._place_of(name)].reshape(len(self.cases), *shape)
        flat = [entry for case in self.cases for entry in case.arrays[name].entries]
        made = self.arithmetic.array(flat).reshape(len(self.cases), *shape)
        if isinstance(made, np.ndarray):
            made.flags.writeable = False
        return made

    def _place_of(self, name: str) -> np.ndarray:
        """Which of `Tensors.numbers` are the entries of an array."""
        free = {key: array for key, array in self.cases[0].arrays.items() if array.free}
        start = 0
        for key, array in free.items():
            if key == name:
                break
            start += len(array.entries)
        return np.arange(start, start + len(free[name].entries))

    # matrices ------------------------------------------------------------------------------------
    def transpose(self, matrices: Array) -> Array:
        """(C, n, m) of (C, m, n)."""
        return matrices.swapaxes(-1, -2)

    def gram(self, matrices: Array) -> Array:
        """(C, n, n): M^T M."""
        return self.transpose(matrices) @ matrices

    def beside(self, *parts: Array) -> Array:
        """[A B ...]: matrices side by side."""
        return self.arithmetic.join(parts, 2)

    def above(self, *parts: Array) -> Array:
        """Matrices stacked, the first on top."""
        return self.arithmetic.join(parts, 1)

    def kronecker(self, one: Array, other: Array) -> Array:
        """(C, n k, m l): the Kronecker products of (C, n, m) and (C, k, l)."""
        (count, n, m), (k, width) = one.shape, other.shape[1:]
        product = one.reshape(count, n, 1, m, 1) * other.reshape(count, 1, k, 1, width)
        return product.reshape(count, n * k, m * width)

    def largest_eigenvalue(self, symmetric: Array) -> Array:
        """(C,): of symmetric matrices."""
        return self.arithmetic.largest_eigenvalues(symmetric)

    def norm_squared(self, matrices: Array) -> Array:
        """(C,): squared operator norms, the largest eigenvalue of M^T M or of M M^T."""
        rows, columns = matrices.shape[1:]
        wide = matrices if rows >= columns else self.transpose(matrices)
        return self.largest_eigenvalue(self.gram(wide))

    def frobenius_squared(self, matrices: Array) -> Array:
        """(C,): sums of squares of all entries."""
        squares = matrices * matrices
        return squares.reshape(len(self.cases), -1).sum(1)

    def rank(self, name: str) -> Array:
        """(C,): the exact rank of each matrix of that name."""
        from graphs.matrices import rank

        return self.arithmetic.array([Fraction(rank(matrix)) for matrix in self.exact[name]])

    @cached_property
    def exact(self) -> MatrixScene:
        """The same instances over the rationals, for ranks and predicates."""
        from graphs.rationals import RATIONALS

        return MatrixScene(self.cases, RATIONALS)

    def constant(self, value: int | Fraction) -> Array:
        """(C,): the same number for each instance."""
        return self.arithmetic.array([value] * len(self.cases))

    def share(self, values: Array, of: int | Fraction) -> Array:
        """The values times a rational."""
        return values * self.constant(of)

    # entries -------------------------------------------------------------------------------------
    def compare(self, left: Array, right: Array) -> Entries:
        """One entry for each instance: left minus right; both (C,)."""
        return self.parts([({}, left, right)])

    def parts(self, parts: Sequence[Part]) -> Entries:
        """One entry for each instance and part, a part being a label and two sides (C,)."""
        labels = [label for label, _, _ in parts]
        left = self.arithmetic.join([side for _, side, _ in parts], 0)
        right = self.arithmetic.join([side for _, _, side in parts], 0)
        count = len(self.cases)
        owner = np.tile(np.arange(count), len(parts))
        nothing = np.zeros(len(owner), dtype=np.int64)
        return Entries(
            left - right, left, owner, "case", nothing, nothing - 1, lambda k: labels[k // count]
        )
