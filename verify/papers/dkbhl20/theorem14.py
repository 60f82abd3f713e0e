"""Theorem 14, the first inequality of (58) and its steps (59) and (60), on laws of finite support.

In (58) an average over layers is an expectation over a law of finite support. The hypotheses are
those of `lemma13`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import Count, Each, Number, Sum, eigenvalues, sqrt, upto
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.dkbhl20 import lemma13_arguments as arguments
from verify.papers.dkbhl20.drawing import LEVELS
from verify.papers.dkbhl20.laws import (
    ALPHA,
    CARRIED,
    LAW,
    LAWS,
    SUPPORT,
    UNIT,
    WIDTH,
    M,
    P,
    drawn_law,
    mean,
    moments,
)
from verify.papers.dkbhl20.lemma13 import BOUNDED, SMALL
from verify.papers.dkbhl20.sources import printed
from verify.statements.stated import Given, pool_with, stated

TAU = Number("tau")


def squares(a: Term) -> Term:
    """|A|_F^2, entry by entry."""
    return Sum(upto(WIDTH), lambda i: Sum(upto(WIDTH), lambda j: a[i, j] ** 2))


def surrogate(a: Term) -> Term:
    """r(H) = d^2/|M(H)|_F^2, as Tr M(H) = d."""
    return WIDTH**2 / squares(a)


def soft_rank(a: Term) -> Term:
    """rank_tau(H): how many eigenvalues of M(H) are at least tau."""
    return Count(eigenvalues(a), lambda value: value >= TAU)


def with_level(case: Tensors, value: Fraction) -> Tensors:
    """The case with another tau."""
    return case.changing(tau=replace(case.arrays["tau"], entries=(value,)))


def _drawn(case: Tensors, random: Random) -> Tensors:
    case = drawn_law(case, random)
    return with_level(case, random.choice(LEVELS)) if random.random() < 0.7 else case


def _into(case: Tensors, random: Random) -> Tensors:
    inside = 0 <= case.number("tau") <= 1
    return case if inside else with_level(case, Fraction(random.randint(0, 8), 8))


def _out(case: Tensors, random: Random) -> Tensors:
    step = Fraction(random.choice((1, 2, 8)), 8)
    return with_level(case, random.choice((-step, 1 + step)))


LEVEL = Given("tau between 0 and 1", (TAU >= 0) & (TAU <= 1), r"$0\le\tau\le1$", _into, _out)


def at_least_0(proof: Proof, a: Term) -> Fact:
    """|A|_F^2 >= 0."""

    def row(i: Term, _: Fact) -> Fact:
        def entry(j: Term, _: Fact) -> Fact:
            return proof.algebra(a[i, j] ** 2 >= 0, {}, [a[i, j]])

        return proof.summed(upto(WIDTH), entry)

    whole = proof.summed(upto(WIDTH), row)
    return proof.algebra(squares(a) >= 0, {whole: 1})


def inverse_is_convex(proof: Proof) -> None:
    """1/x is at least 2/m - x/m^2, with x = |M|_F^2 and m its mean."""
    law, one = (proof.part(proof.given[LAW.name], part) for part in (0, 1))
    whole = mean(squares)
    (nonzero,) = proof.lemma("divisor", proof.defined(proof.goal.args[1]), a=WIDTH**2, b=whole)
    (inverse,) = proof.lemma("reciprocal", nonzero, b=whole)
    share = Fraction(1) / whole
    has_value = proof.values(
        Each(SUPPORT, lambda k: surrogate(moments(k)) == surrogate(moments(k)))
    )

    def point(k: Term, member: Fact) -> Fact:
        norm, mass = squares(moments(k)), proof.at(law, member)
        (apart,) = proof.lemma("divisor", proof.at(has_value, member), a=WIDTH**2, b=norm)
        (unit,) = proof.lemma("reciprocal", apart, b=norm)
        own = Fraction(1) / norm
        size = at_least_0(proof, moments(k))
        positive = proof.algebra(own >= 0, {unit: -own}, [(1, own, size)])
        above = proof.algebra(
            own - 2 * share + share**2 * norm >= 0,
            {unit: 2 * share - share**2 * norm},
            [(1, 1 - share * norm, positive)],
        )
        return proof.algebra(P[k] * above.term.args[0] >= 0, {(above, mass): 1})

    tangents = proof.summed(SUPPORT, point)
    proof.algebra(
        proof.goal,
        {one: 2 * share * WIDTH**2, inverse: -(share * WIDTH**2)},
        [(1, WIDTH, tangents)],
    )


SOFT = mean(soft_rank) >= (1 - TAU) ** 2 * mean(surrogate)
CONVEX = mean(surrogate) >= WIDTH**2 / mean(squares)
ROOT = mean(surrogate) >= sqrt((1 - ALPHA) * WIDTH)

CLAIMS = (
    stated(
        "dkbhl20.thm14.c",
        printed("Theorem 14, eq. (58), first inequality"),
        "the average soft rank against the average surrogate",
        r"$\lim_{L\to\infty}\frac1L\sum_{\ell=1}^L\mathrm{rank}_\tau(H_\ell^{(\gamma)})\ge"
        r"\lim_{L\to\infty}\frac{(1-\tau)^2}L\sum_{\ell=1}^Lr(H_\ell^{(\gamma)})$ for "
        r"$\tau\in[0,1]$ (here for every average over layers).",
        SOFT,
        (*CARRIED, LEVEL),
        pool=pool_with(M, P, TAU, adapt=_drawn),
        depends=("dkbhl20.lem1b",),
        proof=arguments.layers_have_soft_rank,
    ),
    stated(
        "dkbhl20.thm14.g",
        printed("proof of Theorem 14, eq. (59)"),
        "expectation of the surrogate",
        r"$\mathbb E[r(H)]=\mathbb E[d^2/\lVert M(H)\rVert_F^2]\ge d^2/\mathbb "
        r"E[\lVert M(H)\rVert_F^2]$.",
        CONVEX,
        (LAW, UNIT),
        pool=LAWS,
        depends=("dkbhl20.def_r.c@A",),
        proofs=[inverse_is_convex],
    ),
    stated(
        "dkbhl20.thm14.h",
        printed("proof of Theorem 14, eq. (60)"),
        "bound on the expected surrogate",
        r"$\mathbb E_{H\sim\nu_\gamma}[r(H)]\ge\sqrt{(1-\alpha)d}$ " + SMALL + ".",
        ROOT,
        BOUNDED,
        pool=LAWS,
        depends=("dkbhl20.thm14.g", "dkbhl20.lem13.a"),
        proof=arguments.surrogate_is_bounded,
    ),
)
