"""Theorem 1: the Gram matrices of two adjacent layers change alike, on active neurons."""

from functools import cache, partial

from verify.claim import Claim, Kind
from verify.hypotheses import (
    BIAS_FREE,
    DATA,
    DIFFERENTIABLE,
    DIFFERENTIABLE_LOSS,
    FEEDFORWARD,
    FLOW_SELECTION,
    HOMOGENEOUS,
    NONZERO_WEIGHTS,
    STABLE_SIGNS,
    Hypothesis,
)
from verify.papers.lj22.architectures import regions
from verify.papers.lj22.channel_proofs import active_channels, linear_channels
from verify.papers.lj22.frames import (
    LEARNABLE,
    LINEAR_BETWEEN,
    NO_KINK,
    OWN_OUTSIDE_CONVOLUTIONS,
    absolute_gram_rate,
    absolute_rates,
    active,
    architecture,
    best_bijection,
    gram_rate,
)
from verify.papers.lj22.items import ANY, KINDS, PLANNERS, SHARING, TITLES, item6, on_digits
from verify.papers.lj22.sources import earlier, final
from verify.pool import HOMOGENEOUS_MIX
from verify.structured_pool import StructuredPool

COMMON = (
    LEARNABLE,
    OWN_OUTSIDE_CONVOLUTIONS,
    BIAS_FREE,
    FEEDFORWARD,
    STABLE_SIGNS,
    DIFFERENTIABLE_LOSS,
    HOMOGENEOUS,
    DATA,
)
PATTERNED = ("linear", "relu", "relu", "leaky_relu")
ALL_ITEMS = tuple(KINDS)
ACT_WORDS = {
    "A": "leaky ReLU neurons are never in the set of active neurons",
    "B": "a leaky ReLU neuron is active where its preactivation is nonnegative",
}
PARTS = {"7a": "thm1-7.a", "7b": "thm1-7.b"}
SIX_WORDS = {
    "A1": "row-major reshape of [U Z]",
    "A2": "Z grouped by channel, with the row-major reshape of U above it",
    "A3": "some bijection of the entries",
    "B1": "the block is a ResNetFree",
    "B2": "the block is any of the three variants",
}
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
    r"(a\times b)}$, and $W_2$ a rearrangement of $[U\ \ Z]$ into an element of "
    r"$\mathbb R^{d\times c}$, where $r(x;U,Y,Z)$ is an adjacent ResNetFree block",
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
REPAIR_SIX = (
    r" Repaired: $W_2$ is $Y$ over $Z$, the weights that leave the convolution, and its column "
    r"$k$ those that leave channel $k$."
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
    variants: tuple[str, ...] = ("free",),
    kinds: tuple[str, ...] = PATTERNED,
) -> StructuredPool:
    """Cases of some items. linear: between convolutions and what follows. variants: of the
    blocks of item 6."""
    planners = {**PLANNERS, "6": item6(variants)} if variants != ("free",) else PLANNERS
    return StructuredPool(
        activations=HOMOGENEOUS_MIX,
        examples=(1, 2, 3),
        planners=tuple((item, planners[item]) for item in items),
        between=("linear",) if linear else kinds,
        dormant=dormant,
        regions=regions(items, linear=linear),
        on_digits=tuple(on_digits(item, linear=linear or item in SHARING) for item in items),
    )


def _architecture(items: tuple[str, ...], blocks: tuple[str, ...] = ("free",)) -> Hypothesis:
    words = "; or ".join(f"{TITLES[item]}" for item in items)
    return architecture(
        items,
        f"{words}: the shared neurons have in-edges exactly those of $W_1$ and out-edges "
        "exactly those of $W_2$",
        blocks,
    )


def _active_claims(item: str, reading: str) -> tuple[Claim, Claim]:
    """An item on active neurons as printed, and at points of differentiability."""
    name = PARTS.get(item, f"thm1-{item}")
    supposed = (_architecture((item,)), active(reading), *COMMON)
    printed = Claim(
        f"lj22.{name}@{reading}",
        Kind.LAW,
        final(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6): {TITLES[item]}",
        FINAL + MATRICES[item] + ".",
        (*supposed, FLOW_SELECTION),
        ("lj22.ass1", "lj22.ass3", f"lj22.def6@{reading}", "lj22.lemma2b@A"),
        measure=gram_rate,
        pool=pool_of((item,), dormant=0.4),
        reading=reading,
        reading_text=ACT_WORDS[reading],
    )
    repaired = Claim(
        f"lj22.{name}@{reading}.fix",
        Kind.LAW,
        final(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6) where differentiable: {TITLES[item]}",
        printed.statement + AT_GRADIENTS,
        (*supposed, NO_KINK, DIFFERENTIABLE),
        ("lj22.ass1", "lj22.ass3", f"lj22.def6@{reading}", "lj22.lemma2b@A.fix"),
        measure=gram_rate,
        pool=pool_of((item,)),
        reading=reading,
        reading_text=ACT_WORDS[reading],
        repairs=printed.id,
        expanded=True,
        proof=active_channels,
    )
    return printed, repaired


