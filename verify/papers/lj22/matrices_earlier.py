"""Theorem 1 of the earlier version: full matrices, whatever the activations; absolute values."""

from functools import partial

from verify.claim import Claim, Kind
from verify.papers.lj22.channel_proofs import linear_channels
from verify.papers.lj22.frames import absolute_rates, gram_rate
from verify.papers.lj22.items import TITLES
from verify.papers.lj22.sources import earlier
from verify.papers.lj22.suppositions import LINEAR_BETWEEN
from verify.papers.lj22.theorem1 import (
    ALL_ITEMS,
    COMMON,
    EARLIER,
    FULL,
    MATRICES,
    PARTS,
    SEVEN,
    architecture_of,
    pool_of,
)
from verify.point_hypotheses import FLOW_SELECTION, NONZERO_WEIGHTS
from verify.pool import HOMOGENEOUS_MIX

INACTIVE = (
    "where a ReLU neuron of the shared layer is inactive on an example on which another one is "
    "active, the entry of the two changes in one Gram matrix and not in the other"
)


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
        why=INACTIVE,
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


ABS = (
    "With slight modifications to the proof technique, one can show all the results for Theorem 1 "
    "to the same matrix representation as presented in the paper but with the absolute signs "
    "around them: "
)


WITHOUT_SIX = tuple(item for item in ALL_ITEMS if item != "6")
absolute_gram = partial(gram_rate, rate=absolute_rates)

ABSOLUTE = Claim(
    "lj22v1.abs.thm1@A",
    Kind.LAW,
    earlier("end of Appendix B"),
    "Theorem 1 with absolute values",
    ABS + r"$|W_2|^\top|W_2|-|W_1||W_1|^\top$ is constant, $|W|$ the matrix of the absolute values "
    f"of the entries of $W$, for {SEVEN} but item 6.",
    (architecture_of(WITHOUT_SIX), *COMMON, NONZERO_WEIGHTS, FLOW_SELECTION),
    ("lj22v1.thm1-1",),
    measure=absolute_gram,
    pool=pool_of(WITHOUT_SIX, kinds=HOMOGENEOUS_MIX),
    reading="A",
    reading_text="each matrix is replaced by the matrix of the absolute values of its entries",
    why="the signs of two neurons differ from edge to edge, so the terms "
    r"$\mathrm{sgn}(w_{au}w_{av})\,\frac d{dt}(w_{au}w_{av})$ no longer add up to one number on "
    "both sides",
)
CLAIMS = (
    *(claim for item in ("1", "2", "3", "4", "5", "7a", "7b") for claim in _earlier_claims(item)),
    ABSOLUTE,
)
