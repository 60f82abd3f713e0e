"""Cases of Theorem 3, part 3: a matrix, embeddings of its domain and of its image, and points.

A = U S V^T with rational frames U, V; O_in = Q V^T and O_out = Q' U^T with frames Q, Q' of more
rows; the points are V y + z with z in the kernel, and y such that Q y and Q' S y are at least 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealTensors
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.deep.changes import SLOPES
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE
from verify.kinds.deep.networks import Matrix
from verify.kinds.deep.pool import gaussian, rotation
from verify.papers.j23.rows import exact

SLOPE = replace(BREAKABLE, break_=None)  # the networks are for slopes inside (-1, 1)

ATTEMPTS = 12


def frame(rows: int, columns: int, random: Random) -> Matrix:
    """(rows, columns): orthonormal columns, rational."""
    matrix: Matrix = RATIONALS.array([row[:columns] for row in rotation(rows, random)])
    return matrix


def _plain_frame(rows: int, columns: int) -> Matrix:
    matrix: Matrix = RATIONALS.array([[int(i == j) for j in range(columns)] for i in range(rows)])
    return matrix


def _with(case: Tensors, **matrices: Any) -> Tensors:
    """Other entries with the axes that the arrays have."""
    arrays = {}
    for name, rows in matrices.items():
        flat = np.asarray(rows, dtype=object)
        entries = tuple(as_fraction(entry) for entry in flat.reshape(-1))
        arrays[name] = Tensor(case.arrays[name].axes, flat.shape, entries)
    return case.changing(**arrays)


def embedded(case: Tensors, random: Random) -> RealTensors:
    """The same shapes, as far as they allow, filled as the module says."""
    lengths = case.lengths
    n, m, count = lengths["n"], lengths["m"], lengths["N"]
    k = random.randint(1, min(n, m, 2))
    rows = [max(lengths[axis], k) for axis in ("i", "o")]
    values = [Fraction(random.randint(1, 8), random.choice((1, 2, 4))) for _ in range(k)]
    left, right = frame(m, k, random), frame(n, k, random)
    inner, outer = (frame(size, k, random) for size in rows)
    scaled = np.diag(RATIONALS.array(values))
    found = [_inside(inner, outer @ scaled, k, random) for _ in range(count)]
    if any(point is None for point in found):
        inner, outer = (_plain_frame(size, k) for size in rows)
        found = [RATIONALS.array([abs(gaussian(random)) for _ in range(k)]) for _ in range(count)]
    ys = np.stack([point for point in found if point is not None])
    rest = RATIONALS.array([[gaussian(random) for _ in range(n)] for _ in range(count)])
    points = ys @ right.T + rest - rest @ right @ right.T
    case = _with(
        case, A=left @ scaled @ right.T, Oin=inner @ right.T, Oout=outer @ left.T, X=points
    )
    slope = case.arrays["a"]
    if not -1 < slope.entries[0] < 1:
        case = case.changing(a=replace(slope, entries=(random.choice(SLOPES),)))
    return RealTensors(case.arrays, case.choice, "embedded")


def _inside(inner: Matrix, outer: Matrix, k: int, random: Random) -> Matrix | None:
    """y with Q y >= 0 and Q' S y >= 0, if one is found."""
    for _ in range(ATTEMPTS):
        y: Matrix = RATIONALS.array([gaussian(random) for _ in range(k)])
        for sign in (1, -1):
            if (inner @ y * sign >= 0).all() and (outer @ y * sign >= 0).all():
                return np.asarray(y * sign)
    return None


ARRAYS = (
    ("A", ("m", "n")),
    ("Oin", ("i", "n")),
    ("Oout", ("o", "m")),
    ("X", ("N", "n")),
    ("a", ()),
)


def kernel_pool(*integers: tuple[str, int, int]) -> TensorPool:
    """A pool of such cases."""
    return TensorPool(ARRAYS, integers, largest=3, adapt=embedded)


Predicate = Callable[[Tensors], bool]


