"""Plain float64 numbers as an arithmetic, through which derivatives pass.

`Floats` evaluates a formula that is written once (graphs.arithmetic) on torch tensors, on CPU or
CUDA, without bounds: nothing is decided by it. What it is for is the gradient: a measure of leaf
tensors can be differentiated by torch in whatever numbers it was given. Slopes of piecewise linear
activations are locally constant and so have no derivative of their own; an eigenvalue that is not
simple has the derivative of one of its eigenvectors; at ties a maximum splits it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from graphs.arithmetic import Arithmetic, Indices
from numerics.balls import torch_index
from numerics.conversion import enclosed, enclosed_roots
from numerics.losses import Loss


class FloatArray:
    """An array of float64 numbers: a tensor that does what arrays of the other arithmetics do.

    Supports + - * with its like, numbers, rationals and numpy arrays of them, division by its like
    or a number, matrix products, indexing as numpy does, abs and sums.
    """

    __array_ufunc__ = None  # numpy arrays leave + - * with it to it

    def __init__(self, values: torch.Tensor) -> None:
        self.values = values

    # shape ---------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """As of a numpy array."""
        return tuple(self.values.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.values.dim()

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: Any) -> FloatArray:
        return FloatArray(self.values[torch_index(key, self.values.device)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.values[torch_index(key, self.values.device)] = self._like(value)

    def reshape(self, *shape: int) -> FloatArray:
        """As of a numpy array."""
        return FloatArray(self.values.reshape(*shape))

    def swapaxes(self, one: int, other: int) -> FloatArray:
        """As of a numpy array."""
        return FloatArray(self.values.swapaxes(one, other))

    def copy(self) -> FloatArray:
        """An array with a tensor of its own."""
        return FloatArray(self.values.clone())

    # arithmetic ----------------------------------------------------------------------------------
    def __neg__(self) -> FloatArray:
        return FloatArray(-self.values)

    def __abs__(self) -> FloatArray:
        return FloatArray(self.values.abs())

    def __add__(self, other: Any) -> FloatArray:
        return FloatArray(self.values + self._like(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> FloatArray:
        return FloatArray(self.values - self._like(other))

    def __rsub__(self, other: Any) -> FloatArray:
        return FloatArray(self._like(other) - self.values)

    def __mul__(self, other: Any) -> FloatArray:
        return FloatArray(self.values * self._like(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> FloatArray:
        return FloatArray(self.values / self._like(other))

    def __matmul__(self, other: Any) -> FloatArray:
        return FloatArray(self.values @ self._like(other))

    def sum(self, axis: int | None = None) -> FloatArray:
        """The sum of all numbers, or along an axis."""
        return FloatArray(self.values.sum() if axis is None else self.values.sum(dim=axis))

    def to_numpy(self) -> np.ndarray:
        """The numbers, without what torch remembers of them."""
        return np.asarray(self.values.detach().cpu().numpy())

    def __repr__(self) -> str:
        return f"FloatArray({self.values!r})"

    def _like(self, value: Any) -> torch.Tensor:
        """A tensor on the same device from an array, a number, or an array of numbers."""
        if isinstance(value, FloatArray):
            return value.values
        return torch.from_numpy(enclosed(value)[0]).to(self.values.device)


class Floats(Arithmetic):
    """Float64 numbers as an arithmetic. device: where their tensors live."""

    name = "float"
    exact = False

    def __init__(self, device: torch.device | str = "cpu") -> None:
        self.device = torch.device(device)

    def array(self, numbers: Iterable[Any]) -> FloatArray:
        """The nearest floats; numbers as of `numerics.enclosures.Balls.array`."""
        return numbers if isinstance(numbers, FloatArray) else self._floats(enclosed(numbers)[0])

    def zeros(self, shape: int | tuple[int, ...]) -> FloatArray:
        return self._floats(np.zeros(shape))

    def add_at(self, target: FloatArray, index: Indices, values: FloatArray) -> None:
        where = self._indices(index)
        terms = values.values.expand((len(where), *target.shape[1:]))
        target.values.index_add_(0, where, terms)  # in place: the target may be a view

    def largest_eigenvalues(self, matrices: FloatArray) -> FloatArray:
        """Not a number where an entry is none."""
        finite = torch.isfinite(matrices.values).all(dim=-1).all(dim=-1)
        spectrum = torch.linalg.eigvalsh(torch.where(finite[..., None, None], matrices.values, 0.0))
        return FloatArray(torch.where(finite, spectrum[..., -1], torch.nan))

    def maximum(self, one: FloatArray, other: FloatArray) -> FloatArray:
        return FloatArray(torch.maximum(one.values, other.values))

    def join(self, parts: Sequence[FloatArray], axis: int) -> FloatArray:
        return FloatArray(torch.cat([part.values for part in parts], dim=axis))

    def is_negative(self, values: FloatArray) -> np.ndarray:
        return np.asarray(values.to_numpy() < 0, dtype=bool)

    def may_be_zero(self, values: FloatArray) -> np.ndarray:
        return np.asarray(values.to_numpy() == 0, dtype=bool)

    def slopes(
        self, vertices: Indices, z: FloatArray, left: FloatArray, right: FloatArray
    ) -> tuple[FloatArray, np.ndarray]:
        below = z.values.detach() < 0
        kinks = (left.values != right.values) & (z.values.detach() == 0)
        return FloatArray(torch.where(below, left.values, right.values)), kinks.cpu().numpy()

    def smooth(self, kind: str, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Value and derivative of tanh, softplus or sigmoid."""
        if kind == "tanh":
            value = torch.tanh(z.values)
            return FloatArray(value), FloatArray(
                4 * torch.sigmoid(2 * z.values) * torch.sigmoid(-2 * z.values)
            )
        value = torch.sigmoid(z.values)
        if kind == "softplus":
            return FloatArray(torch.logaddexp(z.values, torch.zeros_like(value))), FloatArray(value)
        if kind == "sigmoid":
            return FloatArray(value), FloatArray(value * torch.sigmoid(-z.values))
        raise ValueError(f"unknown smooth activation {kind!r}: use tanh, softplus or sigmoid")

    def square_roots(self, squares: Sequence[Fraction]) -> FloatArray:
        """(k, 1)."""
        return self._floats(enclosed_roots(squares)[0])[:, None]

    def loss_derivative(self, loss: Loss, margins: FloatArray) -> FloatArray:
        """l'(z) of a loss of `numerics.losses`."""
        return FloatArray(loss.derivative(margins.values))

    def _floats(self, numbers: np.ndarray) -> FloatArray:
        return FloatArray(torch.from_numpy(numbers).to(self.device))

    def _indices(self, index: Indices) -> torch.Tensor:
        return torch.from_numpy(np.asarray(index, dtype=np.int64)).to(self.device)
