"""Many cases judged exactly, those that make a scene together at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphs.arithmetic import RATIONALS
from graphs.errors import NotRationalError, TooManyPathsError
from verify.claim import Claim, Kind
from verify.judging import judge_exactly, view, violates
from verify.tensors import Tensors

BATCH = 32  # of which one that has no exact form is looked for one by one


@dataclass(frozen=True)
class Seen:
    """Of one case: how many entries meet all hypotheses, how many of an inequality are 0, and
    whether one is not as the claim says (for existence: is a witness)."""

    admitted: int = 0
    touches: int = 0
    broken: bool = False


def judged(claim: Claim, cases: Sequence[Any]) -> list[Seen]:
    """What exact arithmetic says of each case."""
    found = [Seen()] * len(cases)
    for numbers in _batches(cases):
        batch = [cases[k] for k in numbers]
        try:
            seen = _together(claim, batch)
        except (NotRationalError, TooManyPathsError):
            seen = [_alone(claim, case) for case in batch]
        for k, one in zip(numbers, seen, strict=True):
            found[k] = one
    return found


def _together(claim: Claim, batch: Sequence[Any]) -> list[Seen]:
    looked = view(claim, batch, RATIONALS)
    owner = looked.entries.owner[looked.admitted]
    values = looked.entries.values[looked.admitted]
    zero = np.array([claim.kind is Kind.INEQUALITY and value == 0 for value in values], dtype=bool)
    broken = np.array([violates(claim.kind, value) for value in values], dtype=bool)
    counts, touches, bad = (
        np.bincount(chosen, minlength=len(batch)) for chosen in (owner, owner[zero], owner[broken])
    )
    return [Seen(int(counts[k]), int(touches[k]), bool(bad[k])) for k in range(len(batch))]


def _alone(claim: Claim, case: Any) -> Seen:
    found = judge_exactly(claim, case)
    return Seen(found.admitted, found.touches, bool(found.violations))


def _batches(cases: Sequence[Any]) -> Iterator[list[int]]:
    """The numbers of the cases that make scenes: as many examples, or the same shapes."""
    groups: dict[Any, list[int]] = {}
    for number, case in enumerate(cases):
        if isinstance(case, Tensors):
            key: Any = (type(case), tuple(sorted(case.lengths.items())), tuple(case.arrays))
        else:
            key = (case.example_count, case.loss, len(case.choice.get("eta", ())))
        groups.setdefault(key, []).append(number)
    for group in groups.values():
        yield from (group[k : k + BATCH] for k in range(0, len(group), BATCH))
