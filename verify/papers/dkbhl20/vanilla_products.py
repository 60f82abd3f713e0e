"""Products of random matrices (Lemmas 3 and 18 and the text around them): what is sampled.

B_l is the product of I + gamma W_k, for gamma = inf of W_k, with new factors on the left, and
H~_l = B_l X/|B_l| with the spectral norm; convergence is almost sure, as in Lemma 18.

It makes the mean distance of H~_l and H~_2l tend to 0. Every H~_l is bounded, so of each draw some
subsequence converges; its limit has rank one where sigma_2/sigma_1 of B_l tends to 0 and |H~_l|
does not. These are looked at along finite products. What width one says exactly is in
verify.papers.dkbhl20.sign_changes.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.rate import Claimed, Fit, Rate
from verify.kinds.statistics.sampling import Relation, Sampled
from verify.language.terms import Term
from verify.papers.dkbhl20 import sign_changes
from verify.papers.dkbhl20.product_samples import (
    LADDERS,
    SEEDS,
    Product,
    gaps,
    growing,
    moves,
    named,
)
from verify.papers.dkbhl20.sign_changes import POINTS, STRENGTH, WITH_STRENGTH, still
from verify.papers.dkbhl20.sources import printed
from verify.statements.stated import stated

MOST = (16, 64, 512)
NEAR = 0.2

# claims -------------------------------------------------------------------------------------------
READ = "new factors on the left; the spectral norm; almost surely"
LEMMA = (
    r"$\widehat H_\ell=\mathbf B_\ell X$, $\mathbf B_\ell:=\prod_{k=1}^\ell(I+\gamma W_k)$, "
    r"$\widetilde H_\ell=B_\ell X/\lVert B_\ell\rVert$, $\gamma\in(0,1)$: "
)
GAUSSIAN = r"if $\mathcal P$ is standard Gaussian, "
UNIFORM = r"if $\mathcal P$ is uniform on $[-\sqrt3,\sqrt3]$, "
DISTANCE = "the mean distance of the matrices at l and 2 l layers"
WIDTH_ONE = (
    "a bounded sequence that converges almost surely has mean steps that tend to 0; at width one "
    "these are those of a product of independent signs "
    "(docs/mathematics/dkbhl20.md#nothing-converges-almost-surely)"
)
MOVES_ON = r"so the sequence has no limit; what has rank one is each of its limit points."


def _settings(law: str) -> list[Product]:
    pairs = ((1, 0.9), (2, 0.5), (3, 0.9), (8, 0.5))
    return [Product(law, width, gamma) for width, gamma in pairs]


def _moving(settings: list[Product]) -> Sampled:
    return Sampled(
        DISTANCE,
        lambda scale: moves(settings, scale),
        Relation.ZERO,
        NEAR,
        MOST,
        stands_for="a limit, to which longer products may come",
    )


DEPENDS = ("dkbhl20.def1.a", "dkbhl20.lem18@A")


def _still(name: str, where: str, title: str, text: str, chance: Term, law: str, why: str) -> Claim:
    """The limit of a product, of which the mean steps are seen."""
    return stated(
        f"dkbhl20.{name}",
        printed(where),
        title,
        text,
        still(chance),
        [STRENGTH],
        kind=Kind.EXPECTATION,
        depends=DEPENDS,
        pool=WITH_STRENGTH,
        reading="AAA",
        reading_text=READ,
        exact_only=True,
        sampled=_moving(_settings(law)),
        negated="H~_l does not converge, as the mean of |H~_(l+1) - H~_l| does not tend to 0",
        through=WIDTH_ONE,
        why=why,
    )


WHOLE = _still(
    "lem3.a@AAA",
    "Lemma 3",
    "Gaussian residual networks converge",
    rf"{LEMMA}{GAUSSIAN}the sequence $\{{\widetilde H_\ell\}}$ converges to a rank one matrix.",
    sign_changes.GAUSSIAN,
    "Gaussian",
    r"$I+\gamma W_{\ell+1}$ turns the direction of $\widetilde H_\ell$, at width one its sign, "
    rf"by an amount whose law does not depend on $\ell$, {MOVES_ON}",
)
PART = Claim(
    "dkbhl20.lem3.b@AAA",
    Kind.RATE,
    printed("Lemma 3"),
    "uniform residual networks converge along a subsequence",
    rf"{LEMMA}{UNIFORM}there is a monotonically increasing sequence of integers "
    r"$\ell_1<\ell_2<\dots$ such that $\{\widetilde H_{\ell_k}\}$ converges to a rank one matrix.",
    depends=DEPENDS,
    reading="AAA",
    reading_text=f"{READ}; the integers may depend on the draw",
    rate=growing(
        named(_settings("uniform")[1:]),
        "X = I; of each draw a subsequence converges, as all are bounded",
    ),
    through="every bounded sequence has a limit point, and where sigma_2/sigma_1 of B_l tends to 0 "
    "each of them has rank one (docs/mathematics/dkbhl20.md#limit-points-have-rank-one)",
)
USUAL = _still(
    "lem3.c@AAA",
    "footnote 7",
    "uniform residual networks converge",
    rf"{LEMMA}{UNIFORM}$\{{\widetilde H_{{\ell_k}}\}}$ converges to a rank one matrix "
    r"for the usual indices $\ell_k=k$.",
    sign_changes.UNIFORM,
    "uniform",
    r"$I+\gamma W_{\ell+1}$ turns the direction of $\widetilde H_\ell$, at width one for "
    r"$\gamma>1/\sqrt3$ its sign, by an amount whose law does not depend on $\ell$, "
    f"{MOVES_ON}",
)
LIMIT_POINTS = Claim(
    "dkbhl20.lem3.a@AAA.fix",
    Kind.RATE,
    printed("Lemma 3"),
    "limit points of Gaussian residual networks have rank one, repaired",
    rf"{LEMMA}{GAUSSIAN}every limit point of the sequence $\{{\widetilde H_\ell\}}$ is a "
    r"rank one matrix (or $0$): $\sigma_2/\sigma_1$ of $B_\ell$ tends to $0$.",
    depends=DEPENDS,
    reading="AAA",
    reading_text=READ,
    repairs=WHOLE.id,
    rate=growing(named(_settings("Gaussian")[1:]), "gamma below 1"),
    through="where sigma_2/sigma_1 of B_l tends to 0 all limit points of B_l/|B_l| have rank one "
    "(docs/mathematics/dkbhl20.md#limit-points-have-rank-one)",
)
ALONE = [Product("Gaussian", width, inf) for width in (2, 3, 8)]
FIXED = [Product("Gaussian", 3, 0.1), Product("Gaussian", 3, 0.5), Product("Gaussian", 8, 0.5)]
SCALED = {
    f"sigma_1/sigma_2, gamma = {c:g}/l, d = {width}": Product("Gaussian", width, c)
    for c, width in ((1.0, 3), (4.0, 8))
}
EXPONENTIAL = Claim(
    "dkbhl20.lem3.d.rate",
    Kind.RATE,
    printed("Section 3.2, before Lemma 3"),
    "the gap of Gaussian products grows exponentially",
    r"For products of random matrices with i.i.d. standard Gaussian elements the gap between the "
    r"top and the second singular value increases with $\ell$ at an exponential rate.",
    rate=growing(named(ALONE), "no identity added"),
)
LIMIT = stated(
    "dkbhl20.lem3.d.limit",
    printed("Section 3.2, before Lemma 3"),
    "normalised Gaussian products converge",
    r"Hence the product of random matrices with i.i.d. standard Gaussian elements converges to a "
    r"rank one matrix after normalising by the norm.",
    still(sign_changes.NO_SKIP),
    kind=Kind.EXPECTATION,
    depends=("dkbhl20.lem3.d.rate",),
    pool=POINTS,
    exact_only=True,
    sampled=_moving([Product("Gaussian", width, inf) for width in (1, 2, 3)]),
    negated="it does not converge, as the mean distance of two in a row does not tend to 0",
    through=WIDTH_ONE,
    why=r"Each new factor turns the direction of the normalised product, at width one its sign "
    rf"with probability $1/2$, {MOVES_ON}",
)
DEPTH = Claim(
    "dkbhl20.lem3.e",
    Kind.RATE,
    printed("Section 3.2, after Lemma 3"),
    "rank collapse of residual networks, unless the branch is scaled down",
    r"Residual skip connections cannot avoid rank collapse for very deep networks, unless the "
    r"parametric branch is scaled down with depth, for example $\gamma=O(1/L)$: "
    r"$\sigma_1/\sigma_2$ of $\mathbf B_L$ grows exponentially for fixed $\gamma$, and does not "
    r"for $\gamma=c/L$.",
    depends=("dkbhl20.lem3.d.rate",),
    rate=Rate(
        "L",
        LADDERS,
        SEEDS,
        gaps(named(FIXED) | SCALED, shrinking=tuple(SCALED)),
        (
            *growing(named(FIXED), "").claimed,
            *(
                Claimed(name, None, Fraction(0), Fraction(1, 500), Fit.EXPONENTIAL)
                for name in SCALED
            ),
        ),
        ("Gaussian weights",),
        logarithms=True,
    ),
)
MEETING = [
    Product("Gaussian", 2, inf),
    Product("Gaussian", 3, 0.5),
    Product("uniform", 3, 0.5),
    Product("signs", 3, 0.9),
    Product("rare weights", 4, 0.5),
]


POINTS_OF_RANK_ONE = Claim(
    "dkbhl20.lem18@A",
    Kind.RATE,
    printed("Lemma 18, Appendix F"),
    "limit points of normalised products have rank one",
    r"$W_1,W_2,\dots$ random $d\times d$ matrices drawn independently from a distribution $\mu$, "
    r"$B_n=\prod_{k=1}^nW_k$. If the support of $\mu$ is strongly irreducible and contracting, "
    r"then any limit point of $\{B_n/\lVert B_n\rVert\}_{n\ge1}$ is a rank one matrix almost "
    r"surely.",
    depends=("dkbhl20.def4_6",),
    reading="A",
    reading_text="new factors on the left",
    rate=growing(named(MEETING), "supports that are strongly irreducible and contracting (cited)"),
    through="limit points have rank one where sigma_2/sigma_1 of B_n tends to 0 "
    "(docs/mathematics/dkbhl20.md#limit-points-have-rank-one)",
)

CLAIMS = (POINTS_OF_RANK_ONE, WHOLE, PART, USUAL, LIMIT_POINTS, EXPONENTIAL, LIMIT, DEPTH)
