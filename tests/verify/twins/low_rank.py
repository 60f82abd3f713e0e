"""Twins of Theorem 2, Corollary 1 and the lemmas on the flow of the last layers, from the print. A
case of a limit is a solution: a ray s(t) w, s to infinity, or a point of rest; the term is asked
of w. On a ray a difference of squared norms grows with s^2, so it is bounded by a D if it is at
most 0; quotients of norms and singular vectors stay as they are."""

from __future__ import annotations

from collections.abc import Callable

from lemmata import (
    Chosen,
    Count,
    Each,
    Let,
    Prod,
    Rate,
    Some,
    When,
    above,
    beside,
    between,
    card,
    ceil,
    cols,
    concat,
    edge,
    edges,
    frob2,
    implies,
    larger,
    matrix,
    norm,
    rank,
    rows,
    slope_left,
    slope_right,
    smaller,
    upto,
    w,
)
from tests.verify.twins.convolutions import Weigh, filter_entry, signed
from verify.language.terms import Term

# The i-th layer leads from L[i] to L[i + 1]; W numbers the layers behind eta, Fin the last one. The
# inner neurons of a block are M[i]. The channels of the input of a convolution are P[i] and its own
# Q[i], lists of positions, the windows F[i]. Where a layer is none of these, its lists are empty.
layers, numbers = Chosen("L", "seq[seq[vertex]]"), Chosen("W", "seq[int]")
inner, windows = Chosen("M", "seq[seq[vertex]]"), Chosen("F", "seq[seq[seq[int]]]")
channels_of_input = Chosen("P", "seq[seq[seq[vertex]]]")
channels = Chosen("Q", "seq[seq[seq[vertex]]]")


def absolute(e: Term) -> Term:
    return abs(w(e))


def leading(sources: Term, targets: Term, weigh: Weigh = signed) -> Term:
    """The matrix of the weights from the sources to the targets."""
    return matrix(card(targets), card(sources), lambda r, s: weigh(edge(sources[s], targets[r])))


def is_convolution(i: Term) -> Term:
    return card(windows[i]) > 0


def is_block(i: Term) -> Term:
    return card(inner[i]) > 0


def filter_size(i: Term) -> Term:
    return card(windows[i][1])


def flattened(i: Term, weigh: Weigh) -> Term:
    """A convolution as a x (b c): a row for each input channel, a column for each channel and entry
    of the filter."""

    def weight_at(a: Term, column: Term) -> Term:
        channel = ceil(column / filter_size(i))
        entry = column - filter_size(i) * (channel - 1)
        source, target = channels_of_input[i][a], channels[i][channel]
        return filter_entry(source, target, windows[i], entry, weigh)

    return matrix(card(channels_of_input[i]), filter_size(i) * card(channels[i]), weight_at)


def representation(i: Term, weigh: Weigh = signed) -> Term:
    """Definition 8: of a block [U Z]."""
    return When(
        is_convolution(i),
        flattened(i, weigh),
        leading(concat(inner[i], layers[i]), layers[i + 1], weigh),
    )


# Theorem 2 ---------------------------------------------------------------------------------------
last = card(numbers)
convolutions = Count(numbers, is_convolution)
others = last - 1 - convolutions
tail_layers = upto(last - 1)


def blocks_behind(j: Term) -> Term:
    return Count(between(j + 1, last - 1), is_block)


def v_c(j: Term) -> Term:
    return When(
        j <= others,
        Let(representation(others + 1), lambda following: larger(rows(following), cols(following)))
        * Prod(
            between(j + 1, others),
            lambda k: When(
                is_convolution(k), smaller(card(channels_of_input[k]), filter_size(k)), 1
            ),
        ),
        1,
    )


def bound(j: Term) -> Term:
    return 8 ** blocks_behind(j) * v_c(j)


def bounded_difference(weigh: Weigh) -> Term:
    """(13)."""
    return Each(
        tail_layers,
        lambda j: Let(
            representation(j, weigh),
            lambda matrix_: frob2(matrix_) / bound(j) - norm(matrix_) ** 2 <= 0,
        ),
    )


def ratio_bounds(j: Term) -> Term:
    """(14), of a layer whose norm diverges: on a ray, one that is not 0."""

    def between_bounds(matrix_: Term) -> Term:
        ratio = norm(matrix_) ** 2 / frob2(matrix_)
        return implies(
            frob2(matrix_) > 0,
            (1 / smaller(rank(matrix_), bound(j)) <= ratio) & (ratio <= 1),
        )

    return Let(representation(j), between_bounds)


