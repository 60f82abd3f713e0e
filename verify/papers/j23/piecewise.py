"""Finite piecewise linear functions (FPLF) and networks: Section 2 before Remark 1, Appendix D.2.

From a function to a network: f = max_i min_j l_ij with affine l_ij (every FPLF is of this form), by
max(u, v) = v + max(u - v, 0), with (1 - a^2) max(z, 0) = sigma(z) + a sigma(-z) and (1 + a) z =
sigma(z) - sigma(-z). From a network to a function: verify.papers.j23.pieces.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.rings import ring_of
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.deep.changes import OUTSIDE, SLOPES
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.rows import Row, entries_of, exact, number
from verify.papers.j23.sources import printed


# from functions to networks -----------------------------------------------------------------------
def leaky(values: Matrix, slope: Any) -> Matrix:
    """The activation."""
    return np.where(values < 0, values * slope, values)


def rectified(values: Matrix, slope: Any) -> Matrix:
    """max(z, 0) by two neurons."""
    return np.asarray((leaky(values, slope) + leaky(-values, slope) * slope) / (1 - slope * slope))


def carried(values: Matrix, slope: Any) -> Matrix:
    """z by two neurons."""
    return np.asarray((leaky(values, slope) - leaky(-values, slope)) / (1 + slope))


def largest(columns: list[Matrix], slope: Any) -> Matrix:
    """The maximum of some columns (N,) by one layer after the other; the others are carried on."""
    while len(columns) > 1:
        one, other, *rest = columns
        whole = carried(other, slope) + rectified(one - other, slope)
        columns = [whole, *(carried(column, slope) for column in rest)]
    return columns[0]


def representation_residual(scene: RealScene) -> Entries:
    """The network minus max_i min_j (A_ij . x + c_ij) at the points."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        slope = number(case, "a")
        if slope * slope == 1:
            continue
        planes, points = exact(case, "A"), exact(case, "X")
        shifts = exact(case, "c")
        values = [
            plane @ points.T + shift.reshape(-1, 1)
            for plane, shift in zip(planes, shifts, strict=True)
        ]
        least = [-largest([-row for row in block], slope) for block in values]
        network = largest(least, slope)
        wanted = np.max([np.min(block, axis=0) for block in values], axis=0)
        rows += [(place, {"point": at}, v) for at, v in enumerate(network - wanted)]
    return entries_of(rows)


def representation_argument() -> Argument:
    """The two gadgets and the maximum, on either side of 0."""
    ring = ring_of(3)
    a, z, v = ring.generators
    above, below = (z, -(a * z)), (a * z, -z)  # sigma(z) and sigma(-z) for z >= 0 and z < 0
    steps = [
        Step(
            "sigma(z) + a sigma(-z) is (1 - a^2) z for z >= 0 and 0 for z < 0",
            ring.is_zero(above[0] + a * above[1] - (z - a * a * z))
            and ring.is_zero(below[0] + a * below[1]),
        ),
        Step(
            "sigma(z) - sigma(-z) is (1 + a) z on both sides",
            all(ring.is_zero(one - other - z - a * z) for one, other in (above, below)),
        ),
        Step(
            "(1 - a)(sigma(v) - sigma(-v)) + sigma(z) + a sigma(-z) is (1 - a^2) max(v, v + z) on "
            "all four sides: v for u - v = z < 0, else u",
            all(
                ring.is_zero((1 - a) * (p - m) + zs + a * zm - (1 - a * a) * (v + kept * z))
                for p, m in ((v, -(a * v)), (a * v, -v))
                for (zs, zm), kept in ((above, 1), (below, 0))
            ),
        ),
    ]
    return Argument(
        "maxima, minima and identities are networks of two neurons a value, for every slope inside "
        "(-1, 1)",
        tuple(steps),
        ("every continuous finite piecewise linear function is max_i min_j of affine functions",),
        measure="representation_residual",
        uses=(BREAKABLE.name,),
        section="docs/mathematics/j23.md#piecewise-linear-functions",
    )


def _of_slope(case: Tensors, random: Random) -> RealTensors:
    if not -1 < case.number("a") < 1:
        case = case.changing(a=Tensor((), (), (random.choice(SLOPES),)))
    return RealTensors(case.arrays, case.choice, case.family)


def _outside(case: Tensors, random: Random) -> Tensors:
    return case.changing(a=Tensor((), (), (random.choice(OUTSIDE),)))


TO_NETWORK = Claim(
    "j23.fplfnets.represent",
    Kind.IDENTITY,
    printed("Section 2, before Remark 1"),
    "piecewise linear functions are networks",
    r"Every finite piecewise linear function, $\max_i\min_j(A_{ij}\cdot x+c_{ij})$, is represented "
    r"by a network with the nonlinearity $\sigma_a$ of some finite depth and width.",
    (replace(BREAKABLE, break_=_outside),),
    ("j23.setup", "j23.homog@A"),
    measure=representation_residual,
    pool=TensorPool(
        (("A", ("i", "j", "n")), ("c", ("i", "j")), ("X", ("N", "n")), ("a", ())),
        largest=3,
        adapt=_of_slope,
    ),
    exact_only=True,
    proof=representation_argument,
)


# lower semi-continuity ----------------------------------------------------------------------------
def continuity_slack(scene: RealScene) -> Entries:
    """R(f_e) - R(f_0) + L sum |e d_i|^(2/L) for f_e with coefficients c + e d."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        depth = case.whole("L")
        if depth < 2:
            continue
        share, start = Fraction(1, depth), exact(case, "c")
        step = exact(case, "d") * number(case, "e")
        total = rational(0)
        for c, d in zip(start, step, strict=True):
            near, here, apart = (reals.power(v * v, share) for v in (c + d, c, d))
            total = total + near - here + apart
        rows.append((place, {}, total * depth))
    return entries_of(rows)


CONTINUOUS = Claim(
    "j23.fplf.continuity",
    Kind.INEQUALITY,
    printed("Appendix D.2"),
    "lower semi-continuity of the cost",
    r"$R(f;\Omega)$ is lower semi-continuous, $\liminf_{f\to f_0}R(f;\Omega)\ge R(f_0;\Omega)$: "
    r"for $f_\epsilon(x)_i=(c_i+\epsilon d_i)\max(x_i,0)$ with the ReLU on a box around $0$, "
    r"$L\ge2$, $R(f_\epsilon;\Omega,L)\ge R(f_0;\Omega,L)-L\sum_i|\epsilon d_i|^{2/L}$.",
    (),
    ("j23.repcost",),
    measure=continuity_slack,
    through="a family of functions whose cost is known stands for all sequences "
    "(docs/mathematics/j23.md#piecewise-linear-functions)",
    pool=TensorPool((("c", ("n",)), ("d", ("n",)), ("e", ())), (("L", 2, 6),), 3, as_real),
    exact_only=True,
)

CLAIMS = (TO_NETWORK, CONTINUOUS)
