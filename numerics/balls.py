"""Arrays of balls: midpoints and radii, and what + - * and a few functions make of them.

The radius of a result is computed in floats too, so it is made larger by a factor that covers the
roundings of its own computation, and by a number that covers underflow. What is trusted is said in
`numerics.enclosures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from numerics.conversion import UNIT, enclosed, exact_fraction

GROWTH = 1.0 + 2.0**-49
"""Covers the roundings in computing a radius: at most a dozen, each of one UNIT."""

TINY = 2.0**-1020
"""Covers results and terms of a radius below the least normal number 2^-1022. Arithmetic errs
there by 2^-1075 at most, and a library function, should it return 0, by less than 2^-1022."""

LIBRARY = 4 * 2 * UNIT
"""Relative error of exp, log1p, tanh: four units in the last place, each at most 2 UNIT."""


def grown(rad: torch.Tensor) -> torch.Tensor:
    """At least the exact value of a radius that was computed with up to a dozen roundings."""
    return rad * GROWTH + TINY


def rounding(count: torch.Tensor) -> torch.Tensor:
    """At least gamma_m = m u / (1 - m u), for m < 2^40."""
    return count * (UNIT * (1.0 + 2.0**-10))


class Ball:
    """An array of numbers, each known to lie within `rad` of `mid` (float64 tensors, one shape).

    Supports + - * with balls, numbers, rationals and numpy arrays of them, division by a number,
    indexing as numpy does, abs and sums.
    """

    __array_ufunc__ = None  # numpy arrays leave + - * with a ball to the ball

    def __init__(self, mid: torch.Tensor, rad: torch.Tensor) -> None:
        self.mid = mid
        self.rad = rad

    # shape ---------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """As of a numpy array."""
        return tuple(self.mid.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.mid.dim()

    def __len__(self) -> int:
        return len(self.mid)

    def __getitem__(self, key: Any) -> Ball:
        place = torch_index(key, self.mid.device)
        return Ball(self.mid[place], self.rad[place])

    def __setitem__(self, key: Any, value: Any) -> None:
        place, other = torch_index(key, self.mid.device), self._like(value)
        self.mid[place] = other.mid
        self.rad[place] = other.rad

    def reshape(self, *shape: int) -> Ball:
        """As of a numpy array."""
        return Ball(self.mid.reshape(*shape), self.rad.reshape(*shape))

    def swapaxes(self, one: int, other: int) -> Ball:
        """As of a numpy array."""
        return Ball(self.mid.swapaxes(one, other), self.rad.swapaxes(one, other))

    @staticmethod
    def concatenate(parts: Sequence[Ball], axis: int) -> Ball:
        """As of numpy arrays."""
        mids, rads = [part.mid for part in parts], [part.rad for part in parts]
        return Ball(torch.cat(mids, dim=axis), torch.cat(rads, dim=axis))

    def copy(self) -> Ball:
        """A ball array with tensors of its own."""
        return Ball(self.mid.clone(), self.rad.clone())

    @staticmethod
    def where(condition: torch.Tensor, one: Ball, other: Ball) -> Ball:
        """`one` where the condition holds, else `other`; shapes are broadcast."""
        return Ball(
            torch.where(condition, one.mid, other.mid), torch.where(condition, one.rad, other.rad)
        )

    # arithmetic ----------------------------------------------------------------------------------
    def __neg__(self) -> Ball:
        return Ball(-self.mid, self.rad)

    def __abs__(self) -> Ball:
        return Ball(self.mid.abs(), self.rad)  # |.| moves no two numbers apart

    def __add__(self, other: Any) -> Ball:
        second = self._like(other)
        mid = self.mid + second.mid
        # a sum that underflows is exact: no TINY, so sums of exact zeros stay exact
        return Ball(mid, (self.rad + second.rad + mid.abs() * UNIT) * GROWTH)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Ball:
        return self + (-self._like(other))

    def __rsub__(self, other: Any) -> Ball:
        return self._like(other) + (-self)

    def __mul__(self, other: Any) -> Ball:
        second = self._like(other)
        mid = self.mid * second.mid
        rad = (self.mid.abs() + self.rad) * second.rad + second.mid.abs() * self.rad
        return Ball(mid, grown(rad + mid.abs() * UNIT))

    __rmul__ = __mul__

    def __truediv__(self, other: int | Fraction) -> Ball:
        return self * Fraction(1, other)

    def __matmul__(self, other: Ball) -> Ball:
        """Matrix products over the last two axes, as of numpy arrays."""
        second = self._like(other)
        terms = torch.tensor(float(self.mid.shape[-1]), dtype=torch.float64, device=self.mid.device)
        size = self.mid.abs()
        spread = size @ second.rad + self.rad @ (second.mid.abs() + second.rad)
        bound = spread + rounding(terms) * (size @ second.mid.abs())
        rad = bound * (1.0 + rounding(2 * terms + 8)) + (terms + 1.0) * TINY
        return Ball(self.mid @ second.mid, rad)

    def sum(self, axis: int | None = None) -> Ball:
        """The sum of all numbers, or along an axis."""
        mid, rad, count = self.mid, self.rad, self.mid.numel()
        if axis is None:
            mid, rad, axis = mid.reshape(-1), rad.reshape(-1), 0
        else:
            count = mid.shape[axis]
        terms = torch.tensor(float(max(count - 1, 0)), dtype=torch.float64, device=mid.device)
        bound = rad.sum(dim=axis) + rounding(terms) * mid.abs().sum(dim=axis)
        return Ball(mid.sum(dim=axis), bound * (1.0 + rounding(terms + 4)))

    def hull(self, other: Ball) -> Ball:
        """The least ball, but for rounding, that contains both."""
        mid = (self.mid + other.mid) * 0.5
        rad = torch.maximum((self.mid - mid).abs() + self.rad, (other.mid - mid).abs() + other.rad)
        return Ball(mid, grown(rad))

    # what is known -------------------------------------------------------------------------------
    def contains_zero(self) -> torch.Tensor:
        """Boolean: whether the number may be 0. True also where nothing is known (overflow)."""
        return ~self.excludes_zero()

    def excludes_zero(self) -> torch.Tensor:
        """Boolean: whether the number is certainly not 0."""
        return self.mid.abs() > self.rad

    def lower(self) -> torch.Tensor:
        """A float64 that the number is not below."""
        return _known(
            torch.nextafter(self.mid - self.rad, torch.full_like(self.mid, -torch.inf)), -1
        )

    def upper(self) -> torch.Tensor:
        """A float64 that the number is not above."""
        return _known(torch.nextafter(self.mid + self.rad, torch.full_like(self.mid, torch.inf)), 1)

    def contains(self, exact: Any) -> np.ndarray:
        """Boolean, of this shape: whether exact rationals (an array of them) lie in the balls."""
        mid, rad = self.to_numpy()
        numbers = np.broadcast_to(np.asarray(exact, dtype=object), mid.shape)
        result = np.ones(mid.shape, dtype=bool)
        for place in np.ndindex(*mid.shape):
            if np.isfinite(mid[place]) and np.isfinite(rad[place]):
                distance = abs(exact_fraction(numbers[place]) - Fraction(float(mid[place])))
                result[place] = distance <= Fraction(float(rad[place]))
        return result

    def to_numpy(self) -> tuple[np.ndarray, np.ndarray]:
        """Midpoints and radii."""
        return self.mid.cpu().numpy(), self.rad.cpu().numpy()

    def __repr__(self) -> str:
        return f"Ball(mid={self.mid!r}, rad={self.rad!r})"

    def _like(self, value: Any) -> Ball:
        """A ball array on the same device from a ball, a number, or an array of numbers."""
        if isinstance(value, Ball):
            return value
        mid, rad = enclosed(value)
        device = self.mid.device
        return Ball(torch.from_numpy(mid).to(device), torch.from_numpy(rad).to(device))


# functions -----------------------------------------------------------------------------------
def exp(z: Ball) -> Ball:
    """e^z. The radius is e^mid (e^rad - 1) and the library's error."""
    mid = torch.exp(z.mid)
    spread = torch.expm1(z.rad) * (1.0 + 2 * LIBRARY)  # expm1 is trusted as exp is
    return Ball(mid, grown(mid * (1.0 + 2 * LIBRARY) * spread + mid * LIBRARY))


