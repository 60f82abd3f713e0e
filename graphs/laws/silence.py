"""Vertices whose pre-activation is identically 0 because fixed and shared weights cancel."""

from __future__ import annotations

from graphs.network import FIXED, Network
from graphs.paths import count_paths
from graphs.polynomials import Symbols

PRIME = 2**61 - 1
PATHS = 400  # paths of a network up to which polynomials are expanded


def vanishing(network: Network) -> frozenset[int]:
    """The vertices whose pre-activation is the zero polynomial in weights, inputs and slopes.

    One evaluation modulo a prime says which may be; polynomials in normal form decide. In a network
    with too many paths none is named.
    """
    if not network.homogeneous:
        return frozenset()  # none is named either: 0 need not lead to 0
    if not network.shares_parameters and all(fixed is None for fixed in network.fixed):
        return frozenset()  # the terms of different paths are different monomials
    suspects = _zeros(network)
    if not suspects or count_paths(network).total > PATHS:
        return frozenset()
    symbols = Symbols.of(network, symbolic_scales=True)
    pre = symbols.evaluation.pre
    return frozenset(v for v in suspects if symbols.is_zero(pre[v, 0]))


def _zeros(network: Network) -> list[int]:
    """The vertices whose pre-activation is 0 modulo a prime at one point."""
    numbers = iter(range(1, 3 * network.vertex_count + network.parameter_count + 1))

    def some() -> int:
        return pow(3, 1_000_003 * next(numbers), PRIME)

    post = [0] * network.vertex_count
    for v, value in zip(network.inputs, network.constants, strict=True):
        held = None if value is None else value.numerator * pow(value.denominator, -1, PRIME)
        post[v] = some() if held is None else held % PRIME
    weights = [some() for _ in network.parameter_names]
    zeros = []
    for v, edges in enumerate(network.in_edges):
        if not len(edges):
            continue
        z = 0
        for e in edges:
            fixed, p = network.fixed[e], network.parameter_of[e]
            if p != FIXED:
                weight = weights[p]
            elif fixed is not None:
                weight = fixed.numerator * pow(fixed.denominator, -1, PRIME)
            z += weight * post[network.tails[e]]
        post[v] = z % PRIME if network.activations[v].kind == "linear" else z * some() % PRIME
        if z % PRIME == 0:
            zeros.append(v)
    return zeros
