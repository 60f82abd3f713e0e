"""Rates: slopes fitted along a ladder of sizes, with a confidence interval over independent seeds.

Each seed gives one slope, by least squares; the slopes of different seeds are independent, so that
their mean has a t-interval. The interval supports a claim where it lies in the claimed range. A
rate is never refuted here: no ladder is long enough for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.core.plots import Curve, Plot
from verify.kinds.statistics.rate import Claimed, Fit, Rate
from verify.methods.context import Context, Inquiry
from verify.methods.experiment import SCALES

CONFIDENCE = 0.99


class Fitted(NamedTuple):
    """The mean slope over the seeds, and its confidence interval."""

    slope: float
    low: float
    high: float


def rates(claim: Claim, context: Context) -> Evidence | None:
    """Fit what the claim measures along its ladder. None if it measures no rate."""
    if claim.rate is None:
        return None
    rate, scale = claim.rate, SCALES[context.budget.name]
    inquiry = Inquiry("rates", context)
    sizes, seeds = rate.ladders[scale], rate.seeds[scale]
    seed = context.random(claim, "rates").getrandbits(31)
    measured = [rate.samples(size, seeds, np.random.default_rng([seed, size])) for size in sizes]
    ladder = ", ".join(map(str, sizes))
    inquiry.scope = (f"{rate.size} {ladder}, {seeds} seeds each", *rate.scope)
    inquiry.figures = {"its seed": seed, "seeds": seeds}
    inquiry.instances = len(sizes) * seeds
    missed: list[str] = []
    for said in rate.claimed:
        values = np.array([at[said.name] for at in measured])
        if not (np.isfinite(values).all() and (rate.logarithms or (values > 0).all())):
            missed.append(f"{said.name} is not positive at every size")
            continue
        logs = values if rate.logarithms else np.log(values)
        found = fitted(np.array(sizes, dtype=float), logs, said)
        interval = f"{found.low:.4f} to {found.high:.4f}"
        inquiry.figures[f"{said.name}, {said.fit.value}"] = f"{found.slope:.4f} ({interval})"
        if not said.holds(found.low, found.high):
            missed.append(
                f"the {said.fit.value} of {said.name} lies in {interval}, claimed is "
                f"{said.range_text()}"
            )
    plots = (curves(rate, sizes, measured),)
    if missed:
        more = f", and {len(missed) - 1} more" * (len(missed) > 1)
        return inquiry.finds(Outcome.INCONCLUSIVE, f"{missed[0]}{more}.", plots=plots)
    number = len(rate.claimed)
    return inquiry.finds(
        Outcome.SUPPORTS,
        f"{'the fit lies' if number == 1 else f'all {number} fits lie'} in the claimed range, with "
        f"{CONFIDENCE:.0%} intervals over {seeds} seeds, {rate.size} {sizes[0]} to {sizes[-1]}.",
        plots=plots,
    )


def fitted(sizes: np.ndarray, logs: np.ndarray, said: Claimed) -> Fitted:
    """The slope of the logarithms of the values (sizes, seeds) against log sizes, or sizes."""
    from scipy.stats import t

    ruler = np.log(sizes) if said.fit is Fit.POWER else sizes
    columns = [np.ones_like(sizes), ruler]
    if said.correction is not None and len(sizes) > 3:
        columns.append(sizes ** -float(said.correction))
    design = np.stack(columns, axis=1)
    slopes = np.linalg.lstsq(design, logs, rcond=None)[0][1]
    mean, count = float(slopes.mean()), len(slopes)
    reach = float(t.ppf((1 + CONFIDENCE) / 2, count - 1) * slopes.std(ddof=1) / np.sqrt(count))
    return Fitted(mean, mean - reach, mean + reach)


def curves(
    rate: Rate, sizes: tuple[int, ...], measured: Sequence[Mapping[str, np.ndarray]]
) -> Plot:
    """The means over the seeds against the sizes, both logarithmic (sizes are not where a growth
    factor is fitted)."""
    lines = []
    for said in rate.claimed:
        means = [float(np.mean(at[said.name])) for at in measured]
        points = [
            (float(n), mean)
            for n, mean in zip(sizes, means, strict=True)
            if np.isfinite(mean) and (rate.logarithms or mean > 0)
        ]
        if points:
            x, y = zip(*points, strict=True)
            lines.append(Curve(said.name, x, y))
    powers = all(said.fit is Fit.POWER for said in rate.claimed)
    what = "mean logarithm" if rate.logarithms else "mean"
    title = "values along the ladder"
    return Plot(title, rate.size, what, tuple(lines), x_log=powers, y_log=not rate.logarithms)
