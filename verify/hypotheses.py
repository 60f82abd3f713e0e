"""Hypotheses of claims, as objects: each can test, repair and break a case.

`test` says for every entry of a measure whether the hypothesis is met there, in the arithmetic of
the scene (exact arithmetic decides; enclosures answer yes only when it is certain). `repair`
changes a case so that the hypothesis is likely to hold, `break_` so that it fails; both are small,
and the predicates have the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import isqrt
from random import Random
from typing import Any

import numpy as np

from graphs.activations import LINEAR, RELU, TANH, Activation
from graphs.network import FIXED, Network
from verify.breaks import (
    add_bias,
    broken_loss,
    one_leaky,
    onto_a_kink,
    opposite_in_weights,
    random_edge_sets,
    same_in_weights,
    second_sink,
    skip_a_layer,
    turned_in_weights,
    unequal_pair,
    weight_decay,
    zero_weight,
)
from verify.case import PRESCRIBED, Case
from verify.sliding import into_a_slide
from verify.transformations import (
    copy_in_weights,
    freeze_edge,
    map_inner_activations,
    nonzero_weights,
    random_rational,
    tie_edges,
    twin,
    with_one_loss,
)
from verify.vocabulary import Entries, Scene

Test = Callable[[Any, Entries], np.ndarray]  # of the scene of the claim's instances
Change = Callable[[Any, Random], Any]  # of such an instance


def unchanged(case: Any, random: Random) -> Any:
    """The repair of a hypothesis that every drawn case meets."""
    return case


@dataclass(frozen=True)
class Hypothesis:
    """One hypothesis of a claim.

    name: short, as the paper or ledger calls it. statement: text with LaTeX. test: (K,) boolean.
    repair, break_: see the module. A hypothesis that cannot be broken (it is built into the type
    of a network) has break_ None. thin: whether it asks for equations between numbers that next to
    no number near one that meets them meets too, so that every step of an ascent leaves it.
    """

    name: str
    statement: str
    test: Test
    repair: Change = unchanged
    break_: Change | None = None
    thin: bool = False


def by_case(predicate: Callable[[Any], bool], *parts: str) -> Test:
    """A test that asks each case, for hypotheses that do not depend on the entry.

    parts: the names of all that the predicate looks at in a case, where that is not the whole; then
    cases that share these parts, as the same objects, are asked once.
    """

    def test(scene: Any, entries: Entries) -> np.ndarray:
        if not parts:
            answers = [predicate(case) for case in scene.cases]
        else:
            keys = [tuple(id(getattr(case, part)) for part in parts) for case in scene.cases]
            asked = dict(zip(keys, scene.cases, strict=True))
            known = {key: predicate(case) for key, case in asked.items()}
            answers = [known[key] for key in keys]
        return np.asarray(np.array(answers, dtype=bool)[entries.owner], dtype=bool)

    test.__dict__["asks_network"] = predicate if parts == ("network",) else None
    test.__dict__["asks_case"] = predicate
    return test


def by_scene(predicate: Callable[[Any], np.ndarray]) -> Test:
    """A test that asks all cases of a scene at once, in its arithmetic: (C,) boolean. In plain
    float64 the answer is that of the floats; what is found there is asked again exactly."""

    def test(scene: Any, entries: Entries) -> np.ndarray:
        return np.asarray(np.asarray(predicate(scene), dtype=bool)[entries.owner], dtype=bool)

    return test


def asks_scene(hypothesis: Hypothesis) -> bool:
    """Whether a hypothesis asks the numbers of a scene alone, and not its cases (by_scene)."""
    return getattr(hypothesis.test, "__qualname__", "") == "by_scene.<locals>.test"


def asks_network(hypothesis: Hypothesis) -> Callable[[Any], bool] | None:
    """The predicate of a hypothesis that looks at the network of a case alone, else None."""
    predicate: Callable[[Any], bool] | None = getattr(hypothesis.test, "asks_network", None)
    return predicate


def asks_case(hypothesis: Hypothesis) -> Callable[[Any], bool] | None:
    """The predicate of a hypothesis that asks each case as a whole, whatever the entry; or None."""
    predicate: Callable[[Any], bool] | None = getattr(hypothesis.test, "asks_case", None)
    return predicate


def asks_cases(hypothesis: Hypothesis) -> bool:
    """Whether a hypothesis asks each case as a whole, whatever the entry (by_case)."""
    return getattr(hypothesis.test, "__qualname__", "") == "by_case.<locals>.test"


# the network ------------------------------------------------------------------------------------
def _one_output(case: Case) -> bool:
    network = case.network
    sinks = [v for v in range(network.vertex_count) if not network.out_edges[v]]
    return list(network.outputs) == sinks and len(sinks) == 1


FEEDFORWARD = Hypothesis(
    "feedforward, one output",
    r"$G$ is a directed acyclic graph with exactly one sink, the output $o$",
    by_case(_one_output, "network"),
    break_=second_sink,
)


def _homogenise(case: Case, random: Random) -> Case:
    return map_inner_activations(case, lambda a: a if a.homogeneous else RELU, outputs=True)


def _spoil(case: Case, random: Random) -> Case:
    inner = case.network.inner
    if not inner:
        return case
    name = case.network.names[random.choice(inner)]
    return replace(case, network=case.network.with_activations({name: TANH}))


HOMOGENEOUS = Hypothesis(
    "positively homogeneous activations",
    r"$\sigma_v(\lambda z)=\lambda\sigma_v(z)$ for every $\lambda>0$ and every vertex $v$",
    by_case(lambda case: case.network.homogeneous, "network"),
    _homogenise,
    _spoil,
)


def _relu_or_linear(activation: Activation) -> bool:
    return activation.kind in ("relu", "linear")


RELU_OR_LINEAR = Hypothesis(
    "ReLU or linear",
    r"every activation is ReLU or linear",
    by_case(lambda case: all(map(_relu_or_linear, case.network.activations)), "network"),
    lambda case, random: map_inner_activations(
        case, lambda a: a if _relu_or_linear(a) else RELU, outputs=True
    ),
    one_leaky,
)

BIAS_FREE = Hypothesis(
    "bias-free",
    r"no additive constants",
    by_case(lambda case: not case.network.has_bias, "network"),
    break_=add_bias,
)


def _own_at_subjects(scene: Scene, entries: Entries) -> np.ndarray:
    """Whether every edge incident to an entry's vertices is learnable with its own parameter."""
    union = scene.union
    good = np.ones(union.vertex_count, dtype=bool)
    for number, network in enumerate(union.networks):
        offset = union.vertex_offset[number]
        for e in range(network.edge_count):
            if not network.own_parameter(e):
                good[network.tails[e] + offset] = False
                good[network.heads[e] + offset] = False
    answers = good[entries.subjects]
    return np.asarray(answers.all(axis=1) if answers.ndim == 2 else answers, dtype=bool)


