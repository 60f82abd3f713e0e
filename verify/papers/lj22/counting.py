"""What is counted: paths (Appendix A); parameters, neurons, edges of convolutions (Appendix C).

Of a convolution one side is counted: its filter begins at o = -p, -p + s, ... and lies on the
places o + 1, ..., o + k, those of the input being 1, ..., n. In d dimensions positions and places
are tuples of those along the sides.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument
from verify.core.claim import Kind
from verify.language.building import (
    Count,
    Each,
    Filter,
    Fold,
    Some,
    Sum,
    Whole,
    between,
    card,
    element,
    floor,
    list_,
    upto,
)
from verify.language.terms import Term
from verify.papers.lj22.block_proofs import nonnegative
from verify.papers.lj22.path_proofs import positions_along_a_side
from verify.papers.lj22.sources import both
from verify.statements.stated import Given, stated


def setting(case: Tensors, **values: int) -> Tensors:
    """The instance with other integers."""
    parts = {name: Tensor((), (), (Fraction(v),), integer=True) for name, v in values.items()}
    return case.changing(**parts)


# Appendix A ------------------------------------------------------------------------------------
M, L = Whole("m", 1, 4), Whole("L", 1, 20)


def number_of_paths(width: Term, layers: Term) -> Term:
    """rho of a fully-connected network with so many layers of weights, all of whose parts but the
    output have the same width: a vertex is reached from each one of the part before."""
    return Fold(upto(layers), 1, lambda paths, layer: Sum(upto(width), lambda v: paths))


def growth_by_layers() -> Argument:
    """A further layer multiplies the number of paths by m = 2 + s."""
    ring = ring_of(2)
    count, more = ring.generators
    two = ring.constant(Fraction(2))
    step = nonnegative(ring, "m N - 2 N with m = 2 + s", (two + more) * count - two * count)
    return Argument(
        "each further layer multiplies the number of paths by the width",
        (step,),
        ("each of the m vertices of a layer is entered from all m vertices of the one before",),
        ("width at least 2",),
        section="docs/mathematics/lj22.md#counts",
    )


SIZES = Given("a network", (M >= 1) & (L >= 1), r"$m\ge1$ and $L\ge1$", built_in=True)
WIDE = Given(
    "width at least 2",
    M >= 2,
    r"the width is at least 2",
    lambda case, random: setting(case, m=max(2, case.whole("m"))),
    lambda case, random: setting(case, m=1),
)


# Appendix C ------------------------------------------------------------------------------------
def _small_squares(case: Tensors, random: Random) -> Tensors:
    """In two dimensions, a side of at most 5."""
    return setting(case, n=min(5, case.whole("n"))) if case.whole("d") == 2 else case


SIZES_OF_A_LAYER = (
    ("d", 1, 2),
    ("n", 1, 8),
    ("k", 1, 4),
    ("a", 1, 2),
    ("c", 1, 2),
    ("s", 1, 3),
    ("p", 0, 2),
    ("t", 1, 3),
    ("q", 0, 2),
)
LAYER = TensorPool(integers=SIZES_OF_A_LAYER, adapt=_small_squares)
D, N, K, A, C, S, P, T, Q = (Whole(*size) for size in SIZES_OF_A_LAYER)


def starts(stride: Term, padding: Term) -> Term:
    """Where the filter begins along a side."""
    reached = between(-padding, N + padding - K)
    return Filter(reached, lambda o: (o + padding) % stride == 0)


def on_input(start: Term, place: Term) -> Term:
    """Whether a place of the filter lies on the input, not on the padding."""
    return element(start + place, upto(N))


def is_layer(stride: Term, padding: Term) -> Term:
    """The filter fits, and no output sees the padding alone."""
    found = starts(stride, padding)
    seen = Each(found, lambda o: Some(upto(K), lambda i: on_input(o, i)))
    return (card(found) >= 1) & seen


def neurons(stride: Term, padding: Term) -> Term:
    """c at each position."""
    return C * card(starts(stride, padding)) ** D


def edges(stride: Term, padding: Term) -> Term:
    """One for each two channels and each place of the filter that lies on the input."""
    along = Sum(starts(stride, padding), lambda o: Count(upto(K), lambda i: on_input(o, i)))
    return A * C * along**D


def parameters(stride: Term, padding: Term) -> Term:
    """Of the edges: one for each two channels and each place that ever lies on the input."""
    found = starts(stride, padding)
    used = Count(upto(K), lambda i: Some(found, lambda o: on_input(o, i)))
    return A * C * used**D


CHANGED = Given(
    "a change",
    (S != T) | (P != Q),
    "the stride or the padding is changed",
    lambda case, random: (
        case
        if (case.whole("s"), case.whole("p")) != (case.whole("t"), case.whole("q"))
        else setting(case, t=case.whole("t") % 3 + 1)
    ),
)


def a_layer(holds: Term) -> Given:
    """Sizes that a layer can have, and as many layers as the claim speaks of."""
    sizes = Each(list_(N, K, A, C, S, T), lambda size: size >= 1)
    sizes = sizes & Each(list_(P, Q), lambda padding: padding >= 0) & element(D, list_(1, 2))
    return Given(
        "a layer",
        sizes & holds,
        "sizes, channels and strides are positive, paddings not negative; one or two dimensions",
    )


POSITIVE, BOTH_POSITIVE = a_layer(is_layer(S, P)), a_layer(is_layer(S, P) & is_layer(T, Q))


def _room_for_a_filter(case: Tensors, random: Random) -> Tensors:
    k = min(3, case.whole("k"))
    p, q = (min(k - 1, case.whole(name)) for name in "pq")
    return setting(case, n=5, k=k, p=p, q=q)


def inside(stride: Term, padding: Term) -> Term:
    """Some position of the filter lies within the input."""
    return Some(starts(stride, padding), lambda o: (o >= 0) & (o + K <= N))


def within(holds: Term) -> Given:
    """Some position of the filter lies within the input, for the given strides and paddings."""
    return Given(
        "a position within the input",
        holds,
        "at some position all of the filter lies on the input, none of it on the padding",
        _room_for_a_filter,
        lambda case, random: setting(case, d=1, n=1, k=3, s=1, p=1, t=1, q=random.randint(1, 2)),
    )


WITHIN, BOTH_WITHIN = within(inside(S, P)), within(inside(S, P) & inside(T, Q))
SHARED = Given(
    "weights are shared",
    card(starts(S, P)) ** D > 1,
    "the filter is put on the input at two positions or more",
    lambda case, random: setting(case, n=5, k=min(3, case.whole("k")), p=0, s=1),
    lambda case, random: setting(case, n=case.whole("k"), p=0),
)


# the first layer of AlexNet -----------------------------------------------------------------------
PRINTED_SIZES = (("n", 224), ("k", 11), ("s", 4), ("c", 96))
ALEXNET = TensorPool(integers=tuple((name, value, value) for name, value in PRINTED_SIZES))
FILTERS = TensorPool(integers=(("n", 1, 30), ("k", 1, 11), ("s", 1, 5), ("c", 1, 4)))
SIDE, FILTER, STRIDE, CHANNELS = (Whole(name, 1, 224) for name, _ in PRINTED_SIZES)

AS_PRINTED = Given(
    "the first layer of AlexNet",
    (SIDE == 224) & (FILTER == 11) & (STRIDE == 4) & (CHANNELS == 96),
    r"image side $n=224$, filter side $k=11$, stride $s=4$, $c=96$ output channels, no padding",
    lambda case, random: setting(case, **dict(PRINTED_SIZES)),
    lambda case, random: setting(case, n=case.whole("n") - 1),
)
FITS = Given(
    "the filter fits",
    (FILTER >= 1) & (FILTER <= SIDE) & (STRIDE >= 1) & (CHANNELS >= 1),
    r"$1\le k\le n$, $s\ge1$, $c\ge1$",
    lambda case, random: setting(case, n=max(map(case.whole, "nk"))),
    lambda case, random: setting(case, k=case.whole("n") + 2 * case.whole("s") + 1),
)


POSITIONS = Count(between(0, SIDE - 1), lambda o: (o % STRIDE == 0) & (o + FILTER <= SIDE)) ** 2
PRINTED_POSITIONS = ((SIDE - (FILTER - STRIDE)) / STRIDE) ** 2
WHOLE_POSITIONS = (floor((SIDE - FILTER) / STRIDE) + 1) ** 2


def traversed(times: Term) -> Term:
    """So many positions, and c times as many neurons."""
    return (times == POSITIONS) & (CHANNELS * times == CHANNELS * POSITIONS)


# the claims ---------------------------------------------------------------------------------------
TENSOR = (
    r"Free parameters in a (bias-free) convolutional layer can be organised into a tensor "
    r"$T\in\mathbb R^{a\times b\times c}$, $a$ the number of input channels, $b$ the size of each "
    r"filter, $c$ the number of output channels: there are $abc$ of them. (Free parameters: those "
    r"of the edges of the computation graph. The input has side $n$ in $d$ dimensions, the filters "
    r"side $k$, so $b=k^d$; stride $s$, padding $p$.)"
)
FIXED_LAYER = (
    "A convolution of an input of side $n$ in $d$ dimensions, with $a$ channels, to $c$ channels "
    "with filters of side $k$; stride $s$, padding $p$, changed to stride $t$, padding $q$. "
)
CHANGING = FIXED_LAYER + "Changing the stride and padding does "
GROWS = (
    r"In general, $\rho$ is exponential in the number $L$ of layers for a fully-connected net with "
    r"fixed width $m$. (Exponential: $\rho(L+1)\ge2\rho(L)$; the width being fixed, every layer "
    "multiplies the number of paths by the same whole number.)"
)
AROUND = both("Appendix C, text around Definitions 11 and 12")

CLAIMS = (
    stated(
        "lj22.rho@B",
        both("Appendix A"),
        "growth of the number of paths",
        GROWS,
        number_of_paths(M, L + 1) >= 2 * number_of_paths(M, L),
        (SIZES, WIDE),
        depends=("lj22.tensor.b",),
        reading="B",
        reading_text="for every width of at least 2",
        proof=growth_by_layers,
        through="every further layer multiplies the number of paths by the width, so by 2 or more "
        "(docs/mathematics/lj22.md#counts)",
    ),
    stated(
        "lj22.def11",
        both("Definition 11; earlier Definition 10"),
        "convolutional tensor",
        TENSOR,
        parameters(S, P) == A * K**D * C,
        (POSITIVE, WITHIN),
        kind=Kind.DEFINITION,
        depends=("lj22.def1",),
        pool=LAYER,
    ),
    stated(
        "lj22.conv-count.a",
        AROUND,
        "more neurons and edges than parameters",
        FIXED_LAYER + "There are (a lot) more neurons and edges than free parameters.",
        (neurons(S, P) > parameters(S, P)) & (edges(S, P) > parameters(S, P)),
        (POSITIVE, WITHIN, SHARED),
        depends=("lj22.def11", "lj22.def12"),
        pool=LAYER,
        why="a convolution has $c$ neurons at each position and $abc$ free parameters, so with "
        "fewer positions than $ab$ there are fewer neurons than parameters, as in the later "
        "layers of AlexNet",
    ),
    stated(
        "lj22.conv-count.b",
        AROUND,
        "stride and padding against parameters",
        CHANGING + "not affect the number of free parameters.",
        parameters(S, P) == parameters(T, Q),
        (BOTH_POSITIVE, BOTH_WITHIN),
        depends=("lj22.def11",),
        pool=LAYER,
    ),
    stated(
        "lj22.conv-count.c@B",
        AROUND,
        "stride and padding against neurons",
        CHANGING + "change the number of neurons.",
        neurons(S, P) != neurons(T, Q),
        (BOTH_POSITIVE, BOTH_WITHIN, CHANGED),
        kind=Kind.EXISTENCE,
        depends=("lj22.def12",),
        pool=LAYER,
        negated="no such change changes the number of neurons",
        reading="B",
        reading_text="some change does",
    ),
    stated(
        "lj22.alexnet",
        both("after Definition 12; earlier 11"),
        "number of positions in AlexNet's first layer",
        r"The input image has $224\times224$ pixels and the stride of the $11\times11$ filters "
        r"is 4, with no padding. Thus a filter traverses the image "
        r"$\left(\frac{224-(11-4)}4\right)^2=:l$ times, and there are $c\times l$ neurons in the "
        "layer.",
        traversed(PRINTED_POSITIONS),
        (AS_PRINTED,),
        depends=("lj22.def12",),
        pool=ALEXNET,
        why=r"$\frac{224-(11-4)}4=54.25$ is no whole number; along a side the filter fits at "
        r"$\lfloor\frac{224-11}4\rfloor+1=54$ places",
    ),
    stated(
        "lj22.alexnet.fix",
        both("after Definition 12; earlier 11"),
        "number of positions of a filter without padding",
        r"A filter of side $k$ with stride $s$ traverses an image of side $n$, without "
        r"padding, $l=\left(\left\lfloor\frac{n-k}s\right\rfloor+1\right)^2$ times, and there are "
        r"$c\times l$ neurons in the layer.",
        traversed(WHOLE_POSITIONS),
        (FITS,),
        depends=("lj22.def12",),
        pool=FILTERS,
        repairs="lj22.alexnet",
        proof=positions_along_a_side,
    ),
)
