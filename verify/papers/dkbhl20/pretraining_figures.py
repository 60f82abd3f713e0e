"""Figure 6: r and accuracy through training, with and without pre-training on r.

Perceptrons on scikit-learn's digits, and on made clusters, in place of Fashion-MNIST.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.core.plots import Plot
from verify.papers.dkbhl20.designs import Design, Training
from verify.papers.dkbhl20.perceptrons import Trained
from verify.papers.dkbhl20.pretraining_runs import (
    NOTED,
    RATES,
    Figures,
    Judge,
    Sizes,
    best_of,
    curve,
    judged,
    pretrained_designs,
    scope,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.training_figures import interval

KEPT = 2.0  # factor within which r stays
CLEAR, CHANCE = 0.5, 0.05  # a rank correlation, and the probability of it without any

FIG6 = (
    Sizes(16, (8,), ((2, 1), (5, 1)), Training((0.001, 0.1), 20, 32, 2, 2)),
    Sizes(32, (16,), ((25, 1), (75, 1)), Training(RATES, 150, 64, 5, 3)),
    Sizes(128, (32,), ((25, 1), (75, 1)), Training(RATES, 400, 64, 10, 5), ("digits", "clusters")),
)
SMALL = Sizes(16, (8,), ((5, 1), (25, 1)), Training((1e-3, 1e-2, 0.1), 30, 32, 2, 2), ("clusters",))


def through_training(
    setting: Setting, sizes: Sizes, data: str
) -> tuple[dict[str, Trained], Figures]:
    """The five networks of the figure, each at its best rate, and all numbers."""
    depth, width = max(sizes.depths), sizes.width
    figures: Figures = {}
    families = [[Design(depth, width)]]
    families += [pretrained_designs(depth, width, amount) for amount, _ in sizes.amounts]
    families += [[Design(depth, width, "centred", law)] for law in ("standard", "positive")]
    runs = [best_of(designs, sizes, setting, data, figures) for designs in families]
    return {one.design.name: one for one in runs}, figures


def _measured(
    agrees: bool,
    summary: str,
    runs: dict[str, Trained],
    figures: Figures,
    sizes: Sizes,
    data: str,
) -> Measured:
    depth = max(sizes.depths)
    for one in runs.values():
        for field in ("r", "accuracy"):
            told = ", ".join(f"{value:.4g}" for value in one.course(field))
            figures[f"{one.design.name}, {field} along training"] = told
    plots = tuple(
        Plot(f"Training at depth {depth}: {field}", "step", field, tuple(curves))
        for field in ("accuracy", "r")
        for curves in [[curve(one, field) for one in runs.values()]]
    )
    count = len(runs) * sizes.training.seeds
    return Measured(agrees, summary, (scope(sizes, (depth,), data),), figures, plots, count)


def rank_is_preserved(setting: Setting, sizes: Sizes, data: str) -> Measured:
    """(a): r at the end over r at the start."""
    runs, figures = through_training(setting, sizes, data)
    factors = {name: one.course("r")[-1] / one.course("r")[0] for name, one in runs.items()}
    said = "; ".join(f"{name}: {factor:.3f}" for name, factor in factors.items())
    return _measured(
        all(1 / KEPT <= factor <= KEPT for factor in factors.values()),
        f"mean r(H_L) at the end over that at the start: {said} (criterion: between {1 / KEPT:g} "
        f"and {KEPT:g} for each).",
        runs,
        figures,
        sizes,
        data,
    )


def pretraining_correlates(setting: Setting, sizes: Sizes, data: str) -> Measured:
    """(b): rank correlation of M and the final accuracy, over seeds of vanilla networks."""
    from scipy.stats import spearmanr

    runs, figures = through_training(setting, sizes, data)
    vanilla = [one for one in runs.values() if one.design.normalisation == "none"]
    amounts = np.repeat([one.design.pretrained for one in vanilla], sizes.training.seeds)
    finals = np.concatenate([one.final() for one in vanilla])
    constant = bool((finals == finals[0]).all())
    correlation, chance = (0.0, 1.0) if constant else map(float, spearmanr(amounts, finals))
    said = "; ".join(f"M = {one.design.pretrained}: {one.final().mean():.3f}" for one in vanilla)
    return _measured(
        correlation >= CLEAR and chance < CHANCE,
        f"mean final accuracy of vanilla networks: {said}; rank correlation over all runs "
        f"{correlation:.3f}, p = {chance:.3g} (criterion: at least {CLEAR}, p below {CHANCE}).",
        runs,
        figures,
        sizes,
        data,
    )


def order_is_preserved(setting: Setting, sizes: Sizes, data: str) -> Measured:
    """(c): pairs of networks at every record against the start."""
    runs, figures = through_training(setting, sizes, data)
    pairs, changed = 0, []
    for one in runs.values():
        for other in runs.values():
            first, second = one.course("r"), other.course("r")
            if first[0] < NOTED * second[0]:
                continue
            pairs += 1
            if (first <= second).any():
                changed.append(f"{other.design.name} overtakes {one.design.name}")
    return _measured(
        pairs > 0 and not changed,
        f"of {pairs} pairs whose mean r(H_L) differ by a tenth at the start {len(changed)} change "
        f"their order at some record{': ' if changed else ''}{'; '.join(changed)} (criterion: "
        "none).",
        runs,
        figures,
        sizes,
        data,
    )


def pretraining_outperforms(setting: Setting, sizes: Sizes, data: str) -> Measured:
    """(d): accuracy along training against that of BN."""
    runs, figures = through_training(setting, sizes, data)
    name = f"vanilla, pre-trained {sizes.amounts[-1][0]}"
    one, two = runs[name].along(), runs["BN"].along()
    return _measured(
        interval(one)[0] > interval(two)[1],
        f"mean accuracy along training at depth {max(sizes.depths)}: {name} {one.mean():.3f}, BN "
        f"{two.mean():.3f} (criterion: more, 95 % intervals apart).",
        runs,
        figures,
        sizes,
        data,
    )


# claims -------------------------------------------------------------------------------------------
def _figure(part: str, title: str, statement: str, judge: Judge) -> Claim:
    place = printed("Figure 6")
    run = partial(judged, judge, FIG6, SMALL)
    return Claim(f"dkbhl20.fig6.{part}", Kind.EXPERIMENT, place, title, statement, experiment=run)


CLAIMS = (
    _figure(
        "a",
        "SGD preserves the magnitude of the rank",
        "SGD preserves the initial magnitude of the rank to a large extent, regardless of the "
        "network type.",
        rank_is_preserved,
    ),
    _figure(
        "b",
        "pre-training correlates with performance",
        "On vanilla networks the level of pre-training and optimisation performance are clearly "
        "correlated.",
        pretraining_correlates,
    ),
    _figure(
        "c",
        "SGD preserves the order of ranks",
        "SGD updates preserve the order of the initial rank throughout optimisation.",
        order_is_preserved,
    ),
    _figure(
        "d",
        "pre-trained networks outperform batch normalisation",
        "Pre-training lets vanilla SGD outperform batch normalisation on very deep multilayer "
        "perceptrons.",
        pretraining_outperforms,
    ),
)
