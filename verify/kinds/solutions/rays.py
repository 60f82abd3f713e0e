"""Exact solutions of the gradient flow for all times: rays, and points of rest.

A statement about t -> infinity, or about all times with one constant, is refuted by a solution that
is known for all times. Two kinds can be told in exact numbers (proofs:
docs/mathematics/lj22.md#solutions-that-are-known-for-all-times):

- ray: the margins y_j nu(x_j; w) are equal and positive, sum_j y_j dnu(x_j)/dw = lambda w with
  lambda > 0, and no pre-activation with two slopes is 0. For every differentiable loss with l' < 0
  the flow from w is w(t) = s(t) w, and s grows to infinity.
- rest: sum_j y_j dnu(x_j)/dw = 0, some margin is not 0, and no pre-activation with two slopes is 0.
  For the logistic loss the weights are at rest on the data tau_j x_j, for some tau_j > 0 (as small
  as one likes); the risk is less than l(0) there.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.errors import NotRationalError
from graphs.evaluation import Evaluation
from graphs.exact import evaluation_at, weighted_gradient
from graphs.network import FIXED, Network
from verify.cases.case import Case

RAY, REST = "ray", "rest"
SLOPE = {RAY: Fraction(-1), REST: Fraction(-1)}


def is_solution(case: Case) -> bool:
    """Whether the weights of a case start an exact solution of the kind that it chooses."""
    kind = case.choice.get("solution")
    if kind not in SLOPE or set(case.slopes) != {SLOPE[kind]} or not _plain(case.network):
        return False
    try:
        evaluation = evaluation_at(case.network, case.weights, case.inputs)
    except NotRationalError:
        return False
    return not evaluation.kinks.any() and _TESTS[kind](case, evaluation)


def margins(case: Case, evaluation: Evaluation) -> list[Fraction]:
    """y_j nu(x_j), n numbers."""
    return [y * as_fraction(v) for y, v in zip(case.labels, evaluation.outputs[0], strict=True)]


def pull(case: Case, evaluation: Evaluation) -> list[Fraction]:
    """sum_j y_j dnu(x_j)/dw_p, P numbers."""
    return [as_fraction(g) for g in weighted_gradient(evaluation, case.labels)]


def _plain(net: Network) -> bool:
    """One homogeneous output, no constants, every weight learnable."""
    return (
        net.homogeneous
        and not net.has_bias
        and FIXED not in net.parameter_of
        and len(net.outputs) == 1
    )


def _is_ray(case: Case, evaluation: Evaluation) -> bool:
    values = margins(case, evaluation)
    if len(set(values)) != 1 or values[0] <= 0 or not is_graded(case):
        return False
    gradient = pull(case, evaluation)
    largest = max(range(len(gradient)), key=lambda p: abs(case.weights[p]))
    rate = gradient[largest] / case.weights[largest]
    return rate > 0 and all(g == rate * w for g, w in zip(gradient, case.weights, strict=True))


def _is_rest(case: Case, evaluation: Evaluation) -> bool:
    return any(margins(case, evaluation)) and not any(pull(case, evaluation))


_TESTS = {RAY: _is_ray, REST: _is_rest}


def is_graded(case: Case) -> bool:
    """Whether, along the edges whose weight is not 0, all paths from the inputs to a vertex have
    the same length, and so have all from a vertex to the output; and whether every weight has
    one degree: 1 + the length to its tail + the length from its head, alike on all its edges.

    Then pre-activations on s w are powers of s times those on w, and the derivative in a weight
    of degree d is s^(d-1) times that at w. Weights that are not 0 all have degree L, the length
    of the paths from the inputs to the output.
    """
    net = case.network
    weights = net.edge_weights(case.weights)
    to: list[set[int]] = [{0} if v in net.inputs else set() for v in range(net.vertex_count)]
    for e in range(net.edge_count):  # edges are sorted by head
        if weights[e]:
            to[net.heads[e]] |= {d + 1 for d in to[net.tails[e]]}
    onward: list[set[int]] = [{0} if v in net.outputs else set() for v in range(net.vertex_count)]
    for v in reversed(range(net.vertex_count)):
        for e in net.out_edges[v]:
            if weights[e]:
                onward[v] |= {d + 1 for d in onward[net.heads[e]]}
    if any(len(lengths) > 1 for lengths in (*to, *onward)):
        return False
    degrees: list[set[int]] = [set() for _ in net.parameter_names]
    for e, p in enumerate(net.parameter_of):
        degrees[p] |= {1 + a + b for a in to[net.tails[e]] for b in onward[net.heads[e]]}
    whole = to[net.outputs[0]]
    return all(
        len(found) <= 1 and (not case.weights[p] or found == whole)
        for p, found in enumerate(degrees)
    )


def with_kind(case: Case, kind: str) -> Case:
    """The case as a candidate for an exact solution of a kind."""
    from dataclasses import replace

    slopes = (SLOPE[kind],) * case.example_count
    return replace(case, slopes=slopes, choice={**case.choice, "solution": kind})


def float_gradient(
    net: Network, weights: np.ndarray, inputs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """nu (n,) and dnu/dw (P, n) in float64, for inputs (I, n): vertex after vertex, without the
    tables that many networks at once need."""
    post = np.zeros((net.vertex_count, inputs.shape[1]))
    slopes = np.ones_like(post)
    post[list(net.free_inputs)] = inputs
    parameters = np.array(net.parameter_of)
    edge = weights[parameters]
    tails = np.array(net.tails)
    for v in range(net.vertex_count):
        span = net.in_edges[v]
        if len(span):
            z = edge[span.start : span.stop] @ post[tails[span.start : span.stop]]
            left, right = net.activations[v].slopes
            slopes[v] = np.where(z < 0, float(left), float(right))
            post[v] = slopes[v] * z
    gradient = np.zeros((len(weights), inputs.shape[1]))
    sensitivity = np.zeros_like(post)
    sensitivity[net.outputs[0]] = 1
    for v in reversed(range(net.vertex_count)):
        delta = sensitivity[v] * slopes[v]
        into = slice(net.in_edges[v].start, net.in_edges[v].stop)
        np.add.at(gradient, parameters[into], delta * post[tails[into]])
        sensitivity[tails[into]] += edge[into, None] * delta
    return post[net.outputs[0]], gradient
