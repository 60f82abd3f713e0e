"""Ladders of widths for skips and bottlenecks: |H_f| at the centre and in the ball of radius 1, of
networks with tanh and softplus on the groups of neurons that the counted statements speak of.

An order that is claimed from above is told from half of its exponent, -1/2 from its neighbour -1/4
as in verify.papers.zlb22.hessian_rates, whatever other orders the groups at hand can have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.kinds.statistics.exponents import Exponents, Family, Predicted, vanishing
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.ladders import BALL, CENTRE, in_chunks, risen_from, target_of
from verify.papers.zlb22.profile_networks import wiring_of_profile

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks
    from numerics.curvature.wirings import Wiring

INPUTS = 4  # as in verify.papers.zlb22.ladders
LADDERS = ((8, 16, 32), (16, 64, 256), (16, 32, 64, 128, 256))
SQUARES = ((3, 6, 12), (6, 12, 24), (6, 12, 24))  # where a group has m^2 neurons
RADIUS = 1.0
MOST = (16, 64, 128)  # seeds
HALF = Fraction(-1, 2)


def layered(*sizes: int) -> Shape:
    """Fully connected layers of these sizes between the input and the output."""
    both = (0, *sizes, 0)
    return Shape(((), *((g,) for g in range(len(both) - 1))), both)


@dataclass(frozen=True)
class Arm:
    """One arm of a comparison: in words, the groups, the activation, M = m^unit, the ladders."""

    name: str
    shape: Shape
    activation: str
    unit: Fraction = Fraction(1)
    ladders: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] = LADDERS
    told: str = ""  # before the names of its quantities

    @property
    def family(self) -> Family:
        """What is measured of it. Arms of the same groups share what is drawn."""
        key = f"zlb22 groups {self.shape} {self.activation} {self.unit} neurons"
        name = f"{self.name}, {self.activation}"
        return Family(name, self.ladders, partial(measured, self), f"{key} {self.told}".strip())


def measured(
    arm: Arm, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """(S,) each: |H_f| at the centre, and the largest that ascent finds in the ball."""
    found = in_chunks(_norms, partial(_wiring, arm, width), seeds, generator)
    return {arm.told + name: values for name, values in found.items()}


def _wiring(arm: Arm, width: int, seeds: int, generator: torch.Generator) -> Wiring:
    return wiring_of_profile(
        arm.shape,
        width,
        unit=arm.unit,
        activation=arm.activation,
        inputs=INPUTS,
    )


def _dropped_with_skips(
    width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    return in_chunks(_norms, partial(_dropped, width), seeds, generator)


def _dropped(width: int, seeds: int, generator: torch.Generator) -> Wiring:
    """DenseNets of depth 4 with half of the edges, a ResNet's skips into the layers 2 and 3."""
    from numerics.curvature.families import densenet_drop
    from numerics.curvature.variations import skip

    size = 2 * width - INPUTS
    plain = densenet_drop(size, seeds, generator, depth=4, inputs=INPUTS, activation="softplus")
    return skip(plain, "index")


def _norms(networks: LayeredNetworks, generator: torch.Generator) -> Mapping[str, np.ndarray]:
    risen, _ = risen_from(networks, target_of(), RADIUS, generator)
    return {CENTRE: risen.start.numpy(), BALL: risen.norms.numpy()}


def told(
    arms: tuple[Arm | Family, ...],
    exponent: Fraction | None,
    below: Fraction | None = None,
) -> Exponents:
    """That |H_f| has this exponent at most on all arms, at the centre and in the ball, told from
    half of it; None: that it tends to 0; with `below`: that it has this exponent at least."""
    predicted = []
    for name in (CENTRE, BALL):
        if exponent is None:
            predicted.append(vanishing(name))
        elif below is None:
            predicted.append(Predicted(name, exponent, above=exponent / 2))
        else:
            predicted.append(Predicted(name, exponent, below=below))
    return Exponents(partial(_families, arms), tuple(predicted), MOST, SCOPE)


def _families(arms: tuple[Arm | Family, ...], scale: int) -> tuple[Family, ...]:
    return tuple(arm.family if isinstance(arm, Arm) else arm for arm in arms)


WHERE = (
    f"one input with {INPUTS} entries in [-1, 1]; at the centre, and the largest norm that ascent "
    f"finds in the ball of radius {RADIUS:g}"
)
SCOPE = (WHERE,)

