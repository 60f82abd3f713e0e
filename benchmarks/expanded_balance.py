"""The balance of a vertex as polynomials in normal form, every path a term.

It decides identities by brute force, in time and memory that grow with the number of paths; what
can be read from the graph alone is decided faster by graphs.balance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from graphs.arithmetic import Array
from graphs.evaluation import Evaluation
from graphs.network import FIXED
from graphs.polynomials import Symbols
from graphs.rings import Polynomial


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
