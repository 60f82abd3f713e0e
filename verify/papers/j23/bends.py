"""Domains of two pieces, c + s y and c + s z, 0 <= s <= 1 or s >= 0, and R^(1) of the identity.

Below, on bounded ones (and half-lines), where R^(0) = k, the dimension of a piece:
- by the distance d of a piece's line to 0: a layer with |W|^2 = |W t|^2 + |W_rest|^2 (t the
  direction of the line before it) moves the distance to at most sqrt(|W_rest|^2 + |b|^2) sqrt(1 +
  d^2), and sigma enlarges it nowhere. So R >= L k + sum_l d_l^2 / (1 + d_(l-1)^2), whose limit is
  that of the radius bound of verify.papers.j23.affine_costs: to stay bounded some d_l tends to 0;
- by the angle: 1 + |sin| for two lines (the bound of Proposition 12 at its minimum, see `angle`);
- by folding, where x and -x are in the domain, on a line through 0. A neuron of the first layer is
  bent between x and -x, or has b^2 >= (w.x)^2. With M_+, M_- the Gram matrices of the first
  Jacobian at x and -x, R - L k >= |theta_1|^2 - k - (log det M_+ + log det M_-) / 2, at least
  |theta_1|^2 - k - log det N for their mean N, and |theta_1|^2 >= Tr G N with G = 1 + (m - 1) times
  the projection to x, m = min(1 + |x|^2, 2 / (1 + a^2)): so R^(1) >= log m. For k = 1 there is
  log(2 |x|^2 / kappa) too (verify.papers.j23.affine_costs).
Zero from above: on a ray from 0 one chain of ones.

The domain may be multiplied by a box [0, 1]^extra in coordinates of its own: k grows by as much,
the bounds stay (by symmetry in these coordinates W W^T may be taken without mixed terms).

Two rays from 0 of different directions, c = 0: R = 2 L, by the area between the ends (see domains)
and by the network whose first layer has the two directions. So R^(0) = 2, R^(1) = 0, while k = 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealTensors
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.deep.changes import SLOPES
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.rows import exact, number

SLOPE = replace(BREAKABLE, break_=None)  # the bounds are for slopes inside (-1, 1)
SHAPE = (
    r"$\Omega$ is made of $c+sy$ and $c+sz$ with $0\le s\le1$, or with all $s\ge0$ if rays is $1$, "
    r"times $[0,1]^{\mathrm{extra}}$"
)


@dataclass(frozen=True)
class Bend:
    """Two pieces from a corner, times a box. corner, one, other: (n,). rays: whether s >= 0 is
    unbounded. extra: the dimension of the box."""

    corner: Matrix
    one: Matrix
    other: Matrix
    slope: Any
    rays: bool
    extra: int = 0

    @property
    def pieces(self) -> list[Matrix]:
        """The directions that are not 0."""
        return [piece for piece in (self.one, self.other) if piece.any()]

    @property
    def dimension(self) -> int:
        """Of a piece, without the box; with it k, the rank of the identity in both senses."""
        return int(bool(self.pieces))

    @property
    def generators(self) -> Matrix:
        """(3, n): vectors whose cone is that of the domain."""
        c, y, z = self.corner, self.one, self.other
        return np.stack([c, y, z] if self.rays else [c, c + y, c + z])

    @property
    def planar(self) -> bool:
        """Whether the span has dimension k."""
        return rank(self.generators) == self.dimension

    @property
    def linearly_positive(self) -> bool:
        """Printing B: a linear isometry into an orthant. Of three vectors without obtuse angles the
        Gram matrix is completely positive."""
        return bool((self.generators @ self.generators.T >= 0).all())

    @property
    def sine_squared(self) -> Any:
        """Of the angle between the two lines; 0 where there is one."""
        if len(self.pieces) < 2:
            return rational(0)
        y, z = self.one, self.other
        squares = (y * y).sum() * (z * z).sum()
        return 1 - (y * z).sum() ** 2 / squares

    @property
    def half_line(self) -> bool:
        """Whether all of it goes into one direction from the corner."""
        inner = (self.one * self.other).sum()
        return len(self.pieces) < 2 or (self.sine_squared == 0 and inner > 0)

    @property
    def spread(self) -> bool:
        """Whether both ends are known to cost two neurons a layer: two rays from 0 apart."""
        inner = (self.one * self.other).sum()
        steep = self.slope == 0 or (self.slope < 0 and inner >= 0)
        apart = self.rays and not self.half_line and not self.extra
        return apart and not self.corner.any() and steep

    @property
    def costs_its_dimension(self) -> bool:
        """Whether R^(0) = k."""
        return not self.rays or self.half_line


def bend(case: Tensors) -> Bend:
    """The domain of a case."""
    c, y, z = (exact(case, name) for name in "cyz")
    return Bend(c, y, z, number(case, "a"), case.whole("rays") == 1, case.whole("extra"))


def largest(numbers: list[Any]) -> Any:
    """The largest; of numbers that are not told apart the first."""
    best = numbers[0]
    for one in numbers[1:]:
        best = one if one > best else best
    return best


def by_radius(radius: Any) -> Any:
    """The bound on a cost by |f(0)|^2, see verify.papers.j23.affine_costs."""
    if radius <= 1:
        return radius
    return reals.sqrt(radius) * 2 - 1 if radius <= 4 else rational(3)


def offset(on: Bend, piece: Matrix) -> Any:
    """The squared distance to 0 of the line of a piece."""
    c = on.corner
    return (c * c).sum() - (c * piece).sum() ** 2 / (piece * piece).sum()


def offsets(on: Bend) -> list[Any]:
    """Of each line; of a point its own."""
    if not on.pieces:
        return [(on.corner * on.corner).sum()]
    return [offset(on, piece) for piece in on.pieces]


def fold(on: Bend) -> Any:
    """What the first layer must pay for x and -x on a line through 0, x as large as can be, as e to
    the larger bound of the module; 1 if there is no such x."""
    if not on.pieces or on.sine_squared != 0 or any(offsets(on)):
        return rational(1)
    unit = on.pieces[0]
    size = (unit * unit).sum()
    places = [(on.corner * unit).sum() / size]
    places += [places[0] + (piece * unit).sum() / size for piece in on.pieces]
    low, high = min(places), max(places)
    if on.rays:  # a half-line: its far end lies at infinity
        low, high = (low, -low) if places[-1] > places[0] else (-high, high)
    reach = min(-low, high)
    if reach <= 0:
        return rational(1)
    square, slope = reach * reach * size, abs(on.slope)
    both = min(1 + square, 2 / (1 + slope * slope))
    if on.extra:
        return both
    return max(both, 2 * square / max((1 + slope) * square, 1 - slope))


def angle(on: Bend) -> Any:
    """log(1 + |sin|), the minimum over W of |W|^2 - 1 + max over both tangents t of
    2 log |W^+ t|: by symmetry W W^T has the bisectors as eigenvectors, with m and 1 - m, and
    cos^2 / m + sin^2 / (1 - m) at half the angle is least at (cos + sin)^2."""
    return reals.log(reals.sqrt(on.sine_squared) + 1)


def vanishes(on: Bend) -> bool | None:
    """Whether R^(1)(id) is 0; None where the bounds do not tell. In rationals."""
    if on.spread:
        return True
    if not on.costs_its_dimension:
        return None
    if on.planar and on.linearly_positive:
        return True
    positive = any(offsets(on)) or on.sine_squared > 0 or fold(on) > 1
    return False if positive else None


def lower(on: Bend, *, by_angle: bool = True) -> Any:
    """A number that R^(1)(id) is not below; None where nothing is known. by_angle: whether the
    bound of Proposition 12 is among what it rests on."""
    if on.spread:
        return rational(0)
    if not on.costs_its_dimension:
        return None
    found = [rational(0), *(by_radius(value) for value in offsets(on)), reals.log(fold(on))]
    return largest([*found, angle(on)] if by_angle else found)


def _set(case: Tensors, name: str, value: int) -> Tensors:
    return case.changing(**{name: Tensor((), (), (Fraction(value),), integer=True)})


# making cases -------------------------------------------------------------------------------------
def _with(case: Tensors, **vectors: tuple[Fraction, ...]) -> Tensors:
    return case.changing(
        **{name: replace(case.arrays[name], entries=entries) for name, entries in vectors.items()}
    )


RELU = 0.5  # of the cases get a new slope, half of them 0
PLAIN = 0.6  # of the cases have no box
ARRANGEMENTS = (
    "as it comes",
    "corner at 0",
    "corner at 0",
    "straight",
    "straight through 0",
    "one way",
    "ray from 0",
    "right angle",
    "right angle at 0",
)


def arranged(case: Tensors, random: Random) -> RealTensors:
    """A slope inside (-1, 1), and one of some arrangements."""
    if not -1 < case.number("a") < 1 or random.random() < RELU:
        slope = random.choice((Fraction(0), random.choice(SLOPES)))
        case = case.changing(a=Tensor((), (), (slope,)))
    for name, most in (("rays", 1), ("extra", 2)):
        if not 0 <= case.whole(name) <= most:
            case = _set(case, name, 0)
    if random.random() < PLAIN:
        case = _set(case, "extra", 0)
    how = random.choice(ARRANGEMENTS)
    c, y, z = (case.arrays[name].entries for name in "cyz")
    size = Fraction(random.randint(1, 3))
    if "0" in how:
        c = tuple(Fraction(0) for _ in c)
    if how in ("straight", "straight through 0"):
        z = tuple(-size * v for v in y)
    if how in ("one way", "ray from 0"):
        z = tuple(size * v for v in y)
    if how.startswith("right angle") and len(y) > 1:
        z = (-y[1], y[0], *(Fraction(0) for _ in y[2:]))
    if how == "one way":
        c = tuple(random.choice((-1, 1)) * v for v in y)
    case = _with(case, c=c, y=y, z=z)
    return RealTensors(case.arrays, case.choice, case.family)


POOL = TensorPool(
    (("c", ("n",)), ("y", ("n",)), ("z", ("n",)), ("a", ())),
    integers=(("rays", 0, 1), ("extra", 0, 2)),
    largest=3,
    adapt=arranged,
)


# hypotheses ---------------------------------------------------------------------------------------
def _turned(y: tuple[Fraction, ...], random: Random) -> tuple[Fraction, ...]:
    """Opposite, or at a right angle in the first two coordinates."""
    if len(y) < 2 or not any(y[:2]) or random.random() < 0.5:
        return tuple(-v for v in y)
    return (-y[1], y[0], *(Fraction(0) for _ in y[2:]))


def _spread(case: Tensors, random: Random) -> Tensors:
    """Two rays from 0, not of one direction; ReLU."""
    y = case.arrays["y"].entries
    if not any(y):
        y = (Fraction(1), *y[1:])
    nothing = tuple(Fraction(0) for _ in y)
    case = _with(case, c=nothing, y=y, z=_turned(y, random), a=(Fraction(0),))
    return _set(_set(case, "extra", 0), "rays", 1)


BOUNDED = Hypothesis(
    "bounded domain",
    r"$\Omega$ is bounded: rays is $0$",
    by_case(lambda case: case.whole("rays") == 0),
    lambda case, random: _set(case, "rays", 0),
    _spread,
)


def _on_a_ray(case: Tensors, random: Random) -> Tensors:
    """c and z are multiples of y, at least 0."""
    if vanishes(bend(case)) is True:
        return case
    y = case.arrays["y"].entries
    size = Fraction(random.randint(0, 3))
    return _with(case, c=tuple(size * v for v in y), z=tuple(2 * v for v in y))


def _off(case: Tensors, random: Random) -> Tensors:
    """The corner is moved, or a piece is turned."""
    case = _set(case, "rays", 0)
    if random.random() < 0.5:
        return _with(case, z=_turned(case.arrays["y"].entries, random))
    c = [v + random.choice((-1, 1)) for v in case.arrays["c"].entries]
    return _with(case, c=tuple(c))


VANISHES = Hypothesis(
    "first correction 0",
    r"$R^{(1)}(id;\Omega)=0$",
    by_case(lambda case: vanishes(bend(case)) is True),
    _on_a_ray,
    _off,
)
TWO = Hypothesis(
    "two pieces",
    r"$y\ne0$ and $z\ne0$",
    by_case(lambda case: len(bend(case).pieces) == 2),
)
