"""The output of a network as a polynomial in normal form, every path a term."""

from __future__ import annotations

from graphs.errors import TooManyPathsError
from graphs.paths import count_paths, enumerate_paths
from graphs.polynomials import Symbols
from graphs.rings import Polynomial


def path_terms(
    symbols: Symbols, cap: int, example: int = 0, *, slopes: bool = False
) -> list[tuple[tuple[int, ...], Polynomial]]:
    """For each path to the first output its vertices and x_p prod_{e in p} w_e.

    In the order of graphs.paths. slopes: multiply by the slopes and scales of the vertices on the
    path too; then the terms add up to the output. symbols: of a single network.

    Raises TooManyPathsError beyond `cap` paths.
    """
    network = symbols.union.networks[0]
    target = network.outputs[0]
    total = count_paths(network, targets=(target,)).total
    if total > cap:
        raise TooManyPathsError(f"{total} paths in {network}, the cap is {cap}: raise the cap")
    free, held, values = symbols.union.input_places
    entering = {v: symbols.inputs[row, example] for row, v in enumerate(free.tolist())}
    entering |= {v: symbols.convert(c) for v, c in zip(held.tolist(), values, strict=True)}
    terms = []
    for start in network.inputs:
        for path in enumerate_paths(network, sources=(start,), targets=(target,)):
            term = entering[start]
            for e in path:
                term = term * symbols.edge_weights[e]
                if slopes:
                    head = network.heads[e]
                    term = term * symbols.slope_values[head, example] * symbols.scales[head, 0]
            terms.append(((start, *(network.heads[e] for e in path)), term))
    return terms
