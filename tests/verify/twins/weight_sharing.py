"""Twins of the statements on convolutional neurons, from the print: Definition 12 and Lemma 9, of
the earlier version Definition 11 and Lemma 8."""

from __future__ import annotations

from collections.abc import Callable

from lemmata import (
    Chosen,
    Count,
    Each,
    Filter,
    Fold,
    Map,
    Prod,
    Rate,
    Some,
    Sum,
    When,
    card,
    distinct,
    edge,
    element,
    examples,
    floor,
    head,
    inputs,
    intersection,
    into,
    item,
    learnable,
    list_,
    loss_slope,
    out_of,
    outputs,
    paths_to,
    tail,
    tuple_,
    union,
    upto,
    users,
    w,
    x,
    y,
)
from verify.language.terms import Term

# v_{j,k} is V[k][j]. N, T: channels and windows of the next convolution: at its position j the e-th
# entry of the filter lies on the position T[j][e] of a channel, on the padding where this is 0.
# C: the neurons of the next dense layer.
organisation, next_channels = Chosen("V", "seq[seq[vertex]]"), Chosen("N", "seq[seq[vertex]]")
next_windows, next_layer = Chosen("T", "seq[seq[int]]"), Chosen("C", "seq[vertex]")
positions = upto(card(organisation[1]))


def parameter(e: Term) -> Term:
    """The edges with the parameter of this one, which stand for it; a fixed weight has one edge."""
    return When(learnable(e), users(e), list_(e))


def sharing(e: Term, f: Term) -> Term:
    """The two weights are one parameter."""
    return element(f, parameter(e))


def pairs(at: Callable[[Term], Term], likewise: Callable[[Term, Term], Term]) -> Term:
    """The pairs of parameters that are met at every position, each once. at: the edges of a neuron
    on one side; likewise: the edge to or from the same neighbour, but of another neuron."""
    one, two = organisation[1], organisation[2]

    def everywhere(e: Term) -> Term:
        return Each(
            positions,
            lambda j: Some(
                at(one[j]),
                lambda f: sharing(e, f) & sharing(likewise(e, two[1]), likewise(f, two[j])),
            ),
        )

    return distinct(
        Map(
            Filter(at(one[1]), everywhere),
            lambda e: tuple_(parameter(e), parameter(likewise(e, two[1]))),
        )
    )


w_in = pairs(into, lambda e, v: edge(tail(e), v))
w_out = pairs(out_of, lambda e, v: edge(v, head(e)))


def same(some: Term, others: Term) -> Term:
    """The two lists are one set."""
    return Each(some, lambda u: element(u, others)) & Each(others, lambda u: element(u, some))


# Definition 12 says can be organised. In an array of c rows and l columns all of a row share their
# input weights and all of a column have the same neighbours; both are equivalences. So there is one
# exactly if each class R of the first is r rows, each class Q of the second q columns, and r q
# neurons are in both: |R| = r l, |Q| = q c, |R and Q| = r q.
neurons = Fold(organisation, organisation[1], lambda some, channel: union(some, channel))
channel_count, per_channel = card(organisation), card(neurons) / card(organisation)


def alike(u: Term, v: Term) -> Term:
    """(52): there is a bijection of equal parameters where each occurs as often."""
    return (card(into(u)) == card(into(v))) & Each(
        into(u),
        lambda e: (
            Count(into(u), lambda f: sharing(e, f)) == Count(into(v), lambda f: sharing(e, f))
        ),
    )


def neighbours(u: Term, v: Term) -> Term:
    """(53)."""
    return same(Map(into(u), tail), Map(into(v), tail)) & same(
        Map(out_of(u), head), Map(out_of(v), head)
    )


def fitting(rows: Term, columns: Term) -> Term:
    """The classes of two neurons."""
    return (
        (floor(card(rows) / per_channel) * per_channel == card(rows))
        & (floor(card(columns) / channel_count) * channel_count == card(columns))
        & (card(intersection(rows, columns)) * card(neurons) == card(rows) * card(columns))
    )


can_be_organised = Each(
    neurons,
    lambda u: Each(
        neurons,
        lambda v: fitting(
            Filter(neurons, lambda t: alike(u, t)), Filter(neurons, lambda t: neighbours(v, t))
        ),
    ),
)


