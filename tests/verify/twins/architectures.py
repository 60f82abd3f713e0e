"""Twins of the hypotheses of LJ22 on where matrices lie in a network: Theorems 1 and 2, Lemma 9 and
Corollary 1. A case names the neurons in lists, of which the sample cases show the meaning."""

from __future__ import annotations

from collections.abc import Callable

from tests.verify.twins.invariances import ACTIVE, BEFORE, BEHIND
from tests.verify.twins.section2 import (
    equal_neighbourhoods,
    heads,
    is_linear,
    is_relu,
    own_weight,
    same_set,
    tails,
    the_output,
)
from verify.language.building import (
    Chosen,
    Count,
    Each,
    Filter,
    Map,
    Some,
    When,
    card,
    edge,
    element,
    examples,
    implies,
    inputs,
    into,
    learnable,
    out_of,
    outputs,
    tail,
    union,
    upto,
    users,
    vertices,
    z,
)
from verify.language.terms import Term

Says = Callable[[Term], Term]

# Dense layers and blocks: V_1 is A, V_2 is B, V_3 is C. A block before has its inner neurons in G,
# a block behind in H.
SHARED = Chosen("B", "seq[vertex]")
INNER_BEFORE, INNER_BEHIND = Chosen("G", "seq[vertex]"), Chosen("H", "seq[vertex]")
# Convolutions: V[k][j] is the neuron of channel k at position j. It reads, of each input channel
# X[i], the positions S[j]; 0 is the padding. N and T are the same for a convolution behind.
CHANNELS, FROM = Chosen("V", "seq[seq[vertex]]"), Chosen("X", "seq[seq[vertex]]")
READS = Chosen("S", "seq[seq[int]]")
NEXT, NEXT_READS = Chosen("N", "seq[seq[vertex]]"), Chosen("T", "seq[seq[int]]")


# Theorem 1: dense layers and blocks ---------------------------------------------------------------
def between(before: Term, behind: Term) -> Term:
    """In-edges exactly from there, out-edges exactly to there."""
    return Each(SHARED, lambda v: same_set(tails(v), before) & same_set(heads(v), behind))


def matrices_learnable(before: Term, behind: Term) -> Term:
    return Each(
        SHARED,
        lambda v: (
            Each(before, lambda a: learnable(edge(a, v)))
            & Each(behind, lambda c: learnable(edge(v, c)))
        ),
    )


DENSE = (BEFORE, BEHIND)
BLOCK_BLOCK = (union(BEFORE, INNER_BEFORE), union(INNER_BEHIND, BEHIND))
BLOCK_DENSE = (union(BEFORE, INNER_BEFORE), BEHIND)
DENSE_BLOCK = (BEFORE, union(INNER_BEHIND, BEHIND))
ALWAYS_ACTIVE = Each(
    ACTIVE,
    lambda v: (
        element(v, SHARED)
        & (is_linear(v) | (is_relu(v) & Each(examples(), lambda j: z(v, j) >= 0)))
    ),
)


# Convolutions (Definitions 11 and 12) -------------------------------------------------------------
def channel_neurons(channels: Term, says: Says) -> Term:
    return Each(channels, lambda channel: Each(channel, says))


def reads(before: Term, places: Term, v: Term) -> Term:
    """The in-edges of v come exactly from these places of each channel."""
    inside = Filter(places, lambda s: s >= 1)
    return Each(
        into(v),
        lambda e: Some(before, lambda some: Some(inside, lambda s: tail(e) == some[s])),
    ) & Each(
        before,
        lambda some: Each(inside, lambda s: Some(into(v), lambda e: tail(e) == some[s])),
    )


def one_parameter(channel: Term, places: Term, some: Term, b: Term, j: Term) -> Term:
    """The weight of channel[j] at the b-th place it reads of an input channel is that of each
    neuron of its channel there, and no other's: an entry of the tensor of free parameters."""
    at_b = Filter(upto(card(places)), lambda m: places[m][b] >= 1)
    return same_set(
        users(edge(some[places[j][b]], channel[j])),
        Map(at_b, lambda m: edge(some[places[m][b]], channel[m])),
    )


def convolution(before: Term, places: Term, behind: Term) -> Term:
    def neuron(channel: Term, j: Term) -> Term:
        return reads(before, places[j], channel[j]) & Each(
            upto(card(places[j])),
            lambda b: Each(
                before,
                lambda some: implies(places[j][b] >= 1, one_parameter(channel, places, some, b, j)),
            ),
        )

    return Each(
        behind,
        lambda channel: (
            (card(channel) == card(places)) & Each(upto(card(places)), lambda j: neuron(channel, j))
        ),
    )


