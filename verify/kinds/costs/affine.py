"""The cost R(f; Omega, L) of affine functions x -> H x + e on convex hulls of points, from both
sides, at every depth.

Lower bounds, of every network of depth L with sigma_a, |a| <= 1, that is the function on Omega:
- `by_jacobian`: L sum_i s_i(H P_T)^(2/L), P_T the projection to the directions of Omega. (On a
  piece of Omega where all layers are affine the Jacobian along Omega is a product of L matrices and
  of diagonals of size at most 1; Horn's inequality and the means.)
- `by_folding`: where x, -x are in Omega and L >= 2. A neuron with weights w and bias b moves by p
  from -x to 0 and by q from 0 to x, p^2 + q^2 <= (1 + |a|) (w.x)^2 + (1 - |a|) b^2, with equality
  at b = 0 for a = 0: a neuron has a large slope on one side of 0 alone. So the two moves of the
  first layer have squares that sum to at most kappa |theta_1|^2, kappa the larger of 1 - |a| and
  (1 + |a|) |x|^2; the other layers must stretch one of them by at least the quotient of the sums,
  and the means give R >= L (2 |H x|^2 / kappa)^(1/L).
- `by_radius`: where 0 is in Omega. |alpha_l|^2 <= |theta_l|^2 (1 + |alpha_(l-1)|^2) at 0, so the
  cost is at least the least sum of u_l / (1 + u_(l-1)) with u_0 = 0, u_L = |e|^2: |e|^2 where that
  is at most 1, 2 |e| - 1 up to 4, at least 3 beyond.

Upper bounds, of explicit networks, each neuron rescaled:
- a constant by the last bias;
- `through_outputs`: the outputs, made positive by a shift that the last bias takes back;
- `through_inputs`: the inputs, likewise;
- `along_kernels`: for linear maps on completely positive domains, see `stacked`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from verify.kinds.costs.one_layer import least_norm
from verify.kinds.costs.stacked import is_acute, stacked_norm
from verify.kinds.deep.networks import Matrix


@dataclass(frozen=True)
class Bounds:
    """A number between two: lower <= number <= upper. None where nothing is known."""

    lower: Any
    upper: Any


@dataclass(frozen=True)
class Affine:
    """x -> H x + e on the convex hull of points.

    points: (N, n). linear: (q, n), H. shift: (q,), e. slope: a, inside [-1, 1]. free_end: whether
    the bias of the last layer is not counted (then at depth 2 and more).
    """

    points: Matrix
    linear: Matrix
    shift: Matrix
    slope: Any
    free_end: bool = False

    def end(self, bias: Matrix) -> Any:
        """What the bias of the last layer costs."""
        return rational(0) if self.free_end else square(bias)

    @property
    def values(self) -> Matrix:
        """(N, q): at the points."""
        return np.asarray(self.points @ self.linear.T + self.shift)

    @property
    def along(self) -> Matrix:
        """(q, n): H P_T, the derivative along the domain."""
        differences = (self.points[1:] - self.points[0]).T
        if differences.shape[1] == 0:
            return np.asarray(self.linear * rational(0))
        return np.asarray(self.linear @ reals.image_projection(differences))

    @property
    def on_span(self) -> Matrix:
        """(q, n): H P_V with V the span of the points; the same function there."""
        return np.asarray(self.linear @ reals.image_projection(self.points.T))

    @property
    def has_origin(self) -> bool:
        """Whether 0 is seen to be in the domain: a point, or between two opposite ones."""
        rows = [tuple(row) for row in self.points]
        return any(not any(row) or tuple(-v for v in row) in rows for row in rows)


def square(values: Matrix) -> Any:
    """The sum of the squares of all entries."""
    return (values * values).sum()


def largest(numbers: list[Any]) -> Any:
    """The largest; of numbers that are not told apart the first."""
    best = numbers[0]
    for number in numbers[1:]:
        best = number if number > best else best
    return best


def smallest(numbers: list[Any]) -> Any:
    """The smallest; None if there is none."""
    best = numbers[0] if numbers else None
    for number in numbers[1:]:
        best = number if number < best else best
    return best


def cost(function: Affine, depth: int) -> Bounds:
    """R of an affine function on a convex hull of points at a depth, from both sides."""
    if depth == 1:
        exact = least_norm(function.points, function.values)
        return Bounds(exact, exact)
    if rank(function.along) == 0:
        value = function.end(function.values[0])
        lower = by_radius(value) if function.has_origin else rational(0)
        return Bounds(lower, value)
    lower = largest([by_jacobian(function, depth), *by_folding(function, depth)])
    if function.has_origin and not function.free_end:
        lower = largest([lower, by_radius(square(function.shift))])
    above = [through_outputs(function, depth), through_inputs(function, depth)]
    above += along_kernels(function, depth)
    return Bounds(lower, smallest(above))


# below --------------------------------------------------------------------------------------------
def by_jacobian(function: Affine, depth: int) -> Any:
    """L sum_i s_i(H P_T)^(2/L)."""
    squares = reals.squared_singular_values(function.along)
    return sum((reals.power(s, Fraction(1, depth)) for s in squares), rational(0)) * depth


def folded_quotients(function: Affine) -> list[Any]:
    """2 |H x|^2 / kappa for each pair x, -x of points."""
    rows = [tuple(row) for row in function.points]
    size = abs(function.slope)
    found = []
    for place, row in enumerate(rows):
        if any(row) and tuple(-v for v in row) in rows[place + 1 :]:
            x = function.points[place]
            kappa = max((1 + size) * square(x), 1 - size)
            found.append(2 * square(function.linear @ x) / kappa)
    return found


def by_folding(function: Affine, depth: int) -> list[Any]:
    """L (2 |H x|^2 / kappa)^(1/L) for each pair x, -x of points, at depth 2 and more."""
    share = Fraction(1, depth)
    return [reals.power(value, share) * depth for value in folded_quotients(function)]


def by_radius(radius: Any) -> Any:
    """The bound by |f(0)|^2, see the module."""
    if radius <= 1:
        return radius
    return reals.sqrt(radius) * 2 - 1 if radius <= 4 else rational(3)


# above --------------------------------------------------------------------------------------------
def _positive_shift(columns: Matrix) -> Matrix:
    """(n,): what makes each coordinate of points (N, n) at least 0."""
    zero = rational(0)
    found = np.empty(columns.shape[1], dtype=object)
    for j in range(columns.shape[1]):
        found[j] = max([zero, *(-value for value in columns[:, j])])
    return found


def output_chains(function: Affine) -> tuple[list[Any], Any]:
    """Of `through_outputs`: the squares of the products along the chains that are not 0, and
    |b_L|^2."""
    shift = _positive_shift(function.values)
    squares = (function.linear**2).sum(axis=1) + (function.shift + shift) ** 2
    return [value for value in squares if value != 0], function.end(shift)


def input_chains(function: Affine) -> tuple[list[Any], Any]:
    """Of `through_inputs`: likewise."""
    shift = _positive_shift(function.points)
    squares = (function.linear**2).sum(axis=0) * (1 + shift**2)
    last = function.shift - function.linear @ shift
    return [value for value in squares if value != 0], function.end(last)


def _chains(squares: list[Any], last: Any, depth: int) -> Any:
    share = Fraction(1, depth)
    return sum((reals.power(value, share) for value in squares), rational(0)) * depth + last


def through_outputs(function: Affine, depth: int) -> Any:
    """q chains of L layers: the first has the rows of H and e + s, the last bias is -s."""
    return _chains(*output_chains(function), depth)


def through_inputs(function: Affine, depth: int) -> Any:
    """n chains of L layers: the first has x_j + s_j, the last the columns of H and e - H s."""
    return _chains(*input_chains(function), depth)


def along_kernels(function: Affine, depth: int) -> list[Any]:
    """The network of completely positive kernels, where the rank is at most 2 and all angles are
    at most right; e by the last bias. For rank 1 a chain: L (s^2)^(1/L)."""
    linear = function.on_span
    if not is_acute(function.points, linear):
        return []
    if rank(linear) == 1:
        chain = reals.power(square(linear), Fraction(1, depth)) * depth
        return [chain + function.end(function.shift)]
    return [stacked_norm(linear, depth) + function.end(function.shift)]
