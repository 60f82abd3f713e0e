"""Hypotheses about a network: its graph, its activations, which of its weights are learnable."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from graphs.activations import RELU, TANH, Activation
from graphs.network import Network
from verify.breaks import (
    add_bias,
    one_leaky,
    second_sink,
    skip_a_layer,
)
from verify.case import Case
from verify.hypotheses import Hypothesis, by_case
from verify.transformations import (
    freeze_edge,
    map_inner_activations,
    tie_edges,
)
from verify.vocabulary import Entries, Scene


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