def last_dense_layers(holds: Callable[[Term], Term]) -> Term:
    """Each fully-connected layer j with N_r(j) = 0 and V_c(j) = 1, if its norm diverges."""
    return Each(
        tail_layers,
        lambda j: implies(
            ~is_convolution(j)
            & ~is_block(j)
            & (blocks_behind(j) == 0)
            & (v_c(j) == 1)
            & (frob2(representation(j)) > 0),
            holds(j),
        ),
    )


def one_rank(matrix_: Term) -> Term:
    """(15a): |W / |W|_F - u v^T|_F^2 = 2 - 2 |W|_2 / |W|_F, which is 0 if the rank is 1."""
    return rank(matrix_) == 1


def aligned(matrix_: Term, following: Term) -> Term:
    """(15b): u_j and v_{j+1} can be chosen as one vector exactly if |W_{j+1} W_j x| comes up to
    |W_{j+1}| |W_j| for some unit vector x, which is then v_j."""
    return norm(following @ matrix_) ** 2 == norm(following) ** 2 * norm(matrix_) ** 2


# Lemma 10 of the earlier version, and a remark of the proof -------------------------------------
def shuffled(i: Term) -> tuple[Term, Term]:
    """A = [U Z] and B = Y over Z of a block."""
    y, z = leading(layers[i], inner[i]), leading(layers[i], layers[i + 1])
    return beside(leading(inner[i], layers[i + 1]), z), above(y, z)


def of_blocks(holds: Callable[[Term, Term], Term]) -> Term:
    return Each(numbers, lambda i: implies(is_block(i), holds(*shuffled(i))))


# Corollary 1 -------------------------------------------------------------------------------------
dense_count = card(layers) - 1


def dense(j: Term, weigh: Weigh = signed) -> Term:
    return leading(layers[j], layers[j + 1], weigh)


def is_last_linear(j: Term) -> Term:
    """Whether it is one of the last K layers, which are linear."""
    return Each(
        between(j, dense_count),
        lambda i: Each(layers[i + 1], lambda v: slope_left(v) == slope_right(v)),
    )


def equation_15(of: Callable[[Term], Term], weigh: Weigh = signed) -> Term:
    """(15) for the layers of which it is said."""

    def holds(j: Term) -> Term:
        neighbours = implies(j < dense_count, aligned(dense(j, weigh), dense(j + 1, weigh)))
        return one_rank(dense(j, weigh)) & neighbours

    return Each(upto(dense_count), lambda j: implies(of(j), holds(j)))


def every_layer(holds: Callable[[Term], Term]) -> Term:
    return Each(upto(dense_count), lambda j: holds(dense(j)))


TWINS: dict[str, Term] = {
    "lj22.thm2-13@A": bounded_difference(signed),
    "lj22.thm2-14@AB": Each(tail_layers, ratio_bounds),
    "lj22v1.thm2-13@A": bounded_difference(signed),
    "lj22v1.thm2-14@AB": Each(tail_layers, ratio_bounds),
    "lj22v1.thm2-15.rank-one@AA": last_dense_layers(lambda j: one_rank(representation(j))),
    "lj22v1.thm2-15.alignment@AA": last_dense_layers(
        lambda j: aligned(representation(j), representation(j + 1))
    ),
    "lj22v1.abs.thm2-13@A": bounded_difference(absolute),
    "lj22v1.lemma10.flow": of_blocks(lambda a, b: norm(b) ** 2 >= norm(a) ** 2 / 8),
    "lj22.thm2-83.b": of_blocks(lambda a, b: frob2(a) == frob2(b)),
    "lj22.cor1": equation_15(is_last_linear),
    "lj22.cor1-div": Some(edges(), lambda e: Rate(w(e)) != 0),
    "lj22.cor1-sum.divergence": every_layer(lambda m: Rate(frob2(m)) > 0),
    "lj22.cor1-sum.domination": every_layer(one_rank),
    "lj22.cor1-sum.bounded": every_layer(lambda m: implies(Rate(frob2(m)) != 0, rank(m) <= 1)),
    "lj22v1.cor1": equation_15(lambda j: j <= dense_count),
    "lj22v1.abs.cor1@A": equation_15(lambda j: j <= dense_count, absolute),
}
