"""Section 5: gradient descent on |v v^T - (w w^T + E)|^2, its rotations, its two statistics.

An instance: w, v (d,), E (d, d), a rotation Q (d, d), the step eta, the number of steps T. Bounds
O(|E|) are coded with a constant that is worked out (docs/mathematics.md, 29), beside the statement
at E = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import RATIONALS, Array, as_fraction
from verify.claim import Claim, Kind
from verify.deep_scene import RealScene, RealTensors, as_real
from verify.hypotheses import Hypothesis, by_scene, random_rational
from verify.papers.j23 import symmetry_proofs as proofs
from verify.papers.j23.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor
from verify.vocabulary import Entries

ARRAYS = (("w", ("d",)), ("v", ("d",)), ("E", ("d", "d")), ("Q", ("d", "d")), ("eta", ()))


def small_step(case: Any, random: Random) -> RealTensors:
    """The step between 0 and 1."""
    found = as_real(case, random)
    eta = found.arrays["eta"]
    size = abs(eta.entries[0])
    step = size if 0 < size <= 1 else Fraction(1, random.choice((4, 10, 100)))
    return found.changing(eta=replace(eta, entries=(step,)))


POOL = TensorPool(ARRAYS, largest=4, adapt=small_step)
STEPS = replace(POOL, arrays=(*ARRAYS[:3], ARRAYS[4]), integers=(("T", 1, 3),), largest=3)


# hypotheses ---------------------------------------------------------------------------------------
def vector(case: RealTensors, name: str) -> np.ndarray:
    """An array of an instance over the rationals."""
    array = case.arrays[name]
    entries: np.ndarray = RATIONALS.array(list(array.entries)).reshape(array.shape)
    return entries


def with_entries(case: RealTensors, name: str, entries: Any) -> RealTensors:
    """The same with other entries of an array."""
    flat = tuple(as_fraction(entry) for entry in np.asarray(entries, dtype=object).reshape(-1))
    return case.changing(**{name: replace(case.arrays[name], entries=flat)})


def is_zero(scene: RealScene, values: Array) -> np.ndarray:
    """(C,) boolean: whether all numbers of a case are (or may be) 0."""
    return np.asarray(scene.arithmetic.may_be_zero(values).reshape(len(scene.cases), -1).all(1))


def _unit(case: RealTensors, random: Random) -> RealTensors:
    """w becomes the point of the sphere that its last entries name in stereographic projection."""
    if sum(entry * entry for entry in case.arrays["w"].entries) == 1:
        return case
    rest = case.arrays["w"].entries[1:]
    square = sum((entry * entry for entry in rest), Fraction(0))
    first = (1 - square) / (1 + square)
    return with_entries(case, "w", [first, *(2 * entry / (1 + square) for entry in rest)])


UNIT = Hypothesis(
    "unit vector",
    r"$\lVert w\rVert=1$",
    by_scene(lambda scene: is_zero(scene, dot(scene, "w", "w") - scene.constant(1))),
    _unit,
    lambda case, random: with_entries(
        case, "w", vector(case, "w") * RATIONALS.array([random.choice((2, 3))])
    ),
)


def _noise(case: RealTensors, random: Random) -> RealTensors:
    size = len(case.arrays["E"].entries)
    return with_entries(case, "E", [random_rational(random) for _ in range(size)])


NOISELESS = Hypothesis(
    "no noise",
    r"$E=0$",
    by_scene(lambda scene: is_zero(scene, scene["E"])),
    lambda case, random: with_entries(case, "E", [0] * len(case.arrays["E"].entries)),
    _noise,
)


def _a_step(scene: RealScene) -> np.ndarray:
    eta = scene["eta"]
    below, zero = scene.arithmetic.is_negative, scene.arithmetic.may_be_zero
    return np.asarray(~(below(eta) | zero(eta) | below(scene.constant(1) - eta)))


STEP = Hypothesis(
    "a step of descent",
    r"$0<\eta\le1$",
    by_scene(_a_step),
    lambda case, random: small_step(case, random),
)


def _about_w(case: RealTensors, random: Random) -> RealTensors:
    """Q becomes a product of two reflections that fix w."""
    return with_entries(case, "Q", _reflections(case, random, fixing=True))


def _reflections(case: RealTensors, random: Random, *, fixing: bool) -> np.ndarray:
    size = case.lengths["d"]
    one: np.ndarray = RATIONALS.array([[int(i == j) for j in range(size)] for i in range(size)])
    w, product = vector(case, "w"), one
    for _ in range(2):
        u = RATIONALS.array([random_rational(random) for _ in range(size)])
        if fixing and (w @ w) != 0:
            u = u - w * ((u @ w) / (w @ w))
        if (u @ u) != 0:
            product = product @ (one - np.outer(u, u) * (2 / (u @ u)))
    return np.asarray(product)


def _fixes(scene: RealScene) -> np.ndarray:
    turn = scene["Q"]
    moved = applied(scene, turn, scene["w"]) - scene["w"]
    return np.asarray(_orthogonal(scene) & is_zero(scene, moved))


def _orthogonal(scene: RealScene) -> np.ndarray:
    gram = scene.gram(scene["Q"])
    size = scene.lengths["d"]
    one = [int(i == j) for _ in scene.cases for i in range(size) for j in range(size)]
    return is_zero(scene, gram - scene.arithmetic.array(one).reshape(*gram.shape))


ROTATION = Hypothesis(
    "rotation about w",
    r"$Q^\top Q=I$ and $Qw=w$",
    by_scene(_fixes),
    lambda case, random: case if _fixes(_scene(case))[0] else _about_w(case, random),
    lambda case, random: with_entries(case, "Q", _reflections(case, random, fixing=False)),
)


def _scene(case: RealTensors) -> RealScene:
    return RealTensors.scene([case], RATIONALS)


# vectors ------------------------------------------------------------------------------------------
def dot(scene: RealScene, one: str | Array, other: str | Array) -> Array:
    """(C,): the product of two vectors (C, d), by name or as arrays."""
    first = scene[one] if isinstance(one, str) else one
    second = scene[other] if isinstance(other, str) else other
    return (first * second).sum(1)


def times(scene: RealScene, factor: Array, values: Array) -> Array:
    """Vectors (C, d) times numbers (C,)."""
    return values * factor.reshape(len(scene.cases), 1)


def applied(scene: RealScene, matrices: Array, values: Array) -> Array:
    """(C, d): M v."""
    return (matrices @ values.reshape(*values.shape, 1)).reshape(*values.shape)


def outer(scene: RealScene, values: Array) -> Array:
    """(C, d, d): v v^T."""
    column = values.reshape(*values.shape, 1)
    return column @ scene.transpose(column)


def difference(scene: RealScene, v: Array) -> Array:
    """(C, d, d): v v^T - (w w^T + E)."""
    return outer(scene, v) - outer(scene, scene["w"]) - scene["E"]


def cost(scene: RealScene, v: Array) -> Array:
    """(C,): C(v)."""
    return scene.frobenius_squared(difference(scene, v))


def gradient(scene: RealScene, v: Array) -> Array:
    """(C, d): the gradient of C, 2 (M + M^T) v with M = v v^T - w w^T - E."""
    matrix = difference(scene, v)
    return applied(scene, matrix + scene.transpose(matrix), v) * scene.arithmetic.array([2])


def stepped(scene: RealScene, v: Array) -> Array:
    """(C, d): v after one step of gradient descent."""
    return v - times(scene, scene["eta"], gradient(scene, v))


def statistics(scene: RealScene, v: Array) -> tuple[Array, Array]:
    """(C,) each: (w^T v)^2 and |(I - w w^T) v|^2."""
    along = dot(scene, "w", v)
    rest = v - times(scene, along, scene["w"])
    return along * along, dot(scene, rest, rest)


def by_coordinate(scene: RealScene, left: Array, right: Array) -> Entries:
    """Two vectors (C, d), compared coordinate by coordinate."""
    size = scene.lengths["d"]
    return scene.parts([({"coordinate": i}, left[:, i], right[:, i]) for i in range(size)])


# rotations ----------------------------------------------------------------------------------------
def split(scene: RealScene) -> Entries:
    """|v|^2 = (w^T v)^2 + |(I - w w^T) v|^2."""
    along, rest = statistics(scene, scene["v"])
    return scene.compare(dot(scene, "v", "v"), along + rest)


def equivariance(scene: RealScene) -> Entries:
    """A step from Q v, minus Q times a step from v."""
    turned = applied(scene, scene["Q"], scene["v"])
    return by_coordinate(
        scene, stepped(scene, turned), applied(scene, scene["Q"], stepped(scene, scene["v"]))
    )


def equivariance_with_noise(scene: RealScene) -> Entries:
    """64 eta^2 |E|^2 |v|^2 minus the squared length of that difference."""
    turned = applied(scene, scene["Q"], scene["v"])
    apart = stepped(scene, turned) - applied(scene, scene["Q"], stepped(scene, scene["v"]))
    eta, noise = scene["eta"], scene.frobenius_squared(scene["E"])
    bound = eta * eta * noise * dot(scene, "v", "v")
    return scene.compare(scene.share(bound, 64), dot(scene, apart, apart))


def self_consistency(scene: RealScene) -> Entries:
    """The statistics after a step, and what they are as functions of those before it."""
    along, rest = statistics(scene, scene["v"])
    next_along, next_rest = statistics(scene, stepped(scene, scene["v"]))
    one, square = scene.constant(1), along + rest
    first = one - scene.share(scene["eta"], 4) * (square - one)
    second = one - scene.share(scene["eta"], 4) * square
    return scene.parts(
        [
            ({"part": "along w"}, next_along, along * first * first),
            ({"part": "across w"}, next_rest, rest * second * second),
        ]
    )


# the flow of the statistics -----------------------------------------------------------------------
def rate(scene: RealScene, which: str) -> Array:
    """(C,): the derivative of a statistic along v' = -grad C(v)."""
    velocity = -gradient(scene, scene["v"])
    along, speed = dot(scene, "w", "v"), dot(scene, "w", velocity)
    if which == "along":
        return scene.share(along * speed, 2)
    across = scene["v"] - times(scene, along, scene["w"])
    return scene.share(dot(scene, across, velocity - times(scene, speed, scene["w"])), 2)


