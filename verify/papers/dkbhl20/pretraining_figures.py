"""Algorithm 1 and Figure 6: what pre-training on r does, and r through training.

Perceptrons on scikit-learn's digits in place of Fashion-MNIST and CIFAR-10. The step of Algorithm 1
is not printed: several are tried, and for training the pair of that step and of the rate of SGD
with the best final accuracy is taken. As printed nothing keeps the norm of the parameters, which r
does not depend on, so it grows with large steps, and SGD then needs small rates: these are on the
grid of all networks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.claim import Claim, Kind
from verify.experiment import Measured, Setting
from verify.papers.dkbhl20.perceptrons import (
    PRETRAINING,
    Design,
    Trained,
    Training,
    code,
    trained,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.training_figures import interval
from verify.plots import Curve, Plot, thinned

if TYPE_CHECKING:
    from verify.kept import Arrays

STEPS = (0.1, 0.3, 1.0)  # of Algorithm 1
RATES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5)  # of SGD
NOTED = 1.1  # r grows by more than a tenth, or pairs of r differ by as much
AVOIDED = 2.0  # r that is no longer that of rank one
FASTER = 0.1  # of the mean accuracy along training
KEPT = 2.0  # factor within which r stays
CLEAR, CHANCE = 0.5, 0.05  # a rank correlation, and the probability of it without any
Figures = dict[str, int | float | str]


@dataclass(frozen=True)
class Sizes:
    """width; depths; pairs (M, T) of Algorithm 1 in the order of work; training."""

    width: int
    depths: tuple[int, ...]
    amounts: tuple[tuple[int, int], ...]
    training: Training


ALG1 = (
    Sizes(16, (2, 8), ((5, 1),), Training((0.001, 0.1), 20, 32, 2, 2)),
    Sizes(32, (1, 4, 16), ((1, 1), (5, 1), (5, 5), (75, 1)), Training(RATES, 150, 64, 5, 2)),
    Sizes(
        64,
        (1, 4, 8, 16, 32),
        ((1, 1), (5, 1), (5, 5), (25, 1), (75, 1)),
        Training(RATES, 600, 64, 10, 5),
    ),
)
FIG6 = (
    Sizes(16, (8,), ((2, 1), (5, 1)), Training((0.001, 0.1), 20, 32, 2, 2)),
    Sizes(32, (16,), ((25, 1), (75, 1)), Training(RATES, 150, 64, 5, 3)),
    Sizes(128, (32,), ((25, 1), (75, 1)), Training(RATES, 400, 64, 10, 5)),
)


# Algorithm 1 -------------------------------------------------------------------------------------
def pretrained_layers(
    reading: str, depth: int, amount: tuple[int, int], sizes: Sizes, setting: Setting
) -> Arrays:
    """before, after: (seeds, depth) r of each layer; rank_before, rank_after, gradient: (seeds,);
    once for all who keep in the same place."""
    told = {
        "reading": reading,
        "depth": depth,
        "amount": list(amount),
        "width": sizes.width,
        "seeds": sizes.training.seeds,
        "batch": sizes.training.batch,
        "seed": setting.common,
        "device": setting.device,
        "files": code(),
    }
    make = partial(_pretrained, reading, depth, amount, sizes, setting.common, setting.device)
    return setting.kept.once(PRETRAINING, told, make)


def _pretrained(
    reading: str, depth: int, amount: tuple[int, int], sizes: Sizes, seed: int, device: str
) -> Arrays:
    from verify.papers.dkbhl20 import perceptron_training as engine
    from verify.papers.dkbhl20.pretraining import pretrain

    begun = engine.initial(Design(depth, sizes.width), sizes.training.seeds, seed, device)
    inputs, _ = engine.data("digits", seed, device)
    found = pretrain(begun, inputs, reading, *amount, sizes.training.batch, seed, STEPS)
    names = ("before", "after", "rank_before", "rank_after", "gradient")
    return {name: getattr(found, name).cpu().numpy() for name in names}


def rank_increases(reading: str, setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(a): r(H_L) and the rank before and after, for the largest amount of work."""
    sizes = sizes or ALG1[setting.scale]
    figures: Figures = {}
    grown, said = [], []
    curves = []
    for depth in sizes.depths:
        for amount in sizes.amounts:
            found = pretrained_layers(reading, depth, amount, sizes, setting)
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
    most = sizes.amounts[-1]
    return Measured(
        bool(all(grown) and after >= AVOIDED),
        f"r(H_L) and rank by footnote 2 (float64) before and after pre-training with M = "
        f"{most[0]}, T = {most[1]}, by depth: {'; '.join(said)} (criterion: r grows by a tenth and "
        f"the rank does not fall at every depth, r is at least {AVOIDED:g} at the largest).",
        (_scope(sizes, sizes.depths),),
        figures,
        (Plot(f"r of the layers, depth {max(sizes.depths)}", "layer", "r", tuple(curves)),),
        instances=len(sizes.depths) * len(sizes.amounts) * sizes.training.seeds,
    )


