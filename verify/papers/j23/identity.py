"""Section 3.3.1 and Proposition 5 (12): R^(1) of the identity, on domains of two pieces.

What is bounded by tangents and weights alone stands in `identity_steps` and `last_weights`.

R^(1)(id) = 0 for two rays from 0, which span more than k = 1 dimensions or are no part of an
orthant: without boundedness the statements fail.
"""

from __future__ import annotations

from graphs.arithmetic import rational
from graphs.matrices import rank
from verify.cases.hypotheses import Hypothesis
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.language.building import Matrix, pdet2
from verify.papers.j23 import bends
from verify.papers.j23.bends import BOUNDED, SLOPE, TWO, VANISHES, bend
from verify.papers.j23.matrix_notation import projection
from verify.papers.j23.rows import Bounds, Row, certain_slack, entries_of
from verify.papers.j23.sources import printed
from verify.statements.stated import stated


# Proposition 5 ------------------------------------------------------------------------------------
def equivalence_residual(scene: RealScene) -> Entries:
    """[R^(1)(id; Omega) = 0] - [k-planar and completely positive], where bounds decide."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        on = bend(case)
        found = bends.vanishes(on)
        if found is not None:
            shaped = on.planar and on.linearly_positive
            rows.append((place, {}, rational(int(found) - int(shaped))))
    return entries_of(rows)


POSITIVE = "completely positive: embedded by a linear isometry into an orthant"
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


def _equivalence(*more: Hypothesis, repaired: bool = False) -> Claim:
    name = "j23.prop5@B"
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.IDENTITY,
        printed("Proposition 5 (Proposition 12)"),
        "when the first correction of the identity vanishes" + (", repaired" if repaired else ""),
        f"{RANKS}, "
        + (r"$\Omega$ bounded, " if repaired else "")
        + r"$R^{(1)}(id;\Omega)=0$ if and only if $\Omega$ is $k$-planar and completely positive.",
        (SLOPE, *more),
        ("j23.prop5.if", "j23.prop5.tangent"),
        measure=equivalence_residual,
        pool=bends.POOL,
        reading="B",
        reading_text=f"{POSITIVE}; {bends.SHAPE}; $k$ is 1 + extra, extra of a point",
        repairs=name if repaired else None,
        exact_only=True,
        through=THROUGH,
        why="" if repaired else WHY,
    )


# the sign -----------------------------------------------------------------------------------------
def sign_slack(scene: RealScene) -> Entries:
    """R^(1)(id; Omega), from below."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        found = bends.lower(bend(case))
        if found is not None:
            rows.append((place, {}, found))
    return entries_of(rows)


