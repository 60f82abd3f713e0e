"""Numbers that carry their derivative by time; the rules of differentiation are theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .enclosures import Number

ZERO = 0


@dataclass(frozen=True, slots=True, eq=False)
class Moving:
    """A number and its derivative by time."""

    value: Number
    speed: Number

    def __add__(self, other: Moving | Number) -> Moving:
        return Moving(self.value + still(other), self.speed + speed(other))

    def __neg__(self) -> Moving:
        return Moving(-self.value, -self.speed)

    def __sub__(self, other: Moving | Number) -> Moving:
        return self + -other

    def __rsub__(self, other: Number) -> Moving:
        return -self + other

    def __mul__(self, other: Moving | Number) -> Moving:
        x, y = self.value, still(other)
        return Moving(x * y, self.speed * y + x * speed(other))

    __radd__ = __add__
    __rmul__ = __mul__


def still(value: Any) -> Any:
    """A value of any sort without its derivatives."""
    if isinstance(value, Moving):
        return value.value
    return type(value)(map(still, value)) if isinstance(value, tuple) else value


def speed(value: Any) -> Any:
    """The derivative of a number, a vector or a matrix."""
    if isinstance(value, Moving):
        return value.speed
    return type(value)(map(speed, value)) if isinstance(value, tuple) else ZERO


def moves(value: Any) -> bool:
    """Whether a value carries a derivative anywhere."""
    return any(map(moves, value)) if isinstance(value, tuple) else isinstance(value, Moving)
