"""What is counted: paths (Appendix A); parameters, neurons, edges of convolutions (Appendix C)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import NamedTuple

from graphs.convolutions import convolution, output_shape
from graphs.errors import NetworkError
from graphs.families import fully_connected
from graphs.paths import count_paths
from graphs.rings import ring_of
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.papers.lj22.block_proofs import nonnegative
from verify.papers.lj22.path_proofs import positions_along_a_side
from verify.papers.lj22.sources import both
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries, Row, constant_entries


def setting(case: Tensors, **values: int) -> Tensors:
    """The instance with other integers."""
    parts = {name: Tensor((), (), (Fraction(v),), integer=True) for name, v in values.items()}
    return case.changing(**parts)


# Appendix A ------------------------------------------------------------------------------------
PATHS = TensorPool(integers=(("m", 1, 4), ("L", 1, 20)))


def paths_at(width: int, layers: int) -> int:
    """The number of paths of a fully-connected network with so many layers of weights, all of whose
    parts but the output have the same width."""
    return count_paths(fully_connected([width] * layers + [1])).total


def growth(scene: MatrixScene) -> Entries:
    """rho(L + 1) - 2 rho(L), for width m."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        m, layers = case.whole("m"), case.whole("L")
        slack = paths_at(m, layers + 1) - 2 * paths_at(m, layers)
        rows.append((number, {}, Fraction(slack)))
    return constant_entries(scene, rows)


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
        "growth",
        ("width at least 2",),
        section=8,
    )


SIZES = Hypothesis(
    "a network",
    r"$m\ge1$ and $L\ge1$",
    by_case(lambda case: min(case.whole("m"), case.whole("L")) >= 1),
)
WIDE = Hypothesis(
    "width at least 2",
    r"the width is at least 2",
    by_case(lambda case: case.whole("m") >= 2),
    lambda case, random: setting(case, m=max(2, case.whole("m"))),
    lambda case, random: setting(case, m=1),
)


# Appendix C ------------------------------------------------------------------------------------


def _small_squares(case: Tensors, random: Random) -> Tensors:
    """In two dimensions, a side of at most 5."""
    return setting(case, n=min(5, case.whole("n"))) if case.whole("d") == 2 else case


LAYER = TensorPool(
    integers=(
        ("d", 1, 2),
        ("n", 1, 8),
        ("k", 1, 4),
        ("a", 1, 2),
        ("c", 1, 2),
        ("s", 1, 3),
        ("p", 0, 2),
        ("t", 1, 3),
        ("q", 0, 2),
    ),
    adapt=_small_squares,
)


class Counts(NamedTuple):
    """The neurons, edges and parameters of a convolutional layer."""

    neurons: int
    edges: int
    parameters: int


def counts_of(case: Tensors, stride: str, padding: str) -> Counts | None:
    """Counted on the unrolled graph; None where there is no such layer (the filter does not fit, or
    an output sees the padding alone)."""
    number = {name: case.whole(name) for name in ("d", "n", "k", "a", "c", stride, padding)}
    try:
        net = convolution(
            (number["n"],) * number["d"],
            (number["a"], number["c"]),
            number["k"],
            number[stride],
            number[padding],
        )
    except NetworkError:
        return None
    return Counts(len(net.outputs), net.edge_count, net.parameter_count)


def tensor_of_parameters(scene: MatrixScene) -> Entries:
    """abc minus the number of parameters, b being the size of each filter."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        counts = counts_of(case, "s", "p")
        if counts is not None:
            size = case.whole("a") * case.whole("k") ** case.whole("d") * case.whole("c")
            rows.append((number, {}, Fraction(size - counts.parameters)))
    return constant_entries(scene, rows)


def more_than_parameters(scene: MatrixScene) -> Entries:
    """Neurons, and edges, minus free parameters minus 1."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        counts = counts_of(case, "s", "p")
        if counts is not None:
            for part, value in (("neurons", counts.neurons), ("edges", counts.edges)):
                rows.append((number, {"part": part}, Fraction(value - counts.parameters - 1)))
    return constant_entries(scene, rows)


def same_parameters(scene: MatrixScene) -> Entries:
    """The number of free parameters with stride s and padding p minus with stride t, padding q."""
    return _differences(scene, lambda one, other: Fraction(one.parameters - other.parameters))


def neurons_change(scene: MatrixScene) -> Entries:
    """The number of neurons with stride s and padding p minus with stride t and padding q."""
    return _differences(scene, lambda one, other: Fraction(one.neurons - other.neurons))