INCIDENT_LEARNABLE = Hypothesis(
    "incident edges learnable",
    r"every edge incident to the vertices spoken of is learnable, with a parameter of its own",
    _own_at_subjects,
    break_=freeze_edge,
)


def _own_everywhere(case: Case) -> bool:
    return not case.network.shares_parameters


OWN_PARAMETERS = Hypothesis(
    "own parameters",
    r"each learnable edge has a parameter of its own",
    by_case(_own_everywhere, "network"),
    break_=tie_edges,
)

ALL_LEARNABLE = Hypothesis(
    "all weights learnable",
    r"every weight of the network is learnable: $\bar E=E$",
    by_case(
        lambda case: all(map(case.network.learnable, range(case.network.edge_count))), "network"
    ),
    break_=freeze_edge,
)

PAIR_EXISTS = Hypothesis(
    "equal neighbourhoods",
    r"$\mathrm{IN}_u=\mathrm{IN}_v$ and $\mathrm{OUT}_u=\mathrm{OUT}_v$",
    lambda scene, entries: scene.pairs.equal.copy(),
    twin,
    unequal_pair,
)


def _fully_connected(network: Network) -> bool:
    depth = network.depths
    parts: dict[int, int] = {}
    for d in depth:
        parts[d] = parts.get(d, 0) + 1
    full = sum(parts[d] * parts.get(d + 1, 0) for d in parts)
    steps = all(depth[h] == depth[t] + 1 for t, h in zip(network.tails, network.heads, strict=True))
    return steps and full == network.edge_count


