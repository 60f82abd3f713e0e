"""Theorem 1: the Gram matrices of two adjacent layers change alike, on active neurons."""

from collections.abc import Callable

from verify.core.claim import Claim, Kind
from verify.language.building import (
    Filter,
    Rate,
    Some,
    Sum,
    card,
    edges,
    element,
    floor,
    head,
    implies,
    orders,
    upto,
)
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.lj22.channel_law_proofs import channel_law
from verify.papers.lj22.items import TITLES
from verify.papers.lj22.layer_law_proofs import matrix_law
from verify.papers.lj22.layers import arriving_channels, at_pairs, product
from verify.papers.lj22.sources import earlier, final
from verify.papers.lj22.suppositions import CONVOLVED, C, S, Supposed, V, X
from verify.papers.lj22.theorem1 import (
    ACT_WORDS,
    AT_GRADIENTS,
    EARLIER,
    FINAL,
    FULL,
    MATRICES,
    PARTS,
    REARRANGED,
    STACKED,
    law,
    pool_of,
    supposed_of,
)
from verify.statements.mending import mended
from verify.statements.network_hypotheses import DIFFERENTIABLE, FLOW_SELECTION
from verify.statements.stated import stated

AT_A_KINK = (
    "a ReLU neuron whose preactivation stays $0$ on an example counts as active, but the flow may "
    "give it the slope $0$ there: its in-weights then rest while the weights that leave an active "
    "neuron beside it move along its own, so only the right Gram matrix changes"
)
NO_ARRANGEMENT = (
    "what leaves the convolution are the weights of $Y$ and $Z$, not those of $U$: with the "
    "entries of $U$ in $W_2$ no order of them makes $W_2^\\top W_2$ follow $W_1W_1^\\top$"
)


def _rearranged() -> Term:
    """(6) for some order of the entries of [U Z] as the rows of W_2, one behind the other."""
    channels = card(V)

    def second(order: Term, p: Term, q: Term) -> Term:
        return Sum(
            upto(floor(card(order) / channels)),
            lambda i: product(order[(i - 1) * channels + p], order[(i - 1) * channels + q]),
        )

    def follows(order: Term) -> Term:
        return at_pairs(
            upto(channels),
            lambda p, q: Rate(second(order, p, q)) == Rate(arriving_channels(X, S, V[p], V[q])),
        )

    entries = Filter(edges(), lambda e: element(head(e), C))
    fills = card(entries) % channels == 0
    return implies(fills, Some(orders(entries), follows))


REARRANGED_LAW = _rearranged()


def law_proof(item: str) -> Callable[[Proof], None]:
    """The proof of an item, with a convolution or without."""
    return channel_law(item) if item in CONVOLVED else matrix_law(item)


def _active_claims(item: str) -> tuple[Claim, Claim]:
    """An item on active neurons as printed, and at points of differentiability."""
    name = PARTS.get(item, f"thm1-{item}")
    supposed = supposed_of((item,), Supposed((item,)).active())
    says = law((item,), active=True)
    printed = stated(
        f"lj22.{name}@A",
        final(f"Theorem 1, item {item[0]}, (6)"),
        f"matrix invariance (6): {TITLES[item]}",
        FINAL + MATRICES[item] + ".",
        says,
        (*supposed, FLOW_SELECTION),
        kind=Kind.LAW,
        depends=("lj22.ass1", "lj22.ass3", "lj22.def6@A", "lj22.lemma2b@A"),
        pool=pool_of((item,), dormant=0.4),
        reading="A",
        reading_text=ACT_WORDS,
        why=AT_A_KINK,
    )
    repaired = mended(
        printed,
        f"matrix invariance (6) where differentiable: {TITLES[item]}",
        printed.statement + AT_GRADIENTS,
        says,
        (*supposed, DIFFERENTIABLE),
        depends=("lj22.ass1", "lj22.ass3", "lj22.def6@A", "lj22.lemma2b@A.fix"),
        pool=pool_of((item,)),
        proofs=[law_proof(item)],
    )
    return printed, repaired


def _linear_claim(item: str) -> Claim:
    """An item whose shared neurons are those of a linear convolution."""
    says = law((item,))
    return stated(
        f"lj22.thm1-{item}",
        final(f"Theorem 1, item {item}, (6)"),
        f"matrix invariance (6): {TITLES[item]}",
        FINAL + MATRICES[item] + ". (All convolutional layers are linear.)",
        says,
        (*supposed_of((item,), Supposed((item,)).linear), FLOW_SELECTION),
        kind=Kind.LAW,
        depends=("lj22.ass1", "lj22.ass3", "lj22.def11", "lj22.def12", "lj22.lemma9"),
        pool=pool_of((item,), linear=True),
        proofs=[law_proof(item)],
    )


def _item6_claims(version: str) -> tuple[Claim, Claim]:
    """Item 6 in the final (lj22) or the earlier version (lj22v1): with the most favourable
    rearrangement of [U Z], and with Y over Z in its place."""
    later = version == "lj22"
    supposed = Supposed(("6",))
    where = (final if later else earlier)("Theorem 1, item 6, (6)")
    text = FINAL + MATRICES["6"] if later else f"{EARLIER}{MATRICES['6']} ({FULL})"
    printed = stated(
        f"{version}.thm1-6",
        where,
        f"matrix invariance (6): {TITLES['6']}",
        f"{text}.",
        REARRANGED_LAW,
        (*supposed_of(("6",), *([supposed.linear] if later else [])), FLOW_SELECTION),
        kind=Kind.LAW,
        depends=("lj22.ass1", "lj22.ass3", "lj22.def5", "lj22.lemma9"),
        pool=pool_of(("6",), linear=later),
        why=NO_ARRANGEMENT,
    )
    repaired = mended(
        printed,
        f"matrix invariance (6), with Y over Z: {TITLES['6']}",
        f"{text.replace(REARRANGED, STACKED)}." + ("" if later else " For linear shared neurons."),
        law(("6",)),
        (*supposed_of(("6",), supposed.linear), FLOW_SELECTION),
        pool=pool_of(("6",), linear=True),
        proofs=[law_proof("6")],
    )
    return printed, repaired


CLAIMS = (
    *(claim for item in ("1", "3", "4", "7a", "7b") for claim in _active_claims(item)),
    *(_linear_claim(item) for item in ("2", "5")),
    *(claim for version in ("lj22", "lj22v1") for claim in _item6_claims(version)),
)
