"""Proposition 4.4 at large widths: mean gradient norms of networks of homogeneous activations."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

import numpy as np

from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.papers.zlb22.training_runs import networks_of

INPUTS = 4
TOGETHER = 32  # networks of a seed, each with an input of its own
MEAN = "mean gradient norm"
LADDERS = ((8, 16, 32), (8, 16, 32, 64), (16, 32, 64, 128, 256))
DEGREES = {"relu": 1, "quadratic": 2, "cubic": 3}
SETTINGS = (  # networks, activation, layers; by scale the first so many
    ("fcn", "relu", 2),
    ("fcn", "quadratic", 2),
    ("fcn", "cubic", 2),
    ("dropped", "relu", 3),
    ("random", "relu", 3),
)
SHOWN = (2, 5, 5)


def mean_gradient_norm(
    kind: str, activation: str, depth: int, width: int, seeds: int, generator: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """|grad f(w_0)| at a Gaussian input, the mean over the networks of each of S seeds."""
    import torch

    from numerics.curvature.passes import at_each_point
    from numerics.curvature.products import gradient
    from numerics.curvature.wirings import generator_of

    own = generator_of(generator)
    count = seeds * TOGETHER
    networks = networks_of(kind, width, INPUTS, count, own, depth=depth, activation=activation)
    inputs = torch.randn(count, 1, INPUTS, generator=own, dtype=torch.float64)
    norms = gradient(at_each_point(networks, inputs))[:, 0].norm(dim=1)
    return {MEAN: norms.view(seeds, TOGETHER).mean(dim=1).numpy()}


def families(scale: int) -> list[Family]:
    """The networks of a scale."""
    return [
        Family(
            f"{kind}, {activation} (r = {DEGREES[activation]}), L = {depth}",
            LADDERS,
            partial(mean_gradient_norm, kind, activation, depth),
        )
        for kind, activation, depth in SETTINGS[: SHOWN[scale]]
    ]


MEASURED = Exponents(
    families,
    (Predicted(MEAN, Fraction(0), below=-Fraction(1, 2)),),
    scope=(f"{INPUTS} Gaussian inputs, one output",),
)
