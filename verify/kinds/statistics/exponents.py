"""Exponents: by which power of the width a quantity grows or falls, told apart from its rivals.

A claim of this kind names, before anything is drawn, the exponent that the print predicts and the
exponents that compete with it; the border to each is the midpoint. How many seeds are drawn, along
which widths, and on which side of a border a slope lies, is the business of
verify.methods.exponents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

FIRST = 16  # seeds before the first look
LEAST = 8  # seeds of an interval
LONGEST = 12  # widths of a ladder at most
SLOWEST = Fraction(-1, 8)  # of what tends to 0 at a rate that is not printed: told down to this

Values = Callable[[int, int, np.random.Generator], Mapping[str, np.ndarray]]
"""Of a width, a number of seeds S and a generator: by name, (S,) positive float64 values. Seeds are
independent of each other."""


@dataclass(frozen=True)
class Family:
    """One family of networks, or of whatever has a width.

    name: in words. ladders: increasing widths, at least three, for the scales 0 (seconds), 1 (CI)
    and 2 (full). values: what is measured. shared: where it is not "", all families of this key
    measure the same, so that claims share what is drawn, and it is kept on disk.
    """

    name: str
    ladders: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    values: Values
    shared: str = ""

    def __post_init__(self) -> None:
        for ladder in self.ladders:
            if len(ladder) < 3 or list(ladder) != sorted(set(ladder)) or ladder[0] < 2:
                raise ValueError(f"{self.name}: three increasing widths from 2 on, not {ladder}")
            if len(ladder) > LONGEST:
                raise ValueError(f"{self.name}: {len(ladder)} widths, at most {LONGEST}")


@dataclass(frozen=True)
class Predicted:
    """What is said of one quantity.

    quantity: as in the values. exponent: the print's. above, below: the competing exponents on
    either side, None where the statement is not bounded on that side. tends_to_zero: whether the
    print says no more than that it tends to 0; then the exponent is the slowest that is still told.
    along: whether the print says it of widths such as those at hand, so that a slope beyond a
    border contradicts it. Bounds up to constants or logarithms, and limits, are not said of any
    widths: a slope beyond a border leaves them open. None is contradicted unless its claim says so.
    """

    quantity: str
    exponent: Fraction
    above: Fraction | None = None
    below: Fraction | None = None
    tends_to_zero: bool = False
    along: bool = False

    def __post_init__(self) -> None:
        if self.above is None and self.below is None:
            raise ValueError(f"{self.quantity}: nothing competes with the exponent {self.exponent}")
        if self.along and (self.above is None or self.below is None):
            raise ValueError(f"{self.quantity}: a bound from one side is not said of some widths")
        if self.above is not None and not self.exponent < self.above:
            raise ValueError(f"{self.quantity}: {self.above} is not above {self.exponent}")
        if self.below is not None and not self.below < self.exponent:
            raise ValueError(f"{self.quantity}: {self.below} is not below {self.exponent}")

    @property
    def borders(self) -> tuple[Fraction | None, Fraction | None]:
        """The lower and the upper one, None where there is none."""
        ends = (self.below, self.above)
        low, high = (None if end is None else (self.exponent + end) / 2 for end in ends)
        return low, high

    def holds(self, low: float, high: float) -> bool | None:
        """Whether an interval for the slope lies between the borders (True), beyond one of them
        (False), or across (None)."""
        left, right = self.borders
        if (left is not None and high < left) or (right is not None and low > right):
            return False
        inside = (left is None or low > left) and (right is None or high < right)
        return True if inside else None

    def text(self) -> str:
        """What is predicted, and against what, in words."""
        rivals = [str(end) for end in (self.below, self.above) if end is not None]
        if self.tends_to_zero:
            return f"tends to 0, told from {' and '.join(rivals)} down to exponent {self.exponent}"
        side = "" if len(rivals) == 2 else "at most " if self.below is None else "at least "
        return f"{side}{self.exponent} against {' and '.join(rivals)}"


def vanishing(quantity: str, slowest: Fraction = SLOWEST) -> Predicted:
    """That a quantity tends to 0, at whatever rate: the border lies between 0 and the slowest rate
    that is still told.

    >>> vanishing("norm").borders
    (None, Fraction(-1, 16))
    """
    return Predicted(quantity, slowest, above=Fraction(0), tends_to_zero=True)


@dataclass(frozen=True)
class Contrast:
    """A family that meets all hypotheses of a claim but one.

    hypothesis: the name of that one. how: in which way the family violates it, in words.
    """

    family: Family
    hypothesis: str
    how: str


@dataclass(frozen=True)
class Exponents:
    """What is measured along ladders of widths.

    families: by scale. predicted: of each quantity of each family. most: seeds of a family at
    most, by scale. scope: what the families share, in words. contrasts: by scale, families that
    violate one hypothesis each, of which the verdict does not depend.
    """

    families: Callable[[int], Sequence[Family]]
    predicted: tuple[Predicted, ...]
    most: tuple[int, int, int] = (16, 32, 128)
    scope: tuple[str, ...] = ()
    contrasts: Callable[[int], Sequence[Contrast]] | None = None

    def __post_init__(self) -> None:
        if not self.predicted:
            raise ValueError("nothing is predicted")
        if min(self.most) < LEAST:
            raise ValueError(f"an interval needs at least {LEAST} seeds")
