"""Changes that make one hypothesis fail and, as far as they can, leave the others alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.activations import ABS, LINEAR, RELU, TANH, leaky_relu
from graphs.composition import subnetwork, with_bias
from graphs.errors import NetworkError
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import Network
from verify.cases.case import Case
from verify.cases.transformations import Row, on_boundary, random_rational, rebuild


def carry_weights(case: Case, net: Network, random: Random) -> Case:
    """The case on another network: parameters of the same name keep their weights, new ones get
    random weights. Free inputs must be the same."""
    weights = case.weight_map()
    values = [
        weights[name] if name in weights else random_rational(random)
        for name in net.parameter_names
    ]
    return replace(case, network=net, weights=tuple(values))


def add_bias(case: Case, random: Random) -> Case:
    """A bias at one computed vertex."""
    net = case.network
    if net.has_bias:
        return case
    vertex = random.choice([v for v in range(net.vertex_count) if v not in net.inputs])
    return carry_weights(case, with_bias(net, [net.names[vertex]]), random)


def other_constant(case: Case, random: Random) -> Case:
    """One held input is held at another value."""
    net = case.network
    held = {k: value for k, value in enumerate(net.constants) if value is not None}
    if not held:
        return case
    k, constants = random.choice(list(held)), list(net.constants)
    constants[k] = held[k] + random_rational(random)
    return replace(case, network=replace(net, constants=tuple(constants)))


def read_twice(case: Case, random: Random) -> Case:
    """One more vertex reads a held input."""
    net = case.network
    ends = {(t, h) for t, h in zip(net.tails, net.heads, strict=True)}
    held = [v for v, value in zip(net.inputs, net.constants, strict=True) if value is not None]
    computed = (*net.inner, *net.outputs)
    free = [(v, head) for v in held for head in computed if (v, head) not in ends]
    return with_edge(case, *random.choice(free), random) if free else case


def drop_edge(case: Case, random: Random) -> Case:
    """One edge fewer, where the rest still is a network."""
    net = case.network
    for gone in _shuffled(range(net.edge_count), random):
        try:
            smaller = subnetwork(net, [e for e in range(net.edge_count) if e != gone])
        except NetworkError:
            continue
        if len(smaller.free_inputs) == len(net.free_inputs):
            return carry_weights(case, smaller, random)
    return case


def skip_a_layer(case: Case, random: Random) -> Case:
    """A new edge from an input to an output, where there is none; or one edge fewer."""
    net = case.network
    ends = {(t, h) for t, h in zip(net.tails, net.heads, strict=True)}
    free = [(v, o) for v in net.free_inputs for o in net.outputs if (v, o) not in ends]
    if not free or random.random() < 0.5:
        return drop_edge(case, random)
    return with_edge(case, *random.choice(free), random)


def with_edge(case: Case, tail: int, head: int, random: Random) -> Case:
    """The case with one edge more, between two vertices of its network."""
    net = case.network
    rows = [*_rows(net), ((net.names[tail], net.names[head]), None, None)]
    return _with_rows(case, rows, random)


def _with_rows(case: Case, rows: list[Row], random: Random) -> Case:
    """The case with other edges between the vertices of its network."""
    net = case.network
    activations = dict(zip(net.names, net.activations, strict=True))
    return rebuild(net, rows, activations, case.weight_map(), case, random)


def _rows(net: Network) -> list[Row]:
    """The edges of a network, as `rebuild` takes them."""
    return [
        ((net.names[net.tails[e]], net.names[net.heads[e]]), net.parameter_of[e], net.fixed[e])
        for e in range(net.edge_count)
    ]


def untie(case: Case, edges: Sequence[int], random: Random) -> Case:
    """One of these edges that share their parameters gets one of its own."""
    net = case.network
    shared = [e for e in edges if net.learnable(e) and not net.own_parameter(e)]
    if not shared:
        return case
    gone = random.choice(shared)
    rows = _rows(net)
    rows[gone] = (rows[gone][0], None, None)
    return _with_rows(case, rows, random)


def zero_weight(case: Case, random: Random) -> Case:
    """One weight becomes 0."""
    weights = list(case.weights)
    if weights:
        weights[random.randrange(len(weights))] = Fraction(0)
    return case.with_weights(weights)


def opposite_in_weights(case: Case, random: Random) -> Case:
    """Make each pair ReLU, and turn the in-weights of the second vertex against the first's."""
    pairs = equal_neighbourhoods(case.network)
    gated = case.with_activations({v: RELU for pair in pairs for v in pair})
    return turned_in_weights(gated, random)


