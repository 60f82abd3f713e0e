"""Inequalities at their tightest: from corners and random cases downhill in the slack.

Each start is a handful of shapes; the best case of each shape is varied in many ways at once, and
the variants are measured in float64 balls (verify.search.constants.downhill). The slack is taken
relative to the larger side in every other start (what scales alike then stays as large as it is),
as it is in the others. What goes below 0 goes through the admission gate. How far the constants can
go, and which cases show it, is another method's question: constants.
"""

from __future__ import annotations

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, admit
from verify.search.constants.downhill import Archive, downhill
from verify.search.constants.limits import moving
from verify.search.constants.moves import corners
from verify.search.constants.slacks import slacks_of

STEPS = 40
PATIENCE = 6  # steps without a smaller slack, after which another start is taken
SHAPES = 4  # of one start


def extremes(claim: Claim, context: Context) -> Evidence | None:
    """Look for cases of small slack by local changes; the first below 0 goes through the gate."""
    if claim.kind is not Kind.INEQUALITY or claim.exact_only or claim.pool is None:
        return None
    inquiry = Inquiry("extremes", context)
    random = context.random(claim, "extremes")
    width = context.budget.batch_size
    least, looked, met = np.inf, 0, 0
    for number in range(context.budget.trial_batches + 1):
        relative = number % 2 == 0
        look = slacks_of(claim, context.device, relative=relative)
        archive = Archive()
        archive.add(look, corners(claim, random, width, SHAPES))
        downhill(look, archive, moving(claim), random, steps=STEPS, width=width, patience=PATIENCE)
        looked += archive.looked
        met += archive.met > 0
        if archive.below:
            admitted = admit(claim, archive.below[0], context.budget.shrink_steps)
            if isinstance(admitted, Admitted):
                return refutation(inquiry, claim, admitted, looked)
            why = f"a suspected violation was not admitted: {admitted.reason}"
            return inquiry.finds(admitted.outcome, why)
        least = min(least, archive.least) if relative else least
    inquiry.scope = (f"random starts, up to {STEPS} steps downhill each",)
    inquiry.figures = {"looked at": looked}
    inquiry.instances = met
    if np.isfinite(least):
        inquiry.figures["smallest relative slack"] = f"{least:.1e}"
    return inquiry.finds(Outcome.SUPPORTS, f"no slack below 0 downhill from {met} random starts.")
