"""Functions of BN-rank 1 that fit data: Section 4.1 and the first steps of Theorem 10's proof.

A network with a layer of width 1 is such a function, h after g with a real-valued g. The outputs
are those of the network, y_i = f(x_i): with distinct inputs there is always an f* that has these
values, of Jacobian rank k* where there is room for it. Some networks are made from outputs: a
projection to a line, a chain of width 1, and hinges through the outputs in the order of the line.
At a kink the slope of the activation is 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.matrices import rank as rank_of
from verify.cases.hypotheses import unchanged
from verify.kinds.deep.changes import with_number
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep, deep, tensor_of, width_axis
from verify.kinds.deep.pool import gaussian, pool
from verify.language.building import (
    Each,
    Prod,
    Some,
    between,
    card,
    examples,
    frob2,
    log,
    matrix,
    norm,
    rank,
)
from verify.language.terms import Term
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    DISTINCT,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    Index,
    K,
    activations,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.quantities import Numbers, dot, minus
from verify.statements.stated import Given, stated, unless

PROOF = "proof of Theorem 19, "


def vectors(rows: Any) -> list[list[Fraction]]:
    """Rows of rationals as fractions."""
    return [[as_fraction(value) for value in row] for row in rows]


def direction(points: Sequence[Numbers]) -> list[Fraction]:
    """A direction (1, b, b^2, ...) in which different points have different coordinates: two points
    agree for less than n of the integers b."""
    width = len(points[0])
    different = [minus(one, other) for one, other in combinations(points, 2) if one != other]
    enough = range(1, width * len(different) + 2)
    powers = ([Fraction(b) ** k for k in range(width)] for b in enough)
    return next(found for found in powers if all(dot(found, step) for step in different))


# BN-rank 1 ----------------------------------------------------------------------------------------
def narrowed(case: Deep, random: Random) -> Deep:
    """One neuron of a hidden layer is left, or of the inputs or outputs."""
    layer = random.choice(range(1, case.depth) or range(case.depth + 1))
    axis = width_axis(layer)
    kept = random.randrange(case.widths[layer])
    for index in reversed(range(case.widths[layer])):
        if index != kept:
            arrays = {name: array.without(axis, index) for name, array in case.arrays.items()}
            case = Deep(arrays, case.choice, case.family)
    return case


def widened(case: Deep, random: Random, layers: Collection[int] | None = None) -> Deep:
    """Every layer of width 1, or of these layers, gets a second neuron."""
    for layer, size in enumerate(case.widths):
        if size == 1 and (layers is None or layer in layers):
            arrays = dict(case.arrays)
            for name, array in case.arrays.items():
                for place, axis in enumerate(array.axes):
                    if axis == width_axis(layer):
                        old = np.array(array.entries, dtype=object).reshape(array.shape)
                        more = np.array([gaussian(random) for _ in array.entries], dtype=object)
                        both = np.concatenate([old, more.reshape(array.shape)], axis=place)
                        arrays[name] = tensor_of(array.axes, both)
            case = Deep(arrays, case.choice, case.family)
    return case


# outputs on a path, at any scale ------------------------------------------------------------------
def interpolant(
    points: Sequence[Numbers], outputs: Sequence[Numbers], depth: int, scale: Fraction
) -> Deep:
    """A network of depth 3 or more with one neuron in all but the last hidden layer, and N - 1
    hinges in that, through the outputs (N, n_L) at distinct points (N, n_0). scale: of the hinges
    against the last weights."""
    along = direction(points)
    heights = [dot(along, x) for x in points]
    order = sorted(range(len(points)), key=heights.__getitem__)
    start = heights[order[0]] - 1  # so that the neuron is at 1 or more at all points
    knots = [heights[i] - start for i in order]
    values = [outputs[i] for i in order]
    slopes = [
        [(b - a) / (after - before) for a, b in zip(one, other, strict=True)]
        for (before, one), (after, other) in pairwise(zip(knots, values, strict=True))
    ]
    changes = [minus(s, p) for p, s in pairwise([[Fraction(0)] * len(values[0]), *slopes])]
    last = [list(column) for column in zip(*changes, strict=True)]
    weights = [
        [along],
        *[[[1]] for _ in range(depth - 3)],
        [[scale] for _ in changes],
        [[entry / scale for entry in row] for row in last],
    ]
    biases = [
        [-start],
        *[[0] for _ in range(depth - 3)],
        [-scale * knot for knot in knots[:-1]],
        values[0],
    ]
    return deep(weights, biases, points, family="through outputs")


def _rescaled(case: Deep, factor: Fraction) -> Deep:
    """All weights times a factor, and biases so that each layer is times a power of it."""
    arrays = dict(case.arrays)
    for layer in range(1, case.depth + 1):
        for name, power in ((f"W{layer}", 1), (f"b{layer}", layer)):
            entries = tuple(entry * factor**power for entry in arrays[name].entries)
            arrays[name] = replace(arrays[name], entries=entries)
    return Deep(arrays, case.choice, case.family)


def _through_outputs(case: Deep, random: Random) -> Deep:
    """Now and then a network made from outputs at the points of the case, of any scale."""
    points = vectors(case.matrix("X"))
    if random.random() < 0.4 or len(points) < 2 or len({*map(tuple, points)}) < len(points):
        return case
    size = random.choice((Fraction(1, 64), Fraction(1, 4), Fraction(1), Fraction(4)))
    width = max(2, case.widths[-1])
    outputs = [[gaussian(random) * size for _ in range(width)] for _ in points]
    scale = random.choice((Fraction(1, 4), Fraction(1), Fraction(2)))
    made = interpolant(points, outputs, max(3, case.depth), scale)
    made = _rescaled(made, random.choice((Fraction(1, 8), Fraction(1, 2), Fraction(1))))
    more = {name: array for name, array in case.arrays.items() if name in ("k", "gap")}
    return Deep({**made.arrays, **more}, case.choice, made.family)


# what is supposed ---------------------------------------------------------------------------------
N = card(examples())


def outputs_apart(i: Index, j: Index) -> Term:
    """y_i - y_j."""
    return activations(DEPTH, i) - activations(DEPTH, j)


def inputs_apart(i: Index, j: Index) -> Term:
    """x_i - x_j."""
    return activations(0, i) - activations(0, j)


DIMENSION = rank(matrix(N, width(DEPTH), lambda i, j: outputs_apart(i, 1)[j]))
"""Of the affine span of the outputs."""


def _dimension(case: Deep) -> int:
    outputs = case.exact.outputs
    return int(rank_of(outputs - outputs[0]))


def _k_as_spanned(case: Deep, random: Random) -> Deep:
    return with_number(case, "k", max(2, _dimension(case)))


def _k_beyond(case: Deep, random: Random) -> Deep:
    return with_number(case, "k", _dimension(case) + 1)


HAS_BOTTLENECK = Some(between(0, DEPTH), lambda m: width(m) == 1)
BN_RANK_ONE = Given(
    "BN-rank 1",
    HAS_BOTTLENECK,
    r"$f_\theta$ has BN-rank 1: here some layer has width 1",
    unless(HAS_BOTTLENECK, lifted(narrowed)),
    lifted(widened),
)
SPREAD = Given(
    "outputs of dimension k*",
    (K >= 2) & (K <= DIMENSION),
    r"the $y_i=f^*(x_i)$ span an affine space of dimension $k^*\ge2$, as outputs sampled from a "
    r"$k^*$-dimensional distribution do",
    lifted(_k_as_spanned),
    lifted(_k_beyond),
)
ROOM = Given(
    "room for k*",
    width(0) >= K,
    r"$k^*\le d_{in}$, so that there is an $f^*$ of Jacobian rank $k^*$ with these values",
    unchanged,
    lifted(lambda case, random: with_number(case, "k", case.widths[0] + 1)),
)
FITS = layered_pool(
    pool(depths=(3, 3, 4), points=(3, 4), whole=(("k", 2, 3),), last=_through_outputs)
)
FROM_DATA = (FULLY_CONNECTED, SLOPE, DISTINCT, BN_RANK_ONE, SPREAD, ROOM)


# a point with a large Jacobian, at any scale ------------------------------------------------------
SMALLER = r"a network with smaller last weights fits $f^*/8$"
STEEP_POINT = stated(
    "j23.thm10.layers.point@A",
    printed(PROOF + "fourth paragraph, from Theorem 2 of [10]"),
    "a point with a large Jacobian",
    r"There must be a point $x\in\Omega$ with $\lVert Jf_\theta(x)\rVert_{op}\ge "
    r"N^{1-\frac1k}$ (for an $f_\theta$ of BN-rank 1 that fits the training set).",
    Prod(ALL, lambda m: frob2(weight(m))) ** K >= N ** (2 * K - 2),
    FROM_DATA,
    depends=("j23.r1rank1",),
    pool=FITS,
    reading="A",
    reading_text=r"$k=k^*$",
    through=r"no Jacobian is larger than the product of the norms $\lVert W_\ell\rVert_F$ "
    "(docs/mathematics/j23.md#scales)",
    why=f"a constant that depends on $f^*$ is missing: {SMALLER}, with a Jacobian that is smaller",
)


# the lower bound on c_1 ---------------------------------------------------------------------------
LEAST_C1 = PARAMETER_SQUARE - DEPTH
LOWER = stated(
    "j23.c1range.lower",
    printed("Section 4.1, after Theorem 10"),
    "range of c_1: lower bound",
    r"On the one hand $c_1\ge R^{(1)}(f_\theta)\ge2(1-\frac1{k^*})\log N$: here "
    r"$c_1=\lVert\theta\rVert^2-L\ge2(1-\frac1{k^*})\log N$.",
    2 * (1 - 1 / K) * log(N) <= LEAST_C1,
    FROM_DATA,
    depends=("j23.r1rank1",),
    pool=FITS,
    why=f"$N$ alone does not know the scale of $f^*$: {SMALLER}, and its $c_1$ is smaller",
)


def _steep(i: Term, j: Term) -> Term:
    """Of two inputs that differ, and so do their outputs."""
    return 2 * log(norm(outputs_apart(i, j)) / norm(inputs_apart(i, j))) <= LEAST_C1


LOWER_REPAIRED = stated(
    "j23.c1range.lower.fix",
    printed("Section 4.1, after Theorem 10"),
    "range of c_1: lower bound, repaired",
    r"$c_1=\lVert\theta\rVert^2-L\ge2\log\frac{\lVert y_i-y_j\rVert}{\lVert x_i-x_j\rVert}$ for "
    r"all pairs of data: the bound by $N$ holds up to a constant that depends on the scale of "
    r"$f^*$.",
    Each(examples(), lambda i: Each(between(i + 1, N), lambda j: _steep(i, j))),
    (FULLY_CONNECTED, SLOPE),
    depends=("j23.r1rank1",),
    pool=layered_pool(pool(depths=(1, 2, 2, 3, 3, 4), points=(2,))),
    repairs="j23.c1range.lower",
)

CLAIMS = (STEEP_POINT, LOWER, LOWER_REPAIRED)
