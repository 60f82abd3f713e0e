"""Float trials: batches of different random networks in float64 balls.

The balls enclose the exact value of the very same rational case, so an entry whose ball excludes 0
is a violation up to the admission gate, and no tolerance is chosen. The radius says how small a
violation the trial would have noticed. Where balls are too wide to say much (near kinks, where
float64 cannot tell the sign of a pre-activation, and where both sides are 0), some cases of each
batch are judged exactly instead; the rest are counted as not decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any

import numpy as np

from graphs.errors import TooManyPathsError
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.instance import Instance
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, Refused, admit
from verify.search.drawing import draw, repair
from verify.search.judging import judge_exactly, view

SUSPECTS = 3
SERIOUS = (Outcome.ERROR, Outcome.VIOLATES, Outcome.INCONCLUSIVE)  # of what the gate refused
WIDE = 1e-6  # a ball wider than this share of the case's largest side says too little
EXACT_EACH = 4  # how many cases of a batch are judged exactly because their balls are wide


@dataclass
class Tally:
    """What the trials have seen so far."""

    cases: int = 0
    met: int = 0
    entries: int = 0
    wide: int = 0
    exactly: int = 0
    residuals: list[np.ndarray] = field(default_factory=list)
    bounds: list[np.ndarray] = field(default_factory=list)
    families: set[str] = field(default_factory=set)
    losses: set[str] = field(default_factory=set)
    touches: int = 0
    slack: float = inf
    suspects: list[Instance] = field(default_factory=list)


def trials(claim: Claim, context: Context) -> Evidence | None:
    """Run the float trials; suspicions go through the admission gate."""
    inquiry = Inquiry("trials", context)
    tally = Tally()
    for batch in _batches(claim, context):
        _look(claim, batch, context, tally)
        if len(tally.suspects) >= SUSPECTS:
            break
    refused: list[Refused] = []
    for case in tally.suspects[:SUSPECTS]:
        found = admit(claim, case, context.budget.shrink_steps)
        if isinstance(found, Admitted):
            return refutation(inquiry, claim, found, tally.cases)
        refused.append(found)
    inquiry.figures = {
        "drawn": tally.cases,
        "met all hypotheses": tally.met,
        "entries": tally.entries,
        **_relative_figures(tally, one_sided=claim.kind is Kind.INEQUALITY),
        "not decided in floats": tally.wide,
        "cases judged exactly instead": tally.exactly,
        "device": context.device,
    }
    inquiry.scope = (
        "float64 trials: " + ", ".join(sorted(tally.families)),
        *(["losses " + ", ".join(sorted(tally.losses))] if tally.losses else []),
    )
    inquiry.instances = tally.met
    if refused:
        worst = min(refused, key=lambda refusal: SERIOUS.index(refusal.outcome))
        return inquiry.finds(
            worst.outcome, f"a suspected violation was not admitted: {worst.reason}"
        )
    return inquiry.finds(
        Outcome.SUPPORTS,
        f"no violation in {tally.met} cases ({tally.entries} entries) in float64 enclosures.",
    )


def _batches(claim: Claim, context: Context) -> Iterator[Sequence[Any]]:
    """Batches of cases with the same number of examples and the same loss; then the named
    architectures with real data, one at a time."""
    assert claim.pool is not None
    random = context.random(claim, "trials")
    pool = claim.pool
    for number in range(context.budget.trial_batches):
        n = pool.examples[number % len(pool.examples)]
        loss = pool.losses[number % len(pool.losses)]
        cases = [
            draw(claim, random, n=n, loss=loss, large=True)
            for _ in range(context.budget.batch_size)
        ]
        yield from type(cases[0]).batches(cases)
    if context.budget.named:
        for case in pool.named(random):
            with suppress(TooManyPathsError):  # a hypothesis asks for its paths
                yield [repair(claim, case, random)]


def _look(claim: Claim, batch: Sequence[Any], context: Context, tally: Tally) -> None:
    """Measure one batch and add what was seen to the tally."""
    from numerics.enclosures import Balls

    if not batch:
        return
    try:
        seen = view(claim, batch, Balls(context.device))
    except TooManyPathsError:  # a named network with too many paths for this claim
        return
    middle, radius = seen.entries.values.to_numpy()
    finite = np.isfinite(middle) & np.isfinite(radius)
    owner = seen.entries.owner
    scale = _scales(seen.entries, len(batch))[owner]
    wide = seen.admitted & finite & ~(radius <= WIDE * scale) & (radius > 0)
    _judge_wide(claim, [batch[c] for c in sorted(set(owner[wide].tolist()))], tally)
    one_sided = claim.kind is Kind.INEQUALITY
    beyond = middle < -radius if one_sided else np.abs(middle) > radius
    violated = seen.admitted & finite & beyond
    chosen = seen.admitted & finite & ~wide
    tally.cases += len(batch)
    tally.families |= {case.family for case in batch}
    tally.losses |= {case.loss for case in batch if getattr(case, "loss", "")}
    tally.met += len(set(owner[chosen].tolist()))
    tally.entries += int(chosen.sum())
    tally.wide += int((wide | (seen.admitted & ~finite)).sum())
    measured = chosen & ~violated & (scale > 0)
    if one_sided:
        tally.touches += int((chosen & (np.abs(middle) <= radius)).sum())
        tally.slack = min([tally.slack, *(middle[measured] / scale[measured]).tolist()])
    else:
        tally.residuals.append(np.abs(middle[measured]) / scale[measured])
    tally.bounds.append(radius[measured] / scale[measured])
    for number in sorted(set(owner[violated].tolist())):
        tally.suspects.append(batch[number])


def _judge_wide(claim: Claim, cases: Sequence[Instance], tally: Tally) -> None:
    """Judge some of the cases whose balls are too wide over the rationals."""
    for case in cases[:EXACT_EACH]:
        judgement = judge_exactly(claim, case.exactly())
        tally.exactly += 1
        if judgement.violations:
            tally.suspects.append(case)


def _scales(entries: Entries, cases: int) -> np.ndarray:
    """(C,): for each case the largest side of any of its entries, the measure of its residuals."""
    scale = np.zeros(cases)
    if entries.left is None:
        return scale + 1.0
    left = np.abs(entries.left.to_numpy()[0])
    size = np.where(np.isfinite(left), left, 0.0)
    np.maximum.at(scale, entries.owner, size)
    return scale


def _relative_figures(tally: Tally, *, one_sided: bool) -> dict[str, Any]:
    """Residuals (or slacks) and their rounding bounds, relative to the largest side of the case."""
    residuals = np.concatenate([np.zeros(1), *tally.residuals])
    bounds = np.concatenate([np.zeros(1), *tally.bounds])
    seen = {"worst residual": f"{residuals.max():.1e}"}
    if one_sided:
        seen = {"slack not told from 0": str(tally.touches)}
        seen |= {"smallest relative slack": f"{tally.slack:.1e}"} if isfinite(tally.slack) else {}
    return {
        **seen,
        "noticed in half of the entries": f"{np.median(bounds):.1e}",
        "noticed in every entry": f"{bounds.max():.1e}",
    }
