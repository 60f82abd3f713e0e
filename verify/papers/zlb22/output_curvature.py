"""How far from linear networks are whose output has an activation of its own, along widths.

A seed is the mean over some networks: the difference may be next to 0 for one of them (where the
second derivative of the output activation vanishes) while its mean is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from verify.kinds.statistics.exponents import Family
from verify.papers.zlb22.settings import INPUTS

TOGETHER = 8  # networks of a seed
RADIUS = 1.0
REST = "mean |f - f_lin| at distance 1"


def curvature_of(
    output: str,
    depth: int,
    width: int,
    seeds: int,
    generator: np.random.Generator,
) -> Mapping[str, np.ndarray]:
    """The mean of the larger |f - f_lin| at w_0 +- u, u the unit vector along the gradient of the
    output's pre-activation: of each of S seeds.

    Fully connected networks of tanh neurons of one width, at one input with entries in [-1, 1].
    """
    from numerics.curvature.families import fcn
    from numerics.curvature.passes import at_each_point, forward
    from numerics.curvature.products import gradient
    from numerics.curvature.wirings import generator_of, points

    own, x = generator_of(generator), points(INPUTS, 1)
    wiring = fcn(width, depth=depth, inputs=INPUTS, output=output)
    networks = wiring.draw(seeds * TOGETHER, own)
    slopes = gradient(at_each_point(networks, x))[:, 0]
    size = slopes.norm(dim=1)
    start = forward(networks, x)
    value, bend = start.neurons[-1].flatten(), start.slopes[-1].flatten()
    rests = []
    for way in (RADIUS, -RADIUS):
        moved = networks.with_flat(networks.flat() + way * slopes / size[:, None])
        end = forward(moved, x).neurons[-1].flatten()
        rests.append((end - value - way * bend * size).abs())
    return {REST: rests[0].maximum(rests[1]).view(seeds, TOGETHER).mean(dim=1).numpy()}


LADDERS = ((8, 16, 32), (8, 16, 32, 64), (16, 32, 64, 128, 256, 512))


def families(outputs: Sequence[str], depths: tuple[Sequence[int], ...], scale: int) -> list[Family]:
    """Families by output activation and depth; depths: by scale."""
    return [
        Family(
            f"output {output}, {depth - 1} hidden layer{'s' * (depth > 2)}",
            LADDERS,
            partial(curvature_of, output, depth),
            f"output curvature {output} {depth} False",
        )
        for output in outputs
        for depth in depths[scale]
    ]
