"""Theorem E.1: weights that are shared, along ladders of widths.

Each hidden layer has m weight vectors, each used at D places, which read ordered random choices of
m neurons of the layer before; or a 1-D convolution as in (33), with m channels. Hessians are by the
distinct weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Contrast, Exponents, Family, Predicted
from verify.papers.zlb22.contrasts import SHARED, in_the_ball
from verify.papers.zlb22.ladders import BALL, CENTRE, in_chunks, risen_from
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.width_hypotheses import CONSTANT_SHARING, SHARING

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks
    from numerics.curvature.wirings import Wiring

INPUTS, LENGTH, WINDOW = 4, 6, 3
RADIUS = 1.0
HALF, NEIGHBOUR = Fraction(-1, 2), Fraction(-1, 4)
Ladders = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
LADDERS = ((8, 16, 32), (8, 20, 48), (8, 16, 32, 64, 128))
CHANNELS = ((4, 8, 16), (6, 12, 24), (8, 16, 32, 64, 128))
MANY = ((4, 8, 16), (5, 10, 20), (6, 14, 32, 64))  # where D grows
SQUARES = ((4, 8, 16), (4, 12, 36), (4, 12, 36))  # where there are m^2 neurons
MOST = (16, 32, 64)  # seeds


@dataclass(frozen=True)
class Sharing:
    """One arm. times: D at the width m is times * m^growth; None: the convolution."""

    activation: str
    times: int | None
    growth: Fraction = Fraction(0)
    depth: int = 3

    @property
    def name(self) -> str:
        """In words."""
        if self.times is None:
            what = f"1-D convolution, window {WINDOW}, length {LENGTH}"
        else:
            more = f" m^{self.growth}" if self.growth else ""
            what = f"weights shared {self.times}{more} times"
        return f"{what}, L = {self.depth}, {self.activation}"

    @property
    def inputs(self) -> int:
        """d_0."""
        return LENGTH if self.times is None else INPUTS

    def wiring(self, width: int, seeds: int, generator: torch.Generator) -> Wiring:
        """The graph, with what its edges share; of all S networks."""
        from numerics.curvature.shared_weights import conv1d, shared

        if self.times is None:
            return conv1d(
                width,
                window=WINDOW,
                length=LENGTH,
                depth=self.depth,
                activation=self.activation,
            )
        times = ceil(self.times * width ** float(self.growth))
        return shared(
            width,
            times,
            generator,
            depth=self.depth,
            inputs=self.inputs,
            activation=self.activation,
        )


def measured(
    arm: Sharing, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """(S,) each: |H_f| at the centre, and the largest that ascent finds in the ball."""
    return in_chunks(partial(_norms, arm.inputs), partial(arm.wiring, width), seeds, generator)


def _norms(
    inputs: int, networks: LayeredNetworks, generator: torch.Generator
) -> Mapping[str, np.ndarray]:
    from numerics.curvature.balls import Vertex
    from numerics.curvature.wirings import points

    target = Vertex(points(inputs, 1, "uniform"))
    risen, _ = risen_from(networks, target, RADIUS, generator)
    return {CENTRE: risen.start.numpy(), BALL: risen.norms.numpy()}


def _families(arms: tuple[Sharing, ...], scale: int) -> Sequence[Family]:
    return tuple(map(family_of, arms[: 3 if scale < 2 else None]))


def family_of(arm: Sharing) -> Family:
    """What is measured of one arm."""
    ladders = CHANNELS if arm.times is None else MANY if arm.growth else LADDERS
    return Family(
        arm.name,
        SQUARES if arm.growth == 1 else ladders,
        partial(measured, arm),
        f"zlb22 shared {arm.name}",
    )


def without_a_constant(scale: int) -> Sequence[Contrast]:
    """D = m: m vectors at m places each, and one vector at all m neurons of a layer."""
    many = Contrast(family_of(AS_MANY), CONSTANT_SHARING.name, "m weight vectors, at m places each")
    return (many, SHARED.contrast(in_the_ball))


CONSTANT = (
    Sharing("tanh", 2),
    Sharing("softplus", None),
    Sharing("tanh", 4),
    Sharing("softplus", 6),
    Sharing("sigmoid", 2, depth=4),
    Sharing("tanh", None, depth=4),
)
AS_MANY = Sharing("tanh", 1, Fraction(1), depth=2)
RATE = (
    r"the assumptions of Theorem 3.6, given a fixed $R>0$, for all "
    r"$\mathbf w\in\mathsf B(\mathbf w_0,R)$, with probability at least $1-\exp(-\Omega(\log^2m))$ "
    r"over $\mathbf w_0$: $\|H_{f_k}(\mathbf w)\|=\tilde O(1/\sqrt m)$, with respect to the "
    "distinct weights."
)
WHERE = (
    "one input with entries in [-1, 1], the same at every width; at the centre, and the largest "
    f"norm that ascent finds in the ball of radius {RADIUS:g}"
)
SCOPE = (
    WHERE,
    "the D places of a weight vector read ordered random choices of m neurons",
)


MEASURED = Exponents(
    partial(_families, CONSTANT),
    tuple(Predicted(name, HALF, above=NEIGHBOUR) for name in (CENTRE, BALL)),
    MOST,
    SCOPE,
    without_a_constant,
)

CLAIMS = (
    Claim(
        "zlb22.thmE.1",
        Kind.RATE,
        printed("Theorem E.1, (32), (35)"),
        "shared weights",
        r"If weights are shared a constant number $D$ of times, independent of $m$, then under "
        + RATE,
        SHARING,
        ("zlb22.thm3.6@A",),
        exponents=MEASURED,
    ),
)