def quotient(scene: RealScene, which: str) -> Array:
    """(C,): the limit of the difference quotient of one step as the step tends to 0: the quotient,
    a polynomial of degree one in the step, without its linear term."""
    place = 0 if which == "along" else 1
    after = statistics(scene, stepped(scene, scene["v"]))[place]
    before = statistics(scene, scene["v"])[place]
    square = statistics(scene, gradient(scene, scene["v"]))[place]
    return after - before - scene["eta"] * scene["eta"] * square


def printed_rate(scene: RealScene, which: str) -> Array:
    """(C,): the right side of the display without O(|E|)."""
    along, rest = statistics(scene, scene["v"])
    square = dot(scene, "v", "v")
    if which == "along":
        return scene.share((square - scene.constant(1)) * along, -8)
    return scene.share(square * rest, -8)


def flow_rate(scene: RealScene, which: str) -> Entries:
    """The rate of a statistic minus what is printed (reading A)."""
    return scene.compare(rate(scene, which), printed_rate(scene, which))


def step_rate(scene: RealScene, which: str) -> Entries:
    """eta times the limit of the quotient, minus eta times what is printed (reading B)."""
    return scene.compare(quotient(scene, which), scene["eta"] * printed_rate(scene, which))


def rate_with_noise(scene: RealScene, which: str) -> Entries:
    """64 |E|^2 |v|^4 minus the square of the residual of the rate."""
    apart = rate(scene, which) - printed_rate(scene, which)
    square = dot(scene, "v", "v")
    bound = scene.frobenius_squared(scene["E"]) * square * square
    return scene.compare(scene.share(bound, 64), apart * apart)