FIRST = convolution(FROM, READS, CHANNELS)
CONVOLUTION_CONVOLUTION = (
    FIRST
    & convolution(CHANNELS, NEXT_READS, NEXT)
    & channel_neurons(
        CHANNELS,
        lambda v: Each(heads(v), lambda u: Some(NEXT, lambda some: element(u, some))),
    )
)
CONVOLUTION_DENSE = FIRST & channel_neurons(CHANNELS, lambda v: same_set(heads(v), BEHIND))
CONVOLUTION_BLOCK = FIRST & channel_neurons(
    CHANNELS, lambda v: same_set(heads(v), union(INNER_BEHIND, BEHIND))
)
TWO_CHANNELS = card(CHANNELS) == 2
BEHIND_OR = When(card(NEXT) > 0, CONVOLUTION_CONVOLUTION, CONVOLUTION_BLOCK)


def share_weights(v: Term, other: Term) -> Term:
    """A bijection of IN_v to IN_other keeps the parameter: each stands as often at both."""
    return (card(into(v)) == card(into(other))) & Each(
        into(v),
        lambda e: (
            Count(into(v), lambda f: element(f, users(e)))
            == Count(into(other), lambda f: element(f, users(e)))
        ),
    )


ORGANISATION = Each(
    CHANNELS,
    lambda channel: Each(channel, lambda v: Each(channel, lambda u: share_weights(v, u))),
) & Each(
    CHANNELS,
    lambda one: Each(
        CHANNELS,
        lambda other: (
            (card(one) == card(other))
            & Each(upto(card(one)), lambda j: equal_neighbourhoods(one[j], other[j]))
        ),
    ),
)
NEURONS_LEARNABLE = channel_neurons(
    CHANNELS, lambda v: Each(into(v), learnable) & Each(out_of(v), learnable)
)
LINEAR_BETWEEN = channel_neurons(CHANNELS, is_linear)

# Theorem 2: L[1] are the outputs of eta, L[k + 1] those of layer k. A convolution has F[k], P[k],
# Q[k] for S, X, V above, a block its inner neurons M[k].
LAYERS = Chosen("L", "seq[seq[vertex]]")
INNER = Chosen("M", "seq[seq[vertex]]")
FILTERS = Chosen("F", "seq[seq[seq[int]]]")
INTO, OUT_OF = (Chosen(name, "seq[seq[seq[vertex]]]") for name in ("P", "Q"))
FIN = card(LAYERS) - 1


def made_of(channels: Term, some: Term) -> Term:
    """Whether channels have exactly these neurons."""
    return channel_neurons(channels, lambda v: element(v, some)) & Each(
        some, lambda v: Some(channels, lambda channel: element(v, channel))
    )


def is_convolution(k: Term) -> Term:
    return card(FILTERS[k]) > 0


def is_block(k: Term) -> Term:
    return card(INNER[k]) > 0


def structure(k: Term) -> Term:
    """A convolution, a ResNetFree block or a fully-connected layer, with weights to learn."""
    before, neurons, inner = LAYERS[k], LAYERS[k + 1], INNER[k]
    convolved = (
        made_of(INTO[k], before)
        & made_of(OUT_OF[k], neurons)
        & convolution(INTO[k], FILTERS[k], OUT_OF[k])
    )
    dense = (
        Each(inner, lambda v: same_set(tails(v), before) & same_set(heads(v), neurons))
        & Each(neurons, lambda v: same_set(tails(v), union(before, inner)))
        & Each(union(inner, neurons), lambda v: Each(into(v), own_weight))
    )
    return When(is_convolution(k), convolved, dense)


def layers_of_theorem_2(linear: bool) -> Term:
    """K convolutions, M blocks or fully-connected layers, a linear row vector."""

    def layer(k: Term) -> Term:
        neurons = LAYERS[k + 1]
        goes_on = (k == FIN) | Each(
            neurons,
            lambda v: Each(heads(v), lambda u: element(u, union(INNER[k + 1], LAYERS[k + 2]))),
        )
        plain = structure(k) & goes_on & implies(is_convolution(k) & (k > 1), is_convolution(k - 1))
        return plain & Each(union(INNER[k], neurons), is_linear) if linear else plain

    last = LAYERS[FIN + 1]
    return (
        Each(upto(FIN), layer)
        & ~is_convolution(FIN)
        & ~is_block(FIN)
        & (card(last) == 1)
        & element(the_output(), last)
        & Each(last, is_linear)
    )