def span_residual(scene: RealScene) -> Entries:
    """The dimension of the span, minus k: 0 where Omega is k-planar."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        on = bend(case)
        rows.append((place, {}, rational(rank(on.generators) - on.dimension)))
    return entries_of(rows)


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
    Claim(
        "j23.id.nonneg.sign",
        Kind.INEQUALITY,
        printed("Section 3.3.1"),
        "sign of the first correction of the identity",
        f"{RANKS}, $R^{{(1)}}(id;\\Omega)$ is non-negative. ({bends.SHAPE}.)",
        (SLOPE,),
        ("j23.thm3.lb@B",),
        measure=sign_slack,
        pool=bends.POOL,
        exact_only=True,
        through=THROUGH,
    ),
)


def _planar(*more: Hypothesis, repaired: bool = False) -> Claim:
    name = "j23.id.nonneg.planar"
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.IDENTITY,
        printed("Section 3.3.1"),
        "first correction 0 only on planar domains" + (", repaired" if repaired else ""),
        f"{RANKS}, "
        + (r"$\Omega$ bounded, " if repaired else "")
        + rf"$R^{{(1)}}(id;\Omega)$ is $0$ only if $\Omega$ is $k$-planar. ({bends.SHAPE}.)",
        (SLOPE, *more, VANISHES),
        ("j23.id.nonneg.sign",),
        measure=span_residual,
        pool=bends.POOL,
        repairs=name if repaired else None,
        exact_only=True,
        through=THROUGH,
        why="" if repaired else WHY,
    )


# tangents -----------------------------------------------------------------------------------------
def tangent_residual(scene: RealScene) -> Entries:
    """The squared sine of the angle between the two tangent lines."""
    rows: list[Row] = [
        (place, {}, bend(case).sine_squared) for place, case in enumerate(scene.cases)
    ]
    return entries_of(rows)


def _tangent(*more: Hypothesis, repaired: bool = False) -> Claim:
    name = "j23.prop5.tangent"
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.IDENTITY,
        printed("proof of Proposition 12"),
        "tangent spaces match" + (", repaired" if repaired else ""),
        r"For any two points $x,y\in\Omega$ with $k$-dimensional tangent spaces, their tangent "
        r"spaces must match if $R^{(1)}(id;\Omega)=0$"
        + (r" and $\Omega$ is bounded" if repaired else "")
        + f". ({bends.SHAPE}.)",
        (SLOPE, *more, TWO, VANISHES),
        ("j23.prop5.bound.e",),
        measure=tangent_residual,
        pool=bends.POOL,
        repairs=name if repaired else None,
        exact_only=True,
        through=THROUGH,
        why="" if repaired else WHY,
    )


def tangent_slack(scene: RealScene) -> Entries:
    """R^(1)(id; Omega) minus the printed minimum, log(1 + |sin|), where bounds decide."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        on = bend(case)
        least = bends.lower(on, by_angle=False)
        if least is None:
            continue
        target = bends.angle(on)
        most = rational(0) if bends.vanishes(on) else None
        value = certain_slack(Bounds(least, most), Bounds(target, target))
        rows += [(place, {}, v) for v in value]
    return entries_of(rows)


BOUND_E = (
    r"$R^{(1)}(id;\Omega)\ge\min_{W_L}\lVert W_L\rVert_F^2-k+\max\big\{2\log|W_L^+P_{T_x\Omega}|_+,"
    r"\,2\log|W_L^+P_{T_y\Omega}|_+\big\}$"
)
SCALE_B = (
    r"$R^{(1)}(id;\Omega)\ge\min_{\lVert W_L\rVert_F^2=k}\max\big\{2\log|W_L^+P_{T_x\Omega}|_+,"
    r"\,2\log|W_L^+P_{T_y\Omega}|_+\big\}$"
)


def _bound(name: str, statement: str, *more: Hypothesis, repaired: bool = False) -> Claim:
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.INEQUALITY,
        printed("proof of Proposition 12"),
        "lower bound by two tangent spaces" + (", repaired" if repaired else ""),
        statement
        + (r", if $\Omega$ is bounded. " if repaired else ". ")
        + rf"(The minimum is $\log(1+|\sin|)$ of the angle of the lines. {bends.SHAPE}.)",
        (SLOPE, *more, TWO),
        ("j23.prop5.bound.d",),
        measure=tangent_slack,
        pool=bends.POOL,
        repairs=name if repaired else None,
        exact_only=True,
        through=THROUGH,
        why=""
        if repaired
        else r"On the unbounded domain of two rays from $0$ at a right angle the identity costs "
        r"$2L$ "
        r"at every depth, so $R^{(1)}=0$, while the minimum over $W_L$ is $\log2$.",
    )


CLAIMS = (
    *NONNEG,
    _planar(),
    _planar(BOUNDED, repaired=True),
    _equivalence(),
    _equivalence(BOUNDED, repaired=True),
    _tangent(),
    _tangent(BOUNDED, repaired=True),
    _bound("j23.prop5.bound.e", BOUND_E),
    _bound("j23.prop5.bound.e", BOUND_E, BOUNDED, repaired=True),
    _bound("j23.prop5.scale.b", SCALE_B),
    _bound("j23.prop5.scale.b", SCALE_B, BOUNDED, repaired=True),
)