def learning_is_faster(reading: str, setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(b): accuracy along training, at the largest depth."""
    sizes = sizes or ALG1[setting.scale]
    most = sizes.amounts[-1][0]
    figures: Figures = {}
    said = []
    curves = []
    for depth in sizes.depths:
        plain, ahead, normal = (
            _best(designs, sizes, setting, figures)
            for designs in (
                [Design(depth, sizes.width)],
                pretrained_designs(depth, sizes.width, most, reading),
                [Design(depth, sizes.width, "centred")],
            )
        )
        means = [float(one.along().mean()) for one in (plain, ahead, normal)]
        said.append(f"{means[0]:.3f}, {means[1]:.3f}, {means[2]:.3f} at {depth}")
        if depth == max(sizes.depths):
            curves = [_curve(one, "loss") for one in (plain, ahead, normal)]
    return Measured(
        means[1] >= means[0] + FASTER and interval(ahead.along())[0] > interval(normal.along())[1],
        "mean accuracy along training of vanilla, pre-trained vanilla and BN networks, by depth: "
        f"{'; '.join(said)} (criterion: at the largest depth pre-trained ones are {FASTER} above "
        "vanilla ones, and above BN with 95 % intervals apart, as for Figure 6).",
        (_scope(sizes, sizes.depths),),
        figures,
        (Plot(f"Training at depth {max(sizes.depths)}", "step", "loss", tuple(curves)),),
        instances=len(figures) * sizes.training.seeds,
    )


def pretrained_designs(depth: int, width: int, amount: int, reading: str = "C") -> list[Design]:
    """One for each step of Algorithm 1."""
    return [Design(depth, width, pretrained=amount, reading=reading, step=step) for step in STEPS]


def _best(designs: Sequence[Design], sizes: Sizes, setting: Setting, figures: Figures) -> Trained:
    """The design with the best final accuracy; all tell their numbers."""
    runs = [trained(design, sizes.training, "digits", setting) for design in designs]
    for one in runs:
        step = f", step {one.design.step:g}" if one.design.pretrained else ""
        figures |= {f"{name}{step}": text for name, text in one.told().items()}
    return max(runs, key=lambda one: float(one.final().mean()))


def _curve(one: Trained, field: str) -> Curve:
    return thinned(one.design.name, one.arrays["steps"].tolist(), one.course(field).tolist())


def _scope(sizes: Sizes, depths: Sequence[int]) -> str:
    training = sizes.training
    amounts = ", ".join(f"({m}, {t})" for m, t in sizes.amounts)
    return (
        f"ReLU perceptrons of width {sizes.width}, depths {', '.join(map(str, depths))}, on "
        f"scikit-learn's digits, PyTorch's initialisation, {training.seeds} seeds; (M, T): "
        f"{amounts}, steps {', '.join(f'{step:g}' for step in STEPS)}, N = {training.batch}; SGD, "
        f"{training.steps} steps of batches of {training.batch}, rates "
        f"{', '.join(f'{rate:g}' for rate in training.rates)}"
    )


# Figure 6 ----------------------------------------------------------------------------------------
def through_training(setting: Setting, sizes: Sizes) -> tuple[dict[str, Trained], Figures]:
    """The five networks of the figure, each at its best rate, and all numbers."""
    depth, width = max(sizes.depths), sizes.width
    figures: Figures = {}
    families = [[Design(depth, width)]]
    families += [pretrained_designs(depth, width, amount) for amount, _ in sizes.amounts]
    families += [[Design(depth, width, "centred", law)] for law in ("standard", "positive")]
    runs = [_best(designs, sizes, setting, figures) for designs in families]
    return {one.design.name: one for one in runs}, figures


def _measured(
    agrees: bool, summary: str, runs: dict[str, Trained], figures: Figures, sizes: Sizes
) -> Measured:
    depth = max(sizes.depths)
    for one in runs.values():
        for field in ("r", "accuracy"):
            told = ", ".join(f"{value:.4g}" for value in one.course(field))
            figures[f"{one.design.name}, {field} along training"] = told
    plots = tuple(
        Plot(f"Training at depth {depth}: {field}", "step", field, tuple(curves))
        for field in ("accuracy", "r")
        for curves in [[_curve(one, field) for one in runs.values()]]
    )
    count = len(runs) * sizes.training.seeds
    return Measured(agrees, summary, (_scope(sizes, (depth,)),), figures, plots, count)


def rank_is_preserved(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(a): r at the end over r at the start."""
    sizes = sizes or FIG6[setting.scale]
    runs, figures = through_training(setting, sizes)
    factors = {name: one.course("r")[-1] / one.course("r")[0] for name, one in runs.items()}
    said = "; ".join(f"{name}: {factor:.3f}" for name, factor in factors.items())
    return _measured(
        all(1 / KEPT <= factor <= KEPT for factor in factors.values()),
        f"mean r(H_L) at the end over that at the start: {said} (criterion: between {1 / KEPT:g} "
        f"and {KEPT:g} for each).",
        runs,
        figures,
        sizes,
    )


def pretraining_correlates(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(b): rank correlation of M and the final accuracy, over seeds of vanilla networks."""
    from scipy.stats import spearmanr

    sizes = sizes or FIG6[setting.scale]
    runs, figures = through_training(setting, sizes)
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
    )


def order_is_preserved(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(c): pairs of networks at every record against the start."""
    sizes = sizes or FIG6[setting.scale]
    runs, figures = through_training(setting, sizes)
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
    )


def pretraining_outperforms(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(d): accuracy along training against that of BN."""
    sizes = sizes or FIG6[setting.scale]
    runs, figures = through_training(setting, sizes)
    name = f"vanilla, pre-trained {sizes.amounts[-1][0]}"
    one, two = runs[name].along(), runs["BN"].along()
    return _measured(
        interval(one)[0] > interval(two)[1],
        f"mean accuracy along training at depth {max(sizes.depths)}: {name} {one.mean():.3f}, BN "
        f"{two.mean():.3f} (criterion: more, 95 % intervals apart).",
        runs,
        figures,
        sizes,
    )


READINGS = {
    "A": "steps along minus the gradient of r(H_L)",
    "B": "steps along plus the gradient of r(H_L)",
    "C": "steps along plus the gradient of r(H_l), layer by layer",
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
        experiment=partial(run, reading),
    )


def _figure(part: str, title: str, statement: str, run: Callable[..., Measured]) -> Claim:
    place = printed("Figure 6")
    return Claim(f"dkbhl20.fig6.{part}", Kind.EXPERIMENT, place, title, statement, experiment=run)


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
    *(
        _algorithm(
            "b",
            reading,
            "pre-training accelerates learning",
            "Pre-training on $r$ accelerates the convergence of SGD on deep vanilla networks, and "
            "makes it faster than with batch normalisation.",
            learning_is_faster,
        )
        for reading in READINGS
    ),
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
