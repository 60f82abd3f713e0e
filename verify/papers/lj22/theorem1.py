"""Theorem 1: the law and its words, what all its items suppose, and cases of them."""

from collections.abc import Callable, Sequence
from functools import cache

from verify.cases.pool import HOMOGENEOUS_MIX
from verify.cases.structured_pool import StructuredPool
from verify.language.building import Rate, Sum, card, concat, upto
from verify.language.terms import Term
from verify.papers.lj22.architectures import regions
from verify.papers.lj22.invariances import SMOOTH_FLOW
from verify.papers.lj22.items import PLANNERS, TITLES, on_digits
from verify.papers.lj22.layers import (
    Times,
    arriving,
    arriving_channels,
    at_pairs,
    leaving,
    leaving_channels,
    product,
)
from verify.papers.lj22.suppositions import (
    ACTIVE,
    CONVOLVED,
    A,
    B,
    C,
    G,
    H,
    K,
    N,
    S,
    Supposed,
    T,
    V,
    X,
)
from verify.statements.network_hypotheses import BIAS_FREE
from verify.statements.stated import Given


# the law -----------------------------------------------------------------------------------------
def law(
    items: Sequence[str],
    *,
    active: bool = False,
    times: Times = product,
    rate: Callable[[Term], Term] = Rate,
) -> Term:
    """(6) for some items, entry by entry: at the active neurons and channels, or at all. times,
    rate: what is summed in an entry, and what becomes of the sum."""
    tails = concat(G, A) if {"4", "7a"} & set(items) else A
    heads = concat(H, C) if {"4", "6", "7b"} & set(items) else C

    def of_neurons(u: Term, v: Term) -> Term:
        return rate(leaving(heads, u, v, times)) == rate(arriving(tails, u, v, times))

    def of_channels(one: Term, other: Term) -> Term:
        second = []
        if "2" in items:
            second.append(leaving_channels(N, T, one, other, times))
        if {"5", "6"} & set(items):
            second.append(Sum(upto(card(one)), lambda j: leaving(heads, one[j], other[j], times)))
        return rate(sum(second[1:], second[0])) == rate(arriving_channels(X, S, one, other, times))

    parts = []
    if set(items) - set(CONVOLVED):
        parts.append(at_pairs(ACTIVE if active else B, of_neurons))
    if set(items) & set(CONVOLVED):
        parts.append(at_pairs(K if active else V, of_channels))
    return parts[0] & parts[1] if len(parts) > 1 else parts[0]


# what is supposed --------------------------------------------------------------------------------


def supposed_of(items: Sequence[str], *more: Given) -> tuple[Given, ...]:
    """The architecture of one of these items; blocks are ResNetFree but in item 3. more: what comes
    next."""
    words = "; or ".join(f"{TITLES[item]}" for item in items)
    found = Supposed(items)
    architecture = found.architecture(
        f"{words}: the shared neurons have in-edges exactly those of $W_1$ and no out-edges but "
        "those into the second layer or block"
    )
    return architecture, *more, found.learnable, found.own, BIAS_FREE, *SMOOTH_FLOW


PATTERNED = ("linear", "relu", "relu", "leaky_relu")
ALL_ITEMS = tuple(TITLES)
ACT_WORDS = "leaky ReLU neurons are never in the set of active neurons"
PARTS = {"7a": "thm1-7.a", "7b": "thm1-7.b"}
REARRANGED = r"$W_2$ a rearrangement of $[U\ \ Z]$ into an element of $\mathbb R^{d\times c}$"
MATRICES = {
    "1": r"$W_1\in\mathbb R^{b\times a}$ and $W_2\in\mathbb R^{c\times b}$ consecutive "
    r"fully-connected layers",
    "2": r"$W_1$ convolutional, viewed as a flattening to a matrix in $\mathbb R^{c\times"
    r"(a\times b)}$, and $W_2$ adjacent convolutional, viewed as a flattening to a matrix in "
    r"$\mathbb R^{(d\times e)\times c}$",
    "3": r"$W_1=Y$ and $W_2=U$ where $r(x;U,Y,Z)$ is a residual block of ResNetIdentity, "
    r"ResNetDiagonal or ResNetFree",
    "4": r"$W_1=[U_1\ \ Z_1]$, $W_2=\begin{bmatrix}Y_2\\Z_2\end{bmatrix}$ where "
    r"$r(x;U_j,Y_j,Z_j)$, $j\in\{1,2\}$, are consecutive ResNetFree blocks",
    "5": r"$W_1$ convolutional, viewed as a flattening to a matrix in $\mathbb R^{c\times"
    r"(a\times b)}$, and $W_2$ the adjacent fully-connected layer, viewed as a rearrangement to "
    r"$\mathbb R^{d\times c}$ (column $k$: the weights that leave channel $k$)",
    "6": r"$W_1$ convolutional, viewed as a flattening to a matrix in $\mathbb R^{c\times"
    rf"(a\times b)}}$, and {REARRANGED}, where $r(x;U,Y,Z)$ is an adjacent ResNetFree block",
    "7a": r"$W_1=[U\ \ Z]\in\mathbb R^{b\times a}$ of a ResNetFree block $r(x;U,Y,Z)$ and "
    r"$W_2\in\mathbb R^{c\times b}$ the adjacent fully-connected layer",
    "7b": r"$W_1\in\mathbb R^{b\times a}$ fully connected and $W_2=\begin{bmatrix}Y\\Z"
    r"\end{bmatrix}\in\mathbb R^{c\times b}$ the adjacent ResNetFree block $r(x;U,Y,Z)$",
}
FINAL = (
    r"Under Assumptions 1 and 3, for a.e. time $t\ge0$, $$\frac{d}{dt}\big[W_2(t)^\top W_2(t)"
    r"\big]_{\mathrm{act}}-\frac{d}{dt}\big[W_1(t)W_1(t)^\top\big]_{\mathrm{act}}=0$$ for "
)
EARLIER = (
    r"Under Assumptions 1 and 3, for a.e. time $t\ge0$, $$W_2(t)^\top W_2(t)-W_1(t)W_1(t)^\top="
    r"W_2(0)^\top W_2(0)-W_1(0)W_1(0)^\top$$ for "
)
FULL = "all rows and columns; at a time: the two sides have equal derivatives"
SEVEN = "the seven pairs of matrices of items 1 to 7"
STACKED = (
    r"$W_2$ a rearrangement of $Y$ over $Z$ into an element of $\mathbb R^{d\times c}$ "
    "(column $k$: the weights that leave channel $k$)"
)
AT_GRADIENTS = (
    " Repaired: at times at which no neuron with two slopes has preactivation $0$ on an example."
)


@cache
def pool_of(
    items: tuple[str, ...],
    *,
    linear: bool = False,
    dormant: float = 0.0,
    kinds: tuple[str, ...] = PATTERNED,
) -> StructuredPool:
    """Cases of some items. linear: between convolutions and what follows."""
    return StructuredPool(
        activations=HOMOGENEOUS_MIX,
        examples=(1, 2, 3),
        planners=tuple((item, PLANNERS[item]) for item in items),
        between=("linear",) if linear else kinds,
        dormant=dormant,
        regions=regions(items, linear=linear),
        on_digits=tuple(on_digits(item, linear=linear or item in CONVOLVED) for item in items),
    )
