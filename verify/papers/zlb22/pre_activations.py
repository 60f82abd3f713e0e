"""Theorem 3.8 for every pre-activation, each by itself, as a rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Exponents, Family
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.hessian_rates import SCOPE, SETTING, halved
from verify.papers.zlb22.settings import Setting
from verify.papers.zlb22.sources import printed

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks


# each by itself ----------------------------------------------------------------------------------
def layer_name(layer: int) -> str:
    """What is measured of a layer."""
    return f"largest |H| in the ball, a neuron of layer {layer}"


def of_neurons(
    setting: Setting, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """By inner layer from the second on, the largest norm of the Hessian of the pre-activation of
    its first neuron that ascent finds in the ball."""
    measure = partial(_of_layers, setting.radius)
    return ladders.in_chunks(measure, partial(setting.wiring, width), seeds, generator)


def _of_layers(
    radius: float, networks: LayeredNetworks, generator: torch.Generator
) -> dict[str, np.ndarray]:
    from numerics.curvature.balls import ascend

    found = {}
    for layer in range(2, networks.architecture.depth):
        risen = ascend(
            networks,
            replace(ladders.target_of(), layer=layer),
            radius,
            generator,
            steps=ladders.ASCENT_STEPS,
            restarts=0,
            tolerance=ladders.ROUGH,
        )
        found[layer_name(layer)] = risen.norms.numpy()
    return found


NEURONS = (
    ("fcn", 3, "softplus", ladders.DEEP),
    ("densenet", 3, "tanh", ladders.DEEP),
    ("fcn", 4, "softplus", ladders.DEEPER),
)
MORE_NEURONS = (
    *NEURONS,
    ("dropped", 3, "softplus", ladders.DEAR),
    ("random", 3, "tanh", ladders.DEEP),
)


def by_layers(scale: int) -> Sequence[Family]:
    """A neuron of each layer."""
    chosen = MORE_NEURONS if scale == 2 else NEURONS
    return ladders.families_of(of_neurons, scale, chosen)


EACH = Claim(
    "zlb22.thm3.8@A",
    Kind.RATE,
    printed("Theorem 3.8"),
    "every pre-activation",
    SETTING + r"any pre-activation, $\ell\in[L]$, $k\in[d_\ell]$, satisfies "
    r"$\lVert H_{\tilde f_k^{(\ell)}}(\mathbf w)\rVert=\tilde O(1/\sqrt m)$.",
    depends=("zlb22.thm3.6@A",),
    reading="A",
    reading_text="each pre-activation separately; one event for the whole ball",
    exponents=Exponents(
        by_layers, (halved(layer_name(2)), halved(layer_name(3))), (16, 64, 128), SCOPE
    ),
)
CLAIMS = (EACH,)
