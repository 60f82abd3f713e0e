"""A scene of arrays: a batch of instances that share their shapes, in one arithmetic. The leading
axis of every array is the instance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from graphs.arithmetic import Arithmetic, Array

if TYPE_CHECKING:
    from verify.cases.tensors import Tensors


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
