"""Float trials: batches of different random networks in float64 balls.

The balls enclose the exact value of the very same rational case, so an entry whose ball excludes 0
is a violation up to the admission gate, and no tolerance is chosen. The radius says how small a
violation the trial would have noticed. Entries near kinks, where float64 cannot tell the sign of a
pre-activation, are left out (and counted).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphs.errors import TooManyPathsError
from graphs.paths import count_paths
from verify.admission import Admitted, admit
from verify.case import Case
from verify.claim import Claim
from verify.evidence import Evidence, Outcome
from verify.judging import view
from verify.methods.context import Context, draw, repair
from verify.methods.pointwise import refutation
from verify.named import named_cases
from verify.vocabulary import PATH_CAP

SUSPECTS = 3


@dataclass
class Tally:
    """What the trials have seen so far."""

    cases: int = 0
    met: int = 0
    entries: int = 0
    undecided: int = 0
    worst: float = 0.0
    resolution: float = 0.0
    families: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    suspects: list[Case] = field(default_factory=list)


def trials(claim: Claim, context: Context) -> Evidence | None:
    """Run the float trials; suspicions go through the admission gate."""
    start = time.perf_counter()
    tally = Tally()
    for batch in _batches(claim, context):
        _look(claim, batch, context, tally)
        if len(tally.suspects) >= SUSPECTS:
            break
    artefacts: list[str] = []
    for case in tally.suspects[:SUSPECTS]:
        found = admit(claim, case, context.budget.shrink_steps)
        if isinstance(found, Admitted):
            return refutation("trials", claim, found, tally.cases, context, start)
        artefacts.append(found.reason)
    figures: dict[str, Any] = {
        "drawn": tally.cases,
        "met all hypotheses": tally.met,
        "entries": tally.entries,
        "worst residual": f"{tally.worst:.2e}",
        "smallest violation noticed": f"{tally.resolution:.2e}",
        "undecided at kinks": tally.undecided,
        "device": context.device,
    }
    scope = (
        "float64 trials: "
        + ", ".join(f"{name} {count}" for name, count in sorted(tally.families.items())),
        "losses " + ", ".join(sorted(tally.losses)),
    )
    seconds = time.perf_counter() - start
    if artefacts:
        return Evidence(
            "trials",
            Outcome.INCONCLUSIVE,
            f"a suspected violation was not admitted: {artefacts[0]}",
            scope,
            figures,
            tally.met,
            seconds,
            context.seed,
        )
    return Evidence(
        "trials",
        Outcome.SUPPORTS,
        f"no violation in {tally.met} cases ({tally.entries} entries) in float64 enclosures.",
        scope,
        figures,
        tally.met,
        seconds,
        context.seed,
    )


def _batches(claim: Claim, context: Context) -> Iterator[list[Case]]:
    """Batches of cases with the same number of examples and the same loss; then the named
    architectures with real data, one at a time."""
    assert claim.pool is not None
    random = context.random(claim, "trials")
    pool = claim.pool
    for number in range(context.budget.trial_batches):
        n = pool.examples[number % len(pool.examples)]
        loss = pool.losses[number % len(pool.losses)]
        cases = (
            draw(claim, random, n=n, loss=loss, large=True)
            for _ in range(context.budget.batch_size)
        )
        yield [case for case in cases if count_paths(case.network).total <= PATH_CAP]
    if context.budget.named:
        for case in named_cases(pool, random):
            yield [repair(claim, case, random)]


def _look(claim: Claim, batch: Sequence[Case], context: Context, tally: Tally) -> None:
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
    chosen = seen.admitted & finite
    owner = seen.entries.owner
    violated = chosen & (np.abs(middle) > radius)
    tally.cases += len(batch)
    tally.met += len(set(owner[chosen].tolist()))
    tally.entries += int(chosen.sum())
    tally.undecided += int(seen.scene.evaluation.kinks.any(axis=1).sum())
    if chosen.any():
        tally.worst = max(tally.worst, float(np.abs(middle[chosen & ~violated]).max(initial=0.0)))
        tally.resolution = max(tally.resolution, float(radius[chosen].max()))
    for number in sorted(set(owner[chosen].tolist())):
        tally.families[batch[number].family] += 1
        tally.losses[batch[number].loss] += 1
    for number in sorted(set(owner[violated].tolist())):
        tally.suspects.append(batch[number])
