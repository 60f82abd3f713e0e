"""Arguments for the steps of the proof of Proposition 13 that are finite tables over masks."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from graphs.rings import ring_of
from verify.core.argument import Argument, Step

MASKS = "the slopes of the ReLU are 0 and 1"


def masks_cubed() -> Argument:
    """d = 1, 0 and -1 are the roots of d^3 = d."""
    steps = []
    for one, other in product((0, 1), repeat=2):
        difference = Fraction(one - other)
        steps.append(
            Step(f"d^3 = d for d = {one} - {other}", difference**3 - difference == Fraction(0))
        )
    return Argument(
        "a table of the four pairs of masks",
        tuple(steps),
        (MASKS, "products of diagonal matrices are products of their entries"),
        ("fully connected", "ReLU", "smooth at the points"),
        section="docs/mathematics/j23.md#proposition-13",
    )


def table_of_masks() -> Argument:
    """1 - (d - e)^2/2 - (d^2 + e^2)/2 = 1 - d^2 - e^2 + d e is at least 0 for d, e in {0, 1}."""
    ring = ring_of(2)
    d, e = ring.generators
    half = ring.constant(Fraction(1, 2))
    share = 1 - half * (d - e) * (d - e) - half * (d * d + e * e)
    steps = [
        Step(
            "a line of W_l has the share 1 - (d - e)^2/2 - (d^2 + e^2)/2 = 1 - d^2 - e^2 + d e "
            "of its square on the right",
            ring.is_zero(share - (1 - d * d - e * e + d * e)),
        )
    ]
    for point in product((0, 1), repeat=2):
        value = ring.evaluate(share, [Fraction(value) for value in point])
        steps.append(Step(f"the share is {value} at {point}, at least 0", value >= 0))
    return Argument(
        "both sides are sums over the columns of the W_l, with the masks before them, and over "
        "the rows, with the masks behind; a table of the four pairs of masks",
        tuple(steps),
        (MASKS, "the squared norm of a matrix is the sum of those of its columns, and of its rows"),
        ("fully connected", "ReLU", "smooth at the points"),
        section="docs/mathematics/j23.md#proposition-13",
    )
