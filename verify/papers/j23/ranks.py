"""Section 3.1 and the Bottleneck rank: what is printed of R^(0) beside Theorem 3, on affine
functions.

The cost knows a function on its domain alone: on a domain of lower dimension, or a point, R^(0) is
the rank along the domain. On a domain with lines R^(0)(id; R) = 2 for the ReLU while both ranks are
1 (see domains). R^(0) stands for a number between its two bounds: what is said of it is said of the
bound that does not help.
"""

from __future__ import annotations

from verify.core.claim import Claim, Kind
from verify.language.building import Matrix, implies, rank, smaller
from verify.language.terms import Term
from verify.papers.j23.domains import (
    BOUNDED,
    ON_DOMAINS,
    SHAPE,
    SOLID,
    TWO_LAYERS,
    WITHOUT_LINES,
    F,
    L,
    along,
    at_least,
    at_most,
    d,
    domain_pool,
    through_rank,
)
from verify.papers.j23.matrix_notation import KEPT_SLOPE
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated

A, G = Matrix("A", "q", "n"), Matrix("G", "q", "n")
OUTER, INNER = Matrix("F", "q", "m"), Matrix("G", "m", "n")
AFFINE = rf"affine $f$ with linear part $F$, {SHAPE}"
WHY_LINES = (
    r"Along a line a network needs two chains, one for each direction: $R(id;\mathbb R,L)=2L$ with "
    r"the "
    r"ReLU, while both ranks of the identity are $1$."
)


def first_order_is(linear: Term, value: Term) -> Term:
    """What R^(0) of an affine function is equal to lies between its bounds."""
    return (at_least(linear) <= value) & (value <= at_most(linear))


# the Bottleneck rank ------------------------------------------------------------------------------
PIECEWISE = r"$g$ and $h$ are finite piecewise linear"
DEFINITION = Claim(
    "j23.bnrank@B",
    Kind.DEFINITION,
    printed("Section 3.1"),
    "Bottleneck rank",
    r"$\mathrm{Rank}_{BN}(f;\Omega)$ is the smallest $k$ such that $f=\Omega\xrightarrow{g}"
    r"\mathbb R^k\xrightarrow{h}\mathbb R^{d_{out}}$ where $g$ and $h$ are FPLF.",
    reading="B",
    reading_text=PIECEWISE,
)


def _conjecture(*more: Given) -> Claim:
    name = "j23.bnrank.conjecture@B"
    return stated(
        name + ".fix" * bool(more),
        printed("Sections 1 and 3.1"),
        "the conjecture on the Bottleneck rank" + ", repaired" * bool(more),
        r"$R^{(0)}(f;\Omega)=\mathrm{Rank}_{BN}(f;\Omega)$ for all piecewise linear $f$, by "
        r"conjecture" + (r", on bounded $\Omega$." if more else "."),
        first_order_is(F, along(F)),
        (KEPT_SLOPE, *more),
        depends=("j23.bnrank@B", "j23.expansion"),
        pool=domain_pool(F),
        reading="B",
        reading_text=f"{PIECEWISE}; {AFFINE}",
        repairs=name if more else None,
        exact_only=True,
        through=ON_DOMAINS,
        why="" if more else WHY_LINES,
    )


# bounds on R^(0) ----------------------------------------------------------------------------------
LOWER = r"$\mathrm{Rank}_J(f;\Omega)\le R^{(0)}(f;\Omega)$"
UPPER = r"$R^{(0)}(f;\Omega)\le\mathrm{Rank}_{BN}(f;\Omega)$"
ORDER = (
    r"An upper bound of the form $R(f;\Omega,L)\le L\,\mathrm{Rank}_{BN}(f;\Omega)+O(1)$ holds, "
    "thus "
    r"$R^{(1)}$ is bounded above"
)
GROWTH = (at_least(F) <= along(F)) & implies(
    WITHOUT_LINES, through_rank(L) <= along(F) * L + (through_rank(2) - 2 * along(F))
)
"""R grows no faster than L Rank_BN; and the network through R^k of depth L is above that by no more
than the one of depth 2 is."""


