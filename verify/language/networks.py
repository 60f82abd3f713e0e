"""Operators of networks, on columns: a vertex or an edge is its number in the union of the batch.

Values and slopes come from one evaluation of all networks (verify.cases.scenes.Scene); what stands
here takes them from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.arithmetic import Array
from graphs.polynomials import Symbols
from verify.language.columns import Column, Lists
from verify.language.frames import OPERATIONS, Frame
from verify.language.operations import operation, whole_numbers
from verify.language.terms import Term

if TYPE_CHECKING:
    from verify.language.evaluation import Evaluation


def _everywhere(frame: Frame) -> np.ndarray:
    return np.ones(len(frame), dtype=bool)


def _listed(frame: Frame, of_case: list[np.ndarray]) -> Column:
    """The list of the case of each row."""
    counts = np.array([len(numbers) for numbers in of_case], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    items = np.concatenate([np.asarray(n, dtype=np.int64) for n in of_case])
    mine = counts[frame.owner]
    within = np.arange(mine.sum()) - np.repeat(np.cumsum(mine) - mine, mine)
    return Column(
        Lists(mine, items[np.repeat(starts[frame.owner], mine) + within]),
        _everywhere(frame),
    )


# the graph ---------------------------------------------------------------------------------------
def _inputs(network: Any) -> Any:
    return network.inputs


def _outputs(network: Any) -> Any:
    return network.outputs


def _hidden(network: Any) -> Any:
    ends = {*network.inputs, *network.outputs}
    return [v for v in range(network.vertex_count) if v not in ends]


VERTICES: dict[str, Callable[[Any], Any]] = {
    "vertices": lambda network: range(network.vertex_count),
    "inputs": _inputs,
    "hidden": _hidden,
    "outputs": _outputs,
}


@operation(*VERTICES)
def _vertices(by: Evaluation, frame: Frame, term: Term) -> Column:
    union = by.scene.union
    pairs = zip(union.networks, union.vertex_offset, strict=False)
    return _listed(frame, [np.array(VERTICES[term.op](n), dtype=np.int64) + o for n, o in pairs])


@operation("edges")
def _edges(by: Evaluation, frame: Frame, term: Term) -> Column:
    union = by.scene.union
    pairs = zip(union.networks, union.edge_offset, strict=False)
    return _listed(frame, [np.arange(n.edge_count) + o for n, o in pairs])


@operation("examples")
def _examples(by: Evaluation, frame: Frame, term: Term) -> Column:
    n = by.scene.n
    counts = np.full(len(frame), n)
    return Column(Lists(counts, whole_numbers([*range(1, n + 1)] * len(frame))), _everywhere(frame))


def sorted_by(ends: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The edges by their end, and (count + 1,) where those of each begin."""
    order = np.argsort(ends, kind="stable")
    return order, np.searchsorted(ends[order], np.arange(count + 1))


def _neighbours(frame: Frame, order: np.ndarray, starts: np.ndarray, at: np.ndarray) -> Column:
    counts = starts[at + 1] - starts[at]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return Column(Lists(counts, order[np.repeat(starts[at], counts) + within]), _everywhere(frame))


@operation("into", "out_of")
def _into(by: Evaluation, frame: Frame, term: Term, vertex: Column) -> Column:
    union = by.scene.union
    ends = union.heads if term.op == "into" else union.tails
    found = _neighbours(frame, *sorted_by(ends, union.vertex_count), vertex.values)
    return Column(found.values, vertex.defined)


@operation("held")
def _held(by: Evaluation, frame: Frame, term: Term, vertex: Column) -> Column:
    union = by.scene.union
    table = np.zeros(union.vertex_count, dtype=bool)
    table[union.input_places[1]] = True
    return Column(table[vertex.values], vertex.defined)


@operation("users")
def _users(by: Evaluation, frame: Frame, term: Term, edge: Column) -> Column:
    """A fixed weight is its own class, with no edge in it."""
    union = by.scene.union
    fixed = len(union.parameter_owner)
    of_edge = np.where(union.learnable, union.parameter_of, fixed)
    order, starts = sorted_by(of_edge, fixed + 1)
    starts[fixed + 1] = starts[fixed]
    found = _neighbours(frame, order, starts, of_edge[edge.values])
    return Column(found.values, edge.defined)


