"""The expanded engine: residuals as polynomials in normal form, every path a term.

It decides identities by brute force, in time and memory that grow with the number of paths; what
can be read from the graph alone is decided faster by graphs.balance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from graphs.arithmetic import Array
from graphs.errors import NetworkError, TooManyPathsError
from graphs.evaluation import Evaluation
from graphs.generators import Number
from graphs.network import FIXED, Network
from graphs.paths import count_paths, enumerate_paths
from graphs.polynomials import Symbols
from graphs.rings import Polynomial

PATH_CAP = 10_000


def zero_residuals(symbols: Symbols, residuals: Array | Iterable[Polynomial]) -> list[bool]:
    """For each residual (of an array: read row by row) whether it is the zero polynomial.

    True proves the identity for all values of the symbols. False refutes it as a polynomial
    identity; slopes that no activation can have may be all that is wrong with it.
    """
    entries = residuals.flat if isinstance(residuals, np.ndarray) else residuals
    return [symbols.is_zero(residual) for residual in entries]


def weighted_gradients(evaluation: Evaluation, edges: Sequence[int]) -> Array:
    """(k, n): w_e dnu(x_j)/dw_e for each of the edges, in any arithmetic.

    The derivative is that of the edge's parameter, summed over the edges that share it, and 0 at
    an edge with a fixed weight. edges: k union edge numbers. Only what they need is multiplied.
    """
    union, arithmetic = evaluation.union, evaluation.arithmetic
    parameters = union.parameter_of[np.asarray(edges, dtype=np.int64)]
    wanted = np.unique(parameters[parameters != FIXED])
    members = np.flatnonzero(np.isin(union.parameter_of, wanted))
    heads = union.heads[members]
    carried = evaluation.slopes[heads] * evaluation.output_sensitivities[heads]
    own = evaluation.post[union.tails[members]] * (carried * evaluation.scales[heads])
    rows = np.searchsorted(wanted, union.parameter_of[members])
    by_parameter = arithmetic.sum_at(own, rows, len(wanted))
    result = arithmetic.zeros((len(parameters), evaluation.post.shape[1]))
    learnable = np.flatnonzero(parameters != FIXED)
    gradients = by_parameter[np.searchsorted(wanted, parameters[learnable])]
    weights = evaluation.weights[np.asarray(edges, dtype=np.int64)[learnable]]
    result[learnable] = weights[:, None] * gradients
    return result


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
    terms = []
    for start in network.inputs:
        for path in enumerate_paths(network, sources=(start,), targets=(target,)):
            term = symbols.evaluation.post[start, example]
            for e in path:
                term = term * symbols.edge_weights[e]
                if slopes:
                    head = network.heads[e]
                    term = term * symbols.slope_values[head, example] * symbols.scales[head, 0]
            terms.append(((start, *(network.heads[e] for e in path)), term))
    return terms


def path_polynomial(
    network: Network,
    *,
    slopes: Mapping[str, Number] | None = None,
    cap: int = PATH_CAP,
    backend: str = "auto",
) -> tuple[Symbols, Polynomial]:
    """The output on an activation region, added up path by path.

    slopes: by vertex name, where they are numbers. The polynomial equals the output of the
    evaluation, which is computed vertex by vertex. Raises TooManyPathsError beyond `cap` paths.
    """
    for name in slopes or {}:
        if name not in network.index:
            raise NetworkError(f"slope given for {name!r}, which is no vertex of {network}")
    numbers = {network.index[name]: [slope] for name, slope in (slopes or {}).items()}
    symbols = Symbols.of(network, slopes=numbers, backend=backend, symbolic_scales=True)
    terms = path_terms(symbols, cap, slopes=True)
    return symbols, sum((term for _, term in terms), start=symbols.convert(0))


def vertex_sides(evaluation: Evaluation, vertex: int) -> tuple[Array, Array]:
    """(n,) each: the sums of w_e dnu(x_j)/dw_e over the in-edges and over the out-edges.

    vertex: a union vertex number.
    """
    union = evaluation.union
    into = np.flatnonzero(union.heads == vertex)
    out_of = np.flatnonzero(union.tails == vertex)
    terms = weighted_gradients(evaluation, [*into, *out_of])
    sides = np.repeat([0, 1], [len(into), len(out_of)])
    first, second = evaluation.arithmetic.sum_at(terms, sides, 2)
    return first, second


def vertex_balance_sides(
    network: Network, vertex: str, examples: int = 1, backend: str = "auto"
) -> tuple[Symbols, Array, Array]:
    """The two sides of the balance of one vertex, in normal form: each a sum over paths.

    Returns the symbols, and (n,) polynomials for the in-edges and for the out-edges. Raises
    NetworkError for an unknown vertex.
    """
    if vertex not in network.index:
        raise NetworkError(f"no vertex {vertex!r} in {network}")
    symbols = Symbols.of(network, examples, backend=backend)
    return symbols, *vertex_sides(symbols.evaluation, network.index[vertex])


def vertex_balance_residuals(
    network: Network, examples: int = 1, backend: str = "auto"
) -> tuple[Symbols, dict[str, Array]]:
    """The residual of the balance of every inner vertex, (n,) polynomials by vertex name.

    sum over the in-edges minus sum over the out-edges of w_e dnu(x_j)/dw_e; see weighted_gradients
    for shared and fixed weights.
    """
    symbols = Symbols.of(network, examples, backend=backend)
    evaluation = symbols.evaluation
    residuals = {}
    for v in network.inner:
        into, out_of = vertex_sides(evaluation, v)
        residuals[network.names[v]] = into - out_of
    return symbols, residuals
