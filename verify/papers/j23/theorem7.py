"""Theorems 7 and 16: activations are bounded on most layers where the tangent kernel is.

Which parameters the tangent kernel runs over: the proof takes its trace without the biases, which
is the smaller one. A bound on the trace over all parameters is a bound on that one, so the claims
suppose the bound on the trace over the weights alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from verify.core.claim import Claim
from verify.kinds.deep.layered import LayeredPool, layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import Each, Sum, examples, frob2
from verify.language.terms import Term
from verify.papers.j23.kernel_notation import trace_by_layers
from verify.papers.j23.network_notation import (
    ALL,
    BALANCED,
    DEPTH,
    FULLY_CONNECTED,
    K_AT_LEAST_1,
    NORM_BOUND,
    RANK,
    SLOPE,
    SMOOTH,
    Index,
    K,
    activations,
    jacobian_square,
)
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import SHARE, with_share
from verify.papers.j23.theorem6_notation import P, most_layers
from verify.papers.j23.theorem7_notation import GAP2, KERNEL_BOUND, LARGER_GROWTH, SPREAD, root
from verify.statements.stated import Given, stated

GAPS, WHOLE = ("gap", "gap2"), (("k", 0, 3),)
POINT = layered_pool(pool(points=(1,), gaps=GAPS, whole=WHOLE))
WITH_SHARE = layered_pool(
    pool(points=(1,), gaps=GAPS, whole=WHOLE, extras=(("p", ()),), last=with_share)
)
SMALL = layered_pool(pool(depths=(1, 2, 2), widest=2, points=(1,), gaps=GAPS, whole=(("k", 0, 2),)))
GIVEN = (SLOPE, SMOOTH, K_AT_LEAST_1, RANK, NORM_BOUND, KERNEL_BOUND)

BOUND = r"\frac{c\max\{1,e^{c_1/k}\}}{k\,|Jf_\theta(x)|_+^{2/k}}"
SUPPOSED = (
    r"Given balanced parameters $\theta$ with $\lVert\theta\rVert^2\le kL+c_1$ and a point $x$ "
    r"with $\mathrm{Rank}\,Jf_\theta(x)=k\ge1$, if "
)
TRACE = r"\mathrm{Tr}[\Theta^{(L)}(x,x)]\le cL"
SUM = r"$\sum_{\ell=1}^L\lVert\alpha_{\ell-1}(x)\rVert_2^2\le" + BOUND + "L$."
COUNT = (
    r"for all $p\in(0,1)$ there are at least $(1-p)L$ layers such that "
    r"$\lVert\alpha_{\ell-1}(x)\rVert_2^2\le\frac1p" + BOUND + "$."
)


# what is said -------------------------------------------------------------------------------------
def below(m: Index, x: Index) -> Term:
    """|alpha_(l-1)(x)|^2."""
    return frob2(activations(m - 1, x))


def bound(x: Index) -> Term:
    """c max{1, e^(c_1/k)} / (k |Jf(x)|_+^(2/k)), with c L = Tr Theta(x, x) + gap2."""
    c = (trace_by_layers(x, x) + GAP2) / DEPTH
    return c * LARGER_GROWTH / (K * root(jacobian_square(x)))


IN_SUM = Each(examples(), lambda p: Sum(ALL, lambda m: below(m, p)) <= bound(p) * DEPTH)
IN_MOST_LAYERS = Each(examples(), lambda p: most_layers(lambda m: below(m, p) <= bound(p) / P))


# claims -------------------------------------------------------------------------------------------
def _claim(
    name: str,
    place: str,
    title: str,
    text: str,
    says: Term,
    given: Sequence[Given],
    cases: LayeredPool,
    depends: tuple[str, ...] = ("j23.thm7.a@A",),
    words: str = r"$\mathrm{Tr}[\Theta^{(L)}(x,x)]\le cL$ without a factor, as Theorem 7 prints it",
) -> Claim:
    return stated(
        f"j23.thm7.{name}@A",
        printed(place),
        title,
        text,
        says,
        (FULLY_CONNECTED, *given),
        depends=depends,
        pool=cases,
        reading="A",
        reading_text=words,
    )


THEOREM7 = _claim(
    "a",
    "Theorem 7",
    "the sum of the activations under a bounded tangent kernel",
    f"{SUPPOSED}${TRACE}$, then {SUM}",
    IN_SUM,
    (BALANCED, *GIVEN),
    POINT,
    (
        "j23.balanced.d",
        "j23.thm7.steps.rank.a",
        "j23.thm7.steps.rank.b",
        "j23.thm7.steps.amgm@A",
    ),
)
LAYERS7 = _claim(
    "b",
    "Theorem 7",
    "most activations under a bounded tangent kernel",
    f"{SUPPOSED}${TRACE}$, then {COUNT}",
    IN_MOST_LAYERS,
    (BALANCED, *GIVEN, SHARE),
    WITH_SHARE,
)

# the remark on balancedness -----------------------------------------------------------------------
SPREAD_ENOUGH = _claim(
    "spread",
    "Section 4, paragraph after Theorem 7",
    "only the spread of the norms is needed",
    r"The bound of Theorem 7 holds without balancedness where the norms are spread out: "
    r"$\frac1\ell\sum_{j\le\ell}\lVert W_j\rVert_F^2\le\lVert\theta\rVert^2/L$ for every $\ell$.",
    IN_SUM,
    (SPREAD, *GIVEN),
    SMALL,
    words="well spread out: no average of the lower layers is above that of all",
)
CLAIMS = (THEOREM7, LAYERS7, SPREAD_ENOUGH)
