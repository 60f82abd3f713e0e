"""Definition 2.7: the width as a least in-degree, in words and in (8), and Remarks 2.6 and 2.8.

A fully connected network is given by its sizes `n`, the numbers n_0 to n_L of neurons of each
layer, L at least 1. Its graph is made, and in-degrees and distances are counted there. An infimum
over nothing is infinite, so that widths are compared by their inverses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from random import Random

from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.papers.zlb22.assumption_examples import in_degrees, widths
from verify.papers.zlb22.digraphs import Labelled, Parents, distances
from verify.papers.zlb22.sources import printed
from verify.quantities import each_case
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

Sizes = tuple[int, ...]  # n_0 to n_L


# the network --------------------------------------------------------------------------------------
def sizes_of(case: Tensors) -> Sizes:
    """n_0 to n_L."""
    return tuple(int(entry) for entry in case.arrays["n"].entries)


def _no_empty_layer(case: Tensors) -> bool:
    whole = all(entry.denominator == 1 for entry in case.arrays["n"].entries)
    sizes = sizes_of(case)
    return whole and 2 <= len(sizes) <= 6 and min(sizes) >= 1 and max(sizes) <= 8


@lru_cache(maxsize=4096)
def fully_connected(sizes: Sizes) -> Parents:
    """Every neuron joined to all of the layer before."""
    parents: list[tuple[int, ...]] = []
    before: tuple[int, ...] = ()
    for size in sizes:
        start = len(parents)
        parents += [before] * size
        before = tuple(range(start, start + size))
    return tuple(parents)


def least_in_degree(parents: Parents, reading: str) -> int | None:
    """The width by a reading of Definition 2.7; None for the infimum over nothing."""
    p = distances(parents)
    last = max(p) if reading == "A" else max(p) - 1
    return min((len(above) for v, above in enumerate(parents) if 2 <= p[v] <= last), default=None)


def inverse(width: int | None) -> Fraction:
    """1 / m, 0 for an infinite m."""
    return Fraction(0) if width is None else Fraction(1, width)


def width_against_sizes(sizes: Sizes, reading: str) -> Labelled:
    """1/m minus 1 / min(n_1, ..., n_(L-1))."""
    width = least_in_degree(fully_connected(sizes), reading)
    return [({}, inverse(width) - inverse(min(sizes[1:-1], default=None)))]


def degrees_against_sizes(sizes: Sizes) -> Labelled:
    """For each layer l from 1 on, the sum over its neurons of |in-degree - n_(l-1)|."""
    parents = fully_connected(sizes)
    p = distances(parents)
    found: Labelled = []
    for layer in range(1, len(sizes)):
        degrees = [len(parents[v]) for v in range(len(parents)) if p[v] == layer]
        away = sum(abs(degree - sizes[layer - 1]) for degree in degrees)
        found.append(({"layer": layer}, Fraction(away)))
    return found


def width_and_sizes(scene: object, reading: str) -> Entries:
    """Remark 2.8."""
    return _of_sizes(partial(width_against_sizes, reading=reading), scene)


def degrees_and_sizes(scene: object) -> Entries:
    """Remark 2.6."""
    return _of_sizes(degrees_against_sizes, scene)


def _of_sizes(function: Callable[[Sizes], Labelled], scene: object) -> Entries:
    """Entries of a measure of sizes; none where there is no such network."""
    return each_case(lambda case: function(sizes_of(case)) if _no_empty_layer(case) else [], scene)


# pool and hypothesis ------------------------------------------------------------------------------
LONGEST, WIDEST = 5, 4


def of_sizes(sizes: Sequence[int]) -> Tensors:
    """The instance with these sizes."""
    entries = tuple(map(Fraction, sizes))
    return Tensors({"n": Tensor(("layers",), (len(entries),), entries, held=True)})


@dataclass(frozen=True)
class SizesPool(TensorPool):
    """Sizes of the layers of fully connected networks."""

    arrays: tuple[tuple[str, tuple[str, ...]], ...] = (("n", ("layers",)),)

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        count = random.randint(2, LONGEST if large else LONGEST - 1)
        return of_sizes([random.randint(1, WIDEST) for _ in range(count)])

    def values_of(self, name: str, values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Sizes from 1 on."""
        return tuple(map(Fraction, range(1, len(values) + 1)))

    def scope(self) -> tuple[str, ...]:
        """Depths and sizes."""
        return (f"fully connected networks with L from 1 to {LONGEST - 1}, sizes 1 to {WIDEST}",)


def _as_sizes(case: Tensors, random: Random) -> Tensors:
    """Two layers at least, none of them empty or too large to be made."""
    sizes = [min(max(1, abs(size)), 8) for size in sizes_of(case)]
    return of_sizes(sizes * 2 if len(sizes) == 1 else sizes[:6])


SIZES = Hypothesis(
    "layers of at least one neuron",
    r"$L\ge1$ and $n_0,\dots,n_L\ge1$ (and at most 6 layers of at most 8 neurons, so that the "
    "graph can be made)",
    by_case(_no_empty_layer),
    _as_sizes,
    thin=True,
)


def _two_hidden(case: Tensors, random: Random) -> Tensors:
    """More layers before the last."""
    sizes = list(sizes_of(case))
    while len(sizes) < 4:
        sizes.insert(-1, random.randint(1, WIDEST))
    return of_sizes(sizes)