def _embedded_unless(holds: Predicate) -> Callable[[Tensors, Random], Tensors]:
    """The repair of a hypothesis: a new case where it does not hold."""
    return lambda case, random: case if holds(case) else embedded(case, random)


# hypotheses ---------------------------------------------------------------------------------------
def images(case: Tensors) -> tuple[Matrix, Matrix]:
    """(N, i) and (N, o): O_in x and O_out A x at the points."""
    points = exact(case, "X")
    return points @ exact(case, "Oin").T, points @ exact(case, "A").T @ exact(case, "Oout").T


def _is_embedding(case: Tensors, name: str) -> bool:
    matrix, embedding = exact(case, "A"), exact(case, name)
    onto = matrix.T if name == "Oin" else matrix
    return bool((embedding.T @ embedding == reals.image_projection(onto)).all())


def _doubled(name: str) -> Callable[[Tensors, Random], Tensors]:
    def change(case: Tensors, random: Random) -> Tensors:
        array = case.arrays[name]
        return case.changing(**{name: replace(array, entries=tuple(2 * v for v in array.entries))})

    return change


def _reflected(name: str) -> Callable[[Tensors, Random], Tensors]:
    """The embedding becomes its opposite."""

    def change(case: Tensors, random: Random) -> Tensors:
        array = case.arrays[name]
        return case.changing(**{name: replace(array, entries=tuple(-v for v in array.entries))})

    return change


def _positive(place: int) -> Predicate:
    return lambda case: bool((images(case)[place] >= 0).all())


def _embedding(name: str, words: str) -> Hypothesis:
    """That an array embeds the domain, or the image."""

    def holds(case: Tensors) -> bool:
        return _is_embedding(case, name)

    repair = _embedded_unless(holds)
    return Hypothesis(f"embedding {name}", words, by_case(holds), repair, _doubled(name))


def _positivity(name: str, title: str, words: str, place: int) -> Hypothesis:
    holds = _positive(place)
    return Hypothesis(title, words, by_case(holds), _embedded_unless(holds), _reflected(name))


IN = _embedding("Oin", r"$O_{in}^TO_{in}=P_{\mathrm{Im}A^T}$")
OUT = _embedding("Oout", r"$O_{out}^TO_{out}=P_{\mathrm{Im}A}$")
POSITIVE_IN = _positivity(
    "Oin",
    "positive inputs",
    r"$O_{in}\Omega\subset\mathbb R_+^{k_1}$ ($\Omega$: the points $X$)",
    0,
)
POSITIVE_OUT = _positivity(
    "Oout", "positive outputs", r"$O_{out}A\Omega\subset\mathbb R_+^{k_2}$", 1
)
EMBEDDED = (IN, OUT, POSITIVE_IN, POSITIVE_OUT)


# square roots of kernels --------------------------------------------------------------------------
def four_squares(number: int) -> list[int]:
    """Positive integers, at most four, whose squares sum to a number (Lagrange).

    >>> four_squares(7)
    [2, 1, 1, 1]
    """
    from math import isqrt

    def descend(left: int, most: int) -> list[int] | None:
        if left == 0:
            return []
        if most == 0:
            return None
        for first in range(isqrt(left), 0, -1):
            rest = descend(left - first * first, most - 1)
            if rest is not None:
                return [first, *rest]
        return None

    found = descend(number, 4)
    assert found is not None
    return found


def stacked_root(case: Tensors, layer: int, depth: int, *, exchanged: bool) -> Matrix:
    """B with B^T B = p K_in + (1 - p) K_out, p = l/L, in rationals: rows c/L O_in and c/L O_out A,
    the c^2 of the former summing to l L, of the latter to (L - l) L. exchanged: p and 1 - p."""
    inner, outer = exact(case, "Oin"), exact(case, "Oout") @ exact(case, "A")
    shares = (depth - layer, layer) if exchanged else (layer, depth - layer)
    parts = [
        part * RATIONALS.array([Fraction(c, depth)])[0]
        for part, share in zip((inner, outer), shares, strict=True)
        for c in four_squares(share * depth)
    ]
    return np.concatenate(parts)
