"""Looking at a claim on cases: which entries meet the hypotheses, and which of them fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import RATIONALS, Arithmetic, as_fraction
from graphs.errors import NotRationalError, TooManyPathsError
from verify.case import PRESCRIBED, Case
from verify.claim import Claim, Kind
from verify.hypotheses import DIFFERENTIABLE, Hypothesis
from verify.vocabulary import Entries, Scene, scene_of


@dataclass(frozen=True)
class View:
    """The entries of a claim on a scene, and which of them meet all hypotheses: (K,) boolean."""

    scene: Scene
    entries: Entries
    admitted: np.ndarray


@dataclass(frozen=True)
class Violation:
    """An entry that meets all hypotheses and is not 0 (for existence: a witness)."""

    case: Case
    entry: dict[str, Any]
    value: Fraction


def view(
    claim: Claim,
    cases: Sequence[Case],
    arithmetic: Arithmetic,
    hypotheses: Sequence[Hypothesis] | None = None,
) -> View:
    """Measure a claim on a batch of cases. hypotheses: to ask for others than the claim's."""
    assert claim.measure is not None, f"{claim.id} is not judged"
    scene = scene_of(cases, arithmetic)
    entries = claim.measure(scene)
    admitted = np.ones(len(entries), dtype=bool)
    for hypothesis in claim.hypotheses if hypotheses is None else hypotheses:
        if len(entries) and admitted.any():
            admitted &= hypothesis.test(scene, entries)
    return View(scene, entries, admitted)


def speaks_of_kinks(claim: Claim) -> bool:
    """Whether the claim is a law that is not restricted to points of differentiability."""
    return claim.kind is Kind.LAW and DIFFERENTIABLE not in claim.hypotheses


@dataclass(frozen=True)
class Judgement:
    """What exact arithmetic says of one case: how many entries met the hypotheses, and the
    violations among them."""

    admitted: int
    violations: tuple[Violation, ...]


NOTHING = Judgement(0, ())


def judge_exactly(claim: Claim, case: Case) -> Judgement:
    """Judge one case over the rationals; a case that has no exact form judges nothing.

    The loss of a case may be named: then its slopes are not rational, see `prescribe`.
    """
    if case.loss not in (PRESCRIBED, "squared"):
        raise NotRationalError(f"loss {case.loss} is not rational: prescribe its slopes first")
    try:
        seen = view(claim, [case], RATIONALS)
        values = seen.entries.values
        chosen = np.flatnonzero(seen.admitted)
        broken = [k for k in chosen if values[k] != 0]
        violations = tuple(
            Violation(case, seen.entries.label(int(k)), as_fraction(values[k])) for k in broken
        )
    except (NotRationalError, TooManyPathsError):
        return NOTHING
    return Judgement(len(chosen), violations)
