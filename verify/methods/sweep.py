"""A sweep in plain float64: many cases measured without bounds, the least of them judged exactly.

For claims whose measure float64 balls do not know (logarithms, singular values). A float decides
nothing: what lies lowest, violations first, is judged over the reals (graphs.reals), and only that
refutes. The evidence says how many cases were measured in floats alone.
"""

from __future__ import annotations

from math import inf, isfinite
from random import Random
from typing import Any

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, Refused, admit
from verify.search.drawing import draw, repair
from verify.search.judging import judge_exactly, view

LOWEST = 8  # cases of a batch that are judged exactly
CLEAR = 1e-6  # a normalised violation below minus this is clear of rounding, as experience goes


def sweep(claim: Claim, context: Context) -> Evidence | None:
    """Measure batches of cases in plain float64; the lowest are judged exactly."""
    inquiry = Inquiry("sweep", context)
    random = context.random(claim, "sweep")
    assert claim.pool is not None
    pool, families = claim.pool, set[str]()
    drawn = measured = exactly = artefacts = 0
    least = inf
    refused: Refused | None = None
    for number in range(context.budget.trial_batches):
        cases = _cases(claim, random, number, context.budget.batch_size)
        drawn += len(cases)
        lowest = _measured(claim, cases, context.device)
        measured += len(lowest)
        families.update(case.family for case in cases if case.family)
        for k in sorted(lowest, key=lambda k: -lowest[k])[:LOWEST]:
            if lowest[k] < -CLEAR and claim.kind is Kind.INEQUALITY:
                least = min(least, -lowest[k])
                break
            exactly += 1
            judgement = judge_exactly(claim, cases[k])
            least = min(least, judgement.slack)
            artefacts += lowest[k] > CLEAR and not judgement.violations
            if judgement.violations:
                found = admit(claim, cases[k], context.budget.shrink_steps)
                if isinstance(found, Admitted):
                    return refutation(inquiry, claim, found, drawn)
                refused = found
    inquiry.scope = ("plain float64: " + ", ".join(sorted(families)), *pool.scope())
    inquiry.figures = {"drawn": drawn, "measured in floats": measured, "judged exactly": exactly}
    inquiry.figures["vanished when made exact"] = artefacts
    if claim.kind is Kind.INEQUALITY and isfinite(least):
        inquiry.figures["smallest relative slack"] = f"{least:.1e}"
    inquiry.instances = measured
    if refused is not None:
        why = f"a suspected violation was not admitted: {refused.reason}"
        return inquiry.finds(refused.outcome, why)
    return inquiry.finds(
        Outcome.SUPPORTS,
        f"no violation among {measured} cases measured in plain float64; the {exactly} nearest to "
        "one were judged exactly.",
    )


def _cases(claim: Claim, random: Random, number: int, count: int) -> list[Any]:
    """Large random cases; where the pool has them, a quarter are much deeper networks and an eighth
    trained ones."""
    assert claim.pool is not None
    n = claim.pool.examples[number % len(claim.pool.examples)]
    deep = getattr(claim.pool, "draw_deep", None)
    trained = getattr(claim.pool, "draw_trained", None)
    found = []
    for k in range(count):
        if deep is not None and k % 4 == 3:
            found.append(repair(claim, deep(random), random))
        elif trained is not None and k % 8 == 5:
            found.append(repair(claim, trained(random), random))
        else:
            found.append(draw(claim, random, n=n, loss="", large=True))
    return found


def _measured(claim: Claim, cases: list[Any], device: str) -> dict[int, float]:
    """By number, the largest normalised violation of each case that meets the hypotheses."""
    from numerics.floats import Floats
    from verify.search.float_violations import largest_violations

    place = {id(case): number for number, case in enumerate(cases)}
    found: dict[int, float] = {}
    for batch in type(cases[0]).batches(cases):
        scores, met = largest_violations(claim, view(claim, batch, Floats(device)))
        for case, score, whether in zip(batch, scores.tolist(), met, strict=True):
            if whether and np.isfinite(score):
                found[place[id(case)]] = score
    return found
