"""Products of random matrices (Lemmas 3 and 18 and the text around them): what is sampled.

B_l is the product of I + gamma W_k, for gamma = inf of W_k, and H~_l = B_l X/|B_l|. Readings, in
this order. Of the product, A: new factors on the left, B: on the right. Of the norm, A: spectral,
B: Frobenius. Of the mode, A: almost surely, B: in probability or in law, of which the second asks
for less and is what is sampled.

Almost sure convergence makes the mean distance of H~_l and H~_2l tend to 0, convergence in law the
difference of the means of functions of them. Every H~_l is bounded, so of each draw some
subsequence converges; its limit has rank one where sigma_2/sigma_1 of B_l tends to 0 and |H~_l|
does not. These are looked at along finite products, which support or leave open. What width one
says exactly is in verify.papers.dkbhl20.sign_changes.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf

from verify.claim import Claim, Kind
from verify.papers.dkbhl20.product_samples import (
    LADDERS,
    SEEDS,
    Product,
    changes_of_means,
    gaps,
    growing,
    moves,
    named,
)
from verify.papers.dkbhl20.sign_changes import (
    POINTS,
    STRENGTH,
    WITH_STRENGTH,
    gaussian_jump,
    no_skip_jump,
    uniform_jump,
)
from verify.papers.dkbhl20.sources import printed
from verify.rate import Claimed, Fit, Rate
from verify.sampling import Relation, Sampled

MOST = ((64, 4096, 8192), (16, 64, 512))  # replicates for means that are 0, or plainly are not
NEAR = 0.2

# claims -------------------------------------------------------------------------------------------
ORDERS = {"A": "new factors on the left", "B": "new factors on the right"}
NORMS = {"A": "the spectral norm", "B": "the Frobenius norm"}
MODES = {"A": "almost surely", "B": "in law"}
LEMMA = (
    r"$\widehat H_\ell=\mathbf B_\ell X$, $\mathbf B_\ell:=\prod_{k=1}^\ell(I+\gamma W_k)$, "
    r"$\widetilde H_\ell=B_\ell X/\lVert B_\ell\rVert$, $\gamma\in(0,1)$: "
)
STATEMENTS = {
    "a": r"if $\mathcal P$ is standard Gaussian, the sequence $\{\widetilde H_\ell\}$ converges to "
    r"a rank one matrix.",
    "b": r"if $\mathcal P$ is uniform on $[-\sqrt3,\sqrt3]$, there is a monotonically increasing "
    r"sequence of integers $\ell_1<\ell_2<\dots$ such that $\{\widetilde H_{\ell_k}\}$ "
    r"converges to a rank one matrix.",
    "c": r"if $\mathcal P$ is uniform on $[-\sqrt3,\sqrt3]$, $\{\widetilde H_{\ell_k}\}$ "
    r"converges to a rank one matrix for the usual indices $\ell_k=k$.",
}
PLACES = {"a": "Lemma 3", "b": "Lemma 3", "c": "footnote 7"}
TITLES = {
    "a": "Gaussian residual networks converge",
    "b": "uniform residual networks converge along a subsequence",
    "c": "uniform residual networks converge",
}


def _settings(law: str, order: str, norm: str) -> list[Product]:
    pairs = ((1, 0.9), (2, 0.5), (3, 0.9), (8, 0.5))
    return [Product(law, width, gamma, order, norm) for width, gamma in pairs]


def _converges(part: str, order: str, norm: str, mode: str) -> Claim:
    """Lemma 3 (a), (b) or footnote 7 in one reading."""
    law = "Gaussian" if part == "a" else "uniform"
    settings = _settings(law, order, norm)
    claim = Claim(
        f"dkbhl20.lem3.{part}@{order}{norm}{mode}",
        Kind.EXPECTATION,
        printed(PLACES[part]),
        TITLES[part],
        LEMMA + STATEMENTS[part],
        depends=("dkbhl20.def1.a", "dkbhl20.lem18@" + order),
        reading=order + norm + mode,
        reading_text=f"{ORDERS[order]}; {NORMS[norm]}; {MODES[mode]}",
    )
    if mode == "B":
        quantity = "the change of the mean from l to 2 l layers"
        sampled = Sampled(
            quantity, lambda scale: changes_of_means(settings, scale), Relation.ZERO, NEAR, MOST[0]
        )
        return replace(claim, sampled=sampled)
    if part == "b":
        scope = "X = I; of each draw a subsequence converges, as all are bounded"
        return replace(
            claim,
            kind=Kind.RATE,
            rate=growing(named(settings[1:]), scope),
            reading_text=f"{claim.reading_text}; the integers may depend on the draw",
        )
    sampled = Sampled(
        "the mean distance of the matrices at l and 2 l layers",
        lambda scale: moves(settings, scale),
        Relation.ZERO,
        NEAR,
        MOST[1],
    )
    jump = gaussian_jump if part == "a" else uniform_jump
    return replace(
        claim,
        hypotheses=(STRENGTH,),
        measure=jump,
        pool=WITH_STRENGTH,
        exact_only=True,
        sampled=sampled,
        negated="H~_l does not converge, as the mean of |H~_(l+1) - H~_l| does not tend to 0",
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
LIMIT = Claim(
    "dkbhl20.lem3.d.limit",
    Kind.EXPECTATION,
    printed("Section 3.2, before Lemma 3"),
    "normalised Gaussian products converge",
    r"Hence the product of random matrices with i.i.d. standard Gaussian elements converges to a "
    r"rank one matrix after normalising by the norm.",
    depends=("dkbhl20.lem3.d.rate",),
    measure=no_skip_jump,
    pool=POINTS,
    exact_only=True,
    sampled=Sampled(
        "the mean distance of the matrices at l and 2 l layers",
        lambda scale: moves([Product("Gaussian", width, inf) for width in (1, 2, 3)], scale),
        Relation.ZERO,
        NEAR,
        MOST[1],
    ),
    negated="it does not converge, as the mean distance of two in a row does not tend to 0",
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


def _limit_points(order: str) -> Claim:
    settings = [replace(setting, order=order) for setting in MEETING]
    return Claim(
        f"dkbhl20.lem18@{order}",
        Kind.RATE,
        printed("Lemma 18, Appendix F"),
        "limit points of normalised products have rank one",
        r"$W_1,W_2,\dots$ random $d\times d$ matrices drawn independently from a distribution "
        r"$\mu$, $B_n=\prod_{k=1}^nW_k$. If the support of $\mu$ is strongly irreducible and "
        r"contracting, then any limit point of $\{B_n/\lVert B_n\rVert\}_{n\ge1}$ is a rank one "
        r"matrix almost surely.",
        depends=("dkbhl20.def4_6",),
        reading=order,
        reading_text=ORDERS[order],
        rate=growing(
            named(settings), "supports that are strongly irreducible and contracting (cited)"
        ),
    )


def _rank_one_limits(order: str) -> Claim:
    """Of Lemma 3 (a) what is left: the limit points have rank one."""
    claim = _converges("a", order, "A", "A")
    return replace(
        claim,
        id=claim.id + ".fix",
        kind=Kind.RATE,
        title="limit points of Gaussian residual networks have rank one, repaired",
        statement=LEMMA
        + r"if $\mathcal P$ is standard Gaussian, every limit point of the sequence "
        r"$\{\widetilde H_\ell\}$ is a rank one matrix (or $0$): $\sigma_2/\sigma_1$ of $B_\ell$ "
        r"tends to $0$.",
        hypotheses=(),
        measure=None,
        pool=None,
        exact_only=False,
        sampled=None,
        negated="",
        repairs=claim.id,
        rate=growing(named(_settings("Gaussian", order, "A")[1:]), "gamma below 1"),
    )


CLAIMS = (
    *(_limit_points(order) for order in "AB"),
    *(_converges(part, *names) for part in "abc" for names in product("AB", repeat=3)),
    *(_rank_one_limits(order) for order in "AB"),
    EXPONENTIAL,
    LIMIT,
    DEPTH,
)
