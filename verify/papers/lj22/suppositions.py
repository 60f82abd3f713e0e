"""What Theorem 1 supposes: the architecture of an item, active neurons, linear convolutions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np

from graphs.activations import LINEAR, RELU
from graphs.network import FIXED
from verify.case import Case
from verify.hypotheses import Hypothesis, by_case, unchanged
from verify.layer_pieces import SHARED, Mismatch, chosen_pieces
from verify.papers.lj22.frames import found_pairing
from verify.papers.lj22.items import adjacent
from verify.pool import post_activations
from verify.transformations import freeze_one_of, random_rational, rebuild, tie_edges
from verify.vocabulary import Entries, Scene

TRIES = 6


@cache
def architecture(items: tuple[str, ...], words: str) -> Hypothesis:
    """The two matrices are those of one of these items, the shared neurons have no other edges.
    Residual blocks are ResNetFree but in item 3, which allows all variants."""

    def good(case: Case) -> bool:
        found = found_pairing(case)
        return (
            found is not None
            and case.choice["item"] in items
            and adjacent(case, found)
            and (
                case.choice["item"] == "3"
                or all(p.variant == "free" for p in found.pieces if p.kind == "block")
            )
        )

    return Hypothesis("architecture", words, by_case(good), unchanged, skip_at_shared)


def skip_at_shared(case: Case, random: Random) -> Case:
    """An edge from a shared neuron to the output, where the output is no part of the pieces."""
    found = found_pairing(case)
    net = case.network
    if found is None:
        return case
    last = net.names[net.outputs[0]]
    tails = [net.names[v] for v in found.vertices]
    linked = {net.names[net.tails[e]] for e in net.in_edges[net.outputs[0]]}
    free = [tail for tail in tails if tail not in linked and tail != last]
    if not free:
        return case
    rows: list[Any] = [
        ((net.names[net.tails[e]], net.names[net.heads[e]]), net.parameter_of[e], net.fixed[e])
        for e in range(net.edge_count)
    ]
    rows.append(((random.choice(free), last), None, None))
    activations = dict(zip(net.names, net.activations, strict=True))
    return rebuild(net, rows, activations, case.weight_map(), case, random)


def _all_learnable(case: Case) -> bool:
    found = found_pairing(case)
    return found is not None and all(case.network.learnable(e) for e in found.edges)


def _freeze(case: Case, random: Random) -> Case:
    found = found_pairing(case)
    return case if found is None else freeze_one_of(case, found.edges, random)


LEARNABLE = Hypothesis(
    "matrices learnable",
    "all weights of $W_1$ and $W_2$ are learnable",
    by_case(_all_learnable),
    break_=_freeze,
)


def parameters_shared_in_convolutions(case: Case) -> bool:
    """Whether a parameter is shared only within one convolution (and the pieces are there)."""
    if SHARED in case.choice:
        strict = {key: value for key, value in case.choice.items() if key != SHARED}
        case = replace(case, choice=strict)
    try:
        return bool(chosen_pieces(case))
    except Mismatch:
        return False


def _share_outside(case: Case, random: Random) -> Case:
    """Two parameters become one."""
    return tie_edges(case, random).choosing(**{SHARED: True})


OWN_OUTSIDE_CONVOLUTIONS = Hypothesis(
    "own parameters outside of convolutions",
    "each learnable edge has a parameter of its own, but for those of a convolution",
    by_case(parameters_shared_in_convolutions),
    break_=_share_outside,
)


def _shared_linear(case: Case) -> bool:
    found = found_pairing(case)
    net = case.network
    return found is not None and all(net.activations[v] == LINEAR for v in found.vertices)


def _with_shared(activation: Any) -> Callable[[Case, Random], Case]:
    def change(case: Case, random: Random) -> Case:
        found = found_pairing(case)
        if found is None:
            return case
        names = {case.network.names[v]: activation for v in found.vertices}
        return replace(case, network=case.network.with_activations(names))

    return change


LINEAR_BETWEEN = Hypothesis(
    "linear between the two",
    "the neurons that $W_1$ and $W_2$ share are linear",
    by_case(_shared_linear),
    _with_shared(LINEAR),
    _with_shared(RELU),
)


def is_active(scene: Scene, vertices: np.ndarray) -> np.ndarray:
    """For each vertex whether it is active on every example: linear, or ReLU with nonnegative
    pre-activation."""
    kinds = [a.kind for net in scene.union.networks for a in net.activations]
    gated = np.array([kinds[v] == "relu" for v in vertices], dtype=bool)
    linear = np.array([kinds[v] == "linear" for v in vertices], dtype=bool)
    if not len(vertices):
        return linear
    negative = scene.arithmetic.is_negative(scene.pre[vertices])
    return np.asarray(linear | (gated & ~negative.any(axis=1)), dtype=bool)


@cache
def active() -> Hypothesis:
    """Both neurons of an entry are in I_act of Definition 6."""

    def test(scene: Scene, entries: Entries) -> np.ndarray:
        pairings = [found_pairing(case) for case in scene.cases]
        good: list[list[bool]] = []
        for c, found in enumerate(pairings):
            rows = () if found is None else found.shared
            offset = int(scene.union.vertex_offset[c])
            good.append([bool(is_active(scene, np.array(row) + offset).all()) for row in rows])
        return np.array(
            [
                good[c][p] and good[c][q]
                for c, (p, q) in zip(entries.owner, entries.subjects, strict=True)
            ],
            dtype=bool,
        )

    return Hypothesis(
        "active",
        "rows and columns of neurons that are active on every example: linear, or ReLU with "
        "nonnegative preactivation",
        test,
        _activate,
        _deactivate,
    )


def _activate(case: Case, random: Random) -> Case:
    """Often give shared neurons in-weights with which they are active on every example."""
    found = found_pairing(case)
    if found is None or random.random() < 1 / 4:
        return case
    net = case.network
    rows = post_activations(case)
    asleep = {net.index[name] for name in case.choice.get("dormant", ())}
    weights = list(case.weights)
    for v in found.vertices:
        edges = net.in_edges[v]
        if v in asleep or net.activations[v] == LINEAR or not rows:
            continue
        if not all(net.own_parameter(e) for e in edges):
            continue
        for attempt in range(TRIES):
            drawn = [random_rational(random) for _ in edges]
            if attempt == TRIES - 1:  # images have no negative pixels
                drawn = [abs(w) for w in drawn]
            sums = [
                sum((w * row[net.tails[e]] for e, w in zip(edges, drawn, strict=True)), Fraction(0))
                for row in rows
            ]
            if all(z > 0 for z in sums) or all(z < 0 for z in sums):
                sign = 1 if sums[0] > 0 else -1
                for e, w in zip(edges, drawn, strict=True):
                    weights[net.parameter_of[e]] = sign * w
                break
    return case.with_weights(weights)


def _deactivate(case: Case, random: Random) -> Case:
    """Make a shared neuron ReLU, and inactive on the first example where that takes a sign."""
    found = found_pairing(case)
    if found is None:
        return case
    net = case.network
    v = random.choice(found.vertices)
    weights = list(case.weights)
    for row in post_activations(case)[:1]:
        carried = _carried(case, v)
        z = sum((weight * row[net.tails[e]] for e, weight in carried), Fraction(0))
        if z > 0:  # of a convolution: at all positions
            for p in {net.parameter_of[e] for e, _ in carried} - {FIXED}:
                weights[p] = -weights[p]
    gated = net.with_activations({net.names[v]: RELU})
    return replace(case, network=gated, weights=tuple(weights))


def _carried(case: Case, v: int) -> list[tuple[int, Fraction]]:
    """The in-edges of a vertex with their weights."""
    values = case.network.edge_weights(case.weights)
    return [(e, values[e]) for e in case.network.in_edges[v]]