def _linear_claim(item: str) -> Claim:
    """An item whose shared neurons are those of a linear convolution."""
    return Claim(
        f"lj22.thm1-{item}",
        Kind.LAW,
        final(f"Theorem 1, item {item}, (6)"),
        f"matrix invariance (6): {TITLES[item]}",
        FINAL + MATRICES[item] + ". (All convolutional layers are linear.)",
        (_architecture((item,)), LINEAR_BETWEEN, *COMMON, FLOW_SELECTION),
        ("lj22.ass1", "lj22.ass3", "lj22.def11", "lj22.def12", "lj22.lemma9"),
        measure=gram_rate,
        pool=pool_of((item,), linear=True),
        expanded=True,
        proof=linear_channels,
    )


def _item6_claim(arrangement: str, blocks: str, *, version: str) -> Claim:
    """Item 6 in one of its readings, in the final (lj22) or the earlier version (lj22v1)."""
    variants = ("free",) if blocks == "B1" else ANY
    later = version == "lj22"
    linear = (LINEAR_BETWEEN,) if later else ()
    where = (final if later else earlier)("Theorem 1, item 6, (6)")
    return Claim(
        f"{version}.thm1-6@{arrangement}{blocks}",
        Kind.LAW,
        where,
        f"matrix invariance (6): {TITLES['6']}",
        (FINAL if later else EARLIER) + MATRICES["6"] + ".",
        (_architecture(("6",), variants), *linear, *COMMON, FLOW_SELECTION),
        ("lj22.ass1", "lj22.ass3", "lj22.def5", "lj22.lemma9"),
        measure=best_bijection if arrangement == "A3" else partial_gram(arrangement),
        pool=pool_of(("6",), linear=later, variants=variants),
        reading=f"{arrangement}{blocks}",
        reading_text=f"{SIX_WORDS[arrangement]}; {SIX_WORDS[blocks]}",
        exact_only=arrangement == "A3",
    )


@cache
def partial_gram(arrangement: str):  # type: ignore[no-untyped-def]  # a partial of a measure
    """The measure of item 6 in a rearrangement."""
    return partial(gram_rate, rearrangement=arrangement)


ITEM6_FIX = Claim(
    "lj22.thm1-6@A2B1.fix",
    Kind.LAW,
    final("Theorem 1, item 6, (6)"),
    f"matrix invariance (6), with Y over Z: {TITLES['6']}",
    FINAL + MATRICES["6"] + "." + REPAIR_SIX,
    (_architecture(("6",)), LINEAR_BETWEEN, *COMMON, FLOW_SELECTION),
    ("lj22.ass1", "lj22.ass3", "lj22.def5", "lj22.lemma9"),
    measure=gram_rate,
    pool=pool_of(("6",), linear=True),
    reading="A2B1",
    reading_text=f"{SIX_WORDS['A2']}; {SIX_WORDS['B1']}",
    repairs="lj22.thm1-6@A2B1",
    expanded=True,
    proof=linear_channels,
)


def _earlier_claims(item: str) -> tuple[Claim, Claim]:
    """An item of the earlier version, on full matrices, and with linear shared neurons."""
    name = PARTS.get(item, f"thm1-{item}")
    supposed = (_architecture((item,)), *COMMON, FLOW_SELECTION)
    printed = Claim(
        f"lj22v1.{name}",
        Kind.LAW,
        earlier(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6), earlier form: {TITLES[item]}",
        EARLIER + MATRICES[item] + f" ({FULL}).",
        supposed,
        ("lj22.ass1", "lj22.ass3", "lj22.lemma2a", "lj22v1.lemma3b"),
        measure=gram_rate,
        pool=pool_of((item,), kinds=HOMOGENEOUS_MIX),
    )
    repaired = Claim(
        f"lj22v1.{name}.fix",
        Kind.LAW,
        earlier(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6), linear between: {TITLES[item]}",
        printed.statement + " Repaired: for linear shared neurons.",
        (supposed[0], LINEAR_BETWEEN, *supposed[1:]),
        printed.depends,
        measure=gram_rate,
        pool=pool_of((item,), linear=True),
        repairs=printed.id,
        expanded=True,
        proof=linear_channels,
    )
    return printed, repaired