def turned_in_weights(case: Case, random: Random) -> Case:
    """Turn the in-weights of the second vertex of each pair against those of the first."""
    net = case.network
    weights = list(case.weights)
    for u, v in equal_neighbourhoods(net):
        for e, f in zip(net.in_edges[u], net.in_edges[v], strict=True):
            if net.own_parameter(e) and net.own_parameter(f):
                weights[net.parameter_of[f]] = -weights[net.parameter_of[e]]
    return case.with_weights(weights)


def kinked(case: Case, random: Random) -> Case:
    """One vertex becomes ReLU with in-weights 0: pre-activation 0 on every example."""
    net = case.network
    vertices = [
        v for v in (*net.inner, *net.outputs) if all(net.learnable(e) for e in net.in_edges[v])
    ]
    if not vertices:
        return case
    vertex = random.choice(vertices)
    weights = list(case.weights)
    for e in net.in_edges[vertex]:
        weights[net.parameter_of[e]] = Fraction(0)
    return case.with_activations({vertex: RELU}).with_weights(weights)


MANNERS = ("dormant", "dormant", "sliding", "boundary", "zero")


def onto_a_kink(case: Case, random: Random, manners: Sequence[str] = MANNERS) -> Case:
    """A pre-activation becomes 0: that of a dormant vertex, which the flow leaves asleep, one along
    which the flow slides, one on a single example, or one whose in-weights are all 0."""
    from verify.cases.sliding import SELECTION, into_a_slide
    from verify.cases.transformations import make_dormant

    manner = random.choice(manners)
    net = case.network
    spoken = _of_pieces(case) or net.inner
    gated = case.with_activations({v: RELU for v in spoken if random.random() < 0.5})
    moved = gated
    if manner == "dormant":
        moved = make_dormant(gated, random, among=spoken)
    elif manner == "sliding":
        found = into_a_slide(gated.choosing(selection=SELECTION), random)
        moved = found if "selection" in found.choice else gated
    elif manner == "boundary":
        moved = on_boundary(gated, random)
    return kinked(case, random) if moved is gated else moved


def _of_pieces(case: Case) -> list[int]:
    """The inner vertices between the pieces that a case chooses, or within the one that it does."""
    net = case.network
    pieces = case.choice.get("pieces", ())
    chosen = [pieces[k] for k in case.choice.get("at", ())]
    records = chosen[:-1] or chosen
    names = {
        name for record in records for key in ("heads", "inner") for name in record.get(key, ())
    }
    return [v for v in net.inner if net.names[v] in names]


def one_leaky(case: Case, random: Random) -> Case:
    """One vertex, most often an inner one, becomes leaky ReLU."""
    net = case.network
    vertex = random.choice((*net.inner, *net.inner, *net.outputs))
    return case.with_activations({vertex: leaky_relu(Fraction(1, 5))})


def one_smooth(case: Case, random: Random) -> Case:
    """An inner vertex becomes tanh."""
    if not case.network.inner:
        return case
    return case.with_activations({random.choice(case.network.inner): TANH})


def one_bent(case: Case, random: Random) -> Case:
    """One vertex becomes ReLU or the absolute value."""
    net = case.network
    vertex = random.choice((*net.inner, *net.outputs))
    return case.with_activations({vertex: random.choice((RELU, ABS))})


def far_data(case: Case, random: Random) -> Case:
    """Every input is ten times as long."""
    rows = tuple(tuple(10 * value for value in row) for row in case.inputs)
    return replace(case, inputs=rows)


def other_labels(case: Case, random: Random) -> Case:
    """Every label is larger by 1/2."""
    return replace(case, labels=tuple(label + Fraction(1, 2) for label in case.labels))


def random_edge_sets(case: Case, random: Random) -> Case:
    """Two random sets of edges in the place of the layers."""
    net = case.network
    chosen = [
        random.sample(range(net.edge_count), random.randint(1, net.edge_count)) for _ in range(2)
    ]
    named = [
        [[net.names[net.tails[e]], net.names[net.heads[e]]] for e in sorted(edges)]
        for edges in chosen
    ]
    return case.choosing(layers=named)


def second_sink(case: Case, random: Random) -> Case:
    """A new vertex at the end of a new edge: a second sink, which is no output."""
    net = case.network
    tail = net.names[random.choice([v for v in range(net.vertex_count) if v not in net.outputs])]
    name = "s"
    while name in net.index:
        name += "'"
    rows = _rows(net)
    rows.append(((tail, name), None, None))
    activations = dict(zip(net.names, net.activations, strict=True))
    activations[name] = random.choice((LINEAR, RELU))
    return rebuild(net, rows, activations, case.weight_map(), case, random)


def _shuffled(edges: Sequence[int], random: Random) -> list[int]:
    return random.sample(list(edges), len(edges))
