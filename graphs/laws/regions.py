"""The activation region of given weights and an input, as slopes by vertex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from graphs.errors import NetworkError
from graphs.exact import preactivations
from graphs.network import Network
from graphs.smoothness import check_regions


def region_at(
    network: Network, weights: Sequence[Fraction], x: Sequence[Fraction]
) -> dict[int, Fraction]:
    """The slope of every vertex with a kink, at weights and an input inside a region.

    A vertex to which only zeros come, for all weights nearby, gets the right slope: it does not
    matter. Raises NetworkError where another pre-activation is 0, and as graphs.exact.
    """
    check_regions(network)
    pre = preactivations(network, weights, x)
    held = dict(zip(network.inputs, network.constants, strict=True))
    silent = [held.get(v) == 0 for v in range(network.vertex_count)]
    region = {}
    for v, edges in enumerate(network.in_edges):
        if not len(edges):
            continue
        silent[v] = all(silent[network.tails[e]] or network.fixed[e] == 0 for e in edges)
        left, right = network.activations[v].slopes
        if left == right:
            continue
        if pre[v] == 0 and not silent[v]:
            raise NetworkError(
                f"the pre-activation of {network.names[v]!r} is 0 there, on the border of "
                "activation regions: move the input or the weights"
            )
        region[v] = right if pre[v] >= 0 else left
        silent[v] = silent[v] or region[v] == 0
    return region


def region_of(network: Network, slopes: Mapping[str, Fraction]) -> dict[int, Fraction]:
    """Slopes by vertex number. Raises NetworkError for a name that is no vertex."""
    for name in slopes:
        if name not in network.index:
            raise NetworkError(f"slope given for {name!r}, which is no vertex with an activation")
    return {network.index[name]: slope for name, slope in slopes.items()}
