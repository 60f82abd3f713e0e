"""Instances and hypotheses for the proof of Lemma 3 (b): unit vectors, numbers alpha, normals."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import at_least_zero, held, vanishing
from verify.normalised_pool import chain_pool, rows_of
from verify.normalised_scene import Chained, ChainScene
from verify.quantities import dot, with_entries, with_rows

FACTORS = chain_pool("gamma", extras=(("F", ("T", "d", "d")),), integers=(("s", 0, 3),), largest=3)
POWERS = chain_pool("gamma", integers=(("d", 1, 6), ("n", 1, 8)))
DRAWS = chain_pool(extras=(("alpha", ("d",)), ("v", ("d",))))
DIRECTIONS = chain_pool("gamma", extras=(("alpha", ("d",)), ("v", ("d",))))
HYPERPLANES = chain_pool("gamma", extras=(("A", ("k", "d")), ("v", ("d",))), largest=3)


def _unit(scene: ChainScene) -> np.ndarray:
    return vanishing(scene, (scene["v"] * scene["v"]).sum(1) - scene.constant(1))


def _to_unit(case: Chained, random: Random) -> Chained:
    """The reflection of a basis vector in the hyperplane orthogonal to v."""
    v = list(case.arrays["v"].entries)
    square, base = dot(v, v), [Fraction(0)] * len(v)
    base[random.randrange(len(v))] = Fraction(random.choice((1, -1)))
    if square == 1:
        return case
    if square:
        factor = 2 * dot(v, base) / square
        base = [b - factor * x for b, x in zip(base, v, strict=True)]
    return held(with_entries(case, "v", base), "v")


UNIT_VECTOR = Hypothesis(
    "v is a unit vector",
    r"$\lVert v\rVert=1$",
    by_scene(_unit),
    _to_unit,
    lambda case, random: with_entries(
        case, "v", [x * random.choice((2, 3, 8)) for x in case.arrays["v"].entries]
    ),
    thin=True,
)


def _bounded(scene: ChainScene) -> np.ndarray:
    alpha = scene["alpha"]
    one = scene.constant(1).reshape(-1, 1)
    return np.asarray(at_least_zero(scene, one - alpha) & at_least_zero(scene, one + alpha))


def _to_bounded(case: Chained, random: Random) -> Chained:
    """Numbers that are too large become signs."""
    entries = case.arrays["alpha"].entries
    return with_entries(case, "alpha", [max(Fraction(-1), min(Fraction(1), x)) for x in entries])


BOUNDED_ALPHA = Hypothesis(
    "alpha at most 1",
    r"$|\alpha_i|\le1$",
    by_scene(_bounded),
    _to_bounded,
    lambda case, random: with_entries(
        case,
        "alpha",
        [
            x + 2 if k == 0 and x >= 0 else x - 2 if k == 0 else x
            for k, x in enumerate([y * random.choice((1, 8)) for y in case.arrays["alpha"].entries])
        ],
    ),
)


def _normals(scene: ChainScene) -> np.ndarray:
    squares = (scene["A"] * scene["A"]).sum(2)
    return np.asarray(~np.asarray(scene.arithmetic.may_be_zero(squares), dtype=bool).any(1))


def _to_normals(case: Chained, random: Random) -> Chained:
    rows = rows_of(case.arrays["A"])
    for row in rows:
        if not any(row):
            row[random.randrange(len(row))] = Fraction(1)
    return with_rows(case, "A", rows)


def _no_normal(case: Chained, random: Random) -> Chained:
    rows = rows_of(case.arrays["A"])
    k = random.randrange(len(rows))
    rows[k] = [Fraction(0)] * len(rows[k])
    return with_rows(case, "A", rows)


NORMALS = Hypothesis(
    "proper subspaces",
    r"the subspaces are proper: each is in a hyperplane, whose normal vector is not $0$",
    by_scene(_normals),
    _to_normals,
    _no_normal,
)
