"""Looking at a claim on cases: which entries meet the hypotheses, and which of them fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from graphs.algebraic import Enclosure, exact_value
from graphs.arithmetic import Arithmetic
from graphs.errors import NotRationalError, TooManyPathsError
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.core.instance import Instance

INEQUALITY = Kind.INEQUALITY
BATCH = 32  # of which one that has no exact form is looked for one by one


@dataclass(frozen=True)
class View:
    """The entries of a claim on a scene, and which of them meet all hypotheses: (K,) boolean.

    unmet: (C,), of a case none of whose entries does, how many hypotheses are left in the order of
    the claim, from the first one on that no entry meets beside those before it; one more where
    there is no entry at all.
    """

    scene: Any
    entries: Entries
    admitted: np.ndarray
    unmet: np.ndarray


@dataclass(frozen=True)
class Violation:
    """An entry that meets all hypotheses and is not as the claim says (for existence: a witness).

    value: exact, or an enclosure that excludes 0 where the number is irrational.
    """

    case: Any
    entry: dict[str, Any]
    value: Fraction | Enclosure


def view(
    claim: Claim,
    cases: Sequence[Instance],
    arithmetic: Arithmetic,
    hypotheses: Sequence[Hypothesis] | None = None,
) -> View:
    """Measure a claim on a batch of cases. hypotheses: to ask for others than the claim's."""
    return look_at(claim, type(cases[0]).scene(cases, arithmetic), hypotheses)


def look_at(claim: Claim, scene: Any, hypotheses: Sequence[Hypothesis] | None = None) -> View:
    """Measure a claim on a scene."""
    assert claim.measure is not None, f"{claim.id} is not judged"
    entries = claim.measure(scene)
    admitted = np.ones(len(entries), dtype=bool)
    asked = claim.hypotheses if hypotheses is None else hypotheses
    count = len(scene.cases)
    unmet = len(asked) + (np.bincount(entries.owner, minlength=count) == 0)
    for hypothesis in asked:
        if admitted.any():
            admitted &= hypothesis.test(scene, entries)
            unmet -= np.bincount(entries.owner[admitted], minlength=count) > 0
    return View(scene, entries, admitted, unmet)


@dataclass(frozen=True)
class Judgement:
    """What exact arithmetic says of one case: how many entries met the hypotheses, and the
    violations among them; of an inequality, how many slacks are 0 and the least one, relative to
    the larger side; how many hypotheses were not met, see View."""

    admitted: int
    violations: tuple[Violation, ...]
    touches: int = 0
    slack: float = inf
    unmet: int = 0


NOTHING = Judgement(0, ())


def judge_exactly(claim: Claim, case: Instance) -> Judgement:
    """Judge one case over the rationals; a case that has no exact form judges nothing.

    The loss of a case may be named: then its slopes are not rational, see `Case.exactly`.
    """
    return judge_all(claim, [case])[0]


def judge_all(claim: Claim, cases: Sequence[Instance]) -> list[Judgement]:
    """Judge each case over the rationals, those that make a scene together at once."""
    found = [NOTHING] * len(cases)
    for numbers in scenes(cases):
        batch = [cases[k] for k in numbers]
        try:
            judgements = _judgements(claim, view(claim, batch, RATIONALS))
        except (NotRationalError, TooManyPathsError):
            if len(batch) == 1:
                continue
            judgements = [judge_exactly(claim, case) for case in batch]
        for k, judgement in zip(numbers, judgements, strict=True):
            found[k] = judgement
    return found


def scenes(cases: Sequence[Instance]) -> Iterator[list[int]]:
    """The numbers of the cases that make scenes. Raises NotRationalError."""
    groups: dict[Any, list[int]] = {}
    for number, case in enumerate(cases):
        if not case.rational:
            raise NotRationalError("not rational: prescribe its slopes first, by case.exactly()")
        groups.setdefault(case.scene_key, []).append(number)
    for group in groups.values():
        yield from (group[k : k + BATCH] for k in range(0, len(group), BATCH))


def _judgements(claim: Claim, seen: View) -> list[Judgement]:
    """What is said of each case of a scene."""
    values, owner = seen.entries.values, seen.entries.owner
    chosen: list[list[int]] = [[] for _ in seen.scene.cases]
    for k in np.flatnonzero(seen.admitted):
        chosen[owner[k]].append(int(k))
    found = []
    for case, mine, unmet in zip(seen.scene.cases, chosen, seen.unmet, strict=True):
        broken = (k for k in mine if violates(claim.kind, values[k]))
        violations = tuple(
            Violation(case, seen.entries.label(k), exact_value(values[k])) for k in broken
        )
        touches, slack = _slacks(seen.entries, mine) if claim.kind is INEQUALITY else (0, inf)
        found.append(Judgement(len(mine), violations, touches, slack, int(unmet)))
    return found


def violates(kind: Kind, value: Any) -> bool:
    """Whether an exact entry is not as a claim of this kind says (for existence: a witness)."""
    return bool(value < 0) if kind is INEQUALITY else bool(value != 0)


def _slacks(entries: Entries, chosen: Sequence[int]) -> tuple[int, float]:
    """How many of the chosen slacks are 0, and the least one relative to the larger side; it is
    infinite where no side is other than 0."""
    values, left = entries.values, entries.left
    touches, least = 0, inf
    for k in chosen:
        touches += bool(values[k] == 0)
        try:
            side = (
                1.0 if left is None else max(abs(float(left[k])), abs(float(left[k] - values[k])))
            )
            least = min(least, float(values[k]) / side if side else inf)
        except OverflowError:  # beyond the range of float64: such a slack is not compared
            continue
    return touches, least
