"""Bottleneck neurons: Appendix F, the paragraph on them in Section 3 and Figure 3, on families of
linear networks.

The square of the derivative of f in a neuron is, in the mean, the probability that a walk from the
output to random incoming neurons comes by it. A walk enters a neuron from one that is no bottleneck
with probability at most 1/m, so that constantly many bottlenecks raise none of these probabilities
by more than a constant factor. M^k bottlenecks that hang on one neuron, 0 < k < 1, lead a share
M^(k-1) of the walks to it, and |H_f| is of order M^(-(1-k)/2) at least: not 1/sqrt(M), while it may
tend to 0. Where bottlenecks are few beside all neurons of a larger layer elsewhere, all walks may
come by one neuron, and |H_f| does not tend to 0.

What is counted from below is the order from above as well (verify.group_orders), so that what
stands holds on these families, and a count that falls says that |H_f| tends to 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from verify.bottleneck_hypotheses import (
    CONSTANT_NUMBER,
    FEW_AMONG,
    FEW_OF_ALL,
    INCOMING,
    SPLIT,
    TWO,
    share_of_others,
    width_of_others,
)
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis
from verify.papers.zlb22.bottleneck_remainders import figure_3
from verify.papers.zlb22.group_ladders import (
    ALL_THROUGH_ONE,
    FEW_NEURONS,
    HALF,
    NARROW_LAYERS,
    ROOT_OF_M,
    TWO_NEURONS,
    Arm,
    joined_afterwards,
    told,
)
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.two_sided import WIDTHS, argument
from verify.papers.zlb22.widths import COUNTED, RATE_FAILS, TRUSTED
from verify.profile import ProfileScene
from verify.profile_hypotheses import LAYERED, NARROW_LAYER, PROFILE, WIDE_BEHIND
from verify.profile_pool import profile_pool
from verify.vocabulary import Entries

Measure = Callable[[ProfileScene], Entries]
READINGS = {
    "A": r"$\|H_f\|\to0$ as the other in-degrees grow",
    "B": r"$\|H_f\|=\tilde O(1/\sqrt m)$ with $m$ the least in-degree of the neurons that are no "
    r"bottlenecks",
}


def tends_to_zero(scene: ProfileScene) -> Entries:
    """Reading A: the exponent by which |H_f|^2 falls, a whole number, is 1 at least."""
    falls = [-shape.squared_norm for shape in scene.shapes]
    return scene.compare(scene.numbers(falls), scene.numbers([1] * len(falls)))


def rate_by_others(scene: ProfileScene) -> Entries:
    """Reading B: the exponent by which |H_f|^2 falls is that of m at least."""
    falls = [-shape.squared_norm for shape in scene.shapes]
    widths = [width_of_others(case) for case in scene.profiles]
    return scene.compare(scene.numbers(falls), scene.numbers(widths))


def rate_by_share(scene: ProfileScene) -> Entries:
    """(b), mended: the exponent by which |H_f|^2 falls is that of the least m_k/(1 + n_k)."""
    falls = [-shape.squared_norm for shape in scene.shapes]
    shares = [share_of_others(case) for case in scene.profiles]
    return scene.compare(scene.numbers(falls), scene.numbers(shares))


def stays(scene: ProfileScene) -> Entries:
    """(d): |H_f|^2 does not fall: its exponent is 0 (above 0 it never is, the mean squares being
    probabilities)."""
    found = [shape.squared_norm for shape in scene.shapes]
    return scene.compare(scene.numbers(found), scene.numbers([0] * len(found)))


def share_of_next_layer(scene: ProfileScene) -> Entries:
    """(d): the exponent of the number of neurons that read the narrow layer, at least that of the
    number of all neurons outside of the input layer and the first layer."""
    left, right = [], []
    for shape in scene.shapes:
        narrow = next((g for g in shape.hidden if shape.sizes[g] == 0), 0)
        left.append(shape.sizes[narrow + 1])
        right.append(max((shape.sizes[g] for g in shape.later), default=0))
    return scene.compare(scene.numbers(left), scene.numbers(right))


MEASURES: dict[str, Measure] = {"A": tends_to_zero, "B": rate_by_others}
NEGATED = {"A": "|H_f| does not fall, with a probability that does not", "B": RATE_FAILS}


@dataclass(frozen=True)
class Printed:
    """A statement that both readings make: its id, where it stands, in a few words, in full; what
    is supposed beside the family and its bottlenecks; networks along which it is measured; more."""

    name: str
    where: str
    title: str
    statement: str
    supposed: tuple[Hypothesis, ...]
    arms: tuple[Arm, ...]
    about: str = ""
    argued: str = ""  # the readings that have an argument


STATEMENTS = (
    Printed(
        "appF.a",
        "Appendix F",
        "a constant number of bottleneck neurons",
        "A constant number of bottleneck neurons which serve as incoming neurons will not break "
        "the linearity.",
        (CONSTANT_NUMBER, INCOMING),
        FEW_NEURONS,
        argued="AB",
    ),
    Printed(
        "appF.b",
        "Appendix F",
        "o(m) bottleneck neurons among incoming neurons",
        r"Neurons of small in-degree among the $m_k^{(L)}$ incoming ones may have $\|G\|$ of "
        r"larger order; as long as their number is not too large, $o(m_k^{(L)})$, the order of the "
        "sum is not affected, and the recursion still applies.",
        (FEW_AMONG, INCOMING),
        ROOT_OF_M,
        argued="A",
    ),
    Printed(
        "appF.c",
        "Section 3, paragraph on bottleneck neurons",
        "bottleneck neurons fewer than others",
        "The existence of bottleneck neurons does not break the transition to linearity, as long "
        "as the number of such neurons is significantly smaller than that of non-bottleneck "
        "neurons.",
        (FEW_OF_ALL,),
        ALL_THROUGH_ONE,
    ),
    Printed(
        "appF.c.hidden",
        "Section 3, paragraph on bottleneck neurons",
        "bottleneck neurons fewer than others, the output none",
        "The existence of bottleneck neurons, all of them hidden, does not break the transition to "
        "linearity, as long as the number of such neurons is significantly smaller than that of "
        "non-bottleneck neurons.",
        (FEW_OF_ALL, INCOMING),
        ALL_THROUGH_ONE,
        about="; as appF.c, without outputs of small in-degree",
    ),
    Printed(
        "fig3",
        "Section 3, Figure 3",
        "a network with two bottleneck neurons",
        "A network with two bottleneck neurons, whose in-degree is 1, still transitions to "
        r"linearity as the number of neurons goes to infinity. (Measured: $\lVert H_f\rVert$ and "
        r"$\sup_{\mathsf B}|f-f_{\rm lin}|$.)",
        (TWO,),
        TWO_NEURONS,
    ),
)
POOL = profile_pool(("w", 1, 2))


def _claim(said: Printed, reading: str) -> Claim:
    supposed = (PROFILE, SPLIT, *said.supposed)
    proof = partial(argument, MEASURES[reading], supposed, WIDTHS)
    return Claim(
        f"zlb22.{said.name}@{reading}",
        Kind.INEQUALITY,
        printed(said.where),
        f"{said.title}: {'|H| tends to 0' if reading == 'A' else '|H| of order 1/sqrt(m)'}",
        said.statement,
        supposed,
        ("zlb22.thm3.6@A",),
        measure=MEASURES[reading],
        pool=POOL,
        reading=reading,
        reading_text=f"{READINGS[reading]}; judged {COUNTED}{said.about}",
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED[reading],
        proof=proof if reading in said.argued else None,
        exponents=figure_3(reading)
        if said.arms is TWO_NEURONS
        else told(said.arms, None if reading == "A" else HALF),
    )


LAYERS = (PROFILE, LAYERED, NARROW_LAYER)
FEW = (PROFILE, SPLIT, FEW_AMONG, INCOMING)

CLAIMS = (
    *(_claim(said, reading) for said in STATEMENTS for reading in READINGS),
    Claim(
        "zlb22.appF.b.fix",
        Kind.INEQUALITY,
        printed("Appendix F"),
        "o(m) bottleneck neurons among incoming neurons, with their share in the rate",
        r"If $n_k=o(m_k)$ of the $m_k$ incoming neurons of each neuron $k$ that is no bottleneck "
        r"are bottleneck neurons, and outputs are none, "
        r"$\|H_f\|=\tilde O(\max_k\sqrt{(1+n_k)/m_k})$.",
        FEW,
        ("zlb22.appF.b@B",),
        measure=rate_by_share,
        pool=POOL,
        repairs="zlb22.appF.b@B",
        exact_only=True,
        trusted=TRUSTED,
        negated="|H_f|^2 falls with a smaller power of M, with a probability that does not fall",
        proof=partial(argument, rate_by_share, FEW, WIDTHS),
        exponents=told(ROOT_OF_M, Fraction(-1, 4)),
    ),
    Claim(
        "zlb22.appF.c.fix",
        Kind.INEQUALITY,
        printed("Section 3, paragraph on bottleneck neurons"),
        "bottleneck neurons fewer than others among incoming neurons",
        "The existence of bottleneck neurons does not break the transition to linearity, "
        r"$\|H_f\|\to0$, as long as among the incoming neurons of each neuron that is none of them "
        "their number is significantly smaller than that of the others, and outputs are none.",
        FEW,
        ("zlb22.appF.b@A", "zlb22.appF.c@A"),
        measure=tends_to_zero,
        pool=POOL,
        repairs="zlb22.appF.c@A",
        exact_only=True,
        trusted=TRUSTED,
        negated=NEGATED["A"],
        proof=partial(argument, tends_to_zero, FEW, WIDTHS),
        exponents=told(ROOT_OF_M, None),
    ),
    Claim(
        "zlb22.appF.d",
        Kind.IDENTITY,
        printed("Appendix F"),
        "a narrow hidden layer",
        "A network with a narrow hidden layer and wide other layers breaks transition to "
        r"linearity: $\|H_f\|$ does not tend to 0.",
        LAYERS,
        measure=stays,
        pool=profile_pool(),
        exact_only=True,
        trusted=TRUSTED,
        negated="|H_f| tends to 0, its order from above and from below being the same",
        proof=partial(argument, stays, LAYERS, equal=True),
        exponents=told(NARROW_LAYERS, Fraction(0), below=HALF),
    ),
    Claim(
        "zlb22.appF.d.share",
        Kind.INEQUALITY,
        printed("Appendix F"),
        "the layer behind a narrow one",
        "In a network with a narrow hidden layer and wide other layers all neurons of the layer "
        "behind the narrow one are bottleneck neurons, a fixed fraction of all (outside of the "
        "input layer and the first layer).",
        (*LAYERS, WIDE_BEHIND),
        measure=share_of_next_layer,
        pool=profile_pool(),
        exact_only=True,
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
