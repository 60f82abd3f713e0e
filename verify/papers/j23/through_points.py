"""Paths through points, and functions through points: Theorem 10's first step, BN-rank 1 fits, and
approximations of higher rank (Section 3.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from random import Random
from typing import Any

import numpy as np

from graphs.matrices import rank
from graphs.reals import image_projection
from verify.claim import Claim, Kind
from verify.hypotheses import random_rational
from verify.papers.j23.sources import printed
from verify.quantities import (
    Numbers,
    dot,
    each_case,
    minus,
    number,
    pool,
    relation,
    root,
    rows_of,
    square,
    with_rows,
    with_value,
)
from verify.tensors import Tensors
from verify.vocabulary import Entries

Labelled = list[tuple[dict[str, Any], Any]]


# the shortest path --------------------------------------------------------------------------------
@cache
def orders(count: int) -> tuple[tuple[int, ...], ...]:
    """All paths through so many points, each in one of its two directions."""
    return tuple(order for order in permutations(range(count)) if order[0] < order[-1])


def squared_distances(points: Sequence[Numbers]) -> list[list[Fraction]]:
    """(N, N): |y_i - y_j|^2."""
    return [[square(minus(one, other)) for other in points] for one in points]


def two_nearest(squares: Sequence[Numbers]) -> list[tuple[Fraction, Fraction]]:
    """For each point the squares of d_1 and d_2, among the other points."""
    found = []
    for i, row in enumerate(squares):
        first, second, *_ = sorted(value for j, value in enumerate(row) if j != i)
        found.append((first, second))
    return found


def path_slack(scene: Any, *, without_ends: bool) -> Entries:
    """The length of a path minus sum_i (d_1 + d_2) / 2, for the path with the least difference;
    where so asked, the sum is without half of the d_2 of both ends."""

    def of_case(case: Tensors) -> Labelled:
        points = rows_of(case, "Y")
        if len(points) < 3:
            return []
        squares = squared_distances(points)
        nearest = two_nearest(squares)

        def slack(order: Sequence[int], take: Any) -> Any:
            total = sum((take(squares[i][j]) for i, j in pairwise(order)), Fraction(0))
            halves = [take(square) for pair in nearest for square in pair]
            if without_ends:
                halves += [-take(nearest[end][1]) for end in (order[0], order[-1])]
            return total - sum(halves, Fraction(0)) * Fraction(1, 2)

        least = min(orders(len(points)), key=lambda order: slack(order, _float_root))
        return [({}, slack(least, root))]

    return each_case(of_case, scene)


def _float_root(value: Fraction) -> float:
    return math.sqrt(value)


def path_printed(scene: Any) -> Entries:
    """As printed."""
    return path_slack(scene, without_ends=False)


def path_repaired(scene: Any) -> Entries:
    """Without half of the d_2 of both ends."""
    return path_slack(scene, without_ends=True)


def distinct(name: str) -> Any:
    """That the rows of an array differ."""

    def met(case: Tensors) -> bool:
        rows = [tuple(row) for row in rows_of(case, name)]
        return len(set(rows)) == len(rows)

    def moved(case: Tensors, random: Random) -> Tensors:
        rows = rows_of(case, name)
        for k, row in enumerate(rows):
            while row in rows[:k]:
                row[random.randrange(len(row))] += random.randint(-2, 2)
        return with_rows(case, name, rows)

    def same(case: Tensors, random: Random) -> Tensors:
        rows = rows_of(case, name)
        if len(rows) > 1:
            one, other = random.sample(range(len(rows)), 2)
            rows[one] = rows[other]
        return with_rows(case, name, rows)

    return relation(
        "distinct points", rf"the points ${name.lower()}_i$ are distinct", met, moved, same
    )


POINTS = pool(("Y", ("N", "k")), largest=5)
PATH_FROM = "proof of Theorem 19, first sentences"
PATH = Claim(
    "j23.thm10.path",
    Kind.INEQUALITY,
    printed(PATH_FROM),
    "shortest path through the outputs",
    r"With $d_{1,i},d_{2,i}$ the distances between $y_i$ and its closest and second closest point "
    r"in $y_1,\dots,y_N$, $N\ge3$, the shortest path that goes through all points must be at least "
    r"$\sum_{i=1}^N\frac{d_{1,i}+d_{2,i}}2$.",
    (distinct("Y"),),
    measure=path_printed,
    pool=POINTS,
    exact_only=True,
    why="the two ends of a path have one neighbour on it, not two",
)
PATH_REPAIRED = Claim(
    "j23.thm10.path.fix",
    Kind.INEQUALITY,
    printed(PATH_FROM),
    "shortest path through the outputs, repaired",
    r"The path through all points with ends $e,e'$ must be at least $\sum_{i=1}^N"
    r"\frac{d_{1,i}+d_{2,i}}2-\frac{d_{2,e}+d_{2,e'}}2$ long: an end has one neighbour on it.",
    measure=path_repaired,
    pool=POINTS,
    repairs="j23.thm10.path",
    exact_only=True,
)


# fitting with rank 1 ------------------------------------------------------------------------------
def direction(points: Sequence[Numbers]) -> list[Fraction]:
    """A direction (1, b, b^2, ...) in which different points have different coordinates: two points
    agree for less than n of the integers b."""
    width = len(points[0])
    different = [minus(one, other) for one, other in combinations(points, 2) if one != other]
    enough = range(1, width * len(different) + 2)
    powers = ([Fraction(b) ** k for k in range(width)] for b in enough)
    return next(found for found in powers if all(dot(found, step) for step in different))


def left_by_any(inputs: Sequence[Numbers], outputs: Sequence[Numbers]) -> list[Fraction]:
    """The least of max_i |f(x_i) - y_i|^2 over all f, for each two inputs that are equal."""
    pairs = combinations(zip(inputs, outputs, strict=True), 2)
    return [square(minus(y, w)) / 4 for (x, y), (z, w) in pairs if x == z]


def fit_residual(scene: Any) -> Entries:
    """max_i |h(g(x_i)) - y_i|^2 for a linear g into R and the piecewise linear h(t) = y_1 +
    sum_j (s_j - s_(j-1)) max(t - t_j, 0), whose slopes s_j join the outputs at t_j = g(x_j); for
    equal inputs with different outputs, the least that any function leaves."""

    def of_case(case: Tensors) -> Labelled:
        inputs, outputs = rows_of(case, "X"), rows_of(case, "Y")
        along = direction(inputs)
        values = {
            dot(along, x): np.array(y, dtype=object)
            for x, y in zip(reversed(inputs), reversed(outputs), strict=True)
        }
        knots = sorted(values)
        slopes = [0, *((values[t] - values[s]) / (t - s) for s, t in pairwise(knots))]

        def fitted(t: Fraction) -> Any:
            bends = zip(knots, pairwise(slopes), strict=False)
            return values[knots[0]] + sum((s - p) * max(t - knot, 0) for knot, (p, s) in bends)

        left = [square(fitted(t) - values[t]) for t in knots]
        return [({}, max([*left, *left_by_any(inputs, outputs)]))]

    return each_case(of_case, scene)


FIT = Claim(
    "j23.bn1fit",
    Kind.IDENTITY,
    printed("Section 3.1, after the minimisation rank by rank"),
    "fitting with BN-rank 1",
    r"It is always possible to fit any data with a BN-rank 1 function (by mapping injectively the "
    r"data points to a line and then mapping them nonlinearly to any other configuration): "
    r"$h(g(x_i))=y_i$ for a linear $g$ into $\mathbb R$ and an FPLF $h$.",
    (distinct("X"),),
    measure=fit_residual,
    pool=pool(("X", ("N", "n")), ("Y", ("N", "m")), largest=6),
    exact_only=True,
    negated="no function of BN-rank 1 fits the data",
)


# approximating with a higher rank -----------------------------------------------------------------
def outside(matrix: Any) -> list[Fraction]:
    """A vector orthogonal to the image of a matrix, 0 if it is everything."""
    projection = image_projection(matrix)
    size = len(projection)
    rest = [
        [Fraction(int(i == j)) - Fraction(str(projection[i, j])) for j in range(size)]
        for i in range(size)
    ]
    return next((row for row in rest if any(row)), rest[0])


def higher_rank(scene: Any) -> Entries:
    """The rank of A + e u v^T minus that of A minus 1, with u orthogonal to the image of A, v to
    that of A^T, both of norm at most 1; and 1 where the difference is larger than e."""
    from graphs.rationals import RATIONALS

    def of_case(case: Tensors) -> Labelled:
        rows, size = rows_of(case, "A"), case.number("e")
        matrix = RATIONALS.array(rows)
        u, v = outside(matrix), outside(matrix.T)  # rows of projections: no longer than 1
        added = [[size * a * b for b in v] for a in u]
        near = RATIONALS.array(
            [
                [a + b for a, b in zip(one, more, strict=True)]
                for one, more in zip(rows, added, strict=True)
            ]
        )
        distance = sum(square(row) for row in added)
        return [
            ({"part": "rank"}, Fraction(rank(near) - rank(matrix) - 1)),
            ({"part": "distance"}, Fraction(distance > size**2)),
        ]

    return each_case(of_case, scene)


def _rank_of(case: Tensors) -> int:
    from graphs.rationals import RATIONALS

    return int(rank(RATIONALS.array(rows_of(case, "A"))))


def _has_room(case: Tensors) -> bool:
    return _rank_of(case) < min(case.arrays["A"].shape)


def _lower_rank(case: Tensors, random: Random) -> Tensors:
    """The last row becomes a combination of the others, or the last column; 0 of one alone."""
    rows = rows_of(case, "A")
    if len(rows) <= len(rows[0]):
        factors = [Fraction(random.randint(-1, 1)) for _ in rows[:-1]]
        rows[-1] = [dot(factors, column) for column in zip(*rows[:-1], strict=True)] or [
            Fraction(0)
        ] * len(rows[0])
    else:
        factors = [Fraction(random.randint(-1, 1)) for _ in rows[0][:-1]]
        rows = [[*row[:-1], dot(factors, row[:-1])] for row in rows]
    return with_rows(case, "A", rows)


def _full_rank(case: Tensors, random: Random) -> Tensors:
    rows = rows_of(case, "A")
    return with_rows(
        case, "A", [[e + 10 * (i == j) for j, e in enumerate(row)] for i, row in enumerate(rows)]
    )


HIGHER = Claim(
    "j23.overrank.high",
    Kind.IDENTITY,
    printed("Section 3.1, before Figure 1"),
    "approximating linear maps with a higher rank",
    r"It is possible to approximate a BN-rank $k^*$ function with a higher rank function with any "
    r"accuracy: here a linear one, $x\mapsto Ax$, by $x\mapsto(A+\epsilon uv^T)x$, of rank $k^*+1$ "
    r"and closer than $\epsilon$ on the unit ball.",
    (
        relation(
            "room for a higher rank",
            r"$k^*<\min(d_{in},d_{out})$",
            _has_room,
            _lower_rank,
            _full_rank,
        ),
        relation(
            "accuracy",
            r"$\epsilon>0$",
            lambda case: case.number("e") > 0,
            lambda case, random: with_value(case, "e", abs(random_rational(random)) or 1),
            lambda case, random: with_value(case, "e", 0),
        ),
    ),
    measure=higher_rank,
    pool=pool(("A", ("m", "n")), number("e")),
    exact_only=True,
    through="linear maps stand for all functions (docs/mathematics.md, 27)",
    negated="none of these functions is as near, or of a higher rank",
)

CLAIMS = (FIT, HIGHER, PATH, PATH_REPAIRED)