# the groups -------------------------------------------------------------------------------------
TWO_SAME = Shape(  # of the second hidden layer, both on the same neuron of the first
    ((), (0,), (0,), (1, 2), (1,), (1,), (3, 4, 5)), (0, 0, 1, 1, 0, 0, 0)
)
TWO_IN_A_ROW = Shape(  # of the second and the third hidden layer, one on the other
    ((), (0,), (0,), (1, 2), (1,), (3,), (4,), (5, 6)), (0, 0, 1, 1, 0, 1, 0, 0)
)
FOUR = Shape(  # of the second hidden layer, each on the same two neurons
    ((), (0,), (0,), (0,), (1, 2, 3), *((1, 2),) * 4, (4, 5, 6, 7, 8)),
    (0, 0, 0, 1, 1, 0, 0, 0, 0, 0),
)
HANGING = Shape(((), (0,), (0,), (1, 2), (1,), (3, 4)), (0, 0, 2, 2, 1, 0))
THROUGH_ONE = layered(0, 1, 2)
NARROW = layered(1, 0, 1)
JOINED = Shape(  # all but one of the neurons behind the narrow layer read the first one too
    ((), (0,), (1,), (1, 2), (2,), (3, 4)), (0, 1, 0, 1, 0, 0)
)
BY_INDEX = Shape(((), (0,), (1,), (2,), (3,)), (0, 1, 1, 1, 0), (None, 0, 1, 2, None))
FROM_ONE = Shape(((), (0,), (0,), (1, 2), (3,)), (0, 0, 1, 1, 0), (None, 0, 0, 1, None))

TWO_NEURONS = (
    Arm("two neurons of a layer hang on one", TWO_SAME, "tanh"),
    Arm("two neurons in a row", TWO_IN_A_ROW, "softplus"),
)
FEW_NEURONS = (TWO_NEURONS[1], Arm("four neurons hang on two", FOUR, "tanh"))
ROOT_OF_M = (
    Arm("m^(1/2) neurons hang on one", HANGING, "tanh", Fraction(1, 2)),
    Arm("m^(1/2) neurons hang on one", HANGING, "softplus", Fraction(1, 2)),
)
ALL_THROUGH_ONE = (
    Arm("layers of 1, m, m^2", THROUGH_ONE, "tanh", ladders=SQUARES),
    Arm("layers of 1, m, m^2", THROUGH_ONE, "softplus", ladders=SQUARES),
)
NARROW_LAYERS = (
    Arm("layers of m, 1, m", NARROW, "tanh"),
    Arm("layers of m, 1, m", NARROW, "softplus"),
)
ONE_BEFORE_OUTPUT = (
    Arm("layers of m, 1", layered(1, 0), "tanh"),
    Arm("layers of m, 1", layered(1, 0), "softplus"),
)
INDEX_TO_INDEX = (
    Arm("skips index to index", BY_INDEX, "tanh"),
    Arm("skips index to index", BY_INDEX, "softplus"),
)
DROPPED_INDEX_TO_INDEX = Family(
    "DenseNet with half of the edges, skips index to index, softplus",
    ((8, 16, 32), (12, 32, 84), (12, 24, 48, 84)),
    _dropped_with_skips,
)


ALL_FROM_ONE = tuple(Arm("all take one neuron", FROM_ONE, kind) for kind in ("tanh", "softplus"))

BEFORE, AFTER = "before, ", "after, "


def joined_afterwards() -> Exponents:
    """Appendix F (e): layers of m, 1 and m before, and after edges from the first to the third
    layer were added at all its neurons but one. Softplus too at the largest scale."""
    stay = [Predicted(BEFORE + name, Fraction(0), below=HALF) for name in (CENTRE, BALL)]
    fall = [vanishing(AFTER + name) for name in (CENTRE, BALL)]
    return Exponents(_before_and_after, (*stay, *fall), MOST, SCOPE)


def _before_and_after(scale: int) -> tuple[Family, ...]:
    return tuple(
        Arm(f"{name}layers of m, 1, m", shape, kind, told=name).family
        for kind in ("tanh", "softplus")[: 1 + (scale == 2)]
        for name, shape in ((BEFORE, NARROW), (AFTER, JOINED))
    )
