"""Figures 1 (right) and 5 (c, d): training of networks of several depths.

Multilayer perceptrons on scikit-learn's digits stand for those of the paper, at full size small
convolutional networks too (verify.papers.dkbhl20.perceptrons, convolution_training). Learning rates
are tried on a grid and the best is taken for each design and depth. The smaller budgets take far
fewer steps than the paper, so what they leave open may be a matter of time; the full one says how
it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.core.plots import Plot, thinned
from verify.papers.dkbhl20.designs import CLASSES, Design, Training
from verify.papers.dkbhl20.outside import beside, together
from verify.papers.dkbhl20.perceptrons import Trained, trained
from verify.papers.dkbhl20.sources import printed

CHANCE = 1 / CLASSES
UNABLE = 2 * CHANCE  # an accuracy so low is hardly any learning
ABLE = 0.5
MILD = 0.1  # of accuracy
MUCH = 0.2


@dataclass(frozen=True)
class Sizes:
    """width, of convolutional networks the channels; depths; how training goes; data sets, all of
    which must agree; kind of the networks."""

    width: int
    depths: tuple[int, ...]
    training: Training
    data: tuple[str, ...] = ("digits",)
    kind: str = "perceptron"


BOTH = ("digits", "clusters")
GRID = (0.01, 0.1, 0.5)
FIG1 = (
    Sizes(16, (2, 12), Training((0.5,), 20, 32, 2, 2)),
    Sizes(32, (2, 12, 32), Training((0.03, 0.3), 300, 64, 5, 2)),
    Sizes(128, (1, 2, 4, 8, 10, 12, 16, 24, 32), Training(GRID, 600, 128, 10, 5), BOTH),
)
CONVOLUTIONS = Sizes(16, (4, 8), Training(GRID, 600, 64, 10, 3), kind="convolution")
CLUSTERS = Sizes(32, (2, 12), Training((0.03, 0.3), 100, 64, 5, 2), ("clusters",))
FIG5 = (
    Sizes(16, (2, 8), Training((0.1,), 20, 32, 2, 2)),
    Sizes(32, (4, 16), Training((0.03, 0.3), 100, 64, 5, 3)),
    Sizes(64, (1, 2, 4, 8, 16, 32), Training(GRID, 600, 64, 10, 5), BOTH),
)
KINDS = {
    "perceptron": "perceptrons of width",
    "convolution": "convolutional networks (3 x 3) with channels:",
}

Runs = dict[tuple[str, str, int], Trained]
"""By data set, name of the design, and depth."""


def all_runs(
    designs: Sequence[tuple[str, str]], sizes: Sizes, setting: Setting, *, noise: bool = False
) -> Runs:
    """Every design (normalisation, law) at every depth on every data set."""
    return {
        (data, one.design.name, depth): one
        for data in sizes.data
        for normalisation, law in designs
        for depth in sizes.depths
        for one in [
            trained(
                Design(depth, sizes.width, normalisation, law, kind=sizes.kind),
                sizes.training,
                data,
                setting,
                noise=noise,
            )
        ]
    }


def interval(values: np.ndarray) -> tuple[float, float]:
    """The ends of the 95 % interval of the mean of values (seeds,), by Student's t.

    >>> low, high = interval(np.array([0.4, 0.6]))
    >>> round(high - low, 3)
    2.541
    """
    from scipy.stats import t

    reach = float(t.ppf(0.975, len(values) - 1)) * float(values.std(ddof=1)) / len(values) ** 0.5
    return float(values.mean()) - reach, float(values.mean()) + reach


def measured(agrees: bool, summary: str, runs: Runs, sizes: Sizes, shown: str) -> Measured:
    """The outcome with all numbers, and the curves of one of them at the largest depth."""
    training = sizes.training
    told = (
        f"{KINDS[sizes.kind]} {sizes.width}, depths {', '.join(map(str, sizes.depths))}, on "
        f"{' and '.join(sizes.data)}; SGD, {training.steps} steps of batches of "
        f"{training.batch}, rates {', '.join(f'{rate:g}' for rate in training.rates)}, "
        f"{training.seeds} seeds; accuracy on 512 of the training samples"
    )
    figures: dict[str, int | float | str] = {}
    for (data, _, _), one in runs.items():
        figures |= {f"{data}, {label}": text for label, text in one.told().items()}
    deepest = max(sizes.depths)
    curves = tuple(
        thinned(f"{data}, {name}", one.arrays["steps"].tolist(), one.course(shown).tolist())
        for (data, name, depth), one in runs.items()
        if depth == deepest
    )
    plot = Plot(f"Training at depth {deepest}", "step", shown, curves)
    count = sum(one.arrays["loss"][0].size for one in runs.values())
    return Measured(agrees, summary, (told,), figures, (plot,), count)


def _by_depth(runs: Runs, name: str) -> str:
    """Final accuracies of a design, mean over seeds, in words."""
    return ", ".join(
        f"{one.final().mean():.3f} at {depth} ({data})"
        for (data, design, depth), one in runs.items()
        if design == name
    )


# Figure 1 ----------------------------------------------------------------------------------------
FIG1_DESIGNS = (("none", "standard"), ("centred", "standard"))


def deep_vanilla_learns_nothing(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(b): final accuracies of vanilla networks."""
    sizes = sizes or FIG1[setting.scale]
    runs = all_runs(FIG1_DESIGNS, sizes, setting)
    vanilla = [(depth, one) for (_, name, depth), one in runs.items() if name == "vanilla"]
    deep = [float(one.final().mean()) for depth, one in vanilla if depth > 10]
    shallow = [float(one.final().mean()) for depth, one in vanilla if depth <= 10]
    return measured(
        max(deep) <= UNABLE and max(shallow) >= ABLE,
        f"final accuracy of vanilla networks: {_by_depth(runs, 'vanilla')} (criterion: at most "
        f"{UNABLE} at every depth above 10, at least {ABLE} at one of the others).",
        runs,
        sizes,
        "accuracy",
    )


