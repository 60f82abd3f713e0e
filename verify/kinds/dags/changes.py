"""What is read off a small network on a DAG, and how it is made to meet a hypothesis."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.kinds.dags.pool import edges_of, identity, with_edges


# the graph ----------------------------------------------------------------------------------------
def outputs_of(case: Tensors) -> list[int]:
    """Vertices that are entered by an edge and left by none."""
    edges = edges_of(case)
    entered, left = {v for v, _ in edges}, {u for _, u in edges}
    return sorted(entered - left)


def fed_by_inputs(case: Tensors) -> list[int]:
    """Vertices that are entered by edges from inputs alone."""
    edges = edges_of(case)
    heads = {v for v, _ in edges}
    return [v for v in sorted(heads) if all(u not in heads for w, u in edges if w == v)]


def layers_of(case: Tensors) -> list[int]:
    """p(v) of each vertex, the length of the longest path from an input."""
    layer = [0] * case.lengths["n"]
    for v, u in sorted(edges_of(case)):
        layer[v] = max(layer[v], layer[u] + 1)
    return layer


def to_dag(case: Tensors, random: Random) -> Tensors:
    """Whatever is not 0 below the diagonal becomes an edge; a first one if there is none."""
    count = case.lengths["n"]
    if count < 2 or case.lengths.get("k", 2) < 2:
        return case  # nothing to repair: the hypothesis decides
    entries = case.arrays["E"].entries
    edges = {(v, u) for v in range(count) for u in range(v) if entries[v * count + u] != 0}
    return with_edges(case, edges or {(count - 1, 0)})


def to_one_output(case: Tensors, random: Random) -> Tensors:
    """Every vertex without an edge to a later one gets one, to the last vertex."""
    count, edges = case.lengths["n"], edges_of(case)
    left = {u for _, u in edges}
    loose = [v for v in outputs_of(case) if v != count - 1 and v not in left]
    return with_edges(case, edges | {(count - 1, v) for v in loose})


def to_two_outputs(case: Tensors, random: Random) -> Tensors:
    """The last vertex but one loses its edges to the last, if both keep a parent."""
    count, edges = case.lengths["n"], edges_of(case)
    if count < 3:
        return case
    kept = {edge for edge in edges if edge[1] != count - 2}
    return with_edges(case, kept | {(count - 2, 0), (count - 1, 0)})


# activations --------------------------------------------------------------------------------------
def rows_of_activations(case: Tensors) -> list[list[Fraction]]:
    """The coefficients of the activation of each vertex."""
    entries, width = list(case.arrays["A"].entries), case.lengths["k"]
    return [entries[start : start + width] for start in range(0, len(entries), width)]


def _with_activations(case: Tensors, rows: list[list[Fraction]]) -> Tensors:
    """The case with other activations."""
    entries = tuple(entry for row in rows for entry in row)
    shape = (len(rows), len(rows[0]))
    return case.changing(A=replace(Tensor(("n", "k"), shape, entries), held=True))


def to_linear_outputs(case: Tensors, random: Random) -> Tensors:
    """Outputs get the identity as activation."""
    rows = rows_of_activations(case)
    if case.lengths["k"] < 2:
        return case
    for v in outputs_of(case):
        rows[v] = identity(case.lengths["k"])
    return _with_activations(case, rows)


def to_other_outputs(case: Tensors, random: Random) -> Tensors:
    """Outputs get another activation."""
    rows = rows_of_activations(case)
    for v in outputs_of(case):
        rows[v][-1] += random.choice((Fraction(1), Fraction(-1, 2)))
    return _with_activations(case, rows)
