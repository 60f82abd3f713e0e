"""Theorems 7 and 16: activations are bounded on most layers where the tangent kernel is.

Which parameters the tangent kernel runs over: the proof takes its trace without the biases, which
is the smaller one. A bound on the trace over all parameters is a bound on that one, so the claims
that follow the proof suppose the bound on the trace over the weights alone; for any N the claim
supposes it of the trace over all parameters, so that what fails there fails by both readings.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep_balanced import BALANCED, CLIMBED_NOWHERE, SPREAD, spread_excess
from verify.deep_hypotheses import K_AT_LEAST_1, KERNEL_BOUND, NORM_BOUND, RANK, SLOPE, SMOOTH
from verify.deep_pool import pool
from verify.deep_scene import DeepScene
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
from verify.vocabulary import Entries

POINT = pool(points=(1,), gaps=("gap", "gap2"), whole=(("k", 0, 3),))
SMALL = pool(depths=(1, 2, 2), widest=2, points=(1,), gaps=("gap", "gap2"), whole=(("k", 0, 2),))
MANY = pool(points=(1,), gaps=("gap", "gap2"), whole=(("k", 0, 3), ("n", 1, 4)))
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
def kernel_bound(scene: DeepScene, at: int = 0, *, biases: bool) -> Array:
    """(C,): c L = Tr Theta(x, x) + gap2."""
    return kernel_trace(scene, at, biases=biases) + scene["gap2"]


def printed_bound(scene: DeepScene) -> Array:
    """(C,): L times the bound of Theorem 7."""
    bound = kernel_bound(scene, biases=False) * growth(scene)
    return bound * inverse_k(scene) / jacobian_power(scene, jacobian_square(scene))


def bound_for_n(scene: DeepScene) -> Array:
    """(C,): the same where c L = Tr / n + gap2 for an integer n."""
    share = scene.numbers([Fraction(1, max(1, int(n))) for n in scene.whole("n")])
    bound = (kernel_trace(scene, 0, biases=True) * share + scene["gap2"]) * growth(scene)
    return bound * inverse_k(scene) / jacobian_power(scene, jacobian_square(scene))


def bound_for_spread(scene: DeepScene) -> Array:
    """(C,): that of Theorem 7 with (1 + delta)^L e^(c_1/k) in the place of e^(c_1/k)."""
    excess = scene.numbers([1 + spread_excess(case) for case in scene.cases])
    grown = excess
    for _ in range(scene.depth - 1):
        grown = grown * excess
    grown = scene.arithmetic.maximum(grown * growth(scene, at_least_1=False), scene.constant(1))
    bound = kernel_bound(scene, biases=False) * grown
    return bound * inverse_k(scene) / jacobian_power(scene, jacobian_square(scene))


BOUNDS = {"printed": printed_bound, "for n": bound_for_n, "for spread": bound_for_spread}


def activations(scene: DeepScene) -> list[Array]:
    """|alpha_0(x)|^2 to |alpha_(L-1)(x)|^2."""
    return [activation_square(scene, layer) for layer in range(scene.depth)]


def activation_sum(scene: DeepScene, bound: str = "printed") -> Entries:
    """L times the bound minus the sum of |alpha_(l-1)(x)|^2."""
    return said(scene, scene.compare(BOUNDS[bound](scene), total(activations(scene))))


def activation_count(scene: DeepScene, bound: str = "printed") -> Entries:
    """For every p: L times the bound minus m times the m-th largest |alpha_(l-1)(x)|^2."""
    return said(scene, scene.parts(counted(scene, activations(scene), BOUNDS[bound](scene))))


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
    reading_text=r"printing A: $\mathrm{Tr}[\Theta^{(L)}(x,x)]\le cL$ (Theorem 7)",
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

PRINTING_B = r"printing B: $\frac1N\mathrm{Tr}[\Theta^{(L)}(x,x)]\le cL$ (Theorem 16); "
ONE = PRINTING_B + "$N=1$"
ANY = PRINTING_B + "$N$ is any positive integer (`n` of the case)"


def _for_one(claim: Claim, part: str) -> Claim:
    """Theorem 16 with N = 1, which says the same as Theorem 7."""
    return replace(
        claim,
        id=f"j23.thm7.{part}@BA",
        source=printed("Theorem 16"),
        hypotheses=NOT_CLIMBED,
        depends=(claim.id,),
        reading="BA",
        reading_text=ONE,
    )


def _for_any(claim: Claim, part: str) -> Claim:
    """Theorem 16 with any N."""
    conclusion = SUM if part == "a" else COUNT
    return replace(
        claim,
        id=f"j23.thm7.{part}@BB",
        source=printed("Theorem 16"),
        statement=rf"{SUPPOSED}$\frac1N{TRACE}$, then {conclusion}",
        hypotheses=NOT_CLIMBED,
        depends=(),
        measure=partial(activation_sum if part == "a" else activation_count, bound="for n"),
        pool=MANY,
        reading="BB",
        reading_text=ANY,
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
SPREAD_NEARLY = replace(
    SPREAD_ENOUGH,
    id="j23.thm7.spread@B",
    title="approximate spread, with the same constant",
    statement=r"The bound of Theorem 7 holds as it stands where "
    r"$\frac1\ell\sum_{j\le\ell}\lVert W_j\rVert_F^2\le(1+\delta)\lVert\theta\rVert^2/L$ for every "
    r"$\ell$, whatever $\delta\ge0$.",
    hypotheses=(*SETTING, NORM_BOUND, KERNEL_BOUND),
    depends=(),
    reading="B",
    reading_text=r"approximately spread out, with some $\delta\ge0$ and the constant of Theorem 7",
)
SPREAD_REPAIRED = replace(
    SPREAD_NEARLY,
    id="j23.thm7.spread@B.fix",
    title="approximate spread, with a constant of its own",
    statement=r"Where $\frac1\ell\sum_{j\le\ell}\lVert W_j\rVert_F^2\le(1+\delta)"
    r"\lVert\theta\rVert^2/L$ for every $\ell$, with $\delta\ge0$, the bound of Theorem 7 holds "
    r"with $\max\{1,(1+\delta)^Le^{c_1/k}\}$ in the place of $\max\{1,e^{c_1/k}\}$.",
    measure=partial(activation_sum, bound="for spread"),
    repairs="j23.thm7.spread@B",
)

CLAIMS = (
    THEOREM7,
    LAYERS7,
    _for_one(THEOREM7, "a"),
    _for_one(LAYERS7, "b"),
    _for_any(THEOREM7, "a"),
    _for_any(LAYERS7, "b"),
    SPREAD_ENOUGH,
    SPREAD_NEARLY,
    SPREAD_REPAIRED,
)