def _sandwich(name: str, text: str, says: Term, *more: Given) -> Claim:
    depth = (TWO_LAYERS,) if says is GROWTH else ()
    return stated(
        f"j23.sandwich.{name}" + ".fix" * bool(more),
        printed("Section 3.1, first display"),
        "bounds on the first order of the cost" + ", repaired" * bool(more),
        f"{text}. ({AFFINE[0].upper()}{AFFINE[1:]}.)",
        says,
        (KEPT_SLOPE, *depth, *more),
        depends=("j23.expansion", "j23.bnrank@B"),
        pool=domain_pool(F, d, L) if depth else domain_pool(F),
        repairs=f"j23.sandwich.{name}" if more else None,
        exact_only=True,
        through=ON_DOMAINS,
        why="" if more or name == "lower" else WHY_LINES,
    )


# compositions and sums ----------------------------------------------------------------------------
COMPOSED = OUTER @ INNER
"""The linear part of f after g; on g(Omega) both ranks of f are those of f after g on Omega."""
COMPOSITION = stated(
    "j23.rankprops.1@B",
    printed("Section 3.1, property 1"),
    "first order of a composition",
    r"$R^{(0)}(f\circ g;\Omega)\le\min\{R^{(0)}(f),R^{(0)}(g)\}$.",
    at_least(COMPOSED) <= smaller(at_most(COMPOSED), at_most(INNER)),
    (KEPT_SLOPE,),
    depends=("j23.sandwich.lower",),
    pool=domain_pool(OUTER, INNER),
    through=ON_DOMAINS,
    reading="B",
    reading_text=r"the domain of $f$ is $g(\Omega)$; affine $f$ and $g$ with linear parts $F$ and "
    rf"$G$, {SHAPE}",
    exact_only=True,
)
SUM = stated(
    "j23.rankprops.2",
    printed("Section 3.1, property 2"),
    "first order of a sum",
    r"$R^{(0)}(f+g;\Omega)\le R^{(0)}(f)+R^{(0)}(g)$. "
    rf"(Affine $f$ and $g$ with linear parts $F$ and $G$, {SHAPE}.)",
    at_least(F + G) <= at_most(F) + at_most(G),
    (KEPT_SLOPE,),
    depends=("j23.sandwich.lower",),
    pool=domain_pool(F, G),
    through=ON_DOMAINS,
    exact_only=True,
)


# linear maps --------------------------------------------------------------------------------------
def _linear(*more: Given) -> Claim:
    name = "j23.rankprops.3@A"
    return stated(
        name + ".fix" * bool(more),
        printed("Section 3.1, property 3"),
        "first order of a linear map" + ", repaired" * bool(more),
        r"$R^{(0)}(x\mapsto Ax;\Omega)=\mathrm{Rank}A$ for any bounded $A$"
        + (", on domains whose interior is not empty." if more else "."),
        first_order_is(A, rank(A)),
        (KEPT_SLOPE, *more),
        depends=("j23.sandwich.lower",),
        pool=domain_pool(A),
        reading="A",
        reading_text=rf"bounded: the norm of $A$ is finite; {SHAPE}",
        repairs=name if more else None,
        exact_only=True,
        through=ON_DOMAINS,
        why=""
        if more
        else r"The cost knows the map on $\Omega$ alone: at a point every network with the right "
        r"last "
        r"bias will do, so $R^{(0)}=0$ whatever $\mathrm{Rank}A$ is.",
    )


CLAIMS = (
    DEFINITION,
    _conjecture(),
    _conjecture(BOUNDED),
    _sandwich("lower", LOWER, along(F) <= at_most(F)),
    _sandwich("upper", UPPER, at_least(F) <= along(F)),
    _sandwich("upper", rf"{UPPER} on bounded $\Omega$", at_least(F) <= along(F), BOUNDED),
    _sandwich("order", ORDER, GROWTH),
    _sandwich("order", rf"On bounded $\Omega$: {ORDER}", GROWTH, BOUNDED),
    COMPOSITION,
    SUM,
    _linear(),
    _linear(BOUNDED, SOLID),
)
