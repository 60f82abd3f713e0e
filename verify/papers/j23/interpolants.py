"""Theorem 10: the tangent kernel of explicit functions of BN-rank 1 that fit data, as N and L grow.

f* is the identity of the cube [0, 1]^k, k = 2 or 3, so that y_i = x_i. The function projects to the
first coordinate, of which each N-th of [0, 1] holds one point, and goes through the outputs in that
order along straight lines: a network with one neuron in each of the first L - 2 hidden layers,
whose chain of weights 1 costs 1 a layer, and N - 1 hinges in the last one. So c_1 does not depend
on L. The kernel is looked at in the middle of every interval. c_1 grows with N far faster than
log N for these networks, so that the bound, which holds e^(-c_1), is far from being attained;
logarithms are fitted. What the exponents rest on is in docs/mathematics/j23.md#explicit-fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.rate import Claimed, Rate
from verify.papers.j23.sources import printed

DIMENSIONS = (2, 3)
FINITE = Fraction(1, 20)
DEPTH, DATA_SIZE = 50, 24  # of the one where the other grows
Kernel = tuple[np.ndarray, float]  # Theta(x, x) at the points looked at, and c_1


def kernel_of(points: np.ndarray, depth: int) -> Kernel:
    """Theta(x, x), (N - 1, k, k), in the middle of each interval between neighbours in the
    first coordinate, for y_i = x_i, points (N, k); and c_1 = |theta|^2 - L."""
    heights = points[:, 0]
    order = np.argsort(heights)
    outputs, shift = points[order], 1 - heights.min()
    knots = heights[order] + shift  # at least 1
    slopes = np.diff(outputs, axis=0) / np.diff(knots)[:, None]
    changes = np.diff(slopes, axis=0, prepend=np.zeros((1, slopes.shape[1])))
    sizes = np.sqrt(np.linalg.norm(changes, axis=1))  # of the hinges, equal on both sides
    last = changes / sizes[:, None]
    t = (knots[:-1] + knots[1:]) / 2
    inputs = ((points[order][:-1] + points[order][1:]) / 2) ** 2
    active = np.tril(np.ones((len(t), len(t))))  # hinge j at the point i
    hinges = active * sizes * (t[:, None] - knots[:-1])
    outer = slopes[:, :, None] * slopes[:, None, :]
    below = inputs.sum(axis=1) + 1 + (depth - 3) * (t**2 + 1)
    spread = np.einsum("ij,ja,jb->iab", active, last, last)
    eye = np.eye(points.shape[1])
    kernel = (
        below[:, None, None] * outer
        + (t**2 + 1)[:, None, None] * spread
        + ((hinges**2).sum(axis=1) + 1)[:, None, None] * eye
    )
    square = 1 + shift**2 + (depth - 3)
    square += float((sizes**2 * (1 + knots[:-1] ** 2)).sum() + (last**2).sum())
    square += float((outputs[0] ** 2).sum())
    return kernel, square - depth


def largest(kernel: np.ndarray) -> float:
    """The largest trace over the points."""
    return float(np.trace(kernel, axis1=1, axis2=2).max())


def _drawn(count: int, k: int, generator: np.random.Generator) -> np.ndarray:
    """(N, k): points of the cube, whose first coordinates lie one in each N-th of [0, 1]."""
    points = generator.random((count, k))
    points[:, 0] = (np.arange(count) + 0.25 + points[:, 0] / 2) / count
    return points


def against_data(size: int, seeds: int, generator: np.random.Generator) -> Mapping[str, np.ndarray]:
    """log of e^(c_1) / L times the largest trace, for N = size."""
    found: dict[str, np.ndarray] = {}
    for k in DIMENSIONS:
        values = []
        for _ in range(seeds):
            kernel, more = kernel_of(_drawn(size, k, generator), DEPTH)
            values.append(np.log(largest(kernel) / DEPTH) + more)
        found[f"kernel times e^c_1 / L, k = {k}"] = np.array(values)
    return found


def against_depth(
    size: int, seeds: int, generator: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """log of the largest trace, for L = size, data and c_1 the same for all."""
    found: dict[str, np.ndarray] = {}
    same = np.random.default_rng(seeds)  # the ladder climbs in L alone
    for k in DIMENSIONS:
        values = []
        for _ in range(seeds):
            kernel, _ = kernel_of(_drawn(DATA_SIZE, k, same), size)
            values.append(np.log(largest(kernel)))
        found[f"kernel, k = {k}"] = np.array(values)
    return found


STATEMENT = (
    r"For any parameters of a deep enough network that represent a BN-rank 1 function which fits "
    r"$f_\theta(x_i)=f^*(x_i)$, $\lVert\theta\rVert^2=L+c_1$, there is $x\in\Omega$ with "
    r"$\Theta^{(L)}(x,x)\ge c''Le^{-c_1}N^{4-\frac4{k^*}}$"
)
SOURCE = printed("Theorems 10 and 19")
STEPS = (
    "path",
    "order",
    "segment",
    "jac.a",
    "jac.b",
    "jac.c",
    "layers.point@A",
    "layers.count",
    "hidden",
    "proj",
    "chain.a",
    "chain.b",
    "chain.c",
    "depth.a",
    "depth.b",
    "quarter.a",
    "quarter.b",
    "move",
    "lip.a",
    "lip.b",
    "final.trace@A",
    "final.sum",
    "final.last",
)
WORDS: dict[str, Any] = {
    "reading": "A",
    "reading_text": "for the trace of the kernel, as in the last display of the proof",
    "depends": tuple(f"j23.thm10.{step}" for step in STEPS),
    "through": "exponents are fitted on explicit networks of BN-rank 1 that go through the outputs "
    "in the order of one coordinate (docs/mathematics/j23.md#explicit-fits)",
}


DATA = Claim(
    "j23.thm10.data@A",
    Kind.RATE,
    SOURCE,
    "tangent kernel of rank-underestimating fits: growth in N",
    rf"{STATEMENT}: here the exponent in $N$ of $\Theta^{{(L)}}e^{{c_1}}/L$.",
    rate=Rate(
        "N",
        ((8, 16, 32, 64), (8, 16, 32, 64), (8, 16, 32, 64, 128, 256)),
        (12, 24, 60),
        against_data,
        tuple(
            Claimed(f"kernel times e^c_1 / L, k = {k}", 4 - Fraction(4, k), None)
            for k in DIMENSIONS
        ),
        (f"explicit interpolants of the identity of cubes of dimension 2 and 3, L = {DEPTH}",),
        logarithms=True,
    ),
    **WORDS,
)
DEEP = Claim(
    "j23.thm10.deep@A",
    Kind.RATE,
    SOURCE,
    "tangent kernel of rank-underestimating fits: growth in L",
    rf"{STATEMENT}: here the exponent in $L$ of $\Theta^{{(L)}}$, for networks whose $c_1$ "
    r"does not depend on $L$.",
    rate=Rate(
        "L",
        ((10**3, 10**4, 10**5), (10**3, 10**4, 10**5), (10**3, 10**4, 10**5, 10**6)),
        (12, 24, 60),
        against_depth,
        tuple(Claimed(f"kernel, k = {k}", Fraction(1), None, FINITE) for k in DIMENSIONS),
        (f"explicit interpolants of the identity of cubes of dimension 2 and 3, N = {DATA_SIZE}",),
        logarithms=True,
    ),
    **WORDS,
)

CLAIMS = (DATA, DEEP)
