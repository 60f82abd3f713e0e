"""How paths through random outputs grow: Section 3.1, and the first step of Theorem 10's proof.

N outputs are drawn in a cube of dimension k, uniformly or through a smooth map of full rank that
makes the density uneven. The length of the shortest path through them is enclosed: a path that
goes back and forth through strips is one, and no path is shorter than half the sum of the distances
to the two nearest points, up to the two ends (j23.thm10.path.fix).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.rate import Claimed, Rate
from verify.papers.j23.sources import printed

DIMENSIONS = (1, 2, 3, 4)
FINITE = Fraction(1, 20)  # what finite sizes may do to a slope
STRIP = 3.0  # points in a cell of the strips, about


# points and paths ---------------------------------------------------------------------------------
def outputs(count: int, k: int, generator: np.random.Generator, *, even: bool = True) -> np.ndarray:
    """(N, k) float64 in the unit cube; where not even, through y -> (y + y^2) / 2."""
    points = generator.random((count, k))
    return points if even else (points + points**2) / 2


def two_nearest(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(N,), (N,): the distances d_1 and d_2 of each point to its nearest and second nearest."""
    from scipy.spatial import cKDTree

    distances, _ = cKDTree(points).query(points, k=3)
    return distances[:, 1], distances[:, 2]


def back_and_forth(points: np.ndarray) -> np.ndarray:
    """(N,): an order of the points (N, k) of the unit cube that goes through strips of cells, each
    in the direction opposite to the one before."""
    count, k = points.shape
    side = max(1, round((count / STRIP) ** (1 / k)))
    cells = np.minimum((points[:, :-1] * side).astype(int), side - 1)
    place = np.zeros(count, dtype=np.int64)
    for axis in range(k - 1):
        digit = np.where(place % 2 == 0, cells[:, axis], side - 1 - cells[:, axis])
        place = place * side + digit
    along = np.where(place % 2 == 0, points[:, -1], -points[:, -1])
    return np.lexsort((along, place))


