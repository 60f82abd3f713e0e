"""Cases of Theorem 3, part 3: a matrix, embeddings of its domain and of its image, and points.

A = U S V^T with rational frames U, V; O_in = Q V^T and O_out = Q' U^T with frames Q, Q' of more
rows; the points are V y + z with z in the kernel, and y such that Q y and Q' S y are at least 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Change
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.deep.changes import SLOPES
from verify.kinds.deep.pool import gaussian, rotation
from verify.language.building import Each, Matrix, row, rows, upto
from verify.language.terms import Term
from verify.papers.j23.network_notation import coimage, image
from verify.statements.stated import Given, pool_with, unless

A = Matrix("A", "m", "n")
O_IN, O_OUT = Matrix("Oin", "i", "n"), Matrix("Oout", "o", "m")
POINTS = Matrix("X", "N", "n", meaning=r"its rows are points of $\Omega$")
OUTER = O_OUT @ A

# making cases -------------------------------------------------------------------------------------
ATTEMPTS = 12


def frame(height: int, columns: int, random: Random) -> np.ndarray:
    """(height, columns): orthonormal columns, rational."""
    return np.asarray(RATIONALS.array([line[:columns] for line in rotation(height, random)]))


def _plain_frame(height: int, columns: int) -> np.ndarray:
    plain = [[int(i == j) for j in range(columns)] for i in range(height)]
    return np.asarray(RATIONALS.array(plain))


def _with(case: Tensors, **matrices: Any) -> Tensors:
    """Other entries with the axes that the arrays have."""
    arrays = {}
    for name, matrix in matrices.items():
        flat = np.asarray(matrix, dtype=object)
        entries = tuple(as_fraction(entry) for entry in flat.reshape(-1))
        arrays[name] = Tensor(case.arrays[name].axes, flat.shape, entries)
    return case.changing(**arrays)


def embedded(case: Tensors, random: Random) -> Tensors:
    """The same shapes, as far as they allow, filled as the module says; a slope inside (-1, 1), if
    there is one."""
    lengths = case.lengths
    n, m, count = lengths["n"], lengths["m"], lengths["N"]
    k = random.randint(1, min(n, m, 2))
    heights = [max(lengths[axis], k) for axis in ("i", "o")]
    values = [Fraction(random.randint(1, 8), random.choice((1, 2, 4))) for _ in range(k)]
    left, right = frame(m, k, random), frame(n, k, random)
    inner, outer = (frame(size, k, random) for size in heights)
    scaled = np.diag(RATIONALS.array(values))
    found = [_inside(inner, outer @ scaled, k, random) for _ in range(count)]
    if any(point is None for point in found):
        inner, outer = (_plain_frame(size, k) for size in heights)
        found = [RATIONALS.array([abs(gaussian(random)) for _ in range(k)]) for _ in range(count)]
    ys = np.stack([point for point in found if point is not None])
    rest = RATIONALS.array([[gaussian(random) for _ in range(n)] for _ in range(count)])
    points = ys @ right.T + rest - rest @ right @ right.T
    case = _with(
        case, A=left @ scaled @ right.T, Oin=inner @ right.T, Oout=outer @ left.T, X=points
    )
    slope = case.arrays.get("a")
    if slope is not None and not -1 < slope.entries[0] < 1:
        case = case.changing(a=replace(slope, entries=(random.choice(SLOPES),)))
    return Tensors(case.arrays, case.choice, "embedded")


def _inside(inner: np.ndarray, outer: np.ndarray, k: int, random: Random) -> np.ndarray | None:
    """y with Q y >= 0 and Q' S y >= 0, if one is found."""
    for _ in range(ATTEMPTS):
        y: np.ndarray = RATIONALS.array([gaussian(random) for _ in range(k)])
        for sign in (1, -1):
            if (inner @ y * sign >= 0).all() and (outer @ y * sign >= 0).all():
                return np.asarray(y * sign)
    return None


def kernel_pool(*others: Term) -> TensorPool:
    """A pool of such cases, with other numbers."""
    return pool_with(A, O_IN, O_OUT, POINTS, *others, largest=3, adapt=embedded)


# hypotheses ---------------------------------------------------------------------------------------
def of_points(holds: Any) -> Term:
    """What is said of each point."""
    return Each(upto(rows(POINTS)), lambda j: holds(row(POINTS, j)))


def positive(of: Term) -> Term:
    """Whether the images of the points are at least 0."""
    return of_points(lambda x: Each(upto(rows(of)), lambda i: (of @ x)[i] >= 0))


def _times(name: str, factor: int) -> Change:
    """The embedding becomes a multiple."""

    def change(case: Tensors, random: Random) -> Tensors:
        array = case.arrays[name]
        entries = tuple(factor * value for value in array.entries)
        return case.changing(**{name: replace(array, entries=entries)})

    return change


def _embedding(of: Term, onto: Term, words: str) -> Given:
    """That an array embeds the domain, or the image."""
    name, holds = of.args[0].name, onto == of.T @ of
    return Given(f"embedding {name}", holds, words, unless(holds, embedded), _times(name, 2))


def _positivity(title: str, name: str, of: Term, words: str) -> Given:
    holds = positive(of)
    return Given(title, holds, words, unless(holds, embedded), _times(name, -1))


IN = _embedding(O_IN, coimage(A), r"$O_{in}^TO_{in}=P_{\mathrm{Im}A^T}$")
OUT = _embedding(O_OUT, image(A), r"$O_{out}^TO_{out}=P_{\mathrm{Im}A}$")
EMBEDDED = (
    IN,
    OUT,
    _positivity(
        "positive inputs",
        "Oin",
        O_IN,
        r"$O_{in}\Omega\subset\mathbb R_+^{k_1}$ ($\Omega$: the points $X$)",
    ),
    _positivity("positive outputs", "Oout", OUTER, r"$O_{out}A\Omega\subset\mathbb R_+^{k_2}$"),
)