def _differences(scene: MatrixScene, compare: Callable[[Counts, Counts], Fraction]) -> Entries:
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        one, other = counts_of(case, "s", "p"), counts_of(case, "t", "q")
        if one is not None and other is not None:
            rows.append((number, {}, compare(one, other)))
    return constant_entries(scene, rows)


def _inside(case: Tensors, pairs: tuple[tuple[str, str], ...]) -> bool:
    """Whether some position of the filter, for each stride and padding, lies within the input."""
    return all(
        any(
            o >= 0 and o + case.whole("k") <= case.whole("n")
            for o in range(-case.whole(p), case.whole("n"), case.whole(s))
        )
        for s, p in pairs
    )


CHANGED = Hypothesis(
    "a change",
    "the stride or the padding is changed",
    by_case(lambda case: (case.whole("s"), case.whole("p")) != (case.whole("t"), case.whole("q"))),
    lambda case, random: (
        case
        if (case.whole("s"), case.whole("p")) != (case.whole("t"), case.whole("q"))
        else setting(case, t=case.whole("t") % 3 + 1)
    ),
)
POSITIVE = Hypothesis(
    "a layer",
    "sizes, channels and strides are positive, paddings not negative; one or two dimensions",
    by_case(
        lambda case: (
            all(case.whole(name) >= 1 for name in ("n", "k", "a", "c", "s", "t"))
            and min(case.whole("p"), case.whole("q")) >= 0
            and case.whole("d") in (1, 2)
        )
    ),
)


def _room_for_a_filter(case: Tensors, random: Random) -> Tensors:
    k = min(3, case.whole("k"))
    p, q = (min(k - 1, case.whole(name)) for name in "pq")
    return setting(case, n=5, k=k, p=p, q=q)


def within(*pairs: tuple[str, str]) -> Hypothesis:
    """Some position of the filter lies within the input, for the given strides and paddings."""
    return Hypothesis(
        "a position within the input",
        "at some position all of the filter lies on the input, none of it on the padding",
        by_case(lambda case: _inside(case, pairs)),
        _room_for_a_filter,
        lambda case, random: setting(case, d=1, n=1, k=3, s=1, p=1, t=1, q=random.randint(1, 2)),
    )


# the first layer of AlexNet -----------------------------------------------------------------------
PRINTED_SIZES = (("n", 224), ("k", 11), ("s", 4), ("c", 96))
ALEXNET = TensorPool(integers=tuple((name, value, value) for name, value in PRINTED_SIZES))
FILTERS = TensorPool(integers=(("n", 1, 30), ("k", 1, 11), ("s", 1, 5), ("c", 1, 4)))

AS_PRINTED = Hypothesis(
    "the first layer of AlexNet",
    r"image side $n=224$, filter side $k=11$, stride $s=4$, $c=96$ output channels, no padding",
    by_case(lambda case: all(case.whole(name) == value for name, value in PRINTED_SIZES)),
    lambda case, random: setting(case, **dict(PRINTED_SIZES)),
    lambda case, random: setting(case, n=case.whole("n") - 1),
)
FITS = Hypothesis(
    "the filter fits",
    r"$1\le k\le n$, $s\ge1$, $c\ge1$",
    by_case(
        lambda case: 1 <= case.whole("k") <= case.whole("n") and min(map(case.whole, "sc")) >= 1
    ),
    lambda case, random: setting(case, n=max(map(case.whole, "nk"))),
    lambda case, random: setting(case, k=case.whole("n") + 2 * case.whole("s") + 1),
)


def _positions(case: Tensors) -> int:
    """How often the filter is put on the image: counted."""
    n, k, s = (case.whole(name) for name in "nks")
    along = output_shape([n], [k], [s], [0], [1])[0] if k <= n else 0
    return along**2


def printed_positions(scene: MatrixScene) -> Entries:
    """((n - (k - s)) / s)^2 minus the positions counted; the same times c."""
    return _against_count(scene, lambda n, k, s: Fraction(n - (k - s), s) ** 2)


