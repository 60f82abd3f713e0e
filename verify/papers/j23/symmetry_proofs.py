"""Exact arguments for section 5, in any dimension.

At E = 0 every vector that occurs is a combination x v + y w, and every number a polynomial in the
products V = v.v, s = v.w, W = w.w and the step eta. So a claim is an identity of polynomials in V,
s, eta (W = 1 where |w| = 1 is supposed), whatever d is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verify.argument import Argument, Step

IN_THE_PLANE = (
    "at E = 0 all vectors are combinations of v and w, in every dimension, and the numbers "
    "measured are polynomials in the products of v and w and the step"
)
UNIT, NOISELESS, ROTATION = "unit vector", "no noise", "rotation about w"


@dataclass(frozen=True)
class Vector:
    """x v + y w."""

    x: Any
    y: Any

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def times(self, factor: Any) -> Vector:
        """A multiple."""
        return Vector(self.x * factor, self.y * factor)


@dataclass(frozen=True)
class Plane:
    """The products of v and w: V, s, W, and the step."""

    square: Any
    across: Any
    axis: Any
    eta: Any
    one: Any

    @property
    def v(self) -> Vector:
        """v."""
        return Vector(self.one, 0 * self.one)

    @property
    def w(self) -> Vector:
        """w."""
        return Vector(0 * self.one, self.one)

    def dot(self, a: Vector, b: Vector) -> Any:
        """The product of two vectors."""
        mixed = a.x * b.y + a.y * b.x
        return a.x * b.x * self.square + mixed * self.across + a.y * b.y * self.axis

    def gradient(self, v: Vector) -> Vector:
        """4 (v v^T - w w^T) v."""
        return (v.times(self.dot(v, v)) + self.w.times(-self.dot(v, self.w))).times(4)

    def stepped(self, v: Vector) -> Vector:
        """v after a step."""
        return v + self.gradient(v).times(-self.eta)

    def statistics(self, v: Vector) -> tuple[Any, Any]:
        """(w.v)^2 and |v - (w.v) w|^2."""
        along = self.dot(self.w, v)
        rest = v + self.w.times(-along)
        return along * along, self.dot(rest, rest)

    def cost(self, v: Vector) -> Any:
        """|v v^T - w w^T|^2 = tr (v v^T - w w^T)^2, by tr(a b^T c d^T) = (b.c) (d.a)."""
        terms = ((v, v, self.one), (self.w, self.w, -self.one))
        return sum(
            p * q * self.dot(b, c) * self.dot(d, a) for a, b, p in terms for c, d, q in terms
        )


def plane(*, unit: bool = True) -> Plane:
    """With symbols for V, s, eta, and for W where |w| = 1 is not supposed."""
    from sympy import QQ
    from sympy.polys.rings import ring

    made, square, across, axis, eta = ring("V, s, W, eta", QQ)
    return Plane(square, across, made.one if unit else axis, eta, made.one)


def _argument(summary: str, steps: list[Step], measure: str, uses: tuple[str, ...]) -> Argument:
    return Argument(summary, tuple(steps), (IN_THE_PLANE,), measure, uses, section=30)


def split() -> Argument:
    """Length and statistics."""
    p = plane()
    along, rest = p.statistics(p.v)
    steps = [Step("V - s^2 - |v - s w|^2 is the polynomial 0 in V and s", p.square == along + rest)]
    return _argument("expansion in v.v, v.w with w.w = 1.", steps, "split", (UNIT,))


def rotation() -> Argument:
    """The step from Q v has the coefficients of the step from v, in Q v and w = Q w."""
    from sympy import QQ
    from sympy.polys.rings import ring

    made, square, across, axis, eta, turned, leaning = ring("V, s, W, eta, R, t", QQ)
    here = Plane(square, across, axis, eta, made.one)
    there = Plane(turned, leaning, axis, eta, made.one)  # r = Q v: R = r.r, t = r.w
    step, other = here.stepped(here.v), there.stepped(there.v)
    same = [(turned, square), (leaning, across)]  # Q v.Q v = v.v and Q v.w = Q v.Q w = v.w
    steps = [
        Step(
            f"with R = V and t = s the coefficient of {name} is the same",
            theirs.compose(same) == ours,
        )
        for name, ours, theirs in (
            ("Q v as of v", step.x, other.x),
            ("w = Q w", step.y, other.y),
        )
    ]
    return _argument(
        "a step from v is x v + y w with x, y polynomials in v.v, v.w, w.w and eta, which Q keeps.",
        steps,
        "equivariance",
        (NOISELESS, ROTATION),
    )


def statistics() -> Argument:
    """The two statistics after a step."""
    p = plane()
    along, rest = p.statistics(p.v)
    after = p.statistics(p.stepped(p.v))
    square = along + rest
    first, second = 1 - 4 * p.eta * (square - 1), 1 - 4 * p.eta * square
    steps = [
        Step("(w.v')^2 = u1 (1 - 4 eta (u1 + u2 - 1))^2", after[0] == along * first**2),
        Step("|v' - (w.v') w|^2 = u2 (1 - 4 eta (u1 + u2))^2", after[1] == rest * second**2),
    ]
    return _argument(
        "both sides are polynomials in v.v, v.w and eta.",
        steps,
        "self_consistency",
        (UNIT, NOISELESS),
    )


def evolution(which: str) -> Argument:
    """The rate of a statistic along the flow."""
    p = plane()
    before = p.statistics(p.v)
    right = -8 * (p.square - 1) * before[0] if which == "along" else -8 * p.square * before[1]
    velocity = p.gradient(p.v).times(-p.one)
    along, speed = p.dot(p.w, p.v), p.dot(p.w, velocity)
    across, moving = p.v + p.w.times(-along), velocity + p.w.times(-speed)
    found = 2 * along * speed if which == "along" else 2 * p.dot(across, moving)
    return _argument(
        "both sides are polynomials in v.v and v.w.",
        [Step(f"the derivative along -grad C is {right}", found == right)],
        f"flow_rate(which='{which}')",
        (UNIT, NOISELESS),
    )


def loss() -> Argument:
    """The cost."""
    p = plane()
    right = p.square**2 - 2 * p.across**2 + 1
    steps = [Step("tr (v v^T - w w^T)^2 = V^2 - 2 s^2 + 1", p.cost(p.v) == right)]
    return _argument(
        "traces of products of rank-one matrices.", steps, "cost_residual", (UNIT, NOISELESS)
    )


def factor() -> Argument:
    """The costs along the descent, as functions of the two statistics."""
    return Argument(
        "the statistics evolve by themselves, and the cost is (u1 + u2)^2 - 2 u1 + 1.",
        (*statistics().steps, *loss().steps, *split().steps),
        (IN_THE_PLANE, "for every T by induction on the steps: computed for one step"),
        "factored",
        (UNIT, NOISELESS),
        section=30,
    )
