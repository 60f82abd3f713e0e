"""Algorithm 1: what pre-training on r does, to the rank and to learning.

Perceptrons on scikit-learn's digits, and on made clusters, in place of CIFAR-10.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.core.plots import Plot, thinned
from verify.kinds.statistics.confidence import bounded_interval
from verify.papers.dkbhl20.designs import Design, Training
from verify.papers.dkbhl20.pretraining_runs import (
    NOTED,
    RATES,
    STEPS,
    Figures,
    Sizes,
    best_of,
    curve,
    judged,
    pretrained_designs,
    pretrained_layers,
    scope,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.training_figures import interval

NEXT, BORDER = 2.0, 1.5
"""Rank collapse is rank one, of r = 1, and the next rank is two: r is capped there, and the border
lies in the middle."""
ERROR, AGAINST = 0.01, 0.001  # of the intervals by which it is told on which side the mean lies
SEEDS = (16, 24, 64)  # of (a) at the largest depth with the largest amount of work, by scale
FASTER = 0.1  # of the mean accuracy along training

ALG1 = (
    Sizes(16, (2, 8), ((5, 1),), Training((0.001, 0.1), 20, 32, 2, 2)),
    Sizes(32, (1, 4, 16), ((1, 1), (5, 1), (5, 5), (75, 1)), Training(RATES, 150, 64, 5, 2)),
    Sizes(
        64,
        (1, 4, 8, 16, 32),
        ((1, 1), (5, 1), (5, 5), (25, 1), (75, 1)),
        Training(RATES, 600, 64, 10, 5),
        ("digits", "clusters"),
    ),
)
SMALL = Sizes(32, (4,), ((5, 1),), Training((1e-3, 1e-2, 0.1), 40, 32, 2, 2), ("clusters",))


def rank_increases(reading: str, setting: Setting, sizes: Sizes, data: str) -> Measured:
    """(a): r(H_L) and the rank before and after, for the largest amount of work. Networks are
    independent of each other, so that the mean of r has an interval; that of each step is as wide
    as it must be for all of them to hold together."""
    many = replace(sizes, training=replace(sizes.training, seeds=SEEDS[setting.scale]))
    decisive = (max(sizes.depths), sizes.amounts[-1])
    figures: Figures = {}
    grown, said = [], []
    curves = []
    for depth in sizes.depths:
        for amount in sizes.amounts:
            run = many if (depth, amount) == decisive else sizes
            found = pretrained_layers(reading, depth, amount, run, setting, data)
            before, after = (found[name][:, -1].mean() for name in ("before", "after"))
            ranks = [found[name].mean() for name in ("rank_before", "rank_after")]
            figures[f"depth {depth}, M = {amount[0]}, T = {amount[1]}"] = (
                f"r(H_L) {before:.6g} to {after:.6g}, rank by footnote 2 {ranks[0]:.4g} to "
                f"{ranks[1]:.4g}, first gradient {found['gradient'].mean():.2e}; r by layer "
                f"{', '.join(f'{r:.3g}' for r in found['after'].mean(axis=0))}"
            )
        grown.append(after >= NOTED * before and ranks[1] >= ranks[0])
        said.append(f"{before:.4g} to {after:.4g} and {ranks[0]:.3g} to {ranks[1]:.3g} at {depth}")
        layers = [float(layer) for layer in range(1, depth + 1)]
        courses = {"before": found["before"], "after": found["after"]}
        if depth == max(sizes.depths):
            curves = [thinned(k, layers, v.mean(axis=0).tolist()) for k, v in courses.items()]
    capped = np.clip(found["after"][:, -1].astype(float), 1.0, NEXT)
    low, high = bounded_interval(capped, 1.0, NEXT, ERROR / len(STEPS))
    wide = bounded_interval(capped, 1.0, NEXT, AGAINST / len(STEPS))
    most = sizes.amounts[-1]
    return Measured(
        all(grown) and low > BORDER,
        f"r(H_L) and rank by footnote 2 (float64) before and after pre-training with M = "
        f"{most[0]}, T = {most[1]}, by depth: {'; '.join(said)}; at the largest depth the mean of "
        f"r capped at {NEXT:g} is between {low:.4g} and {high:.4g} (but for a probability of "
        f"{ERROR:g}; between {wide[0]:.4g} and {wide[1]:.4g} but for {AGAINST:g}). Criterion: r "
        f"grows by a tenth and the rank does not fall at every depth, and that mean is above "
        f"{BORDER:g}, as r is 1 at rank one; below it the rank has collapsed all the same.",
        (f"{scope(sizes, sizes.depths, data)}; {len(capped)} seeds where it is decided",),
        figures,
        (Plot(f"r of the layers, depth {max(sizes.depths)}", "layer", "r", tuple(curves)),),
        instances=(len(sizes.depths) * len(sizes.amounts) - 1) * sizes.training.seeds + len(capped),
        excluded=wide[1] < BORDER,
    )


def learning_is_faster(reading: str, setting: Setting, sizes: Sizes, data: str) -> Measured:
    """(b): accuracy along training, at the largest depth."""
    most = sizes.amounts[-1][0]
    figures: Figures = {}
    said = []
    curves = []
    for depth in sizes.depths:
        plain, ahead, normal = (
            best_of(designs, sizes, setting, data, figures)
            for designs in (
                [Design(depth, sizes.width)],
                pretrained_designs(depth, sizes.width, most, reading),
                [Design(depth, sizes.width, "centred")],
            )
        )
        means = [float(one.along().mean()) for one in (plain, ahead, normal)]
        said.append(f"{means[0]:.3f}, {means[1]:.3f}, {means[2]:.3f} at {depth}")
        if depth == max(sizes.depths):
            curves = [curve(one, "loss") for one in (plain, ahead, normal)]
    return Measured(
        means[1] >= means[0] + FASTER and interval(ahead.along())[0] > interval(normal.along())[1],
        "mean accuracy along training of vanilla, pre-trained vanilla and BN networks, by depth: "
        f"{'; '.join(said)} (criterion: at the largest depth pre-trained ones are {FASTER} above "
        "vanilla ones, and above BN with 95 % intervals apart, as for Figure 6).",
        (scope(sizes, sizes.depths, data),),
        figures,
        (Plot(f"Training at depth {max(sizes.depths)}", "step", "loss", tuple(curves)),),
        instances=len(figures) * sizes.training.seeds,
    )


# claims -------------------------------------------------------------------------------------------
READINGS = {
    "C": "steps along plus the gradient of r(H_l), layer by layer, as in Section 4 and Figure 6",
    "B": "steps along plus the gradient of r(H_L), which Algorithm 1 names",
}


def _algorithm(
    part: str, reading: str, title: str, statement: str, run: Callable[..., Measured]
) -> Claim:
    return Claim(
        f"dkbhl20.alg1.{part}@{reading}",
        Kind.EXPERIMENT,
        printed("Algorithm 1"),
        title,
        statement,
        reading=reading,
        reading_text=READINGS[reading],
        experiment=partial(judged, partial(run, reading), ALG1, SMALL),
    )


CLAIMS = (
    *(
        _algorithm(
            "a",
            reading,
            "pre-training increases the rank",
            "Pre-training on $r$ by Algorithm 1 increases the rank and avoids rank collapse.",
            rank_increases,
        )
        for reading in READINGS
    ),
    _algorithm(
        "b",
        "C",
        "pre-training accelerates learning",
        "Pre-training on $r$ accelerates the convergence of SGD on deep vanilla networks, and "
        "makes it faster than with batch normalisation.",
        learning_is_faster,
    ),
)
