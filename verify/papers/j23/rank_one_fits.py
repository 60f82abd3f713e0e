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
from functools import reduce
from itertools import combinations, pairwise
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from graphs.matrices import rank
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import DIFFERENT, SLOPE, with_number
from verify.kinds.deep.networks import Deep, deep, tensor_of, width_axis
from verify.kinds.deep.pool import gaussian, pool
from verify.kinds.deep.scene import DeepScene
from verify.kinds.deep.segments import nearest_on_segment, steepest_piece
from verify.papers.j23.sources import printed
from verify.statements.quantities import Numbers, dot, each_case, minus, relation, square

Labelled = list[tuple[dict[str, Any], Any]]
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
    for layer, width in enumerate(case.widths):
        if width == 1 and (layers is None or layer in layers):
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


RANK_ONE = relation(
    "BN-rank 1",
    r"$f_\theta$ has BN-rank 1: here some layer has width 1",
    lambda case: min(case.widths) == 1,
    narrowed,
    widened,
)


# along a segment ----------------------------------------------------------------------------------
def segment_residual(scene: DeepScene) -> Entries:
    """The least, over the pairs of points, of the sum over i of the squared distance of y_i from
    the image of the segment between the pair."""

    def of_case(case: Deep) -> Labelled:
        pairs = list(combinations(range(case.lengths["N"]), 2)) or [(0, 0)]
        totals = (sum(nearest_on_segment(case, *pair), Fraction(0)) for pair in pairs)
        least = next(totals)
        for total in totals:
            if not least:
                break
            least = min(least, total)
        return [({}, least)]

    return each_case(of_case, scene)


SEGMENT = Claim(
    "j23.thm10.segment",
    Kind.IDENTITY,
    printed(PROOF + "second paragraph, following Theorem 2 of [10]"),
    "a segment through all outputs",
    r"The indices can be reordered so that the segment $[x_1,x_N]$ is mapped by $f_\theta$ to a "
    r"path that goes through $y_1,\dots,y_N$; one can define preimages $\tilde x_i$ of them on it.",
    (SLOPE, RANK_ONE),
    measure=segment_residual,
    pool=pool(depths=(1, 2, 2, 3, 3), points=(2, 3)),
    exact_only=True,
    negated="for no pair of points the segment between them is mapped through all outputs",
)


def steepest_on_segment(scene: DeepScene) -> Entries:
    """max over the pieces of [x_1, x_2] of |Jf|_op^2 |x_2 - x_1|^2, minus |y_2 - y_1|^2."""

    def of_case(case: Deep) -> Labelled:
        points, outputs = vectors(case.matrix("X")), vectors(case.exact.outputs[0])
        if len(points) < 2:
            return []
        first, second, *_ = range(len(points))
        step = square(minus(points[second], points[first]))
        rise = square(minus(outputs[second], outputs[first]))
        return [({}, steepest_piece(case, first, second) * rational(step) - rational(rise))]

    return each_case(of_case, scene)


STEEP = Claim(
    "j23.thm10.jac.a",
    Kind.INEQUALITY,
    printed(PROOF + "third paragraph"),
    "a point with a large Jacobian",
    r"On $[\tilde x_i,\tilde x_{i+1}]$ there must be a point $x$ with $\lVert Jf_\theta(x)"
    r"\rVert_{op}\ge\frac{\lVert y_{i+1}-y_i\rVert}{\lVert\tilde x_{i+1}-\tilde x_i\rVert}$.",
    (SLOPE,),
    ("j23.thm10.segment",),
    steepest_on_segment,
    pool(depths=(1, 2, 2, 3, 3), points=(2,)),
    exact_only=True,
)


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


def _dimension(case: Deep) -> int:
    """Of the affine span of the outputs."""
    outputs = case.exact.outputs[0]
    return int(rank(outputs[1:] - outputs[0])) if len(outputs) > 1 else 0


SPREAD = Hypothesis(
    "outputs of dimension k*",
    r"the $y_i=f^*(x_i)$ span an affine space of dimension $k^*\ge2$, as outputs sampled from a "
    r"$k^*$-dimensional distribution do",
    by_case(lambda case: 2 <= case.whole("k") <= _dimension(case)),
    lambda case, random: with_number(case, "k", max(2, _dimension(case))),
    lambda case, random: with_number(case, "k", _dimension(case) + 1),
)
ROOM = Hypothesis(
    "room for k*",
    r"$k^*\le d_{in}$, so that there is an $f^*$ of Jacobian rank $k^*$ with these values",
    by_case(lambda case: case.whole("k") <= case.widths[0]),
)


