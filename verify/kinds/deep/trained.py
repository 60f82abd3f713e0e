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
SLOPES = tuple(map(Fraction, ("0", "0", "1/2", "-1/4")))  # left of 0, of each network of a shape
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

    from graphs.activations import leaky_relu
    from numerics.layered.fitting import Options, fit
    from numerics.layered.initial import kaiming
    from numerics.layered.network import perceptron

    generator = torch.Generator().manual_seed(7)
    found: list[TrainedWeights] = []
    for number, widths in enumerate(SHAPES):
        start = kaiming(perceptron(widths), len(SLOPES), generator, biases=0.1)
        shape = (len(SLOPES), POINTS, widths[0])
        points = torch.randn(shape, generator=generator, dtype=torch.float64)
        inner = 1 + number % 2
        into, out = (
            torch.randn(shape, generator=generator, dtype=torch.float64)
            for shape in ((widths[0], inner), (inner, widths[-1]))
        )
        targets = torch.relu(points @ into) @ out
        options = Options(RIDGES[number % 2], adam=ADAM, lbfgs=LBFGS)
        for slope in dict.fromkeys(SLOPES):
            net = perceptron(widths, leaky_relu(slope))
            these = [k for k, own in enumerate(SLOPES) if own == slope]
            ended = fit(net, start[these], points[these], targets[these], options)
            views = net.views(ended.weights)
            for place, k in enumerate(these):
                weights = tuple(_matrix(views[name][place]) for name, _ in net.names)
                biases = tuple(_rounded(views[str(name)][place]) for _, name in net.names)
                found.append(TrainedWeights(weights, biases, slope, _matrix(points[k])))
    return tuple(found)


def _rounded(values: object) -> tuple[Fraction, ...]:
    return tuple(Fraction(round(value * GRID), GRID) for value in values.tolist())  # type: ignore[attr-defined]  # a tensor


def _matrix(values: object) -> Matrix:
    return tuple(_rounded(row) for row in values)  # type: ignore[attr-defined]  # a tensor
