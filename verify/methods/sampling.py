"""Sampling: the mean of a quantity in each of some settings, drawn until an interval decides.

The interval of each setting is one of a confidence sequence (verify.kinds.statistics.confidence),
so looking after each round costs nothing, and the settings share the probability of error. Sampling
supports a claim where every interval lies on its side, and contradicts it where an interval, which
is to be wrong ten times less often, lies on the other side in some setting. It never refutes, since
no sample is an exact case.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.kinds.statistics.confidence import bounded_interval, mean_interval
from verify.kinds.statistics.sampling import FIRST, Arm, Relation, Sampled
from verify.methods.context import Context, Inquiry
from verify.methods.experiment import SCALES

ERROR = 0.01  # the probability that any interval of a claim misses its mean
AGAINST = 0.001  # the same of the wider intervals by which a claim is contradicted
SHOWN = 8  # settings listed in the figures, the least favourable first


@dataclass(frozen=True)
class Looked:
    """What was seen of one setting. holds: True where the interval lies on the claimed side, False
    where the wider one lies on the other side, else None. low, high: the interval that decides."""

    name: str
    mean: float
    low: float
    high: float
    count: int
    holds: bool | None


def sampling(claim: Claim, context: Context) -> Evidence | None:
    """Draw what the claim samples. None if it samples nothing."""
    if claim.sampled is None:
        return None
    sampled, scale = claim.sampled, SCALES[context.budget.name]
    inquiry = Inquiry("sampling", context)
    seed = context.random(claim, "sampling").getrandbits(31)
    arms = list(sampled.arms(scale))
    looked = [
        look(sampled, arm, np.random.default_rng([seed, place]), sampled.most[scale], len(arms))
        for place, arm in enumerate(arms)
    ]
    looked.sort(key=lambda one: _favour(one, sampled))
    inquiry.scope = (f"{len(arms)} settings: {', '.join(arm.name for arm in arms)}", *sampled.scope)
    inquiry.instances = sum(one.count for one in looked)
    inquiry.figures = {"its seed": seed, "replicates": inquiry.instances}
    for one in looked[:SHOWN]:
        inquiry.figures[one.name] = f"{one.mean:.5g} ({one.low:.5g} to {one.high:.5g})"
    outcome, summary = concluded(sampled, looked)
    return inquiry.finds(outcome, summary)


def look(
    sampled: Sampled, arm: Arm, generator: np.random.Generator, most: int, arms: int
) -> Looked:
    """Draw in rounds, each as large as all before it, until the interval decides or `most` are
    drawn. arms: how many settings share the probability of error."""
    values = np.zeros(0)
    while True:
        count = min(max(FIRST, len(values)), most - len(values))
        values = np.concatenate([values, arm.draw(count, generator)])
        if not np.isfinite(values).all():
            return Looked(arm.name, float("nan"), -np.inf, np.inf, len(values), None)
        low, high = interval(sampled, values, ERROR / arms)
        holds = True if supported(sampled, low, high) else None
        wide = interval(sampled, values, AGAINST / arms)
        if contradicted(sampled, *wide):
            (low, high), holds = wide, False
        if holds is not None or len(values) >= most:
            return Looked(arm.name, float(values.mean()), low, high, len(values), holds)


def interval(sampled: Sampled, values: np.ndarray, error: float) -> tuple[float, float]:
    """For the mean of the values: whatever their law where they are bounded, else that of normal
    ones."""
    if sampled.bounds is not None:
        return bounded_interval(values, *sampled.bounds, error)
    return mean_interval(values, error)


def supported(sampled: Sampled, low: float, high: float) -> bool:
    """Whether an interval lies on the claimed side."""
    if sampled.relation is Relation.AT_LEAST:
        return low >= 0
    return low <= 0 <= high and max(-low, high) <= sampled.resolution


def contradicted(sampled: Sampled, low: float, high: float) -> bool:
    """Whether an interval lies on the other side: below 0, or further from 0 than the resolution.
    One that has no length, of equal values without bounds, tells nothing."""
    if low == high and sampled.bounds is None:
        return False
    if sampled.relation is Relation.AT_LEAST:
        return high < 0
    return low > sampled.resolution or high < -sampled.resolution


def concluded(sampled: Sampled, looked: list[Looked]) -> tuple[Outcome, str]:
    """The outcome over all settings, and why; looked: the least favourable first."""
    against = [one for one in looked if one.holds is False]
    undecided = [one for one in looked if one.holds is None]
    if against:
        one = against[0]
        told = (
            f"{sampled.quantity} is not {sampled.relation.value}{_near(sampled)} in {len(against)} "
            f"of {len(looked)} settings ({one.name}: {one.low:.5g} to {one.high:.5g}"
        )
        if sampled.stands_for:
            return Outcome.INCONCLUSIVE, f"{told}), which stands for {sampled.stands_for}."
        return Outcome.CONTRADICTS, (
            f"{told}, by an interval that holds at all numbers of draws but for a probability of "
            f"{AGAINST:g})."
        )
    if undecided:
        one = undecided[0]
        return Outcome.INCONCLUSIVE, (
            f"{len(undecided)} of {len(looked)} settings are not decided ({one.name}: "
            f"{one.low:.5g} to {one.high:.5g}): more replicates would settle it."
        )
    return Outcome.SUPPORTS, (
        f"{sampled.quantity} is {sampled.relation.value}{_near(sampled)} in all {len(looked)} "
        f"settings, with intervals that hold together with probability {1 - ERROR:.0%}."
    )


def _near(sampled: Sampled) -> str:
    return "" if sampled.relation is Relation.AT_LEAST else f", to within {sampled.resolution:g}"


def _favour(one: Looked, sampled: Sampled) -> tuple[int, float]:
    rank = {False: 0, None: 1, True: 2}[one.holds]
    slack = one.low if sampled.relation is Relation.AT_LEAST else -max(-one.low, one.high)
    return rank, slack if np.isfinite(slack) else -np.inf
