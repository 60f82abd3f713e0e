"""The value of a constant at which a case has slack 0.

Between the value as printed, where the slack of an entry is at least 0, and another one, where it
is below 0, lies the critical value: no better constant can stand in the claim. Where the slack is
an affine function of the constant, as of a factor, it is one division.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.errors import NotRationalError
from verify.core.claim import Claim
from verify.search.constants.constant import Constant
from verify.search.constants.slacks import UNTOLD, Look, Sample, Scores, exact_view, floats
from verify.search.judging import View

CHORDS = 8
TIES = 3  # entries of a case that are looked at exactly, of those with about the same value
CLOSE = 1e-9
NEAR = 1e-6  # a value found by one chord is taken where the slack changes its sign so near to it
HALVINGS = 30
FALLS = (1, 2, 4, 10, 20)  # powers of 1/2: where a slack that touches 0 is looked at again
LONG = 10**12  # numbers on the way to a critical value have about so many different digits
LONGEST = 2_000  # bits of a value that is tried as it is, in case the slack is affine
BITS = 200_000  # of a slack; a longer one is not worked with
NUDGE = 10**9  # what share of the way a chord is shortened
DENOMINATORS = 1000  # of what counts as a simple number


class TooLongError(ArithmeticError):
    """A slack has too many digits for a critical value to be worked out."""


def distances_in(sample: Sample, constant: Constant, far: Fraction) -> Scores:
    """Cases seen by how far the constant can go from its printed value towards `far`, about (as if
    slacks were affine in it); infinite where they do not limit it."""
    here, there = sample.printed, sample.slacks(constant, far)
    share = np.full(len(sample.owner), UNTOLD)
    if there is not None:
        start = np.maximum(here.values, 0.0)
        broken = np.isfinite(here.values) & (there < 0)
        share[broken] = start[broken] / (start[broken] - there[broken])
    reach = float(abs(far - constant.printed))
    return Scores(sample.least(share * reach), sample.violated(here))


def refined(sample: Sample, constant: Constant, far: Fraction) -> float:
    """How far the constant can go in a sample, where slacks need not be affine in it; in floats."""
    printed, way = constant.printed, 1 if far > constant.printed else -1

    def broken(reach: float) -> bool:
        slacks = sample.slacks(constant, printed + way * Fraction(reach))
        return slacks is None or bool((slacks < 0).any())

    reach = float(distances_in(sample, constant, far).score.min())
    if not broken(reach * (1 - NEAR)) and broken(reach * (1 + NEAR)):
        return reach
    low, high = 0.0, float(abs(far - printed))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if broken(middle) else (middle, high)
    return low


def distances(claim: Claim, constant: Constant, far: Fraction, device: str) -> Look:
    """The same for any cases."""

    def look(cases: Sequence[Any]) -> Scores:
        return distances_in(Sample(claim, cases, device), constant, far)

    return look


@dataclass(frozen=True)
class Critical:
    """Where a case's slack is 0.

    value: the constant. exact: whether the slack there is exactly 0; else `value` is the last one
    that was seen not to be contradicted, and the true one lies close behind it, or, of whole
    numbers, before the next one. trivial: whether both sides of the entry are 0 as printed.
    """

    value: Fraction
    exact: bool
    case: Any
    trivial: bool

    def equals(self, other: Critical) -> bool:
        """Whether another case shows the same."""
        one, two = ((c.value, c.exact, c.trivial) for c in (self, other))
        return one == two


def exactly(constant: Constant, case: Any, far: Fraction) -> Critical | None:
    """The critical value of a case that is violated at `far`; None where it is not."""
    here = exact_view(constant.changed(constant.printed), case)
    if here is None:
        return None
    slacks = _Slacks(constant, here)
    printed, there = here.entries.values, slacks.at(far)
    if len(there) != len(printed):
        return None
    start, end = floats(printed), floats(there)
    good = here.admitted & np.isfinite(start) & (end < 0)
    if not good.any():
        return None
    start = np.where(good, np.maximum(start, 0.0), 0.0)
    share = np.where(good, start / (start - np.where(good, end, -1.0)), UNTOLD)
    first = [int(k) for k in np.flatnonzero(share <= share.min() * (1 + CLOSE))[:TIES]]
    found = [(*slacks.zero(k, (constant.printed, printed[k]), (far, there[k])), k) for k in first]
    value, exact, k = min(found, key=lambda one: (abs(one[0] - constant.printed), not one[1]))
    return Critical(value, exact, case, _trivial(here, k))


def _trivial(seen: View, k: int) -> bool:
    left = seen.entries.left
    return left is not None and bool(left[k] == 0) and bool(seen.entries.values[k] == 0)


Point = tuple[Fraction, Any]  # a value of the constant, and the slack there


@dataclass(frozen=True)
class _Slacks:
    """The exact slacks of one case as functions of the constant."""

    constant: Constant
    seen: View

    def at(self, value: Fraction) -> Any:
        """(K,): the slacks of all entries."""
        measure = self.constant.changed(value).measure
        assert measure is not None, "a constant of a claim without measure"
        return measure(self.seen.scene).values

    def one(self, value: Fraction, k: int) -> Any:
        """The slack of entry k. Raises TooLongError, also where there is none."""
        slacks = self.at(value)
        if len(slacks) != len(self.seen.entries.values):
            raise TooLongError("an entry has no slack beside the printed value")
        return _bounded(slacks[k])

    def zero(self, k: int, good: Point, bad: Point) -> tuple[Fraction, bool]:
        """Where the slack of entry k is 0, between a value at which it is not below 0 and one at
        which it is, and whether exactly. Of a constant of which only integers make sense, the last
        one before the violation."""
        if good[1] <= 0:
            return self._last(k, good, bad)
        if self.constant.whole:
            return bad[0] - (1 if bad[0] > good[0] else -1), False
        chord = _chord((good[0], _bounded(good[1])), (bad[0], _bounded(bad[1])))
        told = isinstance(chord, Fraction) and _length(chord) <= LONGEST
        if told and self.one(Fraction(chord), k) == 0:  # an affine slack
            return Fraction(chord), True
        for _ in range(CHORDS):
            if abs(bad[0] - good[0]) * 10**12 < abs(bad[0]):
                break
            guess = Fraction(_chord(good, bad))
            short = shortened(guess + (good[0] - guess) / NUDGE)  # so that both ends move
            middle = shortened((good[0] + bad[0]) / 2)
            for value in (*_simple(guess), short, middle):
                slack = self.one(value, k)
                if slack == 0:
                    return value, True
                low, high = sorted((good[0], bad[0]))
                if low < value < high:
                    good, bad = ((value, slack), bad) if slack > 0 else (good, (value, slack))
        return good[0], False

    def _last(self, k: int, good: Point, bad: Point) -> tuple[Fraction, bool]:
        """The last value at which the slack, 0 or below at `good`, is not below 0: `good` itself
        where the slack falls at once, as an affine one does; else not exactly."""
        start, span = good[0], bad[0] - good[0]
        if good[1] < 0 or self.constant.directly is not None:
            return start, bool(good[1] == 0)
        whole = self.constant.whole
        steps = range(1, int(abs(span))) if whole else ()
        ahead = [start + step * (1 if span > 0 else -1) for step in steps]
        ahead = ahead if whole else [start + span / 2**j for j in reversed(FALLS)]
        held = [value for value in ahead if not self.one(value, k) < 0]
        if not held:
            return start, True
        low, high = held[-1], bad[0]
        for _ in range(0 if whole else HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.one(middle, k) < 0 else (middle, high)
        return low, False


def _chord(good: Point, bad: Point) -> Fraction | float:
    """Where the chord between two points is 0; a float where the slacks are irrational."""
    span = bad[0] - good[0]
    try:
        start, end = as_fraction(good[1]), as_fraction(bad[1])
        return good[0] + start / (start - end) * span
    except NotRationalError:
        one, other = float(good[1]), float(bad[1])
        return float(good[0]) + one / (one - other) * float(span)


def _simple(guess: Fraction) -> list[Fraction]:
    """The guess, shortened, and a simple number where one is beside it."""
    plain = guess.limit_denominator(DENOMINATORS)
    close = abs(plain - guess) <= Fraction(1, 10**5) * max(abs(guess), Fraction(1))
    guess = shortened(guess)
    return list(dict.fromkeys([plain, guess] if close else [guess]))


def shortened(value: Fraction) -> Fraction:
    """A number with few digits that differs from `value` by about a share 1 / LONG of it at most.
    Slacks may take high powers of a constant: each digit of it costs many.

    >>> shortened(Fraction(10**40 + 1, 3 * 10**40))
    Fraction(1, 3)
    """
    if abs(value) >= LONG:
        return Fraction(round(value))
    small = 1 if abs(value) >= 1 or not value else int(1 / abs(value)) + 1
    return value.limit_denominator(LONG * small)


def _length(value: Fraction) -> int:
    """How many bits a number has."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def _bounded(slack: Any) -> Any:
    """A slack as it is. Raises TooLongError where it is rational and has more than BITS bits."""
    try:
        length = _length(as_fraction(slack))
    except NotRationalError:
        return slack
    if length > BITS:
        raise TooLongError(f"a slack of {length} bits; at most {BITS} are worked with")
    return slack
