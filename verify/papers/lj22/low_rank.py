"""Theorem 2 of the final version, and what is said of it: (13), (14), (15), Lemma 11 along flows.

A statement about the limit is decided on exact solutions (low_rank_terms). Behind eta a ray is
balanced, so its dense layers cannot break (15): what tests that are computed flows from unbalanced
starts (`observable`). Convolutions keep more than rank one (channel_rays), by which a layer too
many in (13) to (15), or a factor too few, is seen. The earlier version, which allows other
activations, shares what is here: see low_rank_earlier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verify.cases.flow_observables import LimitObservable
from verify.cases.layer_plans import block_tail, last_matrices, mixed_tail, plain_tail
from verify.core.claim import Claim, Kind, Source
from verify.kinds.solutions.rays import RAY
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.papers.lj22.chains import (
    ARE_LEARNABLE,
    ARE_OWN,
    IS_CHAIN,
    OF_EARLIER_THEOREM2,
    OF_THEOREM2,
)
from verify.papers.lj22.channel_rays import ConvolutionPool, before_a_matrix, onto_one_neuron
from verify.papers.lj22.low_rank_terms import (
    ALIGNED,
    RANK_ONE,
    SHUFFLED,
    SOME_DIVERGES,
    V_c_repaired,
    bound,
    ratio,
)
from verify.papers.lj22.solutions import NETWORK, solution, supposed
from verify.papers.lj22.sources import earlier, final
from verify.statements.stated import Given, stated

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
LIMIT_OF_RANK_ONE = (
    r"For the last few fully-connected layers $j$ with $N_r(j)=0$ and $V_c(j)=1$, "
    r"$$\Big\lVert\frac{W^{[j]}(t)}{\lVert W^{[j]}(t)\rVert_F}-u_j(t)v_j^\top(t)\Big\rVert_F\to0,"
    r"\ \forall k\in[M].$$"
)
LIMIT_OF_ANGLES = (
    r"For the last few fully-connected layers $j$ with $N_r(j)=0$ and $V_c(j)=1$, "
    r"$$|\langle v_{j+1}(t),u_j(t)\rangle|\to1,$$ where $u_j$, $v_j$ are the principal singular "
    r"vectors of $W^{[j]}$."
)
PRODUCT = "a $k$ beyond $[K]$ contributes no factor to $V_c$"
SAME_INDEX = "$k=j$; every accumulation point of the ratio satisfies (14)"
EACH = "for every fully-connected $j$ with $N_r(j)=0$, $V_c(j)=1$; with the divergence assumed "
"for (14)"

# what fails where a statement fails
NO_CONSTANT = "the gap between the two sides of (13) exceeds every constant at some time"
BELOW = (
    "the norms diverge, and the ratio of (14) has an accumulation point that does not satisfy (14)"
)
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


# why a statement fails, and what leads from it to what is decided
NO_DIVISOR = (
    r"the product in $V_c$ ends at $M$ in place of $K$: a convolution $j>M$ gets $V_c(j)=1$, but "
    "its matrix need not tend to rank one"
)
GATED = (
    "with ReLU in the layer its neurons can be active on different examples, and then "
    r"$W_{j+1}^\top W_{j+1}-W_jW_j^\top$ is not kept, so $W_j$ need not tend to rank one"
)
ON_A_RAY = (
    "on a ray $s(t)w$ of the flow squared norms are $s^2$ times those at $w$, and quotients of "
    "them and singular vectors do not change (docs/mathematics/lj22.md#rays)"
)


def tail(*, linear: bool) -> Given:
    """The architecture of Theorem 2."""
    what = "linear " if linear else ""
    order = OF_THEOREM2 if linear else OF_EARLIER_THEOREM2
    return supposed(
        "layers behind an arbitrary network",
        IS_CHAIN & order & (ARE_LEARNABLE & ARE_OWN),
        rf"$\nu$ is a network $\eta$, then $K\ge0$ {what}convolutions, then $M\ge0$ {what}"
        rf"ResNetFree blocks or {what}fully-connected layers, then a linear fully-connected "
        "layer with one output; all weights behind $\\eta$ learnable",
    )


DIVERGES = supposed(
    "diverging norm",
    SOME_DIVERGES,
    r"$\lVert W^{[j]}\rVert_F\to\infty$ for some $j\in[K+M]$: on a ray, the matrix is not $0$",
)


@dataclass(frozen=True)
class Theorem:
    """Theorem 2 in one version.

    linear: whether the layers behind eta must be linear. pool: of its solutions; narrow: of those
    for (15). why: of (13) and (14), and of (15).
    """

    prefix: str
    source: Callable[[str], Source]
    linear: bool
    pool: SolutionPool
    narrow: SolutionPool
    why: tuple[str, str]

    @property
    def frame(self) -> str:
        """The hypotheses in words."""
        return "Under Assumptions 1 and 3, " + FRAME % {"linear": "linear " if self.linear else ""}

    @property
    def given(self) -> tuple[Given, ...]:
        """What is supposed of the network."""
        return (tail(linear=self.linear), *NETWORK)

    def bound(self) -> Claim:
        """(13)."""
        return stated(
            f"{self.prefix}-13@A",
            self.source("Theorem 2, (13)"),
            "bound (13) on the gap between Frobenius and spectral norm",
            self.frame + BOUND,
            bound(),
            (*self.given, solution(RAY)),
            kind=Kind.LIMIT,
            pool=self.pool,
            reading="A",
            reading_text=PRODUCT,
            negated=NO_CONSTANT,
            through=ON_A_RAY,
            why=self.why[0],
        )

    def ratio(self) -> Claim:
        """(14)."""
        return stated(
            f"{self.prefix}-14@AB",
            self.source("Theorem 2, (14)"),
            "bound (14) on the limit of the ratio of squared norms",
            self.frame + RATIO,
            ratio(),
            (*self.given, DIVERGES, solution(RAY)),
            kind=Kind.LIMIT,
            pool=self.pool,
            reading="AB",
            reading_text=SAME_INDEX,
            negated=BELOW,
            through=ON_A_RAY,
            why=self.why[0],
        )

    def last_layers(self, part: str) -> Claim:
        """(15), one of its two limits."""
        first = part == "rank-one"
        return stated(
            f"{self.prefix}-15.{part}@AA",
            self.source("Theorem 2, (15)"),
            "the last layers tend to rank one" if first else "the last layers align",
            self.frame + (LIMIT_OF_RANK_ONE if first else LIMIT_OF_ANGLES),
            RANK_ONE if first else ALIGNED,
            (*self.given, DIVERGES, solution(RAY)),
            kind=Kind.LIMIT,
            depends=(f"{self.prefix}-14@AB",),
            pool=self.narrow,
            reading="AA",
            reading_text=EACH,
            observable=LimitObservable(last_matrices, "last layers") if self.linear else None,
            negated=FULL_RANK if first else OBLIQUE,
            through=ON_A_RAY,
            why=self.why[1],
        )

    def claims(self) -> tuple[Claim, ...]:
        """(13), (14), (15)."""
        parts = ("rank-one", "alignment")
        return (self.bound(), self.ratio(), *map(self.last_layers, parts))


FINAL = Theorem(
    "lj22.thm2",
    final,
    True,
    SolutionPool(plain_tail),
    ConvolutionPool(last_matrices, convolved=before_a_matrix),
    (NO_DIVISOR, ""),
)
MIXED = ConvolutionPool(mixed_tail, opposed=True, convolved=onto_one_neuron)

REPAIRED = (
    r"$V_c(j):=\max\dim W^{[K+1]}\cdot\prod_{j\le k\le K}\min(a_k,b_k)$ if $j\le K$, else $1$ "
    r"(the products run over convolutions, that of $j$ itself included). "
)


def repaired_bound() -> Claim:
    """(13) with the product over convolutions, and the factor of j itself."""
    return stated(
        "lj22.thm2-13.fix",
        final("Theorem 2, (13)"),
        "bound (13) with V_c over the convolutions from j on",
        FINAL.frame + "Instead: " + REPAIRED + BOUND,
        bound(V_c_repaired),
        (*FINAL.given, solution(RAY)),
        kind=Kind.LIMIT,
        pool=MIXED,
        repairs="lj22.thm2-13@A",
        observable=LimitObservable(mixed_tail, "excess", ("repaired",)),
        negated=NO_CONSTANT,
        through=ON_A_RAY,
    )


def repaired_ratio() -> Claim:
    """(14) with the same V_c, for k = j and accumulation points."""
    return stated(
        "lj22.thm2-14.fix",
        final("Theorem 2, (14)"),
        "bound (14) with V_c over the convolutions from j on",
        FINAL.frame + "Instead: " + REPAIRED + "For $k=j$ and every accumulation point: " + RATIO,
        ratio(V_c_repaired),
        (*FINAL.given, DIVERGES, solution(RAY)),
        kind=Kind.LIMIT,
        depends=("lj22.thm2-13.fix",),
        pool=MIXED,
        repairs="lj22.thm2-14@AB",
        observable=LimitObservable(mixed_tail, "shortfall", ("repaired",)),
        negated=BELOW,
        through=ON_A_RAY,
    )


SHUFFLING = (
    r"For a ResNetFree block $r(U,Y,Z)$ with $Y\in\mathbb R^{b\times a}$, $U\in\mathbb R^{c\times "
    r"b}$, $Z\in\mathbb R^{c\times a}$, $A=[U\ \ Z]$ and $B=\begin{bmatrix}Y\\Z\end{bmatrix}$: "
    r"$\lVert B\rVert_2^2\ge\frac18\lVert A\rVert_2^2-D'$ where $D'\ge0$ is fixed at "
    "initialisation. "
)

BLOCK = stated(
    "lj22v1.lemma10.flow.fix",
    earlier("Lemma 10, (61)-(69)"),
    "shuffling a linear ResNetFree block, some constant for all times",
    SHUFFLING + "Repaired: the block is linear, as in the final version. Measured: whether any "
    "$D'$ will do for all times.",
    SHUFFLED,
    (*FINAL.given, solution(RAY)),
    kind=Kind.LIMIT,
    pool=SolutionPool(block_tail, (RAY,)),
    observable=LimitObservable(block_tail, "blocks"),
    repairs="lj22v1.lemma10.flow",
    negated=NO_SHIFT,
    through=ON_A_RAY,
)

CLAIMS = (*FINAL.claims(), repaired_bound(), repaired_ratio(), BLOCK)
