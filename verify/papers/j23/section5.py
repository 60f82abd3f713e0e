"""Section 5: rotations of gradient descent on |v v^T - (w w^T + E)|^2, its statistics, its cost.

Bounds O(|E|) are coded with a constant that is worked out
(docs/mathematics/j23.md#rotated-descent), beside the
statement at E = 0. Both sides of such a bound are squared: none of them is below 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.hypotheses import random_rational
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Source
from verify.language.building import Rate, dot, eye, frob2, rows, zeros
from verify.language.terms import Term
from verify.papers.j23 import section5_proofs as proofs
from verify.papers.j23.section5_notation import (
    E,
    Q,
    across,
    along,
    cost,
    eta,
    gradient,
    next_across,
    next_along,
    printed_cost,
    stepped,
    v,
    w,
)
from verify.papers.j23.sources import printed
from verify.statements import quantities
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated


# hypotheses ---------------------------------------------------------------------------------------
def small_step(case: Tensors, random: Random) -> Tensors:
    """The step between 0 and 1."""
    size = abs(case.arrays["eta"].entries[0])
    step = size if 0 < size <= 1 else Fraction(1, random.choice((4, 10, 100)))
    return with_entries(case, "eta", [step])


def _unit(case: Tensors, random: Random) -> Tensors:
    """w becomes the point of the sphere that its last entries name in stereographic projection."""
    entries = case.arrays["w"].entries
    if sum(entry * entry for entry in entries) == 1:
        return case
    square = sum((entry * entry for entry in entries[1:]), Fraction(0))
    first, rest = 1 - square, [2 * entry for entry in entries[1:]]
    return with_entries(case, "w", [entry / (1 + square) for entry in (first, *rest)])


def _longer(case: Tensors, random: Random) -> Tensors:
    factor = random.choice((2, 3))
    return with_entries(case, "w", [factor * entry for entry in case.arrays["w"].entries])


def _noise(case: Tensors, random: Random) -> Tensors:
    return with_entries(case, "E", [random_rational(random) for _ in case.arrays["E"].entries])


def turned(case: Tensors, random: Random, *, fixing: bool) -> Tensors:
    """Q becomes a product of two reflections. fixing: whether these fix w."""
    size, axis = case.lengths["d"], case.arrays["w"].entries
    columns = [[Fraction(int(i == j)) for i in range(size)] for j in range(size)]
    for _ in range(2):
        u = [random_rational(random) for _ in range(size)]
        if fixing and any(axis):
            share = quantities.dot(u, axis) / quantities.dot(axis, axis)
            u = [a - share * b for a, b in zip(u, axis, strict=True)]
        if any(u):
            shares = [2 * quantities.dot(u, column) / quantities.dot(u, u) for column in columns]
            columns = [
                [a - share * b for a, b in zip(column, u, strict=True)]
                for share, column in zip(shares, columns, strict=True)
            ]
    return with_entries(case, "Q", [columns[j][i] for i in range(size) for j in range(size)])


def _moving(case: Tensors, random: Random) -> Tensors:
    """Q becomes a rotation that moves w, or none."""
    case = turned(case, random, fixing=False)
    size, axis, q = case.lengths["d"], case.arrays["w"].entries, case.arrays["Q"].entries
    moved = [quantities.dot(q[i * size : (i + 1) * size], axis) for i in range(size)]
    return case if moved != list(axis) else with_entries(case, "Q", [2 * x for x in q])


ZERO, IDENTITY = zeros(rows(E), rows(E)), eye(rows(E))
UNIT = Given("unit vector", dot(w, w) == 1, r"$\lVert w\rVert=1$", _unit, _longer)
NOISELESS = Given("no noise", E == ZERO, "$E=0$", break_=_noise)
ROTATION = Given(
    "rotation about w",
    (Q.T @ Q == IDENTITY) & (Q @ w == w),
    r"$Q^\top Q=I$ and $Qw=w$",
    lambda case, random: turned(case, random, fixing=True),
    _moving,
)
STEP = Given(
    "a step of descent",
    (eta > 0) & (eta <= 1),
    r"$0<\eta\le1$",
    small_step,
    lambda case, random: with_entries(
        case, "eta", [random.choice((-1, 2, 3)) * Fraction(1, random.randint(1, 2))]
    ),
)
POOL = pool_with(w, v, E, Q, eta, adapt=small_step)
UNTURNED = pool_with(w, v, E, eta, adapt=small_step)

# claims -------------------------------------------------------------------------------------------
DYNAMICS = printed("Section 5, second and third paragraphs")
DISPLAY = printed("Section 5, display")
COST = printed("Section 5, before the discussion of Figure 2")
FLOW: Mapping[str, Term] = {"v": -gradient(v)}


def symmetry_claim(
    name: str,
    source: Source,
    title: str,
    text: str,
    says: Term,
    given: Sequence[Given],
    **others: Any,
) -> Claim:
    """A claim of Section 5."""
    return stated(f"j23.sym.{name}", source, title, text, says, given, **others)


CONSTANTS = (
    r"the constant of $O(\lVert E\rVert)$ is worked out "
    "(docs/mathematics/j23.md#rotated-descent)"
)
ROTATIONS = (
    symmetry_claim(
        "inv.split",
        DYNAMICS,
        "length and statistics",
        r"$\lVert v\rVert^2=(w^\top v)^2+\lVert(I-ww^\top)v\rVert^2$.",
        dot(v, v) == along(v) + across(v),
        [UNIT],
        proofs=[proofs.split],
    ),
    symmetry_claim(
        "inv.rotation",
        DYNAMICS,
        "descent commutes with rotations about w",
        r"At $E=0$ gradient descent on $C(v)=\lVert vv^\top-(ww^\top+E)\rVert_F^2$ is invariant "
        r"under rotation around $w$: a step from $Qv$ leads to $Q$ times where a step from $v$ "
        r"leads.",
        stepped(Q @ v) == Q @ stepped(v),
        [NOISELESS, ROTATION],
        pool=POOL,
        proofs=[proofs.rotation],
    ),
    symmetry_claim(
        "inv.noise",
        DYNAMICS,
        "nearly so for small noise",
        r"For small $E$ it is nearly so: one step differs by at most "
        r"$8\eta\lVert E\rVert_F\lVert v\rVert$.",
        frob2(stepped(Q @ v) - Q @ stepped(v)) <= 64 * eta**2 * frob2(E) * dot(v, v),
        [ROTATION],
        through=CONSTANTS,
        pool=POOL,
        proofs=[proofs.rotation_with_noise],
    ),
    symmetry_claim(
        "inv.statistics",
        DYNAMICS,
        "the two statistics evolve by themselves",
        r"At $E=0$ the statistics $u(v)=((w^\top v)^2,\lVert(I-ww^\top)v\rVert^2)$ after a step "
        r"are functions of those before it: $u_1(1-4\eta(u_1+u_2-1))^2$ and "
        r"$u_2(1-4\eta(u_1+u_2))^2$.",
        (along(stepped(v)) == next_along(along(v), across(v)))
        & (across(stepped(v)) == next_across(along(v), across(v))),
        [UNIT, NOISELESS],
        pool=UNTURNED,
        proofs=[proofs.next_first, proofs.next_second],
    ),
)

WHICH = {
    "along": (
        r"$\partial_t(w^\top v)^2=-8(\lVert v\rVert^2-1)(w^\top v)^2",
        along(v),
        -8 * (dot(v, v) - 1) * along(v),
    ),
    "across": (
        r"$\partial_t\lVert(I-ww^\top)v\rVert^2=-8\lVert v\rVert^2\lVert(I-ww^\top)v\rVert^2",
        across(v),
        -8 * dot(v, v) * across(v),
    ),
}
EVOLUTION = (
    *(
        symmetry_claim(
            f"ode.{which}@A",
            DISPLAY,
            f"rate of the statistic {which} w",
            rf"{text}+O(\lVert E\rVert)$, at $E=0$.",
            Rate(statistic) == right,
            [UNIT, NOISELESS],
            flow=FLOW,
            reading="A",
            reading_text=r"$\partial_t$ is taken along $\dot v=-\nabla C(v)$",
            proofs=[proofs.evolution(which)],
        )
        for which, (text, statistic, right) in WHICH.items()
    ),
    *(
        symmetry_claim(
            f"ode.{which}.noise",
            DISPLAY,
            f"rate of the statistic {which} w, with noise",
            rf"{text}+O(\lVert E\rVert)$ for bounded $v$: the remainder is at most "
            r"$8\lVert E\rVert_F\lVert v\rVert^2$.",
            (Rate(statistic) - right) ** 2 <= 64 * frob2(E) * dot(v, v) ** 2,
            [UNIT],
            flow=FLOW,
            through=CONSTANTS,
            proofs=[proofs.evolution_with_noise(which)],
        )
        for which, (text, statistic, right) in WHICH.items()
    ),
)

LOSS = (
    symmetry_claim(
        "loss.exact",
        COST,
        "the cost in terms of the statistics",
        r"$C(v)=\lVert v\rVert^4-2(w^\top v)^2+1+O(\lVert E\rVert)$, at $E=0$.",
        cost(v) == printed_cost(v),
        [UNIT, NOISELESS],
        proofs=[proofs.cost_without_noise],
    ),
    symmetry_claim(
        "loss.noise",
        COST,
        "the cost in terms of the statistics, with noise",
        r"$C(v)=\lVert v\rVert^4-2(w^\top v)^2+1+O(\lVert E\rVert)$ for bounded $v$: the remainder "
        r"is $\lVert E\rVert_F^2$ and at most $2(\lVert v\rVert^2+1)\lVert E\rVert_F$ more.",
        (cost(v) - frob2(E) - printed_cost(v)) ** 2 <= 4 * (dot(v, v) + 1) ** 2 * frob2(E),
        [UNIT],
        through=CONSTANTS,
        proofs=[proofs.cost_with_noise],
    ),
)

CLAIMS = (*ROTATIONS, *EVOLUTION, *LOSS)