# Corollary 1: L is the partition of Definition 2 --------------------------------------------------
PARTITIONED = (
    Each(vertices(), lambda v: Count(LAYERS, lambda layer: element(v, layer)) == 1)
    & same_set(LAYERS[1], inputs())
    & same_set(LAYERS[FIN + 1], outputs())
    & Each(
        upto(FIN + 1),
        lambda i: Each(
            LAYERS[i],
            lambda u: When(
                i == FIN + 1,
                card(out_of(u)) == 0,
                same_set(heads(u), LAYERS[i + 1]),
            ),
        ),
    )
)
RELU_THEN_LINEAR = (
    PARTITIONED
    & Each(
        upto(FIN),
        lambda k: Each(LAYERS[k + 1], is_relu) | Each(LAYERS[k + 1], is_linear),
    )
    & Each(
        upto(FIN - 1),
        lambda k: implies(Each(LAYERS[k + 1], is_linear), Each(LAYERS[k + 2], is_linear)),
    )
)
HIDDEN_RELU = PARTITIONED & Each(upto(FIN - 1), lambda k: Each(LAYERS[k + 1], is_relu))
ARCHITECTURE = "architecture"
TWO = "convolution with two output channels"
BEHIND_ETA = "layers behind an arbitrary network"
LEARNABLE_NEURONS = "edges at the organisation learnable"

HYPOTHESES: dict[tuple[str, str], Term] = {
    ("lj22.thm1-1@A", ARCHITECTURE): between(*DENSE),
    ("lj22v1.thm1-3", ARCHITECTURE): between(*DENSE),
    ("lj22.thm1-4@A", ARCHITECTURE): between(*BLOCK_BLOCK),
    ("lj22.thm1-7.a@A", ARCHITECTURE): between(*BLOCK_DENSE),
    ("lj22.thm1-7.b@A", ARCHITECTURE): between(*DENSE_BLOCK),
    ("lj22v1.thm1-2", ARCHITECTURE): CONVOLUTION_CONVOLUTION,
    ("lj22v1.thm1-5", ARCHITECTURE): CONVOLUTION_DENSE,
    ("lj22.thm1-6", ARCHITECTURE): CONVOLUTION_BLOCK,
    ("lj22.thm1-1@A", "matrices learnable"): matrices_learnable(*DENSE),
    ("lj22.thm1-4@A", "matrices learnable"): matrices_learnable(*BLOCK_BLOCK),
    ("lj22.thm1-7.a@A", "matrices learnable"): matrices_learnable(*BLOCK_DENSE),
    ("lj22.thm1-1@A", "active"): ALWAYS_ACTIVE,
    ("lj22.thm1-3@A", "active"): ALWAYS_ACTIVE,
    ("lj22.lemma9", "convolutional neuron organisation"): ORGANISATION,
    ("lj22.lemma9", TWO): TWO_CHANNELS & BEHIND_OR,
    ("lj22.lemma9-56", TWO): TWO_CHANNELS & CONVOLUTION_CONVOLUTION,
    ("lj22.lemma9-57", TWO): TWO_CHANNELS & CONVOLUTION_DENSE,
    ("lj22.lemma9", LEARNABLE_NEURONS): NEURONS_LEARNABLE,
    ("lj22.lemma9", "linear between the two"): LINEAR_BETWEEN,
    ("lj22.thm1-6", "linear between the two"): LINEAR_BETWEEN,
    ("lj22.thm2-13@A", BEHIND_ETA): layers_of_theorem_2(linear=True),
    ("lj22v1.thm2-13@A", BEHIND_ETA): layers_of_theorem_2(linear=False),
    ("lj22.cor1", "ReLU, then linear"): RELU_THEN_LINEAR,
    ("lj22v1.cor1", "fully connected with ReLU"): HIDDEN_RELU,
}
# Cases of these claims too, as a claim's own ones all meet the hypothesis.
BORROWED: dict[tuple[str, str], tuple[str, ...]] = {
    ("lj22.thm2-13@A", BEHIND_ETA): ("lj22v1.thm2-13@A", "lj22.thm2-83.b"),
    ("lj22v1.thm2-13@A", BEHIND_ETA): ("lj22.thm2-83.b",),
    ("lj22.cor1", "ReLU, then linear"): ("lj22v1.cor1", "lj22v1.thm2-13@A"),
    ("lj22v1.cor1", "fully connected with ReLU"): ("lj22.cor1",),
}
APART = {
    (
        claim,
        BEHIND_ETA,
    ): "The words ask nothing of the weights of eta; the first term is not met where "
    "edges of eta share one outside of a convolution."
    for claim in ("lj22.thm2-13@A", "lj22v1.thm2-13@A")
}
