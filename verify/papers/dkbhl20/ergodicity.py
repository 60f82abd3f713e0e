"""Averages along the chain (footnote 11; Appendices D, E).

Judged on the chains of signs (verify.papers.dkbhl20.sign_chain): where the invariant law is unique
this is the whole chain, on finitely many states.
"""

from __future__ import annotations

from verify.language.building import Each, Let, Sum, implies, subsets
from verify.language.terms import Term
from verify.papers.dkbhl20.invariance import POSITIVE, UNIQUE, WEIGHTS, law_pool
from verify.papers.dkbhl20.invariant_laws_proofs import one_finite_chain
from verify.papers.dkbhl20.laws_on_signs import INVARIANT_BESIDE_H, ON_SIGNS
from verify.papers.dkbhl20.sign_chain import EVERY, MASS, STATES, STEP, D, law_vector, limits
from verify.papers.dkbhl20.sources import printed
from verify.statements.stated import stated

LAWS = law_pool(STATES, MASS, bounded=False)


# what is said -------------------------------------------------------------------------------------
def _is_not_left(step: Term, some: Term) -> Term:
    """The chain does not leave a set."""
    return Each(some, lambda s: Sum(some, lambda t: step[s, t]) == Sum(EVERY, lambda t: step[s, t]))


def _of_sets(step: Term, law: Term) -> Term:
    def extreme(some: Term) -> Term:
        return Let(Sum(some, lambda s: law[s]), lambda share: (share == 0) | (share == 1))

    return Each(subsets(EVERY), lambda some: implies(_is_not_left(step, some), extreme(some)))


SETS = Let(law_vector(D), lambda law: Let(STEP, lambda step: _of_sets(step, law)))
INDICATORS = Let(
    law_vector(D),
    lambda law: limits(
        STEP,
        D,
        lambda s: s >= 1,
        lambda reached: Each(EVERY, lambda t: reached[t] == law[t]),
    ),
)


# claims -------------------------------------------------------------------------------------------
LAW = (*WEIGHTS, POSITIVE, UNIQUE, ON_SIGNS, INVARIANT_BESIDE_H)
IF_UNIQUE = r"the chain $\{H_\ell^{(\gamma)}\}_{\ell\ge1}$ admits a unique invariant distribution"

ERGODIC = stated(
    "dkbhl20.ergodic.a",
    printed("footnote 11; eqs. (32), (40), (49)"),
    "uniqueness implies ergodicity",
    rf"If {IF_UNIQUE} $\nu_\gamma$, then the chain is ergodic: $\nu_\gamma(A)\in\{{0,1\}}$ for "
    r"every set $A$ that it does not leave.",
    SETS,
    LAW,
    depends=("dkbhl20.hyp_unique.c",),
    pool=LAWS,
    proof=one_finite_chain,
)
AVERAGES = stated(
    "dkbhl20.ergodic.b",
    printed("eqs. (32), (40), (49), (61)"),
    "averages along the chain",
    rf"If {IF_UNIQUE} $\nu_\gamma$, and so is ergodic, then $\lim_{{L\to\infty}}\frac1L\sum_{{\ell"
    r"=1}^Lg(H_\ell^{(\gamma)})=\mathbb E_{H\sim\nu_\gamma}[g(H)]$ holds almost surely for every "
    r"bounded Borel $g:\mathcal H\to\mathbb R$.",
    INDICATORS,
    LAW,
    depends=("dkbhl20.ergodic.a",),
    pool=LAWS,
    proof=one_finite_chain,
)

CLAIMS = (ERGODIC, AVERAGES)
