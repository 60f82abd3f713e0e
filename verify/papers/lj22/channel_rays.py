"""Rays of linear convolutions, whose matrices have a rank above one.

Dense matrices behind eta have rank one on every ray, those of convolutions need not. The example
has positions x_p, orthogonal vectors of one length. A convolution with a filter of one place has
the matrix T_1 = sum_p t_p x_p^T / |x_p|, the next one, over all positions, T_2 = (q_1 t_p^T)_p, the
dense layers have q_k q_(k-1)^T, Fin has q^T, with unit vectors q_k and sum_p |t_p|^2 = 1. The
margin is |x_p|, and so many times each layer is the gradient in it. T_1 has the singular values of
(t_p), which may be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from random import Random
from typing import Any

from verify.cases.case import Case
from verify.cases.layer_pieces import chosen_pieces
from verify.cases.networks_of_pieces import Plan, Spec, build
from verify.cases.structured_pool import structured
from verify.core.losses import PRESCRIBED
from verify.kinds.deep.pool import rotation
from verify.kinds.solutions.rays import RAY, with_kind
from verify.kinds.solutions.solution_pool import ONE, SolutionPool, unit_vector

Numbers = Sequence[Fraction]
LENGTH = Fraction(1, 2)  # of x_p: an example of at most four positions has norm at most 1
FAMILY = "ray of convolutions"
SHARE = 12  # draws for each of these rays


def ray_of_convolutions(
    channels: int, positions: int, widths: Sequence[int], random: Random
) -> Case:
    """widths: the lengths of q_1, q_2, ..."""
    layers = (
        Spec("convolution", channels, size=(positions,), kernel=(1,)),
        Spec("convolution", widths[0], kernel=(positions,)),
        *(Spec("dense", width) for width in (*widths[1:], 1)),
    )
    plan = Plan(channels * positions, layers, tuple(range(len(layers))))
    net, choice = build(plan)
    x = rotation(channels, random)[:positions]
    t = _spread(channels, positions, random)
    q = [*(unit_vector(width, random) for width in widths), (ONE,)]
    matrices = [
        [sum(column) for column in zip(*map(_outer, t, x), strict=True)],
        _outer(q[0], _by_channel(t)),
        *(_outer(after, before) for before, after in pairwise(q)),
    ]
    row = tuple(LENGTH * value for value in _by_channel(x))
    weights = [ONE] * net.parameter_count
    case = Case(net, tuple(weights), (row,), (ONE,), PRESCRIBED, (-ONE,), choice, FAMILY)
    for piece, values in zip(chosen_pieces(case), matrices, strict=True):
        for edge, value in zip(piece.edges, values, strict=True):
            weights[net.parameter_of[edge]] = value
    return structured(with_kind(case.with_weights(weights), RAY), plan)


def _spread(channels: int, positions: int, random: Random) -> Sequence[Numbers]:
    """The t_p; of two, in half of the cases, orthogonal ones of one length."""
    if positions == 2 and random.random() < 0.5:
        half, rest = Fraction(1, 2), [Fraction(0)] * (channels - 2)
        return [[half, half, *rest], [half, -half, *rest]]
    numbers = unit_vector(channels * positions, random)
    return [numbers[k * channels : (k + 1) * channels] for k in range(positions)]


def _outer(column: Numbers, row: Numbers) -> list[Fraction]:
    return [a * b for a in column for b in row]


def _by_channel(vectors: Sequence[Numbers]) -> list[Fraction]:
    """Their entries channel by channel."""
    return list(chain(*zip(*vectors, strict=True)))


def onto_one_neuron(random: Random) -> Case:
    """Before a Fin of one weight, so that (13) as repaired says of T_1 more than its rank does."""
    positions = random.randint(2, 3)
    return ray_of_convolutions(random.randint(positions + 1, 4), positions, (1,), random)


def before_a_matrix(random: Random) -> Case:
    """Before a dense layer and Fin: two convolutions, so that V_c is 1 from the second one on."""
    widths = (random.randint(2, 3), random.randint(2, 3))
    return ray_of_convolutions(random.randint(2, 3), 2, widths, random)


@dataclass(frozen=True)
class ConvolutionPool(SolutionPool):
    """Exact solutions, rays of convolutions among them. convolved: draws one of these."""

    convolved: Callable[[Random], Case] = onto_one_neuron

    def solutions_of(self, seed: int, count: int) -> tuple[Case, ...]:
        """So many draws, and rays of convolutions beside."""
        random = Random(seed)
        rays = [self.convolved(random) for _ in range(count // SHARE)]
        return (*rays, *super().solutions_of(seed, count))

    def functions(self) -> dict[str, Any]:
        """What draws the plans, and the rays."""
        return {**super().functions(), "convolved": self.convolved}
