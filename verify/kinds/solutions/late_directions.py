"""Late directions of the flow, made rational: where candidates for exact rays come from.

Late in training with an exponential tail the flow follows sum_j a_j y_j dnu(x_j)/dw with weights
a_j concentrated on the smallest margins. Its direction is followed in float64, normalised; then
the limit is scaled so that some weight is 1, and rounded to plain rationals. Whether it is a ray is
for exact arithmetic to say (verify.kinds.solutions.rays).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import isqrt, lcm
from random import Random

import numpy as np

from verify.cases.case import Case
from verify.kinds.solutions.rays import float_gradient

Row = tuple[Fraction, ...]
STEPS = 240
SNAPSHOTS = (0, 3, 15, 60)
CLOSE = 3e-3
MOST_UNITS = 6
OPPOSED_TRIES = 60


def late_directions(
    cases: Sequence[Case], starting: Sequence[np.ndarray], steps: int = STEPS
) -> list[list[np.ndarray]]:
    """For each case directions of the flow (P,) from its start, after few steps and after many (a
    ray need not attract); those where the margins are about equal and positive."""
    import torch

    from numerics.blocks import Blocks
    from numerics.program import compile_networks

    program = compile_networks([case.network for case in cases])
    examples = program.examples(
        [np.array(case.inputs, dtype=float) for case in cases],
        [np.array(case.labels, dtype=float) for case in cases],
    )
    labels = examples.labels.wide().numpy()
    valid = examples.labels.valid().numpy()
    owner = np.repeat(np.arange(len(cases)), np.diff(program.parameter_offsets))

    def unit(flat: np.ndarray) -> np.ndarray:
        sizes = np.sqrt(np.bincount(owner, flat * flat, len(cases)))
        return np.asarray(flat / np.maximum(sizes, 1e-12)[owner])

    weights = unit(np.concatenate(starting))
    found: list[list[np.ndarray]] = [[] for _ in cases]
    for step in range(steps):
        outputs = program.forward(weights, examples)
        margins = np.where(valid, labels * outputs.wide().numpy(), np.inf)
        least = margins.min(axis=1, keepdims=True)
        size = np.where(valid, np.abs(margins), 0).max(axis=1, keepdims=True)
        excess = np.where(valid, margins - least, 0) / np.maximum(size, 1e-12)
        shares = np.where(valid, np.exp(-excess * (4 + step / 4)) * labels, 0)
        if step in SNAPSHOTS or step == steps - 1:
            high = np.where(valid, margins, -np.inf).max(axis=1)
            good = (least[:, 0] > 0) & (high - least[:, 0] < 0.05 * high)
            parts = np.split(weights, program.parameter_offsets[1:-1])
            for c in np.flatnonzero(good):
                found[c].append(parts[c])
        pulls = Blocks.from_wide(torch.from_numpy(shares), outputs.rows, outputs.counts)
        pull = program.gradient(weights, examples, pulls).numpy()
        weights = unit(weights + 0.5 / (1 + step / 15) * unit(pull))
    return found


def rounded(case: Case, weights: np.ndarray) -> Iterator[tuple[Fraction, ...]]:
    """Plain rational points near multiples of a direction: with a weight scaled to 1, the others
    small fractions, or multiples of what the data are multiples of."""
    unit = lcm(*(value.denominator for row in case.inputs for value in row))
    grids = sorted({1, 2, unit, 2 * unit, unit * unit})
    seen: set[tuple[Fraction, ...]] = set()
    largest = float(np.abs(weights).max())
    sizes = {round(float(s) / largest, 4) for s in np.abs(weights) if s > 0.05 * largest}
    for size in sorted(sizes, reverse=True)[:MOST_UNITS]:
        scaled = weights / (size * largest)
        for grid in grids:
            whole = np.round(scaled * grid)
            if not np.abs(whole / grid - scaled).max() < CLOSE:
                continue
            point = tuple(Fraction(int(number), grid) for number in whole)
            if point not in seen and _looks_like_a_ray(case, point):
                seen.add(point)
                yield point


def _looks_like_a_ray(case: Case, point: Sequence[Fraction]) -> bool:
    """Whether margins are equal and the pull is along the weights, in float64."""
    weights = np.array(point, dtype=float)
    values, gradients = float_gradient(case.network, weights, np.array(case.inputs, dtype=float).T)
    labels = np.array(case.labels, dtype=float)
    margins, pull = labels * values, gradients @ labels
    rate = pull @ weights / max(weights @ weights, 1e-12)
    off = np.abs(pull - rate * weights).max() + np.ptp(margins)
    return bool(off < 1e-9 * max(1.0, np.abs(pull).max()))


def starts(case: Case, random: Random) -> Iterator[np.ndarray]:
    """Where to start: small integers, normal numbers, and layers that look at single examples."""
    count = case.network.parameter_count
    yield example_start(case, random)
    yield np.array([random.choice((-2, -1, 1, 2)) for _ in range(count)], dtype=float)
    yield np.array([random.gauss(0, 1) for _ in range(count)])


def example_start(case: Case, random: Random) -> np.ndarray:
    """Each vertex that reads the inputs alone points at an example and leaves with the sign of its
    label; edges from inputs past such vertices start at 0, all others at 1 or -1."""
    net = case.network
    weights = np.array([random.choice((-1, 1)) for _ in net.parameter_names], dtype=float)
    place = {v: k for k, v in enumerate(net.free_inputs)}
    turn = random.randrange(case.example_count)
    for e, p in enumerate(net.parameter_of):
        if net.tails[e] in place and any(
            net.tails[f] not in place for f in net.in_edges[net.heads[e]]
        ):
            weights[p] = 0
    for v in net.inner:
        edges = list(net.in_edges[v])
        if not all(net.tails[e] in place for e in edges):
            continue
        row = case.inputs[turn % case.example_count]
        label = case.labels[turn % case.example_count]
        turn += 1
        for e in edges:
            weights[net.parameter_of[e]] = float(row[place[net.tails[e]]])
        for e in net.out_edges[v]:
            weights[net.parameter_of[e]] = float(label) * abs(weights[net.parameter_of[e]])
    return weights


# data -------------------------------------------------------------------------------------------
def unit_row(width: int, random: Random) -> Row:
    """A rational vector of norm 1: integers whose squares add up to a square."""
    while True:
        numbers = [random.randint(-4, 4) for _ in range(width)]
        if width == 2 and random.random() < 0.8:
            numbers = list(random.choice(((3, 4), (4, 3), (5, 12), (12, 5), (8, 15))))
            numbers = [n * random.choice((1, -1)) for n in numbers]
        square = sum(n * n for n in numbers)
        root = isqrt(square)
        if root and root * root == square:
            return tuple(Fraction(n, root) for n in numbers)


def unit_rows(width: int, count: int, random: Random) -> tuple[Row, ...]:
    """Rational vectors of norm 1: any ones, or one and signed permutations of it."""
    first = unit_row(width, random)
    rows = [first]
    while len(rows) < count:
        if random.random() < 0.4:
            rows.append(unit_row(width, random))
        else:
            order = random.sample(range(width), width)
            rows.append(tuple(first[k] * random.choice((1, -1)) for k in order))
    return tuple(rows)


def opposed_rows(width: int, count: int, random: Random) -> tuple[Row, ...]:
    """Rational vectors of norm 1, each pair at an obtuse angle where some were found."""
    for _ in range(OPPOSED_TRIES):
        rows = unit_rows(width, count, random)
        products = (_product(a, b) for a, b in combinations(rows, 2))
        if all(product < 0 for product in products):
            return rows
    return rows


def _product(first: Row, second: Row) -> Fraction:
    return sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))


def obtuse_rows(count: int, random: Random) -> tuple[Row, ...]:
    """An even number of rational unit vectors in count + 1 dimensions, each pair at an obtuse
    angle, with sum 0: e_k - 1/count, and one coordinate more, half of them up and half down.

    Its height h has (count - 1)/count + h^2 a rational square r^2 with h^2 < 1/count: with
    r - h = t and r + h = (count - 1)/(count t), for t near the root of (count - 1)/count.
    """
    share = Fraction(count - 1, count)
    best: tuple[Fraction, Fraction] | None = None
    for denominator in random.sample(range(2, 12), 10):
        t = Fraction(int(float(share) ** 0.5 * denominator), denominator)
        if t:
            height, norm = (share / t - t) / 2, (share / t + t) / 2
            if 0 < height * height < Fraction(1, count):
                best = (height, norm)
                break
    if best is None or count % 2:
        return unit_rows(count, count, random)
    height, norm = best
    up = set(random.sample(range(count), count // 2))
    return tuple(
        (
            *((Fraction(k == j) - Fraction(1, count)) / norm for j in range(count)),
            (height if k in up else -height) / norm,
        )
        for k in range(count)
    )
