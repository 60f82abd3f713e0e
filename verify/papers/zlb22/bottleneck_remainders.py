"""Figure 3: sup |f - f_lin| in the ball beside |H_f|, of networks with two bottleneck neurons.

Remainders are climbed from the ends of the leading eigenvector of the Hessian and from a random
place, from below.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.kinds.statistics.exponents import Exponents, Family, vanishing
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.group_ladders import INPUTS, RADIUS, SCOPE, TWO_NEURONS, Arm, told
from verify.papers.zlb22.profile_networks import wiring_of_profile

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks
    from numerics.curvature.wirings import Wiring


def remainders(
    arm: Arm, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """(S,): the largest |f - f_lin| that ascent finds in the ball."""
    return ladders.in_chunks(_largest, partial(wiring_of_arm, arm, width), seeds, generator)


def wiring_of_arm(arm: Arm, width: int, seeds: int, generator: torch.Generator) -> Wiring:
    """The graph of an arm at a width."""
    return wiring_of_profile(
        arm.shape, width, unit=arm.unit, activation=arm.activation, inputs=INPUTS
    )


def _largest(networks: LayeredNetworks, generator: torch.Generator) -> Mapping[str, np.ndarray]:
    import torch

    from numerics.curvature.remainders import largest_remainder, linearisation

    target = ladders.target_of()
    top = ladders.leading(networks, target, generator)
    noise = torch.randn(top.shape, generator=generator, dtype=torch.float64)
    starts = [top, -top, networks.with_flat(noise).flat()]
    linear = linearisation(networks, target)
    rest, _ = largest_remainder(linear, RADIUS, starts, ladders.REMAINDER_STEPS)
    return {ladders.REST: rest.numpy()}


def _family(arm: Arm) -> Family:
    key = f"zlb22 remainders of groups {arm.shape} {arm.activation} {arm.unit}"
    return Family(
        f"{arm.name}, {arm.activation}, R = 1", arm.ladders, partial(remainders, arm), key
    )


def figure_3() -> Exponents:
    """That |H_f| and sup |f - f_lin| tend to 0."""
    norms = told(TWO_NEURONS, None)
    families = partial(_families, norms)
    scope = (*SCOPE, "sup |f - f_lin| as ascent finds it in that ball, from below")
    predicted = (*norms.predicted, vanishing(ladders.REST))
    return Exponents(families, predicted, norms.most, scope)


def _families(norms: Exponents, scale: int) -> tuple[Family, ...]:
    return (*norms.families(scale), *map(_family, TWO_NEURONS))