TWO_HIDDEN = Hypothesis(
    "two hidden layers",
    r"there are two hidden layers at least: $L\ge3$",
    by_case(lambda case: case.lengths["layers"] >= 4),
    _two_hidden,
)
POOL = SizesPool()


# arguments ----------------------------------------------------------------------------------------
DEEPEST = 4
LARGER = ("larger sizes and more layers are not looked at",)
SCOPE = (f"fully connected networks with L from 1 to {DEEPEST} and sizes 1 to 3",)


def _all_sizes(depth: int) -> list[Sizes]:
    found: list[Sizes] = [()]
    for _ in range(depth + 1):
        found = [(*sizes, size) for sizes in found for size in (1, 2, 3)]
    return found


def _steps(function: Callable[[Sizes], Labelled]) -> tuple[Step, ...]:
    steps = []
    for depth in range(1, DEEPEST + 1):
        listed = _all_sizes(depth)
        values = [value for sizes in listed for _, value in function(sizes)]
        text = f"L = {depth}: {len(values)} entries of {len(listed)} networks are 0"
        steps.append(Step(text, not any(values)))
    return tuple(steps)


def widths_listed() -> Argument:
    """All small sizes."""
    return Argument(
        "on every small fully connected network the least in-degree from layer 2 on is the least "
        "hidden size",
        _steps(partial(width_against_sizes, reading="A")),
        LARGER,
        "width_and_sizes(reading='A')",
        (SIZES.name,),
        SCOPE,
        section=38,
    )


def degrees_listed() -> Argument:
    """All small sizes."""
    return Argument(
        "on every small fully connected network the in-degree is the size of the layer before",
        _steps(degrees_against_sizes),
        LARGER,
        "degrees_and_sizes",
        (SIZES.name,),
        SCOPE,
        section=38,
    )


# the claims ---------------------------------------------------------------------------------------
WORDS = (
    "The width of a feedforward neural network is the minimum in-degree of all the neurons except "
    "those in the input and first layers"
)
FORMULA = r"$m:=\inf_{\ell\in\{2,\dots,L-1\},\,i\in[d_\ell]}m_i^{(\ell)}$"
TEXTS = {
    "A": r"the words: $m=\min\{\mathrm{in}(v):p(v)\ge2\}$",
    "B": r"the formula (8): $m=\min\{\mathrm{in}(v):2\le p(v)\le L-1\}$",
}
REMARK = (
    "For fully connected networks the width (the minimum in-degree after the first layer) is the "
    r"minimum hidden layer size, $m=\min(n_1,\dots,n_{L-1})$. (An infimum over nothing is "
    r"$+\infty$; judged on $1/m-1/\min(n_1,\dots,n_{L-1})$.)"
)

_definitions = tuple(
    Claim(
        f"zlb22.def2.7@{reading}",
        Kind.DEFINITION,
        printed("Definition 2.7, eq. (8)"),
        "network width",
        f"{WORDS}: {FORMULA}.",
        (),
        ("zlb22.def2.1", "zlb22.def2.5"),
        reading=reading,
        reading_text=text,
        examples=partial(widths, reading),
    )
    for reading, text in TEXTS.items()
)
_remark = Claim(
    "zlb22.def2.7.fcn@A",
    Kind.IDENTITY,
    printed("Remark 2.8"),
    "width of a fully connected network",
    REMARK,
    (SIZES,),
    ("zlb22.def2.7@A",),
    reading="A",
    reading_text=TEXTS["A"],
    measure=partial(width_and_sizes, reading="A"),
    pool=POOL,
    exact_only=True,
    proof=widths_listed,
)
_deep = Claim(
    "zlb22.def2.7.fcn.deep@B",
    Kind.IDENTITY,
    printed("Remark 2.8"),
    "width of a fully connected network, by the formula",
    REMARK,
    (SIZES, TWO_HIDDEN),
    ("zlb22.def2.7@B",),
    reading="B",
    reading_text=TEXTS["B"] + "; with two hidden layers at least, where the infimum is over "
    "something",
    measure=partial(width_and_sizes, reading="B"),
    pool=POOL,
    exact_only=True,
    why=r"The range of (8) ends at layer $L-1$, so it never sees $n_{L-1}$, the in-degree of the "
    "outputs: it fails where the last hidden layer is the narrowest.",
)
_degrees = Claim(
    "zlb22.def2.7.degrees",
    Kind.IDENTITY,
    printed("Remark 2.6"),
    "in-degrees of a fully connected network",
    r"In a fully connected network the in-degree $m_i^{(\ell)}$ is the size of layer $\ell-1$.",
    (SIZES,),
    ("zlb22.def2.5",),
    measure=degrees_and_sizes,
    pool=POOL,
    exact_only=True,
    proof=degrees_listed,
)

POLYNOMIAL = (
    "The maximum in-degree of any neuron is at most polynomial in the network width $m$: "
    r"$\sup_{\ell\in\{2,\dots,L-1\},\,i\in[d_\ell]}m_i^{(\ell)}=O(m^c)$, $c>0$ a constant."
)
_assumption = Claim(
    "zlb22.ass3.5@A",
    Kind.ASSUMPTION,
    printed("Assumption 3.5"),
    "in-degrees polynomial in the width",
    POLYNOMIAL,
    (),
    ("zlb22.def2.7@A",),
    reading="A",
    reading_text="the words: over every neuron outside of the input layer",
    examples=in_degrees,
)

CLAIMS = (*_definitions, _remark, _deep, _degrees, _assumption)
