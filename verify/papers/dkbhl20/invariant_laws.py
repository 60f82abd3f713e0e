"""Definition 2, and what the paper supposes of invariant distributions: that there is one, and
that it is unique (Appendices A, E).

Judged on the chains of signs (verify.papers.dkbhl20.sign_chain), the whole chain for N = 1. A law
on {-1, 1}^d has support points `states`, (m, d), and probabilities `mass`, (m,).
"""

from __future__ import annotations

from collections.abc import Callable

from verify.core.claim import Claim, Kind
from verify.language.building import (
    Each,
    Let,
    When,
    cols,
    outer,
    row,
    vector,
)
from verify.language.terms import Term
from verify.papers.dkbhl20.invariance import POSITIVE, SUPPORT, SYMMETRIC_LAW, WEIGHTS, law_pool
from verify.papers.dkbhl20.invariant_laws_proofs import (
    all_states_are_fixed,
    lines_are_apart,
    means_follow,
    there_is_one,
)
from verify.papers.dkbhl20.laws_on_signs import (
    DEFINED,
    DEFINED_ON_SIGNS,
    INVARIANT,
    INVARIANT_BESIDE_H,
    LAWS_ON_SIGNS,
    ON_SIGNS,
    SEVERAL,
    SMALL,
    STEP_ON_SIGNS,
    WIDTH,
)
from verify.papers.dkbhl20.notation import H
from verify.papers.dkbhl20.sign_chain import (
    MASS,
    POINTS,
    STATES,
    STEP,
    D,
    law_vector,
    laws_of,
    signs_of,
    step_on_line,
)
from verify.papers.dkbhl20.sources import printed
from verify.statements.stated import stated

LAWS = law_pool(bounded=False)
BOUNDED_LAWS = law_pool()
SMALL_LAWS = law_pool(STATES, MASS, bounded=False, largest=2)  # two rows are enough, and quick


# what is said -------------------------------------------------------------------------------------
def _keeps_means(after: Term, law: Term, signs: Term) -> Term:
    """(10): the mean state stays."""
    return signs.T @ after == signs.T @ law


def _after(says: Callable[[Term, Term], Term]) -> Term:
    """What is said of the law after a step and the law."""
    return Let(
        law_vector(WIDTH), lambda law: Let(STEP_ON_SIGNS.T @ law, lambda after: says(after, law))
    )


KEEPS_MEANS = _after(lambda after, law: _keeps_means(after, law, signs_of(WIDTH)))
KEEPS_MEANS_ALONE = _after(
    lambda after, law: _keeps_means(after, law, signs_of(WIDTH)) & (after != law)
)
COUNT = laws_of(STEP)
ONE_OR_MORE, TWO_OR_MORE = COUNT >= 1, COUNT >= 2


def _line(last: int) -> Term:
    """(1, ..., 1), or with the last entry -1."""
    return vector(cols(H), lambda j: When(j == cols(H), last, 1))


def _stays_on(line: Term) -> Term:
    """The law of u v^T, u of the law on signs, meets (38)."""
    return Let(law_vector(D), lambda law: step_on_line(D, line).T @ law == law)


APART = Each(
    POINTS,
    lambda m: Each(
        POINTS,
        lambda n: ~(outer(row(STATES, m), _line(1)) == outer(row(STATES, n), _line(-1))),
    ),
)
ON_TWO_LINES = _stays_on(_line(1)) & _stays_on(_line(-1)) & APART


# claims -------------------------------------------------------------------------------------------
LAW = (*WEIGHTS, POSITIVE)
IF_UNIQUE = r"the chain $\{H_\ell^{(\gamma)}\}_{\ell\ge1}$ admits a unique invariant distribution"
READINGS = {
    "A": r"(10): $\int\mathrm{BN}(H+\gamma WH)\,\mu(dW)\,\nu(dH)=\int\mathrm{BN}(H)\,\nu(dH)$",
    "B": r"(38): $\int g(\mathrm{BN}_{0,\mathbf 1_d}(H+\gamma WH))\,\mu(dW)\,\nu(dH)=\int "
    r"g(H)\,\nu(dH)$ for every bounded Borel function $g$",
}

