"""Section 4.1 and Claims 1 and 2: curves that converge in direction, and their signs."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.cases.transformations import random_rational
from verify.core.claim import Claim, Kind
from verify.language.building import Each, Let, Min, Vector, dim, matrix, norm, upto, zeros
from verify.language.terms import Term
from verify.papers.lj22.curves import (
    CONVERGES_IN_DIRECTION,
    CURVES,
    CURVES_WITH_K,
    DIRECTION_IN_BALL,
    NO_ZERO_IN_LIMIT,
    NOT_CONSTANT,
    RAYS,
    READINGS,
    SETTLES_WITH_SIGNS,
    SETTLING,
    SIGNS_STAY,
    W_IN_BALL,
    P,
    Q,
    converges,
    swings,
)
from verify.papers.lj22.direction_proofs import ball_in_orthant, recurrence_of_printed, stable_signs
from verify.papers.lj22.sources import both
from verify.statements.stated import Given, stated

LATE = (
    "the late signs, the limit direction and the recurrence of a curve are told by its leading "
    "coefficients (docs/mathematics/lj22.md#curves)"
)
OF_CURVES = (
    r" Judged of $w(t)=\big((1-s)\,p(t)+s\,q(t)\big)/(1+|t|)^k$ with $s=|\sin t|$ and vectors $p$, "
    r"$q$ of polynomials in $|t|$: in the matrices $p$, $q$ an entry of $w$ has a row, its "
    "coefficients from the constant one on."
)
VECTOR = TensorPool(arrays=(("v", ("entry",)),), largest=9)
VECTORS = TensorPool(arrays=(("v", ("entry",)), ("u", ("entry",))), largest=6)


# vectors ----------------------------------------------------------------------------------------
def _v(case: Tensors) -> tuple[Fraction, ...]:
    return case.arrays["v"].entries


def _in_ball(case: Tensors) -> bool:
    pairs = zip(_v(case), case.arrays["u"].entries, strict=True)
    return 4 * sum((u - v) ** 2 for v, u in pairs) <= min(v * v for v in _v(case))


def _into_ball(case: Tensors, random: Random) -> Tensors:
    """Halve the distance until u lies in the ball (u = v, where its radius is 0)."""
    v, factor = _v(case), Fraction(1)
    steps = [u - a for a, u in zip(v, case.arrays["u"].entries, strict=True)]
    for _ in range(12):
        moved = case.with_entries(u=(a + factor * s for a, s in zip(v, steps, strict=True)))
        if _in_ball(moved):
            return moved
        factor /= 2
    return case.with_entries(u=v)


V, U = Vector("v", "entry"), Vector("u", "entry")
IN_ORTHANT = Each(upto(dim(V)), lambda i: V[i] * U[i] > 0)  # the interior of that of v
NO_ZERO_ENTRY = Given(
    "no zero entry",
    Each(upto(dim(V)), lambda i: V[i] != 0),
    r"$v_i\ne0$ for every $i$",
    lambda case, random: case.with_entries(v=(a or random_rational(random) for a in _v(case))),
    lambda case, random: case.with_entries(v=(Fraction(0), *_v(case)[1:])),
)
IN_BALL = Given(
    "in the ball",
    norm(U - V) <= Min(upto(dim(V)), lambda i: abs(V[i])) / 2,
    r"$\lVert u-v\rVert_2\le\min_i|v_i|/2$",
    _into_ball,
    lambda case, random: case.with_entries(u=(-a for a in _v(case))),
)
NOT_THE_ZERO_VECTOR = Given(
    "v is not 0",
    norm(V) > 0,
    r"$v\ne0$",
    break_=lambda case, random: case.with_entries(v=(Fraction(0) for _ in _v(case))),
)


def of_printed(says: Callable[[Term, Term], Term]) -> Term:
    """Of v |t sin t|: p is 0, q is v t."""
    crest = matrix(dim(V), 2, lambda e, m: V[e] * (m - 1))
    return Let(zeros(dim(V), 2), lambda p: Let(crest, lambda q: says(p, q)))


PRINTED = {
    "A": of_printed(lambda p, q: converges(p, q, "A") & swings(p, q)),
    "B": of_printed(lambda p, q: converges(p, q, "B") & swings(p, q)),
}


# the claims -------------------------------------------------------------------------------------
BALL = r"with $v$ the limit direction and $\mathcal B$ the ball of radius $\min_i|v_i|/2$ around it"
THERE_EXISTS = (
    r"There exists a function $w:\mathbb R\to\mathbb R^d$ such that $w(t)$ converges in direction "
    r"to some vector $v$ but for all $u\in w(\mathbb R)$, $w^{-1}(u)$ has infinitely many elements."
)


def _claim2(reading: str) -> Claim:
    return stated(
        f"lj22.claim2.a@{reading}",
        both("Claim 2, first sentence, and its proof"),
        "a curve that converges in direction and returns to each of its points forever",
        THERE_EXISTS + r" Witness: $t\mapsto v\,|t\sin(t)|$ for a fixed vector $v\in\mathbb R^d$.",
        PRINTED[reading],
        (NOT_THE_ZERO_VECTOR,),
        depends=("lj22.ass2",),
        pool=VECTOR,
        reading=reading,
        reading_text=READINGS[reading],
        proof=None if reading == "A" else recurrence_of_printed,
        through=LATE,
        why=r"at the multiples of $\pi$ the curve is at $0$ and $w(t)/\|w(t)\|_2$ not defined"
        if reading == "A"
        else "",
    )


CLAIMS = (
    Claim(
        "lj22.ass2",
        Kind.ASSUMPTION,
        both("Assumption 2"),
        "directional convergence to a limit without zeros",
        r"$\frac{w(t)}{\lVert w(t)\rVert_2}\xrightarrow{t\to\infty}\bar w$ exists, is finite in "
        r"each entry and furthermore, for all $e\in E$, $\bar w_e\ne0$.",
    ),
    stated(
        "lj22.rem-sign",
        both("Section 4.1, motivation and justification"),
        "directional convergence alone does not imply stable signs",
        r"There are curves $w(t)$ whose direction $w(t)/\lVert w(t)\rVert_2$ converges while a "
        r"weight that converges to $0$ changes sign an infinite number of times." + OF_CURVES,
        SETTLES_WITH_SIGNS,
        (CONVERGES_IN_DIRECTION,),
        kind=Kind.EXISTENCE,
        depends=("lj22.ass1", "lj22.ass2"),
        through=LATE,
        negated="on every curve with a direction each weight that tends to $0$ keeps its sign late",
        pool=SETTLING,
    ),
    stated(
        "lj22.claim1@A",
        both("Claim 1"),
        "directional convergence to a limit without zeros implies stable signs",
        r"Assumption 2 implies Assumption 1: if $w(t)/\lVert w(t)\rVert_2\to\bar w$ with "
        r"$\bar w_e\ne0$ for every $e$, then from some $t_0$ on $\mathrm{sgn}(w(t))="
        r"\mathrm{sgn}(w(t_0))$." + OF_CURVES,
        SIGNS_STAY,
        (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT),
        kind=Kind.IDENTITY,
        depends=("lj22.ass1", "lj22.ass2"),
        pool=CURVES,
        reading="A",
        reading_text=READINGS["A"],
        proof=stable_signs,
        through=LATE,
    ),
    stated(
        "lj22.claim1.ball",
        both("Claim 1, first step of the proof"),
        "a ball inside of an orthant",
        r"The ball of radius $\min_i|v_i|/2$ around $v$ is a subset of the interior of the orthant "
        r"of $v$.",
        IN_ORTHANT,
        (NO_ZERO_ENTRY, IN_BALL),
        pool=VECTORS,
        proof=ball_in_orthant,
    ),
    stated(
        "lj22.claim1.last",
        both("Claim 1, last sentence of the proof"),
        "the weights come to lie in the ball",
        BALL[0].upper() + BALL[1:] + r": eventually, $w(s)\in\mathcal B$, where its signs stay "
        r"constant." + OF_CURVES,
        W_IN_BALL,
        (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT),
        kind=Kind.IDENTITY,
        depends=("lj22.claim1.ball",),
        pool=CURVES_WITH_K,
        through=LATE,
        why=r"it is $w(s)/\|w(s)\|_2$ that lies in $\mathcal B$; $w(s)$ itself may grow or shrink",
    ),
    stated(
        "lj22.claim1.last.fix",
        both("Claim 1, last sentence of the proof"),
        "the direction of the weights comes to lie in the ball",
        BALL[0].upper() + BALL[1:] + r": eventually, $w(s)/\lVert w(s)\rVert_2\in\mathcal B$, and "
        r"the signs of $w(s)$ stay constant." + OF_CURVES,
        DIRECTION_IN_BALL & SIGNS_STAY,
        (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT),
        kind=Kind.IDENTITY,
        depends=("lj22.claim1.ball",),
        through=LATE,
        pool=CURVES,
        proof=stable_signs,
        repairs="lj22.claim1.last",
    ),
    stated(
        "lj22.claim2.exists",
        both("Claim 2, first sentence"),
        "a curve with a direction that returns to each of its points forever",
        THERE_EXISTS
        + r" (Looked for among curves that are not constant, with $k=0$, on a line, of "
        r"which $p$ or $q$ rests.)" + OF_CURVES,
        swings(P, Q),
        (CONVERGES_IN_DIRECTION, NOT_CONSTANT),
        kind=Kind.EXISTENCE,
        depends=("lj22.ass2",),
        negated="every such curve takes some value finitely often",
        pool=RAYS,
        through=LATE,
    ),
    *(_claim2(reading) for reading in "AB"),
)
