"""Theorem 1 of the earlier version: full matrices, whatever the activations; absolute values."""

from verify.cases.pool import HOMOGENEOUS_MIX
from verify.core.claim import Claim, Kind
from verify.language.building import Rate, sign, w
from verify.language.terms import Term
from verify.papers.lj22.items import TITLES
from verify.papers.lj22.layers import product
from verify.papers.lj22.matrices import law_proof
from verify.papers.lj22.sources import earlier
from verify.papers.lj22.suppositions import Supposed
from verify.papers.lj22.theorem1 import (
    ALL_ITEMS,
    EARLIER,
    FULL,
    MATRICES,
    PARTS,
    SEVEN,
    law,
    pool_of,
    supposed_of,
)
from verify.statements.mending import mended
from verify.statements.network_hypotheses import FLOW_SELECTION, NONZERO_WEIGHTS
from verify.statements.stated import stated

INACTIVE = (
    "where a ReLU neuron of the shared layer is inactive on an example on which another one is "
    "active, the entry of the two changes in one Gram matrix and not in the other"
)


def _earlier_claims(item: str) -> tuple[Claim, Claim]:
    """An item of the earlier version, on full matrices, and with linear shared neurons."""
    name = PARTS.get(item, f"thm1-{item}")
    says = law((item,))
    printed = stated(
        f"lj22v1.{name}",
        earlier(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6), earlier form: {TITLES[item]}",
        EARLIER + MATRICES[item] + f" ({FULL}).",
        says,
        (*supposed_of((item,)), FLOW_SELECTION),
        kind=Kind.LAW,
        depends=("lj22.ass1", "lj22.ass3", "lj22.lemma2a", "lj22v1.lemma3b"),
        pool=pool_of((item,), kinds=HOMOGENEOUS_MIX),
        why=INACTIVE,
    )
    repaired = mended(
        printed,
        f"matrix invariance (6), linear between: {TITLES[item]}",
        printed.statement + " Repaired: for linear shared neurons.",
        says,
        (*supposed_of((item,), Supposed((item,)).linear), FLOW_SELECTION),
        pool=pool_of((item,), linear=True),
        proofs=[law_proof(item)],
    )
    return printed, repaired


ABS = (
    "With slight modifications to the proof technique, one can show all the results for Theorem 1 "
    "to the same matrix representation as presented in the paper but with the absolute signs "
    "around them: "
)


WITHOUT_SIX = tuple(item for item in ALL_ITEMS if item != "6")


def absolute_rate(e: Term, f: Term) -> Term:
    """d/dt |w_e w_f|, where neither is 0."""
    return sign(w(e)) * sign(w(f)) * Rate(product(e, f))


ABSOLUTE = stated(
    "lj22v1.abs.thm1@A",
    earlier("end of Appendix B"),
    "Theorem 1 with absolute values",
    ABS + r"$|W_2|^\top|W_2|-|W_1||W_1|^\top$ is constant, $|W|$ the matrix of the absolute values "
    f"of the entries of $W$, for {SEVEN} but item 6.",
    law(WITHOUT_SIX, times=absolute_rate, rate=lambda total: total),
    (*supposed_of(WITHOUT_SIX), NONZERO_WEIGHTS, FLOW_SELECTION),
    kind=Kind.LAW,
    depends=("lj22v1.thm1-1",),
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