DEFINITIONS = tuple(
    Claim(
        f"dkbhl20.def2@{reading}",
        Kind.DEFINITION,
        printed("Definition 2, eq. (10), Appendix A; eq. (38), Appendix E"),
        "invariant distribution",
        r"$\nu$ is an invariant distribution of the hidden representations if " + text + ".",
        reading=reading,
        reading_text=text,
    )
    for reading, text in READINGS.items()
)
FROM_THE_OTHER = stated(
    "dkbhl20.def2.means",
    printed("Definition 2, eq. (10), Appendix A; eq. (38), Appendix E"),
    "(38) gives (10)",
    "Not printed: a law that meets (38) meets (10).",
    KEEPS_MEANS,
    (*LAW, DEFINED_ON_SIGNS, ON_SIGNS, INVARIANT),
    depends=("dkbhl20.def2@A", "dkbhl20.def2@B"),
    pool=LAWS_ON_SIGNS,
    proof=means_follow,
)
NOT_BACK = stated(
    "dkbhl20.def2.unlike",
    printed("Definition 2, eq. (10), Appendix A; eq. (38), Appendix E"),
    "(10) does not give (38)",
    "Not printed: some law meets (10) and not (38).",
    KEEPS_MEANS_ALONE,
    (*LAW[:-1], SYMMETRIC_LAW, POSITIVE, DEFINED_ON_SIGNS, ON_SIGNS),
    kind=Kind.EXISTENCE,
    depends=("dkbhl20.def2@A", "dkbhl20.def2@B"),
    pool=LAWS_ON_SIGNS,
    negated="every law that meets (10) meets (38)",
)
ADMITS = stated(
    "dkbhl20.hyp_unique.a",
    printed("Appendix A, before Definition 2"),
    "an invariant distribution",
    r"Under mild assumptions the Markov chain $\{H_\ell^{(\gamma)}\}_{\ell\ge1}$ admits an "
    "invariant distribution: for some law of the weights it does.",
    ONE_OR_MORE,
    LAW,
    kind=Kind.EXISTENCE,
    depends=("dkbhl20.def2@B",),
    pool=LAWS,
    negated="no chain of the setting has an invariant distribution",
)
AT_LEAST_ONE = stated(
    "dkbhl20.hyp_unique.b",
    printed("proof sketch of Theorem 14, eq. (38), Appendix E"),
    "at least one invariant distribution",
    r"$\{H_\ell^{(\gamma)}\}$ is a Markov chain in a compact space and admits at least one "
    r"invariant distribution $\nu$, for which (38) holds.",
    ONE_OR_MORE,
    (*LAW, DEFINED),
    depends=("dkbhl20.def2@B",),
    pool=LAWS,
    proof=there_is_one,
)
ASSUMED = Claim(
    "dkbhl20.hyp_unique.c",
    Kind.ASSUMPTION,
    printed("Lemmas 4, 5 and 10, Theorem 14, Corollary 15; footnote 11"),
    "unique invariant distribution",
    rf"The assumption of the lemmas: {IF_UNIQUE} $\nu_\gamma$.",
)
MANY = stated(
    "dkbhl20.hyp_unique.c.samples",
    printed("the assumption of Lemmas 4, 5 and 10, Theorem 14, Corollary 15"),
    "several samples have several invariant distributions",
    r"Not printed: for $N\ge2$ the chain admits two invariant distributions, one on each of the "
    r"sets "
    r"$\{uv^\top:u\in\{-1,1\}^d\}$ with $v=(1,\dots,1)$ and $v=(1,\dots,1,-1)$, which have no "
    "matrix in common.",
    ON_TWO_LINES,
    (*LAW, DEFINED, SEVERAL, ON_SIGNS, INVARIANT_BESIDE_H),
    depends=("dkbhl20.hyp_unique.b", "dkbhl20.hyp_unique.c"),
    pool=SMALL_LAWS,
    proof=lines_are_apart,
)
FEW = stated(
    "dkbhl20.hyp_unique.c.small",
    printed("the assumption of Lemmas 4, 5 and 10, Theorem 14, Corollary 15"),
    "for small gamma several invariant distributions",
    r"Not printed: for weights with support in $[-B,B]$ and $0<\gamma<1/(dB)$ the chain admits at "
    r"least two invariant distributions, whatever $N$.",
    TWO_OR_MORE,
    (*LAW, SUPPORT, SMALL),
    depends=("dkbhl20.hyp_unique.b", "dkbhl20.hyp_unique.c"),
    pool=BOUNDED_LAWS,
    proof=all_states_are_fixed,
)

CLAIMS = (*DEFINITIONS, FROM_THE_OTHER, NOT_BACK, ADMITS, AT_LEAST_ONE, ASSUMED, MANY, FEW)
