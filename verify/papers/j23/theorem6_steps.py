"""The proof of Theorem 15, from the fourth display to the seventh: what is said of each layer.

A pair of bars without "+" is read as the determinant (A) or the pseudo-determinant (B), "positive"
as > 0 (A) or >= 0 (B). Twice a logarithm of a pseudo-determinant is one of its square.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.core.claim import Claim
from verify.language.building import Each, examples, frob2, log, pdet2, rank
from verify.language.terms import Term
from verify.papers.j23.network_notation import ALL, RANK, K, weight
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_notation import inner_part, missing, slope_part, to_svd
from verify.papers.j23.theorem6_words import (
    PLAIN,
    POINT,
    PROOF,
    PSEUDO,
    WITH_K,
    M,
    N,
)
from verify.statements.stated import stated


# the fourth to the seventh display ----------------------------------------------------------------
def _said(holds: Callable[[Term, Term], Term]) -> Term:
    """What is said of each point and layer."""
    return Each(examples(), lambda p: Each(ALL, lambda m: holds(m, p)))


def _logarithm(M: Term) -> Term:
    """-2 log |M|_+ against k - |M|_F^2."""
    return -log(pdet2(M)) >= K - frob2(M)


def _split_off(W: Term, N: Term) -> Term:
    """|W|^2 against |N|^2 + |W - N|^2: k and the logarithm are on both sides."""
    return frob2(W) == frob2(N) + frob2(W - N)


DTERM_A = _said(lambda m, x: _logarithm(slope_part(m, x)))
DTERM_B = _said(lambda m, x: missing(m, x) >= 0)
SPLIT_OFF = _said(lambda m, x: _split_off(weight(m), inner_part(m, x)))
SUMMAND = _said(
    lambda m, x: frob2(weight(m)) - K - log(pdet2(inner_part(m, x))) >= to_svd(m, x, inner_part)
)
RANK_OF_PART = _said(lambda m, x: rank(inner_part(m, x)) == K)


POSITIVE = r"$k-\lVert M_\ell\rVert_F^2$ is positive"
DTERMS = (
    stated(
        "j23.thm6.dterm.a@B",
        printed(f"{PROOF}, fourth display"),
        "the factors with D",
        rf"With ${M}$: $-2\log|M_\ell|\ge k-\lVert M_\ell\rVert_F^2$.",
        DTERM_A,
        (*POINT, RANK),
        depends=("j23.setup",),
        pool=WITH_K,
        reading="B",
        reading_text=PSEUDO,
    ),
    stated(
        "j23.thm6.dterm.b@B",
        printed(f"{PROOF}, fourth display"),
        "the factors with D",
        rf"With ${M}$: {POSITIVE}.",
        DTERM_B,
        (*POINT, RANK),
        depends=("j23.setup",),
        pool=WITH_K,
        reading="B",
        reading_text="positive: at least 0",
    ),
)
SPLIT = stated(
    "j23.thm6.split",
    printed(f"{PROOF}, fifth display"),
    "splitting off the projected part",
    rf"With ${N}$: $\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+=(\lVert N_\ell\rVert_F^2-k-"
    r"2\log|N_\ell|_+)+\lVert W_\ell-N_\ell\rVert_F^2$.",
    SPLIT_OFF,
    POINT,
    depends=("j23.setup",),
    pool=PLAIN,
)
LOWER_TEXT = (
    rf"With ${N}=U_\ell S_\ell V_\ell^T$ (SVD): $\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+\ge"
    r"\lVert W_\ell-U_\ell V_\ell^T\rVert_F^2$."
)


def _lower(part: str, title: str, text: str, says: Term) -> Claim:
    return stated(
        f"j23.thm6.lower.{part}",
        printed(f"{PROOF}, seventh display"),
        title,
        text,
        says,
        (*POINT, RANK),
        depends=("j23.thm6.split", "j23.thm6.scalar.b", "j23.thm6.scalar.d@A"),
        pool=WITH_K,
    )


CLAIMS = (
    *DTERMS,
    SPLIT,
    _lower("a", "lower bound of the summands", LOWER_TEXT, SUMMAND),
    _lower("b", "rank of the projected part", rf"${N}$ has rank $k$.", RANK_OF_PART),
)
