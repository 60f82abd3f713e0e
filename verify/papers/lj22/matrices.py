"""Theorem 1: the Gram matrices of two adjacent layers change alike, on active neurons."""

from functools import cache, partial

from verify.claim import Claim, Kind
from verify.papers.lj22.channel_proofs import active_channels, linear_channels
from verify.papers.lj22.frames import best_bijection, gram_rate
from verify.papers.lj22.items import ANY, TITLES
from verify.papers.lj22.sources import earlier, final
from verify.papers.lj22.suppositions import LINEAR_BETWEEN, active
from verify.papers.lj22.theorem1 import (
    ACT_WORDS,
    ALL_ITEMS,
    AT_GRADIENTS,
    COMMON,
    EARLIER,
    FINAL,
    MATRICES,
    PARTS,
    REPAIR_SIX,
    SEVEN,
    SIX_WORDS,
    architecture_of,
    pool_of,
)
from verify.point_hypotheses import DIFFERENTIABLE, FLOW_SELECTION


def _active_claims(item: str, reading: str) -> tuple[Claim, Claim]:
    """An item on active neurons as printed, and at points of differentiability."""
    name = PARTS.get(item, f"thm1-{item}")
    supposed = (architecture_of((item,)), active(reading), *COMMON)
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
        (*supposed, DIFFERENTIABLE, FLOW_SELECTION),
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
        (architecture_of((item,)), LINEAR_BETWEEN, *COMMON, FLOW_SELECTION),
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
        (architecture_of(("6",), variants), *linear, *COMMON, FLOW_SELECTION),
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
    (architecture_of(("6",)), LINEAR_BETWEEN, *COMMON, FLOW_SELECTION),
    ("lj22.ass1", "lj22.ass3", "lj22.def5", "lj22.lemma9"),
    measure=gram_rate,
    pool=pool_of(("6",), linear=True),
    reading="A2B1",
    reading_text=f"{SIX_WORDS['A2']}; {SIX_WORDS['B1']}",
    repairs="lj22.thm1-6@A2B1",
    expanded=True,
    proof=linear_channels,
)


def _frame_claims(reading: str) -> tuple[Claim, Claim]:
    """Theorem 1 as a whole: each case is one of the seven items."""
    words = f"{ACT_WORDS[reading]}; item 6: {SIX_WORDS['A2']}"
    supposed = (architecture_of(ALL_ITEMS), active(reading), *COMMON)
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
        (*supposed, DIFFERENTIABLE, FLOW_SELECTION),
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
)
