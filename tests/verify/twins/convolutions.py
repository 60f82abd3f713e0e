"""The weights of a convolution in the network of a case, for the twins of statements on them."""

from __future__ import annotations

from collections.abc import Callable

from lemmata import Filter, Let, When, card, edge, upto, w
from verify.language.terms import Term

Weigh = Callable[[Term], Term]


def signed(e: Term) -> Term:
    """The weight of an edge, in the place of |w|."""
    return w(e)


def filter_entry(source: Term, target: Term, window: Term, entry: Term, weigh: Weigh) -> Term:
    """An entry of the filter from one channel to another, lists of positions: window[j][entry] is
    the position in the source on which it lies at the position j of the target, 0 for the padding.
    An entry that never lies on the input is no weight of the network: 0."""
    return Let(
        Filter(upto(card(window)), lambda j: window[j][entry] > 0),
        lambda used: When(
            card(used) == 0, 0, weigh(edge(source[window[used[1]][entry]], target[used[1]]))
        ),
    )
