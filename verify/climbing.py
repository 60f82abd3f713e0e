"""Gradient ascent on the violation of a claim, for a batch of different cases at once, in floats.

What is climbed is the normalised violation: of an inequality -slack, divided by the larger side;
of an identity or a law |residual|, divided by the largest side of any entry of the case. It does
not change where all sides scale alike, and it is above 0 exactly where the entry violates the
claim. Each case climbs by itself, on the largest violation of its entries, by Adam (Kingma and Ba,
2015, without its correction of the first steps) with steps relative to the size of its own numbers,
which shrink from step to step.

Nothing is decided here. Between two visits of the rationals (verify.rationalising) whatever a case
says beside its numbers (labels, choices, hypotheses that are asked of the case) stands still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from numerics.floats import FloatArray, Floats
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import DATA
from verify.judging import View, look_at
from verify.vocabulary import Entries

NOISE = 1e-9  # a normalised residual below it says no more than rounding: there is no slope
MEMORY = 0.9, 0.99  # of the gradient and of its square
PATIENCE = 25  # steps without a larger violation in any case, after which it stops


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
    claim: Claim, cases: Sequence[Any], device: str, steps: int, rates: tuple[float, float]
) -> Climbed:
    """Climb from the numbers of some cases that make one scene.

    rates: the step, relative to the size of a case, at the start and at the end. It stops at once
    where nothing depends smoothly on the numbers.
    """
    counts = [len(case.numbers) for case in cases]
    owner = torch.from_numpy(np.repeat(np.arange(len(cases)), counts)).to(device)
    arithmetic = Floats(device)
    scene = type(cases[0]).scene(cases, arithmetic)
    place = arithmetic.array([number for case in cases for number in case.numbers]).values
    sizes = _sizes(place, owner, len(cases))
    best, highest = place.clone(), torch.full((len(cases),), -torch.inf, dtype=torch.float64)
    highest = highest.to(device)
    rows = _rows(cases, device) if DATA in claim.hypotheses else None
    mean, square = torch.zeros_like(place), torch.zeros_like(place)
    taken, waited = 0, 0
    for step in range(steps):
        place = place.detach().requires_grad_()
        scores, met = largest_violations(claim, look_at(claim, scene.moved(FloatArray(place))))
        better = met & (scores.detach() > highest)
        waited = 0 if bool((better & (scores.detach() > highest + NOISE)).any()) else waited + 1
        highest = torch.where(better, scores.detach(), highest)
        best = torch.where(better[owner], place.detach(), best)
        slopes = _gradient(scores, place) if _has_slope(claim, scores) else None
        if slopes is None or not slopes.any() or waited > PATIENCE:
            break
        taken = step + 1
        mean = MEMORY[0] * mean + (1 - MEMORY[0]) * slopes
        square = MEMORY[1] * square + (1 - MEMORY[1]) * slopes * slopes
        rate = rates[0] * (rates[1] / rates[0]) ** (step / max(1, steps - 1))
        move = mean / torch.where(square > 0, square, 1.0).sqrt()
        place = place.detach() + rate * sizes[owner] * move.clamp(-1.0, 1.0)
        place = place if rows is None else _inside(place, rows)
    parts = torch.split(best.cpu(), counts)
    return Climbed(tuple(part.numpy() for part in parts), highest.cpu().numpy(), taken)


def normalised(entries: Entries, kind: Kind) -> torch.Tensor:
    """(K,): the normalised violation of each entry; 0 where both sides are 0.

    Where a measure has no sides it is the violation itself.
    """
    values = entries.values.values
    violation = -values if kind is Kind.INEQUALITY else values.abs()
    if entries.left is None:
        return violation
    left = entries.left.values
    side = torch.maximum(left.abs(), (left - values).abs())
    if kind is not Kind.INEQUALITY and len(side):
        owner = torch.from_numpy(entries.owner).to(side.device)
        cases = side.new_zeros(int(owner.max()) + 1)
        side = cases.scatter_reduce(0, owner, side, reduce="amax")[owner]
    return torch.where(side > 0, violation / torch.where(side > 0, side, 1.0), 0.0)


def largest_violations(claim: Claim, seen: View) -> tuple[torch.Tensor, torch.Tensor]:
    """(C,) each: the largest normalised violation of each case, among the entries that meet the
    hypotheses where one does, and whether one does. A case without entries has none: 0."""
    found = normalised(seen.entries, claim.kind)
    size = np.nan_to_num(found.detach().cpu().numpy(), nan=-np.inf)
    met = seen.admitted & np.isfinite(size)
    chosen = np.full(len(seen.scene.cases), -1)
    owner = seen.entries.owner
    for k in np.lexsort((size, met)):  # the last one to be written is the largest of those met
        chosen[owner[k]] = k
    there = torch.from_numpy(chosen).to(found.device)
    if not len(found):
        return torch.zeros(len(chosen), dtype=torch.float64, device=found.device), there >= 0
    scores = torch.where(there >= 0, found[there.clamp(min=0)], 0.0)
    whether = np.zeros(len(chosen), dtype=bool)
    whether[owner[met]] = True
    return scores, torch.from_numpy(whether).to(found.device)


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
    result[kept] = place[kept] / squares.sqrt().clamp(min=1.0)[rows[kept]]
    return result


def _sizes(place: torch.Tensor, owner: torch.Tensor, count: int) -> torch.Tensor:
    """(C,): the root mean square of the numbers of each case, 1 where all are 0."""
    empty = torch.zeros(count, dtype=torch.float64, device=place.device)
    squares = empty.index_add(0, owner, place * place)
    lengths = empty.index_add(0, owner, torch.ones_like(place)).clamp(min=1.0)
    return torch.where(squares > 0, (squares / lengths).sqrt(), 1.0)