FULLY_CONNECTED = Hypothesis(
    "fully connected",
    r"$uv\in E$ iff $u\in V_i$ and $v\in V_{i+1}$ for some $i$",
    by_case(lambda case: _fully_connected(case.network), "network"),
    break_=skip_a_layer,
)


# the data, the loss, the point ----------------------------------------------------------------
def _inside(case: Case, random: Random) -> Case:
    """The case with every input that is longer than 1 divided by little more than its norm."""
    rows = []
    for row in case.inputs:
        square = sum((value * value for value in row), Fraction(0))
        above = Fraction(isqrt(int(square * 65536)) + 1, 256)
        rows.append(tuple(value / above for value in row) if square > 1 else row)
    return replace(case, inputs=tuple(rows))


DATA = Hypothesis(
    "data",
    r"$\lVert x_i\rVert\le 1$ and $y_i\in\{-1,1\}$",
    by_case(lambda case: case.admissible, "inputs", "labels"),
    _inside,
    break_=lambda case, random: replace(
        case, inputs=tuple(tuple(10 * value for value in row) for row in case.inputs)
    ),
)

LABELS = Hypothesis(
    "labels",
    r"$y_i\in\{-1,1\}$",
    by_case(lambda case: all(label in (-1, 1) for label in case.labels)),
    break_=lambda case, random: replace(
        case, labels=tuple(label + Fraction(1, 2) for label in case.labels)
    ),
)


def _loss_exists(scene: Scene, entries: Entries) -> np.ndarray:
    """A differentiable loss with the prescribed slopes exists: equal margins, equal slopes."""
    answers = []
    for number, case in enumerate(scene.cases):
        good = True
        if case.loss == PRESCRIBED and len(set(case.slopes)) > 1:
            good = not _ties_with_unequal_slopes(scene, number, case)
        answers.append(good)
    return np.asarray(np.array(answers, dtype=bool)[entries.owner], dtype=bool)


def _ties_with_unequal_slopes(scene: Scene, number: int, case: Case) -> bool:
    margins = scene.value[number : number + 1] * scene.labels[number : number + 1]
    for i in range(case.example_count):
        for j in range(i):
            difference = margins[:, i] - margins[:, j]
            if case.slopes[i] != case.slopes[j] and scene.arithmetic.may_be_zero(difference)[0]:
                return True
    return False


DIFFERENTIABLE_LOSS = Hypothesis(
    "differentiable loss (Assumption 3)",
    r"the loss $\ell$ is differentiable everywhere",
    _loss_exists,
    lambda case, random: with_one_loss(case),
    broken_loss,
)


def _signs_stay(case: Case) -> bool:
    """Every learnable weight is non-zero (so its sign stays for a while), or enters a dormant
    vertex, where it is 0 and stays 0."""
    network = case.network
    asleep = {network.index[name] for name in case.choice.get("dormant", ())}
    return all(
        weight != 0 or all(network.heads[e] in asleep for e in edges)
        for weight, edges in zip(case.weights, network.edges_of_parameter, strict=True)
    )


STABLE_SIGNS = Hypothesis(
    "stable signs (Assumption 1)",
    r"$\mathrm{sgn}(w(t))$ is constant on the time interval considered",
    by_case(_signs_stay),
    nonzero_weights,
    zero_weight,
)

NONZERO_WEIGHTS = Hypothesis(
    "no zero weight",
    r"signs of the weights constant near $w$: no weight is 0",
    by_case(lambda case: 0 not in (*case.weights, *case.network.fixed)),
    nonzero_weights,
    zero_weight,
)


def _no_kink(scene: Scene, entries: Entries) -> np.ndarray:
    kinked = scene.evaluation.kinks.any(axis=1)
    bad = np.zeros(len(scene.union.networks), dtype=bool)
    np.logical_or.at(bad, scene.union.vertex_owner, kinked)
    return np.asarray(~bad[entries.owner], dtype=bool)


