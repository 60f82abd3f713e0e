"""Domains conv(X) + span(Y), bounded or with lines, and R^(0) of affine functions on them.

Bounded: R^(0) is the rank r of F along the domain. From below by the Jacobian; from above by r
chains, made positive by a shift, so that R <= L r + O(1).

With lines: let u_l, v_l be the slopes of alpha_l at both ends of a line of the domain on which f is
not bounded, U = |u_l ^ v_l| the area between them. For slopes a in (-1, 0] activations end in the
positive orthant, and one layer has U' <= U |theta|^2 / 2. (Rows on which both ends have one sign
count as linear. With squares P, Q of the two ends after the layer, C their product over those rows,
c = u.v and |u|^2 |v|^2 - c^2 = 1: |W|^2 / 2 >= sqrt(1 + c^2) sqrt(P Q) - c C >= sqrt(P Q - C^2).)
Layer 1 has U <= |W_1 y|^2 / 2, and layer L needs |W_L|^2 >= 2 |F y|^2 / U. So R >= 2 L
(|F y| / |y|)^(2/L): R^(0) >= 2, with equality for rank 1, and R(id; R, L) = 2 L for the ReLU.
From above each direction along which f is not bounded takes two neurons a layer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import column_basis, rank
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealTensors
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.costs.affine import Bounds
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE
from verify.kinds.deep.hypotheses import SLOPES
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.rows import exact, number

SLOPE = replace(BREAKABLE, break_=None)  # the bounds are for slopes inside (-1, 1)
SHAPE = r"$\Omega=\mathrm{conv}(X)+\mathrm{span}(Y)$"
ON_DOMAINS = (
    "of affine functions the cost lies between bounds that hold at every depth, from the Jacobian, "
    "from lines and from chains (docs/mathematics/j23.md#what-an-infimum-lets-one-say)"
)
ARRANGEMENTS = (
    "as it comes",
    "a line",
    "a line",
    "bounded",
    "a face",
    "a face",
    "simplex",
    "simplex",
    "a point",
)
ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


@dataclass(frozen=True)
class Domain:
    """conv(points) + span(lines). points: (N, n). lines: (M, n). slope: a."""

    points: Matrix
    lines: Matrix
    slope: Any

    @property
    def directions(self) -> Matrix:
        """(n, .): columns that span the tangent space."""
        return np.concatenate([(self.points[1:] - self.points[0]).T, self.lines.T], axis=1)

    @property
    def dimension(self) -> int:
        """Of the tangent space."""
        return rank(self.directions)

    @property
    def bounded(self) -> bool:
        """Whether there are no lines."""
        return not self.lines.any()

    def image(self, linear: Matrix, shift: Matrix) -> Domain:
        """Under x -> linear x + shift."""
        return Domain(self.points @ linear.T + shift, self.lines @ linear.T, self.slope)


def domain(case: Tensors) -> Domain:
    """The domain of a case."""
    return Domain(exact(case, "X"), exact(case, "Y"), number(case, "a"))


def first_order(linear: Matrix, on: Domain) -> Bounds:
    """R^(0) of x -> linear x + any shift, between two integers."""
    along, unbounded = rank(linear @ on.directions), rank(linear @ on.lines.T)
    lower = max(along, 2) if unbounded and on.slope <= 0 else along
    return Bounds(rational(lower), rational(along + unbounded))


def through_rank(linear: Matrix, shift: Matrix, on: Domain, depth: int) -> Any:
    """|theta|^2 of a network of depth L >= 2 that is x -> linear x + shift on a bounded domain:
    W_1 = B and W_L = C with linear P_T = C B of full rank, identities between, a bias b_1 that
    makes the first layer positive and b_L that takes it back."""
    basis = column_basis(linear @ reals.image_projection(on.directions))
    value = linear @ on.points[0] + shift
    if basis.shape[1] == 0:
        return (value * value).sum()
    inner = reals.pseudo_inverse(basis) @ linear @ reals.image_projection(on.directions)
    lowest = np.min(on.points @ inner.T, axis=0)
    last = value - basis @ (inner @ on.points[0] - lowest)
    ends = sum((part * part).sum() for part in (inner, lowest, basis, last))
    return ends + rational((depth - 2) * basis.shape[1])


# hypotheses ---------------------------------------------------------------------------------------
def _entries(case: Tensors, name: str, entries: tuple[Fraction, ...]) -> Tensors:
    return case.changing(**{name: replace(case.arrays[name], entries=entries)})


def without_lines(case: Tensors, random: Random) -> Tensors:
    """Y = 0."""
    return _entries(case, "Y", (ZERO,) * len(case.arrays["Y"].entries))


def with_lines(case: Tensors, random: Random) -> Tensors:
    """A row of Y is a unit vector."""
    array = case.arrays["Y"]
    entries = [ZERO] * len(array.entries)
    entries[random.randrange(array.shape[1])] = ONE
    return _entries(case, "Y", tuple(entries))


def solid(case: Tensors, random: Random) -> Tensors:
    """The points become those of a simplex, as many as needed."""
    if domain(case).dimension == case.lengths["n"]:
        return case
    width = case.lengths["n"]
    base = case.arrays["X"].entries[:width]
    steps = [[Fraction(i == j) for j in range(width)] for i in range(-1, width)]
    entries = tuple(b + s for step in steps for b, s in zip(base, step, strict=True))
    return case.changing(X=Tensor(("N", "n"), (width + 1, width), entries))


def flat(case: Tensors, random: Random) -> Tensors:
    """All points equal, no lines."""
    array = case.arrays["X"]
    first = array.entries[: array.shape[1]]
    return without_lines(_entries(case, "X", first * array.shape[0]), random)


def on_a_face(case: Tensors, random: Random) -> Tensors:
    """One coordinate is the same at all points."""
    array = case.arrays["X"]
    width = array.shape[1]
    which = random.randrange(width)
    first = array.entries[which]
    entries = tuple(first if place % width == which else v for place, v in enumerate(array.entries))
    return _entries(case, "X", entries)


def on_a_line(case: Tensors) -> Tensors:
    """All points are one, all lines as the first."""
    for name in "XY":
        array = case.arrays[name]
        first = array.entries[: array.shape[1]]
        case = _entries(case, name, first * array.shape[0])
    return case


def unseen(case: Tensors) -> Tensors:
    """F does not see the coordinates in which the points differ."""
    array, points = case.arrays["F"], case.arrays["X"]
    width = points.shape[1]
    if array.shape[1] != width:
        return case
    columns = [points.entries[j::width] for j in range(width)]
    entries = tuple(
        v if len(set(columns[place % width])) == 1 else ZERO
        for place, v in enumerate(array.entries)
    )
    return _entries(case, "F", entries)


BOUNDED = Hypothesis(
    "bounded domain",
    r"$\Omega$ is bounded: $Y=0$",
    by_case(lambda case: domain(case).bounded),
    without_lines,
    with_lines,
)
SOLID = Hypothesis(
    "domain with interior",
    r"$\Omega$ has interior points",
    by_case(lambda case: domain(case).dimension == case.lengths["n"]),
    solid,
    flat,
)


# making cases -------------------------------------------------------------------------------------
def arranged(case: Tensors, random: Random) -> RealTensors:
    """A slope inside (-1, 1); mostly no lines, often a simplex."""
    if not -1 < case.number("a") < 1:
        case = case.changing(a=Tensor((), (), (random.choice(SLOPES),)))
    how = random.choice(ARRANGEMENTS)
    if how not in ("as it comes", "a line"):
        case = without_lines(case, random)
    if how == "a line":
        case = on_a_line(case)
    if how == "simplex" or (how == "a face" and random.random() < HALF):
        case = solid(case, random)
    if how == "a point":
        case = flat(case, random)
    if how == "a face":
        case = on_a_face(case, random)
        case = unseen(case) if "F" in case.arrays and random.random() < HALF else case
    return RealTensors(case.arrays, case.choice, case.family)


Axes = tuple[tuple[str, tuple[str, ...]], ...]


def domain_pool(arrays: Axes, **options: Any) -> TensorPool:
    """A pool of such cases; X, Y and a are there by themselves."""
    whole = (("X", ("N", "n")), ("Y", ("M", "n")), ("a", ()), *arrays)
    return TensorPool(whole, largest=3, adapt=arranged, **options)
