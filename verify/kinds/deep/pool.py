"""The pool of fully connected networks: depth, widths, weights in many manners, points.

Manners of weights (of which a case takes one): like rounded Gaussians at several scales, signed
permutations and Pythagorean rotations times a scale, near them, chains of diagonal matrices, a
path of low rank plus a perturbation, neurons that are dead or barely alive, small values of a
finite set, large and small layers in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.losses import PRESCRIBED
from verify.kinds.deep.changes import GAPS, SLOPES
from verify.kinds.deep.networks import Deep, depth_of, number, width_axis

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Rows = list[list[Fraction]]
Adapt = Callable[[Any, Random], Any]
SMALL = tuple(map(Fraction, ("0", "1/10", "-1/10", "1/2", "-1/2", "3/5", "4/5", "-4/5", "1", "-1")))
TURNS = ((Fraction(3, 5), Fraction(4, 5)), (Fraction(5, 13), Fraction(12, 13)))
LISTED_SLOPES = (Fraction(0), Fraction(1, 2), Fraction(-1, 2))
LISTED_GAPS = (Fraction(0), Fraction(1))
DEEP = (8, 12, 20)
FAR = 2**40
LAYOUT_DEPTHS = (1, 2, 3)  # of corners and of enumerated cases


@dataclass(frozen=True)
class DeepPool(TensorPool):
    """What networks a claim speaks of.

    depths: how deep, one of these; widest: neurons of a layer at most. points: N, one of these.
    inputs, outputs: n_0 and n_L at most. extras: other arrays with their axes ("nL" is the last
    layer). gaps: numbers drawn from a ladder of values at least 0. whole: integers with their
    ends (k and the like; hypotheses set them). biases: whether there are any. last: a change of
    every network, whatever made it (beside `adapt`, which makes it a `Deep`).
    """

    depths: tuple[int, ...] = (1, 2, 2, 3, 3, 4, 5)
    widest: int = 3
    points: tuple[int, ...] = (1, 2)
    inputs: int = 3
    outputs: int = 3
    extras: tuple[tuple[str, tuple[str, ...]], ...] = ()
    gaps: tuple[str, ...] = ()
    whole: tuple[tuple[str, int, int], ...] = ()
    biases: bool = True
    last: Adapt | None = None
    layout: int = 2
    arrays: tuple[tuple[str, tuple[str, ...]], ...] = field(init=False, default=())
    integers: tuple[tuple[str, int, int], ...] = field(init=False, default=())
    adapt: Adapt | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        layers = range(1, self.layout + 1)
        arrays: list[tuple[str, tuple[str, ...]]] = []
        arrays += [(f"W{k}", (width_axis(k), width_axis(k - 1))) for k in layers]
        arrays += [(f"b{k}", (width_axis(k),)) for k in layers]
        arrays += [("a", ()), ("X", ("N", width_axis(0)))]
        arrays += [(name, self._axes(axes, self.layout)) for name, axes in self.extras]
        arrays += [(name, ()) for name in self.gaps]
        object.__setattr__(self, "arrays", tuple(arrays))
        object.__setattr__(self, "integers", self.whole)
        object.__setattr__(self, "largest", self.widest)
        object.__setattr__(self, "adapt", self._as_network)

    @staticmethod
    def _axes(axes: tuple[str, ...], depth: int) -> tuple[str, ...]:
        return tuple(width_axis(depth) if axis == "nL" else axis for axis in axes)

    def layouts(self) -> Iterator[DeepPool]:
        """The pool at each depth of which corners are made and small cases are listed."""
        for depth in LAYOUT_DEPTHS:
            if depth in self.depths:
                yield replace(self, layout=depth)

    def values_of(self, name: str, values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Slopes inside (-1, 1), gaps of at least 0, no biases where there are none."""
        if name == "a":
            return LISTED_SLOPES
        if name in self.gaps:
            return LISTED_GAPS
        if not self.biases and name[0] == "b" and name[1:].isdigit():
            return LISTED_GAPS[:1]
        return values

    def _as_network(self, case: Tensors, random: Random) -> Deep:
        """Any arrays of a network as a network, its slope inside (-1, 1) where it is not."""
        slope = case.arrays["a"]
        if not -1 < slope.entries[0] < 1:
            slope = replace(slope, entries=(random.choice(SLOPES),))
        arrays = {**case.arrays, "a": slope}
        for name in self.gaps:
            size = abs(arrays[name].entries[0])
            arrays[name] = replace(arrays[name], entries=(size,))
        if not self.biases:
            for name, array in arrays.items():
                if name[0] == "b" and name[1:].isdigit():
                    arrays[name] = replace(array, entries=(Fraction(0),) * len(array.entries))
        found = Deep(arrays, case.choice, case.family)
        return found if self.last is None else self.last(found, random)

    # drawing -------------------------------------------------------------------------------------
    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Deep:
        """One random network."""
        depths = self.depths if large else [depth for depth in self.depths if depth <= 3]
        depth = random.choice(depths or self.depths)
        widest = self.widest if large else min(2, self.widest)
        return self._drawn(depth, widest, random)

    def draw_deep(self, random: Random) -> Deep:
        """A narrow network that is much deeper than the others, with points so far from the origin
        in some cases that what small weights leave of them is not small."""
        deepest = DEEP if max(self.depths) > 1 else self.depths
        case = self._drawn(random.choice(deepest), min(2, self.widest), random)
        if random.random() < 0.3:
            far = tuple(value * FAR for value in case.arrays["X"].entries)
            case = case.changing(X=replace(case.arrays["X"], entries=far))
        return case

    def draw_trained(self, random: Random) -> Deep:
        """A network that was trained (without its biases where there are none), at random points
        near those that it fits."""
        from verify.kinds.deep.trained import trained_networks

        found = random.choice(trained_networks())
        arrays: dict[str, Tensor] = {}
        for k, (weight, bias) in enumerate(zip(found.weights, found.biases, strict=True), 1):
            axes: tuple[str, ...] = (width_axis(k), width_axis(k - 1))
            entries = tuple(entry for row in weight for entry in row)
            arrays[f"W{k}"] = Tensor(axes, (len(weight), len(weight[0])), entries)
            shift = bias if self.biases else (Fraction(0),) * len(bias)
            arrays[f"b{k}"] = Tensor(axes[:1], (len(bias),), shift)
        arrays["a"] = Tensor((), (), (found.slope,))
        rows = random.sample(found.points, min(len(found.points), random.choice(self.points)))
        flat = tuple(entry for row in rows for entry in row)
        arrays["X"] = Tensor(("N", width_axis(0)), (len(rows), len(rows[0])), flat)
        return self._completed(arrays, "trained", max(map(len, found.biases)), random)

    def _drawn(self, depth: int, widest: int, random: Random) -> Deep:
        widths = self._widths(depth, widest, random)
        manner = random.choice(sorted(MANNERS))
        if set(widths) == {1}:
            manner = "chain"
        weights = MANNERS[manner](widths, random)
        arrays: dict[str, Tensor] = {}
        size = random.choice((Fraction(0), Fraction(1, 8), Fraction(1))) if self.biases else 0
        for k, weight in enumerate(weights, start=1):
            axes: tuple[str, ...] = (width_axis(k), width_axis(k - 1))
            entries = tuple(entry for row in weight for entry in row)
            arrays[f"W{k}"] = Tensor(axes, (widths[k], widths[k - 1]), entries)
            shift = tuple(gaussian(random) * size for _ in range(widths[k]))
            arrays[f"b{k}"] = Tensor(axes[:1], (widths[k],), shift)
        plain = Fraction(random.randint(-15, 15), 16)
        slope = random.choice((Fraction(0), random.choice(SLOPES), plain))
        arrays["a"] = Tensor((), (), (slope,))
        count = random.choice(self.points)
        arrays["X"] = self._points(count, widths[0], random)
        return self._completed(arrays, manner, widest, random)

    def _completed(
        self, arrays: dict[str, Tensor], family: str, widest: int, random: Random
    ) -> Deep:
        """With the other arrays and numbers that the claim asks for, and its last change."""
        lengths = {
            axis: length
            for array in arrays.values()
            for axis, length in zip(array.axes, array.shape, strict=True)
        }
        for name, axes in self.extras:
            named = self._axes(axes, depth_of(arrays))
            shape = tuple(lengths.setdefault(axis, random.randint(1, widest)) for axis in named)
            total = 1
            for length in shape:
                total *= length
            arrays[name] = Tensor(named, shape, tuple(gaussian(random) for _ in range(total)))
        tight = random.random() < 0.5  # the least constants that there are
        arrays |= {name: number(0 if tight else random.choice(GAPS)) for name in self.gaps}
        for name, low, high in self.whole:
            arrays[name] = number(random.randint(low, high), integer=True)
        case = Deep(arrays, {}, family)
        return case if self.last is None else self.last(case, random)

    def _widths(self, depth: int, widest: int, random: Random) -> list[int]:
        inner = min(widest, random.choice((1, 2, 3, widest)))
        same = random.random() < 0.5
        hidden = [inner if same else random.randint(1, widest) for _ in range(depth - 1)]
        ends = (min(self.inputs, widest), min(self.outputs, widest))
        first, last = (
            min(end, inner) if same and random.random() < 0.5 else random.randint(1, end)
            for end in ends
        )
        return [first, *hidden, last]

    def _points(self, count: int, width: int, random: Random) -> Tensor:
        """Generic points, near or far from the origin, or close to each other."""
        size = random.choice((Fraction(1, 4), Fraction(1), Fraction(1), Fraction(8)))
        base = [gaussian(random) * size for _ in range(width)]
        near = random.random() < 0.4
        entries = list(base)
        if not near and random.random() < 0.4:  # one of them at another distance than the others
            entries = [value * 8 for value in base]
        for _ in range(count - 1):
            step = [gaussian(random) * (size / 8 if near else size) for _ in range(width)]
            entries += [b + s for b, s in zip(base, step, strict=True)] if near else step
        return Tensor(("N", width_axis(0)), (count, width), tuple(entries))

    def drawn(self) -> SearchStrategy[Tensors]:
        """Small networks for the guided search: depth, widths and every number drawn."""
        from hypothesis import strategies as st

        from verify.cases.strategies import drawn_tensors

        return st.sampled_from(list(self.layouts()) or [self]).flatmap(drawn_tensors)

    def scope(self) -> tuple[str, ...]:
        """Depths, widths, points, slopes."""
        return self.scope_with("drawn at random")

    def scope_with(self, more: str) -> tuple[str, ...]:
        """The same, and what is drawn beside."""
        depths = f"depth {min(self.depths)} to {max(self.depths)}"
        biases = "with and without" if self.biases else "without"
        words = f"{depths}, widths 1 to {self.widest}, {biases} biases, leaky ReLU of any slope"
        return (
            f"fully connected networks, {words}; {more}",
            f"{min(self.points)} to {max(self.points)} points",
        )

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The last change of every network."""
        return {} if self.last is None else {"last": self.last}


def pool(**options: Any) -> DeepPool:
    """A pool; one loss, one number of examples: both belong to other instances."""
    return DeepPool(examples=(1,), losses=(PRESCRIBED,), **options)


# manners of weights -------------------------------------------------------------------------------
def gaussian(random: Random) -> Fraction:
    """A rounded Gaussian."""
    return Fraction(round(random.gauss(0, 1) * 16), 16)


def _filled(rows: int, columns: int, make: Callable[[], Fraction]) -> Rows:
    return [[make() for _ in range(columns)] for _ in range(rows)]


def _gaussians(widths: list[int], random: Random) -> list[Rows]:
    size = random.choice((Fraction(1, 2), Fraction(1), Fraction(1), Fraction(2)))
    return [_filled(m, n, lambda: gaussian(random) * size) for n, m in pairwise(widths)]


def _small(widths: list[int], random: Random) -> list[Rows]:
    return [_filled(m, n, lambda: random.choice(SMALL)) for n, m in pairwise(widths)]


def rotation(size: int, random: Random) -> Rows:
    """A rational orthogonal matrix: a signed permutation, turned in one plane."""
    places = random.sample(range(size), size)
    matrix = [
        [Fraction(random.choice((1, 1, -1))) if j == p else Fraction(0) for j in range(size)]
        for p in places
    ]
    if size > 1 and random.random() < 0.6:
        i, j = random.sample(range(size), 2)
        c, s = random.choice(TURNS)
        one, two = matrix[i], matrix[j]
        matrix[i] = [c * x - s * y for x, y in zip(one, two, strict=True)]
        matrix[j] = [s * x + c * y for x, y in zip(one, two, strict=True)]
    return matrix


def _isometries(widths: list[int], random: Random) -> list[Rows]:
    """Parts of orthogonal matrices, all times one scale."""
    scale = random.choice((Fraction(1), Fraction(1), Fraction(9, 10), Fraction(11, 10)))
    found = []
    for n, m in pairwise(widths):
        whole = rotation(max(m, n), random)
        found.append([[entry * scale for entry in row[:n]] for row in whole[:m]])
    return found


def _near_isometries(widths: list[int], random: Random) -> list[Rows]:
    noise = random.choice((Fraction(1, 64), Fraction(1, 8)))
    return [
        [[entry + noise * gaussian(random) for entry in row] for row in weight]
        for weight in _isometries(widths, random)
    ]


def _diagonals(widths: list[int], random: Random) -> list[Rows]:
    """Parallel chains of positive or mixed weights."""
    mixed = random.random() < 0.5
    found = []
    for n, m in pairwise(widths):
        entries = [
            (random.choice((-1, 1)) if mixed else 1) * Fraction(random.randint(1, 24), 12)
            for _ in range(min(m, n))
        ]
        zero = Fraction(0)
        found.append([[entries[i] if i == j else zero for j in range(n)] for i in range(m)])
    return found


def _low_rank(widths: list[int], random: Random) -> list[Rows]:
    """A path of rank one, or of two, through all layers, perturbed or not."""
    rank = random.randint(1, 2)
    noise = random.choice((Fraction(0), Fraction(1, 16)))
    left = [[abs(gaussian(random)) for _ in range(rank * width)] for width in widths]
    found = []
    for k, (n, m) in enumerate(pairwise(widths)):
        found.append(
            [
                [
                    sum(
                        (left[k + 1][rank * i + r] * left[k][rank * j + r] for r in range(rank)),
                        noise * gaussian(random),
                    )
                    for j in range(n)
                ]
                for i in range(m)
            ]
        )
    return found


def _sparse(widths: list[int], random: Random) -> list[Rows]:
    """Most weights 0, so that neurons are dead on some or on all points."""
    return [
        _filled(m, n, lambda: gaussian(random) if random.random() < 0.4 else Fraction(0))
        for n, m in pairwise(widths)
    ]


def _uneven(widths: list[int], random: Random) -> list[Rows]:
    """Isometries with scales that differ from layer to layer."""
    scales = [random.choice((Fraction(1, 4), Fraction(1), Fraction(3))) for _ in widths]
    return [
        [[entry * scale for entry in row] for row in weight]
        for weight, scale in zip(_isometries(widths, random), scales, strict=False)
    ]


def _positive(widths: list[int], random: Random) -> list[Rows]:
    """All weights at least 0: the network is linear where inputs are."""
    return [_filled(m, n, lambda: abs(gaussian(random))) for n, m in pairwise(widths)]


def _copies(widths: list[int], random: Random) -> list[Rows]:
    """Every weight of a layer the same."""
    return [[[value] * n] * m for n, m in pairwise(widths) for value in (gaussian(random),)]


MANNERS: dict[str, Callable[[list[int], Random], list[Rows]]] = {
    "Gaussian": _gaussians,
    "small values": _small,
    "isometries": _isometries,
    "near isometries": _near_isometries,
    "parallel chains": _diagonals,
    "chain": _diagonals,
    "low rank": _low_rank,
    "dead neurons": _sparse,
    "uneven scales": _uneven,
    "positive": _positive,
    "equal weights": _copies,
}
