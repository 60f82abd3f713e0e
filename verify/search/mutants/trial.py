"""Mutants on trial: the claim's own cases, one scene for a claim and all its mutants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from graphs.algebraic import Enclosure, exact_value
from graphs.errors import NotRationalError, TooManyPathsError
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.core.evidence import Mutant
from verify.core.instance import Instance
from verify.search.judging import View, view, violates

INEQUALITY = Kind.INEQUALITY


@dataclass
class Suspect:
    """A mutant on trial, and what has been seen of it.

    measure: of the changed statement. stated, unstated: on how many batches it could be measured,
    and could not. differs: whether an entry that the claim speaks of was another number, or not
    there. smaller: whether a slack was smaller. killed: by what. least, at: the least slack of the
    mutant, relative to the larger side, and the case where it is.
    """

    rule: str
    change: str
    measure: Callable[[Any], Entries]
    stated: int = 0
    unstated: int = 0
    differs: bool = False
    smaller: bool = False
    killed: str = ""
    least: float = inf
    at: Any = None

    @property
    def fate(self) -> Mutant:
        """The mutant as evidence, when the cases have been looked at."""
        if self.killed:
            return Mutant(self.rule, self.change, "killed", self.killed)
        if self.smaller and self.unstated:
            by = "it cannot be stated of all cases"
            return Mutant(self.rule, self.change, "not told apart", by)
        if self.smaller:
            by = "its slack is smaller on some case, and below 0 on none"
            return Mutant(self.rule, self.change, "survived", by)
        by = "weaker: what it changes is never less true" if self.differs else ""
        return Mutant(self.rule, self.change, "not told apart", by)


@dataclass
class Trial:
    """A claim and its mutants, before case after case.

    met: how many cases met all hypotheses. entries: how many numbers were compared. failed:
    whether the claim itself failed. least: of an inequality, the least slack by the right side.
    """

    claim: Claim
    suspects: Sequence[Suspect]
    met: int = 0
    entries: int = 0
    failed: bool = False
    least: float = inf

    @property
    def alive(self) -> list[Suspect]:
        """The mutants that no case has killed."""
        return [suspect for suspect in self.suspects if not suspect.killed]

    @property
    def killed(self) -> bool:
        """Whether a changed statement was refuted."""
        return any(one.killed for one in self.suspects)

    @property
    def news(self) -> int:
        """How much has been told of the mutants: it grows with every kill and difference."""
        return sum(
            bool(one.stated) + one.differs + one.smaller + 4 * bool(one.killed)
            for one in self.suspects
        )

    def look(self, cases: Sequence[Instance]) -> int:
        """Put a batch of cases before the claim and all its mutants; how many cases met the
        hypotheses."""
        try:
            seen = view(self.claim, cases, RATIONALS)
        except (NotRationalError, TooManyPathsError):
            return 0
        values = seen.entries.values
        chosen = np.flatnonzero(seen.admitted)
        if len(seen.entries) and not len(chosen):
            return 0  # where the claim speaks of nothing, a changed statement may
        self.failed |= any(violates(self.claim.kind, values[k]) for k in chosen)
        if self.failed:
            return 0
        self._slack(seen, chosen)
        for suspect in self.alive:
            self._try(suspect, seen, chosen, cases)
        met = len(set(seen.entries.owner[chosen].tolist()))
        self.met += met
        self.entries += len(chosen)
        return met

    def _try(
        self, suspect: Suspect, seen: View, chosen: np.ndarray, cases: Sequence[Instance]
    ) -> None:
        """Look at one mutant on a scene."""
        try:
            entries = suspect.measure(seen.scene)
            suspect.stated += 1
            self._compare(suspect, entries, seen, chosen, cases)
        except Exception:  # noqa: BLE001 - a changed statement may break in any way
            suspect.unstated += 1

    def _compare(
        self,
        suspect: Suspect,
        entries: Entries,
        seen: View,
        chosen: np.ndarray,
        cases: Sequence[Instance],
    ) -> None:
        kind = self.claim.kind
        alike = _same_subjects(entries, seen.entries)
        if alike:
            new, old = entries.values, seen.entries.values
            moved = [k for k in chosen if _differ(new[k], old[k])]
            suspect.differs |= bool(moved)
            if kind is INEQUALITY:
                suspect.smaller |= any(new[k] < old[k] for k in moved)
                self._follow(suspect, entries, moved, cases)
            if not any(violates(kind, new[k]) for k in moved):
                return
        else:
            suspect.differs = True
        for k in np.flatnonzero(_admitted(self.claim.hypotheses, seen.scene, entries)):
            value = entries.values[k]
            if violates(kind, value):
                case = cases[int(entries.owner[k])]
                suspect.killed = f"{case.described()}: the entry is {_told(value)}"
                return

    def _follow(
        self, suspect: Suspect, entries: Entries, moved: list[int], cases: Sequence[Instance]
    ) -> None:
        """Keep the case at which the slack of a mutant is least."""
        for k in moved:
            slack = relative_slack(entries, k)
            if slack < suspect.least:
                suspect.least, suspect.at = slack, cases[int(entries.owner[k])]

    def _slack(self, seen: View, chosen: np.ndarray) -> None:
        """The least slack by the right side: what a larger right side would show."""
        left, values = seen.entries.left, seen.entries.values
        if self.claim.kind is not INEQUALITY or left is None:
            return
        for k in chosen:
            try:
                right = float(left[k] - values[k])
                self.least = min(self.least, float(values[k]) / right if right > 0 else inf)
            except OverflowError:  # beyond the range of float64: such a slack is not compared
                continue


def relative_slack(entries: Entries, k: int) -> float:
    """A slack relative to the larger side; infinite where it cannot be compared."""
    try:
        value = float(entries.values[k])
        if entries.left is None:
            return value
        side = max(abs(float(entries.left[k])), abs(float(entries.left[k] - entries.values[k])))
    except OverflowError:  # beyond the range of float64
        return inf
    return value / side if side else inf


def _differ(one: Any, other: Any) -> bool:
    return bool(one != other)


def _admitted(hypotheses: Sequence[Hypothesis], scene: Any, entries: Entries) -> np.ndarray:
    """(K,) which of the entries meet all hypotheses."""
    admitted = np.ones(len(entries), dtype=bool)
    for hypothesis in hypotheses:
        if admitted.any():
            admitted &= hypothesis.test(scene, entries)
    return admitted


def _same_subjects(one: Entries, other: Entries) -> bool:
    """Whether the entries of two measures speak of the same, one by one."""
    pairs = ((one.owner, other.owner), (one.subjects, other.subjects))
    alike = one.what == other.what and all(np.array_equal(a, b) for a, b in pairs)
    return alike and np.array_equal(one.examples, other.examples) and len(one.values) == len(one)


def _told(value: Any) -> str:
    """A number in a few characters."""
    number = exact_value(value)
    if isinstance(number, Enclosure):
        return f"about {float(number.low):.4g}"
    text = str(Fraction(number))
    return text if len(text) <= 20 else f"about {float(number):.4g}"
