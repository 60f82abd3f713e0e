"""What the bounds of Theorem 2 are said to give, as arithmetic on the printed formulas.

After eta come K convolutions, with a_k input kernels of size b_k and c_k output kernels, then M
layers, layer i from n_(i-1) to n_i neurons, fully connected or a ResNetFree block with q_i inner
neurons, and Fin. The bits of `blocks` say which of the M layers are blocks.
"""

from __future__ import annotations

from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Kind
from verify.language.building import (
    Count,
    Each,
    Prod,
    Some,
    When,
    Whole,
    between,
    element,
    larger,
    list_,
    smaller,
    subsets,
    upto,
)
from verify.language.terms import Term
from verify.papers.lj22.counting import setting
from verify.papers.lj22.sources import both
from verify.statements.stated import Given, stated

CONVOLUTIONS, LAYERS, LARGEST = 2, 2, 200
K, M = Whole("K", 0, CONVOLUTIONS), Whole("M", 0, LAYERS)
J = Whole("j", 1, CONVOLUTIONS + LAYERS)
KERNELS = {
    letter: [Whole(f"{letter}{k}", 1, LARGEST) for k in range(1, CONVOLUTIONS + 1)]
    for letter in "abc"
}
WIDTHS = [Whole(f"n{i}", 1, 6) for i in range(LAYERS + 1)]
INNER, OTHER = ([Whole(f"{letter}{i}", 1, 6) for i in range(1, LAYERS + 1)] for letter in "qr")
BLOCKS = subsets(upto(LAYERS))[Whole("blocks", 0, 2**LAYERS - 1) + 1]
SIZES = [size for sizes in (*KERNELS.values(), WIDTHS, INNER, OTHER) for size in sizes]


def kernel(letter: str, k: Term) -> Term:
    """a_k, b_k or c_k."""
    return list_(*KERNELS[letter])[k]


def width(i: Term) -> Term:
    """n_i."""
    return list_(*WIDTHS)[i + 1]


def is_block(place: Term) -> Term:
    """Whether the layer at this place after eta (from 1) is a block."""
    return element(place - K, upto(M)) & element(place - K, BLOCKS)


def shape(place: Term, inner: list[Term]) -> tuple[Term, Term]:
    """The shape of the matrix representation (Definition 8) of the layer at this place after eta.
    inner: the inner widths of blocks."""
    i = place - K
    more = When(is_block(place), list_(*inner)[i], 0)
    rows = When(place <= K, kernel("a", place), When(i <= M, width(i), 1))
    convolved = kernel("b", place) * kernel("c", place)
    columns = When(place <= K, convolved, When(i <= M, width(i - 1) + more, width(M)))
    return rows, columns


def denominator(inner: list[Term]) -> Term:
    """8^(N_r(j)) V_c(j) as printed; a factor min(a_k, b_k) only where k is a convolution."""
    blocks = Count(between(J + 1, K + M), is_block)
    smallest = Prod(
        between(J + 1, M), lambda k: When(k <= K, smaller(kernel("a", k), kernel("b", k)), 1)
    )
    return 8**blocks * When(J <= M, larger(*shape(M + 1, inner)) * smallest, 1)


def _with_a_block(case: Tensors, random: Random) -> Tensors:
    return setting(case, K=max(1, case.whole("K")), M=max(1, case.whole("M")), j=1, blocks=1)


NAMED = Given(
    "a layer j",
    element(J, upto(K + M)) & Each(list_(*SIZES), lambda size: size >= 1),
    r"$j\in[K+M]$; the architecture of Theorem 2",
    lambda case, random: setting(
        case,
        M=case.whole("M") or int(case.whole("K") == 0),
        j=random.randint(1, max(1, case.whole("K") + case.whole("M"))),
    ),
)
CONVOLUTION_BEFORE_BLOCK = Given(
    "a convolution before a block",
    (J <= K) & Some(between(J + 1, K + M), is_block),
    r"layer $j$ is a convolution and a ResNetFree block comes after it",
    _with_a_block,
)

SOURCE = both("Significance, after Corollary 1")
CLAIMS = (
    stated(
        "lj22.sig3.i",
        SOURCE,
        "what the lower bound depends on",
        r"The lower bound depends on the number (not the dimensions) of ResNetFree layers and on "
        r"certain dimensions of convolutional layers: $8^{N_r(j)}V_c(j)$ is the same for inner "
        r"widths $q_i$ and $r_i$ of the blocks.",
        denominator(INNER) == denominator(OTHER),
        (NAMED,),
        depends=("lj22.def8",),
        why=r"$V_c(j)$ has the factor $\max\dim W^{[M+1]}$, and for $K\ge1$ layer $M+1$ can be a "
        "ResNetFree block",
    ),
    stated(
        "lj22.sig3.ii",
        SOURCE,
        "better than the rank",
        r"When the dimensions of ResNetFree layers are large, $\max\dim W^{[M+1]}$ is small and "
        r"the number of input channels of convolutional layers is large, the lower bound is "
        r"strictly better than $1/\mathrm{rank}(W^{[k]})$: for some sizes $8^{N_r(j)}V_c(j)$ is "
        "below the largest rank of the matrix of a convolution before a block.",
        denominator(INNER) < smaller(*shape(J, INNER)),
        (NAMED, CONVOLUTION_BEFORE_BLOCK),
        kind=Kind.EXISTENCE,
        depends=("lj22.def8",),
        negated="for all such sizes the bound is no better than the rank",
    ),
)
