"""Remark 1: the width that suffices at depth 2."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import column_basis, rank
from graphs.rationals import RATIONALS
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE_SLOPE
from verify.kinds.deep.networks import Deep, Matrix
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.rows import Row, entries_of
from verify.papers.j23.sources import printed


def _square(values: Matrix) -> Any:
    return (values * values).sum()


def extended(points: Matrix) -> Matrix:
    """(N, n + 1): the points with a last coordinate 1, which carries the bias."""
    ones = np.empty((len(points), 1), dtype=object)
    ones.fill(rational(1))
    return np.concatenate([points, ones], axis=1)


def _contributions(case: Deep) -> tuple[Matrix, list[Any]]:
    """(K, N q): what each neuron adds to the values at the points, and what it costs."""
    points, outgoing = case.matrix("X"), case.matrix("W2")
    first = np.concatenate([case.matrix("W1"), case.matrix("b1").reshape(-1, 1)], axis=1)
    z = extended(points) @ first.T
    z = np.where(z < 0, z * case.matrix("a").reshape(-1)[0], z)  # (N, K)
    width = len(first)
    parts = np.stack([np.outer(z[:, k], outgoing[:, k]).reshape(-1) for k in range(width)])
    sizes = (first**2).sum(axis=1) * (outgoing**2).sum(axis=0)
    return parts, [reals.sqrt(size) * 2 for size in sizes]


def _dependence(rows: Matrix) -> Matrix | None:
    """Numbers, not all 0, with which the rows sum to 0; None if they are independent."""
    basis = column_basis(rows.T)
    if basis.shape[1] == len(rows):
        return None
    for k in range(1, len(rows) + 1):
        before = rows[: k - 1]
        if rank(rows[:k]) == k:
            continue
        numbers = np.empty(len(rows), dtype=object)
        numbers.fill(rational(0))
        if k > 1:
            numbers[: k - 1] = -(rows[k - 1] @ reals.pseudo_inverse(before))
        numbers[k - 1] = rational(1)
        return numbers
    return None


def reduced(case: Deep) -> tuple[Matrix, list[Any], Matrix]:
    """Factors at least 0 of the neurons that keep the values at the points and do not raise the
    cost, not 0 for at most as many neurons as the values have numbers."""
    parts, costs = _contributions(case)
    factors = RATIONALS.array([1] * len(parts))
    for _ in range(len(parts)):
        kept = [k for k in range(len(parts)) if factors[k] != 0]
        numbers = _dependence(parts[kept] * factors[kept].reshape(-1, 1)) if kept else None
        if numbers is None:
            break
        change: Any = rational(0)
        for place, k in enumerate(kept):
            change = change + costs[k] * (numbers[place] * factors[k])
        if change < 0 or not (numbers > 0).any():
            numbers = -numbers
        step = min((1 / value for value in numbers if value > 0), default=rational(0))
        for place, k in enumerate(kept):
            factors[k] = factors[k] * (1 - step * numbers[place])
    return factors, costs, parts


def width_slack(scene: DeepScene) -> Entries:
    """|theta|^2 minus the cost of the network with fewer neurons, N (N + 1) minus their number, and
    minus the squared distance of the values."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        count, outputs = case.lengths["N"], case.widths[-1]
        if case.depth != 2 or outputs > count + 1:
            continue
        factors, costs, parts = reduced(case)
        left: Any = case.exact.parameter_square[0] - _square(case.matrix("b2"))
        for factor, price in zip(factors, costs, strict=True):
            left = left - price * factor
        number_left = sum(factor != 0 for factor in factors)
        moved = _square(((factors - 1).reshape(-1, 1) * parts).sum(axis=0))
        rows.append((place, {"part": "norm"}, left))
        rows.append((place, {"part": "width"}, rational(count * (count + 1) - number_left)))
        rows.append((place, {"part": "values"}, -moved))
    return entries_of(rows)


WIDTH = Claim(
    "j23.rem1",
    Kind.INEQUALITY,
    printed("Remark 1"),
    "sufficient width, two layers",
    r"For a data set of size $N$ a width of $N(N+1)$ suffices: every network has one of this width "
    r"with the same values at the data and no larger norm. (Here $L=2$, $d_{out}\le N+1$.)",
    (BREAKABLE_SLOPE,),
    ("j23.repcost",),
    measure=width_slack,
    pool=pool(depths=(2,), widest=12, points=(1, 2, 2, 3)),
    exact_only=True,
    through="neurons that a linear relation of their values at the data makes superfluous are "
    "taken "
    "away one by one, of networks of two layers "
    "(docs/mathematics/j23.md#two-minima-one-layer-widths)",
)

CLAIMS = (WIDTH,)
