"""Cases that meet all hypotheses of a claim but one, and what the claim comes to in them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain, islice
from operator import methodcaller
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from graphs.errors import PrecisionError
from verify.cases.hypotheses import Hypothesis, asks_cases
from verify.cases.scenes import Entries
from verify.core.claim import Claim
from verify.search.enclosing import judge_closely, needs_enclosing
from verify.search.judging import NOTHING, Judgement, judge_all

T = TypeVar("T")


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


def judged(
    claim: Claim, cases: Sequence[Any], unmet: Sequence[Hypothesis] = ()
) -> list[Judgement | None]:
    """What is known of each case: exactly where it is rational, else in enclosures; None where the
    claim cannot even be stated of it. Rational cases of one shape are judged together.

    unmet: for each case one of the hypotheses, which it is not to meet while it meets the others.
    Raises PrecisionError where a case takes enclosures and python-flint is not installed.
    """
    spared = tuple(unmet) or (None,) * len(cases)
    found: list[Judgement | None] = [None] * len(cases)
    rational: list[tuple[int, Pair]] = []
    for k, pair in enumerate(zip(map(copy, cases), spared, strict=True)):
        if needs_enclosing(pair[0]):
            found[k] = _alone(claim, pair, judge_closely)
        else:
            rational.append((k, pair))
    together = _together(claim, [pair for _, pair in rational])
    for (k, _), judgement in zip(rational, together, strict=True):
        found[k] = judgement
    return found


Asking = Generator[Sequence[Any], Sequence[Judgement | None], T]
"""What asks about cases, one batch after the other, and comes to something in the end."""
GoOn = Callable[[Asking[T]], Sequence[Any]]
"""Its next step, to what it asks then; StopIteration at the end."""


def in_step(claim: Claim, asking: Mapping[Hypothesis, Asking[T]]) -> list[T]:
    """What each comes to that asks about cases without a hypothesis, in the order of these. What
    they ask at the same time is judged together, as it is the same statement."""
    found: dict[Hypothesis, T] = {}
    told: Mapping[Hypothesis, GoOn[Any]] = dict.fromkeys(asking, next)
    while told:
        asked: dict[Hypothesis, Sequence[Any]] = {}
        for hypothesis, go_on in told.items():
            try:
                asked[hypothesis] = go_on(asking[hypothesis])
            except StopIteration as end:
                found[hypothesis] = end.value
        told = _answers(claim, asked)
    return [found[hypothesis] for hypothesis in asking]


def _answers(
    claim: Claim, asked: Mapping[Hypothesis, Sequence[Any]]
) -> Mapping[Hypothesis, GoOn[Any]]:
    """How each that asked goes on: with its judgements, or with an error of its own."""
    unmet = [hypothesis for hypothesis, cases in asked.items() for _ in cases]
    try:
        rest = iter(judged(claim, list(chain(*asked.values())), unmet))
    except PrecisionError as error:
        if len(asked) > 1:
            return {h: _answers(claim, {h: cases})[h] for h, cases in asked.items()}
        return {h: methodcaller("throw", error) for h in asked}
    return {h: methodcaller("send", list(islice(rest, len(cases)))) for h, cases in asked.items()}


def _holds(hypothesis: Hypothesis, case: Any) -> bool:
    """Whether a case meets a hypothesis that asks for nothing but the case."""
    return bool(hypothesis.test(SimpleNamespace(cases=(case,)), _one_entry(1))[0])


def _one_entry(count: int) -> Any:
    """What stands for the entries of so many cases, one of each."""
    return SimpleNamespace(owner=np.arange(count))


def spoken_of(claim: Claim, case: Any, unmet: Hypothesis | None = None) -> bool:
    """Whether a case meets all the hypotheses that can be asked before anything is measured, but
    for the one that it is not to meet."""
    try:
        return all(_holds(h, case) != (h is unmet) for h in claim.hypotheses if asks_cases(h))
    except ValueError:  # it is looked at by itself
        return True


Pair = tuple[Any, Hypothesis | None]
"""A case, and the hypothesis that it is not to meet."""


def _each_without(claim: Claim, pairs: Sequence[Pair]) -> Claim:
    """The claim, of each of the cases without one of its hypotheses."""
    unmet = {id(case): hypothesis for case, hypothesis in pairs}

    def test(scene: Any, entries: Entries) -> np.ndarray:
        spared = [unmet[id(case)] for case in scene.cases]
        admitted = np.ones(len(entries), dtype=bool)
        for hypothesis in claim.hypotheses:
            if admitted.any():
                fails = np.array([one is hypothesis for one in spared])[entries.owner]
                admitted &= hypothesis.test(scene, entries) != fails
        return admitted

    return replace(claim, hypotheses=(Hypothesis("all but one", "", test),))


def _together(claim: Claim, pairs: Sequence[Pair]) -> Sequence[Judgement | None]:
    """Judge rational cases together; where the claim cannot be stated of one of them each half,
    down to that one."""
    if not pairs:
        return []
    try:
        return judge_all(_each_without(claim, pairs), [case for case, _ in pairs])
    except ValueError:  # errors of networks, numbers and cases are all of this kind
        if len(pairs) == 1:
            return [None if spoken_of(claim, *pairs[0]) else NOTHING]
        half = len(pairs) // 2
        return [*_together(claim, pairs[:half]), *_together(claim, pairs[half:])]


def _alone(claim: Claim, pair: Pair, judge: Any) -> Judgement | None:
    """Judge one case, where it meets what can be asked before it is measured."""
    if not spoken_of(claim, *pair):
        return NOTHING
    try:
        judgement: Judgement = judge(_each_without(claim, [pair]), pair[0])
    except PrecisionError:
        raise
    except ValueError:
        return None
    return judgement