def steep_point(scene: DeepScene) -> Entries:
    """max_x |Jf(x)|_op^(2k) - N^(2k - 2), with k = k*. The maximum lies between those at the points
    given and the product of the |W_l|_F^(2k): there is an entry where one of these decides."""

    def of_case(case: Deep) -> Labelled:
        own, count, k = case.exact, case.lengths["N"], case.whole("k")
        needed = Fraction(count) ** (2 * k - 2)
        seen = max(as_fraction(own.frobenius_squared(own.jacobian(at))[0]) for at in range(count))
        layers = range(1, case.depth + 1)
        squares = (as_fraction(own.weight_square(layer)[0]) for layer in layers)
        above = reduce(lambda a, b: a * b, squares)
        if seen**k >= needed:
            return [({}, seen**k - needed)]
        return [({}, above**k - needed)] if above**k < needed else []

    return each_case(of_case, scene)


FITS = pool(depths=(3, 3, 4), points=(3, 4), whole=(("k", 2, 3),), last=_through_outputs)
FROM_DATA = (SLOPE, DIFFERENT, RANK_ONE, SPREAD, ROOM)


SMALLER = r"a network with smaller last weights fits $f^*/8$"
STEEP_POINT = Claim(
    "j23.thm10.layers.point@A",
    Kind.INEQUALITY,
    printed(PROOF + "fourth paragraph, from Theorem 2 of [10]"),
    "a point with a large Jacobian",
    r"There must be a point $x\in\Omega$ with $\lVert Jf_\theta(x)\rVert_{op}\ge "
    r"N^{1-\frac1k}$ (for an $f_\theta$ of BN-rank 1 that fits the training set).",
    FROM_DATA,
    ("j23.r1rank1",),
    steep_point,
    FITS,
    reading="A",
    reading_text=r"$k=k^*$",
    exact_only=True,
    why=f"a constant that depends on $f^*$ is missing: {SMALLER}, with a Jacobian that is smaller",
)


# the lower bound on c_1 ---------------------------------------------------------------------------
def norm_by_data(scene: DeepScene) -> Entries:
    """c_1 - 2 (1 - 1/k) log N."""
    cost = scene.parameter_square - scene.constant(scene.depth)
    counts = scene.log(scene.constant(scene.count))
    shares = scene.numbers([2 - Fraction(2, int(k) or 1) for k in scene.whole("k")])
    return scene.parts([({}, cost, counts * shares)])


def norm_by_slope(scene: DeepScene) -> Entries:
    """c_1 - 2 log(|y_i - y_j| / |x_i - x_j|), for each pair of points whose outputs differ."""

    def of_case(case: Deep) -> Labelled:
        inputs, outputs = vectors(case.matrix("X")), vectors(case.exact.outputs[0])
        cost = case.exact.parameter_square[0] - rational(case.depth)
        found: Labelled = []
        for i, j in combinations(range(len(inputs)), 2):
            rise, step = square(minus(outputs[i], outputs[j])), square(minus(inputs[i], inputs[j]))
            if rise and step:
                found.append(({"numbers": [i + 1, j + 1]}, cost - reals.log(rational(rise / step))))
        return found

    return each_case(of_case, scene)


LOWER = Claim(
    "j23.c1range.lower",
    Kind.INEQUALITY,
    printed("Section 4.1, after Theorem 10"),
    "range of c_1: lower bound",
    r"On the one hand $c_1\ge R^{(1)}(f_\theta)\ge2(1-\frac1{k^*})\log N$: here "
    r"$c_1=\lVert\theta\rVert^2-L\ge2(1-\frac1{k^*})\log N$.",
    FROM_DATA,
    ("j23.r1rank1",),
    norm_by_data,
    FITS,
    exact_only=True,
    why=f"$N$ alone does not know the scale of $f^*$: {SMALLER}, and its $c_1$ is smaller",
)
LOWER_REPAIRED = Claim(
    "j23.c1range.lower.fix",
    Kind.INEQUALITY,
    printed("Section 4.1, after Theorem 10"),
    "range of c_1: lower bound, repaired",
    r"$c_1=\lVert\theta\rVert^2-L\ge2\log\frac{\lVert y_i-y_j\rVert}{\lVert x_i-x_j\rVert}$ for "
    r"all pairs of data: the bound by $N$ holds up to a constant that depends on the scale of "
    r"$f^*$.",
    (SLOPE,),
    ("j23.r1rank1",),
    norm_by_slope,
    pool(depths=(1, 2, 2, 3, 3, 4), points=(2,)),
    repairs="j23.c1range.lower",
    exact_only=True,
)

CLAIMS = (SEGMENT, STEEP, STEEP_POINT, LOWER, LOWER_REPAIRED)
