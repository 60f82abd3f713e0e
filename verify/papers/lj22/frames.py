"""What Theorem 1 supposes and measures: two matrices, active neurons, rates of Gram matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import Any

import numpy as np

from graphs.activations import LINEAR, RELU
from graphs.arithmetic import as_fraction
from verify.case import Case
from verify.hypotheses import DIFFERENTIABLE, Hypothesis, by_case, unchanged
from verify.layer_pieces import Matrix, Mismatch, chosen_pieces, flat
from verify.papers.lj22.items import Pairing, adjacent, pairing
from verify.transformations import freeze_edge, random_rational, rebuild
from verify.vocabulary import Entries, Row, Scene, constant_entries

LARGEST_MATRIX = 8  # entries of which every bijection is tried
TRIES = 6


def found_pairing(case: Case, rearrangement: str = "fixed") -> Pairing | None:
    """The matrices that the case chooses, or None."""
    try:
        return pairing(case, rearrangement)
    except Mismatch:
        return None


# measures ----------------------------------------------------------------------------------------
Rate = Callable[..., Any]  # product_rates, absolute_rates


def product_rates(scene: Scene, e: np.ndarray, f: np.ndarray, at: np.ndarray, size: int) -> Any:
    """(size,): the sum over the products at each place of d/dt (w_e w_f)."""
    w, v = scene.weights, scene.velocity
    return scene.arithmetic.sum_at(w[e] * v[f] + v[e] * w[f], at, size)


def absolute_rates(scene: Scene, e: np.ndarray, f: np.ndarray, at: np.ndarray, size: int) -> Any:
    """(size,): the sum over the products at each place of d/dt |w_e w_f|, at weights not 0."""
    w, v, sign = scene.weights, scene.velocity, scene.signs
    return scene.arithmetic.sum_at((w[e] * v[f] + v[e] * w[f]) * (sign[e] * sign[f]), at, size)


def gram_rate(scene: Scene, *, rearrangement: str = "fixed", rate: Rate = product_rates) -> Entries:
    """The entries of d/dt W_2^T W_2 - d/dt W_1 W_1^T, once for each pair of rows."""
    indices: list[tuple[int, int]] = []
    owner: list[int] = []
    products: tuple[list[tuple[int, int, int]], ...] = ([], [])
    for c, case in enumerate(scene.cases):
        found = found_pairing(case, rearrangement)
        if found is None:
            continue
        offset = int(scene.union.edge_offset[c])
        for p in range(len(found.shared)):
            for q in range(p + 1):
                for side, matrix in zip(products, (found.second, found.first), strict=True):
                    side += _products(matrix[p], matrix[q], offset, len(indices))
                indices.append((p, q))
                owner.append(c)
    left, right = (
        rate(scene, *np.array(side, dtype=np.int64).reshape(-1, 3).T, len(indices))
        for side in products
    )
    return matrix_entries(left, right, indices, owner)


def _products(
    one: Sequence[int | None], two: Sequence[int | None], offset: int, place: int
) -> list[tuple[int, int, int]]:
    pairs = zip(one, two, strict=True)
    return [(e + offset, f + offset, place) for e, f in pairs if e is not None and f is not None]


def matrix_entries(
    left: Any, right: Any, indices: Sequence[tuple[int, int]], owner: Sequence[int]
) -> Entries:
    """Entries of matrices: one for each pair of indices, which are counted from 1 in labels."""
    subjects = np.array(indices, dtype=np.int64).reshape(-1, 2)
    return Entries(
        left - right,
        left,
        np.array(owner, dtype=np.int64),
        "entry of a matrix",
        subjects,
        np.full(len(owner), -1, dtype=np.int64),
        lambda k: {"entry": [int(i) + 1 for i in subjects[k]]},
    )


def absolute_gram_rate(scene: Scene) -> Entries:
    """The entries of d/dt (|W_2^T W_2| - |W_1 W_1^T|), absolute values entry by entry; where an
    entry is 0 it has none."""
    rows: list[Row] = []
    w, v = (list(map(as_fraction, array)) for array in (scene.weights, scene.velocity))
    for c, case in enumerate(scene.cases):
        found = found_pairing(case)
        if found is None:
            continue
        offset = int(scene.union.edge_offset[c])
        for p in range(len(found.shared)):
            for q in range(p + 1):
                sides = [
                    _absolute_rate(w, v, _products(matrix[p], matrix[q], offset, 0))
                    for matrix in (found.second, found.first)
                ]
                if None not in sides:
                    rows.append((c, {"entry": [p + 1, q + 1]}, sides[0] - sides[1]))
    entries = constant_entries(scene, rows, "entry of a matrix")
    subjects = np.array([label["entry"] for _, label, _ in rows], dtype=np.int64).reshape(-1, 2)
    return replace(entries, subjects=subjects - 1)


def _absolute_rate(w: Any, v: Any, products: list[tuple[int, int, int]]) -> Any:
    """d/dt |sum w_e w_f|, None where the sum is 0."""
    value = sum(w[e] * w[f] for e, f, _ in products)
    rate = sum(w[e] * v[f] + v[e] * w[f] for e, f, _ in products)
    if value == 0:
        return 0 if not products else None
    return rate if value > 0 else -rate


def best_bijection(scene: Scene) -> Entries:
    """Reading A3: the least sum of squares of the entries of d/dt W_2^T W_2 - d/dt W_1 W_1^T, over
    all bijections of the entries of [U Z] to the places of W_2. 0 where some bijection works.

    Without an entry where the matrix has more than LARGEST_MATRIX entries, or they do not fill it.
    """
    rows: list[Row] = []
    for c, case in enumerate(scene.cases):
        found = found_pairing(case)
        if found is None:
            continue
        w, v = (list(map(as_fraction, array)) for array in (scene.weights, scene.velocity))
        edges = [e for row in flat(found.pieces[-1]) for e in row]
        channels = len(found.shared)
        if len(edges) > LARGEST_MATRIX or len(edges) % channels:
            continue
        pairs = [(0, 0) if e is None else (w[e], v[e]) for e in edges]
        wanted = [
            [
                sum(w[e] * v[f] + v[e] * w[f] for e, f, _ in _products(one, two, 0, 0))
                for two in found.first
            ]
            for one in found.first
        ]
        rows.append((c, {}, Fraction(least_mismatch(pairs, wanted))))
    return constant_entries(scene, rows)


def least_mismatch(pairs: Sequence[tuple[Any, Any]], wanted: Sequence[Sequence[Any]]) -> Any:
    """The least, over all ways to arrange the entries (w, dw/dt) to a matrix with as many columns
    as `wanted`, of the sum of squares of d/dt W^T W - wanted."""
    columns = len(wanted)
    height = len(pairs) // columns
    return min(
        sum(
            (sum(p[0] * q[1] + p[1] * q[0] for p, q in zip(one, two, strict=True)) - wanted[a][b])
            ** 2
            for a, one in enumerate(matrix)
            for b, two in enumerate(matrix)
        )
        for matrix in _arrangements(list(pairs), columns, height, first=True)
    )


def _arrangements(pairs: list[Any], columns: int, height: int, *, first: bool = False) -> Any:
    """Every way to fill the columns; the first column sorted, since the order of the rows is of
    no importance."""
    if not columns:
        yield []
        return
    choose = combinations if first else permutations
    for places in choose(range(len(pairs)), height):
        rest = [pair for k, pair in enumerate(pairs) if k not in places]
        for others in _arrangements(rest, columns - 1, height):
            yield [[pairs[k] for k in places], *others]


# hypotheses --------------------------------------------------------------------------------------
@cache
def architecture(items: tuple[str, ...], words: str, variants: tuple[str, ...]) -> Hypothesis:
    """The two matrices are those of one of these items, the shared neurons have no other edges.

    variants: of the residual blocks, but in item 3, which allows all.
    """

    def good(case: Case) -> bool:
        found = found_pairing(case)
        return (
            found is not None
            and case.choice["item"] in items
            and adjacent(case, found)
            and (
                case.choice["item"] == "3"
                or all(p.variant in variants for p in found.pieces if p.kind == "block")
            )
        )

    return Hypothesis("architecture", words, by_case(good), unchanged, skip_at_shared)


def skip_at_shared(case: Case, random: Random) -> Case:
    """An edge from a shared neuron to the output, where the output is no part of the pieces."""
    found = found_pairing(case)
    net = case.network
    if found is None:
        return case
    last = net.names[net.outputs[0]]
    tails = [net.names[v] for v in found.vertices]
    linked = {net.names[net.tails[e]] for e in net.in_edges[net.outputs[0]]}
    free = [tail for tail in tails if tail not in linked and tail != last]
    if not free:
        return case
    rows: list[Any] = [
        ((net.names[net.tails[e]], net.names[net.heads[e]]), net.parameter_of[e], net.fixed[e])
        for e in range(net.edge_count)
    ]
    rows.append(((random.choice(free), last), None, None))
    activations = dict(zip(net.names, net.activations, strict=True))
    return rebuild(net, rows, activations, case.weight_map(), case, random)


def _all_learnable(case: Case) -> bool:
    found = found_pairing(case)
    return found is not None and all(case.network.learnable(e) for e in found.edges)


LEARNABLE = Hypothesis(
    "matrices learnable",
    "all weights of $W_1$ and $W_2$ are learnable",
    by_case(_all_learnable),
    break_=freeze_edge,
)


def parameters_shared_in_convolutions(case: Case) -> bool:
    """Whether a parameter is shared only within a convolution (and the pieces are there)."""
    try:
        return bool(chosen_pieces(case))
    except Mismatch:
        return False


OWN_OUTSIDE_CONVOLUTIONS = Hypothesis(
    "own parameters outside of convolutions",
    "each learnable edge has a parameter of its own, but for those of a convolution",
    by_case(parameters_shared_in_convolutions),
)


def _shared_linear(case: Case) -> bool:
    found = found_pairing(case)
    net = case.network
    return found is not None and all(net.activations[v] == LINEAR for v in found.vertices)


def _with_shared(activation: Any) -> Callable[[Case, Random], Case]:
    def change(case: Case, random: Random) -> Case:
        found = found_pairing(case)
        if found is None:
            return case
        names = {case.network.names[v]: activation for v in found.vertices}
        return replace(case, network=case.network.with_activations(names))

    return change


LINEAR_BETWEEN = Hypothesis(
    "linear between the two",
    "the neurons that $W_1$ and $W_2$ share are linear",
    by_case(_shared_linear),
    _with_shared(LINEAR),
    _with_shared(RELU),
)


def is_active(scene: Scene, vertices: np.ndarray, reading: str) -> np.ndarray:
    """For each vertex whether it is active on every example: linear, or ReLU with nonnegative
    pre-activation; by reading B also leaky ReLU with nonnegative pre-activation."""
    kinds = [a.kind for net in scene.union.networks for a in net.activations]
    allowed = ("relu", "leaky_relu") if reading == "B" else ("relu",)
    gated = np.array([kinds[v] in allowed for v in vertices], dtype=bool)
    linear = np.array([kinds[v] == "linear" for v in vertices], dtype=bool)
    if not len(vertices):
        return linear
    negative = scene.arithmetic.is_negative(scene.pre[vertices])
    return np.asarray(linear | (gated & ~negative.any(axis=1)), dtype=bool)


@cache
def active(reading: str) -> Hypothesis:
    """Both neurons of an entry are in I_act, by a reading of Definition 6."""

    def test(scene: Scene, entries: Entries) -> np.ndarray:
        pairings = [found_pairing(case) for case in scene.cases]
        good: list[list[bool]] = []
        for c, found in enumerate(pairings):
            rows = () if found is None else found.shared
            offset = int(scene.union.vertex_offset[c])
            good.append(
                [bool(is_active(scene, np.array(row) + offset, reading).all()) for row in rows]
            )
        return np.array(
            [
                good[c][p] and good[c][q]
                for c, (p, q) in zip(entries.owner, entries.subjects, strict=True)
            ],
            dtype=bool,
        )

    return Hypothesis(
        "active",
        r"rows and columns of neurons that are active on every example: linear, or ReLU "
        + ("" if reading == "A" else "or leaky ReLU ")
        + "with nonnegative preactivation",
        test,
        _activate,
    )


def _activate(case: Case, random: Random) -> Case:
    """Often give shared neurons in-weights with which they are active on every example."""
    found = found_pairing(case)
    if found is None or random.random() < 1 / 4:
        return case
    from verify.pool import post_activations

    net = case.network
    rows = post_activations(case)
    asleep = {net.index[name] for name in case.choice.get("dormant", ())}
    weights = list(case.weights)
    for v in found.vertices:
        edges = net.in_edges[v]
        if v in asleep or net.activations[v] == LINEAR or not rows:
            continue
        if not all(net.own_parameter(e) for e in edges):
            continue
        for attempt in range(TRIES):
            drawn = [random_rational(random) for _ in edges]
            if attempt == TRIES - 1:  # images have no negative pixels
                drawn = [abs(w) for w in drawn]
            sums = [
                sum((w * row[net.tails[e]] for e, w in zip(edges, drawn, strict=True)), Fraction(0))
                for row in rows
            ]
            if all(z > 0 for z in sums) or all(z < 0 for z in sums):
                sign = 1 if sums[0] > 0 else -1
                for e, w in zip(edges, drawn, strict=True):
                    weights[net.parameter_of[e]] = sign * w
                break
    return case.with_weights(weights)


NO_KINK = replace(
    DIFFERENTIABLE,
    name="no kink",
    statement="no neuron with two slopes has preactivation $0$ on an example",
)


def weights_of(matrix: Matrix, case: Case) -> list[list[Fraction]]:
    """The numbers in a matrix."""
    values = case.network.edge_weights(case.weights)
    return [[Fraction(0) if e is None else values[e] for e in row] for row in matrix]