def normalised_drops_mildly(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(d): final accuracies of normalised networks."""
    sizes = sizes or FIG1[setting.scale]
    runs = all_runs(FIG1_DESIGNS, sizes, setting)
    drops = []
    for data in sizes.data:
        finals = [float(runs[data, "BN", depth].final().mean()) for depth in sizes.depths]
        drops.append(max(finals) - min(finals))
    return measured(
        max(drops) <= MILD,
        f"final accuracy of networks with BN: {_by_depth(runs, 'BN')} (criterion: the least is at "
        f"most {MILD} below the best).",
        runs,
        sizes,
        "accuracy",
    )


def with_clusters(
    run: Callable[..., Measured], setting: Setting, sizes: Sizes | None = None
) -> Measured:
    """At the budget in between made clusters stand beside the digits, at a small size."""
    shown = run(setting, sizes)
    if sizes is not None or setting.scale != 1:
        return shown
    found = run(setting, CLUSTERS)
    where = "On other data, at a small size"
    return beside(shown, {"Gaussian clusters": found}, found.scope[0], where=where)


# Figure 5 ----------------------------------------------------------------------------------------
def with_convolutions(
    run: Callable[..., Measured], setting: Setting, sizes: Sizes | None = None
) -> Measured:
    """At full size convolutional networks must agree too."""
    parts = {"perceptrons": run(setting, sizes)}
    if sizes is None and setting.scale == 2:
        parts["convolutional networks"] = run(setting, CONVOLUTIONS)
    return together(parts)


FIG5_DESIGNS = (("centred", "standard"), ("centred", "positive"), ("plain", "standard"))


def positive_weights_learn_slowly(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(c): accuracy along training, at the largest depth."""
    sizes = sizes or FIG5[setting.scale]
    runs = all_runs(FIG5_DESIGNS, sizes, setting)
    deepest, slower, said = max(sizes.depths), [], []
    for data in sizes.data:
        one, two = (runs[data, name, deepest].along() for name in ("BN", "BN, positive weights"))
        apart = interval(two)[1] < interval(one)[0]
        slower.append(bool(apart and one.mean() - two.mean() >= MUCH))
        said.append(f"{one.mean():.3f} and {two.mean():.3f} on {data}")
    return measured(
        all(slower),
        f"mean accuracy along training at depth {deepest} with standard and with positive weights: "
        f"{'; '.join(said)} (criterion: {MUCH} less, 95 % intervals apart); final accuracies with "
        f"positive weights: {_by_depth(runs, 'BN, positive weights')}.",
        runs,
        sizes,
        "accuracy",
    )


def centring_does_not_matter(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(d): accuracy along training with and without centring."""
    sizes = sizes or FIG5[setting.scale]
    runs = all_runs(FIG5_DESIGNS, sizes, setting)
    gaps = {}
    for data in sizes.data:
        for depth in sizes.depths:
            one, two = (
                runs[data, name, depth].course("accuracy") for name in ("BN", "BN without centring")
            )
            gaps[f"{data}, depth {depth}"] = float(np.abs(one - two).mean())
    said = "; ".join(f"{name}: {gap:.3f}" for name, gap in gaps.items())
    return measured(
        max(gaps.values()) <= MILD,
        "mean distance of the accuracies along training with and without centring: "
        f"{said} (criterion: at most {MILD} each).",
        runs,
        sizes,
        "accuracy",
    )


def claim(name: str, title: str, statement: str, run: Callable[..., Measured]) -> Claim:
    """A claim about a figure, by the number in its name."""
    place = printed(f"Figure {name.removeprefix('fig').partition('.')[0]}")
    return Claim(f"dkbhl20.{name}", Kind.EXPERIMENT, place, title, statement, experiment=run)


CLAIMS = (
    claim(
        "fig1.b",
        "deep vanilla networks do not learn",
        "Vanilla ReLU networks are essentially unable to learn as soon as the number of layers is "
        "above 10.",
        partial(with_clusters, deep_vanilla_learns_nothing),
    ),
    claim(
        "fig1.d",
        "accuracy with batch normalisation drops mildly",
        "The training accuracy of networks with batch normalisation drops only very mildly up to "
        "depth 32.",
        partial(with_clusters, normalised_drops_mildly),
    ),
    claim(
        "fig5.c",
        "positive weights slow learning",
        r"With weights uniform on $[0,2/\sqrt{d_l}]$ in place of $[-1/\sqrt{d_l},1/\sqrt{d_l}]$ "
        "networks with batch normalisation learn much more slowly.",
        partial(with_convolutions, positive_weights_learn_slowly),
    ),
    claim(
        "fig5.d",
        "mean deduction does not matter",
        "Batch normalisation without mean deduction behaves like batch normalisation.",
        partial(with_convolutions, centring_does_not_matter),
    ),
)
