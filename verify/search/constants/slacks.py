"""What a search sees of cases: the slack of every entry, for one statement after another.

Cases are prepared once: their scenes, and which entries meet the hypotheses. Then measures with
other constants are evaluated on the same scenes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from graphs.errors import NetworkError, TooManyPathsError
from graphs.rationals import RATIONALS
from graphs.reals import Real
from verify.cases.scenes import Entries
from verify.cases.tensors import CaseError
from verify.core.claim import Claim
from verify.search.constants.constant import Constant
from verify.search.judging import View, view

NARROW = 1e-9  # a ball wider than this share of the larger side says too little
NOTHING = 1e-200  # sides below this are 0: what is left of them is the radius of 0 times 0
UNTOLD = np.inf  # in place of a slack that says nothing


@dataclass(frozen=True)
class Batch:
    """Some of the cases in one scene. cases: (K,) the number of the case of each entry; owner,
    admitted: (K,) its place in the scene, and whether it meets the hypotheses."""

    scene: Any
    cases: np.ndarray
    owner: np.ndarray
    admitted: np.ndarray

    def slacks(self, measure: Callable[[Any], Entries]) -> Slacks | None:
        """What a measure gives; None where that is another number of entries."""
        if "alone" not in vars(self):
            try:
                entries = measure(self.scene)
                return _slacks(entries, self.admitted) if len(entries) == len(self.cases) else None
            except TooManyPathsError:  # together, and each may be looked at by itself
                if len(self.scene.cases) == 1:
                    raise
        found = Slacks(*(np.zeros(len(self.cases)) for _ in range(3)))
        for places, one in self.alone:
            part = one.slacks(measure)
            if part is None:
                return None
            found.values[places], found.sides[places] = part.values, part.sides
            found.left[places] = part.left
        return found

    @cached_property
    def alone(self) -> list[tuple[np.ndarray, Batch]]:
        """Each case by itself, and which entries are its own."""
        found = []
        for k, case in enumerate(self.scene.cases):
            scene = type(case).scene([case], self.scene.arithmetic)
            places = np.flatnonzero(self.owner == k)
            mine = (self.cases[places], np.zeros_like(places), self.admitted[places])
            found.append((places, Batch(scene, *mine)))
        return found


@dataclass(frozen=True)
class Slacks:
    """Of N entries: the slack, infinite where the entry is not admitted or its ball is too wide, 0
    where its ball contains 0; the larger side, 1 where a measure has no sides; and the left side, 0
    where it has none."""

    values: np.ndarray
    sides: np.ndarray
    left: np.ndarray


@dataclass
class Sample:
    """Cases of a claim, looked at in float64 balls, or exactly where it has no float form.

    owner: (N,) the number of the case of each entry. printed: the slacks of the claim itself.
    """

    claim: Claim
    cases: Sequence[Any]
    device: str
    batches: list[Batch] = field(init=False)
    owner: np.ndarray = field(init=False)
    printed: Slacks = field(init=False)

    def __post_init__(self) -> None:
        views = list(_views(self.claim, self.cases, self.device))
        self.batches = [
            Batch(seen.scene, numbers, seen.entries.owner, seen.admitted) for numbers, seen in views
        ]
        self.owner = np.concatenate([np.zeros(0, dtype=int), *(b.cases for b in self.batches)])
        found = [_slacks(seen.entries, seen.admitted) for _, seen in views]
        self.printed = _joined(found)

    def slacks(self, constant: Constant, value: Fraction) -> np.ndarray | None:
        """(N,): the slacks with another value of a constant; None where the measure then gives
        another number of entries."""
        if constant.directly is not None:
            slacks, left = self.printed.values, self.printed.left
            told = np.isfinite(slacks) & np.isfinite(left)
            moved = constant.directly(slacks[told], left[told], float(value))
            result = np.full(len(slacks), UNTOLD)
            result[told] = np.where(np.abs(moved) > NARROW * self.printed.sides[told], moved, 0.0)
            return result
        claim = constant.changed(value)
        assert claim.measure is not None, f"{claim.id} is not judged"
        found = []
        for batch in self.batches:
            part = batch.slacks(claim.measure)
            if part is None:
                return None
            found.append(part)
        return _joined(found).values

    def least(self, values: np.ndarray) -> np.ndarray:
        """(C,): the least of the values (N,) of each case; infinite where it has none."""
        result = np.full(len(self.cases), UNTOLD)
        np.minimum.at(result, self.owner, values)
        return result

    def violated(self, slacks: Slacks) -> np.ndarray:
        """(C,) boolean: the cases with a slack that is certainly below 0."""
        return self.least(slacks.values) < 0


def _views(claim: Claim, cases: Sequence[Any], device: str) -> list[tuple[np.ndarray, View]]:
    """Views of batches of the cases, with the number of the case of each entry."""
    number = {id(case): k for k, case in enumerate(cases)}
    found = []
    for batch in _batches(cases):
        seen_in = _exactly(claim, batch) if claim.exact_only else _in_balls(claim, batch, device)
        for some, seen in seen_in:
            numbers = np.array([number[id(case)] for case in some])
            found.append((numbers[seen.entries.owner], seen))
    return found


def _exactly(claim: Claim, batch: Sequence[Any]) -> list[tuple[Sequence[Any], View]]:
    """The claim on a batch over the rationals; where one of the cases makes no sense on each of
    the others by itself."""
    if len(batch) > 1:
        try:
            return [(batch, view(claim, [case.exactly() for case in batch], RATIONALS))]
        except ValueError:  # errors of networks, numbers and cases are all of this kind
            pass
    alone = ((case, exact_view(claim, case)) for case in batch)
    return [([case], seen) for case, seen in alone if seen is not None]


def _batches(cases: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Cases that fit in one scene: networks with the same number of examples, arrays of the same
    shapes."""
    by_count: dict[int, list[Any]] = {}
    for case in cases:
        by_count.setdefault(getattr(case, "example_count", 0), []).append(case)
    for group in by_count.values():
        yield from type(group[0]).batches(group)


