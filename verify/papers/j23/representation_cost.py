"""Sections 1 and 2.1: the representation cost, its expansion where it is known at every depth, and
the width that suffices at depth 2."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import column_basis, inverse, rank
from graphs.rationals import RATIONALS
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Affine, cost
from verify.kinds.costs.one_layer import extended, least_norm
from verify.kinds.costs.stacked import is_acute
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE_SLOPE
from verify.kinds.deep.networks import Deep, Matrix
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.affine_cases import HULL, SLOPE, affine, affine_pool
from verify.papers.j23.rows import Row, entries_of, exact, number
from verify.papers.j23.sources import printed


def _square(values: Matrix) -> Any:
    return (values * values).sum()


# the two minima -----------------------------------------------------------------------------------
def _ridge(gram: Matrix, weight: Any) -> Matrix:
    """(gram + weight I)^-1."""
    size = len(gram)
    eye = RATIONALS.array([[int(i == j) for j in range(size)] for i in range(size)])
    return inverse(gram + eye * weight)


def minima_residual(scene: RealScene) -> Entries:
    """min over (W, b) of sum |W x_i + b - y_i|^2 + lambda |theta|^2, minus the minimum over the
    values f(x_i) of sum |f(x_i) - y_i|^2 + lambda R(f; X, 1)."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        points, wanted, weight = exact(case, "X"), exact(case, "Y"), number(case, "lambda")
        if weight <= 0:
            continue
        inputs = extended(points)
        solution = _ridge(inputs.T @ inputs, weight) @ inputs.T @ wanted
        left = _square(inputs @ solution - wanted) + weight * _square(solution)
        kernel = inputs @ inputs.T
        values = kernel @ _ridge(kernel, weight) @ wanted
        least = least_norm(points, values)
        rows.append((place, {}, left - _square(values - wanted) - weight * least))
    return entries_of(rows)


def _positive_weight(case: Tensors, random: Random) -> RealTensors:
    array = case.arrays["lambda"]
    value = abs(array.entries[0]) or Fraction(1, random.choice((1, 10, 1000)))
    return as_real(case.changing(**{"lambda": replace(array, entries=(value,))}), random)


COST = Claim(
    "j23.repcost",
    Kind.IDENTITY,
    printed("Section 2.1"),
    "representation cost, and the two minima at depth 1",
    r"$R(f;\Omega,L)=\min_{\theta:f_{\theta|\Omega}=f_{|\Omega}}\lVert\theta\rVert^2$, and for any "
    r"cost $C$ on functions $\Omega\to\mathbb R^{d_{out}}$, $\min_\theta C(f_\theta)+\lambda\lVert"
    r"\theta\rVert^2=\min_fC(f)+\lambda R(f;\Omega,L)$. (Solved on both sides: $L=1$, finite "
    r"$\Omega$, $C$ the sum of squared distances; $R$ is then the least norm of an interpolation.)",
    depends=("j23.setup",),
    measure=minima_residual,
    pool=TensorPool(
        (("X", ("N", "n")), ("Y", ("N", "q")), ("lambda", ())), largest=3, adapt=_positive_weight
    ),
    exact_only=True,
    through="both minima are solved where $L=1$, as least squares "
    "(docs/mathematics/j23.md#two-minima-one-layer-widths)",
)


# the expansion ------------------------------------------------------------------------------------
def expansion_slack(scene: RealScene) -> Entries:
    """What is left of |R - (L R^(0) + R^(1) + R^(2)/L)| <= c/L^2, for R from below and from above,
    of functions whose cost is known at every depth: constants c with |c| <= 1 on domains with 0,
    where R = |c|^2, and linear maps of rank one along acute domains, where R = L s^(2/L)."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        function, depth = affine(case, "F", "d"), case.whole("L")
        if depth < 1:
            continue
        found = _series(function, depth)
        if found is not None:
            (series, rest), bounds = found, cost(function, depth)
            rows.append((place, {"part": "below"}, bounds.lower - series + rest))
            rows.append((place, {"part": "above"}, series + rest - bounds.upper))
    return entries_of(rows)


def _series(function: Affine, depth: int) -> tuple[Any, Any] | None:
    """L R^(0) + R^(1) + R^(2)/L, and c/L^2; None where they are not known."""
    along = rank(function.along)
    if along == 0:
        value = _square(function.values[0])
        return (value, rational(0)) if function.has_origin and value <= 1 else None
    linear = function.on_span
    plain = not function.shift.any() and (linear == function.along).all()
    if along > 1 or not plain or not is_acute(function.points, linear) or depth == 1:
        return None
    size = _square(linear)
    x = reals.log(size)
    rest = abs(x * x * x) * rational(Fraction(1, 6 * depth * depth)) * max(size, rational(1))
    return x + depth + x * x * rational(Fraction(1, 2 * depth)), rest


EXPANSION = Claim(
    "j23.expansion",
    Kind.INEQUALITY,
    printed("Section 1, Section 1.1, Section 3"),
    "expansion of the representation cost",
    r"$R(f;\Omega,L)=LR^{(0)}(f;\Omega)+R^{(1)}(f;\Omega)+\frac1LR^{(2)}(f;\Omega)+O(L^{-2})$. "
    rf"(Where $R$ is known at every depth, with the constant of Taylor's formula; {HULL}.)",
    (SLOPE,),
    ("j23.repcost",),
    measure=expansion_slack,
    pool=affine_pool((("F", ("q", "n")), ("d", ("q",))), integers=(("L", 1, 20),)),
    exact_only=True,
    through="of constants and of maps of rank one the cost is known at every depth, and Taylor's "
    "formula bounds the rest (docs/mathematics/j23.md#powers-and-logarithms)",
)


# the width that suffices --------------------------------------------------------------------------
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

CLAIMS = (COST, EXPANSION, WIDTH)