def whole_positions(scene: MatrixScene) -> Entries:
    """(floor((n - k) / s) + 1)^2 minus the positions counted; the same times c."""
    return _against_count(scene, lambda n, k, s: Fraction((n - k) // s + 1) ** 2)


def _against_count(scene: MatrixScene, formula: Callable[[int, int, int], Fraction]) -> Entries:
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        n, k, s, c = (case.whole(name) for name in "nksc")
        if s < 1:
            continue
        difference = formula(n, k, s) - _positions(case)
        rows.append((number, {"part": "positions"}, difference))
        rows.append((number, {"part": "neurons"}, c * difference))
    return constant_entries(scene, rows)


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

SHARED = Hypothesis(
    "weights are shared",
    "the filter is put on the input at two positions or more",
    by_case(lambda case: _positions_of(case) > 1),
    lambda case, random: setting(case, n=5, k=min(3, case.whole("k")), p=0, s=1),
    lambda case, random: setting(case, n=case.whole("k"), p=0),
)


def _positions_of(case: Tensors) -> int:
    counts = counts_of(case, "s", "p")
    return 0 if counts is None else counts.neurons // max(1, case.whole("c"))


CLAIMS = (
    Claim(
        "lj22.rho@B",
        Kind.INEQUALITY,
        both("Appendix A"),
        "growth of the number of paths",
        GROWS,
        (SIZES, WIDE),
        ("lj22.tensor.b",),
        measure=growth,
        pool=PATHS,
        reading="B",
        reading_text="for every width of at least 2",
        exact_only=True,
        proof=growth_by_layers,
        through="every further layer multiplies the number of paths by the width, so by 2 or more "
        "(docs/mathematics.md, 8)",
    ),
    Claim(
        "lj22.def11",
        Kind.DEFINITION,
        both("Definition 11; earlier Definition 10"),
        "convolutional tensor",
        TENSOR,
        (POSITIVE, within(("s", "p"))),
        ("lj22.def1",),
        measure=tensor_of_parameters,
        pool=LAYER,
        exact_only=True,
    ),
    Claim(
        "lj22.conv-count.a",
        Kind.INEQUALITY,
        AROUND,
        "more neurons and edges than parameters",
        FIXED_LAYER + "There are (a lot) more neurons and edges than free parameters.",
        (POSITIVE, within(("s", "p")), SHARED),
        ("lj22.def11", "lj22.def12"),
        measure=more_than_parameters,
        pool=LAYER,
        exact_only=True,
        why="a convolution has $c$ neurons at each position and $abc$ free parameters, so with "
        "fewer positions than $ab$ there are fewer neurons than parameters, as in the later "
        "layers of AlexNet",
    ),
    Claim(
        "lj22.conv-count.b",
        Kind.IDENTITY,
        AROUND,
        "stride and padding against parameters",
        CHANGING + "not affect the number of free parameters.",
        (POSITIVE, within(("s", "p"), ("t", "q"))),
        ("lj22.def11",),
        measure=same_parameters,
        pool=LAYER,
        exact_only=True,
    ),
    Claim(
        "lj22.conv-count.c@B",
        Kind.EXISTENCE,
        AROUND,
        "stride and padding against neurons",
        CHANGING + "change the number of neurons.",
        (POSITIVE, within(("s", "p"), ("t", "q")), CHANGED),
        ("lj22.def12",),
        measure=neurons_change,
        pool=LAYER,
        negated="no such change changes the number of neurons",
        reading="B",
        reading_text="some change does",
        exact_only=True,
    ),
    Claim(
        "lj22.alexnet",
        Kind.IDENTITY,
        both("after Definition 12; earlier 11"),
        "number of positions in AlexNet's first layer",
        r"The input image has $224\times224$ pixels and the stride of the $11\times11$ filters "
        r"is 4, with no padding. Thus a filter traverses the image "
        r"$\left(\frac{224-(11-4)}4\right)^2=:l$ times, and there are $c\times l$ neurons in the "
        "layer.",
        (AS_PRINTED,),
        ("lj22.def12",),
        measure=printed_positions,
        pool=ALEXNET,
        exact_only=True,
        why=r"$\frac{224-(11-4)}4=54.25$ is no whole number; along a side the filter fits at "
        r"$\lfloor\frac{224-11}4\rfloor+1=54$ places",
    ),
    Claim(
        "lj22.alexnet.fix",
        Kind.IDENTITY,
        both("after Definition 12; earlier 11"),
        "number of positions of a filter without padding",
        r"A filter of side $k$ with stride $s$ traverses an image of side $n$, without "
        r"padding, $l=\left(\left\lfloor\frac{n-k}s\right\rfloor+1\right)^2$ times, and there are "
        r"$c\times l$ neurons in the layer.",
        (FITS,),
        ("lj22.def12",),
        measure=whole_positions,
        pool=FILTERS,
        exact_only=True,
        repairs="lj22.alexnet",
        proof=positions_along_a_side,
    ),
)
