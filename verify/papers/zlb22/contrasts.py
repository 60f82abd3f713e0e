"""Families that meet all hypotheses of a statement about rates but one, and what is measured.

Each starts from networks that meet them all, at one input with entries in [-1, 1], and changes one
thing as the width m grows. What each of them must give is worked out in
docs/mathematics/zlb22.md#contrasts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from verify.cases.hypotheses import Hypothesis
from verify.kinds.statistics.exponents import Contrast, Family
from verify.papers.zlb22 import ladders
from verify.papers.zlb22 import width_hypotheses as asked
from verify.papers.zlb22.settings import NAMES, Setting
from verify.papers.zlb22.width_hypotheses import Looked

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks

Values = Mapping[str, np.ndarray]
Change = Callable[[Looked], Looked]
Measure = Callable[[Looked, "torch.Generator"], Values]


# what is changed ----------------------------------------------------------------------------------
def nothing(at: Looked) -> Looked:
    """Where the setting alone grows."""
    return at


def larger_input(at: Looked) -> Looked:
    """The input times m^(1/4)."""
    return replace(at, target=replace(at.target, points=at.target.points * at.width**0.25))


def bent_output(at: Looked) -> Looked:
    """tanh at the output."""
    architecture = at.networks.architecture
    *others, last = architecture.layers
    changed = replace(architecture, layers=(*others, replace(last, activation="tanh")))
    networks = replace(at.networks, architecture=changed)
    return replace(at, networks=networks, target=replace(at.target, neurons=True))


def without_factors(at: Looked) -> Looked:
    """No factors; the weights as they are."""
    changed = replace(at.networks.architecture, scaling="standard")
    return replace(at, networks=replace(at.networks, architecture=changed))


def factors_in_weights(at: Looked) -> Looked:
    """No factors; weights of variance 1/in-degree, the network function as it is."""
    networks = at.networks
    changed = replace(networks.architecture, scaling="standard")
    return replace(at, networks=replace(networks, architecture=changed, weights=networks.matrices))


def equal_at_each(at: Looked) -> Looked:
    """All weights into a neuron are equal."""
    equal = tuple(part[:, :, :1].expand_as(part).contiguous() for part in at.networks.weights)
    return replace(at, networks=replace(at.networks, weights=equal))


def equal_vectors(at: Looked) -> Looked:
    """All neurons of layer 2 have the same weight vector, each a weight of its own at an edge."""
    parts = list(at.networks.weights)
    parts[1] = parts[1][:, :1].expand_as(parts[1]).contiguous()
    return replace(at, networks=replace(at.networks, weights=tuple(parts)))


def one_vector(at: Looked) -> Looked:
    """All neurons of layer 2 share one weight vector."""
    import torch

    same = equal_vectors(at).networks
    rows, columns = same.architecture.shapes[1]
    tie = torch.arange(columns).expand(1, rows, columns)
    ties = (None, tie, *(None for _ in same.architecture.layers[2:]))
    return replace(at, networks=replace(same, ties=ties))


# how a family grows -------------------------------------------------------------------------------
@dataclass(frozen=True)
class Dropped:
    """A family without one hypothesis: dropped, which; how, in words; change, what is changed of
    the networks that meet it; far: whether R = sqrt m; outputs: the power of m that d_L is, where
    it grows."""

    dropped: Hypothesis
    how: str
    setting: Setting
    ladders: ladders.Ladders
    change: Change = nothing
    far: bool = False
    outputs: int = 0

    @property
    def name(self) -> str:
        """In words."""
        kind, depth, activation, *_ = self.setting
        return f"{NAMES[kind]}, L = {depth}, {activation}, {self.how}"

    def at(self, width: int) -> Setting:
        """The setting at one width."""
        setting = self.setting
        if self.far:
            setting = setting._replace(radius=sqrt(width))
        return setting._replace(outputs=width**self.outputs)

    def looked(self, width: int, networks: LayeredNetworks) -> Looked:
        """What is looked at, of networks as the setting has them."""
        return self.change(Looked(width, networks, ladders.target_of(), self.at(width).radius))

    def contrast(self, measure: Measure) -> Contrast:
        """What is measured of it. Claims that measure alike share what is drawn."""
        family = Family(
            self.name,
            self.ladders,
            partial(values_of, self, measure),
            f"zlb22 without: {measure.__name__} {self.name}",
        )
        return Contrast(family, self.dropped.name, self.how)


def values_of(
    one: Dropped, measure: Measure, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """What `measure` gives of S networks of a family."""

    def measured(networks: LayeredNetworks, own: torch.Generator) -> Values:
        return measure(one.looked(width, networks), own)

    return ladders.in_chunks(measured, partial(one.at(width).wiring, width), seeds, generator)


# what is measured ---------------------------------------------------------------------------------
def in_the_ball(at: Looked, generator: torch.Generator) -> Values:
    """|H| at the centre, and the largest that ascent finds in the ball."""
    from numerics.curvature.balls import ascend

    risen = ascend(
        at.networks,
        at.target,
        at.radius,
        generator,
        steps=ladders.ASCENT_STEPS,
        restarts=0,
        tolerance=ladders.ROUGH,
    )
    return {ladders.CENTRE: risen.start.numpy(), ladders.BALL: risen.norms.numpy()}


# families -----------------------------------------------------------------------------------------
FLAT = ((8, 16, 32), (16, 64, 256), (32, 128, 512))
DEEP = ((8, 16, 32), (8, 32, 128), (16, 64, 256))
SQUARES = ((4, 8, 16), (8, 24, 72), (8, 32, 128))  # where d_L is as large as m^2
ONE_LAYER, TWO_LAYERS = Setting("fcn", 2, "tanh"), Setting("fcn", 3, "tanh")
OF_THEOREM = (
    Dropped(asked.BOUNDED_INPUT, "input times the fourth root of m", ONE_LAYER, FLAT, larger_input),
    Dropped(asked.IDENTITY_OUTPUTS, "tanh at the output", ONE_LAYER, FLAT, bent_output),
    Dropped(asked.AS_DEFINED, "no factors", ONE_LAYER, FLAT, without_factors),
    Dropped(
        asked.AS_DEFINED,
        "no factors, weights of variance 1/in-degree",
        ONE_LAYER,
        FLAT,
        factors_in_weights,
    ),
    Dropped(
        asked.AS_DEFINED, "all weights into a neuron equal (L = 3)", TWO_LAYERS, DEEP, equal_at_each
    ),
    Dropped(
        asked.AS_DEFINED, "all weights into a neuron equal (L = 2)", ONE_LAYER, FLAT, equal_at_each
    ),
    Dropped(
        asked.OWN_WEIGHTS,
        "one weight vector at all neurons of layer 2",
        TWO_LAYERS,
        DEEP,
        one_vector,
    ),
)
SHARED = replace(OF_THEOREM[-1], dropped=asked.CONSTANT_SHARING)
OF_LEMMA = (
    Dropped(
        asked.AS_DEFINED,
        "the same weights at all neurons of layer 2",
        TWO_LAYERS,
        DEEP,
        equal_vectors,
    ),
    Dropped(asked.FIXED_RADIUS, "R = sqrt m", TWO_LAYERS, DEEP, far=True),
)
OF_OUTPUTS = (
    Dropped(asked.FEW_OUTPUTS, "m outputs", ONE_LAYER, SQUARES, outputs=1),
    Dropped(asked.FEW_OUTPUTS, "m^2 outputs", ONE_LAYER, SQUARES, outputs=2),
)


def contrasts_of(table: tuple[Dropped, ...], measure: Measure, scale: int) -> Sequence[Contrast]:
    """Each family of a table, the same at every scale but for its widths."""
    return tuple(one.contrast(measure) for one in table)
