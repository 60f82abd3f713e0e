"""Making a violation small: architecture first, then numbers, each step replayed exactly."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import islice

from verify.core.claim import Claim
from verify.core.instance import Instance
from verify.search.judging import Judgement, Violation
from verify.search.weakened import judged

TOGETHER = 8  # smaller cases that are judged at once


def shrink(claim: Claim, violation: Violation, steps: int) -> Violation:
    """The smallest violation that greedy changes reach, trying at most `steps` changes.

    A change is kept when the changed case still meets every hypothesis and still violates the
    claim, by exact arithmetic, and is smaller in the order of `size`.
    """
    asking = shrinking(violation, steps)
    cases = next(asking)
    while True:
        try:
            cases = asking.send(judged(claim, cases))
        except StopIteration as end:
            smallest: Violation = end.value
            return smallest


def shrinking(
    violation: Violation, steps: int, together: int = TOGETHER
) -> Generator[Sequence[Instance], Sequence[Judgement | None], Violation]:
    """The same, asking what is to be said of smaller cases, so many at once."""
    best = violation
    left = steps if violation.case.admissible else 0
    improved = True
    while improved and left > 0:
        improved, largest = False, best.case.size()
        changed = enumerate(islice(best.case.changes(), left), 1)
        smaller = ((k, c) for k, c in changed if c.size() < largest and c.admissible)
        tried = left
        while asked := list(islice(smaller, together)):
            judgements = yield [case for _, case in asked]
            for (number, _), judgement in zip(asked, judgements, strict=True):
                if judgement is not None and judgement.violations:
                    best, tried, improved = judgement.violations[0], number, True
                    break
            if improved:
                break
        left -= tried
    (judgement,) = yield [best.case.plain()]
    return judgement.violations[0] if judgement is not None and judgement.violations else best
