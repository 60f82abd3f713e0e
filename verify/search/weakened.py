"""A claim without one of its hypotheses, and cases that meet all the others but not that one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

from graphs.errors import PrecisionError
from verify.cases.hypotheses import Hypothesis, asks_cases, by_case
from verify.cases.scenes import Entries
from verify.core.claim import Claim
from verify.core.instance import Instance
from verify.search.enclosing import judge_closely, needs_enclosing
from verify.search.judging import NOTHING, Judgement, judge_all, judge_exactly


def without(claim: Claim, hypothesis: Hypothesis) -> Claim:
    """The claim for the cases that meet all its hypotheses but this one."""

    def fails(scene: Any, entries: Entries) -> np.ndarray:
        return np.asarray(~hypothesis.test(scene, entries), dtype=bool)

    def each_fails(scene: Any) -> np.ndarray:
        return fails(scene, _one_entry(len(scene.cases)))

    of_cases = asks_cases(hypothesis)
    alone = by_case(lambda case: not _holds(hypothesis, case), together=each_fails)
    test = alone if of_cases else fails
    broken = Hypothesis(f"not: {hypothesis.name}", "", test)
    others = tuple(h for h in claim.hypotheses if h is not hypothesis)
    return replace(claim, hypotheses=(*others, broken))


def broken_cases(
    claim: Claim, hypothesis: Hypothesis, cases: Sequence[Any], random: Random
) -> Iterator[Any]:
    """The cases with one hypothesis broken in each, and the others repaired after it.

    Where there is no way to break it the cases as they are: it may fail of one of their entries.
    """
    for case in cases:
        if hypothesis.break_ is None:
            yield case
            continue
        try:
            changed = hypothesis.break_(case, random)
            for other in claim.hypotheses:
                if other is not hypothesis:
                    changed = other.repair(changed, random)
        except ValueError:  # it cannot be broken here
            continue
        yield changed


def judged(claim: Claim, cases: Sequence[Any]) -> list[Judgement | None]:
    """What is known of each case: exactly where it is rational, else in enclosures; None where the
    claim cannot even be stated of it. Rational cases of one shape are judged together.

    Raises PrecisionError where a case takes enclosures and python-flint is not installed.
    """
    found: list[Judgement | None] = [None] * len(cases)
    rational = []
    for k, case in enumerate(cases):
        if needs_enclosing(case):
            found[k] = _alone(judge_closely, claim, case)
        else:
            rational.append(k)
    together = _together(claim, [cases[k] for k in rational])
    for k, judgement in zip(rational, together, strict=True):
        found[k] = judgement
    return found


def _holds(hypothesis: Hypothesis, case: Any) -> bool:
    """Whether a case meets a hypothesis that asks for nothing but the case."""
    return bool(hypothesis.test(SimpleNamespace(cases=(case,)), _one_entry(1))[0])


def _one_entry(count: int) -> Any:
    """What stands for the entries of so many cases, one of each."""
    return SimpleNamespace(owner=np.arange(count))


def spoken_of(claim: Claim, case: Any) -> bool:
    """Whether a case meets all the hypotheses that can be asked before anything is measured."""
    try:
        return all(_holds(h, case) for h in claim.hypotheses if asks_cases(h))
    except ValueError:  # it is looked at by itself
        return True


def _together(claim: Claim, cases: Sequence[Any]) -> Sequence[Judgement | None]:
    """Judge rational cases together, or where the claim cannot be stated of one of them each by
    itself."""
    try:
        return judge_all(claim, cases)
    except ValueError:  # errors of networks, numbers and cases are all of this kind
        alone = (spoken_of(claim, case) for case in cases)
        return [
            _alone(judge_exactly, claim, case) if spoken else NOTHING
            for case, spoken in zip(cases, alone, strict=True)
        ]


def _alone(judge: Any, claim: Claim, case: Instance) -> Judgement | None:
    try:
        judgement: Judgement = judge(claim, case)
    except PrecisionError:
        raise
    except ValueError:
        return None
    return judgement
