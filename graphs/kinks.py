"""Kinks: pre-activations that are 0 where the activation has two slopes, and which of them matter.

A kink need not spoil differentiability. In a ReLU network whose whole layer is off, every
pre-activation behind it is 0, and stays 0 for all weights nearby.
"""

from __future__ import annotations

import numpy as np

from graphs.errors import NetworkError
from graphs.evaluation import Evaluation


class KinkError(NetworkError):
    """A derivative was asked for where a pre-activation is 0 and the slope there matters."""


def deciding_kinks(evaluation: Evaluation) -> np.ndarray:
    """(V, n) boolean: the kinks whose slope may matter to the gradient, in exact arithmetic.

    A kink does not matter where (a) the pre-activation is 0 for all weights nearby, because all
    that feeds it is; then the network does not depend on the slope at all. Nor where (b) every way
    on to the output has a weight 0 or passes a vertex that is strictly off; then all slopes give
    the same value and the same gradient, and so the network is differentiable: it coincides, point
    by point, with one of finitely many smooth functions that agree there to first order. Where no
    kink is left, the network is differentiable and the evaluation's gradient is its gradient,
    whatever slopes it took. (The converse may fail.)
    """
    union, arithmetic = evaluation.union, evaluation.arithmetic
    shape = evaluation.kinks.shape
    is_input = np.ones(union.vertex_count, dtype=bool)
    is_input[union.heads] = False
    no_weight = arithmetic.may_be_zero(evaluation.weights)
    no_slope = arithmetic.may_be_zero(evaluation.slopes)
    no_value = arithmetic.may_be_zero(evaluation.pre)
    strictly_off = no_slope & ~no_value & ~is_input[:, None]

    silent = no_value & is_input[:, None]  # the post-activation is 0 for all weights nearby
    fed = np.zeros(shape, dtype=bool)  # the pre-activation is not 0 for all weights nearby
    never = no_weight & ~union.learnable
    for level in union.levels:
        loud = ~silent[union.tails[level.edges]] & ~never[level.edges][:, None]
        np.logical_or.at(fed, union.heads[level.edges], loud)
        silent[level.vertices] = ~fed[level.vertices] | strictly_off[level.vertices]

    heard = np.zeros(shape, dtype=bool)  # some way on to the output is open
    heard[union.outputs] = True
    passes = evaluation.kinks | ~no_slope
    for level in reversed(union.levels):
        heads = union.heads[level.edges]
        on = heard[heads] & passes[heads] & ~no_weight[level.edges][:, None]
        np.logical_or.at(heard, union.tails[level.edges], on)
    return np.asarray(evaluation.kinks & fed & heard)


def refuse_kinks(evaluation: Evaluation, remedy: str) -> None:
    """Raises KinkError, naming vertex and example and the remedy, where a kink matters."""
    places = np.argwhere(deciding_kinks(evaluation))
    if len(places):
        v, j = places[0]
        names = [name for network in evaluation.union.networks for name in network.names]
        raise KinkError(
            f"the pre-activation of {names[v]!r} is 0 on example {j + 1}, "
            f"where its activation has a kink: {remedy}"
        )
