"""What Theorem 1 measures: rates of change of the Gram matrices of two adjacent layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import lcm
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from verify.case import Case
from verify.layer_pieces import Mismatch, flat
from verify.papers.lj22.items import Pairing, pairing
from verify.vocabulary import Entries, Row, Scene, constant_entries

LARGEST_MATRIX = 8  # entries of which every bijection is tried


def found_pairing(case: Case) -> Pairing | None:
    """The matrices that the case chooses, or None."""
    try:
        return pairing(case)
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


@dataclass(frozen=True)
class Products:
    """The products of weights in the entries of W_2^T W_2 and of W_1 W_1^T: for each side three
    arrays (edge, edge, entry); the indices of the entries, and the case of each."""

    second: np.ndarray
    first: np.ndarray
    indices: list[tuple[int, int]]
    owner: list[int]


def products_of(scene: Scene) -> Products:
    """The products, once for each pair of rows."""
    indices: list[tuple[int, int]] = []
    owner: list[int] = []
    sides: tuple[list[tuple[int, int, int]], ...] = ([], [])
    for c, case in enumerate(scene.cases):
        found = found_pairing(case)
        if found is None:
            continue
        offset = int(scene.union.edge_offset[c])
        for p in range(len(found.shared)):
            for q in range(p + 1):
                for side, matrix in zip(sides, (found.second, found.first), strict=True):
                    side += _products(matrix[p], matrix[q], offset, len(indices))
                indices.append((p, q))
                owner.append(c)
    second, first = (np.array(side, dtype=np.int64).reshape(-1, 3).T for side in sides)
    return Products(second, first, indices, owner)


def gram_rate(scene: Scene, *, rate: Rate = product_rates) -> Entries:
    """The entries of d/dt W_2^T W_2 - d/dt W_1 W_1^T, once for each pair of rows."""
    found = products_of(scene)
    left, right = (rate(scene, *side, len(found.indices)) for side in (found.second, found.first))
    return matrix_entries(left, right, found.indices, found.owner)


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


def best_bijection(scene: Scene) -> Entries:
    """The least sum of squares of the entries of d/dt W_2^T W_2 - d/dt W_1 W_1^T, over
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
        offset = int(scene.union.edge_offset[c])
        channels = len(found.shared)
        if len(edges) > LARGEST_MATRIX or len(edges) % channels:
            continue
        pairs = [(0, 0) if e is None else (w[e + offset], v[e + offset]) for e in edges]
        wanted = [
            [
                sum(w[e] * v[f] + v[e] * w[f] for e, f, _ in _products(one, two, offset, 0))
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
    everything = [as_fraction(v) for some in (*pairs, *wanted) for v in some]
    unit = lcm(*(v.denominator for v in everything))  # in whole numbers from here on
    rates = [[int((p[0] * q[1] + p[1] * q[0]) * unit**2) for q in pairs] for p in pairs]
    goals = [[int(value * unit**2) for value in row] for row in wanted]
    least = min(
        sum(
            (sum(rates[p][q] for p, q in zip(one, two, strict=True)) - goals[a][b]) ** 2
            for a, one in enumerate(matrix)
            for b, two in enumerate(matrix)
        )
        for matrix in _arrangements(range(len(pairs)), columns, height, first=True)
    )
    return Fraction(least, unit**4)


def _arrangements(
    entries: Sequence[int], columns: int, height: int, *, first: bool = False
) -> Iterator[list[tuple[int, ...]]]:
    """Every way to fill the columns; the first column sorted, since the order of the rows is of
    no importance."""
    if not columns:
        yield []
        return
    choose = combinations if first else permutations
    for column in choose(entries, height):
        rest = [entry for entry in entries if entry not in column]
        for others in _arrangements(rest, columns - 1, height):
            yield [column, *others]