# the cost -----------------------------------------------------------------------------------------
def printed_cost(scene: RealScene) -> Array:
    """(C,): |v|^4 - 2 (w^T v)^2 + 1."""
    square, along = dot(scene, "v", "v"), dot(scene, "w", "v")
    return square * square - scene.share(along * along, 2) + scene.constant(1)


def cost_residual(scene: RealScene) -> Entries:
    """C(v) minus what is printed."""
    return scene.compare(cost(scene, scene["v"]), printed_cost(scene))


def cost_with_noise(scene: RealScene) -> Entries:
    """4 (|v|^2 + 1)^2 |E|^2 minus the square of C(v) - |E|^2 - what is printed."""
    noise = scene.frobenius_squared(scene["E"])
    apart = cost(scene, scene["v"]) - noise - printed_cost(scene)
    size = dot(scene, "v", "v") + scene.constant(1)
    return scene.compare(scene.share(size * size * noise, 4), apart * apart)


# the task -----------------------------------------------------------------------------------------
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
        whole = (identity - _scaled(scene, scene["eta"], hessian(scene, v))) @ whole
        v = stepped(scene, v)
        rows.append(gradient(scene, v).reshape(len(scene.cases), 1, size) @ whole)
    return scene.above(*rows)


def _scaled(scene: RealScene, factor: Array, matrices: Array) -> Array:
    return matrices * factor.reshape(len(scene.cases), 1, 1)


