"""A plain case beside an extremal one: simple numbers that do at least as well.

Local search ends beside an extremal case, at numbers like 0.99997. An extremal case of an
inequality often has simple numbers; so each array is divided by its largest number, or all by the
largest of all, or none, all numbers are rounded to fractions with growing denominators, and the
smallest case that does no worse is taken. Then numbers are made plainer one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.search.constants.slacks import Look
from verify.search.drawing import repair

DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 60, 128, 1024)
HAIR = 1e-11  # how much worse, relative to the larger side, a plainer case may be
PASSES = 12


def rounded(claim: Claim, look: Look, case: Any, random: Random) -> Any:
    """A case with rounded numbers whose score is no larger than that of `case`, but for a hair;
    arrays alone are rounded."""
    if not isinstance(case, Tensors):
        return case
    start = float(look([case]).score[0])
    if claim.exact_only:  # each look is dear: the smallest ones first, until one does no worse
        ranked = sorted(_rounded(case), key=lambda other: other.size())
        repaired = (repair(claim, other, random) for other in ranked)
        smaller = (other for other in repaired if other.size() < case.size())
        good = (other for other in smaller if float(look([other]).score[0]) <= start + HAIR)
        return next(good, case)
    others = [repair(claim, other, random) for other in _rounded(case)]
    return _smallest(look, others, start, case) or case


def plainest(look: Look, case: Any, tries: int) -> Any:
    """The smallest case that changes of one number after the other reach, whose score is no larger
    than that of `case`, but for a hair. tries: how many changes are looked at together."""
    start = float(look([case]).score[0])
    best = case
    for _ in range(PASSES):
        smaller = (other for other in best.changes() if other.size() < best.size())
        changes = list(islice((other for other in smaller if other.admissible), tries))
        found = _smallest(look, changes, start, best)
        if found is None:
            break
        best = found
    return best


def _smallest(look: Look, cases: list[Any], start: float, than: Any) -> Any | None:
    """The smallest of the cases that do no worse than `start`, if it is smaller than another one;
    where one does clearly better, the best one."""
    if not cases:
        return None
    score = look(cases).score
    if score.min() < start - 1e-7:
        return cases[int(np.argmin(score))]
    good = [case for case, value in zip(cases, score, strict=True) if value <= start + HAIR]
    smallest = min(good, key=lambda case: case.size(), default=None)
    return smallest if smallest is not None and smallest.size() < than.size() else None


def _rounded(case: Tensors) -> Iterator[Tensors]:
    """The case with rounded numbers, in several scales; each once."""
    seen: set[tuple[tuple[Fraction, ...], ...]] = set()
    for scales in _scales(case):
        for denominator in DENOMINATORS:
            arrays = {
                name: array
                if array.integer
                else replace(
                    array,
                    entries=tuple(
                        (entry / scales[name]).limit_denominator(denominator)
                        for entry in array.entries
                    ),
                )
                for name, array in case.arrays.items()
            }
            entries = tuple(array.entries for array in arrays.values())
            if entries not in seen:
                seen.add(entries)
                yield replace(case, arrays=arrays)


def _scales(case: Tensors) -> list[dict[str, Fraction]]:
    """By what the numbers of each array are divided: by 1, by the largest of all, by the largest of
    each array."""
    largest = {
        name: max((abs(entry) for entry in array.entries), default=Fraction(0)) or Fraction(1)
        for name, array in case.arrays.items()
    }
    free = [size for name, size in largest.items() if not case.arrays[name].integer]
    top = max(free, default=Fraction(1))
    ones = dict.fromkeys(largest, Fraction(1))
    return [ones, dict.fromkeys(largest, top), largest]
