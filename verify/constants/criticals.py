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
from verify.claim import Claim
from verify.constants.constant import Constant
from verify.constants.sight import UNTOLD, Look, Sample, Sight, exact_view, floats
from verify.judging import View

CHORDS = 8
TIES = 3  # entries of a case that are looked at exactly, of those with about the same value
CLOSE = 1e-9
LONG = 10**12  # denominators of numbers on the way to a critical value
DENOMINATORS = 1000  # of what counts as a simple number


def distances_in(sample: Sample, constant: Constant, far: Fraction) -> Sight:
    """Cases seen by how far the constant can go from its printed value towards `far`, about (as if
    slacks were affine in it); infinite where they do not limit it."""
    here, there = sample.printed, sample.slacks(constant, far)
    share = np.full(len(sample.owner), UNTOLD)
    if there is not None:
        start = np.maximum(here.values, 0.0)
        broken = np.isfinite(here.values) & (there < 0)
        share[broken] = start[broken] / (start[broken] - there[broken])
    reach = float(abs(far - constant.printed))
    return Sight(sample.least(share * reach), sample.violated(here))


def refined(sample: Sample, constant: Constant, far: Fraction) -> float:
    """How far the constant can go in a sample, where slacks need not be affine in it: chords in
    floats."""
    reach = float(distances_in(sample, constant, far).score.min())
    printed, way = constant.printed, 1 if far > constant.printed else -1
    low, high = 0.0, float(abs(far - printed))
    for _ in range(4 * CHORDS):
        slacks = sample.slacks(constant, printed + way * Fraction(reach))
        if slacks is None or not 0 < reach < high:
            break
        end = sample.slacks(constant, printed + way * Fraction(high))
        start = np.maximum(slacks, 0.0)
        if bool((slacks < 0).any()):
            high = reach
            reach = (low + high) / 2
            continue
        low = reach
        assert end is not None, "a measure lost entries with another constant"
        broken = np.isfinite(slacks) & (end < 0)
        shares = start[broken] / (start[broken] - end[broken])
        reach = low + float(shares.min(initial=1.0)) * (high - low)
        if reach - low <= CLOSE * reach:
            break
    return low


def distances(claim: Claim, constant: Constant, far: Fraction, device: str) -> Look:
    """The same for any cases."""

    def look(cases: Sequence[Any]) -> Sight:
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


def exactly(constant: Constant, case: Any, far: Fraction) -> Critical | None:
    """The critical value of a case that is violated at `far`; None where it is not."""
    here, there = (exact_view(constant.changed(value), case) for value in (constant.printed, far))
    if here is None or there is None or len(here.entries) != len(there.entries):
        return None
    values = floats(here.entries.values), floats(there.entries.values)
    good = here.admitted & there.admitted & (values[1] < 0) & np.isfinite(values[0])
    if not good.any():
        return None
    start, end = (np.where(good, numbers, -1.0) for numbers in values)
    share = np.where(good, np.maximum(start, 0.0) / (np.maximum(start, 0.0) - end), UNTOLD)
    first = [int(k) for k in np.flatnonzero(share <= share.min() * (1 + CLOSE))[:TIES]]
    found = [(*_zero(constant, case, k, here, there, far), k) for k in first]
    value, exact, k = min(found, key=lambda one: (abs(one[0] - constant.printed), not one[1]))
    return Critical(value, exact, case, _trivial(here, k))


def _trivial(seen: View, k: int) -> bool:
    left = seen.entries.left
    return left is not None and bool(left[k] == 0) and bool(seen.entries.values[k] == 0)


def _zero(
    constant: Constant, case: Any, k: int, here: View, there: View, far: Fraction
) -> tuple[Fraction, bool]:
    """Where the slack of one entry is 0, and whether exactly."""
    near = constant.printed
    start, end = here.entries.values[k], there.entries.values[k]
    if start <= 0:
        return near, bool(start == 0)
    if constant.whole:
        return far - (1 if far > near else -1), False
    return _secant(constant, case, k, (near, start), (far, end))


def _secant(
    constant: Constant, case: Any, k: int, good: tuple[Fraction, Any], bad: tuple[Fraction, Any]
) -> tuple[Fraction, bool]:
    """Where the slack of one entry is 0, between a value with a slack above 0 and one below, and
    whether exactly: by chords, whose ends are numbers of growing length unless the slack is
    affine."""
    for _ in range(CHORDS):
        guess = good[0] + _ratio(good[1], good[1] - bad[1]) * (bad[0] - good[0])
        for candidate in _simple(guess):
            slack = _slack(constant, case, k, candidate)
            if slack == 0:
                return candidate, True
            if slack > 0 and abs(bad[0] - candidate) < abs(bad[0] - good[0]):
                good = candidate, slack
            elif slack < 0 and abs(candidate - good[0]) < abs(bad[0] - good[0]):
                bad = candidate, slack
        middle = (good[0] + bad[0]) / 2  # a chord alone may move one end only
        slack = _slack(constant, case, k, middle)
        good, bad = ((middle, slack), bad) if slack >= 0 else (good, (middle, slack))
    return good[0], bool(good[1] == 0)


def _ratio(one: Any, other: Any) -> Fraction:
    """The quotient, exactly where both are rational."""
    try:
        return as_fraction(one) / as_fraction(other)
    except NotRationalError:
        return Fraction(float(one) / float(other))


def _simple(guess: Fraction) -> list[Fraction]:
    """The guess, and a simple number where one is beside it."""
    plain = guess.limit_denominator(DENOMINATORS)
    close = abs(plain - guess) <= Fraction(1, 10**5) * max(abs(guess), Fraction(1))
    if guess.denominator > LONG:
        guess = guess.limit_denominator(LONG)
    return list(dict.fromkeys([plain, guess] if close else [guess]))


def _slack(constant: Constant, case: Any, k: int, value: Fraction) -> Any:
    seen = exact_view(constant.changed(value), case)
    assert seen is not None, "a case lost its exact form with another constant"
    return seen.entries.values[k]