def _no_kink_nor_selection(scene: Scene, entries: Entries) -> np.ndarray:
    """No kink, not even one at which a dormant or sliding vertex has been given its slope."""
    answers = _no_kink(scene, entries)
    for number in scene.slides:
        answers = answers & (entries.owner != number)
    if scene.dormant is None:
        return answers
    selected = scene.dormant & scene.arithmetic.may_be_zero(scene.pre).any(axis=1)
    bad = np.zeros(len(scene.union.networks), dtype=bool)
    np.logical_or.at(bad, scene.union.vertex_owner, selected)
    return np.asarray(answers & ~bad[entries.owner], dtype=bool)


DIFFERENTIABLE = Hypothesis(
    "differentiable",
    r"$\nu$ is differentiable at $w$ on every example",
    _no_kink_nor_selection,
    break_=onto_a_kink,
)

FLOW_SELECTION = Hypothesis(
    "gradient flow",
    r"$\dot w\in-\partial\mathcal R(w)$, with the Clarke element that the flow selects: where no "
    r"pre-activation is at a kink the gradient; at a ReLU vertex whose in-weights are all 0 also "
    r"the element with slope 0 there, since its in-weights then stay 0 for all time; where a "
    r"single preactivation is 0 on one example and both branches push towards it, the element "
    r"under which it stays 0: there the flow slides",
    lambda scene, entries: (
        _no_kink(scene, entries) & (_dormant_sound(scene) & _undecayed(scene))[entries.owner]
    ),
    into_a_slide,
    break_=weight_decay,
)


def _undecayed(scene: Scene) -> np.ndarray:
    """For each case whether its velocity is that of gradient flow."""
    return np.array(["weight_decay" not in case.choice for case in scene.cases], dtype=bool)


def _dormant_sound(scene: Scene) -> np.ndarray:
    """For each case whether its dormant vertices are what they say: ReLU, all in-weights 0, and
    the direction leads to negative pre-activations on every example."""
    return np.array(
        [_dormant_case(scene, number, case) for number, case in enumerate(scene.cases)], dtype=bool
    )


def _dormant_case(scene: Scene, number: int, case: Case) -> bool:
    network = case.network
    direction = {k: Fraction(v) for k, v in case.choice.get("direction", {}).items()}
    for name in case.choice.get("dormant", ()):
        vertex = network.index[name]
        if network.activations[vertex].kind != "relu":
            return False
        total = None
        for e in network.in_edges[vertex]:
            p = network.parameter_of[e]
            if p == FIXED or case.weights[p] != 0 or not network.own_parameter(e):
                return False
            step = scene.arithmetic.array([direction.get(network.parameter_names[p], 0)])
            row = scene.post[[network.tails[e] + int(scene.union.vertex_offset[number])]]
            total = step[:, None] * row if total is None else total + step[:, None] * row
        if total is None or not scene.arithmetic.is_negative(total).all():
            return False
    return True


# pairs and layers ------------------------------------------------------------------------------
def _pattern(scene: Scene, *, leaky: bool) -> np.ndarray:
    """(V, n): the activation of each neuron by the printed rule: 0 where ReLU (or, by reading B,
    leaky ReLU) with negative pre-activation, else 1."""
    kinds = [a.kind for net in scene.union.networks for a in net.activations]
    gated = np.array([kind == "relu" or (leaky and kind == "leaky_relu") for kind in kinds])
    return np.asarray(~(gated[:, None] & scene.arithmetic.is_negative(scene.pre)), dtype=bool)


@cache
def equal_patterns(reading: str) -> Hypothesis:
    """Lemma 2's condition on a pair; reading A leaves leaky ReLU out, B gives it a pattern.

    By reading A, away from kinks, it makes the slopes of the two vertices equal; not by B.
    """
    allowed = ("linear", "relu") if reading == "A" else ("linear", "relu", "leaky_relu")

    def test(scene: Scene, entries: Entries) -> np.ndarray:
        pattern = _pattern(scene, leaky=reading == "B")
        u, v = entries.subjects[:, 0], entries.subjects[:, 1]
        kinds = [a.kind in allowed for net in scene.union.networks for a in net.activations]
        inside = np.array(kinds)
        same = np.equal(pattern[u], pattern[v]).all(axis=1)
        return np.asarray(inside[u] & inside[v] & same, dtype=bool)

    return Hypothesis(
        "equal activation patterns",
        r"on each example $u$ and $v$ have the same activation: $0$ if ReLU with negative "
        r"preactivation, $1$ if linear or with nonnegative preactivation"
        + ("" if reading == "A" else "; a leaky ReLU neuron is treated like a ReLU neuron"),
        test,
        copy_in_weights,
        opposite_in_weights,
    )