def _in_balls(claim: Claim, batch: Sequence[Any], device: str) -> list[tuple[Sequence[Any], View]]:
    """The claim on a batch in balls; nothing where one of the cases makes no sense."""
    from numerics.enclosures import Balls

    try:
        return [(batch, view(claim, batch, Balls(device)))] if batch else []
    except (NetworkError, CaseError):
        return []


def _slacks(entries: Entries, admitted: np.ndarray) -> Slacks:
    if not len(entries):
        return Slacks(np.zeros(0), np.zeros(0), np.zeros(0))
    if isinstance(entries.values, np.ndarray):
        values = floats(entries.values)
        left = None if entries.left is None else floats(entries.left)
        radius = np.zeros(len(values))
    else:
        values, radius = entries.values.to_numpy()
        left = None if entries.left is None else entries.left.to_numpy()[0]
    sides = np.ones(len(values))
    if left is not None:
        known = np.isfinite(left) & np.isfinite(values)  # both may be beyond the range of floats
        right = np.subtract(left, values, where=known, out=np.full(len(values), np.inf))
        sides = np.maximum(np.abs(left), np.abs(right))
        sides = np.where(sides > NOTHING, sides, 0.0)
    finite = np.isfinite(values) & np.isfinite(radius) & np.isfinite(sides)
    good = admitted & finite & (radius <= NARROW * np.where(sides > 0, sides, 1.0))
    told = np.where(np.abs(values) > radius, values, 0.0)
    return Slacks(
        np.where(good, told, UNTOLD), sides, np.zeros(len(values)) if left is None else left
    )


def floats(values: np.ndarray) -> np.ndarray:
    """Exact numbers as floats; infinite beyond their range."""
    result = np.empty(len(values))
    for k, value in enumerate(values):
        if isinstance(value, Real) and not value:  # the middle of a ball is not 0 where it is
            result[k] = 0.0
            continue
        try:
            result[k] = float(value)
        except OverflowError:
            result[k] = np.inf
    return result


def _joined(found: Sequence[Slacks]) -> Slacks:
    nothing = np.zeros(0)
    return Slacks(
        np.concatenate([nothing, *(one.values for one in found)]),
        np.concatenate([nothing, *(one.sides for one in found)]),
        np.concatenate([nothing, *(one.left for one in found)]),
    )


def exact_view(claim: Claim, case: Any) -> View | None:
    """The claim on one case over the rationals; None where it has no such form."""
    try:
        return view(claim, [case.exactly()], RATIONALS)
    except (NetworkError, CaseError):
        return None


@dataclass(frozen=True)
class Scores:
    """Of C cases: what a search makes small, infinite where a case says nothing; and whether some
    slack is certainly below 0."""

    score: np.ndarray
    below: np.ndarray


Look = Callable[[Sequence[Any]], Scores]


def slacks_of(claim: Claim, device: str, *, relative: bool = True) -> Look:
    """Cases seen by their least slack; relative: to the larger side, so between 0 and 2 where the
    claim holds (an entry with both sides 0, or one beyond the range of floats, says nothing)."""

    def look(cases: Sequence[Any]) -> Scores:
        sample = Sample(claim, cases, device)
        values, sides = sample.printed.values, sample.printed.sides
        if relative:
            told = (sides > 0) & np.isfinite(sides)
            values = np.where(told, values / np.where(told, sides, 1.0), UNTOLD)
        return Scores(sample.least(values), sample.violated(sample.printed))

    return look
