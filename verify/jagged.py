"""Jagged paths: for a pair (u, v) with equal neighbourhoods, what a path through u and its mirror
image through v make when their halves are exchanged.

A path through u is p1, au, ub, p2 with p1 from an input to a and p2 from b to the output. Its
mirror image is p1, av, vb, p2. The jagged paths p1, av, ub, p2 and p1, au, vb, p2 are not paths of
the network: they jump between u and v.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphs.arithmetic import Array
from graphs.paths import PADDING
from verify.vocabulary import Scene


@dataclass(frozen=True)
class Mirrored:
    """The M paths through the first vertex of a pair beside their mirror images.

    pair: (M,) pair numbers, as in Scene.pairs. paths: (2, M) the path through u and the one through
    v. into: (2, M) the edges au and av. out_of: (2, M) the edges ub and vb.
    """

    pair: np.ndarray
    paths: np.ndarray
    into: np.ndarray
    out_of: np.ndarray

    def __len__(self) -> int:
        return len(self.pair)


def mirrored(scene: Scene) -> Mirrored:
    """All of them, for every pair of the scene whose neighbourhoods are equal (for others there
    are no mirror images). Raises TooManyPathsError: see Scene.paths."""
    table = scene.paths.edges
    number = {row.tobytes(): k for k, row in enumerate(table)}
    parts = [np.zeros((7, 0), dtype=np.int64)]
    into, out_of = scene.pairs.into, scene.pairs.out_of
    for pair in np.flatnonzero(scene.pairs.equal):
        image = np.arange(scene.union.edge_count)
        for first, second, which in (into, out_of):
            image[first[which == pair]] = second[which == pair]
        rows, columns = np.nonzero(np.isin(table, into[0][into[2] == pair]))
        through = table[rows]
        images = np.where(through == PADDING, PADDING, image[through])
        found = [number[row.tobytes()] for row in np.ascontiguousarray(images)]
        entering, leaving = (through[np.arange(len(rows)), columns + k] for k in (0, 1))
        pairs = np.full(len(rows), pair)
        fields = [pairs, rows, found, entering, image[entering], leaving, image[leaving]]
        parts.append(np.array(fields, dtype=np.int64).reshape(7, -1))
    joined = np.concatenate(parts, axis=1)
    return Mirrored(joined[0], joined[1:3], joined[3:5], joined[5:7])


def without_halves(scene: Scene, at: Mirrored, factors: Array) -> Array:
    """(M,): the product of `factors` (E,) over p1 and p2, the edges at u left out."""
    rows = scene.paths.edges[at.paths[0]]
    kept = (rows != PADDING) & (rows != at.into[0][:, None]) & (rows != at.out_of[0][:, None])
    result = scene.arithmetic.array([1] * len(at))
    for place, column in enumerate(rows.T):
        chosen = np.flatnonzero(kept[:, place])
        if len(chosen):
            result[chosen] = result[chosen] * factors[column[chosen]]
    return result


def active_into(scene: Scene) -> Array:
    """(V, n): for each vertex the sum over the paths from the inputs to it, on which every vertex
    is active, of x_p times the product of the weights: one pass, no path is enumerated."""
    union, weights = scene.union, scene.weights[:, None]
    result = scene.arithmetic.zeros((union.vertex_count, scene.n))
    is_input = np.ones(union.vertex_count, dtype=bool)
    is_input[union.heads] = False
    result[is_input] = scene.post[is_input]
    for level in union.levels:
        flow = weights[level.edges] * result[union.tails[level.edges]]
        sums = scene.arithmetic.sum_at(flow, level.slot, len(level.vertices))
        result[level.vertices] = sums * scene.activity[level.vertices]
    return result


def active_onward(scene: Scene) -> Array:
    """(V, n): for each vertex the sum over the paths from it to the output, on which every vertex
    is active, of the product of the weights."""
    union, weights = scene.union, scene.weights[:, None]
    result = scene.arithmetic.zeros((union.vertex_count, scene.n))
    result[union.outputs] = scene.activity[union.outputs]
    for level in reversed(union.levels):
        tails = union.tails[level.edges]
        onward = weights[level.edges] * result[union.heads[level.edges]] * scene.activity[tails]
        scene.arithmetic.add_at(result, tails, onward)
    return result


def jagged_sum(scene: Scene, at_paths: Array, factors: Array, *, takes: str) -> Array:
    """(K,): for each pair the sum over its jagged paths of the product of `factors` (E,) along the
    jagged path times what `at_paths` (Pi,) has for a path of the network.

    takes: whose number a jagged path takes. "end": that of the path which its second half is part
    of (p1, av, ub, p2 takes that of the path through u); "start": that of the path which its first
    half is part of.
    """
    at = mirrored(scene)
    rest = without_halves(scene, at, factors)
    to_u = factors[at.into[1]] * factors[at.out_of[0]]  # p1, av, ub, p2
    to_v = factors[at.into[0]] * factors[at.out_of[1]]  # p1, au, vb, p2
    through_u, through_v = at_paths[at.paths[0]], at_paths[at.paths[1]]
    if takes == "end":
        terms = rest * (to_u * through_u + to_v * through_v)
    else:
        terms = rest * (to_v * through_u + to_u * through_v)
    return scene.arithmetic.sum_at(terms, at.pair, len(scene.pairs))
