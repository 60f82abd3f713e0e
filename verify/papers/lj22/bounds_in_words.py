"""What the bounds of Theorem 2 are said to give, as arithmetic on the printed formulas.

After eta come K convolutions, with a_k input kernels of size b_k and c_k output kernels, then M
layers, layer i from n_(i-1) to n_i neurons, fully connected or a ResNetFree block with q_i inner
neurons, and Fin. The bits of `blocks` say which of the M layers are blocks.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.papers.lj22.counting import setting
from verify.papers.lj22.sources import both
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries, Row, constant_entries

CONVOLUTIONS, LAYERS = 2, 2
COUNTS = (("K", 0, CONVOLUTIONS), ("M", 0, LAYERS), ("j", 1, CONVOLUTIONS + LAYERS))
WIDTHS = tuple((f"n{i}", 1, 6) for i in range(LAYERS + 1))
INNER = tuple((f"q{i}", 1, 6) for i in range(1, LAYERS + 1))
OTHER = tuple((f"r{i}", 1, 6) for i in range(1, LAYERS + 1))


def _pool(largest: int) -> TensorPool:
    kernels = tuple(
        (f"{letter}{k}", 1, largest) for k in range(1, CONVOLUTIONS + 1) for letter in "abc"
    )
    blocks = (("blocks", 0, 2**LAYERS - 1),)
    return TensorPool(integers=(*COUNTS, *kernels, *WIDTHS, *INNER, *OTHER, *blocks))


def is_block(case: Tensors, place: int) -> bool:
    """Whether the layer at this place after eta (from 1) is a block."""
    i = place - case.whole("K")
    return 1 <= i <= case.whole("M") and bool(case.whole("blocks") >> (i - 1) & 1)


def shape(case: Tensors, place: int, inner: str = "q") -> tuple[int, int]:
    """The shape of the matrix representation (Definition 8) of the layer at this place after eta.
    inner: whose inner widths blocks have, q or r."""
    convolutions, layers = case.whole("K"), case.whole("M")
    if place <= convolutions:
        a, b, c = (case.whole(f"{letter}{place}") for letter in "abc")
        return a, b * c
    i = place - convolutions
    if i > layers:
        return 1, case.whole(f"n{layers}")
    before, after = case.whole(f"n{i - 1}"), case.whole(f"n{i}")
    return after, before + (case.whole(f"{inner}{i}") if is_block(case, place) else 0)


def denominator(case: Tensors, inner: str = "q") -> int:
    """8^(N_r(j)) V_c(j) as printed; a factor min(a_k, b_k) only where k is a convolution."""
    convolutions, layers, j = (case.whole(name) for name in "KMj")
    blocks = sum(is_block(case, place) for place in range(j + 1, convolutions + layers + 1))
    result: int = 8**blocks
    if j <= layers:
        result *= max(shape(case, layers + 1, inner))
        for k in range(j + 1, min(layers, convolutions) + 1):
            result *= min(case.whole(f"a{k}"), case.whole(f"b{k}"))
    return result


def inner_widths_matter(scene: MatrixScene) -> Entries:
    """The factor in the bound with inner widths q minus that with inner widths r."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        if _named(case):
            difference = denominator(case) - denominator(case, "r")
            rows.append((number, {}, Fraction(difference)))
    return constant_entries(scene, rows)


def better_than_the_rank(scene: MatrixScene) -> Entries:
    """By how much the largest rank that W^[j] can have exceeds the factor in the bound; 0 where it
    does not."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        if _named(case):
            excess = min(shape(case, case.whole("j"))) - denominator(case)
            rows.append((number, {}, Fraction(max(0, excess))))
    return constant_entries(scene, rows)


def _named(case: Tensors) -> bool:
    """Whether K, M and j name a layer, and all sizes are positive."""
    convolutions, layers, j = (case.whole(name) for name in "KMj")
    sizes = [case.whole(name) for name in case.arrays if name[0] in "abcnqr" and name != "blocks"]
    return (
        0 <= convolutions <= CONVOLUTIONS
        and 0 <= layers <= LAYERS
        and 1 <= j <= convolutions + layers
        and min(sizes) >= 1
        and case.whole("blocks") >= 0
    )


def _before_a_block(case: Tensors) -> bool:
    j, last = case.whole("j"), case.whole("K") + case.whole("M")
    return j <= case.whole("K") and any(is_block(case, k) for k in range(j + 1, last + 1))


def _with_a_block(case: Tensors, random: Random) -> Tensors:
    return setting(case, K=max(1, case.whole("K")), M=max(1, case.whole("M")), j=1, blocks=1)


NAMED = Hypothesis(
    "a layer j",
    r"$j\in[K+M]$; the architecture of Theorem 2",
    by_case(_named),
    lambda case, random: setting(
        case,
        M=case.whole("M") or int(case.whole("K") == 0),
        j=random.randint(1, max(1, case.whole("K") + case.whole("M"))),
    ),
)
CONVOLUTION_BEFORE_BLOCK = Hypothesis(
    "a convolution before a block",
    r"layer $j$ is a convolution and a ResNetFree block comes after it",
    by_case(_before_a_block),
    _with_a_block,
)

SOURCE = both("Significance, after Corollary 1")
CLAIMS = (
    Claim(
        "lj22.sig3.i",
        Kind.IDENTITY,
        SOURCE,
        "what the lower bound depends on",
        r"The lower bound depends on the number (not the dimensions) of ResNetFree layers and on "
        r"certain dimensions of convolutional layers: $8^{N_r(j)}V_c(j)$ is the same for inner "
        r"widths $q_i$ and $r_i$ of the blocks.",
        (NAMED,),
        ("lj22.def8",),
        measure=inner_widths_matter,
        pool=_pool(6),
        exact_only=True,
        why=r"$V_c(j)$ has the factor $\max\dim W^{[M+1]}$, and for $K\ge1$ layer $M+1$ can be a "
        "ResNetFree block",
    ),
    Claim(
        "lj22.sig3.ii",
        Kind.EXISTENCE,
        SOURCE,
        "better than the rank",
        r"When the dimensions of ResNetFree layers are large, $\max\dim W^{[M+1]}$ is small and "
        r"the number of input channels of convolutional layers is large, the lower bound is "
        r"strictly better than $1/\mathrm{rank}(W^{[k]})$: for some sizes $8^{N_r(j)}V_c(j)$ is "
        "below the largest rank of the matrix of a convolution before a block.",
        (NAMED, CONVOLUTION_BEFORE_BLOCK),
        ("lj22.def8",),
        measure=better_than_the_rank,
        negated="for all such sizes the bound is no better than the rank",
        pool=_pool(200),
        exact_only=True,
    ),
)