def _frame_claims(reading: str) -> tuple[Claim, Claim]:
    """Theorem 1 as a whole: each case is one of the seven items."""
    words = f"{ACT_WORDS[reading]}; item 6: {SIX_WORDS['A2']}"
    supposed = (_architecture(ALL_ITEMS), active(reading), *COMMON)
    printed = Claim(
        f"lj22.thm1@{reading}",
        Kind.LAW,
        final("Theorem 1, (6)"),
        "matrix invariance (6) on active neurons: all seven items",
        FINAL + SEVEN + ".",
        (*supposed, FLOW_SELECTION),
        (*(f"lj22.thm1-{k}@{reading}" for k in (1, 3, 4)), "lj22.thm1-2", "lj22.thm1-5"),
        measure=partial_gram("A2"),
        pool=pool_of(ALL_ITEMS, dormant=0.4),
        reading=reading,
        reading_text=words,
    )
    repaired = Claim(
        f"lj22.thm1@{reading}.fix",
        Kind.LAW,
        final("Theorem 1, (6)"),
        "matrix invariance (6) where differentiable: all seven items",
        printed.statement + AT_GRADIENTS + REPAIR_SIX.replace("Repaired", "Item 6"),
        (*supposed, NO_KINK, DIFFERENTIABLE),
        printed.depends,
        measure=gram_rate,
        pool=pool_of(ALL_ITEMS),
        reading=reading,
        reading_text=words,
        repairs=printed.id,
        expanded=True,
        proof=active_channels,
    )
    return printed, repaired


def _earlier_frame() -> tuple[Claim, Claim]:
    """Theorem 1 of the earlier version as a whole."""
    supposed = (_architecture(ALL_ITEMS), *COMMON, FLOW_SELECTION)
    words = f"item 6: {SIX_WORDS['A2']}"
    printed = Claim(
        "lj22v1.thm1",
        Kind.LAW,
        earlier("Theorem 1, (6)"),
        "matrix invariance (6), earlier form: all seven items",
        f"{EARLIER}{SEVEN} ({FULL}; {words}).",
        supposed,
        ("lj22.ass1", "lj22.ass3", "lj22.lemma2a", "lj22v1.lemma3b", "lj22v1.lemma8"),
        measure=partial_gram("A2"),
        pool=pool_of(ALL_ITEMS, kinds=HOMOGENEOUS_MIX),
    )
    repaired = Claim(
        "lj22v1.thm1.fix",
        Kind.LAW,
        earlier("Theorem 1, (6)"),
        "matrix invariance (6), linear between: all seven items",
        printed.statement + " Repaired: for linear shared neurons." + REPAIR_SIX,
        (supposed[0], LINEAR_BETWEEN, *supposed[1:]),
        printed.depends,
        measure=gram_rate,
        pool=pool_of(ALL_ITEMS, linear=True),
        repairs=printed.id,
        expanded=True,
        proof=linear_channels,
    )
    return printed, repaired


ABS = (
    "With slight modifications to the proof technique, one can show all the results for Theorem 1 "
    "to the same matrix representation as presented in the paper but with the absolute signs "
    "around them: "
)


def _absolute_claim(reading: str) -> Claim:
    formula = {
        "A": r"$|W_2|^\top|W_2|-|W_1||W_1|^\top$ is constant, $|W|$ the matrix of the absolute "
        r"values of the entries of $W$",
        "B": r"$|W_2^\top W_2|-|W_1W_1^\top|$ is constant, with the absolute values of the entries "
        "of the products",
    }[reading]
    return Claim(
        f"lj22v1.abs.thm1@{reading}",
        Kind.LAW,
        earlier("end of Appendix B"),
        "Theorem 1 with absolute values",
        f"{ABS}{formula}, for {SEVEN}.",
        (
            _architecture(tuple(i for i in ALL_ITEMS if i != "6")),
            *COMMON,
            NONZERO_WEIGHTS,
            FLOW_SELECTION,
        ),
        ("lj22v1.thm1",),
        measure=absolute_gram if reading == "A" else absolute_gram_rate,
        pool=pool_of(tuple(i for i in ALL_ITEMS if i != "6"), kinds=HOMOGENEOUS_MIX),
        reading=reading,
        reading_text=formula,
        exact_only=reading == "B",
    )


absolute_gram = partial(gram_rate, rate=absolute_rates)

CLAIMS = (
    *(claim for reading in "AB" for claim in _frame_claims(reading)),
    *(claim for item in ("1", "3", "4") for r in "AB" for claim in _active_claims(item, r)),
    *(claim for item in ("7a", "7b") for r in "AB" for claim in _active_claims(item, r)),
    *(_linear_claim(item) for item in ("2", "5")),
    *(
        _item6_claim(a, b, version=version)
        for version in ("lj22", "lj22v1")
        for a in ("A1", "A2", "A3")
        for b in ("B1", "B2")
    ),
    ITEM6_FIX,
    *_earlier_frame(),
    *(claim for item in ("1", "2", "3", "4", "5", "7a", "7b") for claim in _earlier_claims(item)),
    *(_absolute_claim(reading) for reading in "AB"),
)
__all__ = ["CLAIMS", "SHARING"]
