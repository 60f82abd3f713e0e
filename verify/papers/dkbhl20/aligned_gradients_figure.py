"""Figure 10: gradients of the last layer align in deep networks without batch normalisation.

Perceptrons on scikit-learn's digits, at full size on made clusters too, in place of VGG19 on
CIFAR-10; rates a hundred times as large, and noise in place of the inputs.
"""

from __future__ import annotations

from math import log

import numpy as np

from verify.core.experiment import Measured, Setting
from verify.papers.dkbhl20.designs import CLASSES, Training
from verify.papers.dkbhl20.training_figures import (
    BOTH,
    FIG1_DESIGNS,
    UNABLE,
    Runs,
    Sizes,
    all_runs,
    claim,
    measured,
)

ALIGNED = 0.999
PATH = 0.1  # of the length moved
FIG10 = (
    Sizes(16, (1, 16), Training((0.01, 0.1, 1.0, 10.0), 20, 32, 2, 2)),
    Sizes(32, (1, 32), Training((0.01, 0.1, 1.0, 10.0), 80, 64, 4, 2)),
    Sizes(64, (1, 4, 8, 16, 32), Training((0.01, 0.1, 1.0, 10.0), 600, 64, 10, 5), BOTH),
)
HUNDRED = 2  # the rates from this place on are 100 times those two places before


def gradients_align(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(a): |cos| of gradients of a neuron, and accuracy."""
    sizes, runs = _noisy(setting, sizes)
    deepest = max(sizes.depths)
    vanilla = [runs[data, "vanilla", deepest] for data in sizes.data]
    least = min(float(one.arrays["cosine"][:, :, :HUNDRED].min()) for one in vanilla)
    accuracy = max(float(one.arrays["accuracy"][-1, :, :HUNDRED].max()) for one in vanilla)
    with_bn = max(float(runs[data, "BN", deepest].arrays["cosine"][0].max()) for data in sizes.data)
    return measured(
        least >= ALIGNED and accuracy <= UNABLE,
        f"at depth {deepest} without BN: least mean |cos| of two gradients along training "
        f"{least:.6f}, largest final accuracy {accuracy:.3f} (criterion: at least {ALIGNED}, at "
        f"most {UNABLE}); |cos| at the start with BN {with_bn:.3f}.",
        runs,
        sizes,
        "cosine",
    )


def noise_takes_the_same_path(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(b): the same training on noise."""
    sizes, runs = _noisy(setting, sizes)
    deepest = max(sizes.depths)

    def of(name: str) -> tuple[float, float]:
        """The largest distance of the paths over the length moved, and of the losses."""
        apart, losses = 0.0, 0.0
        for data in sizes.data:
            arrays = runs[data, name, deepest].arrays
            share = arrays["apart"][-1] / np.maximum(arrays["moved"][-1], 1e-30)
            apart = max(apart, float(share[:, :HUNDRED].max()))
            gap = np.abs(arrays["loss"] - arrays["noise_loss"])[:, :, :HUNDRED]
            losses = max(losses, float(gap.max()))
        return apart, losses

    apart, losses = of("vanilla")
    other, more = of("BN")
    return measured(
        apart <= PATH and losses <= PATH * log(CLASSES),
        f"at depth {deepest} without BN parameters trained on data and on noise end {apart:.4f} of "
        f"the length moved apart at most, the losses differ by {losses:.4f} at most (criterion: "
        f"{PATH}, and {PATH} log 10); with BN {other:.4f} and {more:.4f}.",
        runs,
        sizes,
        "loss",
    )


def large_rates_do_not_help(setting: Setting, sizes: Sizes | None = None) -> Measured:
    """(c): a hundred times the rate."""
    sizes, runs = _noisy(setting, sizes)
    deepest = max(sizes.depths)
    finals = [
        runs[data, "vanilla", deepest].arrays["accuracy"][-1].mean(axis=0) for data in sizes.data
    ]
    large = max(float(final[HUNDRED:].max()) for final in finals)
    plain = max(float(final[:HUNDRED].max()) for final in finals)
    return measured(
        large <= UNABLE,
        f"best mean final accuracy at depth {deepest} without BN: {large:.3f} with rates times "
        f"100, {plain:.3f} with the plain ones (criterion: at most {UNABLE} with the large ones).",
        runs,
        sizes,
        "accuracy",
    )


def _noisy(setting: Setting, sizes: Sizes | None) -> tuple[Sizes, Runs]:
    sizes = sizes or FIG10[setting.scale]
    return sizes, all_runs(FIG1_DESIGNS, sizes, setting, noise=True)


CLAIMS = (
    claim(
        "fig10.a",
        "gradients align without batch normalisation",
        "Without batch normalisation the gradients of the last layer of a deep network are "
        "perfectly aligned, which makes the network untrainable.",
        gradients_align,
    ),
    claim(
        "fig10.b",
        "noise takes the same path",
        "With inputs replaced by images drawn uniformly from 0 to 255 stochastic gradient descent "
        "takes almost exactly the same path.",
        noise_takes_the_same_path,
    ),
    claim(
        "fig10.c",
        "a larger learning rate does not help",
        "A learning rate 100 times as large does not allow training.",
        large_rates_do_not_help,
    ),
)
