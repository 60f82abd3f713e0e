"""One network as an exact function: values and gradients over the rationals, all as Fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from graphs.arithmetic import Arithmetic, Array, as_fraction
from graphs.errors import NetworkError
from graphs.evaluation import Evaluation, Union, evaluate
from graphs.forward import forward
from graphs.network import Network
from graphs.rationals import RATIONALS

Numbers = Sequence[Fraction]
Side = Literal["left", "right"]


def evaluation_at(
    network: Network,
    weights: Sequence[Any],
    xs: Sequence[Sequence[Any]],
    arithmetic: Arithmetic = RATIONALS,
    at_kink: Side | None = None,
) -> Evaluation:
    """The network evaluated on n examples.

    weights: P numbers. xs: n examples, each with one number for each free input. at_kink: the side
    of 0 whose slope is selected at every kink (default: the right one, as a kink).

    Raises ParameterError or NetworkError for a wrong number of either; NotRationalError where the
    arithmetic has no such activation, or for an irrational scale.
    """
    if at_kink not in (None, "left", "right"):
        raise ValueError(f'at_kink is {at_kink!r}: use "left", "right" or None')
    if not xs:
        raise NetworkError("no examples: give at least one")
    size = len(network.free_inputs)
    for x in xs:
        if len(x) != size:
            raise NetworkError(
                f"{len(x)} coordinates for the {size} free inputs of {network}: give one for each"
            )
    union = Union.of([network])
    rows = [[x[i] for x in xs] for i in range(size)]
    inputs = arithmetic.array(rows) if rows else arithmetic.zeros((0, len(xs)))
    dormant = np.ones(union.vertex_count, dtype=bool) if at_kink == "left" else None
    edge_weights = arithmetic.array(network.edge_weights(weights))
    return evaluate(union, arithmetic, edge_weights, inputs, dormant)


def values(network: Network, weights: Numbers, x: Numbers) -> tuple[Fraction, ...]:
    """The post-activation of every vertex, V numbers. Raises: see graphs.forward."""
    return _fractions(forward(network, weights, x)[1])


def preactivations(network: Network, weights: Numbers, x: Numbers) -> tuple[Fraction, ...]:
    """The pre-activation of every vertex, V numbers (at an input: its value). Raises: as values."""
    return _fractions(forward(network, weights, x)[0])


def output(network: Network, weights: Numbers, x: Numbers) -> Fraction:
    """nu(x; w), the value of the first output. Raises: as values."""
    return as_fraction(forward(network, weights, x)[1][network.outputs[0]])


def parameter_gradients(evaluation: Evaluation) -> Array:
    """(P, n): the derivative of nu(x_j) in each parameter of the union, in any arithmetic."""
    union = evaluation.union
    learnable = union.learnable
    return evaluation.arithmetic.sum_at(
        evaluation.edge_gradients[learnable],
        union.parameter_of[learnable],
        len(union.parameter_owner),
    )


def weighted_gradient(evaluation: Evaluation, kappa: Sequence[Any]) -> Array:
    """(P,): sum_j kappa_j dnu(x_j)/dw_p. Raises NetworkError unless there are n coefficients."""
    n = evaluation.post.shape[1]
    if len(kappa) != n:
        raise NetworkError(f"{len(kappa)} risk coefficients for {n} examples: give one for each")
    weighted = parameter_gradients(evaluation) * evaluation.arithmetic.array([kappa])
    total = weighted[:, 0]
    for j in range(1, n):
        total = total + weighted[:, j]
    return total


def _fractions(numbers: Iterable[Any]) -> tuple[Fraction, ...]:
    return tuple(map(as_fraction, numbers))
