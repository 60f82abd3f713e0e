"""Section 3.3.1 and Proposition 5 (12): R^(1) of the identity, on domains of two pieces.

What is bounded by tangents and weights alone stands in `identity_steps` and `last_weights`.

R^(1)(id) = 0 for two rays from 0, which span more than k = 1 dimensions or are no part of an
orthant: without boundedness the statements fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verify.core.claim import Claim
from verify.language.building import Matrix, When, pdet2, rank
from verify.language.terms import Term
from verify.papers.j23.bends import (
    AT_LEAST_WITHOUT_ANGLE,
    AT_MOST,
    BOUNDED,
    BY_ANGLE,
    IS_0,
    PLANAR,
    POOL,
    POSITIVE,
    SHAPE,
    SINE_SQUARED,
    TWO,
)
from verify.papers.j23.identity_steps import ONE, REPRESENTS
from verify.papers.j23.identity_steps import T as TANGENT
from verify.papers.j23.matrix_notation import KEPT_SLOPE, projection
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    SMOOTH,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated

THROUGH = (
    "the first correction of the identity on two pieces lies between bounds that hold at every "
    "depth (docs/mathematics/j23.md#the-identity-on-bounded-domains)"
)
WHY = (
    r"The domain may be unbounded: two rays from $0$ in different directions cost exactly $2L$ at "
    r"every depth, so $R^{(1)}(id;\Omega)=0$, though they span a plane or are no part of an "
    r"orthant."
)
RANKS = r"For a domain with $\mathrm{Rank}_J(id;\Omega)=\mathrm{Rank}_{BN}(id;\Omega)=k$"
PROOF = "proof of Proposition 12"
OF_PIECES: dict[str, Any] = {"pool": POOL, "exact_only": True, "through": THROUGH}


def _also_repaired(
    name: str,
    where: str,
    title: str,
    text: tuple[str, str, str],
    says: Term,
    given: Sequence[Given] = (),
    *,
    why: str = WHY,
    **others: Any,
) -> tuple[Claim, Claim]:
    """What is said of all domains, and repaired, of bounded ones. text: before, in and behind the
    words that only the second has."""
    before, bounded, behind = text
    as_printed = stated(
        name,
        printed(where),
        title,
        before + behind,
        says,
        (KEPT_SLOPE, *given),
        why=why,
        **OF_PIECES,
        **others,
    )
    repaired = stated(
        f"{name}.fix",
        printed(where),
        f"{title}, repaired",
        before + bounded + behind,
        says,
        (KEPT_SLOPE, BOUNDED, *given),
        repairs=name,
        **OF_PIECES,
        **others,
    )
    return as_printed, repaired


# the sign -----------------------------------------------------------------------------------------
T = Matrix("T", "n", "k", meaning="its columns span $T_x\\Omega$")


NONNEG = (
    stated(
        "j23.id.nonneg.projection",
        printed("Section 3.3.1"),
        "pseudo-determinant of a projection",
        r"$\log|P_{T_x}|_+=0$. (The columns of $T$ span $T_x\Omega$.)",
        pdet2(projection(T)) == 1,
        exact_only=True,
    ),
    stated(
        "j23.id.nonneg.sign",
        printed("Section 3.3.1"),
        "sign of the first correction of the identity",
        rf"{RANKS}, $R^{{(1)}}(id;\Omega)$ is non-negative: every network of depth $L$ that is the "
        r"identity on $\Omega$ has $\lVert\theta\rVert^2\ge Lk$.",
        DEPTH * rank(TANGENT) <= PARAMETER_SQUARE,
        (FULLY_CONNECTED, SLOPE, SMOOTH, REPRESENTS),
        depends=("j23.thm3.lb@B.fix",),
        pool=ONE,
        exact_only=True,
        through="a bound on every network of each depth that is the identity on $\\Omega$ is one "
        "on the limit, and $R^{(0)}(id;\\Omega)=k$ (docs/mathematics/j23.md#bounds-on-an-infimum)",
    ),
)
ONLY_PLANAR = _also_repaired(
    "j23.id.nonneg.planar",
    "Section 3.3.1",
    "first correction 0 only on planar domains",
    (
        f"{RANKS}, ",
        r"$\Omega$ bounded, ",
        rf"$R^{{(1)}}(id;\Omega)$ is $0$ only if $\Omega$ is $k$-planar. ({SHAPE}.)",
    ),
    PLANAR | ~IS_0,
    depends=("j23.id.nonneg.sign",),
)


# Proposition 5 ------------------------------------------------------------------------------------
EMBEDDED = "completely positive: embedded by a linear isometry into an orthant"
EQUIVALENCE = _also_repaired(
    "j23.prop5@B",
    "Proposition 5 (Proposition 12)",
    "when the first correction of the identity vanishes",
    (
        f"{RANKS}, ",
        r"$\Omega$ bounded, ",
        r"$R^{(1)}(id;\Omega)=0$ if and only if $\Omega$ is $k$-planar and completely positive.",
    ),
    IS_0 == (PLANAR & POSITIVE),
    depends=("j23.prop5.if", "j23.prop5.tangent"),
    reading="B",
    reading_text=f"{EMBEDDED}; {SHAPE}; $k$ is 1 + extra, extra of a point",
)


# tangents -----------------------------------------------------------------------------------------
TANGENTS = _also_repaired(
    "j23.prop5.tangent",
    PROOF,
    "tangent spaces match",
    (
        (
            r"For any two points $x,y\in\Omega$ with $k$-dimensional tangent spaces, their tangent "
            r"spaces must match if $R^{(1)}(id;\Omega)=0$"
        ),
        r" and $\Omega$ is bounded",
        f". ({SHAPE}.)",
    ),
    (SINE_SQUARED == 0) | ~IS_0,
    (TWO,),
    depends=("j23.prop5.bound.e",),
)


_KNOWN = When(AT_LEAST_WITHOUT_ANGLE >= BY_ANGLE, AT_LEAST_WITHOUT_ANGLE, AT_MOST)
"""The bound on R^(1) that tells on which side of the minimum it lies: from below where it is large
enough, else from above."""


def _bound(name: str, text: str) -> tuple[Claim, Claim]:
    return _also_repaired(
        name,
        PROOF,
        "lower bound by two tangent spaces",
        (
            text,
            r", if $\Omega$ is bounded",
            rf". (The minimum is $\log(1+|\sin|)$ of the angle of the lines. {SHAPE}.)",
        ),
        _KNOWN >= BY_ANGLE,
        (TWO,),
        depends=("j23.prop5.bound.d",),
        why=r"On the unbounded domain of two rays from $0$ at a right angle the identity costs "
        r"$2L$ at every depth, so $R^{(1)}=0$, while the minimum over $W_L$ is $\log2$.",
    )


BY_NORM = _bound(
    "j23.prop5.bound.e",
    r"$R^{(1)}(id;\Omega)\ge\min_{W_L}\lVert W_L\rVert_F^2-k+\max\big\{2\log|W_L^+P_{T_x\Omega}|_+,"
    r"\,2\log|W_L^+P_{T_y\Omega}|_+\big\}$",
)
AT_NORM_K = _bound(
    "j23.prop5.scale.b",
    r"$R^{(1)}(id;\Omega)\ge\min_{\lVert W_L\rVert_F^2=k}\max\big\{2\log|W_L^+P_{T_x\Omega}|_+,"
    r"\,2\log|W_L^+P_{T_y\Omega}|_+\big\}$",
)


CLAIMS = (*NONNEG, *ONLY_PLANAR, *EQUIVALENCE, *TANGENTS, *BY_NORM, *AT_NORM_K)
