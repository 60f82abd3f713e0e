"""Inequalities at their tightest: from random cases downhill in the slack.

Each start is varied in many ways at once, the variants are measured in float64 balls, and the one
with the least slack is the next start: relative to the larger side in every other start (what
scales alike then stays as large as it is), as it is in the others. What goes below 0 goes through
the admission gate. A slack of 0 shows that no constant in the inequality can be better.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.admission import Admitted, admit
from verify.case import PRESCRIBED
from verify.claim import Claim, Kind
from verify.evidence import Evidence, Outcome
from verify.judging import view
from verify.methods.context import Context, Inquiry, draw, repair
from verify.methods.pointwise import refutation

STEPS = 40
NARROW = 1e-9  # a ball wider than this share of the larger side says too little
PATIENCE = 6  # steps without a smaller slack, after which another start is taken


def extremes(claim: Claim, context: Context) -> Evidence | None:
    """Look for cases of small slack by local changes; the first below 0 goes through the gate."""
    if claim.kind is not Kind.INEQUALITY or claim.exact_only or claim.pool is None:
        return None
    inquiry = Inquiry("extremes", context)
    random = context.random(claim, "extremes")
    looked = 0
    least = np.inf
    met: set[int] = set()
    for number in range(context.budget.trial_batches + 1):
        n = claim.pool.examples[number % len(claim.pool.examples)]
        best: Any = draw(claim, random, n=n, loss=PRESCRIBED, large=False)
        slack, waited = np.inf, 0
        for _ in range(STEPS):
            variants = [best]
            for _ in range(context.budget.batch_size - 1):
                variants.append(repair(claim, best.varied(random), random))
            looked += len(variants)
            found, lowest, below = _tightest(claim, variants, context, relative=number % 2 == 0)
            if below and found is not None:
                admitted = admit(claim, found, context.budget.shrink_steps)
                if isinstance(admitted, Admitted):
                    return refutation(inquiry, claim, admitted, looked)
                why = f"a suspected violation was not admitted: {admitted.reason}"
                return inquiry.finds(admitted.outcome, why)
            if found is None:
                break
            met.add(number)
            waited = 0 if lowest < slack else waited + 1
            best, slack = (found, lowest) if lowest <= slack else (best, slack)
            if waited == PATIENCE:
                break
        least = min(least, slack) if number % 2 == 0 else least
    inquiry.scope = (f"{len(met)} starts, up to {STEPS} steps downhill each",)
    inquiry.figures = {"looked at": looked}
    inquiry.instances = len(met)
    if np.isfinite(least):
        inquiry.figures["smallest relative slack"] = f"{least:.1e}"
    return inquiry.finds(
        Outcome.SUPPORTS, f"no slack below 0 downhill from {len(met)} random cases."
    )


def _tightest(
    claim: Claim, variants: list[Any], context: Context, *, relative: bool
) -> tuple[Any | None, float, bool]:
    """The admitted variant with the least slack, that slack, and whether its ball lies below 0.

    relative: to the larger side. A ball that contains 0 counts as 0.
    """
    from numerics.enclosures import Balls

    best: tuple[Any | None, float, bool] = (None, np.inf, False)
    for batch in type(variants[0]).batches(variants):
        if not batch:
            continue
        seen = view(claim, batch, Balls(context.device))
        middle, radius = seen.entries.values.to_numpy()
        sides = np.ones(len(middle))
        if seen.entries.left is not None:
            left = seen.entries.left.to_numpy()[0]
            sides = np.maximum(np.abs(left), np.abs(left - middle))
        good = seen.admitted & np.isfinite(middle) & (radius < NARROW * sides)
        if not good.any():
            continue
        slacks = np.where(np.abs(middle) > radius, middle, 0.0)
        slacks = np.where(good, slacks / np.where(good & relative, sides, 1.0), np.inf)
        k = int(np.argmin(slacks))
        if slacks[k] < best[1]:
            best = (batch[int(seen.entries.owner[k])], float(slacks[k]), bool(slacks[k] < 0))
    return best
