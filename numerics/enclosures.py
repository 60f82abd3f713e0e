"""Balls: float64 numbers with a rigorous bound on their error, on CPU or CUDA.

`Balls` is an arithmetic of graphs.arithmetic, so whatever formula is written once there is
evaluated here with a bound on all rounding in it. A ball array holds midpoints and radii; each
operation rounds the midpoint as the hardware does, and its radius covers the exact result for all
numbers in the operands' balls.

What is trusted: + - * / and square roots of float64 round to nearest (IEEE 754) and numbers below
2^-1022 are not flushed to zero (tested when a `Balls` is made); sums of m numbers err, in any
order, by at most gamma_(m-1) = (m-1)u / (1 - (m-1)u) times the sum of their magnitudes, u = 2^-53
(Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2); exp, log1p and tanh
of the mathematics library err by at most four units in the last place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from graphs.arithmetic import Arithmetic, Indices
from numerics.balls import Ball, exp, log1p_exp, rounding, sigmoid, tanh
from numerics.conversion import enclosed, enclosed_roots
from numerics.losses import Loss


class Balls(Arithmetic):
    """Float64 balls as an arithmetic. device: where their tensors live.

    Raises RuntimeError where the processor flushes small numbers to zero.
    """

    name = "ball"
    exact = False

    def __init__(self, device: torch.device | str = "cpu") -> None:
        self.device = torch.device(device)
        smallest = torch.tensor([2.0**-1022], dtype=torch.float64, device=self.device)
        if not float(smallest * 0.5) > 0:
            raise RuntimeError(
                "this thread flushes small numbers to zero, so no rounding bound holds: "
                "call torch.set_flush_denormal(False)"
            )

    def array(self, numbers: Iterable[Any]) -> Ball:
        """Balls around rationals: radius 0 where the number is a float64, else half a unit in the
        last place. Float arrays are taken as they are.

        numbers: nested sequences of rationals, or a numpy array. Raises ValueError for a number
        that is not finite or beyond the range of float64.
        """
        if isinstance(numbers, Ball):
            return numbers
        return self._ball(*enclosed(numbers))

    def zeros(self, shape: int | tuple[int, ...]) -> Ball:
        size = (shape,) if isinstance(shape, int) else tuple(shape)
        return self._ball(np.zeros(size), np.zeros(size))

    def add_at(self, target: Ball, index: Indices, values: Ball) -> None:
        """The bound is gamma_m (|target| + sum |terms|) for a place that gets m terms."""
        where = self._indices(index)
        counts = torch.bincount(where, minlength=len(target.mid))
        mid, rad = self._accumulated(target, where, values, counts, counts)
        target.mid.copy_(mid)  # in place: the target may be a view
        target.rad.copy_(rad)

    def sum_at(self, values: Ball, index: Indices, size: int) -> Ball:
        where = self._indices(index)
        counts = torch.bincount(where, minlength=size)
        start = self.zeros((size, *values.shape[1:]))
        return Ball(
            *self._accumulated(start, where, values, counts, torch.clamp(counts - 1, min=0))
        )

    def _accumulated(
        self,
        start: Ball,
        where: torch.Tensor,
        values: Ball,
        counts: torch.Tensor,
        roundings: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Midpoint and radius of start + the values at `where`: `counts` terms a place, of which
        `roundings` additions round (an addition to 0 does not)."""
        shape = (len(where), *start.shape[1:])
        terms, errors = values.mid.expand(shape), values.rad.expand(shape)
        mid = start.mid.index_add(0, where, terms)
        size = start.mid.abs().index_add(0, where, terms.abs())
        rad = start.rad.index_add(0, where, errors)
        column = (-1, *([1] * (mid.dim() - 1)))
        roundings = roundings.to(torch.float64).view(column)
        bound = rad + rounding(roundings) * size
        # the bound itself is a sum of positive terms, each rounded at most m + 4 times
        slack = torch.where(counts > 0, counts + 4, 0).to(torch.float64).view(column)
        return mid, bound * (1.0 + rounding(slack))

    def largest_eigenvalues(self, matrices: Ball) -> Ball:
        from numerics.eigenvalues import largest_eigenvalues

        return largest_eigenvalues(matrices)

    def maximum(self, one: Ball, other: Ball) -> Ball:
        """The maximum moves no further than the one of its arguments that moves further."""
        return Ball(torch.maximum(one.mid, other.mid), torch.maximum(one.rad, other.rad))

    def join(self, parts: Sequence[Ball], axis: int) -> Ball:
        return Ball.concatenate(parts, axis)

    def is_negative(self, values: Ball) -> np.ndarray:
        """Which numbers are certainly below 0."""
        return np.asarray((values.mid < -values.rad).cpu().numpy(), dtype=bool)

    def may_be_zero(self, values: Ball) -> np.ndarray:
        """Which balls contain 0."""
        return np.asarray(values.contains_zero().cpu().numpy(), dtype=bool)

    def slopes(
        self, vertices: Indices, z: Ball, left: Ball, right: Ball
    ) -> tuple[Ball, np.ndarray]:
        """Where z cannot be told from 0 and the slopes differ, the hull of both: slope * z then
        still encloses the activation's value, whichever side the true z is on."""
        differ = (left.mid != right.mid) | (left.rad != right.rad)
        kinks = differ & z.contains_zero()
        slope = Ball.where((z.mid < 0) & ~kinks, left, right)
        hull = left.hull(right)
        return Ball.where(kinks, hull, slope), kinks.cpu().numpy()

    def smooth(self, kind: str, z: Ball) -> tuple[Ball, Ball]:
        """Value and derivative of tanh, softplus or sigmoid."""
        if kind == "tanh":
            twice = Ball(2 * z.mid, 2 * z.rad)  # exactly
            return tanh(z), sigmoid(twice) * sigmoid(-twice) * 4
        if kind == "softplus":
            return log1p_exp(z), sigmoid(z)
        if kind == "sigmoid":
            value = sigmoid(z)
            return value, value * sigmoid(-z)
        raise ValueError(f"unknown smooth activation {kind!r}: use tanh, softplus or sigmoid")

    def square_roots(self, squares: Sequence[Fraction]) -> Ball:
        """(k, 1): radius 0 where the root is a float64."""
        return self._ball(*enclosed_roots(squares))[:, None]

    def loss_derivative(self, loss: Loss, margins: Ball) -> Ball:
        """Enclosures of l'(z) for the losses of `numerics.losses` that are named there.

        Raises ValueError for another one (a prescribed loss: give its slopes to `array`).
        """
        if loss.name == "logistic":
            return -sigmoid(-margins)
        if loss.name == "exponential":
            return -exp(-margins)
        if loss.name == "squared":
            return (margins - 1) * 2
        if loss.name == "hinge":
            gap = margins - 1
            inside, outside = self.array([-1]), self.array([0])
            side = Ball.where(gap.mid < 0, inside, outside)
            return Ball.where(gap.contains_zero(), inside.hull(outside), side)
        raise ValueError(
            f"loss {loss.name!r} has no enclosure: use logistic, exponential, squared or hinge, "
            "or give the slopes themselves"
        )

    def _ball(self, mid: np.ndarray, rad: np.ndarray) -> Ball:
        return Ball(torch.from_numpy(mid).to(self.device), torch.from_numpy(rad).to(self.device))

    def _indices(self, index: Indices) -> torch.Tensor:
        return torch.from_numpy(np.asarray(index, dtype=np.int64)).to(self.device)
