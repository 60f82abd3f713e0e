"""Frequencies with which the bounds of Lemmas K.5 to K.8 fail, sampled at sizes without a closed
form.

A replicate draws a batch and gives the printed bound minus (failures + 1) / (batch + 1), whose mean
is below that of the bound minus the true frequency; so an interval above 0 supports the lemma. The
displacement is fixed before the draw, of length R, along the direction in which it counts most.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np

from verify.kinds.statistics.sampling import Arm, Sampled

BATCH = (400, 400, 2000)  # draws of a replicate, by scale
MOST = (16, 16, 64)
RADII = (0, 3)
SIZES = ((8,), (8, 32), (8, 64, 256))
LEVELS = (2.0, 3.0)
Matrices = Callable[[int, np.random.Generator], np.ndarray]  # of a size, from a generator


def slack_of(failed: np.ndarray, bound: float) -> float:
    """The bound minus a frequency that is a little too high."""
    return bound - (float(failed.sum()) + 1) / (len(failed) + 1)


def _replicates(
    one: Callable[[np.random.Generator], float], count: int, generator: np.random.Generator
) -> np.ndarray:
    return np.array([one(generator) for _ in range(count)])


def arm(name: str, one: Callable[[np.random.Generator], float]) -> Arm:
    """A setting whose replicates are drawn one by one."""
    return Arm(name, partial(_replicates, one))


# Lemma K.7: a matrix times a vector ---------------------------------------------------------------
SHAPES: dict[str, Matrices] = {
    "diagonal 1/k": lambda n, g: np.diag(1 / np.arange(1.0, n + 1)),
    "rank one": lambda n, g: np.outer(g.standard_normal(n), g.standard_normal(n)),
    "orthogonal": lambda n, g: np.linalg.qr(g.standard_normal((n, n)))[0],
    "Gaussian": lambda n, g: g.standard_normal((n, 2 * n)),
}


def product_of(
    shape: str, size: int, level: float, radius: int, batch: int, generator: np.random.Generator
) -> float:
    """2 exp(-t^2/2) minus the frequency of |A (w0 + Delta)| > |A|_F + (t + R) |A|."""
    matrix = SHAPES[shape](size, generator)
    _, values, right = np.linalg.svd(matrix, full_matrices=False)
    weights = generator.standard_normal((batch, matrix.shape[1])) + radius * right[0]
    norms = np.linalg.norm(weights @ matrix.T, axis=1)
    limit = np.linalg.norm(matrix) + (level + radius) * values[0]
    return slack_of(norms > limit, 2 * np.exp(-(level**2) / 2))


def product_arms(scale: int) -> list[Arm]:
    """Shapes, sizes, levels and radii."""
    return [
        arm(
            f"{shape}, n = {size}, t = {level:g}, R = {radius}",
            partial(product_of, shape, size, level, radius, BATCH[scale]),
        )
        for shape, size, level, radius in product(SHAPES, SIZES[scale], LEVELS, RADII)
    ]


PRODUCT_SAMPLES = Sampled("2 exp(-t^2/2) less the frequency of failure", product_arms, most=MOST)


# Lemma K.8: a series of matrices ------------------------------------------------------------------
def _rank_ones(size: int, generator: np.random.Generator) -> np.ndarray:
    left, right = generator.standard_normal((2, 2 * size, size))
    return np.asarray(left[:, :, None] * right[:, None, :])


SERIES: dict[str, Matrices] = {
    "diagonal units": lambda n, g: np.eye(n)[:, :, None] * np.eye(n)[:, None, :],
    "rank one": _rank_ones,
    "dense": lambda n, g: g.standard_normal((n, n, n)),
}
SERIES_SIZES = ((4,), (4, 12), (4, 32, 100))


def series_of(
    shape: str, size: int, level: float, radius: int, batch: int, generator: np.random.Generator
) -> float:
    """(d1 + d2) exp(-t^2/2) minus the frequency of |Z| > (t + R) sqrt(nu)."""
    parts = SERIES[shape](size, generator)
    count, rows, columns = parts.shape
    beside = np.linalg.norm(parts.transpose(1, 0, 2).reshape(rows, -1), 2)
    above = np.linalg.norm(parts.reshape(-1, columns), 2)
    along = np.einsum("kij->k", parts)
    shift = radius * along / max(float(np.linalg.norm(along)), 1e-300)
    weights = generator.standard_normal((batch, count)) + shift
    sums = np.tensordot(weights, parts, axes=1)
    norms = np.linalg.norm(sums, 2, axis=(1, 2))
    bound = (rows + columns) * np.exp(-(level**2) / 2)
    return slack_of(norms > (level + radius) * max(beside, above), bound)


def series_arms(scale: int) -> list[Arm]:
    """Shapes, sizes, levels at which the bound is below 1, and radii."""
    return [
        arm(
            f"{shape}, d = {size}, t = {level:g}, R = {radius}",
            partial(series_of, shape, size, level, radius, BATCH[scale]),
        )
        for shape, size, level, radius in product(SERIES, SERIES_SIZES[scale], (3.0, 3.5), RADII)
    ]


SERIES_SAMPLES = Sampled(
    "(d1 + d2) exp(-t^2/2) less the frequency of failure", series_arms, most=MOST
)


# Lemmas K.5 and K.6: columns A_i w_i --------------------------------------------------------------
def _orthogonal_lines(size: int, generator: np.random.Generator) -> np.ndarray:
    return np.eye(size)[:, :, None] * np.ones(size)[None, None, :]


COLUMNS: dict[str, Matrices] = {
    "equal": lambda n, g: np.broadcast_to(g.standard_normal((n, n)), (n, n, n)),
    "different": lambda n, g: g.standard_normal((n, n, n)),
    "of rank one, images orthogonal": _orthogonal_lines,
    "orthogonal": lambda n, g: np.linalg.qr(g.standard_normal((n, n, n)))[0],
}
COLUMN_SIZES = ((8,), (8, 16), (8, 32, 96))
SMALL_CONSTANT = 1.5  # below the constant that is proved; below sqrt 2 a large t would fail


def columns_of(
    shape: str, size: int, level: float, radius: int, batch: int, generator: np.random.Generator
) -> float:
    """2 exp(-t^2) minus the frequency of |M| > C (max |A_i| (sqrt n + R + t) + max |A_i|_F)."""
    parts = COLUMNS[shape](size, generator)
    count, _, inner = parts.shape
    norms, lengths = np.linalg.norm(parts, 2, axis=(1, 2)), np.linalg.norm(parts, axis=(1, 2))
    shift = np.zeros((count, inner))
    shift[0] = radius * np.linalg.svd(parts[0])[2][0]
    weights = generator.standard_normal((batch, count, inner)) + shift
    found = np.einsum("kij,bkj->bik", parts, weights, optimize=True)
    limit = norms.max() * (np.sqrt(count) + radius + level) + lengths.max()
    failed = np.linalg.norm(found, 2, axis=(1, 2)) > SMALL_CONSTANT * limit
    return slack_of(failed, 2 * np.exp(-(level**2)))


def column_arms(scale: int, *, radii: tuple[int, ...]) -> list[Arm]:
    """Shapes, sizes, levels and radii."""
    return [
        arm(
            f"{shape}, n = {size}, t = {level:g}, R = {radius}",
            partial(columns_of, shape, size, level, radius, BATCH[scale] // 4),
        )
        for shape, size, level, radius in product(COLUMNS, COLUMN_SIZES[scale], (1.0, 1.5), radii)
    ]


COLUMN_SAMPLES = Sampled(
    "2 exp(-t^2) less the frequency of failure with C = 3/2",
    partial(column_arms, radii=(0,)),
    most=MOST,
)
SHIFTED_SAMPLES = Sampled(
    "2 exp(-t^2) less the frequency of failure with C = 3/2",
    partial(column_arms, radii=(1, 3)),
    most=MOST,
)
