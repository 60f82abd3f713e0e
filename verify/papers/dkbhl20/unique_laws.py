"""Lemma 10, Theorem 14 and Corollary 15 as printed: with a unique invariant law and a small gamma.

A unique invariant law is one on {-1, 1}^d (N = 1, `sign_chain`), and then some sign changes with
positive probability, so that gamma d B > 1; below that strength each of the 2^d states is a law of
its own. "Sufficiently small" is gamma <= 1/(8Bd) here: it asks for more than gamma d B < 1, and a
threshold below it leaves fewer cases. So nothing meets both: `hyp_unique.c.small` is cited for it.
On states u v^T: M = u u^T has rank one, r = 1, alpha = 1. Without uniqueness the same is said of
every invariant law on these states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from verify.cases.tensor_pool import TensorPool
from verify.core.argument import Argument
from verify.core.claim import Claim
from verify.language.building import Each, cols, outer, rank, row, sqrt, vector
from verify.language.terms import Term
from verify.papers.dkbhl20.invariance import (
    DRAWN,
    FULL_RANK,
    NOT_FOR_SMALL_STRENGTHS,
    POSITIVE,
    SMALL,
    SUPPORT,
    SYMMETRIC_LAW,
    UNIQUE,
    WEIGHTS,
    law_pool,
)
from verify.papers.dkbhl20.laws import square_diagonal, trace_of_cube
from verify.papers.dkbhl20.laws_on_signs import INVARIANT_BESIDE_H, ON_SIGNS
from verify.papers.dkbhl20.lemma1 import LEVEL
from verify.papers.dkbhl20.notation import TAU, H, W, soft_rank, surrogate
from verify.papers.dkbhl20.rank_two import the_rank_is_kept
from verify.papers.dkbhl20.sign_chain import EVERY, MASS, SIGNS, STATES, D, mean
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.step_cases import BEFORE
from verify.statements.stated import Given, stated

LAWS, ONE_STEP = law_pool(STATES, MASS), law_pool(STATES, MASS, W)
AT_A_LEVEL = law_pool(STATES, MASS, TAU)
RANKS = law_pool(W)


# what is said -------------------------------------------------------------------------------------
ALPHA = mean(lambda u: square_diagonal(outer(u, u))) / mean(lambda u: trace_of_cube(outer(u, u)))
"""The regularity constant of a law on {-1, 1}^d, where M = u u^T."""
BOUND = sqrt((1 - ALPHA) * D)


def hidden(state: Term) -> Term:
    """u v^T with v = (1, ..., 1)."""
    return outer(state, vector(cols(H), lambda j: 1))


def _surrogate(state: Term) -> Term:
    return surrogate(hidden(state))


BELOW_ONE = ALPHA < 1


def _one_of_all(number: Callable[[Term], Term]) -> Term:
    """Every state has the same."""
    return Each(
        EVERY, lambda s: Each(EVERY, lambda t: number(row(SIGNS, s)) == number(row(SIGNS, t)))
    )


ONE_LIMIT = _one_of_all(lambda u: soft_rank(hidden(u), TAU)) & _one_of_all(_surrogate)
SURROGATE = mean(_surrogate) >= BOUND
RANK_ABOVE_BOUND = rank(BEFORE) >= BOUND
RANK_KEPT = (rank(BEFORE) == rank(H)) & (rank(H) == D) & (sqrt(D) <= D)


def rank_is_kept() -> Argument:
    """The rank stays d."""
    found = the_rank_is_kept()
    uses = tuple(name for name in found.uses if name != "two rows or more")
    return replace(found, uses=uses)


# claims -------------------------------------------------------------------------------------------
SUPPOSED = (*WEIGHTS, SUPPORT, POSITIVE, SMALL)
GIVEN = (
    r"The elements of the weight matrices are drawn independently from $\mathcal P$, of mean zero "
    r"and variance one, with support in $[-B,B]$, $\gamma$ is sufficiently small"
)
SYMMETRY = r", $\mathcal P$ is symmetric around zero"
UNIQUENESS = r", and the chain admits a unique invariant distribution $\nu_\gamma$"
FULL = r", $\mathrm{rank}(X)=d$"


def _claim(
    name: str,
    where: str,
    title: str,
    conclusion: str,
    says: Term,
    *,
    theorem: bool = True,
    pool: TensorPool = LAWS,
    more: tuple[Given, ...] = (),
) -> Claim:
    """theorem: whether Theorem 14 says what is supposed, or Lemma 10 does."""
    setting: tuple[Given, ...] = (FULL_RANK, SYMMETRIC_LAW) if theorem else ()
    return stated(
        f"dkbhl20.{name}",
        printed(where),
        title,
        f"{GIVEN}{(FULL + SYMMETRY) * theorem}{UNIQUENESS}. Then {conclusion}.",
        says,
        (*SUPPOSED, UNIQUE, ON_SIGNS, INVARIANT_BESIDE_H, *setting, *more),
        depends=("dkbhl20.hyp_unique.c", "dkbhl20.hyp_unique.c.small"),
        pool=pool,
        excluded=NOT_FOR_SMALL_STRENGTHS,
    )


THEOREM = "Theorem 14, eq. (58)"
CLAIMS = (
    _claim(
        "lem10.a",
        "Lemma 10",
        "the regularity constant is below one",
        r"the regularity constant of $\nu_\gamma$ is less than one",
        BELOW_ONE,
        theorem=False,
    ),
    _claim(
        "thm14.a",
        "Theorem 14",
        "the regularity constant is below one",
        r"the regularity constant $\alpha>0$ of $\nu_\gamma$ is less than one",
        BELOW_ONE,
    ),
    _claim(
        "thm14.b",
        THEOREM,
        "both limits exist",
        r"the averages of $\mathrm{rank}_\tau(H_\ell^{(\gamma)})$ and of $r(H_\ell^{(\gamma)})$ "
        r"have limits, almost surely",
        ONE_LIMIT,
        pool=AT_A_LEVEL,
        more=(LEVEL,),
    ),
    _claim(
        "thm14.d",
        THEOREM,
        "the average surrogate against the width",
        r"$\lim_{L\to\infty}\frac{(1-\tau)^2}L\sum_{\ell=1}^Lr(H_\ell^{(\gamma)})\ge(1-\tau)^2"
        r"(1-\alpha)^{1/2}\sqrt d$ almost surely",
        SURROGATE,
    ),
    _claim(
        "thm14.i",
        "proof of Theorem 14, eqs. (61), (62), (39), (40)",
        "the average surrogate is its expectation",
        r"$\lim_{L\to\infty}\frac1L\sum_{\ell=1}^Lr(H_\ell^{(\gamma)})=\mathbb E_{H\sim\nu_\gamma}"
        r"[r(H)]\ge\sqrt{(1-\alpha)d}$ almost surely",
        SURROGATE,
    ),
    _claim(
        "cor15.a",
        "Corollary 15",
        "the rank of every layer",
        r"$\mathrm{rank}(H_\ell)=\Omega(\sqrt d)$ almost surely for all finite $\ell$ (by the "
        r"proof: at least $\sqrt{(1-\alpha)d}$)",
        RANK_ABOVE_BOUND,
        pool=ONE_STEP,
        more=(DRAWN,),
    ),
    stated(
        "dkbhl20.cor15.a.fix",
        printed("Corollary 15"),
        "the rank of every layer, without uniqueness",
        f"{GIVEN}{FULL}. Then "
        r"$\mathrm{rank}(H_{\ell+1})=\mathrm{rank}(H_\ell)=d\ge\sqrt d$ for all finite $\ell$.",
        RANK_KEPT,
        (*SUPPOSED, FULL_RANK, DRAWN),
        pool=RANKS,
        repairs="dkbhl20.cor15.a",
        proof=rank_is_kept,
    ),
)
