"""From floats to small exact instances: the simplest rationals nearby, within a growing precision.

All numbers of an instance are replaced at once, each by the simplest rational within the same
distance (the one with the least denominator: Stern and Brocot), a share of the largest number that
halves again and again: what is nearly 0 becomes 0, what is nearly an integer that integer, equal
numbers stay equal. The hypotheses repair what that has moved; then exact arithmetic decides,
hypotheses included, from the simplest instance on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from random import Random
from typing import Any

import numpy as np

from graphs.errors import NetworkError
from verify.cases.tensors import CaseError
from verify.cases.transformations import into_the_ball
from verify.core.claim import Claim, Kind
from verify.core.instance import Movable
from verify.search.drawing import repair
from verify.search.judging import Judgement, judge_exactly, view

FINEST = 30  # the last distance is the largest number times 2^-FINEST
ONE_BY_ONE = 8  # distances 2^-1, ..., 2^-ONE_BY_ONE are all tried, then every other one
JUDGED = 3  # so many instances near one point are judged exactly
SIMPLIFIED = 100  # so many changes of one number are tried


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational with the least denominator in [low, high], and of these the one nearest to 0.

    >>> simplest_between(Fraction(31, 10), Fraction(16, 5))
    Fraction(16, 5)
    >>> simplest_between(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = -(-low.numerator // low.denominator)  # the least integer that is not below
    if whole <= high:
        return Fraction(whole)
    under = whole - 1
    return under + 1 / simplest_between(1 / (high - under), 1 / (low - under))


def rationals_near(numbers: Sequence[float]) -> Iterator[tuple[Fraction, ...]]:
    """Simple rationals near floats, all within one distance, which shrinks; none twice."""
    exact = [Fraction(float(number)) for number in numbers]
    largest = max(map(abs, exact), default=Fraction(0))
    last: tuple[Fraction, ...] = ()
    for power in (*range(1, ONE_BY_ONE), *range(ONE_BY_ONE, FINEST + 1, 2)):
        distance = largest / 2**power
        found = tuple(simplest_between(x - distance, x + distance) for x in exact)
        if found != last:
            yield found
        last = found


@dataclass
class Exactness:
    """What came of points in floats: how many instances near them were judged exactly, and the
    largest normalised violation and the number of slacks 0 among these."""

    judged: int = 0
    touches: int = 0
    largest: float = field(default=-np.inf)

    def add(self, judgement: Judgement) -> None:
        """One more instance."""
        self.judged += 1
        self.touches += judgement.touches
        self.largest = max(self.largest, -judgement.slack)


def instances_near(claim: Claim, case: Movable, numbers: np.ndarray, random: Random) -> list[Any]:
    """Exact instances with simple numbers near those, hypotheses repaired, the simplest first."""
    if not all(map(isfinite, numbers.tolist())):
        return []
    found = []
    for near in rationals_near(numbers.tolist()):
        try:
            found.append(settled(claim, case.with_numbers(near), random))
        except (CaseError, NetworkError):
            continue
    return found


def settled(claim: Claim, case: Any, random: Random) -> Any:
    """The case with its hypotheses repaired, and inputs of norm at most 1, as the papers assume of
    all data."""
    case = repair(claim, case, random)
    return case if case.admissible else into_the_ball(case, random)


def violating(claim: Claim, instances: Sequence[Any], seen: Exactness) -> Any | None:
    """The first of the instances that violates the claim by exact arithmetic, or None.

    Enclosures choose which ones are judged: those that they show to violate it, in order, and the
    first that they cannot tell.
    """
    likely = _lowest(claim, instances) if claim.exact_only else _likely(claim, instances)
    for number in likely[:JUDGED]:
        judgement = judge_exactly(claim, instances[number])
        seen.add(judgement)
        if judgement.violations:
            return simplified(claim, instances[number])
    return None


def _lowest(claim: Claim, instances: Sequence[Any]) -> list[int]:
    """The numbers of the instances that violate the claim most in plain float64, in order, and of
    the others the nearest one."""
    from numerics.floats import Floats
    from verify.search.float_violations import largest_violations

    place = {id(instance): number for number, instance in enumerate(instances)}
    scores: dict[int, float] = {}
    for batch in type(instances[0]).batches(instances) if instances else ():
        if batch:
            found, _ = largest_violations(claim, view(claim, batch, Floats()))
            numbers = [place[id(instance)] for instance in batch]
            scores |= dict(zip(numbers, found.tolist(), strict=True))
    ordered = sorted(scores, key=lambda number: -scores[number])
    beyond = [number for number in ordered if scores[number] > 0]
    return beyond + [number for number in ordered if number not in beyond][:1]


def simplified(claim: Claim, case: Any) -> Any:
    """A violating instance with one number after the other replaced by the simplest one within a
    quarter of it, as long as it goes on violating the claim."""
    left, improved = SIMPLIFIED, True
    while improved and left > 0:
        improved = False
        for place, number in enumerate(case.numbers):
            distance = abs(number) / 4
            plain = simplest_between(number - distance, number + distance)
            if plain == number or left <= 0:
                continue
            left -= 1
            changed = case.with_numbers([*case.numbers[:place], plain, *case.numbers[place + 1 :]])
            if changed.admissible and judge_exactly(claim, changed).violations:
                case, improved = changed, True
    return case


def _likely(claim: Claim, instances: Sequence[Any]) -> list[int]:
    """The numbers of the instances worth judging exactly, in order."""
    from numerics.enclosures import Balls

    place = {id(instance): number for number, instance in enumerate(instances)}
    shown: set[int] = set()
    open_: set[int] = set()
    for batch in type(instances[0]).batches(instances) if instances else ():
        if not batch:
            continue
        seen = view(claim, batch, Balls())
        middle, radius = seen.entries.values.to_numpy()
        below = middle < -radius if claim.kind is Kind.INEQUALITY else np.abs(middle) > radius
        untold = ~(np.abs(middle) > radius)
        owner = np.array([place[id(instance)] for instance in batch])[seen.entries.owner]
        shown |= set(owner[seen.admitted & below].tolist())
        open_ |= set(owner[untold].tolist())
    return sorted(shown) + sorted(open_ - shown)[:1]
