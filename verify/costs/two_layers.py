"""Depth 2 with one input: explicit networks above, dual certificates below.

A neuron with weight w, bias b and outgoing vector v costs at least 2 |v| |(w, b)|, with equality
after rescaling. Let mu_1, ..., mu_N be vectors with |sum_j mu_j sigma_a(w x_j + b)| <= |(w, b)| for
all (w, b). Then for every network with f(x_j) = y_j, sum_j mu_j . y_j <= sum_k |v_k| |(w_k, b_k)| +
b_2 . m with m = sum_j mu_j, and so |theta|^2 >= 2 sum_j mu_j . y_j - 2 b_2 . m + |b_2|^2, which is
least at b_2 = m: R >= 2 sum_j mu_j . y_j - |m|^2.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import RATIONALS, as_fraction, rational
from verify.deep import Matrix


def is_certificate(points: Matrix, slope: Any, masses: Matrix) -> bool:
    """Whether |sum_j mu_j sigma_a(w x_j + b)| <= |(w, b)| for all (w, b), exactly.

    points: (N,). masses: (N, q), the vectors mu_j. Between two neighbouring rays of (w, b) on which
    some w x_j + b is 0 the sum is linear, C (w, b): there I - C^T C must not be negative on a cone
    with sides p and q, which holds if and only if it is not at p and q, and its bilinear value at
    (p, q) is at least 0 or has a square that is at most the product of the two.
    """
    return all(_holds_between(p, q, points, slope, masses) for p, q in pairwise(_rays(points)))


def _rays(points: Matrix) -> list[Matrix]:
    """The rays where some w x_j + b is 0, and (0, 1), (0, -1), once around, the first one twice."""
    one, zero = rational(1), rational(0)
    found = [RATIONALS.array([one, -x]) for x in sorted(set(points), key=as_fraction)]
    half = [*found, RATIONALS.array([zero, -one])]
    return [*half, *(-ray for ray in half), half[0]]


def _holds_between(p: Matrix, q: Matrix, points: Matrix, slope: Any, masses: Matrix) -> bool:
    inside = p + q
    signed = [inside[0] * x + inside[1] for x in points]
    rows = RATIONALS.array(
        [
            [(rational(1) if z >= 0 else slope) * x, rational(1) if z >= 0 else slope]
            for z, x in zip(signed, points, strict=True)
        ]
    )
    linear = masses.T @ rows  # (q, 2)

    def form(u: Matrix, v: Matrix) -> Any:
        return (u * v).sum() - ((linear @ u) * (linear @ v)).sum()

    at_p, at_q, both = form(p, p), form(q, q), form(p, q)
    return bool(at_p >= 0 and at_q >= 0 and (both >= 0 or both * both <= at_p * at_q))


def dual_value(values: Matrix, masses: Matrix) -> Any:
    """2 sum_j mu_j . y_j - |sum_j mu_j|^2: at most R if `is_certificate`. values: (N, q)."""
    total = masses.sum(axis=0)
    return 2 * (values * masses).sum() - (total * total).sum()


def network_cost(incoming: Matrix, biases: Matrix, outgoing: Matrix, last: Matrix) -> Any:
    """sum_k 2 |v_k| |(w_k, b_k)| + |b_2|^2, the norm of a network of depth 2 whose neurons are
    rescaled. incoming: (K, n). biases: (K,). outgoing: (q, K). last: (q,)."""
    first = (incoming * incoming).sum(axis=1) + biases * biases
    second = (outgoing * outgoing).sum(axis=0)
    neurons = [reals.sqrt(one * two) for one, two in zip(first, second, strict=True)]
    return sum(neurons, rational(0)) * 2 + (last * last).sum()


def two_layer_values(
    points: Matrix, slope: Any, network: tuple[Matrix, Matrix, Matrix, Matrix]
) -> Matrix:
    """(N, q): what the network (incoming, biases, outgoing, last) of `network_cost` gives at
    points (N, n)."""
    incoming, biases, outgoing, last = network
    z = points @ incoming.T + biases
    z[z < 0] = z[z < 0] * slope
    return np.asarray(z @ outgoing.T + last)


def find_certificate(points: Matrix, values: Matrix, slope: Any) -> Matrix:
    """(N, q): a certificate whose value is near R, from floats made rational and checked.

    points: (N,). values: (N, q). Of the convex programme on a grid of angles the solution is
    shrunk until it is a certificate exactly; zeros if that fails.
    """
    from scipy.optimize import minimize

    x = np.array([float(as_fraction(p)) for p in points])
    y = np.array([[float(as_fraction(v)) for v in row] for row in values])
    a = float(as_fraction(slope))
    angles = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    z = np.outer(np.cos(angles), x) + np.sin(angles)[:, None]
    basis = np.where(z > 0, z, a * z)  # (angles, N)

    def loss(flat: np.ndarray) -> float:
        mu = flat.reshape(y.shape)
        return float((mu.sum(0) ** 2).sum() - 2 * (mu * y).sum())

    def room(flat: np.ndarray) -> np.ndarray:
        return np.asarray(1 - ((basis @ flat.reshape(y.shape)) ** 2).sum(1))

    start = np.zeros(y.size)
    bound = {"type": "ineq", "fun": room}
    solved = minimize(loss, start, constraints=[bound], method="SLSQP", options={"maxiter": 200})
    for shrink in (1 - 1e-9, 1 - 1e-4, 1 - 1e-3, 0.99, 0.9):
        flat = [rational(as_fraction_of(value * shrink)) for value in solved.x]
        masses = RATIONALS.array(flat).reshape(y.shape)
        if is_certificate(points, slope, masses):
            return np.asarray(masses)
    return RATIONALS.array([0] * y.size).reshape(y.shape)


def as_fraction_of(value: float) -> Any:
    """A float as a rational with a denominator of at most a thousand."""
    from fractions import Fraction

    return Fraction(value).limit_denominator(1000)
