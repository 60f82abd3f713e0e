"""Theorem 1 of the earlier version: full matrices, whatever the activations; absolute values."""

from functools import partial

from verify.claim import Claim, Kind
from verify.papers.lj22.channel_proofs import linear_channels
from verify.papers.lj22.frames import absolute_gram_rate, absolute_rates, gram_rate
from verify.papers.lj22.items import TITLES
from verify.papers.lj22.matrices import partial_gram
from verify.papers.lj22.sources import earlier
from verify.papers.lj22.suppositions import LINEAR_BETWEEN
from verify.papers.lj22.theorem1 import (
    ALL_ITEMS,
    COMMON,
    EARLIER,
    FULL,
    MATRICES,
    PARTS,
    REPAIR_SIX,
    SEVEN,
    SIX_WORDS,
    architecture_of,
    pool_of,
)
from verify.point_hypotheses import FLOW_SELECTION, NONZERO_WEIGHTS
from verify.pool import HOMOGENEOUS_MIX


def _earlier_claims(item: str) -> tuple[Claim, Claim]:
    """An item of the earlier version, on full matrices, and with linear shared neurons."""
    name = PARTS.get(item, f"thm1-{item}")
    supposed = (architecture_of((item,)), *COMMON, FLOW_SELECTION)
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


def _earlier_frame() -> tuple[Claim, Claim]:
    """Theorem 1 of the earlier version as a whole."""
    supposed = (architecture_of(ALL_ITEMS), *COMMON, FLOW_SELECTION)
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
            architecture_of(tuple(i for i in ALL_ITEMS if i != "6")),
            *COMMON,
            NONZERO_WEIGHTS,
            FLOW_SELECTION,
        ),
        ("lj22v1.thm1",),
        measure=absolute_gram if reading == "A" else absolute_gram_rate,
        pool=pool_of(tuple(i for i in ALL_ITEMS if i != "6"), kinds=HOMOGENEOUS_MIX),
        reading=reading,
        reading_text=formula,
    )


absolute_gram = partial(gram_rate, rate=absolute_rates)

CLAIMS = (
    *_earlier_frame(),
    *(claim for item in ("1", "2", "3", "4", "5", "7a", "7b") for claim in _earlier_claims(item)),
    *(_absolute_claim(reading) for reading in "AB"),
)
