"""Section 5: the task v(0) -> (C(v(1)), ..., C(v(T))) of gradient descent, and its BN-rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from verify.claim import Kind
from verify.deep_scene import RealScene, RealTensors
from verify.hypotheses import Hypothesis, by_scene, random_rational
from verify.papers.j23 import symmetry_proofs as proofs
from verify.papers.j23.symmetry import COST, symmetry_claim
from verify.papers.j23.symmetry_cases import (
    NOISELESS,
    STEP,
    STEPS,
    UNIT,
    cost,
    gradient,
    hessian,
    scaled,
    statistics,
    stepped,
)
from verify.tensors import Tensor
from verify.vocabulary import Entries, constant_entries


def times_of(scene: RealScene) -> int:
    """The largest T of the batch; 0 where a T is below 1, and then there is nothing to say."""
    steps = scene.whole("T")
    return int(steps.max()) if steps.min() >= 1 else 0


def by_steps(scene: RealScene, measure: Callable[[RealScene], Entries]) -> Entries:
    """A measure of instances with the same T, on each T of a batch."""
    steps = scene.whole("T")
    found = []
    for number in sorted(set(steps.tolist())):
        kept = np.flatnonzero(steps == number)
        one = measure(scene.only(kept))
        found.append(replace(one, owner=kept[one.owner]))
    return joined(scene, [one for one in found if len(one)])


def joined(scene: RealScene, parts: Sequence[Entries]) -> Entries:
    """The entries of several scenes with sides as those of one."""
    if not parts:
        return nothing(scene)
    labels = [one.label(k) for one in parts for k in range(len(one))]
    owner = np.concatenate([one.owner for one in parts])
    none = np.zeros(len(owner), dtype=np.int64)
    return Entries(
        scene.arithmetic.join([one.values for one in parts], 0),
        scene.arithmetic.join([one.left for one in parts], 0),
        owner,
        "case",
        none,
        none - 1,
        lambda k: labels[k],
    )


def one_by_one(scene: RealScene, measure: Callable[[RealScene], Entries]) -> Entries:
    """A measure of single instances, on each of a batch."""
    found = []
    for number in range(len(scene.cases)):
        one = measure(scene.only(np.array([number])))
        found.append(replace(one, owner=one.owner + number))
    return joined(scene, [one for one in found if len(one)])


def factored(scene: RealScene) -> Entries:
    """C(v(t)) by gradient descent, minus the cost from the recursion of the two statistics."""
    return by_steps(scene, factored_alike)


def factored_alike(scene: RealScene) -> Entries:
    """The same of instances with one T."""
    v, (along, rest) = scene["v"], statistics(scene, scene["v"])
    eta, one, parts = scene.share(scene["eta"], 4), scene.constant(1), []
    for t in range(1, times_of(scene) + 1):
        v, square = stepped(scene, v), along + rest
        first, second = one - eta * (square - one), one - eta * square
        along, rest = along * first * first, rest * second * second
        square = along + rest
        right = square * square - scene.share(along, 2) + one
        parts.append(({"time": t}, cost(scene, v), right))
    return scene.parts(parts) if parts else nothing(scene)


def task_jacobian(scene: RealScene) -> Array:
    """(C, T, d): the Jacobian of v -> (C(v(1)), ..., C(v(T)))."""
    size = scene.lengths["d"]
    v = scene["v"]
    one = [int(i == j) for _ in scene.cases for i in range(size) for j in range(size)]
    identity = scene.arithmetic.array(one).reshape(len(scene.cases), size, size)
    whole, rows = identity, []
    for _ in range(times_of(scene)):
        whole = (identity - scaled(scene, scene["eta"], hessian(scene, v))) @ whole
        v = stepped(scene, v)
        rows.append(gradient(scene, v).reshape(len(scene.cases), 1, size) @ whole)
    return scene.above(*rows)


def rank_is_2(scene: RealScene) -> Entries:
    """A rank between the largest Rank Jf*(v) seen and the inner dimension of a factorisation, minus
    2: the inner dimensions are d (before f*), T (behind it) and 2 (the statistics). No entry where
    neither bound decides."""
    return one_by_one(scene, one_rank_is_2)


def one_rank_is_2(scene: RealScene) -> Entries:
    """The same of one instance."""
    parts: list[tuple[dict[str, Any], Array, Array]] = []
    if not times_of(scene):
        return nothing(scene)
    most = min(scene.lengths["d"], times_of(scene), 2)
    if most < 2:
        parts.append(({"part": "factorisation"}, scene.constant(most), scene.constant(2)))
    elif all(rank == 2 for rank in scene.rank_of(task_jacobian(scene))):
        parts.append(({"part": "Jacobian"}, scene.constant(2), scene.constant(2)))
    return scene.parts(parts) if parts else nothing(scene)


def nothing(scene: RealScene) -> Entries:
    """No entry."""
    return constant_entries(scene, [])


def with_coordinates(case: RealTensors, random: Random) -> RealTensors:
    """By a second coordinate d is at least 2."""
    if case.lengths["d"] > 1:
        return case
    one = Tensor(("d",), (2,), (Fraction(1), Fraction(0)))
    return case.changing(
        w=one,
        v=replace(one, entries=(random_rational(random), random_rational(random))),
        E=Tensor(("d", "d"), (2, 2), (Fraction(0),) * 4),
    )


def with_steps(case: RealTensors, least: int) -> RealTensors:
    """The case with so many steps at least."""
    steps = case.arrays["T"]
    return case.changing(T=replace(steps, entries=(max(Fraction(least), steps.entries[0]),)))


# claims -------------------------------------------------------------------------------------------
OUTPUT = Hypothesis(
    "an output",
    r"$T\ge1$: there is a cost to predict",
    by_scene(lambda scene: scene.whole("T") >= 1),
    lambda case, random: with_steps(case, 1),
)
HIGH = Hypothesis(
    "two coordinates",
    r"$d\ge2$: there is an axis to turn about",
    by_scene(lambda scene: np.array([scene.lengths["d"] > 1] * len(scene.cases))),
    lambda case, random: with_coordinates(case, random),
)
TASK_HYPOTHESES = (OUTPUT, HIGH, STEP, UNIT, NOISELESS)
TASK_TEXT = (
    r"For $E=0$ the function $f^*:v(0)\mapsto(C(v(1)),\dots,C(v(T)))$ of $T$ steps of gradient "
    r"descent "
)
TASK = (
    symmetry_claim(
        "rank2.factor",
        Kind.IDENTITY,
        COST,
        "the task factors through two statistics",
        TASK_TEXT + r"factors through $u(v(0))\in\mathbb R^2$: the costs are those that the "
        r"recursion of the two statistics gives.",
        (OUTPUT, UNIT, NOISELESS),
        factored,
        pool=STEPS,
        proof=proofs.factor,
    ),
    symmetry_claim(
        "rank2@A",
        Kind.IDENTITY,
        COST,
        "the task has BN-rank two",
        TASK_TEXT + "has BN-rank 2.",
        TASK_HYPOTHESES,
        rank_is_2,
        pool=STEPS,
        exact_only=True,
        reading="A",
        reading_text=(
            "the BN-rank is the least inner dimension of a factorisation into differentiable maps"
        ),
        why="a task of one number, $T=1$, factors through that number",
    ),
)


LARGE = Hypothesis(
    "two outputs",
    r"$T\ge2$",
    by_scene(lambda scene: scene.whole("T") > 1),
    lambda case, random: with_steps(case, 2),
    lambda case, random: case.changing(T=replace(case.arrays["T"], entries=(Fraction(1),))),
)
REPAIRED = replace(
    TASK[1],
    id="j23.sym.rank2@A.fix",
    title="the task has BN-rank two, repaired",
    statement=TASK_TEXT + r"has BN-rank 2 where $T\ge2$ (for $T=1$ it is at most 1).",
    hypotheses=(LARGE, *TASK_HYPOTHESES),
    repairs="j23.sym.rank2@A",
    why="",
)

CLAIMS = (*TASK, REPAIRED)
