"""What stands beside the claims, by id: the lemma that leads from what is evaluated to the printed
sentence (`through`), why a statement is false (`why`), and what its hypotheses leave (`only`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from verify.core.claim import Claim
from verify.papers.dkbhl20.invariance import ONE_SAMPLE

QUOTIENTS = (
    "a quotient of polynomials in gamma tends to that of the leading coefficients "
    "(docs/mathematics/dkbhl20.md#the-limit-of-large-gamma)"
)
FIRST_TERMS = (
    "the means are power series in gamma, so that O(gamma^n), or every small gamma, is a matter of "
    "coefficients (docs/mathematics/dkbhl20.md#orders-in-gamma)"
)
FAMILIES = (
    "along families of spectra for d = n^m orders are degrees in n, and every large d is the sign "
    "of a leading coefficient (docs/mathematics/dkbhl20.md#families-of-spectra)"
)
STATES = (
    "where the invariant distribution is unique there is one sample, and the chain is a finite "
    "one on signs (docs/mathematics/dkbhl20.md#uniqueness)"
)
LATER = (
    "what one step keeps, whatever H of rank one it starts from, all later steps keep "
    "(docs/mathematics/dkbhl20.md#rank-one-is-kept)"
)
KEPT = (
    "each step keeps the rank d, so that all layers have it "
    "(docs/mathematics/dkbhl20.md#full-rank-is-kept)"
)
FINITE = (
    "the chain of signs stands for the chain on each line "
    "(docs/mathematics/dkbhl20.md#rank-one-states)"
)
REMAINDER = (
    "an invariant law and a small gamma enter by the mean of delta_F alone, which is -6 d^2 or "
    "more (docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma)"
)
RUNS = (
    "averages over long runs stand for their limits "
    "(docs/mathematics/dkbhl20.md#averages-and-limits)"
)
LADDERS = (
    "slopes along finite ladders stand for orders in the limit "
    "(docs/mathematics/dkbhl20.md#slopes-along-ladders)"
)
GAPS = (
    "sigma_1/sigma_2 along products of finite length stands for its limit "
    "(docs/mathematics/dkbhl20.md#limit-points-have-rank-one)"
)

THROUGH: Mapping[str, str] = {
    "def_chain.b": QUOTIENTS,
    "def_r.b": "a quotient of polynomials is differentiable where the lower one is not 0, with the "
    "derivative that is computed (docs/mathematics/dkbhl20.md#the-function-r)",
    "def_r.b.rank": "a function that jumps along a line has no derivative there "
    "(docs/mathematics/dkbhl20.md#the-function-r)",
    "def1.d": "a law of finite support is that of its negative where its odd moments vanish "
    "(docs/mathematics/dkbhl20.md#laws)",
    **dict.fromkeys(("def2.means", "def2.unlike", "hyp_unique.a", "hyp_unique.b"), FINITE),
    **dict.fromkeys(("hyp_unique.c.samples", "hyp_unique.c.small"), FINITE),
    **dict.fromkeys(("ergodic.a", "ergodic.b", "lem4.a", "lem4.g", "bncentering.a"), STATES),
    **dict.fromkeys(("lem5.b", "lem6.c@A"), STATES),
    **dict.fromkeys(("lem6.b@A", "lem6.a@B.fix", "lem6.c@B.fix"), LATER),
    **dict.fromkeys(("lem5.a.full.fix", "cor15.a.fix"), KEPT),
    **dict.fromkeys(("lem10.a", "thm14.a", "thm14.b", "thm14.d", "thm14.i", "cor15.a"), STATES),
    "lem4.b": "what is independent in W is so in SW, so that the laws of the entries decide "
    "(docs/mathematics/dkbhl20.md#uniqueness)",
    **dict.fromkeys(("lem4.c", "lem4.f", "lem13_53.a@B"), FINITE),
    **dict.fromkeys(
        ("lem7", "lem7_moments.b", "lem7_T1T2.a", "lem7_T1T2.d", "ex9.a", "ex9.b@A", "ex9.c"),
        FIRST_TERMS,
    ),
    **dict.fromkeys(("ex9.e@A", "ex9.f@A", "ex9.g@A", "ex9.h@A"), FIRST_TERMS),
    "lem7.b": "a remainder of at most C gamma^3 with an explicit C is O(gamma^3) "
    "(docs/mathematics/dkbhl20.md#orders-in-gamma)",
    **dict.fromkeys((f"ex12.{part}{end}" for part in "abcd" for end in ("", ".fix")), FAMILIES),
    **dict.fromkeys(("lem13.a", "lem13.b@B", "lem13_53.e", "thm14.h"), REMAINDER),
    "lem10.d": "a mean of delta_F that stays away from 0 outweighs a remainder of at most C gamma "
    "(docs/mathematics/dkbhl20.md#when-alpha-is-below-one)",
    "lem13_53.b": "an order of gamma is looked at as a bound of d^2 gamma at some small gamma "
    "(docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma)",
    "thm14.c": "limits of averages keep the inequality of each of them "
    "(docs/mathematics/dkbhl20.md#averages-and-limits)",
    **dict.fromkeys(("thm14.a.fix", "thm14.b.fix", "thm14.d.fix", "thm14.k", "thm14.l"), RUNS),
    **dict.fromkeys(("def3.c", "ergodic.b.runs", "bncentering.a.runs", "varwidth@B"), RUNS),
    **dict.fromkeys(("thm14.e", "thm14.f", "lem13.c", "bncentering.b"), LADDERS),
    "varwidth@A": "Corollary 15 asks the input of a block for full rank "
    "(docs/mathematics/dkbhl20.md#corollary-15)",
    "varwidth@A.fix": "Corollary 15 asks the input of a block for full rank "
    "(docs/mathematics/dkbhl20.md#corollary-15)",
    **dict.fromkeys(("lem3.d.rate", "lem3.e"), GAPS),
    "lem3.f": "products that agree for each draw agree in law "
    "(docs/mathematics/dkbhl20.md#steps-of-the-proof-of-lemma-3)",
    "lem3.g@A": "what is at most (d - 1)/(1 + n gamma)^2 tends to 0 "
    "(docs/mathematics/dkbhl20.md#steps-of-the-proof-of-lemma-3)",
    "lem3.h": "the support of the law of W is the cube of the support of its entries "
    "(docs/mathematics/dkbhl20.md#steps-of-the-proof-of-lemma-3)",
    "lem3.i.union": "a polynomial of degree k in each variable that is 0 on a grid of k + 1 values "
    "each is 0 (docs/mathematics/dkbhl20.md#steps-of-the-proof-of-lemma-3)",
    "prop19.c": "a loss enters by its gradient alone, by the chain rule "
    "(docs/mathematics/dkbhl20.md#proposition-19)",
}

WHY: Mapping[str, str] = {
    "def1.b@A": r"$\mathcal U([-1,1])$ has the variance $1/3$, and Definition 1 asks for variance "
    r"one.",
    "def_softrank.b": r"(3) counts $\sigma_i=\sqrt{N\tau}$ as well, which is not greater than "
    r"$\sqrt{N\tau}$.",
    "p1p2.b": r"Two rows of $H_\ell$ that are equal up to sign have $|[M_\ell]_{ij}|=1$, as for "
    r"every $H_\ell$ of rank one.",
    "lem4.e": r"The last matrix lacks a diag: $\widetilde H_{1/2}\widetilde H_{1/2}^\top$ is not "
    "diagonal.",
    "lem5.a": r"A unique invariant distribution leaves $N=1$ alone, and a matrix $H_\ell$ of one "
    r"column has rank one.",
    "lem5.a.full": r"For $\gamma\le1/(8d)$ without $B$ a weight matrix $W_\ell=-uu^\top/(\gamma "
    r"d)$, with signs $u$, makes $I+\gamma W_\ell$ singular.",
    "lem5.c": r"For $\gamma\le1/(8d)$ without $B$ large weights turn signs of rows, so that the "
    r"mean of $[M(H)]_{ij}$ lies between $-1$ and $1$.",
    "lem6a.a@A": r"$[WM]_{ij}$ is a sum of $d$ weights, so that the bound lacks a factor of the "
    r"order of $d$: weights of one sign attain $2d\gamma B$.",
    "lem7_T1T2.c": r"The factor $\gamma^2$ of (70) and its remainder are missing: $T_2$ tends to "
    r"$0$ with $\gamma$, and the right side does not depend on it.",
    "lem13_53.e.from54": r"(54) has the last sign turned, so that it bounds nothing from above: "
    r"it holds for every spectrum of trace $d$, also where $\|\lambda\|_3^3=d^3$.",
    "lem16.b": r"The limit is missing before $\frac{N-n}N\alpha$, which for $N=n$ is $0$ and for "
    r"small $N$ "
    "below the limit of the means.",
    "ex9.d": r"There are $d-1$ small eigenvalues: the coefficients of $\gamma^2$ lack the factor "
    r"$d-1$.",
    "ex12.a": r"Many eigenvalues of an order just below $d^\beta$ outweigh $\lambda_1$ in both "
    r"traces, and $\alpha$ tends to $1$.",
    "ex12.b": r"The sum of the other $\lambda_i^2$, each $o(d^{2\beta})$, can be larger than "
    r"$d^{2\beta}$: there are $d-1$ of them.",
    "ex12.c": r"The sum of the other $\lambda_i^2$, each $o(d^{2\beta})$, can be larger than "
    r"$d^{2\beta}$: there are $d-1$ of them.",
    "ex12.d": r"Many eigenvalues of an order just below $d^\beta$ outweigh $\lambda_1$ in both "
    r"traces, and $\alpha$ tends to $1$.",
    "lem3.h.entries": r"For $d=1$ the element is $\alpha_1v_1$, of absolute value one for "
    r"$\alpha_1=1$.",
    "varwidth@A": r"A block of $e$ rows that follows one of $d<e$ begins with a matrix of rank "
    r"$d$ at "
    "most.",
    "alg1.a@B": r"At depth the gradient of $r(H_L)$ is $0$ to rounding, as all samples are on one "
    r"line, "
    "so that the steps do nothing.",
}

ONE_SAMPLE_ALONE = (
    *("lem4.a", "lem4.g", "bncentering.a", "lem5.a", "lem5.b", "lem5.c", "ergodic.a", "ergodic.b"),
    *("lem6.a@A", "lem6.b@A", "lem6.c@A"),
)
NOT_EVEN_THAT = ("lem10.a", "thm14.a", "thm14.b", "thm14.d", "thm14.i", "cor15.a")
ONLY: Mapping[str, str] = {
    **dict.fromkeys(ONE_SAMPLE_ALONE, ONE_SAMPLE),
    "lem13_53.a@B": r"for states of rank one, where $\lVert M\rVert_F^2=d^2$ in each",
    **dict.fromkeys(NOT_EVEN_THAT, rf"{ONE_SAMPLE}; nor for one sample where $\gamma\le1/(8Bd)$"),
}


def annotated(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims with what stands beside them. Raises ValueError for a note on no claim."""
    claims = tuple(claims)
    names = {claim.id.removeprefix("dkbhl20.") for claim in claims}
    if unknown := {*THROUGH, *WHY, *ONLY} - names:
        raise ValueError(f"notes on no claim: {', '.join(sorted(unknown))}")
    return tuple(_with_notes(claim) for claim in claims)


def _with_notes(claim: Claim) -> Claim:
    name = claim.id.removeprefix("dkbhl20.")
    return replace(
        claim,
        through=THROUGH.get(name, claim.through),
        why=WHY.get(name, claim.why),
        only=ONLY.get(name, claim.only),
    )
