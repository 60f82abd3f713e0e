"""Linear laws that hold for a reason that the graph shows.

The derivative of nu in the weight of an edge is post(tail) times the derivative of nu in z(head).
A vertex with a known slope whose in-edges all have fixed weights is a fixed combination of others;
where all out-edges of such a vertex are fixed, the derivative in its z is a fixed combination of
others. So each derivative is a combination of products post_a * delta_c of *basic* vertices a, c,
and b . grad nu vanishes if all coefficients of these products do. (Two biases that enter one
vertex; a weight and one behind fixed edges, say.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from fractions import Fraction
from math import isqrt

from graphs.laws.law import ONE, Term, sorted_terms
from graphs.laws.plan import Plan
from graphs.laws.sparse import solutions

Combination = dict[int, Fraction]
CONSTANT = -1  # the basic vertex that stands for the value 1


def translations(plan: Plan) -> list[tuple[Term, ...]]:
    """A basis of the linear laws that the products of basic vertices show."""
    equations: dict[tuple[int, int], Combination] = defaultdict(dict)
    posts, deltas = _posts(plan), _deltas(plan)
    for k, (tail, head) in enumerate(zip(plan.tails.tolist(), plan.heads.tolist(), strict=True)):
        p = int(plan.owner[k])
        if p < 0:
            continue
        for a, left in posts[tail].items():
            for c, right in deltas[head].items():
                row = equations[a, c]
                row[p] = row.get(p, Fraction(0)) + left * right
    single = {p for row in equations.values() if len(row) == 1 for p, c in row.items() if c}
    rows = [{p: c for p, c in row.items() if p not in single} for row in equations.values()]
    unknowns = [p for p in range(plan.size) if p not in single]
    return [
        sorted_terms({(ONE, plan.parameters[p]): c for p, c in vector.items()})
        for vector in solutions(rows, unknowns)
    ]


def _posts(plan: Plan) -> dict[int, Combination]:
    """The value of each vertex as a combination of basic ones."""
    posts: dict[int, Combination] = {v: {v: Fraction(1)} for v in plan.network.inputs}
    posts |= {v: {CONSTANT: value} for v, value in plan.constants.items()}
    posts |= {v: {v: Fraction(1)} for v in plan.smooth}  # some of them read nothing
    first: dict[Hashable, int] = {}
    fixed = (plan.owner < 0).tolist()
    for v, edges in sorted(plan.in_edges.items()):
        gain = _gain(plan, v)
        if gain is None or not all(fixed[k] for k in edges):
            posts[v] = {first.setdefault(_recipe(plan, v), v): Fraction(1)}
        else:
            posts[v] = _combined([(k, posts[int(plan.tails[k])]) for k in edges], plan, gain)
    return posts


def _recipe(plan: Plan, v: int) -> Hashable:
    """What the value of a vertex is computed from: equal recipes, equal values."""
    reads = [(int(plan.tails[k]), int(plan.owner[k]), plan.fixed[k] or 0) for k in plan.in_edges[v]]
    network = plan.network
    return network.activations[v], plan.slopes[v], network.scale_squares[v], tuple(sorted(reads))


def _use(plan: Plan, v: int) -> Hashable:
    """What the derivative in a vertex with a known slope is computed from."""
    if v in plan.network.outputs:
        return v
    edges = plan.out_edges.get(v, [])
    goes = [(int(plan.heads[k]), int(plan.owner[k]), plan.fixed[k] or 0) for k in edges]
    return plan.gain_square(v), tuple(sorted(goes))


def _deltas(plan: Plan) -> dict[int, Combination]:
    """The derivative in the pre-activation of each vertex as a combination of basic ones."""
    deltas: dict[int, Combination] = {}
    first: dict[Hashable, int] = {}
    outputs = set(plan.network.outputs)
    fixed = (plan.owner < 0).tolist()
    for v in sorted(plan.in_edges, reverse=True):
        edges = plan.out_edges.get(v, [])
        gain = _gain(plan, v)
        if gain is None or v in outputs or not all(fixed[k] for k in edges):
            place = v if gain is None else first.setdefault(_use(plan, v), v)
            deltas[v] = {place: Fraction(1)}
        else:
            deltas[v] = _combined([(k, deltas[int(plan.heads[k])]) for k in edges], plan, gain)
    return deltas


def _combined(parts: list[tuple[int, Combination]], plan: Plan, gain: Fraction) -> Combination:
    total: Combination = {}
    for k, combination in parts:
        weight = plan.fixed[k] or Fraction(0)
        for basic, value in combination.items():
            total[basic] = total.get(basic, Fraction(0)) + gain * weight * value
    return {basic: value for basic, value in total.items() if value}


def _gain(plan: Plan, v: int) -> Fraction | None:
    """Slope times scale of a vertex, None where it is free or irrational."""
    if plan.slopes[v] is None:
        return None
    square = plan.gain_square(v)
    if square == 1:
        return square
    up, down = isqrt(abs(square.numerator)), isqrt(square.denominator)
    if Fraction(up * up, down * down) != abs(square):
        return None
    return Fraction(up, down) if square > 0 else Fraction(-up, down)