def hessian(scene: RealScene, v: Array) -> Array:
    """(C, d, d): the Jacobian of the gradient, 2 (M + M^T) + 4 (|v|^2 + v v^T)."""
    size = scene.lengths["d"]
    matrix = difference(scene, v)
    one = [int(i == j) for _ in scene.cases for i in range(size) for j in range(size)]
    identity = scene.arithmetic.array(one).reshape(len(scene.cases), size, size)
    curved = _scaled(scene, dot(scene, v, v), identity) + outer(scene, v)
    both = matrix + scene.transpose(matrix)
    return _scaled(scene, scene.constant(2), both) + _scaled(scene, scene.constant(4), curved)


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
    from verify.vocabulary import constant_entries

    return constant_entries(scene, [])


def second_difference(scene: RealScene) -> Entries:
    """C(v(1)) at 2 v and at 0, minus twice that at v: 0 if f* is affine on the line through v. On
    a line f* is a polynomial, which is piecewise linear only if it is affine."""
    values = [
        cost(scene, stepped(scene, times(scene, scene.constant(k), scene["v"]))) for k in range(3)
    ]
    return scene.compare(values[2] + values[0], scene.share(values[1], 2))


# claims -------------------------------------------------------------------------------------------
DYNAMICS = printed("Section 5, second and third paragraphs")
DISPLAY = printed("Section 5, display")
COST = printed("Section 5, before the discussion of Figure 2")


def _claim(
    name: str,
    kind: Kind,
    source: Any,
    title: str,
    statement: str,
    hypotheses: Sequence[Hypothesis],
    measure: Any,
    **options: Any,
) -> Claim:
    options.setdefault("pool", POOL)
    return Claim(
        f"j23.sym.{name}",
        kind,
        source,
        title,
        statement,
        tuple(hypotheses),
        measure=measure,
        **options,
    )


