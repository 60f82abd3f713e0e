"""Activation regions: on which side of 0 each pre-activation lies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from graphs.arithmetic import as_fraction
from graphs.exact import Numbers, evaluation_at
from graphs.network import Network


def pattern(
    network: Network, weights: Numbers, xs: Sequence[Numbers]
) -> dict[str, tuple[int, ...]]:
    """The sign (-1, 0 or 1) of the pre-activation of each non-linear vertex on each example.

    weights: P numbers; xs: n examples. Raises as graphs.exact.evaluation_at.
    """
    pre = evaluation_at(network, weights, xs).pre
    return {
        name: tuple(_sign(z) for z in pre[v])
        for v, name in enumerate(network.names)
        if network.activations[v].kind != "linear" and v not in network.inputs
    }


def region_slopes(
    network: Network, weights: Numbers, xs: Sequence[Numbers]
) -> dict[str, tuple[Fraction, ...]]:
    """The slope of each non-linear vertex on each example, the right one at 0: the numbers that
    fix an activation region in graphs.polynomials. Raises as graphs.exact.evaluation_at."""
    signs = pattern(network, weights, xs)
    return {
        name: tuple(network.activations[network.index[name]].slopes[sign >= 0] for sign in row)
        for name, row in signs.items()
    }


def _sign(number: object) -> int:
    value = as_fraction(number)
    return (value > 0) - (value < 0)
