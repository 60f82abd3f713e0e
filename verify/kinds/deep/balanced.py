"""Balanced networks over the rationals, and the hypotheses that ask for them.

Balanced: |W_(l,i.)|^2 + b_(l,i)^2 = |W_(l+1,.i)|^2 for each hidden neuron i of each layer l. A
network that is not is made such exactly, with the widths that it has: r paths run through the
hidden layers, path j with a scale s_j, so that W_l = Q_l R S Q_(l-1)^T with S = diag(s) and Q_l of
r orthonormal rational columns (a signed permutation or a product of rotations), R a rotation where
the scales are equal. Row i of W_l and column i of W_(l+1) then have the norm of row i of Q_l S. At
the ends the rows of W_1 are s_j times unit vectors of the inputs, the columns of W_L unit vectors
of the outputs; the last bias is free.

Biases: where Q_l is a signed permutation or r = 1, the bias of a neuron whose row has norm s may
be t s with 1 + t^2 a square, and the scale grows by its root from there on. A path may begin at a
hidden neuron whose row is 0, with a bias alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from verify.cases.tensors import Tensor
from verify.kinds.deep.networks import NUMBERED, Deep
from verify.kinds.deep.pool import TURNS, rotation

Rows = list[list[Fraction]]
SCALES = tuple(
    map(
        Fraction, ("1/10", "1/5", "1/3", "1/2", "3/4", "9/10", "1", "11/10", "5/4", "3/2", "2", "3")
    )
)
SMALL_SCALES = SCALES[:4]  # so that the norm is below k L
MANY_LAYERS = 6
GROWTHS = tuple(  # a bias in units of the norm of the row, and what the scale becomes
    (Fraction(t), Fraction(g))
    for t, g in (("0", "1"), ("3/4", "5/4"), ("5/12", "13/12"), ("9/40", "41/40"), ("4/3", "5/3"))
)
FACTORS = tuple(map(Fraction, ("1/2", "3/4", "10/11", "11/10", "5/4", "3/2", "2", "3")))
ZERO, ONE = Fraction(0), Fraction(1)


def imbalances(case: Deep) -> Iterator[Any]:
    """|W_(l,i.)|^2 + b_(l,i)^2 - |W_(l+1,.i)|^2 of all hidden neurons, layer by layer; rationals of
    graphs.arithmetic."""
    for layer in range(1, case.depth):
        before, after = case.matrix(f"W{layer}"), case.matrix(f"W{layer + 1}")
        shift = case.matrix(f"b{layer}")
        yield from (before * before).sum(axis=1) + shift * shift - (after * after).sum(axis=0)


def is_balanced(case: Deep) -> bool:
    """Whether every hidden neuron is balanced."""
    return not any(imbalances(case))


# building -----------------------------------------------------------------------------------------
def dense_rotation(size: int, random: Random) -> Rows:
    """A rational orthogonal matrix, as a rule without an entry 0: turned in one plane after the
    other."""
    matrix = rotation(size, random)
    for i, j in combinations(range(size), 2):
        c, s = random.choice(TURNS)
        one, two = matrix[i], matrix[j]
        matrix[i] = [c * x - s * y for x, y in zip(one, two, strict=True)]
        matrix[j] = [s * x + c * y for x, y in zip(one, two, strict=True)]
    return matrix


def unit_vector(size: int, random: Random) -> list[Fraction]:
    """A rational unit vector: a row of a rotation."""
    return (rotation if random.random() < 0.5 else dense_rotation)(size, random)[0]


def _frame(size: int, count: int, random: Random, *, plain: bool, positive: bool) -> Rows:
    """A matrix (size, count) of orthonormal columns, without a row 0 unless it has to be plain.
    plain: of one entry for each column. positive: those entries, or those of a single column."""
    if plain or (size == count and random.random() < 0.4):
        places = random.sample(range(size), count) if random.random() < 0.5 else range(count)
        matrix = [[ZERO] * count for _ in range(size)]
        for j, i in enumerate(places):
            matrix[i][j] = ONE if positive else Fraction(random.choice((1, 1, -1)))
        return matrix
    whole = dense_rotation(size, random)
    if positive and count == 1:
        whole = [[abs(e) for e in row] for row in whole]
    return [row[:count] for row in whole]


class _Paths:
    """r paths through the hidden layers, with the scale of each so far."""

    def __init__(self, case: Deep, random: Random) -> None:
        self.widths, self.depth, self.random = case.widths, case.depth, random
        hidden = self.widths[1:-1]
        most = min(hidden)
        self.count = random.choice((most, most, 1, random.randint(1, most)))
        self.positive = random.random() < 0.6
        biased = any(any(case.arrays[f"b{layer}"].entries) for layer in range(1, self.depth))
        self.biased = biased and random.random() < 0.8
        ends = self.widths[0] < self.count, self.widths[-1] < self.count
        if (any(ends) or self.biased) and {*hidden} != {self.count}:
            self.count, ends = 1, (False, False)  # else there would be neurons without a path
        self.plain = self.count > 1 and (self.biased or random.random() < 0.4)
        equal = random.random() < 0.6
        many = SMALL_SCALES if self.depth > MANY_LAYERS and random.random() < 0.5 else SCALES
        scales = [random.choice((ONE, random.choice(many))) for _ in range(self.count)]
        self.scales = [scales[0]] * self.count if equal else scales
        self.late = {
            j: random.randint(1, self.depth - 1)
            for j in range(self.count)
            if self.biased and (self.plain or self.count == 1) and random.random() < 0.15
        }
        self.frames = [
            _frame(
                width,
                self.count,
                random,
                plain=self.plain or (k == 0 and ends[0]) or (k == len(hidden) - 1 and ends[1]),
                positive=self.positive,
            )
            for k, width in enumerate(hidden)
        ]

    def unborn(self, path: int, layer: int) -> bool:
        """Whether the row of a path in a layer is 0: it begins there, or later."""
        return layer <= self.late.get(path, 0)

    def first(self) -> Rows:
        """R S times a matrix (r, n_0) of unit rows; orthonormal where that fits."""
        size, random = self.widths[0], self.random
        if size >= self.count:
            rows = rotation(size, random)[: self.count]
            if self.positive and random.random() < 0.5:
                rows = [[Fraction(i == j) for j in range(size)] for i in range(self.count)]
        else:
            rows = [unit_vector(size, random) for _ in range(self.count)]
        return [
            [ZERO if self.unborn(j, 1) else self.scales[j] * e for e in row]
            for j, row in enumerate(rows)
        ]

    def middle(self, layer: int) -> Rows:
        """R S, (r, r): what carries the paths to a layer."""
        equal = len(set(self.scales)) == 1 and not self.late
        turned = equal and not self.positive and self.random.random() < 0.4
        mix = (
            rotation(self.count, self.random)
            if turned
            else [[Fraction(i == j) for j in range(self.count)] for i in range(self.count)]
        )
        return [
            [ZERO if self.unborn(i, layer) else e * self.scales[j] for j, e in enumerate(row)]
            for i, row in enumerate(mix)
        ]

    def last(self) -> Rows:
        """A matrix (n_L, r) with columns of norm s_j; orthogonal where that fits."""
        size, random = self.widths[-1], self.random
        if size >= self.count:
            columns = rotation(size, random)[: self.count]
            if self.positive and random.random() < 0.5:
                columns = [[Fraction(i == j) for j in range(size)] for i in range(self.count)]
        else:
            columns = [unit_vector(size, random) for _ in range(self.count)]
        return [[self.scales[j] * columns[j][i] for j in range(self.count)] for i in range(size)]

    def bias(self, layer: int) -> list[Fraction]:
        """b_l; the scales grow by it."""
        frame, random = self.frames[layer - 1], self.random
        shift = [ZERO] * len(frame)
        if not self.biased or not (self.plain or self.count == 1):
            return shift
        for j in range(self.count):
            if layer == self.late.get(j, 0):
                part = self.scales[j]
            elif self.unborn(j, layer):
                continue
            else:
                t, growth = random.choice(GROWTHS)
                part = t * self.scales[j]
                self.scales[j] *= growth
            for i, row in enumerate(frame):
                shift[i] += part * row[j] * random.choice((1, 1, -1))
        return shift


def _times(one: Rows, other: Rows) -> Rows:
    columns = _transposed(other)
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), ZERO) for column in columns]
        for row in one
    ]


def _transposed(matrix: Rows) -> Rows:
    return [list(column) for column in zip(*matrix, strict=True)]


def balanced(case: Deep, random: Random) -> Deep:
    """A balanced network of the same widths, with biases only where it had some; the case itself
    where it is balanced. What the equations tie is held."""
    if case.depth == 1:
        return case
    if is_balanced(case):
        tied = {
            name: replace(array, held=True)
            for name, array in case.arrays.items()
            if _tied(name, case.depth)
        }
        return case.changing(**tied)
    paths = _Paths(case, random)
    arrays = dict(case.arrays)
    before: Rows | None = None
    for layer in range(1, case.depth + 1):
        if layer == case.depth:
            carried = paths.last()
        else:
            carried = paths.first() if before is None else paths.middle(layer)
            carried = _times(paths.frames[layer - 1], carried)
        weight = carried if before is None else _times(carried, _transposed(before))
        _put(arrays, f"W{layer}", [e for row in weight for e in row])
        if layer < case.depth:
            before = paths.frames[layer - 1]
            _put(arrays, f"b{layer}", paths.bias(layer))
    return balanced(Deep(arrays, case.choice, "balanced"), random)


def _tied(name: str, depth: int) -> bool:
    """Whether the balance equations speak of an array: all weights, and all biases but the last."""
    return NUMBERED.fullmatch(name) is not None and name[0] in "Wb" and name != f"b{depth}"


def _put(arrays: dict[str, Tensor], name: str, entries: list[Fraction]) -> None:
    arrays[name] = replace(arrays[name], entries=tuple(entries))


def along_the_depth(case: Deep, random: Random) -> Deep:
    """Rescaled along the depth, which keeps the function: the rows and biases of a neuron times a
    factor, its column in the next layer divided by it; or of a whole layer, or of several."""
    if case.depth == 1:
        return case
    factor = random.choice(FACTORS)
    first = random.randint(1, case.depth - 1)
    span = random.choice((1, 1, case.depth - first))
    neuron = None if random.random() < 0.6 else random.randrange(case.widths[first])
    arrays = dict(case.arrays)
    for layer in range(first, first + (span if neuron is None else 1)):
        _rescale(arrays, case.widths, layer, neuron, factor)
    return Deep(arrays, case.choice, case.family)


def _rescale(
    arrays: dict[str, Tensor],
    widths: tuple[int, ...],
    layer: int,
    neuron: int | None,
    factor: Fraction,
) -> None:
    chosen = range(widths[layer]) if neuron is None else (neuron,)
    before, width = widths[layer - 1], widths[layer]
    rows = list(arrays[f"W{layer}"].entries)
    shift = list(arrays[f"b{layer}"].entries)
    columns = list(arrays[f"W{layer + 1}"].entries)
    for i in chosen:
        rows[i * before : (i + 1) * before] = [factor * e for e in rows[i * before :][:before]]
        shift[i] *= factor
        columns[i::width] = [e / factor for e in columns[i::width]]
    _put(arrays, f"W{layer}", rows)
    _put(arrays, f"b{layer}", shift)
    _put(arrays, f"W{layer + 1}", columns)


# spread -------------------------------------------------------------------------------------------
def spread_excess(case: Deep) -> Fraction:
    """The least delta >= 0 with sum_(j <= l) |W_j|_F^2 / l <= (1 + delta) |theta|^2 / L for all l;
    0 where all parameters are 0."""
    squares = [
        sum((e * e for e in case.arrays[f"W{k}"].entries), ZERO) for k in range(1, case.depth + 1)
    ]
    biases = (case.arrays[f"b{k}"].entries for k in range(1, case.depth + 1))
    whole = sum(squares, ZERO) + sum((e * e for entries in biases for e in entries), ZERO)
    if whole == 0:
        return ZERO
    averages = (sum(squares[:k], ZERO) / k for k in range(1, case.depth + 1))
    return max(ZERO, max(averages) * case.depth / whole - 1)


def made_spread(case: Deep, random: Random) -> Deep:
    """Balanced, and then the weights of later layers made larger."""
    if spread_excess(case) == 0:
        return case
    case = balanced(case, random)
    for _ in range(random.randint(0, 2)):
        moved = along_the_depth(case, random)
        if spread_excess(moved) == 0:
            case = moved
    return case


def made_uneven(case: Deep, random: Random) -> Deep:
    """The first layer larger, the second smaller, until the first one outweighs the average."""
    arrays = dict(case.arrays)
    for _ in range(6 if case.depth > 1 else 0):
        _rescale(arrays, case.widths, 1, None, Fraction(3))
        if spread_excess(Deep(arrays, case.choice, case.family)) > 0:
            break
    return Deep(arrays, case.choice, case.family)
