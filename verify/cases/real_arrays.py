"""Arrays of rationals with functions of matrices that leave the rationals.

Singular values, logarithms and powers are a `graphs.reals.Real` in exact arithmetic and torch in
float64; float64 balls do not know them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs import reals
from graphs.arithmetic import Arithmetic, Array, rational
from graphs.errors import NotRationalError
from graphs.matrices import rank as exact_rank
from verify.cases.array_scenes import MatrixScene
from verify.cases.tensors import Tensors

if TYPE_CHECKING:
    pass


class RealScene(MatrixScene):
    """A batch of arrays with the functions of matrices that leave the rationals.

    matrices: (C, n, m) in the arithmetic of the scene. A function returns (C,) numbers, or (C, ...)
    matrices. Rational where the result is, always: `rank`, `pseudo_determinant_squared`,
    `projection`, `pseudo_inverse`.
    """

    @cached_property
    def plain_floats(self) -> bool:
        """Whether this is the differentiable float64 arithmetic."""
        return self.arithmetic.name == "float"

    # exactly, for each matrix --------------------------------------------------------------------
    def _each(self, matrices: Array, function: Callable[[np.ndarray], Any]) -> Array:
        """(C,): a function of each exact matrix."""
        if self.arithmetic.name != "rational":
            raise NotRationalError(f"{self.arithmetic.name} has no such function of a matrix")
        result = np.empty(len(matrices), dtype=object)
        for k, matrix in enumerate(matrices):
            result[k] = function(matrix)
        return result

    def _each_matrix(self, matrices: Array, function: Callable[[np.ndarray], np.ndarray]) -> Array:
        """(C, ...): a matrix from each exact matrix."""
        if self.arithmetic.name != "rational":
            raise NotRationalError(f"{self.arithmetic.name} has no such function of a matrix")
        return np.stack([function(matrix) for matrix in matrices])

    def rank_of(self, matrices: Array) -> np.ndarray:
        """(C,) integers: exact; in plain floats the number of singular values that stand out."""
        if self.plain_floats:
            from numerics.matrix_functions import numerical_rank

            return numerical_rank(matrices.values)
        return np.array([exact_rank(matrix) for matrix in self._each_matrix(matrices, lambda m: m)])

    def pseudo_determinant_squared(self, matrices: Array) -> Array:
        """(C,): the product of the squared non-zero singular values, rational; 1 of a matrix 0."""
        if self.plain_floats:
            return self.exp(self.log_pseudo_determinant(matrices) * 2)
        return self._each(matrices, reals.pseudo_determinant_squared)

    def projection(self, matrices: Array) -> Array:
        """(C, n, n): the orthogonal projections to the images, rational."""
        if self.plain_floats:
            from numerics.matrix_functions import image_projection

            return self._floats(image_projection(matrices.values))
        return self._each_matrix(matrices, reals.image_projection)

    def pseudo_inverse(self, matrices: Array) -> Array:
        """(C, m, n): the Moore-Penrose inverses, rational."""
        if self.plain_floats:
            from numerics.matrix_functions import pseudo_inverse

            return self._floats(pseudo_inverse(matrices.values))
        return self._each_matrix(matrices, reals.pseudo_inverse)

    # real numbers --------------------------------------------------------------------------------
    def singular_value(self, matrices: Array, number: int) -> Array:
        """(C,): the singular value of that number, counted from 1; 0 where there is none."""
        if self.plain_floats:
            from numerics.matrix_functions import singular_value

            return self._floats(singular_value(matrices.values, number))

        def one(matrix: np.ndarray) -> Any:
            found = reals.squared_singular_values(matrix)
            return reals.sqrt(found[number - 1]) if number <= len(found) else rational(0)

        return self._each(matrices, one)

    def schatten(self, matrices: Array, exponent: Fraction) -> Array:
        """(C,): the sum of s_i^exponent over the non-zero singular values, |A|_p^p."""
        exponent = Fraction(exponent)
        if self.plain_floats:
            from numerics.matrix_functions import schatten

            return self._floats(schatten(matrices.values, float(exponent)))

        def one(matrix: np.ndarray) -> Any:
            squares = reals.squared_singular_values(matrix)
            return sum((reals.power(s, exponent / 2) for s in squares), rational(0))

        return self._each(matrices, one)

    def operator_norm(self, matrices: Array) -> Array:
        """(C,): the largest singular value."""
        return self.singular_value(matrices, 1)

    def log_pseudo_determinant(self, matrices: Array) -> Array:
        """(C,): log |A|_+; 0 of a matrix 0."""
        if self.plain_floats:
            from numerics.matrix_functions import log_pseudo_determinant

            return self._floats(log_pseudo_determinant(matrices.values))
        return self._each(
            matrices,
            lambda m: reals.log(reals.pseudo_determinant_squared(m)) * rational(Fraction(1, 2)),
        )

    # numbers -------------------------------------------------------------------------------------
    def log(self, values: Array) -> Array:
        """The logarithm of each number."""
        return self._of_numbers(values, reals.log, "log")

    def exp(self, values: Array) -> Array:
        """The exponential of each number."""
        return self._of_numbers(values, reals.exp, "exp")

    def power(self, values: Array, exponent: Fraction) -> Array:
        """Each number, at least 0, to a rational power."""
        if self.plain_floats:
            return self._floats(values.values ** float(exponent))
        return self._of_numbers(values, lambda value: reals.power(value, exponent), "pow")

    def _of_numbers(self, values: Array, function: Callable[[Any], Any], name: str) -> Array:
        if self.plain_floats:
            return self._floats(getattr(values.values, name)())
        if self.arithmetic.name != "rational":
            raise NotRationalError(f"{self.arithmetic.name} arithmetic has no {name}")
        return np.asarray(np.frompyfunc(function, 1, 1)(values), dtype=object)

    def _floats(self, tensor: Any) -> Array:
        from numerics.floats import FloatArray

        return FloatArray(tensor)

    def whole(self, name: str) -> np.ndarray:
        """(C,) an integer of each case."""
        return np.array([int(case.arrays[name].entries[0]) for case in self.cases])

    def numbers(self, values: Sequence[Any] | np.ndarray) -> Array:
        """(C,) rationals or integers, one for each case, in the arithmetic of the scene."""
        plain = (v.item() if isinstance(v, np.generic) else v for v in values)
        return self.arithmetic.array([Fraction(value) for value in plain])


class RealTensors(Tensors):
    """Arrays without a network whose measures leave the rationals."""

    @staticmethod
    def scene(cases: Sequence[Tensors], arithmetic: Arithmetic) -> RealScene:
        """The scene of instances with the same axes of the same lengths."""
        return RealScene(cases, arithmetic)


def as_real(case: Tensors, random: Random) -> RealTensors:
    """The same arrays; the last change of a pool of them."""
    return RealTensors(case.arrays, case.choice, case.family)
