"""Gradient ascent on the violation of a claim, for a batch of different cases at once, in floats.

What is climbed is the normalised violation: of an inequality -slack, divided by the larger side;
of an identity or a law |residual|, divided by the largest side of any entry of the case. It does
not change where all sides scale alike, and it is above 0 exactly where the entry violates the
claim. Each case climbs by itself, on the largest violation of its entries, by Adam (Kingma and Ba,
2015, without its correction of the first steps) with steps relative to the size of its own numbers,
which shrink from step to step.

Nothing is decided here. What hypotheses ask of a case is asked of the rationals that the floats
are; where they fail, the case is repaired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import torch

from numerics.floats import FloatArray, Floats
from verify.cases.case import Case
from verify.core.claim import Claim, Kind
from verify.search.float_violations import largest_violations
from verify.search.judging import look_at
from verify.search.rationalising import settled

NOISE = 1e-9  # a normalised residual below it says no more than rounding: there is no slope
MEMORY = 0.9, 0.99  # of the gradient and of its square
PATIENCE = 25  # steps without a larger violation in any case, after which it stops, if
NEAR = 1e-2  # it has come so near to one


@dataclass(frozen=True)
class Climbed:
    """Where a batch of C cases got to.

    numbers: for each case the numbers at which its violation was largest among those at which an
    entry met the hypotheses (else those it started from). violations: (C,) the normalised
    violations there; minus infinity where no entry ever met them. steps: how many were taken.
    """

    numbers: tuple[np.ndarray, ...]
    violations: np.ndarray
    steps: int


def climb(
    claim: Claim,
    cases: Sequence[Any],
    random: Random,
    steps: int,
    rates: tuple[float, float],
    device: str = "cpu",
) -> Climbed:
    """Climb from the numbers of some cases that make one scene.

    rates: the step, relative to the size of a case, at the start and at the end. A case that has
    left the hypotheses is repaired and goes on from there. It stops at once where nothing depends
    smoothly on the numbers.
    """
    batch = _Batch(claim, cases, random, device)
    place = batch.start
    best, highest = place, torch.full_like(place[:1], -torch.inf).expand(len(cases))
    mean, square = torch.zeros_like(place), torch.zeros_like(place)
    taken, waited = 0, 0
    for step in range(steps):
        place = place.detach().requires_grad_()
        scores, met = batch.look(place)
        if (repaired := batch.repaired(place.detach(), met)) is not None:
            place = repaired.requires_grad_()
            scores, met = batch.look(place)
        reached, where = scores.detach(), place.detach()
        waited = 0 if bool((met & (reached > highest + NOISE)).any()) else waited + 1
        better = met & (reached >= highest)
        highest = torch.where(better, reached, highest)
        best = torch.where(better[batch.owner], where, best)
        slopes = _gradient(scores, place) if _has_slope(claim, scores) else None
        arrived = waited > PATIENCE and bool((highest > -NEAR).any())
        if slopes is None or not slopes.any() or arrived:
            break
        taken = step + 1
        mean = MEMORY[0] * mean + (1 - MEMORY[0]) * slopes
        square = MEMORY[1] * square + (1 - MEMORY[1]) * slopes * slopes
        rate = rates[0] * (rates[1] / rates[0]) ** (step / max(1, steps - 1))
        move = (mean / torch.where(square > 0, square, 1.0).sqrt()).clamp(-1.0, 1.0)
        place = where + rate * _sizes(where, batch.owner, len(cases))[batch.owner] * move
        place = place if batch.rows is None else _inside(place, batch.rows)
    parts = torch.split(best.cpu(), batch.counts)
    return Climbed(tuple(part.numpy() for part in parts), highest.cpu().numpy(), taken)


class _Batch:
    """The cases of one scene, and what they become where their numbers are.

    counts: how many numbers each has. owner: (N,) the case of each number. start: (N,) the numbers.
    rows: see `_rows`, where inputs are to have norm at most 1.
    """

    def __init__(self, claim: Claim, cases: Sequence[Any], random: Random, device: str) -> None:
        self.claim = claim
        self.cases = list(cases)
        self.random = random
        self.counts = [len(case.numbers) for case in cases]
        owner = np.repeat(np.arange(len(cases)), self.counts)
        self.owner = torch.from_numpy(owner).to(device)
        self.scene = type(cases[0]).scene(cases, Floats(device))
        numbers = [number for case in cases for number in case.numbers]
        self.start = self.scene.arithmetic.array(numbers).values
        bounded = isinstance(cases[0], Case) and all(case.admissible for case in cases)
        self.rows = _rows(cases, device) if bounded else None

    def look(self, place: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(C,) each: the score of each case, and whether an entry meets the hypotheses. What is
        asked of the cases themselves is asked of rationals with these very numbers."""
        if self.claim.hypotheses:
            parts = zip(self.cases, self._parts(place), strict=True)
            self.cases = [_at(case, part) for case, part in parts]
        return largest_violations(
            self.claim, look_at(self.claim, self.scene.moved(FloatArray(place), self.cases))
        )

    def repaired(self, place: torch.Tensor, met: torch.Tensor) -> torch.Tensor | None:
        """(N,): the numbers that were looked at, of cases that did not meet the hypotheses after
        repair; None where that changes none."""
        parts, changed = list(self._parts(place)), False
        for k in np.flatnonzero(~met.cpu().numpy()):
            self.cases[k] = _at(self.cases[k], parts[k])
            case = settled(self.claim, self.cases[k], self.random)
            if len(case.numbers) == self.counts[k] and case.numbers != self.cases[k].numbers:
                parts[k], changed = self.scene.arithmetic.array(case.numbers).values, True
        return torch.cat(parts) if changed else None

    def _parts(self, place: torch.Tensor) -> tuple[torch.Tensor, ...]:
        parts: tuple[torch.Tensor, ...] = torch.split(place.detach(), self.counts)
        return parts


