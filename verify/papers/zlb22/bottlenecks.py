"""Bottleneck neurons: Appendix F, the paragraph on them in Section 3 and Figure 3, on families of
linear networks.

The square of the derivative of f in a neuron is, in the mean, the probability that a walk from the
output to random incoming neurons comes by it. A walk enters a neuron from one that is no bottleneck
with probability at most 1/m, so that constantly many bottlenecks raise none of these probabilities
by more than a constant factor. M^k bottlenecks that hang on one neuron, 0 < k < 1, lead a share
M^(k-1) of the walks to it, and |H_f| is of order M^(-(1-k)/2) at least: not 1/sqrt(M), while it may
tend to 0. Where bottlenecks are few beside all neurons of a larger layer elsewhere, all walks may
come by one neuron, and |H_f| does not tend to 0.

What is counted from below is the order from above as well (verify.papers.zlb22.group_orders), so
that what stands holds on these families, and a count that falls says that |H_f| tends to 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Exponents
from verify.language.building import Max, The
from verify.papers.zlb22.bottleneck_hypotheses import (
    CONSTANT_NUMBER,
    FEW_AMONG,
    FEW_OF_ALL,
    INCOMING,
    SPLIT,
    TWO,
)
from verify.papers.zlb22.bottleneck_remainders import figure_3
from verify.papers.zlb22.group_ladders import (
    ALL_THROUGH_ONE,
    FEW_NEURONS,
    HALF,
    NARROW_LAYERS,
    ROOT_OF_M,
    joined_afterwards,
    told,
)
from verify.papers.zlb22.group_notation import HIDDEN, LATER, NORM, e
from verify.papers.zlb22.profile_hypotheses import LAYERED, NARROW_LAYER, PROFILE, WIDE_BEHIND
from verify.papers.zlb22.profile_pool import profile_pool
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.two_sided import WIDTHS, argument
from verify.papers.zlb22.widths import COUNTED, THROUGH, TRUSTED
from verify.statements.stated import Given, stated

TENDS_TO_ZERO = -NORM >= 1
"""The exponent by which |H_f|^2 falls, a whole number, is 1 at least."""
STAYS = NORM == 0
"""(d): |H_f|^2 does not fall (above 0 its exponent never is, the mean squares being
probabilities)."""
NARROW = The(HIDDEN, lambda g: e[g] == 0)
SHARE_OF_NEXT_LAYER = e[NARROW + 1] >= Max(LATER, lambda g: e[g])
"""(d): the exponent of the number of neurons that read the narrow layer is at least that of the
number of all neurons outside of the input layer and the first layer."""
NEGATED = "|H_f| does not fall, with a probability that does not"
READING = rf"$\|H_f\|\to0$ as the other in-degrees grow; judged {COUNTED}"


@dataclass(frozen=True)
class Printed:
    """A statement that bottleneck neurons are harmless: its id, where it stands, in a few words, in
    full; what is supposed beside the family and its bottlenecks; where it is measured; why it is
    false, if it is."""

    name: str
    where: str
    title: str
    statement: str
    supposed: tuple[Given, ...]
    measured: Exponents
    argued: bool = False
    why: str = ""


STATEMENTS = (
    Printed(
        "appF.a@A",
        "Appendix F",
        "a constant number of bottleneck neurons",
        "A constant number of bottleneck neurons which serve as incoming neurons will not break "
        "the linearity.",
        (CONSTANT_NUMBER, INCOMING),
        told(FEW_NEURONS, None),
        argued=True,
    ),
    Printed(
        "appF.c.hidden@A",
        "Section 3, paragraph on bottleneck neurons",
        "bottleneck neurons fewer than others",
        "The existence of bottleneck neurons, all of them hidden, does not break the transition to "
        "linearity, as long as the number of such neurons is significantly smaller than that of "
        "non-bottleneck neurons.",
        (FEW_OF_ALL, INCOMING),
        told(ALL_THROUGH_ONE, None),
        why="Neurons are counted in the whole network: all bottlenecks may hang on one neuron, and "
        "all paths to the output lead through them, while the many others are in another layer; "
        "then the derivative of $f$ in that neuron does not vanish.",
    ),
    Printed(
        "fig3@A",
        "Section 3, Figure 3",
        "a network with two bottleneck neurons",
        "A network with two bottleneck neurons, whose in-degree is 1, still transitions to "
        r"linearity as the number of neurons goes to infinity. (Measured: $\lVert H_f\rVert$ and "
        r"$\sup_{\mathsf B}|f-f_{\rm lin}|$.)",
        (TWO,),
        figure_3(),
    ),
)
POOL = profile_pool(("w", 1, 2))


def _claim(said: Printed) -> Claim:
    supposed = (PROFILE, SPLIT, *said.supposed)
    return stated(
        f"zlb22.{said.name}",
        printed(said.where),
        f"{said.title}: |H| tends to 0",
        said.statement,
        TENDS_TO_ZERO,
        supposed,
        depends=("zlb22.thm3.6@A",),
        pool=POOL,
        reading="A",
        reading_text=READING,
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED,
        proof=partial(argument, TENDS_TO_ZERO, supposed, WIDTHS) if said.argued else None,
        exponents=said.measured,
        through=THROUGH,
        why=said.why,
    )


LAYERS = (PROFILE, LAYERED, NARROW_LAYER)
FEW = (PROFILE, SPLIT, FEW_AMONG, INCOMING)

CLAIMS = (
    *map(_claim, STATEMENTS),
    stated(
        "zlb22.appF.c.fix",
        printed("Section 3, paragraph on bottleneck neurons"),
        "bottleneck neurons fewer than others among incoming neurons",
        "The existence of bottleneck neurons does not break the transition to linearity, "
        r"$\|H_f\|\to0$, as long as among the incoming neurons of each neuron that is none of them "
        "their number is significantly smaller than that of the others, and outputs are none.",
        TENDS_TO_ZERO,
        FEW,
        depends=("zlb22.appF.c.hidden@A",),
        pool=POOL,
        repairs="zlb22.appF.c.hidden@A",
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED,
        proof=partial(argument, TENDS_TO_ZERO, FEW, WIDTHS),
        exponents=told(ROOT_OF_M, None),
        through=THROUGH,
    ),
    stated(
        "zlb22.appF.d",
        printed("Appendix F"),
        "a narrow hidden layer",
        "A network with a narrow hidden layer and wide other layers breaks transition to "
        r"linearity: $\|H_f\|$ does not tend to 0.",
        STAYS,
        LAYERS,
        pool=profile_pool(),
        exact_only=True,
        trusted=TRUSTED,
        negated="|H_f| tends to 0, its order from above and from below being the same",
        proof=partial(argument, STAYS, LAYERS),
        exponents=told(NARROW_LAYERS, Fraction(0), below=HALF),
        through=THROUGH,
    ),
    stated(
        "zlb22.appF.d.share",
        printed("Appendix F"),
        "the layer behind a narrow one",
        "In a network with a narrow hidden layer and wide other layers all neurons of the layer "
        "behind the narrow one are bottleneck neurons, a fixed fraction of all (outside of the "
        "input layer and the first layer).",
        SHARE_OF_NEXT_LAYER,
        (*LAYERS, WIDE_BEHIND),
        pool=profile_pool(),
        exact_only=True,
        through="numbers of neurons are compared by their powers of $M$ "
        "(docs/mathematics/zlb22.md#bottlenecks)",
        why="Layers need not be of equal sizes: with $M$ neurons behind the narrow layer and "
        "$M^2$ in the next, the share of the former tends to 0.",
    ),
    Claim(
        "zlb22.appF.e",
        Kind.RATE,
        printed("Appendix F"),
        "edges added behind a narrow layer",
        "If trainable connections are added so that almost all bottleneck neurons, except a small "
        "number, get sufficiently large in-degrees, then the resulting network can have transition "
        r"to linearity: there is a network whose $\|H_f\|$ does not tend to 0 before the edges are "
        "added, and does after.",
        exponents=joined_afterwards(),
    ),
)
