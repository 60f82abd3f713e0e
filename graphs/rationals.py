"""Exact rational arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from graphs.arithmetic import Indices, ObjectArithmetic, object_array, rational
from graphs.matrices import largest_eigenvalue
from graphs.reals import smooth


class Rationals(ObjectArithmetic):
    """Exact rational numbers; largest eigenvalues are algebraic numbers (graphs.algebraic), values
    of smooth activations are enclosed (graphs.reals)."""

    name = "rational"

    def convert(self, value: Any) -> Any:
        return rational(value)

    def array(self, numbers: Iterable[Any]) -> np.ndarray:
        return object_array(numbers, rational)

    def is_negative(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values < 0, dtype=bool)

    def may_be_zero(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(values == 0, dtype=bool)

    def smooth(self, kind: str, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rationals, or reals that are enclosed as narrowly as a comparison asks (graphs.reals)."""
        found = np.frompyfunc(lambda x: smooth(kind, x), 1, 2)(z)
        return np.asarray(found[0], dtype=object), np.asarray(found[1], dtype=object)

    def largest_eigenvalues(self, matrices: np.ndarray) -> np.ndarray:
        """Rationals, or real algebraic numbers (graphs.algebraic)."""
        result = np.empty(len(matrices), dtype=object)
        for k, matrix in enumerate(matrices):
            result[k] = largest_eigenvalue(matrix)
        return result

    def slopes(
        self, vertices: Indices, z: np.ndarray, left: np.ndarray, right: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        negative = self.is_negative(z)
        zero = np.asarray(z == 0, dtype=bool)
        differ = np.asarray(left != right, dtype=bool)
        return np.where(negative, left, right), zero & differ


RATIONALS = Rationals()
