"""Section 5: rotations of gradient descent on |v v^T - (w w^T + E)|^2, its statistics, its cost.

Bounds O(|E|) are coded with a constant that is worked out (docs/mathematics.md, 30), beside the
statement at E = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep_scene import RealScene
from verify.hypotheses import Hypothesis
from verify.papers.j23 import symmetry_proofs as proofs
from verify.papers.j23.sources import printed
from verify.papers.j23.symmetry_cases import (
    NOISELESS,
    POOL,
    ROTATION,
    UNIT,
    applied,
    cost,
    dot,
    gradient,
    statistics,
    stepped,
    times,
)
from verify.vocabulary import Entries


# rotations ----------------------------------------------------------------------------------------
def by_coordinate(scene: RealScene, left: Array, right: Array) -> Entries:
    """Two vectors (C, d), compared coordinate by coordinate."""
    size = scene.lengths["d"]
    return scene.parts([({"coordinate": i}, left[:, i], right[:, i]) for i in range(size)])


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


# claims -------------------------------------------------------------------------------------------
DYNAMICS = printed("Section 5, second and third paragraphs")
DISPLAY = printed("Section 5, display")
COST = printed("Section 5, before the discussion of Figure 2")


def symmetry_claim(
    name: str,
    kind: Kind,
    source: Any,
    title: str,
    statement: str,
    hypotheses: Sequence[Hypothesis],
    measure: Any,
    **options: Any,
) -> Claim:
    """A claim of Section 5; by default about the instances of POOL."""
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


CONSTANTS = r"the constant of $O(\lVert E\rVert)$ is worked out (docs/mathematics.md, 30)"
ROTATIONS = (
    symmetry_claim(
        "inv.split",
        Kind.IDENTITY,
        DYNAMICS,
        "length and statistics",
        r"$\lVert v\rVert^2=(w^\top v)^2+\lVert(I-ww^\top)v\rVert^2$.",
        (UNIT,),
        split,
        proof=proofs.split,
    ),
    symmetry_claim(
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
    symmetry_claim(
        "inv.noise",
        Kind.INEQUALITY,
        DYNAMICS,
        "nearly so for small noise",
        r"For small $E$ it is nearly so: one step differs by at most "
        r"$8\eta\lVert E\rVert_F\lVert v\rVert$.",
        (ROTATION,),
        equivariance_with_noise,
        through=CONSTANTS,
    ),
    symmetry_claim(
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

WHICH = {
    "along": r"$\partial_t(w^\top v)^2=-8(\lVert v\rVert^2-1)(w^\top v)^2",
    "across": r"$\partial_t\lVert(I-ww^\top)v\rVert^2=-8\lVert v\rVert^2\lVert(I-ww^\top)v\rVert^2",
}
EVOLUTION = (
    *(
        symmetry_claim(
            f"ode.{which}@A",
            Kind.IDENTITY,
            DISPLAY,
            f"rate of the statistic {which} w",
            rf"{text}+O(\lVert E\rVert)$, at $E=0$.",
            (UNIT, NOISELESS),
            partial(flow_rate, which=which),
            reading="A",
            reading_text=r"$\partial_t$ is taken along $\dot v=-\nabla C(v)$",
            proof=partial(proofs.evolution, which),
        )
        for which, text in WHICH.items()
    ),
    *(
        symmetry_claim(
            f"ode.{which}.noise",
            Kind.INEQUALITY,
            DISPLAY,
            f"rate of the statistic {which} w, with noise",
            rf"{text}+O(\lVert E\rVert)$ for bounded $v$: the remainder is at most "
            r"$8\lVert E\rVert_F\lVert v\rVert^2$.",
            (UNIT,),
            partial(rate_with_noise, which=which),
            through=CONSTANTS,
        )
        for which, text in WHICH.items()
    ),
)

LOSS = (
    symmetry_claim(
        "loss.exact",
        Kind.IDENTITY,
        COST,
        "the cost in terms of the statistics",
        r"$C(v)=\lVert v\rVert^4-2(w^\top v)^2+1+O(\lVert E\rVert)$, at $E=0$.",
        (UNIT, NOISELESS),
        cost_residual,
        proof=proofs.loss,
    ),
    symmetry_claim(
        "loss.noise",
        Kind.INEQUALITY,
        COST,
        "the cost in terms of the statistics, with noise",
        r"$C(v)=\lVert v\rVert^4-2(w^\top v)^2+1+O(\lVert E\rVert)$ for bounded $v$: the remainder "
        r"is $\lVert E\rVert_F^2$ and at most $2(\lVert v\rVert^2+1)\lVert E\rVert_F$ more.",
        (UNIT,),
        cost_with_noise,
        through=CONSTANTS,
    ),
)

CLAIMS = (*ROTATIONS, *EVOLUTION, *LOSS)