def layers(reading: str) -> Hypothesis:
    """F and F' are layers by a reading of Definition 7, and all their weights are learnable."""

    def good(case: Case) -> bool:
        from graphs.layers import is_layer

        network = case.network
        for layer in case.choice.get("layers", ((), ())):
            edges = [network.edge_between(tail, head) for tail, head in layer]
            if not edges or not all(network.own_parameter(e) for e in edges):
                return False
            if not is_layer(network, edges, reading):
                return False
        return True

    def choose(case: Case, random: Random) -> Case:
        from verify.transformations import random_layers

        return random_layers(case, reading, random)

    test = by_case(good, "network", "choice")
    test.__dict__["layers"] = reading
    return Hypothesis(
        "two layers",
        r"$F$ and $F'$ are layers (Definition 7"
        + (
            ": no path contains two of the edges, and the underlying undirected graph of "
            r"$(V,E\setminus F)$ has more than one component)"
            if reading == "A"
            else r": no path contains two of the edges, and no directed path from $I$ to $o$ "
            r"remains in $(V,E\setminus F)$)"
        )
        + ", all their weights learnable",
        test,
        choose,
        random_edge_sets,
    )


# Lemma 4 ----------------------------------------------------------------------------------------
def _active_and_inactive(scene: Scene, entries: Entries) -> np.ndarray:
    u, v = entries.subjects[:, 0], entries.subjects[:, 1]
    positive: np.ndarray = np.asarray(scene.arithmetic.is_negative(-scene.pre)).min(axis=1)
    negative: np.ndarray = np.asarray(scene.arithmetic.is_negative(scene.pre)).min(axis=1)
    return np.asarray((positive[u] & negative[v]) | (positive[v] & negative[u]), dtype=bool)


ACTIVE_AND_INACTIVE = Hypothesis(
    "one active, one inactive",
    r"$z_u>0>z_v$ on every example",
    _active_and_inactive,
)


def _active_then_inactive(scene: Scene, entries: Entries) -> np.ndarray:
    u, v = entries.subjects[:, 0], entries.subjects[:, 1]
    positive: np.ndarray = np.asarray(scene.arithmetic.is_negative(-scene.pre)).min(axis=1)
    negative: np.ndarray = np.asarray(scene.arithmetic.is_negative(scene.pre)).min(axis=1)
    return np.asarray(positive[u] & negative[v], dtype=bool)


U_ACTIVE_V_INACTIVE = Hypothesis(
    "u active, v inactive",
    r"$z_u>0>z_v$ on every example",
    _active_then_inactive,
    turned_in_weights,
    same_in_weights,
)


def _is_relu(scene: Scene) -> np.ndarray:
    return np.array([a.kind == "relu" for net in scene.union.networks for a in net.activations])


RELU_PAIR = Hypothesis(
    "ReLU neurons between the layers",
    r"the neurons between the two layers are ReLU",
    lambda scene, entries: np.asarray(_is_relu(scene)[entries.subjects].all(axis=1), dtype=bool),
    lambda case, random: map_inner_activations(case, lambda a: RELU),
    lambda case, random: map_inner_activations(case, lambda a: LINEAR),
)

__all__ = [
    "ACTIVE_AND_INACTIVE",
    "BIAS_FREE",
    "DATA",
    "DIFFERENTIABLE",
    "DIFFERENTIABLE_LOSS",
    "FEEDFORWARD",
    "FLOW_SELECTION",
    "FULLY_CONNECTED",
    "HOMOGENEOUS",
    "INCIDENT_LEARNABLE",
    "LABELS",
    "NONZERO_WEIGHTS",
    "OWN_PARAMETERS",
    "PAIR_EXISTS",
    "RELU_OR_LINEAR",
    "RELU_PAIR",
    "STABLE_SIGNS",
    "U_ACTIVE_V_INACTIVE",
    "Hypothesis",
    "asks_cases",
    "asks_network",
    "by_case",
    "equal_patterns",
    "layers",
    "random_rational",
    "unchanged",
]
