"""Hypotheses about small DAG networks, as objects (see verify.cases.hypotheses and
verify.kinds.dags.scene)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.dags.pool import adjacency, edges_of, identity, with_edges


def _is_dag(case: Tensors) -> bool:
    """Edges are 0 or 1, from smaller to larger numbers, and there is one."""
    if case.lengths["k"] < 2:
        return False
    edges = edges_of(case)
    return bool(edges) and case.arrays["E"].entries == adjacency(case.lengths["n"], edges).entries


def _to_dag(case: Tensors, random: Random) -> Tensors:
    """Whatever is not 0 below the diagonal becomes an edge; a first one if there is none."""
    count = case.lengths["n"]
    if count < 2 or case.lengths.get("k", 2) < 2:
        return case  # nothing to repair: the predicate decides
    entries = case.arrays["E"].entries
    edges = {(v, u) for v in range(count) for u in range(v) if entries[v * count + u] != 0}
    return with_edges(case, edges or {(count - 1, 0)})


DAG = Hypothesis(
    "DAG",
    r"the graph has no directed cycle: edges run from smaller to larger numbers ($E_{vu}=1$ for "
    r"an edge from $u$ to $v$), and there is one",
    by_case(_is_dag),
    _to_dag,
    thin=True,
)


def outputs_of(case: Tensors) -> list[int]:
    """Vertices that are entered by an edge and left by none."""
    edges = edges_of(case)
    entered, left = {v for v, _ in edges}, {u for _, u in edges}
    return sorted(entered - left)


def rows_of_activations(case: Tensors) -> list[list[Fraction]]:
    """The coefficients of the activation of each vertex."""
    entries, width = list(case.arrays["A"].entries), case.lengths["k"]
    return [entries[start : start + width] for start in range(0, len(entries), width)]


def with_activations(case: Tensors, rows: list[list[Fraction]]) -> Tensors:
    """The instance with other activations."""
    entries = tuple(entry for row in rows for entry in row)
    shape = (len(rows), len(rows[0]))
    return case.changing(A=replace(Tensor(("n", "k"), shape, entries), held=True))


def _linear_outputs(case: Tensors) -> bool:
    rows = rows_of_activations(case)
    return all(rows[v] == identity(case.lengths["k"]) for v in outputs_of(case))


def _to_linear_outputs(case: Tensors, random: Random) -> Tensors:
    rows = rows_of_activations(case)
    if case.lengths["k"] < 2:
        return case
    for v in outputs_of(case):
        rows[v] = identity(case.lengths["k"])
    return with_activations(case, rows)


def _to_other_outputs(case: Tensors, random: Random) -> Tensors:
    rows = rows_of_activations(case)
    for v in outputs_of(case):
        rows[v][-1] += random.choice((Fraction(1), Fraction(-1, 2)))
    return with_activations(case, rows)


IDENTITY_OUTPUTS = Hypothesis(
    "identity on outputs",
    "output vertices have the identity as activation",
    by_case(_linear_outputs),
    _to_linear_outputs,
    _to_other_outputs,
    thin=True,
)


def _one_output(case: Tensors) -> bool:
    return len(outputs_of(case)) == 1


def _to_one_output(case: Tensors, random: Random) -> Tensors:
    """Every vertex without an edge to a later one gets one, to the last vertex."""
    count, edges = case.lengths["n"], edges_of(case)
    left = {u for _, u in edges}
    loose = [v for v in outputs_of(case) if v != count - 1 and v not in left]
    return with_edges(case, edges | {(count - 1, v) for v in loose})


def _to_two_outputs(case: Tensors, random: Random) -> Tensors:
    """The last vertex but one loses its edges to the last, if both keep a parent."""
    count, edges = case.lengths["n"], edges_of(case)
    if count < 3:
        return case
    kept = {edge for edge in edges if edge[1] != count - 2}
    return with_edges(case, kept | {(count - 2, 0), (count - 1, 0)})


ONE_OUTPUT = Hypothesis(
    "one output",
    "the network has one output",
    by_case(_one_output),
    _to_one_output,
    _to_two_outputs,
)


def _outputs_last(case: Tensors) -> bool:
    layer = layers_of(case)
    return all(layer[v] == max(layer) for v in outputs_of(case))


def layers_of(case: Tensors) -> list[int]:
    """p(v) of each vertex, the length of the longest path from an input."""
    layer = [0] * case.lengths["n"]
    for v, u in sorted(edges_of(case)):
        layer[v] = max(layer[v], layer[u] + 1)
    return layer


OUTPUTS_LAST = Hypothesis(
    "outputs in the last layer",
    "all outputs lie in layer $L$",
    by_case(_outputs_last),
    _to_one_output,
    _to_two_outputs,
)


def _linear(case: Tensors) -> bool:
    z = identity(case.lengths["k"])
    return all(row == z for row in rows_of_activations(case))


def _to_linear(case: Tensors, random: Random) -> Tensors:
    if case.lengths["k"] < 2:
        return case
    return with_activations(case, [identity(case.lengths["k"])] * case.lengths["n"])


LINEAR_ACTIVATIONS = Hypothesis(
    "identity everywhere",
    "every vertex has the identity as activation",
    by_case(_linear),
    _to_linear,
    thin=True,
)
