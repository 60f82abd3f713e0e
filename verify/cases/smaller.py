"""Smaller cases near a case, the boldest changes first, and how large a case is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from graphs.activations import LINEAR, RELU
from graphs.composition import subnetwork
from graphs.errors import NetworkError
from verify.cases.sliding import SELECTION, slide_of
from verify.cases.step_changes import (
    chosen_numbers,
    fewer_steps,
    plainer_choice,
    steadied,
    without_example,
)
from verify.cases.tensors import Tensor, fewer_indices, plainer_entries
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from graphs.network import Network
    from verify.cases.case import Case

Size = tuple[int, ...]
ARC = {"velocity", "bend", "side"}  # choices of an arc of weights: numbers by parameter


def renamed(case: Case) -> Case:
    """The case with plain names: inputs x1, x2, ..., inner vertices h1, h2, ..., outputs o, and
    each parameter after its edge (its first, where it is shared). A selection that selects nothing
    is left out."""
    net = case.network
    names = list(net.names)
    for letter, vertices in (("x", net.inputs), ("h", net.inner), ("o", net.outputs)):
        for k, v in enumerate(vertices):
            names[v] = letter if len(vertices) == 1 else f"{letter}{k + 1}"
    new = dict(zip(net.names, names, strict=True))
    parameters = [
        f"w[{names[net.tails[edges[0]]]}->{names[net.heads[edges[0]]]}]"
        for edges in net.edges_of_parameter
    ]
    parameter = dict(zip(net.parameter_names, parameters, strict=True))
    choice = dict(case.choice)
    if "layers" in choice:
        choice["layers"] = [[[new[a], new[b]] for a, b in layer] for layer in choice["layers"]]
    if "dormant" in choice:
        choice["dormant"] = [new[name] for name in choice["dormant"]]
        choice["direction"] = {parameter[k]: v for k, v in choice["direction"].items()}
    for key in ARC & choice.keys():
        choice[key] = {parameter[k]: v for k, v in choice[key].items()}
    if choice.get("selection") == SELECTION and slide_of(case) is None:
        del choice["selection"]  # the flow does not slide here: nothing was selected
    plain = replace(net, names=tuple(names), parameter_names=tuple(parameters), title="")
    return replace(case, network=plain, choice=choice)


def size(case: Case) -> Size:
    """How large a case is: architecture before numbers, for comparison.

    A weight of 0 counts as worse than any other: a reader would ask whether it is what matters.
    """
    net = case.network
    data = (v for row in case.inputs for v in row)
    numbers = [*case.weights, *data, *case.labels, *case.slopes, *_direction(case).values()]
    entries = [value for array in case.arrays.values() for value in array.entries]
    numbers += [*entries, *(v for row in chosen_numbers(case).values() for v in row)]
    curved = sum(a not in (LINEAR, RELU) for a in net.activations)
    return (
        net.vertex_count + net.edge_count,
        case.example_count,
        sum(map(len, (*chosen_numbers(case).values(), entries))),
        curved,
        sum(a != LINEAR for a in net.activations),
        sum(value == 0 for value in case.weights),
        sum(value.denominator > 1 for value in numbers),
        sum(abs(value.numerator) + value.denominator for value in numbers),
        sum(value < 0 for value in numbers),
    )


def changes(case: Case) -> Iterator[Case]:
    """Cases near a case that are likely to be smaller, the boldest first."""
    for maker in (
        fewer_examples,
        fewer_steps,
        _fewer_vertices,
        _fewer_edges,
        _shorter_chains,
        _fewer_edge_pairs,
        plainer_activations,
        plainer_numbers,
        _plainer_arrays,
    ):
        for changed in maker(case):
            yield from steadied(changed)


def fewer_examples(case: Case) -> Iterator[Case]:
    """The case without one of its examples."""
    for j in range(case.example_count):
        if case.example_count > 1:
            yield replace(
                case,
                inputs=_without(case.inputs, j),
                labels=_without(case.labels, j),
                slopes=_without(case.slopes, j) if case.slopes else (),
                choice=without_example(case.choice, j),
                arrays={name: one.without("examples", j) for name, one in case.arrays.items()},
            )


def _plainer_arrays(case: Case) -> Iterator[Case]:
    """The case with smaller arrays, and with plainer numbers in them."""
    for arrays in (*fewer_indices(case.arrays, case.lengths), *plainer_entries(case.arrays)):
        yield replace(case, arrays=arrays)


def _without(items: tuple, position: int) -> tuple:  # type: ignore[type-arg]  # of any items
    return items[:position] + items[position + 1 :]


def _fewer_vertices(case: Case) -> Iterator[Case]:
    net = case.network
    for v in range(net.vertex_count):
        if v in net.outputs or net.free_inputs == (v,):
            continue
        touching = {*net.in_edges[v], *net.out_edges[v]}
        yield from on_edges(case, [e for e in range(net.edge_count) if e not in touching], v)


def _fewer_edges(case: Case) -> Iterator[Case]:
    net = case.network
    for gone in range(net.edge_count):
        yield from on_edges(case, [e for e in range(net.edge_count) if e != gone])


def _fewer_edge_pairs(case: Case) -> Iterator[Case]:
    """Without two edges that share an end, such as those from one vertex to a pair of vertices
    that are to keep equal neighbours."""
    net = case.network
    for e, f in combinations(range(net.edge_count), 2):
        if net.tails[e] == net.tails[f] or net.heads[e] == net.heads[f]:
            yield from on_edges(case, [g for g in range(net.edge_count) if g not in (e, f)])


def on_edges(case: Case, edges: list[int], dropped: int | None = None) -> Iterator[Case]:
    """The case on some of its edges, if that is a network; `dropped`: a vertex that goes too."""
    net = case.network
    try:
        smaller = subnetwork(net, edges)
        smaller = _without_input(smaller, None if dropped is None else net.names[dropped])
    except NetworkError:
        return
    weights = case.weight_map()
    places = {net.names[v]: k for k, v in enumerate(net.free_inputs)}
    kept = [places[smaller.names[v]] for v in smaller.free_inputs]
    yield adapt_choice(
        replace(
            case,
            network=smaller,
            weights=tuple(weights[name] for name in smaller.parameter_names),
            inputs=tuple(tuple(row[k] for k in kept) for row in case.inputs),
            arrays=_on(smaller, case),
        )
    )


def _on(smaller: Network, case: Case) -> dict[str, Tensor]:
    """The arrays of a case on a part of its network: what is left of each axis of the network."""
    arrays, net = dict(case.arrays), case.network
    if not arrays:
        return arrays
    ends = {(net.names[a], net.names[b]): e for e, (a, b) in enumerate(_ends(net))}
    inputs = {net.names[v]: k for k, v in enumerate(net.inputs)}
    kept = {
        "vertices": [net.index[name] for name in smaller.names],
        "edges": [ends[smaller.names[a], smaller.names[b]] for a, b in _ends(smaller)],
        "inputs": [inputs[smaller.names[v]] for v in smaller.inputs],
    }
    for axis, places in kept.items():
        arrays = {name: one.taking(axis, places) for name, one in arrays.items()}
    return arrays


def _ends(net: Network) -> Iterator[tuple[int, int]]:
    """Tail and head of each edge."""
    return zip(net.tails, net.heads, strict=True)


def _without_input(net: Network, name: str | None) -> Network:
    """The network without an input that has lost all its edges."""
    if name is None or name not in net.index or net.index[name] not in net.inputs:
        return net
    gone = net.index[name]
    if net.out_edges[gone]:
        return net
    keep = [v for v in range(net.vertex_count) if v != gone]
    place = {v: k for k, v in enumerate(keep)}
    pairs = [(v, c) for v, c in zip(net.inputs, net.constants, strict=True) if v != gone]
    return replace(
        net,
        names=tuple(net.names[v] for v in keep),
        tails=tuple(place[v] for v in net.tails),
        heads=tuple(place[v] for v in net.heads),
        activations=tuple(net.activations[v] for v in keep),
        scale_squares=tuple(net.scale_squares[v] for v in keep),
        inputs=tuple(place[v] for v, _ in pairs),
        constants=tuple(c for _, c in pairs),
        outputs=tuple(place[v] for v in net.outputs),
    )


def _shorter_chains(case: Case) -> Iterator[Case]:
    """Contract an inner vertex with one in-edge: its out-edges start at its parent instead."""
    from verify.cases.transformations import contract

    for v in case.network.inner:
        if len(case.network.in_edges[v]) == 1:
            for shorter in contract(case, v):
                yield adapt_choice(shorter)
    yield from _earlier_output(case)


def _earlier_output(case: Case) -> Iterator[Case]:
    """Make the one parent of the output the output."""
    net = case.network
    last = net.outputs[0]
    if len(net.outputs) > 1 or len(net.in_edges[last]) != 1:
        return
    parent = net.tails[net.in_edges[last][0]]
    if net.out_edges[parent] == (net.in_edges[last][0],) and parent not in net.inputs:
        swapped = replace(net, outputs=(parent,))
        edges = [e for e in range(net.edge_count) if e != net.in_edges[last][0]]
        earlier = replace(case, network=swapped)
        if "layers" in case.choice:  # the in-edges of the parent stand for the edge that goes
            gone = [net.names[parent], net.names[last]]
            entering = [[net.names[net.tails[e]], gone[0]] for e in net.in_edges[parent]]
            layers = [
                [*(pair for pair in layer if pair != gone), *(entering if gone in layer else ())]
                for layer in case.choice["layers"]
            ]
            earlier = earlier.choosing(layers=layers)
        yield from on_edges(earlier, edges)


def adapt_choice(case: Case) -> Case:
    """Drop from the choice what the network no longer has; where nothing of a layer is left, the
    in-edges of the output take its place."""
    index = case.network.index
    edges = {
        (case.network.names[t], case.network.names[h])
        for t, h in zip(case.network.tails, case.network.heads, strict=True)
    }
    choice = dict(case.choice)
    if "layers" in choice:
        last = [list(pair) for pair in sorted(edges) if index[pair[1]] in case.network.outputs]
        choice["layers"] = [
            [list(pair) for pair in dict.fromkeys(map(tuple, layer)) if pair in edges] or last
            for layer in choice["layers"]
        ]
    if "dormant" in choice:
        choice["dormant"] = [name for name in choice["dormant"] if name in index]
        known = set(case.network.parameter_names)
        choice["direction"] = {k: v for k, v in choice["direction"].items() if k in known}
        if not choice["dormant"]:
            for key in ("selection", "dormant", "direction"):
                choice.pop(key, None)
    for key in ARC & choice.keys():
        choice[key] = {k: v for k, v in choice[key].items() if k in case.network.parameter_names}
    return replace(case, choice=choice)


def plainer_activations(case: Case) -> Iterator[Case]:
    """The case with one activation linear, or ReLU."""
    net = case.network
    for plain in (LINEAR, RELU):
        for v in (*net.inner, *net.outputs):
            if net.activations[v] != plain:
                yield case.with_activations({v: plain})


def plainer_numbers(case: Case) -> Iterator[Case]:
    """The case with one number replaced by a plainer one."""
    yield from _each(case.weights, lambda new: replace(case, weights=new))
    yield from _each(case.labels, lambda new: replace(case, labels=new))
    if case.loss == PRESCRIBED:
        yield from _each(case.slopes, lambda new: replace(case, slopes=new))
    width = len(case.network.free_inputs)
    flat = tuple(value for row in case.inputs for value in row)

    def rebuilt(new: tuple[Fraction, ...]) -> Case:
        rows = tuple(new[k * width : (k + 1) * width] for k in range(case.example_count))
        return replace(case, inputs=rows)

    yield from _each(flat, rebuilt)
    yield from plainer_choice(case, _each)
    names = tuple(_direction(case))

    def turned(new: tuple[Fraction, ...]) -> Case:
        return case.choosing(direction=dict(zip(names, map(str, new), strict=True)))

    yield from _each(tuple(_direction(case).values()), turned)


def _direction(case: Case) -> dict[str, Fraction]:
    """The direction in which dormant vertices switch off, by parameter."""
    return {name: Fraction(step) for name, step in case.choice.get("direction", {}).items()}


def _each(
    numbers: tuple[Fraction, ...], build: Callable[[tuple[Fraction, ...]], Case]
) -> Iterator[Case]:
    """Cases with one number replaced by a plainer one."""
    for k, value in enumerate(numbers):
        nearest = Fraction(round(value))
        half = Fraction(value.numerator // 2, value.denominator)
        for plain in dict.fromkeys((Fraction(1), Fraction(-1), Fraction(0), nearest, half, -value)):
            if plain != value:
                yield build((*numbers[:k], plain, *numbers[k + 1 :]))