# (56): an entry of T2 is the parameter of the edge of any position at which it lies on the input;
# one that never does is the parameter of none, and in no pair. (57): W has an own weight for each.
def kernel_pair(channel: Term, entry: Term, j: Term) -> Term:
    place = next_windows[j][entry]
    return tuple_(
        parameter(edge(organisation[1][place], channel[j])),
        parameter(edge(organisation[2][place], channel[j])),
    )


def some_entry(channel: Term, entry: Term, holds: Callable[[Term], Term]) -> Term:
    """Whether the entry lies on the input somewhere, and then what is said of its pair."""
    return Some(
        upto(card(next_windows)),
        lambda j: (next_windows[j][entry] > 0) & holds(kernel_pair(channel, entry, j)),
    )


filter_entries = upto(card(next_windows[1]))
pairs_of_convolution = Each(
    next_channels,
    lambda n: Each(filter_entries, lambda e: some_entry(n, e, lambda p: element(p, w_out))),
) & Each(
    w_out,
    lambda q: Some(
        next_channels,
        lambda n: Some(filter_entries, lambda e: some_entry(n, e, lambda p: p == q)),
    ),
)


def dense_pair(j: Term, c: Term) -> Term:
    return tuple_(parameter(edge(organisation[1][j], c)), parameter(edge(organisation[2][j], c)))


pairs_of_dense_layer = Each(
    next_layer, lambda c: Each(positions, lambda j: element(dense_pair(j, c), w_out))
) & Each(
    w_out,
    lambda q: Some(next_layer, lambda c: Some(positions, lambda j: dense_pair(j, c) == q)),
)


# (54), (60), (61): the sums over pairs of parameters, and over the paths from I to the one neuron
# of a position and from the other one to o.
def signed(value: Term) -> Term:
    return value


def absolute(value: Term) -> Term:
    return When(value >= 0, value, -value)


def moving(some_pairs: Term, of: Callable[[Term], Term]) -> Term:
    return Rate(Sum(some_pairs, lambda p: of(w(item(p, 1)[1]) * w(item(p, 2)[1]))))


def from_inputs(v: Term) -> Term:
    return Filter(paths_to(v), lambda p: (card(p) > 0) & element(tail(p[1]), inputs()))


def to_output(v: Term) -> Term:
    return Filter(paths_to(outputs()[1]), lambda p: (card(p) > 0) & (tail(p[1]) == v))


def jagged(arriving: Term, leaving: Term, i: Term, of: Callable[[Term], Term]) -> Term:
    """The sum of d over the paths from I to one neuron and from another one to o, on an example."""
    return Sum(
        from_inputs(arriving),
        lambda p: Sum(
            to_output(leaving),
            lambda q: (
                loss_slope(i)
                * y(i)
                * x(tail(p[1]), i)
                * Prod(p, lambda e: of(w(e)))
                * Prod(q, lambda e: of(w(e)))
            ),
        ),
    )


def along_paths(of: Callable[[Term], Term]) -> Term:
    one, two = organisation[1], organisation[2]
    total = Sum(
        positions,
        lambda j: Sum(
            examples(),
            lambda i: jagged(one[j], two[j], i, of) + jagged(two[j], one[j], i, of),
        ),
    )
    return total / card(examples())


TWINS: dict[str, Term] = {
    "lj22.def12": can_be_organised,
    "lj22.lemma9": moving(w_in, signed) == moving(w_out, signed),
    "lj22.lemma9-56": pairs_of_convolution,
    "lj22.lemma9-57": pairs_of_dense_layer,
    "lj22.lemma9-60.in@A": moving(w_in, signed) == along_paths(signed),
    "lj22.lemma9-60.out@A": moving(w_out, signed) == along_paths(signed),
    "lj22v1.lemma8": moving(w_in, absolute) == moving(w_out, absolute),
    "lj22v1.lemma8.53": moving(w_in, absolute) == along_paths(absolute),
    "lj22v1.lemma8.54": moving(w_out, absolute) == along_paths(absolute),
}
APART = {
    "lj22.lemma9-56": "An entry of the filter of T2 that lies on the padding at every position is "
    "in a pair on the right of (56), where k1 and k2 are any, but in none of w_OUT: there the twin "
    "is false and the first term true.",
    "lj22.def12": "Where the layer has more than six neurons the first term has no value, the twin "
    "one that may be false; where both have values they agree.",
}
