"""How curved a network is whose output has an activation of its own, along ladders of widths.

A seed is the mean over some networks: a norm may be next to 0 for one of them (where the second
derivative of the output activation vanishes) while its mean is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from verify.exponents import Family
from verify.papers.zlb22.settings import INPUTS

TOGETHER = 8  # networks of a seed
RADIUS = 1.0
NORM, LEAST = "mean |H| at the centre", "least |H| at the centre"
REST = "mean |f - f_lin| at distance 1"


def curvature_of(
    output: str,
    depth: int,
    width: int,
    seeds: int,
    generator: np.random.Generator,
    *,
    norms: bool = True,
) -> Mapping[str, np.ndarray]:
    """|H_f| at w_0, its mean and the least one, and the mean of the larger |f - f_lin| at w_0 +- u,
    u the unit vector along the gradient of the output's pre-activation: of each of S seeds.

    Fully connected networks of tanh neurons of one width, at one input with entries in [-1, 1].
    """
    from numerics.curvature.families import fcn
    from numerics.curvature.norms import hessian_norms
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
    found = {REST: rests[0].maximum(rests[1]).view(seeds, TOGETHER).mean(dim=1)}
    if norms:
        curved = hessian_norms(
            at_each_point(networks, x, neurons=True),
            own,
            certificate="nothing",
            tolerance=2e-2,
            steps=60,
        )
        sizes = curved.eigenvalue[:, 0].abs().view(seeds, TOGETHER)
        found |= {NORM: sizes.mean(dim=1), LEAST: sizes.amin(dim=1)}
    return {name: tensor.numpy() for name, tensor in found.items()}


LADDERS = ((8, 16, 32), (8, 16, 32, 64), (16, 32, 64, 128, 256, 512))


def families(
    outputs: Sequence[str], depths: tuple[Sequence[int], ...], scale: int, *, norms: bool
) -> list[Family]:
    """Families by output activation and depth; depths: by scale."""
    return [
        Family(
            f"output {output}, {depth - 1} hidden layer{'s' * (depth > 2)}",
            LADDERS,
            partial(curvature_of, output, depth, norms=norms),
            f"output curvature {output} {depth} {norms}",
        )
        for output in outputs
        for depth in depths[scale]
    ]
