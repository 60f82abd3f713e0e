"""Small changes of a case, from which the repairs and breaks of hypotheses are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.errors import NetworkError, NotRationalError
from graphs.exact import preactivations, values
from graphs.layers import layers, random_layer
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import FIXED, Network
from graphs.rationals import RATIONALS
from verify.cases.descent import rates_of, slope_rows, told
from verify.cases.prescribing import of_one_loss, with_slopes
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from graphs.activations import Activation
    from verify.cases.case import Case

Row = tuple[tuple[str, str], int | None, Fraction | None]  # ends, old parameter, fixed weight


def random_rational(random: Random, *, zero: bool = False, bound: int = 6) -> Fraction:
    """A rational p/q with |p| <= bound and q <= 4; 0 only if `zero`."""
    # without a loop until it is not 0: the search may hand in a generator that prefers 0
    size = random.randint(0 if zero else 1, bound)
    return Fraction(random.choice((1, -1)) * size, random.randint(1, 4))


def orthogonal(size: int, random: Random) -> np.ndarray:
    """A random rational orthogonal matrix: signs and a permutation, or Cayley's transform
    (1 - S)(1 + S)^-1 of a small skew-symmetric matrix."""
    places = random.sample(range(size), size)
    signed = [[random.choice((1, -1)) if j == p else 0 for j in range(size)] for p in places]
    matrix = RATIONALS.array(signed)
    if size > 1 and random.random() < 0.5:
        import sympy

        skew = sympy.zeros(size)
        for i, j in combinations(range(size), 2):
            skew[i, j] = random.randint(-2, 2)
            skew[j, i] = -skew[i, j]
        one = sympy.eye(size)
        turned = (one - skew) * (one + skew).inv()
        rows = [[Fraction(int(x.p), int(x.q)) for x in turned.row(i)] for i in range(size)]
        matrix = matrix @ RATIONALS.array(rows)
    return matrix


def nonzero_weights(case: Case, random: Random) -> Case:
    """Replace zero weights by non-zero ones, except those that enter a dormant vertex."""
    network = case.network
    asleep = {network.index[name] for name in case.choice.get("dormant", ())}
    weights = []
    for weight, edges in zip(case.weights, network.edges_of_parameter, strict=True):
        resting = all(network.heads[e] in asleep for e in edges)
        weights.append(weight if weight != 0 or resting else random_rational(random))
    return case.with_weights(weights)


def into_the_ball(case: Case, random: Random) -> Case:
    """The case with every input that is longer than 1 divided by little more than its norm."""
    rows = []
    for row in case.inputs:
        square = sum((value * value for value in row), Fraction(0))
        above = Fraction(isqrt(int(square * 65536)) + 1, 256)
        rows.append(tuple(value / above for value in row) if square > 1 else row)
    return replace(case, inputs=tuple(rows))


def map_inner_activations(
    case: Case, change: Callable[[Activation], Activation], *, outputs: bool = False
) -> Case:
    """Change the activation of every inner vertex (and of the outputs, if asked)."""
    network = case.network
    vertices = [*network.inner, *(network.outputs if outputs else ())]
    return case.with_activations({v: change(network.activations[v]) for v in vertices})


def with_one_loss(case: Case) -> Case:
    """Give examples of equal margin y nu(x) equal slopes, also at two steps of a descent, so that
    one loss has all of them.

    Nothing changes where the loss is named, or the weights at a step are not rational.
    """
    if case.loss != PRESCRIBED or told(case) < len(rates_of(case)):
        return case
    rows, known = slope_rows(case), list[tuple[Any, Fraction]]()

    def slopes_at(step: int, margins: list[Any]) -> list[Fraction]:
        pairs = zip(margins, rows[step], strict=True)
        return [of_one_loss(known, margin, slope) for margin, slope in pairs]

    try:
        return with_slopes(case, slopes_at)
    except NotRationalError:
        return case


def freeze_edge(case: Case, random: Random) -> Case:
    """Make one learnable edge at an inner vertex a constant, at its present weight."""
    network = case.network
    candidates = [
        e
        for v in network.inner
        for e in (*network.in_edges[v], *network.out_edges[v])
        if network.own_parameter(e)
    ]
    return freeze_one_of(case, candidates, random)


def freeze_one_of(case: Case, edges: Sequence[int], random: Random) -> Case:
    """Make one learnable edge among these a constant, at its present weight, together with all
    edges that share its parameter."""
    network = case.network
    learnable = [e for e in edges if network.learnable(e)]
    if not learnable:
        return case
    gone = network.parameter_of[random.choice(learnable)]
    fixed = [
        case.weights[gone] if p == gone else value
        for p, value in zip(network.parameter_of, network.fixed, strict=True)
    ]
    parameter_of = [FIXED if p == gone else p - (p > gone) for p in network.parameter_of]
    frozen = replace(
        network,
        fixed=tuple(fixed),
        parameter_of=tuple(parameter_of),
        parameter_names=_without(network.parameter_names, gone),
    )
    return replace(case, network=frozen, weights=_without(case.weights, gone))


def tie_edges(case: Case, random: Random) -> Case:
    """Let two learnable edges share one parameter."""
    return tie_two_of(case, range(case.network.parameter_count), random)


def tie_two_of(case: Case, parameters: Sequence[int], random: Random) -> Case:
    """Let two of these parameters become one."""
    network = case.network
    if len(parameters) < 2:
        return case
    kept, gone = sorted(random.sample(parameters, 2))
    parameter_of = [
        FIXED if p == FIXED else (kept if p == gone else p - (p > gone))
        for p in network.parameter_of
    ]
    tied = replace(
        network,
        parameter_of=tuple(parameter_of),
        parameter_names=_without(network.parameter_names, gone),
    )
    return replace(case, network=tied, weights=_without(case.weights, gone))


def _without(items: tuple[Any, ...], position: int) -> tuple[Any, ...]:
    return items[:position] + items[position + 1 :]


def twin(case: Case, random: Random) -> Case:
    """Give an inner vertex a twin with the same neighbours, unless there is such a pair already;
    a dormant one, if there is one.

    Only where all edges at the vertex have parameters of their own; otherwise unchanged.
    """
    network = case.network
    if not network.inner or equal_neighbourhoods(network):
        return case
    asleep = [network.index[name] for name in case.choice.get("dormant", ())]
    vertex = random.choice(asleep or network.inner)
    edges = [*network.in_edges[vertex], *network.out_edges[vertex]]
    if not all(network.own_parameter(e) for e in edges):
        return case
    name = network.names[vertex]
    other = f"{name}'"
    while other in network.index:
        other += "'"
    weights = case.weight_map()
    rows: list[Row] = []
    for e in range(network.edge_count):
        ends = (network.names[network.tails[e]], network.names[network.heads[e]])
        rows.append((ends, network.parameter_of[e], network.fixed[e]))
        if e in edges:
            copy = tuple(other if end == name else end for end in ends)
            rows.append(((copy[0], copy[1]), None, None))
    activations = dict(zip(network.names, network.activations, strict=True))
    activations[other] = activations[name]
    return rebuild(network, rows, activations, weights, case, random)


def rebuild(
    old: Network,
    rows: list[Row],
    activations: dict[str, Activation],
    weights: dict[str, Fraction],
    case: Case,
    random: Random,
) -> Case:
    """The case on a network of other edges: a row is (ends, old parameter or FIXED or None for a
    new one, fixed weight or None). New parameters get random weights."""
    from graphs.network import network

    present = {end for ends, _, _ in rows for end in ends}
    inputs = [old.names[v] for v in old.inputs]
    outputs = [old.names[v] for v in old.outputs]
    present |= {*inputs, *outputs}
    scales = dict(zip(old.names, old.scale_squares, strict=True))
    held = zip(inputs, old.constants, strict=True)
    built = network(
        [ends for ends, _, _ in rows],
        inputs=inputs,
        outputs=outputs,
        activations={
            name: a for name, a in activations.items() if name in present and name not in inputs
        },
        parameters={
            ends: old.parameter_names[p] for ends, p, _ in rows if p is not None and p != FIXED
        },
        fixed={ends: constant for ends, _, constant in rows if constant is not None},
        constants={name: value for name, value in held if value is not None},
        scale_squares={name: scales[name] for name in present if name in scales},
        title=old.title,
    )
    values = [
        weights[name] if name in weights else random_rational(random)
        for name in built.parameter_names
    ]
    return replace(case, network=built, weights=tuple(values))


def copy_in_weights(case: Case, random: Random) -> Case:
    """Often give the second of a pair in-weights near those of the first, so that their
    activation patterns agree; leaves the case alone with probability 1/3.

    Beside a dormant vertex the other one is put on the active side: 0 counts as active.
    """
    network = case.network
    asleep = {network.index[name] for name in case.choice.get("dormant", ())}
    pairs = [pair for pair in equal_neighbourhoods(network) if not asleep.issuperset(pair)]
    if not pairs or random.random() < 1 / 3:
        return case
    u, v = random.choice([pair for pair in pairs if not asleep.isdisjoint(pair)] or pairs)
    if v in asleep:
        u, v = v, u
    direction = {name: Fraction(step) for name, step in case.choice.get("direction", {}).items()}
    weights = list(case.weights)
    factor = Fraction(random.randint(1, 6), random.randint(1, 4))
    for e, f in zip(network.in_edges[u], network.in_edges[v], strict=True):
        if network.own_parameter(e) and network.own_parameter(f):
            nudge = Fraction(random.randint(-1, 1), 8)
            p = network.parameter_of[e]
            copied = weights[p]
            if u in asleep:  # its direction leads to the inactive side
                copied = -direction.get(network.parameter_names[p], Fraction(0))
            weights[network.parameter_of[f]] = copied * factor * (1 + nudge)
    return case.with_weights(weights)


def random_layers(case: Case, reading: str, random: Random) -> Case:
    """Choose two layers of the network under a reading of Definition 7: from all of them on a
    small network, otherwise from random cuts."""
    network = case.network
    own = network.own_parameter
    if network.edge_count <= 9:
        found = list(layers(network, reading, 512, only=own))
        chosen = random.sample(found, 2) if len(found) > 1 else found * 2
    else:
        try:
            chosen = [random_layer(network, reading, random, only=own) for _ in range(2)]
        except NetworkError:  # no such layer: the hypothesis will say so
            chosen = []
    if not chosen:
        return case
    named = [
        [[network.names[network.tails[e]], network.names[network.heads[e]]] for e in sorted(layer)]
        for layer in chosen
    ]
    return case.choosing(layers=named)


def contract(case: Case, vertex: int) -> Iterator[Case]:
    """The case without an inner vertex that has one in-edge: its out-edges start at its parent.

    Once with their weights as they are, once multiplied by the weight that goes: then a linear
    vertex may go without a change of the function. Nothing where the parent already has an edge to
    one of their heads.
    """
    old = case.network
    name, parent = old.names[vertex], old.names[old.tails[old.in_edges[vertex][0]]]

    def moved(tail: str, head: str) -> tuple[str, str]:
        return (parent, head) if tail == name else (tail, head)

    rows: list[Row] = []
    for e in range(old.edge_count):
        tail, head = old.names[old.tails[e]], old.names[old.heads[e]]
        if head != name:
            rows.append((moved(tail, head), old.parameter_of[e], old.fixed[e]))
    if len({ends for ends, _, _ in rows}) < len(rows):
        return
    activations = dict(zip(old.names, old.activations, strict=True))
    try:
        changed = rebuild(old, rows, activations, case.weight_map(), case, Random(0))
    except NetworkError:
        return
    if "layers" in case.choice:
        children = [old.names[old.heads[e]] for e in old.out_edges[vertex]]
        layers_moved = [
            [
                list(ends)
                for tail, head in layer
                for ends in (
                    [(parent, child) for child in children] if head == name else [moved(tail, head)]
                )
            ]
            for layer in case.choice["layers"]
        ]
        changed = changed.choosing(layers=layers_moved)
    yield changed
    through = case.network.edge_weights(case.weights)[old.in_edges[vertex][0]]
    leaving = {old.parameter_names[old.parameter_of[e]] for e in old.out_edges[vertex]}
    named = zip(changed.network.parameter_names, changed.weights, strict=True)
    scaled = changed.with_weights([w * through if name in leaving else w for name, w in named])
    if "direction" in case.choice:
        steps = {name: Fraction(step) for name, step in case.choice["direction"].items()}
        turned = {n: str(s * through if n in leaving else s) for n, s in steps.items()}
        scaled = scaled.choosing(direction=turned)
    yield scaled


def on_boundary(case: Case, random: Random, vertices: Collection[int] | None = None) -> Case:
    """One in-weight of a vertex with a kink changed so that its pre-activation is 0 on one example.

    vertices: those to choose from (default: all). The case itself where there is none.
    """
    net = case.network
    places = [
        (v, e)
        for v in (range(net.vertex_count) if vertices is None else vertices)
        if net.activations[v].homogeneous and len(set(net.activations[v].slopes)) > 1
        for e in net.in_edges[v]
        if net.own_parameter(e)
    ]
    if not places:
        return case
    vertex, edge = random.choice(places)
    x = random.choice(case.inputs)
    try:
        base, full = (
            preactivations(net, with_edge_weight(case, edge, Fraction(w)).weights, x)[vertex]
            for w in (0, 1)
        )
    except NotRationalError:
        return case
    return with_edge_weight(case, edge, base / (base - full)) if base != full else case


def with_edge_weight(case: Case, edge: int, weight: Fraction) -> Case:
    """The case with another weight of a learnable edge."""
    weights = list(case.weights)
    weights[case.network.parameter_of[edge]] = weight
    return case.with_weights(weights)


def make_dormant(case: Case, random: Random, among: Collection[int] | None = None) -> Case:
    """Put one ReLU vertex to sleep: in-weights 0, with a direction to the inactive side.

    among: the vertices to choose from (default: the inner ones).
    """
    network = case.network
    candidates = [
        v
        for v in network.inner
        if network.activations[v].kind == "relu"
        and (among is None or v in among)
        and all(network.own_parameter(e) for e in network.in_edges[v])
    ]
    if not candidates:
        return case
    vertex = random.choice(candidates)
    weights = list(case.weights)
    direction = {}
    away = random.random() < 0.75  # from the mean of what enters the vertex
    posts = post_activations(case)
    for e in network.in_edges[vertex]:
        p = network.parameter_of[e]
        weights[p] = Fraction(0)
        mean = sum((post[network.tails[e]] for post in posts), Fraction(0))
        step = -mean if away and mean else Fraction(random.choice((-1, -1, -1, 1)))
        direction[network.parameter_names[p]] = str(step)
    asleep = replace(case, weights=tuple(weights))
    return asleep.choosing(
        selection="dormant", dormant=[network.names[vertex]], direction=direction
    )


def post_activations(case: Case) -> list[tuple[Fraction, ...]]:
    """For each example the post-activations; none where the network has no exact values."""
    try:
        return [values(case.network, case.weights, x) for x in case.inputs]
    except NotRationalError:
        return []
