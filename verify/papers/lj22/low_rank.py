"""Theorem 2 of the final version, and what is said of it: (13), (14), (15), Lemma 11 along flows.

The measures decide a statement about the limit on exact solutions (verify.breaches). The earlier
version, which allows other activations, shares what is here: see low_rank_earlier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verify.claim import Claim, Kind, Source
from verify.hypotheses import Hypothesis
from verify.papers.lj22.low_rank_measures import (
    alignment,
    block_norms,
    both_limits,
    bound,
    rank_one,
    ratio,
)
from verify.papers.lj22.solutions import DIVERGES, NETWORK, PRODUCT_GIVEN, solution, tail
from verify.papers.lj22.sources import both, final
from verify.plans import block_tail, plain_tail, tail_behind_bends
from verify.point_hypotheses import NONZERO_WEIGHTS
from verify.rays import INTERPOLATION, RAY
from verify.solution_pool import SolutionPool
from verify.watch import Watch

FRAME = (
    r"Let $\nu$ consist of an arbitrary feedforward network $\eta$, then $K\ge0$ %(linear)s"
    r"convolutional layers $(T^{a_k,b_k,c_k})_{k\in[K]}$, then $M\ge0$ layers that are %(linear)s"
    r"ResNetFree blocks or %(linear)sfully-connected layers, and a linear fully-connected layer "
    r"$Fin$. $N_r(j)$: the number of ResNetFree blocks between $j$ and $Fin$; "
    r"$V_c(j):=\max\dim W^{[M+1]}\cdot\prod_{j<k\le M}\min(a_k,b_k)$ if $j\le M$, else $1$. "
)
BOUND = (
    r"Then there is $D\ge0$ fixed at initialisation such that for a.e. $t>0$ "
    r"$$\frac1{8^{N_r(j)}V_c(j)}\lVert W^{[j]}(t)\rVert_F^2-\lVert W^{[j]}(t)\rVert_2^2\le D,"
    r"\qquad\forall j\in[K+M].$$"
)
RATIO = (
    r"Assume that $\lVert W^{[j]}\rVert_F\to\infty$ for some $j\in[K+M]$. Then, as $t\to\infty$, "
    r"$$\frac1{\min(\mathrm{rank}(W^{[k]}),8^{N_r(j)}V_c(j))}\le\frac{\lVert W^{[k]}(t)\rVert_2^2}"
    r"{\lVert W^{[k]}(t)\rVert_F^2}\le1.$$"
)
RANK_ONE = (
    r"For the last few fully-connected layers $j$ with $N_r(j)=0$ and $V_c(j)=1$, "
    r"$$\Big\lVert\frac{W^{[j]}(t)}{\lVert W^{[j]}(t)\rVert_F}-u_j(t)v_j^\top(t)\Big\rVert_F\to0,"
    r"\ \forall k\in[M].$$"
)
ALIGNED = (
    r"For the last few fully-connected layers $j$ with $N_r(j)=0$ and $V_c(j)=1$, "
    r"$$|\langle v_{j+1}(t),u_j(t)\rangle|\to1,$$ where $u_j$, $v_j$ are the principal singular "
    r"vectors of $W^{[j]}$."
)
PRODUCTS = {
    "A": "a $k$ beyond $[K]$ contributes no factor to $V_c$",
    "B": "architectures with a $k$ beyond $[K]$ in $V_c$ are outside the claim",
}
INDICES = {
    "A": "$k=j$",
    "B": "every $k\\in[K+M]$ for the $j$ of the assumption",
    "C": "every $j$ and $k$",
}
LIMITS = {
    "A": "the ratio has a limit, which satisfies (14)",
    "B": "every accumulation point of the ratio satisfies (14)",
}
QUANTIFIERS = {
    "A": "for every fully-connected $j$ with $N_r(j)=0$, $V_c(j)=1$",
    "B": "for every $k\\in[M]$ among these layers",
}
ASSUMPTIONS = {
    "A": "with the divergence assumed for (14)",
    "B": "without the divergence assumed for (14)",
}

# what fails where a statement fails
NO_CONSTANT = "the gap between the two sides of (13) exceeds every constant at some time"
BELOW = {
    "A": "the norms diverge, and the ratio of (14) has no limit, or one that does not satisfy (14)",
    "B": "the norms diverge, and the ratio of (14) has an accumulation point that does not satisfy "
    "(14)",
}
FULL_RANK = (
    r"$W^{[k]}/\lVert W^{[k]}\rVert_F$ for one of these layers keeps a distance from all matrices "
    "of rank one at arbitrarily late times"
)
OBLIQUE = (
    r"$|\langle v_{k+1},u_k\rangle|$ for one of these layers stays below a number less than $1$ at "
    "arbitrarily late times"
)
NO_SHIFT = (
    r"$\frac18\lVert A(t)\rVert_2^2-\lVert B(t)\rVert_2^2$ exceeds every constant at some time"
)


@dataclass(frozen=True)
class Theorem:
    """Theorem 2 in one version.

    linear: whether the layers behind eta must be linear. pool: of its solutions; narrow: of those
    for (15); resting: of those for (15) where the norms need not diverge. absolute: whether every
    matrix is replaced by its absolute values.
    """

    prefix: str
    source: Callable[[str], Source]
    linear: bool
    pool: SolutionPool
    narrow: SolutionPool
    resting: SolutionPool
    absolute: bool = False

    @property
    def frame(self) -> str:
        """The hypotheses in words."""
        words = "with $|W|$ for every matrix $W$: " if self.absolute else ""
        return (
            "Under Assumptions 1 and 3, "
            + words
            + FRAME % {"linear": "linear " if self.linear else ""}
        )

    @property
    def given(self) -> tuple[Hypothesis, ...]:
        """What is supposed of the network; with absolute values also that no weight is 0, where
        they are differentiable."""
        return (*NETWORK, NONZERO_WEIGHTS) if self.absolute else NETWORK

    def bound(self, reading: str) -> Claim:
        """(13)."""
        product = (PRODUCT_GIVEN,) if reading == "B" else ()
        return Claim(
            f"{self.prefix}-13@{reading}",
            Kind.LIMIT,
            self.source("Theorem 2, (13)"),
            "bound (13) on the gap between Frobenius and spectral norm",
            self.frame + BOUND,
            (tail(linear=self.linear), *product, *self.given, solution(RAY)),
            measure=bound(absolute=self.absolute),
            pool=self.pool,
            reading=reading,
            reading_text=PRODUCTS[reading],
            exact_only=True,
            negated=NO_CONSTANT,
        )

    def ratio(self, index: str, limit: str) -> Claim:
        """(14)."""
        return Claim(
            f"{self.prefix}-14@{index}{limit}",
            Kind.LIMIT,
            self.source("Theorem 2, (14)"),
            "bound (14) on the limit of the ratio of squared norms",
            self.frame + RATIO,
            (tail(linear=self.linear), *self.given, DIVERGES, solution(RAY)),
            measure=ratio(index, absolute=self.absolute),
            pool=self.pool,
            reading=index + limit,
            reading_text=f"indices: {INDICES[index]}; limit: {LIMITS[limit]}",
            exact_only=True,
            negated=BELOW[limit],
        )

    def last_layers(self, part: str, quantifier: str, assumption: str) -> Claim:
        """(15), one of its two limits."""
        first = part == "rank-one"
        kinds = (RAY,) if assumption == "A" else (RAY, INTERPOLATION)
        diverges = (DIVERGES,) if assumption == "A" else ()
        make = rank_one if first else alignment
        return Claim(
            f"{self.prefix}-15.{part}@{quantifier}{assumption}",
            Kind.LIMIT,
            self.source("Theorem 2, (15)"),
            "the last layers tend to rank one" if first else "the last layers align",
            self.frame + (RANK_ONE if first else ALIGNED),
            (tail(linear=self.linear), *self.given, *diverges, solution(*kinds)),
            () if self.absolute else (f"{self.prefix}-14@A{assumption}",),
            measure=make(quantifier, absolute=self.absolute),
            pool=self.narrow if assumption == "A" else self.resting,
            reading=quantifier + assumption,
            reading_text=f"{QUANTIFIERS[quantifier]}; {ASSUMPTIONS[assumption]}",
            exact_only=True,
            watch=Watch(self.pool.planner, "last layers") if assumption == "A" else None,
            negated=FULL_RANK if first else OBLIQUE,
        )

    def claims(self) -> tuple[Claim, ...]:
        """All readings of (13), (14), (15)."""
        return (
            *(self.bound(reading) for reading in "AB"),
            *(self.ratio(index, limit) for index in "ABC" for limit in "AB"),
            *(
                self.last_layers(part, quantifier, assumption)
                for part in ("rank-one", "alignment")
                for quantifier in "AB"
                for assumption in "AB"
            ),
        )


BEHIND_BENDS = SolutionPool(tail_behind_bends, opposed=True, rarity=0.6)
FINAL = Theorem(
    "lj22.thm2",
    final,
    True,
    SolutionPool(plain_tail),
    BEHIND_BENDS,
    SolutionPool(plain_tail, (RAY, INTERPOLATION)),
)

REPAIRED = (
    r"$V_c(j):=\max\dim W^{[K+1]}\cdot\prod_{j\le k\le K}\min(a_k,b_k)$ if $j\le K$, else $1$ "
    r"(the products run over convolutions, that of $j$ itself included). "
)


def repaired_bound() -> Claim:
    """(13) with the product over convolutions, and the factor of j itself."""
    return Claim(
        "lj22.thm2-13.fix",
        Kind.LIMIT,
        final("Theorem 2, (13)"),
        "bound (13) with V_c over the convolutions from j on",
        FINAL.frame + "Instead: " + REPAIRED + BOUND,
        (tail(linear=True), *NETWORK, solution(RAY)),
        measure=bound(repaired=True),
        pool=BEHIND_BENDS,
        repairs="lj22.thm2-13@A",
        exact_only=True,
        watch=Watch(plain_tail, "excess", ("repaired",)),
        negated=NO_CONSTANT,
    )


def repaired_ratio() -> Claim:
    """(14) with the same V_c, for k = j and accumulation points."""
    return Claim(
        "lj22.thm2-14.fix",
        Kind.LIMIT,
        final("Theorem 2, (14)"),
        "bound (14) with V_c over the convolutions from j on",
        FINAL.frame + "Instead: " + REPAIRED + "For $k=j$ and every accumulation point: " + RATIO,
        (tail(linear=True), *NETWORK, DIVERGES, solution(RAY)),
        ("lj22.thm2-13.fix",),
        measure=ratio("A", repaired=True),
        pool=BEHIND_BENDS,
        repairs="lj22.thm2-14@AB",
        exact_only=True,
        watch=Watch(plain_tail, "shortfall", ("repaired",)),
        negated=BELOW["B"],
    )


WHAT_IT_GIVES = Claim(
    "lj22.sig3.iii",
    Kind.LIMIT,
    both("Significance, after Corollary 1"),
    "the lower bound matches the upper bound, rank one, alignment",
    FINAL.frame + "For the last few fully-connected layers (Equation (15), Corollary 1) the lower "
    "bound matches the upper bound 1 in the limit of Frobenius norm tending to infinity, the "
    "limiting weight matrices have rank 1, and adjacent layers align.",
    (tail(linear=True), *NETWORK, DIVERGES, solution(RAY)),
    ("lj22.thm2-15.rank-one@AA", "lj22.thm2-15.alignment@AA"),
    measure=both_limits("A"),
    pool=BEHIND_BENDS,
    exact_only=True,
    watch=Watch(plain_tail, "last layers"),
    negated=f"{FULL_RANK}, or {OBLIQUE}",
)

SHUFFLED = (
    r"For a ResNetFree block $r(U,Y,Z)$ with $Y\in\mathbb R^{b\times a}$, $U\in\mathbb R^{c\times "
    r"b}$, $Z\in\mathbb R^{c\times a}$, $A=[U\ \ Z]$ and $B=\begin{bmatrix}Y\\Z\end{bmatrix}$: "
    r"$\lVert B\rVert_2^2\ge\frac18\lVert A\rVert_2^2-D'$ where $D'\ge0$ is fixed at "
    "initialisation. "
)

BLOCK = Claim(
    "lj22.lemma11.flow",
    Kind.LIMIT,
    final("Lemma 11"),
    "shuffling a linear ResNetFree block, some constant for all times",
    "The block is linear. " + SHUFFLED + "Measured: whether any $D'$ will do for all times.",
    (tail(linear=True), *NETWORK, solution(RAY)),
    measure=block_norms,
    pool=SolutionPool(block_tail, (RAY,)),
    exact_only=True,
    watch=Watch(block_tail, "blocks"),
    negated=NO_SHIFT,
)

CLAIMS = (*FINAL.claims(), repaired_bound(), repaired_ratio(), WHAT_IT_GIVES, BLOCK)