def sigmoid(z: Ball) -> Ball:
    """1 / (1 + e^-z), with small *relative* error on both sides."""
    small = torch.exp(-z.mid.abs())
    mid = torch.where(z.mid >= 0, torch.ones_like(small), small) / (1.0 + small)
    # the logarithm of the sigmoid is 1-Lipschitz, so it moves by a factor of at most e^rad, and
    # its own slope is at most 1/4
    spread = torch.minimum(mid * (torch.expm1(z.rad) * (1.0 + 4 * LIBRARY)), z.rad * 0.25)
    return Ball(mid, grown(spread * (1.0 + 4 * LIBRARY) + mid * (2 * LIBRARY)))


def tanh(z: Ball) -> Ball:
    """tanh z. The derivative is at most 1, and at most 4 e^(-2 t) where |z| >= t."""
    mid = torch.tanh(z.mid)
    size = z.mid.abs()
    nearest = torch.clamp(size - z.rad - (size + z.rad) * (4 * UNIT), min=0.0)  # rounded down
    slope = torch.clamp(4.0 * torch.exp(-2.0 * nearest) * (1.0 + 2 * LIBRARY), max=1.0)
    return Ball(mid, grown(slope * z.rad + mid.abs() * LIBRARY))


def log1p_exp(z: Ball) -> Ball:
    """Softplus, log(1 + e^z). It is 1-Lipschitz, and so is its logarithm."""
    small = torch.exp(-z.mid.abs())
    mid = torch.clamp(z.mid, min=0.0) + torch.log1p(small)
    # log1p passes on the relative error of its argument, at most
    spread = torch.minimum(mid * (torch.expm1(z.rad) * (1.0 + 4 * LIBRARY)), z.rad)
    return Ball(mid, grown(spread * (1.0 + 4 * LIBRARY) + mid * (3 * LIBRARY)))


def _known(bound: torch.Tensor, side: int) -> torch.Tensor:
    """The bound, or the infinity on that side where nothing is known."""
    return torch.where(torch.isnan(bound), side * torch.inf, bound)


def torch_index(key: Any, device: torch.device) -> Any:
    """An index that torch understands, from one that numpy does."""
    if isinstance(key, tuple):
        return tuple(torch_index(part, device) for part in key)
    if isinstance(key, (list, np.ndarray)):
        array = np.asarray(key)
        if array.dtype != bool:
            array = array.astype(np.int64)  # an empty list comes as floats
        return torch.from_numpy(array).to(device)
    if isinstance(key, np.integer):
        return int(key)
    return key
