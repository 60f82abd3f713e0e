"""A network along the segment from one choice of weights to another: polynomials in t.

An instance has a displacement `V` (n, n) beside the arrays of a DAG network; the normalised weights
at t are W + t V. With polynomial activations the value of every neuron is a polynomial in t.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from graphs.univariate import ZERO, Univariate, derivative, plus, times, univariate, value
from verify.kinds.dags.hypotheses import outputs_of, rows_of_activations
from verify.kinds.dags.pool import edges_of
from verify.kinds.dags.scene import Dag

START, END = Fraction(0), Fraction(1)


def along_segment(case: Dag) -> list[Univariate]:
    """The value of each vertex at the first point, in t."""
    count, edges, rows = case.lengths["n"], edges_of(case), rows_of_activations(case)
    weights, moves = case.arrays["W"].entries, case.arrays["V"].entries
    found: list[Univariate] = []
    for v in range(count):
        parents = [u for u in range(v) if (v, u) in edges]
        if not parents:
            found.append(univariate([case.arrays["X"].entries[v]]))
            continue
        z = ZERO
        for u in parents:
            weight = univariate([weights[v * count + u], moves[v * count + u]])
            z = plus(z, times(weight, found[u]))
        found.append(composed(rows[v], z))
    return found


def composed(coefficients: list[Fraction], z: Univariate) -> Univariate:
    """The polynomial with these coefficients of a polynomial."""
    total = ZERO
    for coefficient in reversed(coefficients):
        total = plus(times(total, z), univariate([coefficient]))
    return total


def outputs_along(case: Dag) -> dict[int, Univariate]:
    """phi(t) of each output, by its number."""
    values = along_segment(case)
    return {k: values[k] for k in outputs_of(case)}


def linear_remainder(phi: Univariate) -> Fraction:
    """phi(1) - phi(0) - phi'(0): f - f_lin at the end of the segment."""
    return value(phi, END) - value(phi, START) - value(derivative(phi), START)


def half_curvature(phi: Univariate) -> Univariate:
    """phi''/2: half of the quadratic form of the Hessian at the displacement."""
    return times(derivative(derivative(phi)), univariate([Fraction(1, 2)]))


def moved_to(case: Dag, t: Fraction) -> Dag:
    """The network at t."""
    weights = case.arrays["W"]
    pairs = zip(weights.entries, case.arrays["V"].entries, strict=True)
    return case.changing(W=replace(weights, entries=tuple(w + t * v for w, v in pairs)))


def squared_length(case: Dag) -> Fraction:
    """|w - w_0|^2, where w is the normalised weight times the root of the in-degree."""
    count, edges = case.lengths["n"], edges_of(case)
    moves, total = case.arrays["V"].entries, Fraction(0)
    for v, u in edges:
        degree = sum((v, other) in edges for other in range(v))
        total += degree * moves[v * count + u] ** 2
    return total
