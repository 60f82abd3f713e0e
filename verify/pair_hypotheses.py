"""Hypotheses about pairs of vertices with equal neighbourhoods, and about two layers."""

from __future__ import annotations

from random import Random

import numpy as np

from verify.breaks import (
    opposite_in_weights,
    random_edge_sets,
    unequal_pair,
)
from verify.case import Case
from verify.hypotheses import Hypothesis, by_case
from verify.transformations import (
    copy_in_weights,
    twin,
)
from verify.vocabulary import Entries, Scene

PAIR_EXISTS = Hypothesis(
    "equal neighbourhoods",
    r"$\mathrm{IN}_u=\mathrm{IN}_v$ and $\mathrm{OUT}_u=\mathrm{OUT}_v$",
    lambda scene, entries: scene.pairs.equal.copy(),
    twin,
    unequal_pair,
)


def _equal_patterns(scene: Scene, entries: Entries) -> np.ndarray:
    """By the printed rule: 0 where ReLU with negative pre-activation, else 1, and nothing of
    others than ReLU and linear vertices."""
    kinds = [a.kind for net in scene.union.networks for a in net.activations]
    gated = np.array([kind == "relu" for kind in kinds])[:, None]
    inside = np.array([kind in ("linear", "relu") for kind in kinds])
    pattern = ~(gated & scene.arithmetic.is_negative(scene.pre))
    u, v = entries.subjects[:, 0], entries.subjects[:, 1]
    same = np.equal(pattern[u], pattern[v]).all(axis=1)
    return np.asarray(inside[u] & inside[v] & same, dtype=bool)


EQUAL_PATTERNS = Hypothesis(
    "equal activation patterns",
    r"on each example $u$ and $v$ have the same activation: $0$ if ReLU with negative "
    r"preactivation, $1$ if linear or with nonnegative preactivation",
    _equal_patterns,
    copy_in_weights,
    opposite_in_weights,
)
"""Lemma 2's condition on a pair. Away from kinks it makes the slopes of the two vertices equal."""


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
