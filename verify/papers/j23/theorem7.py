"""Theorems 7 and 16: activations are bounded on most layers where the tangent kernel is.

Which parameters the tangent kernel runs over: the proof takes its trace without the biases, which
is the smaller one. A bound on the trace over all parameters is a bound on that one, so the claims
suppose the bound on the trace over the weights alone.
"""

from __future__ import annotations

from dataclasses import replace

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.balanced import BALANCED, CLIMBED_NOWHERE, SPREAD
from verify.kinds.deep.hypotheses import (
    K_AT_LEAST_1,
    KERNEL_BOUND,
    NORM_BOUND,
    RANK,
    SLOPE,
    SMOOTH,
)
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_measures import (
    activation_square,
    counted,
    growth,
    inverse_k,
    jacobian_power,
    jacobian_square,
    kernel_trace,
    said,
    total,
)

POINT = pool(points=(1,), gaps=("gap", "gap2"), whole=(("k", 0, 3),))
SMALL = pool(depths=(1, 2, 2), widest=2, points=(1,), gaps=("gap", "gap2"), whole=(("k", 0, 2),))
SETTING = (SLOPE, SMOOTH, K_AT_LEAST_1, RANK)
REST = (*SETTING, NORM_BOUND, KERNEL_BOUND)
HYPOTHESES = (BALANCED, *REST)
NOT_CLIMBED = (CLIMBED_NOWHERE, *REST)

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


# measures -----------------------------------------------------------------------------------------
def bound_of_theorem7(scene: DeepScene) -> Array:
    """(C,): L times the bound of Theorem 7, with c L = Tr Theta(x, x) + gap2."""
    bound = (kernel_trace(scene, 0, biases=False) + scene["gap2"]) * growth(scene)
    return bound * inverse_k(scene) / jacobian_power(scene, jacobian_square(scene))


def activations(scene: DeepScene) -> list[Array]:
    """|alpha_0(x)|^2 to |alpha_(L-1)(x)|^2."""
    return [activation_square(scene, layer) for layer in range(scene.depth)]


def activation_sum(scene: DeepScene) -> Entries:
    """L times the bound minus the sum of |alpha_(l-1)(x)|^2."""
    return said(scene, scene.compare(bound_of_theorem7(scene), total(activations(scene))))


def activation_count(scene: DeepScene) -> Entries:
    """For every p: L times the bound minus m times the m-th largest |alpha_(l-1)(x)|^2."""
    return said(scene, scene.parts(counted(scene, activations(scene), bound_of_theorem7(scene))))


# Theorem 7 ----------------------------------------------------------------------------------------
THEOREM7 = Claim(
    "j23.thm7.a@A",
    Kind.INEQUALITY,
    printed("Theorem 7"),
    "the sum of the activations under a bounded tangent kernel",
    f"{SUPPOSED}${TRACE}$, then {SUM}",
    HYPOTHESES,
    (
        "j23.balanced.d",
        "j23.thm7.steps.rank.a",
        "j23.thm7.steps.rank.b",
        "j23.thm7.steps.amgm@A",
    ),
    activation_sum,
    POINT,
    reading="A",
    reading_text=r"$\mathrm{Tr}[\Theta^{(L)}(x,x)]\le cL$ without a factor, as Theorem 7 prints it",
    exact_only=True,
    floats=True,
)
LAYERS7 = replace(
    THEOREM7,
    id="j23.thm7.b@A",
    title="most activations under a bounded tangent kernel",
    statement=f"{SUPPOSED}${TRACE}$, then {COUNT}",
    hypotheses=NOT_CLIMBED,
    depends=("j23.thm7.a@A",),
    measure=activation_count,
)

# the remark on balancedness -----------------------------------------------------------------------
REMARK = "Section 4, paragraph after Theorem 7"
SPREAD_ENOUGH = replace(
    THEOREM7,
    id="j23.thm7.spread@A",
    source=printed(REMARK),
    title="only the spread of the norms is needed",
    statement=r"The bound of Theorem 7 holds without balancedness where the norms are spread out: "
    r"$\frac1\ell\sum_{j\le\ell}\lVert W_j\rVert_F^2\le\lVert\theta\rVert^2/L$ for every $\ell$.",
    hypotheses=(SPREAD, *SETTING, NORM_BOUND, KERNEL_BOUND),
    depends=("j23.thm7.a@A",),
    pool=SMALL,
    reading="A",
    reading_text="well spread out: no average of the lower layers is above that of all",
)
CLAIMS = (THEOREM7, LAYERS7, SPREAD_ENOUGH)
