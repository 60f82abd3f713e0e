"""How far one constant can go in one direction.

The search goes downhill in the critical value of the constant (verify.search.constants.criticals):
over corners of many shapes, then over what lies beside the best ones. The best cases are rounded
and replayed exactly. At the value found, the claim with it is searched once more, by its slack and
from fresh corners.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from verify.core.claim import Claim
from verify.search.constants.constant import BROKEN, Constant, UnusableValueError
from verify.search.constants.criticals import (
    DENOMINATORS,
    Critical,
    TooLongError,
    distances,
    distances_in,
    exactly,
    refined,
)
from verify.search.constants.downhill import Archive, downhill
from verify.search.constants.moves import corners, moved
from verify.search.constants.plainest import plainest, rounded
from verify.search.constants.slacks import Look, Sample, slacks_of
from verify.search.rationalising import simplest_between

REACHES = (3, 64)  # how many times as large, or as small, a constant is tried
REPLAYED = 6  # cases replayed exactly for one constant
ROUNDS = 4
CLOSE = 1e-6  # scores that differ by less than this share count as equal
SHAPES = 16
CHALLENGE = 3  # how many times as many corners challenge a better value
WORTH = Fraction(1, 50)  # a gain that is not attained is worth a proposal from this share on
LEAST, MOST = Fraction(9, 10), Fraction(99, 100)  # what is proposed of a gain not attained


@dataclass(frozen=True)
class Effort:
    """How much a search may do: steps downhill, cases a step, fresh corners for a challenge, and
    the device."""

    steps: int
    width: int
    corners: int
    device: str


@dataclass(frozen=True)
class Limit:
    """How far a constant can go in a direction.

    up: the direction. far: the value up to which it was tried. value: the furthest one that no case
    contradicts. criticals: what exact arithmetic says of the best cases, those that leave the least
    room first. archive: the best cases of each shape. drawn: how far each of the cases to start
    from lets the constant go. settled: whether the search had ceased to move. proposed: a better
    value with which a search found no violation. violation: a case with a slack below 0 as printed.
    left_out: why nothing is said of this constant, or "".
    """

    constant: Constant
    up: bool
    far: Fraction
    value: Fraction
    criticals: tuple[Critical, ...] = ()
    archive: Archive = field(default_factory=Archive)
    drawn: np.ndarray = field(default_factory=lambda: np.zeros(0))
    settled: bool = False
    proposed: Fraction | None = None
    violation: Any = None
    left_out: str = ""

    @property
    def extremal(self) -> Critical | None:
        """The case that gives the value."""
        hits = (one for one in self.criticals if one.value == self.value)
        return next(hits, None)

    @property
    def exact(self) -> bool:
        """Whether a case has slack exactly 0 at the value."""
        return self.extremal is not None and self.extremal.exact

    @property
    def plain(self) -> bool:
        """Whether the value is attained, and a plain number: values that are attained on the way to
        one that is not are fractions with large denominators."""
        return self.exact and self.value.denominator <= DENOMINATORS

    @property
    def agreeing(self) -> int:
        """How many of the cases that were drawn independently attain the value."""
        reach = float(abs(self.value - self.constant.printed))
        return int((self.drawn <= reach * (1 + CLOSE)).sum())

    @property
    def touches(self) -> tuple[Critical, ...]:
        """The cases with slack exactly 0 as printed, and below 0 towards `far`."""
        return tuple(
            one for one in self.criticals if one.exact and one.value == self.constant.printed
        )

    @property
    def tight(self) -> bool:
        """Whether no better value is possible, by an exact case."""
        return bool(self.touches)


def limits(
    claim: Claim, constant: Constant, seeds: Sample, random: Random, effort: Effort
) -> list[Limit]:
    """The limits of a constant, upwards and downwards, where a case limits it.

    seeds: cases to start from. A constant that turns out to make sense for integers alone (what
    counts in a loop of the measure) moves from one to the next; one that still makes no sense
    between values that a case limits, or of which numbers become too long, is left out and told.
    """
    why = ""
    integral = constant.printed.denominator == 1
    for whole in [constant.whole] if constant.whole or not integral else [False, True]:
        try:
            found = _limits(claim, replace(constant, whole=whole), seeds, random, effort)
        except UnusableValueError as error:
            why = str(error)
        except TooLongError as error:
            why = f"{constant.place}: {error}"
            break
        else:
            if found is not None:
                return found
    if not why:
        return []
    return [Limit(constant, True, constant.printed, constant.printed, left_out=why)]


def _limits(
    claim: Claim, constant: Constant, seeds: Sample, random: Random, effort: Effort
) -> list[Limit] | None:
    """The same of a constant that is taken for what it says; None where nothing is found and some
    value that was tried makes no sense. Raises UnusableValueError, TooLongError."""
    found: list[Limit] = []
    usable = True
    reaches = REACHES[:1] if claim.exact_only and constant.directly is None else REACHES
    for reach in reaches:
        for up in (True, False):
            far = tried(constant, up, reach)
            try:
                scores = distances_in(seeds, constant, far)
            except UnusableValueError:
                usable = False
                continue
            except BROKEN:  # a slack that is no number there
                continue
            archive = Archive()
            archive.keep(seeds.cases, scores)
            if archive.cases or archive.below:
                printed = constant.printed
                start = Limit(constant, up, far, printed, archive=archive, drawn=scores.score)
                found.append(settle(claim, start, random, effort))
        if found:
            break
    return found if found or usable else None


def settle(claim: Claim, found: Limit, random: Random, effort: Effort) -> Limit:
    """Search, replay and challenge in turn, until a challenge finds nothing. Raises
    UnusableValueError, TooLongError."""
    archive, far = found.archive, found.far
    look = distances(claim, found.constant, far, effort.device)
    if found.constant.whole:
        return _whole(found)
    known: Replays = {}
    for _ in range(ROUNDS):
        settled = _search(claim, look, archive, random, effort)
        if archive.below:
            return replace(found, violation=archive.below[0])
        found = replace(_replayed(claim, found, look, random, effort, known), settled=settled)
        if found.tight:
            return found
        proposed = _proposed(found)
        if proposed is None:
            archive.add(look, corners(claim, random, effort.corners, SHAPES))
            continue
        worse = challenged(claim, found, proposed, random, effort)
        if not worse:
            return replace(found, proposed=proposed)
        archive.add(look, worse)
    return found


def _whole(found: Limit) -> Limit:
    """The limit of a constant of which only integers make sense: the one before a violation. Better
    ones are not proposed: too little was looked at."""
    constant, far, archive = found.constant, found.far, found.archive
    if archive.below:
        return replace(found, violation=archive.below[0])
    replayed = (exactly(constant, case, far) for case in archive.ranked()[:REPLAYED])
    criticals = tuple(one for one in replayed if one is not None)
    value = far - 1 if found.up else far + 1
    return replace(found, value=value if criticals else far, criticals=criticals)


def _proposed(found: Limit) -> Fraction | None:
    """A better value to challenge: the one found, where a case attains it; where the search has
    settled beside none, a simple one between it and the printed value."""
    printed, value = found.constant.printed, found.value
    if found.plain:
        return None if value == printed else value
    gain = value - printed
    if not gain or not found.settled or abs(gain) < WORTH * abs(printed):
        return None
    return simplest_between(*sorted((printed + gain * LEAST, printed + gain * MOST)))


def tried(constant: Constant, up: bool, reach: int) -> Fraction:
    """A value beyond which a constant is not tried, of its sign: so many times as large, or as
    small; of 0 so far away, of an exponent the next but one or two."""
    printed, sign = constant.printed, 1 if up else -1
    if constant.whole:
        return printed + sign * (1 if reach == REACHES[0] else 2)
    if not printed:
        return Fraction(sign * reach)
    return printed * reach if up == (printed > 0) else printed / reach


def moving(claim: Claim) -> Callable[[Any, Random], Any]:
    """Moves that keep the hypotheses of a claim likely."""
    return lambda case, random: moved(claim, case, random)


def _search(claim: Claim, look: Look, archive: Archive, random: Random, effort: Effort) -> bool:
    """Downhill; whether the last third of the way changed nothing that matters."""
    late = effort.steps // 3
    move, width = moving(claim), effort.width
    downhill(look, archive, move, random, steps=effort.steps - late, width=width, floor=0.0)
    before = archive.least
    downhill(look, archive, move, random, steps=late, width=width, floor=0.0)
    return before - archive.least <= CLOSE * before


Replays = dict[tuple[int, bool], tuple[Any, Critical | None]]
"""By the id of a case and whether it was rounded: the case, and what exact arithmetic says."""


def _replayed(
    claim: Claim, found: Limit, look: Look, random: Random, effort: Effort, known: Replays
) -> Limit:
    """With what exact arithmetic says of the best cases: as they are, or rounded. known: what it
    said in earlier rounds."""
    constant, archive, far = found.constant, found.archive, found.far
    criticals = []
    for case in archive.ranked()[:REPLAYED]:
        key = (id(case), archive.least != 0)
        if key not in known:
            plain = case if archive.least == 0 else rounded(claim, look, case, random)
            known[key] = (case, exactly(constant, plain, far))
        if (one := known[key][1]) is not None:
            criticals.append(one)
    printed = constant.printed
    criticals.sort(
        key=lambda one: (abs(one.value - printed), not one.exact, one.trivial, one.case.size())
    )
    top = Sample(claim, archive.ranked()[:1], effort.device)
    about = Fraction(refined(top, constant, far) if archive.least else 0.0)
    if not criticals or abs(criticals[0].value - printed) > about * (1 + Fraction(CLOSE)):
        value = printed + (about if found.up else -about)  # no plain case does as well
        return replace(found, value=value, criticals=tuple(criticals))
    best = criticals[0]
    plain = plainest(look, best.case, effort.width)
    smaller = exactly(constant, plain, far)
    if smaller is not None and smaller.equals(best):
        criticals[0] = smaller
    return replace(found, value=best.value, criticals=tuple(criticals))


def challenged(
    claim: Claim, found: Limit, value: Fraction, random: Random, effort: Effort
) -> list[Any]:
    """Cases that violate the claim with another value in place of the printed one."""
    changed = found.constant.changed(value)
    look = slacks_of(changed, effort.device)
    archive = Archive()
    fresh = corners(claim, random, CHALLENGE * effort.corners, SHAPES)
    archive.add(look, [*found.archive.ranked(), *fresh])
    downhill(look, archive, moving(claim), random, steps=effort.steps, width=effort.width)
    found.archive.looked += archive.looked
    return archive.below
