"""R^(0) and R^(1) of affine functions on convex hulls of points.

R^(0) is the rank of H P_T: at least by the Jacobian, at most by a network whose upper bound is L
rank + O(1). The bounds on R^(1) are the limits of those of `affine`, minus L R^(0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from verify.kinds.costs.affine import (
    Affine,
    by_radius,
    folded_quotients,
    input_chains,
    largest,
    output_chains,
    smallest,
)
from verify.kinds.costs.stacked import is_acute


@dataclass(frozen=True)
class Corrections:
    """R^(0), and R^(1) between two numbers."""

    rank: int
    lower: Any
    upper: Any


def corrections(function: Affine) -> Corrections | None:
    """R^(0) and R^(1); None where no network of cost L R^(0) + O(1) is at hand."""
    found = rank(function.along)
    if found == 0:
        value = function.end(function.values[0])
        return Corrections(0, by_radius(value) if function.has_origin else rational(0), value)
    upper = smallest(_above(function, found))
    if upper is None:
        return None
    below = [reals.log(reals.pseudo_determinant_squared(function.along))]
    if found == 1:
        below += [reals.log(value) for value in folded_quotients(function) if value != 0]
    return Corrections(found, largest(below), upper)


def _above(function: Affine, wanted: int) -> list[Any]:
    above = []
    for squares, last in (output_chains(function), input_chains(function)):
        if len(squares) == wanted:
            product = rational(1)
            for value in squares:
                product = product * value
            above.append(reals.log(product) + last)
    linear = function.on_span
    if rank(linear) == wanted and is_acute(function.points, linear):
        determinant = reals.pseudo_determinant_squared(linear)
        above.append(reals.log(determinant) + function.end(function.shift))
    return above
