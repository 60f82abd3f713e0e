"""Measures to make mutants of, whose mutants can be counted by hand."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

HALF = Fraction(1, 2)


def scaled(x, factor):
    """factor x + 1/2."""
    return factor * x + HALF


def cubed(x, *, power=3, shift=0):
    """x to a power, less a number, which a helper scales."""
    return scaled(x**power, 2) - [x, x + 1][shift]


def falling(x):
    """x (x - 1) ... 1, by calling itself."""
    return 1 if x <= 1 else x * falling(x - 1)


@cache
def remembered(x):
    """x + 7."""
    return x + 7


def through_cache(x):
    """2 (x + 7)."""
    return 2 * remembered(x)


@dataclass(frozen=True)
class Line:
    """A line with a slope."""

    slope: int

    def at(self, x):
        """slope x - 4."""
        return self.slope * x - 4


def along(line):
    """A measure that holds data with a method."""
    return lambda x: line.at(x) + 5


on_line = along(Line(3))
first, second = (lambda x: x + 1), (lambda x: x * 3)
given = partial(cubed, shift=1)


def spread(xs, y, left, right):
    """Whether all but the first exceed y, and what else there is to change."""
    return all(x > y for x in xs[1:]) and xs.max() and left @ right


def endless(x):
    """Halved until it is below 1."""
    while x >= 1:
        x = x / 2
    return x


def joined():
    """A list in its order."""
    start = [1]
    return start + [2, 3]  # noqa: RUF005 - a sum is what a rewrite turns round
