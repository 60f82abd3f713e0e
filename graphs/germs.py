"""The Clarke subdifferential of a tree network in its inputs, exactly.

Near a point a piecewise-linear function coincides with one linear function on each of finitely many
cones, and the subdifferential is the convex hull of the gradients on those cones that have an
interior. In a tree the inputs below different children of a vertex are different, so the cones of
the children combine freely, and the gradients are found by one pass from the leaves to the output:
nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError, TooManyPathsError
from graphs.exact import evaluation_at
from graphs.network import Network

Gradient = tuple[Fraction, ...]
UP, DOWN = 1, -1
DEFAULT_CAP = 4096


@dataclass(frozen=True)
class Germ:
    """How the value of a vertex moves on one cone of directions.

    gradient: in the inputs of the network, in their order. signs: which signs the change of the
    value takes inside of the cone; empty where the value stays as it is.
    """

    gradient: Gradient
    signs: frozenset[int]


def limiting_gradients(
    tree: Network,
    weights: Sequence[Fraction],
    inputs: Sequence[Fraction],
    cap: int = DEFAULT_CAP,
) -> tuple[Gradient, ...]:
    """The gradients, in the inputs, of a tree network on the cones around a point.

    Their convex hull is the Clarke subdifferential there. weights: one for each parameter, none of
    them 0. inputs: the point.

    Raises NetworkError when the network is no tree or a weight is 0, TooManyPathsError when a
    vertex has more than `cap` cones.

    >>> from graphs.activations import RELU
    >>> from graphs.network import network
    >>> net = network([("x", "o")], inputs=["x"], outputs=["o"], activations={"o": RELU})
    >>> limiting_gradients(net, [Fraction(1)], [Fraction(0)])
    ((Fraction(0, 1),), (Fraction(1, 1),))
    """
    if any(len(edges) > 1 for edges in tree.out_edges) or len(tree.outputs) != 1:
        raise NetworkError(f"{tree} is no tree network: a vertex has several out-edges")
    edge_weights = tree.edge_weights(weights)
    if 0 in edge_weights:
        raise NetworkError(f"{tree} has a weight 0: directions need not reach every cone")
    pre = evaluation_at(tree, weights, [inputs]).pre[:, 0]
    width = len(inputs)
    germs: list[tuple[Germ, ...]] = []
    for v in range(tree.vertex_count):
        if v in tree.inputs:
            own = tuple(Fraction(i == v) for i in tree.inputs)
            germs.append((Germ(own, frozenset((UP, DOWN))),))
            continue
        edges = tree.in_edges[v]
        count = 1
        for e in edges:
            count *= len(germs[tree.tails[e]])
        if count > cap:
            raise TooManyPathsError(f"{count} cones at {tree.names[v]!r}: raise the cap")
        found = []
        for choice in product(*(germs[tree.tails[e]] for e in edges)):
            moved = _sum(choice, [edge_weights[e] for e in edges], width)
            found += _activated(moved, tree.activations[v].slopes, as_fraction(pre[v]))
        germs.append(tuple(dict.fromkeys(found)))
    return tuple(dict.fromkeys(germ.gradient for germ in germs[tree.outputs[0]]))


def _sum(choice: Sequence[Germ], weights: Sequence[Fraction], width: int) -> Germ:
    """The germ of a weighted sum of values that depend on different inputs."""
    terms = list(zip(choice, weights, strict=True))
    gradient = tuple(
        sum((w * germ.gradient[i] for germ, w in terms), Fraction(0)) for i in range(width)
    )
    return Germ(gradient, frozenset(s if w > 0 else -s for germ, w in terms for s in germ.signs))


def _activated(z: Germ, slopes: tuple[Fraction, Fraction], at: Fraction) -> list[Germ]:
    """The germs behind an activation whose pre-activation is `at` and moves like z."""
    if at != 0 or slopes[0] == slopes[1]:
        return [_scaled(z, slopes[at >= 0], z.signs)]
    if not z.signs:  # the pre-activation stays 0 all over this cone
        return [_scaled(z, Fraction(0), z.signs)]
    return [_scaled(z, slopes[sign > 0], frozenset((sign,))) for sign in sorted(z.signs)]


def _scaled(z: Germ, slope: Fraction, signs: frozenset[int]) -> Germ:
    turned = frozenset(s if slope > 0 else -s for s in signs) if slope else frozenset[int]()
    return Germ(tuple(slope * number for number in z.gradient), turned)
