"""Making a violation small: architecture first, then numbers, each step replayed exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from graphs.errors import NetworkError, NotRationalError
from verify.cases.hypotheses import asks_case
from verify.cases.tensors import CaseError
from verify.core.claim import Claim
from verify.core.instance import Instance
from verify.search.judging import Judgement, Violation, judge_all, judge_exactly

Judge = Callable[[Claim, Instance], Judgement]
TOGETHER = 8  # smaller cases that are judged at once


def shrink(
    claim: Claim, violation: Violation, steps: int, judge: Judge = judge_exactly
) -> Violation:
    """The smallest violation that greedy changes reach, trying at most `steps` changes.

    A change is kept when the changed case still meets every hypothesis and still violates the
    claim, by exact arithmetic (or what else judges), and is smaller in the order of `size`.
    """
    best = violation
    left = steps if violation.case.admissible else 0
    improved = True
    while improved and left > 0:
        improved, largest = False, best.case.size()
        changed = enumerate(islice(best.case.changes(), left), 1)
        smaller = ((k, c) for k, c in changed if c.size() < largest and c.admissible)
        tried = left
        while together := list(islice(smaller, TOGETHER)):
            found = _first(claim, [case for _, case in together], judge)
            if found is not None:
                place, best = found
                tried, improved = together[place][0], True
                break
        left -= tried
    return _violation(claim, best.case.plain(), judge) or best


def _first(claim: Claim, cases: Sequence[Instance], judge: Judge) -> tuple[int, Violation] | None:
    """The first of the cases that violates the claim: its place, and the violation. Those of a
    statement are judged together."""
    if claim.terms is not None and judge is judge_exactly:
        try:
            judged = judge_all(claim, cases)
            return next(((k, j.violations[0]) for k, j in enumerate(judged) if j.violations), None)
        except (NetworkError, CaseError, NotRationalError):  # one of them
            pass
    found = ((k, _violation(claim, case, judge)) for k, case in enumerate(cases))
    return next(((k, one) for k, one in found if one is not None), None)


def _violation(claim: Claim, case: Instance, judge: Judge) -> Violation | None:
    try:
        asked = (asks_case(hypothesis) for hypothesis in claim.hypotheses)
        if not all(meets is None or meets(case) for meets in asked):
            return None  # before it is measured, which takes longer
        judgement = judge(claim, case)
    except (NetworkError, CaseError):
        return None
    return judgement.violations[0] if judgement.violations else None