@operation("edge")
def _edge(by: Evaluation, frame: Frame, term: Term, tail: Column, head: Column) -> Column:
    union = by.scene.union
    codes = union.tails * union.vertex_count + union.heads
    order = np.argsort(codes)
    wanted = tail.values * union.vertex_count + head.values
    at = np.minimum(np.searchsorted(codes[order], wanted), len(codes) - 1)
    found = order[at]
    return Column(found, tail.defined & head.defined & (codes[found] == wanted))


@operation("tail", "head", "learnable")
def _of_edge(by: Evaluation, frame: Frame, term: Term, edge: Column) -> Column:
    union = by.scene.union
    table = {"tail": union.tails, "head": union.heads, "learnable": union.learnable}[term.op]
    return Column(table[edge.values], edge.defined)


# paths -------------------------------------------------------------------------------------------
@operation("paths")
def _paths(by: Evaluation, frame: Frame, term: Term) -> Column:
    owner = by.scene.paths.owner
    return _listed(frame, [np.flatnonzero(owner == c) for c in range(len(by.scene.cases))])


@operation("edges_on")
def _edges_on(by: Evaluation, frame: Frame, term: Term, path: Column) -> Column:
    table = by.scene.paths.edges[path.values]
    on = table >= 0
    return Column(Lists(on.sum(axis=1), table[on]), path.defined)


@operation("start")
def _start(by: Evaluation, frame: Frame, term: Term, path: Column) -> Column:
    return Column(by.scene.paths.first_input[path.values], path.defined)


# numbers -----------------------------------------------------------------------------------------
def _no_input(by: Evaluation, vertices: np.ndarray) -> np.ndarray:
    """(R,): which vertices are no inputs."""
    union = by.scene.union
    free, held, _ = union.input_places
    table = np.ones(union.vertex_count, dtype=bool)
    table[np.concatenate([free, held])] = False
    return np.asarray(table[vertices])


def _one_output(by: Evaluation, frame: Frame) -> np.ndarray:
    """(R,): in which rows the network has one output."""
    single = np.array([len(network.outputs) == 1 for network in by.scene.union.networks])
    return np.asarray(single[frame.owner])


def _on_example(by: Evaluation, example: Column) -> tuple[np.ndarray, np.ndarray]:
    """(R,): the numbers of examples from 0, and which there are."""
    n, numbers = by.scene.n, example.values
    inside = np.asarray((numbers >= 1) & (numbers <= n), dtype=bool)
    at = np.where(inside, numbers, 1).astype(np.int64) - 1
    return at, example.defined & inside


def _of_edges(name: str, table: Callable[[Evaluation], Array]) -> None:
    def of_one(by: Evaluation, frame: Frame, term: Term, edge: Column) -> Column:
        return Column(table(by)[edge.values], edge.defined)

    OPERATIONS[name] = of_one


_of_edges("weight", lambda by: by.scene.weights)
_of_edges("weight rate", lambda by: by.scene.velocity)


def _at_examples(
    name: str, table: Callable[[Evaluation], Array], *, off_inputs: bool | None
) -> None:
    """A table (V, n), at a vertex on an example. off_inputs: whether at vertices that are no
    inputs, or at inputs alone; None: at all."""

    def of_two(by: Evaluation, frame: Frame, term: Term, vertex: Column, example: Column) -> Column:
        at, defined = _on_example(by, example)
        defined = defined & vertex.defined
        if off_inputs is not None:
            defined = defined & (_no_input(by, vertex.values) == off_inputs)
        return Column(table(by)[vertex.values, at], defined)

    OPERATIONS[name] = of_two


_at_examples("input", lambda by: by.scene.post, off_inputs=False)
_at_examples("pre", lambda by: by.scene.pre, off_inputs=True)
_at_examples("post", lambda by: by.scene.post, off_inputs=None)
_at_examples("slope", lambda by: by.scene.evaluation.slopes, off_inputs=True)
_at_examples("pre rate", lambda by: _tangents(by)[0], off_inputs=True)
_at_examples("post rate", lambda by: _tangents(by)[1], off_inputs=None)


