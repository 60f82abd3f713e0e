"""Small steps from a point that cross no kink: along them a network is exactly affine, so that
difference quotients are derivatives, with no limit to take."""

from __future__ import annotations

from fractions import Fraction

from graphs.arithmetic import Array, as_fraction
from verify.kinds.deep.scene import DeepScene


def step_sizes(scene: DeepScene, at: int, directions: Array) -> Array:
    """(C,): a power of 1/2 for each network, so small that on the way from the point to the point
    plus that much of any of the directions no hidden neuron reaches its kink. Over the rationals.

    directions: (C, n_0, m), as columns. As long as no neuron below has reached its kink, a
    pre-activation z moves by h (J alpha~ d); half of |z| is left to it.
    """
    sizes = [Fraction(1)] * len(scene.cases)
    for layer in range(1, scene.depth):
        values = scene.pre(layer)[:, at]
        moves = scene.to_pre(layer, at) @ directions
        for k in range(len(sizes)):
            for value, row in zip(values[k], moves[k], strict=True):
                reach = abs(as_fraction(value)) / 2
                most = max(abs(as_fraction(entry)) for entry in row)
                while reach and most * sizes[k] > reach:
                    sizes[k] /= 2
    return scene.numbers(sizes)


def moved_points(scene: DeepScene, at: int, directions: Array, steps: Array) -> Array:
    """(C, m, n_0): the point plus so much of each direction (C, n_0, m)."""
    size = len(scene.cases)
    start = scene.points[:, at].reshape(size, 1, scene.width(0))
    return scene.transpose(directions) * steps.reshape(size, 1, 1) + start
