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
    times,
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


def rank_at_most_2(scene: RealScene) -> Entries:
    """2 - Rank Jf*(v)."""
    return by_steps(scene, rank_at_most_2_alike)


def rank_at_most_2_alike(scene: RealScene) -> Entries:
    """The same of instances with one T."""
    if not times_of(scene):
        return nothing(scene)
    ranks = scene.rank_of(task_jacobian(scene))
    return scene.compare(scene.constant(2), scene.numbers(list(map(int, ranks))))


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


def second_difference(scene: RealScene) -> Entries:
    """C(v(1)) at 2 v and at 0, minus twice that at v: 0 if f* is affine on the line through v. On
    a line f* is a polynomial, which is piecewise linear only if it is affine."""
    values = [
        cost(scene, stepped(scene, times(scene, scene.constant(k), scene["v"]))) for k in range(3)
    ]
    return scene.compare(values[2] + values[0], scene.share(values[1], 2))


# claims -------------------------------------------------------------------------------------------
TASK_HYPOTHESES = (STEP, UNIT, NOISELESS)
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
        (UNIT, NOISELESS),
        factored,
        pool=STEPS,
        proof=proofs.factor,
    ),
    symmetry_claim(
        "rank2.upper",
        Kind.INEQUALITY,
        COST,
        "the Jacobian of the task has rank at most two",
        TASK_TEXT + r"has $\mathrm{Rank}\,Jf^*(v)\le2$ everywhere.",
        (NOISELESS,),
        rank_at_most_2,
        pool=STEPS,
        exact_only=True,
        proof=proofs.upper,
    ),
    symmetry_claim(
        "rank2@A",
        Kind.IDENTITY,
        COST,
        "the task has BN-rank two",
        TASK_TEXT + r"has BN-rank 2, for every $T\ge1$ and $d\ge1$.",
        TASK_HYPOTHESES,
        rank_is_2,
        pool=STEPS,
        exact_only=True,
        reading="A",
        reading_text=(
            "the smallest inner dimension of a factorisation (printing A of the BN-rank) into "
            "differentiable maps"
        ),
    ),
    symmetry_claim(
        "rank2@B",
        Kind.IDENTITY,
        COST,
        "the task has BN-rank two",
        TASK_TEXT + r"has BN-rank 2; so it is a composition of finite piecewise linear functions.",
        TASK_HYPOTHESES,
        second_difference,
        pool=STEPS,
        reading="B",
        reading_text=(
            "a factorisation into finite piecewise linear functions (printing B of the BN-rank)"
        ),
    ),
)


def with_more_steps(case: RealTensors, random: Random) -> RealTensors:
    """T at least 2 and, by a second coordinate, d at least 2."""
    steps = case.arrays["T"]
    found = case.changing(T=replace(steps, entries=(max(Fraction(2), steps.entries[0]),)))
    if found.lengths["d"] > 1:
        return found
    one = Tensor(("d",), (2,), (Fraction(1), Fraction(0)))
    return found.changing(
        w=one,
        v=replace(one, entries=(random_rational(random), random_rational(random))),
        E=Tensor(("d", "d"), (2, 2), (Fraction(0),) * 4),
    )


LARGE = Hypothesis(
    "two outputs and two coordinates",
    r"$T\ge2$ and $d\ge2$",
    by_scene(
        lambda scene: np.array([scene.lengths["d"] > 1] * len(scene.cases)) & (scene.whole("T") > 1)
    ),
    with_more_steps,
    lambda case, random: case.changing(T=replace(case.arrays["T"], entries=(Fraction(1),))),
)
REPAIRED = replace(
    TASK[2],
    id="j23.sym.rank2@A.fix",
    title="the task has BN-rank two, repaired",
    statement=TASK_TEXT + r"has BN-rank 2 where $T\ge2$ and $d\ge2$ (for $T=1$ or $d=1$ it is at "
    r"most 1).",
    hypotheses=(LARGE, *TASK_HYPOTHESES),
    repairs="j23.sym.rank2@A",
)

CLAIMS = (*TASK, REPAIRED)