ROTATIONS = (
    _claim(
        "inv.split",
        Kind.IDENTITY,
        DYNAMICS,
        "length and statistics",
        r"$\lVert v\rVert^2=(w^\top v)^2+\lVert(I-ww^\top)v\rVert^2$.",
        (UNIT,),
        split,
        proof=proofs.split,
    ),
    _claim(
        "inv.rotation",
        Kind.IDENTITY,
        DYNAMICS,
        "descent commutes with rotations about w",
        r"At $E=0$ gradient descent on $C(v)=\lVert vv^\top-(ww^\top+E)\rVert_F^2$ is invariant "
        r"under rotation around $w$: a step from $Qv$ leads to $Q$ times where a step from $v$ "
        r"leads.",
        (NOISELESS, ROTATION),
        equivariance,
        proof=proofs.rotation,
    ),
    _claim(
        "inv.noise",
        Kind.INEQUALITY,
        DYNAMICS,
        "nearly so for small noise",
        r"For small $E$ it is nearly so: one step differs by at most "
        r"$8\eta\lVert E\rVert_F\lVert v\rVert$.",
        (ROTATION,),
        equivariance_with_noise,
    ),
    _claim(
        "inv.statistics",
        Kind.IDENTITY,
        DYNAMICS,
        "the two statistics evolve by themselves",
        r"At $E=0$ the statistics $u(v)=((w^\top v)^2,\lVert(I-ww^\top)v\rVert^2)$ after a step "
        r"are functions of those before it: $u_1(1-4\eta(u_1+u_2-1))^2$ and "
        r"$u_2(1-4\eta(u_1+u_2))^2$.",
        (UNIT, NOISELESS),
        self_consistency,
        proof=proofs.statistics,
    ),
)

READINGS = {
    "A": (flow_rate, r"$\partial_t$ is taken along $\dot v=-\nabla C(v)$"),
    "B": (step_rate, r"$\partial_t$ is the limit of the difference quotient of one step"),
}
WHICH = {
    "along": r"$\partial_t(w^\top v)^2=-8(\lVert v\rVert^2-1)(w^\top v)^2",
    "across": r"$\partial_t\lVert(I-ww^\top)v\rVert^2=-8\lVert v\rVert^2\lVert(I-ww^\top)v\rVert^2",
}
EVOLUTION = (
    *(
        _claim(
            f"ode.{which}@{reading}",
            Kind.IDENTITY,
            DISPLAY,
            f"rate of the statistic {which} w",
            rf"{text}+O(\lVert E\rVert)$, at $E=0$.",
            (UNIT, NOISELESS),
            partial(measure, which=which),
            reading=reading,
            reading_text=words,
            proof=partial(proofs.evolution, which, reading),
        )
        for which, text in WHICH.items()
        for reading, (measure, words) in READINGS.items()
    ),
    *(
        _claim(
            f"ode.{which}.noise",
            Kind.INEQUALITY,
            DISPLAY,
            f"rate of the statistic {which} w, with noise",
            rf"{text}+O(\lVert E\rVert)$ for bounded $v$: the remainder is at most "
            r"$8\lVert E\rVert_F\lVert v\rVert^2$.",
            (UNIT,),
            partial(rate_with_noise, which=which),
        )
        for which, text in WHICH.items()
    ),
)

LOSS = (
    _claim(
        "loss.exact",
        Kind.IDENTITY,
        COST,
        "the cost in terms of the statistics",
        r"$C(v)=\lVert v\rVert^4-2(w^\top v)^2+1+O(\lVert E\rVert)$, at $E=0$.",
        (UNIT, NOISELESS),
        cost_residual,
        proof=proofs.loss,
    ),
    _claim(
        "loss.noise",
        Kind.INEQUALITY,
        COST,
        "the cost in terms of the statistics, with noise",
        r"$C(v)=\lVert v\rVert^4-2(w^\top v)^2+1+O(\lVert E\rVert)$ for bounded $v$: the remainder "
        r"is $\lVert E\rVert_F^2$ and at most $2(\lVert v\rVert^2+1)\lVert E\rVert_F$ more.",
        (UNIT,),
        cost_with_noise,
    ),
)

TASK_HYPOTHESES = (STEP, UNIT, NOISELESS)
TASK_TEXT = (
    r"For $E=0$ the function $f^*:v(0)\mapsto(C(v(1)),\dots,C(v(T)))$ of $T$ steps of gradient "
    r"descent "
)
TASK = (
    _claim(
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
    _claim(
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
    _claim(
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
    _claim(
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

CLAIMS = (*ROTATIONS, *EVOLUTION, *LOSS, *TASK, REPAIRED)
