"""Twins of Theorem 1, of what follows from it, and of the earlier version's Theorem 1 with absolute
values, from the print. d/dt of (6) at a time is the equality of the two rates, entry by entry."""

from __future__ import annotations

from collections.abc import Callable

from lemmata import (
    Chosen,
    Each,
    Filter,
    Rate,
    Some,
    Sum,
    When,
    card,
    concat,
    edge,
    edges,
    element,
    floor,
    head,
    implies,
    orders,
    tail,
    upto,
    w,
)
from tests.verify.twins.convolutions import Weigh, filter_entry, signed
from verify.language.terms import Term

VERTICES, CHANNELS, WINDOWS = "seq[vertex]", "seq[seq[vertex]]", "seq[seq[int]]"

# Dense layers and blocks: from A (and the inner neurons G of a block) to B, on to C (and to the
# inner neurons H of the next block). I: those of B that are active.
before, inner_before = Chosen("A", VERTICES), Chosen("G", VERTICES)
middle, active = Chosen("B", VERTICES), Chosen("I", VERTICES)
behind, inner_behind = Chosen("C", VERTICES), Chosen("H", VERTICES)

# Convolutions: channels X of the input, V of the layer, N of the next one, each a list of its
# positions, and the windows S, T of the filters. K: the active channels of V.
input_channels, channels = Chosen("X", CHANNELS), Chosen("V", CHANNELS)
next_channels, active_channels = Chosen("N", CHANNELS), Chosen("K", CHANNELS)
windows, next_windows = Chosen("S", WINDOWS), Chosen("T", WINDOWS)

Gram = Callable[[Term, Term], Term]


def absolute(e: Term) -> Term:
    return When(w(e) >= 0, w(e), -w(e))


def rows_into(sources: Term, weigh: Weigh = signed) -> Gram:
    """Entries of W W^T, W from the sources to the neurons of which it is asked."""
    return lambda u, v: Sum(sources, lambda a: weigh(edge(a, u)) * weigh(edge(a, v)))


def columns_out(targets: Term, weigh: Weigh = signed) -> Gram:
    """Entries of W^T W, W from the neurons of which it is asked to the targets."""
    return lambda u, v: Sum(targets, lambda c: weigh(edge(u, c)) * weigh(edge(v, c)))


def kernel_rows(weigh: Weigh = signed) -> Gram:
    """Entries of W1 W1^T of a convolution, flattened to c x (a x b)."""
    return lambda k, m: Sum(
        input_channels,
        lambda a: Sum(
            upto(card(windows[1])),
            lambda b: filter_entry(a, k, windows, b, weigh) * filter_entry(a, m, windows, b, weigh),
        ),
    )


def kernel_columns(weigh: Weigh = signed) -> Gram:
    """Entries of W2^T W2 of the next convolution, flattened to (d x e) x c."""
    return lambda k, m: Sum(
        next_channels,
        lambda d: Sum(
            upto(card(next_windows[1])),
            lambda e: (
                filter_entry(k, d, next_windows, e, weigh)
                * filter_entry(m, d, next_windows, e, weigh)
            ),
        ),
    )


def columns_by_channel(targets: Term, weigh: Weigh = signed) -> Gram:
    """Entries of W2^T W2 of a dense layer, rearranged: column k has all that leaves channel k."""
    return lambda k, m: Sum(
        upto(card(windows)),
        lambda j: Sum(targets, lambda c: weigh(edge(k[j], c)) * weigh(edge(m[j], c))),
    )


def invariant(indices: Term, second: Gram, first: Gram) -> Term:
    """(6): W2^T W2 and W1 W1^T move alike, in the rows and columns with these indices."""
    return Each(indices, lambda u: Each(indices, lambda v: Rate(second(u, v)) == Rate(first(u, v))))


def all_items(neurons: Term, planes: Term, weigh: Weigh = signed) -> Term:
    """Whichever pair of layers the case has: the lists of the others are empty."""
    targets = concat(inner_behind, behind)
    dense = invariant(
        neurons, columns_out(targets, weigh), rows_into(concat(inner_before, before), weigh)
    )

    def second(k: Term, m: Term) -> Term:
        return When(
            card(next_channels) == 0,
            columns_by_channel(targets, weigh)(k, m),
            kernel_columns(weigh)(k, m),
        )

    return dense & invariant(planes, second, kernel_rows(weigh))


# Item 6 says a rearrangement of [U Z], not which, into rows of c. U leaves the inner neurons of the
# block, Z all neurons of the convolution. The trace of W2^T W2 is one for all rearrangements.
entries = Filter(
    edges(),
    lambda e: (
        element(head(e), behind)
        & (element(tail(e), inner_behind) | Some(channels, lambda k: element(tail(e), k)))
    ),
)
width = card(channels)
height = floor(card(entries) / width)


def rearranged(order: Term) -> Term:
    """(6) where the entries are put into W2 row by row, in this order."""

    def second(k: Term, m: Term) -> Term:
        return Sum(
            upto(height),
            lambda r: w(order[(r - 1) * width + k]) * w(order[(r - 1) * width + m]),
        )

    def first(k: Term, m: Term) -> Term:
        return kernel_rows()(channels[k], channels[m])

    return invariant(upto(width), second, first)


same_trace = Rate(Sum(entries, lambda e: w(e) ** 2)) == Rate(
    Sum(channels, lambda k: kernel_rows()(k, k))
)
item6 = implies(height * width == card(entries), same_trace & Some(orders(entries), rearranged))

# The other items. Of a residual block, r(x; U, Y, Z) = U s(Y x) + Z x: [U1 Z1] leads from the inner
# neurons and the input of the first one to its outputs, Y2 over Z2 from these to the inner neurons
# and the outputs of the second.
from_block, into_block = concat(inner_before, before), concat(inner_behind, behind)

TWINS: dict[str, Term] = {
    "lj22.thm1-3@A": invariant(active, columns_out(behind), rows_into(before)),
    "lj22.thm1-4@A": invariant(active, columns_out(into_block), rows_into(from_block)),
    "lj22.thm1-7.a@A": invariant(active, columns_out(behind), rows_into(from_block)),
    "lj22.thm1-7.b@A": invariant(active, columns_out(into_block), rows_into(before)),
    "lj22.thm1-6": item6,
    "lj22v1.thm1-6": item6,
    "lj22v1.thm1-1": invariant(middle, columns_out(behind), rows_into(before)),
    "lj22v1.thm1-2": invariant(channels, kernel_columns(), kernel_rows()),
    "lj22v1.thm1-3": invariant(middle, columns_out(behind), rows_into(before)),
    "lj22v1.thm1-4": invariant(middle, columns_out(into_block), rows_into(from_block)),
    "lj22v1.thm1-5": invariant(channels, columns_by_channel(behind), kernel_rows()),
    "lj22v1.thm1-7.a": invariant(middle, columns_out(behind), rows_into(from_block)),
    "lj22v1.thm1-7.b": invariant(middle, columns_out(into_block), rows_into(before)),
    "lj22v1.abs.thm1@A": all_items(middle, channels, absolute),
    "lj22.sig1.i@A": all_items(active, active_channels),
}