def _tangents(by: Evaluation) -> tuple[Array, Array]:
    """(V, n) each: how fast pre-activations and activations move, slopes standing still."""
    scene = by.scene
    union, found, arithmetic = scene.union, scene.evaluation, by.arithmetic
    shape = (union.vertex_count, scene.n)
    pre, post = arithmetic.zeros(shape), arithmetic.zeros(shape)
    for level in union.levels:
        edges, tails = level.edges, union.tails[level.edges]
        flow = scene.velocity[edges][:, None] * scene.post[tails]
        flow = flow + scene.weights[edges][:, None] * post[tails]
        moved = arithmetic.sum_at(flow, level.slot, len(level.vertices))
        pre[level.vertices] = moved * found.scales[level.vertices]
        post[level.vertices] = pre[level.vertices] * found.slopes[level.vertices]
    return pre, post


@operation("activation")
def _activation(by: Evaluation, frame: Frame, term: Term, vertex: Column, number: Column) -> Column:
    """Where a number cannot be told from 0, of the slopes on both sides."""
    kinds, kind_of = by.scene.union.activations
    defined = vertex.defined & number.defined & _no_input(by, vertex.values)
    if isinstance(by.arithmetic, Symbols):
        return Column(by.scene.activated(vertex.values, number.values, defined), defined)
    of, found = kind_of[vertex.values], number.values[:, None]
    pairs = [kind.slopes if kind.homogeneous else (1, 1) for kind in kinds]
    left, right = (by.arithmetic.array([[pair[side]] for pair in pairs])[of] for side in (0, 1))
    found = by.arithmetic.slopes(vertex.values, found, left, right)[0] * found
    for k, kind in enumerate(kinds):
        rows = np.flatnonzero(defined & (of == k))
        if len(rows) and not kind.homogeneous:
            found[rows] = by.arithmetic.smooth(kind.kind, number.values[rows][:, None])[0]
    return Column(found[:, 0], defined)


@operation("gradient")
def _gradient(by: Evaluation, frame: Frame, term: Term, edge: Column, example: Column) -> Column:
    at, defined = _on_example(by, example)
    defined = defined & edge.defined & _one_output(by, frame)
    return Column(by.scene.gradients[edge.values, at], defined)


@operation("sensitivity")
def _sensitivity(
    by: Evaluation, frame: Frame, term: Term, vertex: Column, example: Column
) -> Column:
    at, defined = _on_example(by, example)
    defined = defined & vertex.defined & _one_output(by, frame) & _no_input(by, vertex.values)
    found = by.scene.evaluation
    places = vertex.values, at
    return Column(found.slopes[places] * found.output_sensitivities[places], defined)


def _outputs_at(name: str, table: Callable[[Evaluation], Array]) -> None:
    """A table (C, n) of the outputs."""

    def of_one(by: Evaluation, frame: Frame, term: Term, example: Column) -> Column:
        at, defined = _on_example(by, example)
        defined = defined & _one_output(by, frame)
        return Column(table(by)[frame.owner, at], defined)

    OPERATIONS[name] = of_one


_outputs_at("output", lambda by: by.scene.value)
_outputs_at("output rate", lambda by: _tangents(by)[1][by.scene.union.outputs])


def _data(name: str, table: Callable[[Evaluation], Array]) -> None:
    """A table (C, n) of the examples."""

    def of_one(by: Evaluation, frame: Frame, term: Term, example: Column) -> Column:
        at, defined = _on_example(by, example)
        if name == "loss_slope" and by.steps:  # after some steps it need not be told
            defined = defined & (by.beginning.scene.descent.reached[frame.owner] > by.steps)
        return Column(table(by)[frame.owner, at], defined)

    OPERATIONS[name] = of_one


_data("label", lambda by: by.scene.labels)
_data("loss_slope", lambda by: by.scene.loss_slopes)


@operation("slope_left", "slope_right")
def _side(by: Evaluation, frame: Frame, term: Term, vertex: Column) -> Column:
    """Of an activation that has two slopes; of a smooth one there is none."""
    kinds, kind_of = by.scene.union.activations
    side = 0 if term.op == "slope_left" else 1
    homogeneous = np.array([kind.homogeneous for kind in kinds])
    slopes = by.arithmetic.array([kind.slopes[side] if kind.homogeneous else 0 for kind in kinds])
    of = kind_of[vertex.values]
    defined = vertex.defined & homogeneous[of] & _no_input(by, vertex.values)
    return Column(slopes[of], defined)
