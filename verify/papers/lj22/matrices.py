"""Theorem 1: the Gram matrices of two adjacent layers change alike, on active neurons."""

from dataclasses import replace

from verify.claim import Claim, Kind
from verify.papers.lj22.channel_proofs import active_channels, linear_channels
from verify.papers.lj22.frames import best_bijection, gram_rate
from verify.papers.lj22.items import TITLES
from verify.papers.lj22.sources import earlier, final
from verify.papers.lj22.suppositions import LINEAR_BETWEEN, active
from verify.papers.lj22.theorem1 import (
    ACT_WORDS,
    AT_GRADIENTS,
    COMMON,
    EARLIER,
    FINAL,
    FULL,
    MATRICES,
    PARTS,
    REARRANGED,
    STACKED,
    architecture_of,
    pool_of,
)
from verify.point_hypotheses import DIFFERENTIABLE, FLOW_SELECTION

AT_A_KINK = (
    "a ReLU neuron whose preactivation stays $0$ on an example counts as active, but the flow may "
    "give it the slope $0$ there: its in-weights then rest while the weights that leave an active "
    "neuron beside it move along its own, so only the right Gram matrix changes"
)
NO_ARRANGEMENT = (
    "what leaves the convolution are the weights of $Y$ and $Z$, not those of $U$: with the "
    "entries of $U$ in $W_2$ no order of them makes $W_2^\\top W_2$ follow $W_1W_1^\\top$"
)
LEAST = (
    r"sum of squares of the entries of $\frac{d}{dt}\big[W_2^\top W_2-W_1W_1^\top\big]$, the least "
    r"over all rearrangements $W_2$ of $[U\ \ Z]$,"
)


def _active_claims(item: str) -> tuple[Claim, Claim]:
    """An item on active neurons as printed, and at points of differentiability."""
    name = PARTS.get(item, f"thm1-{item}")
    supposed = (architecture_of((item,)), active(), *COMMON)
    printed = Claim(
        f"lj22.{name}@A",
        Kind.LAW,
        final(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6): {TITLES[item]}",
        FINAL + MATRICES[item] + ".",
        (*supposed, FLOW_SELECTION),
        ("lj22.ass1", "lj22.ass3", "lj22.def6@A", "lj22.lemma2b@A"),
        measure=gram_rate,
        pool=pool_of((item,), dormant=0.4),
        reading="A",
        reading_text=ACT_WORDS,
        why=AT_A_KINK,
    )
    repaired = Claim(
        f"lj22.{name}@A.fix",
        Kind.LAW,
        final(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6) where differentiable: {TITLES[item]}",
        printed.statement + AT_GRADIENTS,
        (*supposed, DIFFERENTIABLE, FLOW_SELECTION),
        ("lj22.ass1", "lj22.ass3", "lj22.def6@A", "lj22.lemma2b@A.fix"),
        measure=gram_rate,
        pool=pool_of((item,)),
        reading="A",
        reading_text=ACT_WORDS,
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


def _item6_claims(version: str) -> tuple[Claim, Claim]:
    """Item 6 in the final (lj22) or the earlier version (lj22v1): with the most favourable
    rearrangement of [U Z], and with Y over Z in its place."""
    later = version == "lj22"
    linear = (LINEAR_BETWEEN,) if later else ()
    where = (final if later else earlier)("Theorem 1, item 6, (6)")
    text = FINAL + MATRICES["6"] if later else f"{EARLIER}{MATRICES['6']} ({FULL})"
    printed = Claim(
        f"{version}.thm1-6",
        Kind.LAW,
        where,
        f"matrix invariance (6): {TITLES['6']}",
        f"{text}.",
        (architecture_of(("6",)), *linear, *COMMON, FLOW_SELECTION),
        ("lj22.ass1", "lj22.ass3", "lj22.def5", "lj22.lemma9"),
        measure=best_bijection,
        pool=pool_of(("6",), linear=later),
        exact_only=True,
        quantity=LEAST,
        why=NO_ARRANGEMENT,
    )
    repaired = replace(
        printed,
        id=f"{printed.id}.fix",
        title=f"matrix invariance (6), with Y over Z: {TITLES['6']}",
        statement=f"{text.replace(REARRANGED, STACKED)}."
        + ("" if later else " For linear shared neurons."),
        hypotheses=(architecture_of(("6",)), LINEAR_BETWEEN, *COMMON, FLOW_SELECTION),
        measure=gram_rate,
        pool=pool_of(("6",), linear=True),
        repairs=printed.id,
        exact_only=False,
        expanded=True,
        proof=linear_channels,
        quantity="",
        why="",
    )
    return printed, repaired


CLAIMS = (
    *(claim for item in ("1", "3", "4", "7a", "7b") for claim in _active_claims(item)),
    *(_linear_claim(item) for item in ("2", "5")),
    *(claim for version in ("lj22", "lj22v1") for claim in _item6_claims(version)),
)
