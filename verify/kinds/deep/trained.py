"""Small trained networks as instances: fitted with an L2 penalty, rounded to rationals.

Trained networks have what random ones lack: layers that are balanced but for rounding, a norm near
the least one, and a bottleneck. They are trained once a process, from fixed seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

GRID = 256  # numbers are rounded to multiples of 1 / GRID
SHAPES = ((2, 3, 3, 2), (2, 2, 2, 2, 2), (1, 3, 3, 1), (3, 3, 2, 3, 3, 2))
EACH = 4
POINTS, ADAM, LBFGS = 8, 150, 40
RIDGES = (0.001, 0.005)

Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class TrainedWeights:
    """Weights and biases of one network, the slope of its activation, and the points it fits."""

    weights: tuple[Matrix, ...]
    biases: tuple[tuple[Fraction, ...], ...]
    slope: Fraction
    points: Matrix


@cache
def trained_networks() -> tuple[TrainedWeights, ...]:
    """A few of each shape, on the outputs of random maps of rank one or two."""
    import torch

    from numerics.deep.families import gaussian
    from numerics.deep.training import Options, train

    generator = torch.Generator().manual_seed(7)
    found: list[TrainedWeights] = []
    for number, widths in enumerate(SHAPES):
        slopes = torch.tensor([0.0, 0.0, 0.5, -0.25], dtype=torch.float64)
        start = gaussian(widths, EACH, generator, biases=0.1, slopes=slopes)
        points = torch.randn(EACH, POINTS, widths[0], generator=generator, dtype=torch.float64)
        inner = 1 + number % 2
        into, out = (
            torch.randn(shape, generator=generator, dtype=torch.float64)
            for shape in ((widths[0], inner), (inner, widths[-1]))
        )
        targets = torch.relu(points @ into) @ out
        ended = train(start, points, targets, Options(RIDGES[number % 2], adam=ADAM, lbfgs=LBFGS))
        for k in range(EACH):
            found.append(
                TrainedWeights(
                    tuple(_matrix(weight[k]) for weight in ended.networks.weights),
                    tuple(_rounded(bias[k]) for bias in ended.networks.biases),
                    Fraction(float(slopes[k])),
                    _matrix(points[k]),
                )
            )
    return tuple(found)


def _rounded(values: object) -> tuple[Fraction, ...]:
    return tuple(Fraction(round(value * GRID), GRID) for value in values.tolist())  # type: ignore[attr-defined]  # a tensor


def _matrix(values: object) -> Matrix:
    return tuple(_rounded(row) for row in values)  # type: ignore[attr-defined]  # a tensor
