"""Lemma 4: rows are symmetric in law under the invariant distribution (Appendices C, D).

Laws are those of the chain on rank one states u v^T (verify.papers.dkbhl20.sign_chain): where the
invariant law is unique this is the whole chain.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import Each, Sum, Vector, When, dim, implies, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import held, in_roles
from verify.papers.dkbhl20.invariance import (
    INDEPENDENT,
    POSITIVE,
    SYMMETRIC_LAW,
    UNIQUE_OF_EITHER,
    WEIGHTS,
    WIDE,
    in_the_setting,
)
from verify.papers.dkbhl20.laws_on_signs import INVARIANT, ON_SIGNS, WIDTH
from verify.papers.dkbhl20.notation import GAMMA, H, entries
from verify.papers.dkbhl20.sign_chain import (
    ATOMS,
    MASS,
    POINTS,
    PROBS,
    STATES,
    STEP_OF_EITHER,
    TIED,
    VALUES,
    D,
    invariant,
    mean,
    step_of_either,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.symmetric_rows_proofs import (
    products_are_odd,
    the_chain_is_odd,
    the_law_turns,
    the_steps_turn,
)
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

FACTORS = (Fraction(2), Fraction(1), Fraction(1, 2))
SIGN = Vector("S", "d", meaning="the diagonal of $S$")


# cases --------------------------------------------------------------------------------------------
def _drawn(case: Tensors, random: Random) -> Tensors:
    roles = in_roles(*(name for name in ("H", "gamma", "atoms") if name in case.arrays))
    return in_the_setting(roles(case, random), random)


LAWS = pool_with(H, GAMMA, ATOMS, PROBS, STATES, MASS, TIED, largest=3, adapt=_drawn)
TURNED_LAWS = pool_with(SIGN, GAMMA, ATOMS, PROBS, STATES, MASS, TIED, largest=3, adapt=_drawn)
TURNED = pool_with(SIGN, GAMMA, ATOMS, PROBS, TIED, largest=3, adapt=_drawn)
WEIGHTS_ALONE = pool_with(SIGN, ATOMS, PROBS, TIED, largest=3, adapt=_drawn)


# hypotheses ---------------------------------------------------------------------------------------
SIGNS = Given(
    "S of signs",
    Each(entries(SIGN), lambda i: abs(SIGN[i]) == 1),
    r"$S$ is diagonal with entries $\pm1$",
    lambda case, random: held(
        with_entries(
            case,
            "S",
            [Fraction(-1 if x < 0 or random.random() < 0.25 else 1) for x in _diagonal(case)],
        ),
        "S",
    ),
    lambda case, random: with_entries(
        case, "S", [*(x * random.choice(FACTORS) for x in _diagonal(case)[:-1]), Fraction(2)]
    ),
    thin=True,
)


def _diagonal(case: Tensors) -> list[Fraction]:
    return list(case.arrays["S"].entries)


BY_W = step_of_either(WIDTH)
LAW = (*WEIGHTS, SYMMETRIC_LAW, INDEPENDENT, POSITIVE)
OF_LAW = (ON_SIGNS, replace(INVARIANT, holds=invariant(STEP_OF_EITHER, D)))
ON_STATES = (ON_SIGNS, replace(INVARIANT, holds=invariant(BY_W, WIDTH)))


# what is said -------------------------------------------------------------------------------------
def _likely(i: Term, sign: int) -> Term:
    """P(H_i = v) for v = 1 or -1: there is one sample."""
    return Sum(POINTS, lambda m: When(STATES[m, i] == sign, MASS[m], 0))


def _chance(factor: Term | int, x: Term) -> Term:
    """P(factor w = x)."""
    return Sum(VALUES, lambda k: When(factor * ATOMS[k] == x, PROBS[k], 0))


ROWS_ARE_SYMMETRIC = Each(upto(D), lambda i: _likely(i, 1) == _likely(i, -1))
SAME_ENTRIES = Each(
    entries(SIGN),
    lambda i: Each(VALUES, lambda k: _chance(SIGN[i], ATOMS[k]) == _chance(1, ATOMS[k])),
)
SAME_STEPS = step_of_either(dim(SIGN)) == step_of_either(dim(SIGN), SIGN)
LAW_OF_SH = invariant(BY_W, WIDTH, SIGN)
MEANS_VANISH = Each(upto(D), lambda i: mean(lambda u: u[i]) == 0)
PRODUCTS_VANISH = Each(
    upto(D),
    lambda i: Each(upto(D), lambda j: implies(i < j, mean(lambda u: u[i] * u[j]) == 0)),
)


# claims -------------------------------------------------------------------------------------------
IF_UNIQUE = (
    r"Suppose that the chain (7) admits a unique invariant distribution $\nu_\gamma$ and "
    r"$H\sim\nu_\gamma$"
)
HALVES = (
    r"$H_{1/2}:=H+\gamma SWSH$, $\widetilde H_{1/2}:=SH+\gamma WSH$, $S$ diagonal with entries "
    r"$\pm1$"
)

SUPPOSED = (*LAW, UNIQUE_OF_EITHER, *OF_LAW)
CLAIMS = (
    stated(
        "dkbhl20.lem4.a",
        printed("Lemma 4, Appendix C"),
        "rows are symmetric in law",
        rf"{IF_UNIQUE}. Then the law of $H_{{i:}}$ equates the law of $-H_{{i:}}$.",
        ROWS_ARE_SYMMETRIC,
        SUPPOSED,
        pool=LAWS,
        proof=the_chain_is_odd,
    ),
    stated(
        "dkbhl20.lem4.b",
        printed("proof of Lemma 4, Appendix C"),
        "SW has the law of W",
        r"$SW\stackrel d=W$ for $S$ diagonal with entries $\pm1$.",
        SAME_ENTRIES,
        (*LAW[:-1], SIGNS),
        pool=WEIGHTS_ALONE,
    ),
    stated(
        "dkbhl20.lem4.c",
        printed("eq. (22), Appendix C"),
        "the next layer by SWS",
        rf"$H\stackrel d=H_+\stackrel d=(\mathrm{{diag}}(H_{{1/2}}H_{{1/2}}^\top/N))^{{-1/2}}"
        rf"H_{{1/2}}$ with {HALVES}.",
        SAME_STEPS,
        (*LAW, SIGNS),
        depends=("dkbhl20.lem4.b",),
        pool=TURNED,
        proof=the_steps_turn,
    ),
    stated(
        "dkbhl20.lem4.f",
        printed("eq. (29), Appendix C"),
        "the law of SH is invariant",
        r"$SH\stackrel d=SH_+\stackrel d=\mathrm{diag}^{-1/2}(\widetilde H_{1/2}\widetilde "
        r"H_{1/2}^\top/N)\widetilde H_{1/2}$, hence the law of $SH$ is invariant where that of $H$ "
        r"is.",
        LAW_OF_SH,
        (*LAW, SIGNS, *ON_STATES),
        depends=("dkbhl20.lem4.d", "dkbhl20.lem4.e.fix"),
        pool=TURNED_LAWS,
        proof=the_law_turns,
    ),
    stated(
        "dkbhl20.lem4.g",
        printed("eq. (31), Appendix D"),
        "means of products of rows vanish",
        rf"{IF_UNIQUE}. Then $\mathbb E[[M(H_\ell^{{(\gamma)}})]_{{ij}}]=-\mathbb "
        r"E[[M(H_\ell^{(\gamma)})]_{ij}]=0$ for $i\ne j$.",
        PRODUCTS_VANISH,
        (WIDE, *SUPPOSED),
        depends=("dkbhl20.lem4.f",),
        pool=LAWS,
        proof=products_are_odd,
    ),
)
