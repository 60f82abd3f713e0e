"""One family of semi-orthonormal matrices for all layers: how near its products can come.

The sum of |W_l - V_l V_(l-1)^T|^2 over the layers is least where the sum of tr V_l^T W_l V_(l-1) is
largest, a chain in which each V_l occurs twice. No minimum over products of Stiefel manifolds is
computed. From below it is bounded by pairs of neighbours: with G = [A^T; B] stacked,
tr V^T A V' + tr V^T B^T V'' <= |A^T V|_* + |B V|_* <= (2 k sum_(i<=k) s_i(G)^2)^(1/2),
which is attained for k = 1 between layers of width 1 and neighbours of the same norm. From above it
is bounded by a family that is known.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import ceil

import numpy as np

from graphs import reals
from graphs.arithmetic import Array
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.some_entries import kept
from verify.papers.j23.theorem6_measures import (
    budget,
    by_k,
    has_k_columns,
    layers,
    rank_number,
    selected,
    to_carried_family,
    to_free_pair,
    total,
)


# choices among numbers ----------------------------------------------------------------------------
def larger(scene: RealScene, one: Array, other: Array) -> Array:
    """(C,): the larger. Exactly, an enclosure of it, so that equal numbers cost nothing."""
    if scene.plain_floats:
        return scene.arithmetic.maximum(one, other)
    return np.asarray(np.frompyfunc(reals.larger, 2, 1)(one, other), dtype=object)


def smaller(scene: DeepScene, one: Array, other: Array) -> Array:
    """(C,): the smaller."""
    return -larger(scene, -one, -other)


def in_order(scene: DeepScene, values: list[Array]) -> list[Array]:
    """The same numbers of each case, the smallest first."""
    found = list(values)
    for last in range(len(found) - 1, 0, -1):
        for k in range(last):
            one, two = found[k], found[k + 1]
            found[k], found[k + 1] = smaller(scene, one, two), larger(scene, one, two)
    return found


def needed_layers(scene: DeepScene) -> np.ndarray:
    """(C,): how many layers are at least (1 - p) L, from 1 to L for p inside (0, 1)."""
    depth = scene.depth
    counts = [ceil((1 - case.number("p")) * depth) for case in scene.cases]
    return np.clip(counts, 1, depth)


def needed(scene: DeepScene, values: list[Array]) -> Array:
    """(C,): of numbers of the layers the one that must be small for enough layers to be."""
    return selected(scene, in_order(scene, values), needed_layers(scene) - 1)


# chains -------------------------------------------------------------------------------------------
def pair_bound(scene: DeepScene, before: Array, behind: Array) -> Array:
    """(C,): no V, V', V'' have tr V^T A V' + tr V^T B^T V'' above it."""
    stacked = scene.above(scene.transpose(before), behind)

    def bound(k: int) -> Array:
        values = [scene.singular_value(stacked, number) for number in range(1, k + 1)]
        squares = [value * value for value in values] or [scene.constant(0)]
        return scene.sqrt(scene.share(total(squares), 2 * k))

    return by_k(scene, bound)


def pair_costs(scene: DeepScene) -> list[Array]:
    """(C,) for each l < L: at least so large are the terms of the layers l and l + 1 together."""
    found = []
    for layer, (one, two) in enumerate(pairwise(scene.weights), start=1):
        squares = scene.weight_square(layer) + scene.weight_square(layer + 1)
        most = pair_bound(scene, one, two)
        found.append(squares + scene.share(rank_number(scene), 2) - scene.share(most, 2))
    return found


def least_sum(scene: DeepScene) -> Array:
    """(C,): at least so large is the sum over the layers, for any family."""
    single = [to_free_pair(scene, layer) for layer in layers(scene)]
    pairs = pair_costs(scene)
    best = [scene.constant(0), single[0]]
    for number, pair in enumerate(pairs, start=1):
        best.append(larger(scene, best[number] + single[number], best[number - 1] + pair))
    return best[-1]


def least_needed(scene: DeepScene) -> Array:
    """(C,): for any family, some of every ceil((1 - p) L) layers has a term at least so large."""
    single = [to_free_pair(scene, layer) for layer in layers(scene)]
    halves = [scene.share(pair, Fraction(1, 2)) for pair in pair_costs(scene)]
    best = _least_worst(scene, single, halves)
    return selected(scene, best[1:], needed_layers(scene) - 1)


Least = list[Array]  # by the number of layers chosen, from 0 on


def _least_worst(scene: DeepScene, single: Least, halves: Least) -> Least:
    """For each number of layers the least over all choices of so many layers of the largest bound:
    of a chosen layer, and of two chosen neighbours the half of what they have together.

    Layer by layer: the best choices without the last layer, and with it.
    """
    without: Least = [scene.constant(0)]
    together: Least = []  # of one layer at least
    for layer, own in enumerate(single):
        chosen = [larger(scene, value, own) for value in without]
        if layer:
            pair = larger(scene, own, halves[layer - 1])
            beside = [larger(scene, value, pair) for value in together]
            chosen = [chosen[0], *_least(scene, chosen[1:], beside)]
        without = [without[0], *_least(scene, without[1:], together)]
        together = chosen
    return [without[0], *_least(scene, without[1:], together)]


def _least(scene: DeepScene, one: Least, other: Least) -> Least:
    """The smaller of two at each number that both have, else the one that is there."""
    both = [smaller(scene, a, b) for a, b in zip(one, other, strict=False)]
    return both + one[len(both) :] + other[len(both) :]


# what is claimed of one family --------------------------------------------------------------------
def decided(scene: DeepScene, bound: Array, least: Array, known: Callable[[], Array]) -> Entries:
    """bound - least where that is below 0; else bound - known, for a family that is known, where
    that is not; else there is no entry. In floats, which decide nothing, the former."""
    entries = scene.compare(bound, least)
    good = has_k_columns(scene)
    if scene.plain_floats:
        return kept(entries, good)
    refuted = np.asarray(entries.values < 0, dtype=bool)
    if not refuted.all():
        family = scene.compare(bound, known())
        holds = ~refuted & np.asarray(family.values >= 0, dtype=bool)
        entries.values[holds] = family.values[holds]
        good = good & (refuted | holds)
    else:
        good = good & refuted
    return kept(entries, good)


def one_family_sum(scene: DeepScene) -> Entries:
    """c_1 - 2 log|Jf|_+ minus the sum of |W_l - V_l V_(l-1)^T|^2."""
    return decided(
        scene,
        budget(scene),
        least_sum(scene),
        lambda: total([to_carried_family(scene, layer) for layer in layers(scene)]),
    )


def one_family_count(scene: DeepScene) -> Entries:
    """c_1 - 2 log|Jf|_+ minus p L times the term that must be small for (1 - p) L layers to be."""
    return decided(
        scene,
        budget(scene),
        _by_p(scene, least_needed(scene)),
        lambda: by_p(scene, [to_carried_family(scene, layer) for layer in layers(scene)]),
    )


def _by_p(scene: DeepScene, values: Array) -> Array:
    return scene.share(values * scene["p"], scene.depth)


# free pairs and the matrices of a part ------------------------------------------------------------
def by_p(scene: DeepScene, values: list[Array]) -> Array:
    """(C,): p L times the number that must be small for (1 - p) L layers to be."""
    return _by_p(scene, needed(scene, values))
