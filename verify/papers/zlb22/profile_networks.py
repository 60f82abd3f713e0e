"""Networks of a profile at a given width: the same groups of neurons, with any activations."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from verify.papers.zlb22.group_shapes import Shape

if TYPE_CHECKING:
    from numerics.curvature.wirings import Wiring


def wiring_of_profile(
    shape: Shape,
    width: int,
    *,
    unit: Fraction = Fraction(1),
    activation: str = "linear",
    inputs: int = 1,
    skip_from: str = "neurons",
) -> Wiring:
    """Each group as a layer of its own, of ceil(width^(unit e)) neurons; the output is linear.

    unit: M is width^unit. inputs: how many numbers the input has. skip_from: "neurons" or
    "preactivations".
    """
    from numerics.curvature.architectures import Architecture, Layer
    from numerics.curvature.wirings import Wiring

    sizes = [inputs, *(_power(width, unit * size) for size in shape.sizes[1:])]
    layers = []
    for g in range(1, shape.count):
        source = None if shape.skips is None else shape.skips[g]
        skips = (
            () if source is None else tuple((source, i % sizes[source]) for i in range(sizes[g]))
        )
        kind = "linear" if g == shape.output else activation
        layers.append(Layer(sizes[g], shape.parents[g], kind, skips))
    return Wiring(Architecture(inputs, tuple(layers), skip_from=skip_from))


def _power(width: int, exponent: Fraction) -> int:
    """ceil(width^exponent), whole where it is a whole power."""
    found: float = float(width) ** float(exponent)
    return round(found) if abs(found - round(found)) < 1e-9 * found else ceil(found)