def _at(case: Any, numbers: torch.Tensor) -> Any:
    """The case with the rationals that these floats are."""
    whole = numbers.detach().isfinite().all()
    return case.with_numbers(list(map(Fraction, numbers.tolist()))) if whole else case


def _has_slope(claim: Claim, scores: torch.Tensor) -> bool:
    """Whether there is something to climb: an identity that holds is flat."""
    if not scores.requires_grad:
        return False
    return claim.kind is Kind.INEQUALITY or bool((scores.detach() > NOISE).any())


def _gradient(scores: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
    """The gradient of each case's score in its own numbers; 0 where it is none."""
    finite = torch.isfinite(scores.detach())
    total = torch.where(finite, scores, 0.0).sum()
    (slopes,) = torch.autograd.grad(total, place)
    return torch.nan_to_num(slopes, nan=0.0, posinf=0.0, neginf=0.0)


def _rows(cases: Sequence[Case], device: str) -> torch.Tensor:
    """(N,): the example of which each number is an input, counted over all cases; -1 of none."""
    rows: list[int] = []
    count = 0
    for case in cases:
        rows += [-1] * len(case.weights)
        for number, row in enumerate(case.inputs, start=count):
            rows += [number] * len(row)
        rows += [-1] * len(case.slopes)
        count += case.example_count
    return torch.tensor(rows, device=device)


def _inside(place: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """The numbers with inputs of norm at most 1."""
    kept = rows >= 0
    squares = torch.zeros(int(rows.max()) + 1, dtype=torch.float64, device=place.device)
    squares = squares.index_add(0, rows[kept], place[kept] ** 2)
    result = place.clone()
    norms = squares.sqrt()
    divisors = torch.where(norms > 1.0, norms * (1.0 + 1e-12), 1.0)  # strictly inside, as rationals
    result[kept] = place[kept] / divisors[rows[kept]]
    return result


def _sizes(place: torch.Tensor, owner: torch.Tensor, count: int) -> torch.Tensor:
    """(C,): the root mean square of the numbers of each case, 1 where all are 0."""
    empty = torch.zeros(count, dtype=torch.float64, device=place.device)
    squares = empty.index_add(0, owner, place * place)
    lengths = empty.index_add(0, owner, torch.ones_like(place)).clamp(min=1.0)
    return torch.where(squares > 0, (squares / lengths).sqrt(), 1.0)
