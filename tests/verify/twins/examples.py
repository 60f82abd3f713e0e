"""Twins of the statements on sizes, of convolutions and of the bound of Theorem 2."""

from __future__ import annotations

from lemmata import Count, Prod, Sum, When, Whole, between, floor, larger, smaller, upto
from verify.language.terms import Term

# A convolution: d dimensions of side n with padding p, filters of side k, stride s, from a to c
# channels. Its graph has an edge where an entry of a filter lies on the input.
d, n, k, s = Whole("d", 1, 2), Whole("n", 1, 8), Whole("k", 1, 4), Whole("s", 1, 3)
p, a, c = Whole("p", 0, 2), Whole("a", 1, 2), Whole("c", 1, 2)
places = floor((n + 2 * p - k) / s) + 1


def inside(place: Term, entry: Term) -> Term:
    at = (place - 1) * s + entry - p
    return (at >= 1) & (at <= n)


neurons = c * places**d
edges = a * c * Sum(upto(places), lambda i: Count(upto(k), lambda e: inside(i, e))) ** d
parameters = a * c * k**d

# AlexNet: a filter has a place for each multiple of the stride up to n - k.
N, F, STRIDE, C = (Whole(name, 1, 224) for name in ("n", "k", "s", "c"))
printed = ((N - (F - STRIDE)) / STRIDE) ** 2
traversed = (floor((N - F) / STRIDE) + 1) ** 2

# Theorem 2's 8^N_r(j) V_c(j), by the sizes: K convolutions of a_i, b_i, c_i; then M layers from n_0
# over n_1 to n_2, blocks those whose bits are set, of q_i or r_i inner neurons; then Fin.
K, M, j, blocks = Whole("K", 0, 2), Whole("M", 0, 2), Whole("j", 1, 4), Whole("blocks", 0, 3)


def sizes(letter: str, first: int, largest: int) -> list[Term]:
    return [Whole(f"{letter}{i}", 1, largest) for i in range(first, 3)]


inputs, filters, outputs = sizes("a", 1, 200), sizes("b", 1, 200), sizes("c", 1, 200)
widths, inner, other_inner = sizes("n", 0, 6), sizes("q", 1, 6), sizes("r", 1, 6)


def of(values: list[Term], index: Term) -> Term:
    """One of the first two."""
    return When(index == 1, values[0], values[1])


def is_block(i: Term) -> Term:
    """Of the i-th layer behind the convolutions."""
    return When(i == 1, (blocks == 1) | (blocks == 3), blocks >= 2)


def largest_size(inside_blocks: list[Term]) -> Term:
    """max dim of the matrix of the layer M + 1: a convolution's is a x (b c), a block's [U Z]."""
    i = M + 1 - K
    before, behind = When(i == 1, widths[0], widths[1]), of(widths[1:], i)
    across = before + When(is_block(i), of(inside_blocks, i), 0)
    last = When(M == 0, widths[0], of(widths[1:], M))
    return When(
        M + 1 <= K,
        larger(of(inputs, M + 1), of(filters, M + 1) * of(outputs, M + 1)),
        When(i <= M, larger(behind, across), larger(1, last)),
    )


def bound(inside_blocks: list[Term]) -> Term:
    blocks_behind = Count(upto(M), lambda i: (K + i > j) & is_block(i))
    smallest = Prod(
        between(j + 1, M),
        lambda i: When(i <= K, smaller(of(inputs, i), of(filters, i)), 1),
    )
    return 8**blocks_behind * When(j <= M, largest_size(inside_blocks) * smallest, 1)


TWINS: dict[str, Term] = {
    "lj22.conv-count.a": (neurons > parameters) & (edges > parameters),
    "lj22.alexnet": (printed == traversed) & (C * printed == C * traversed),
    "lj22.sig3.i": bound(inner) == bound(other_inner),
}
