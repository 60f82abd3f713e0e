"""Runs the experiment that a paper cites for a claim, at a size that fits the budget.

It supports the claim by its criterion or leaves it open; it contradicts it where an interval as in
sampling excludes it, and refutes nothing.
"""

from __future__ import annotations

from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.core.experiment import Setting
from verify.core.experiment_store import ExperimentStore
from verify.methods.context import Context, Inquiry

SCALES = {"smoke": 0, "ci": 1, "full": 2}


def experiment(claim: Claim, context: Context) -> Evidence | None:
    """What the experiment of a claim shows, at a size that fits the budget. None if it has none."""
    if claim.experiment is None:
        return None
    inquiry = Inquiry("experiment", context)
    seed = context.random(claim, "experiment").getrandbits(31)
    family = context.random_for(claim.ledger_id, "experiment").getrandbits(31)
    scale, kept = SCALES[context.budget.name], ExperimentStore(context.kept)
    found = claim.experiment(Setting(seed, scale, context.device, family, kept))
    inquiry.scope = found.scope
    inquiry.figures = {"runs": found.instances, "its seed": seed, **found.figures}
    inquiry.instances = found.instances
    outcome = Outcome.SUPPORTS if found.agrees else Outcome.INCONCLUSIVE
    if found.excluded:
        outcome = Outcome.CONTRADICTS
    return inquiry.finds(outcome, found.summary, plots=found.plots)