def edges_of(points: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(N - 1,): the lengths of the edges of a path."""
    return np.asarray(np.linalg.norm(np.diff(points[order], axis=0), axis=1))


def length_below(points: np.ndarray) -> float:
    """A lower bound on the length of every path through all points: half the sum of d_1 + d_2 over
    all points but the d_2 of the two ends, which are at most the two largest."""
    first, second = two_nearest(points)
    return float((first + second).sum() - np.sort(second)[-2:].sum()) / 2


# orders of the distances --------------------------------------------------------------------------
def distances(size: int, count: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Means and quantiles of d_1, d_2, the sum of (d_1 + d_2) / 2 over the half of the indices with
    the smallest terms, and the two bounds on the shortest path."""
    found: dict[str, list[float]] = {}
    for k in DIMENSIONS:
        for seed in range(count):
            points = outputs(size, k, generator, even=seed % 2 == 0)
            first, second = two_nearest(points)
            halves = np.sort(first + second) / 2
            values = {
                "mean d_1": first.mean(),
                "mean d_2": second.mean(),
                "a quarter of the halves lies below": halves[size // 4],
                "a tenth of the halves lies above": halves[-size // 10],
                "the smallest half of the sum": halves[: size // 2].sum(),
                "path, lower bound": length_below(points),
                "path, upper bound": edges_of(points, back_and_forth(points)).sum(),
            }
            for name, value in values.items():
                found.setdefault(f"{name}, k = {k}", []).append(float(value))
    return {name: np.array(values) for name, values in found.items()}


def claimed_distances() -> Iterable[Claimed]:
    """-1/k for distances, 1 - 1/k for sums."""
    for k in DIMENSIONS:
        for name in ("mean d_1", "mean d_2", "a quarter of the halves lies below"):
            yield _exactly(f"{name}, k = {k}", Fraction(-1, k))
        yield _exactly(f"a tenth of the halves lies above, k = {k}", Fraction(-1, k))
        for name in ("the smallest half of the sum", "path, lower bound", "path, upper bound"):
            yield _exactly(f"{name}, k = {k}", 1 - Fraction(1, k))


def _exactly(name: str, exponent: Fraction) -> Claimed:
    """This exponent, within what finite sizes do."""
    return Claimed(name, exponent, exponent, FINITE)


LADDERS = (
    (60, 240, 960, 3840),
    (60, 240, 960, 3840),
    (100, 400, 1600, 6400, 25600, 102400),
)

IN_CUBES = (
    "exponents are fitted for outputs drawn in cubes, between two bounds on the shortest path "
    "(docs/mathematics/j23.md#the-path)"
)
ORDER = Claim(
    "j23.thm10.order",
    Kind.RATE,
    printed("proof of Theorem 19, first paragraph"),
    "orders of the distances",
    r"The expected distances $d_{1,i},d_{2,i}$ are $N^{-1/k^*}$, the expected length of the "
    r"shortest path is of order $N^{1-1/k^*}$; most of the $d_{1,i},d_{2,i}$ are of order "
    r"$N^{-1/k^*}$ with only a few outliers, so for any subset $I$ that contains a finite ratio of "
    r"all indices, $\sum_{i\in I}\frac{d_{1,i}+d_{2,i}}2$ is of order $N^{1-1/k^*}$ too.",
    depends=("j23.thm10.path",),
    through=IN_CUBES,
    rate=Rate(
        "N",
        LADDERS,
        (24, 24, 40),
        distances,
        tuple(claimed_distances()),
        (
            "outputs in cubes of dimension 1 to 4, half of the seeds uniform, half uneven",
            "$I$: the half of the indices with the smallest terms",
        ),
    ),
)


# the first correction of fits of rank 1 -----------------------------------------------------------
def squared_lengths(size: int, count: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """The squares of both bounds on the shortest path."""
    found: dict[str, list[float]] = {}
    for k in DIMENSIONS:
        for seed in range(count):
            points = outputs(size, k, generator, even=seed % 2 == 0)
            upper = edges_of(points, back_and_forth(points)).sum()
            for name, length in (("lower", length_below(points)), ("upper", float(upper))):
                found.setdefault(f"length squared, {name} bound, k = {k}", []).append(length**2)
    return {name: np.array(values) for name, values in found.items()}


R1_RANK1 = Claim(
    "j23.r1rank1",
    Kind.RATE,
    printed("Section 3.1, before Figure 1, following Theorem 2 of [10]"),
    "the first correction of fits of BN-rank 1",
    r"The $R^{(1)}$ value of fitting BN-rank 1 minima explodes at a rate of "
    r"$2(1-\frac1{k^*})\log N$: here the exponent in $N$ of the squared length of the shortest "
    r"path through $y_1,\dots,y_N$, of which twice the logarithm bounds $R^{(1)}$ from below, up "
    r"to a constant.",
    depends=("j23.thm3.lb@B",),
    rate=Rate(
        "N",
        LADDERS,
        (24, 24, 40),
        squared_lengths,
        tuple(
            Claimed(
                f"length squared, {name} bound, k = {k}",
                2 - Fraction(2, k),
                2 - Fraction(2, k),
                2 * FINITE,
            )
            for k in DIMENSIONS
            for name in ("lower", "upper")
        ),
        ("outputs in cubes of dimension 1 to 4, uniform and of uneven density",),
    ),
    through="the squared length of the shortest path through the outputs bounds the exponential of "
    "the first correction from below (docs/mathematics/j23.md#fits-of-rank-one)",
)


# intervals with a large Jacobian ------------------------------------------------------------------
def slopes_of_most(size: int, count: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """The largest s such that at least 5/6 of the intervals have a slope of at least s, for
    preimages on a segment of length 1: as long as their edge, equally long, and all of the segment
    left to the shortest sixth of the edges, which is as bad as it gets."""
    found: dict[str, list[float]] = {}
    sixth = (size - 1) - -(-5 * (size - 1) // 6)  # so many may be below s
    for k in DIMENSIONS[1:]:
        for seed in range(count):
            points = outputs(size, k, generator, even=seed % 2 == 0)
            edges = np.sort(edges_of(points, back_and_forth(points)))
            values = {
                "proportional": edges.sum(),
                "equal": edges[sixth] * (size - 1),
                "the worst": edges[: sixth + 1].sum(),
            }
            for name, value in values.items():
                found.setdefault(f"{name}, k = {k}", []).append(float(value))
    return {name: np.array(values) for name, values in found.items()}


JACOBIAN_OF_MOST = Claim(
    "j23.thm10.jac.c",
    Kind.RATE,
    printed("proof of Theorem 19, third paragraph"),
    "most intervals have a large Jacobian",
    r"One can guarantee for example that at least $\frac56(N-1)$ intervals contain a point $x$ "
    r"with $\lVert Jf_\theta(x)\rVert_{op}\ge cN^{1-1/k^*}$: here the exponent in $N$ of the slope "
    r"$\lVert y_{i+1}-y_i\rVert/\lVert\tilde x_{i+1}-\tilde x_i\rVert$ that at least so many "
    r"intervals have.",
    depends=("j23.thm10.segment", "j23.thm10.order"),
    through=IN_CUBES,
    rate=Rate(
        "N",
        LADDERS,
        (24, 24, 40),
        slopes_of_most,
        tuple(
            Claimed(f"{name}, k = {k}", 1 - Fraction(1, k), None, FINITE)
            for k in DIMENSIONS[1:]
            for name in ("proportional", "equal", "the worst")
        ),
        (
            "paths in strips through outputs in cubes of dimension 2 to 4",
            "three ways to place the preimages on the segment, one of them the worst",
        ),
    ),
)


# a low rank needs a large slope -------------------------------------------------------------------
def lengths_for_accuracy(
    size: int, count: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """A lower bound on the Lipschitz constant of a function of BN-rank 1 that is closer than a
    quarter of 1/n to the identity of the cube: its values at n^k points, one drawn in the inner
    half of each cell, lie on a curve, which is the image of a segment of the cube."""
    found: dict[str, list[float]] = {}
    for k in (2, 3):
        for _ in range(count):
            axes = np.meshgrid(*[np.arange(size)] * k, indexing="ij")
            corners = np.stack(axes, axis=-1).reshape(-1, k)
            points = (corners + 0.25 + 0.5 * generator.random((len(corners), k))) / size
            error = 1 / (16 * size)  # each value is closer than this
            length = length_below(points) - len(points) * 2 * error
            found.setdefault(f"slope, k = {k}", []).append(float(length / np.sqrt(k)))
    return {name: np.array(values) for name, values in found.items()}


LOW_RANK_IS_STEEP = Claim(
    "j23.overrank.low",
    Kind.RATE,
    printed("Section 3.1, before Figure 1"),
    "approximating with a lower rank",
    r"Approximating a BN-rank $k^*$ function with a low rank function requires a pathological "
    r"function: here, of BN-rank 1 and closer than $\frac1{16n}$ to the identity of $[0,1]^{k}$, "
    r"one whose slope grows with $n$ at least like $n^{k-1}$.",
    depends=("j23.thm10.path",),
    rate=Rate(
        "n",
        ((6, 10, 16), (6, 10, 16), (8, 16, 32, 64)),
        (8, 12, 20),
        lengths_for_accuracy,
        tuple(Claimed(f"slope, k = {k}", Fraction(k - 1), None, FINITE) for k in (2, 3)),
        ("a point in every cell of the cubes of dimension 2 and 3",),
    ),
    through="the length of a path through all cells bounds the slope from below "
    "(docs/mathematics/j23.md#fits-of-rank-one)",
)

CLAIMS = (R1_RANK1, LOW_RANK_IS_STEEP, ORDER, JACOBIAN_OF_MOST)
