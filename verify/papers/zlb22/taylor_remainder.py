"""Equation (9), the Taylor expansion with Lagrange's remainder, and the bound of Corollary 3.7."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from graphs.arithmetic import RATIONALS
from graphs.reals import eigenvalues_of_gram
from graphs.univariate import Univariate, common_divisor, has_root, minus, univariate, value
from verify.claim import Claim, Kind
from verify.dag_hypotheses import DAG, IDENTITY_OUTPUTS, ONE_OUTPUT
from verify.dag_pool import dag_pool, often_without_zeros
from verify.dag_scene import Dag, DagScene
from verify.papers.zlb22.second_derivatives import POINT, only
from verify.papers.zlb22.segments import (
    END,
    START,
    half_curvature,
    linear_remainder,
    moved_to,
    outputs_along,
    squared_length,
)
from verify.papers.zlb22.sources import printed
from verify.vocabulary import Entries

FINEST = 64  # parts of the segment that are looked at for a large second derivative
POOL = partial(dag_pool, extras=(("V", ("n", "n")),), most=4, points=1, last=often_without_zeros)
SHORT = POOL(degree=2)
STEEP = POOL(degree=4)  # phi of degree 3 has one such t, 1/3, whatever its coefficients


def without_common_point(scene: DagScene) -> Entries:
    """1 where no t in [0, 1] has phi(1) - phi(0) - phi'(0) = phi''(t)/2 for all outputs, else 0."""
    missing = []
    for case in scene.cases:
        shared: Univariate = ()
        for phi in outputs_along(case).values():
            gap = minus(half_curvature(phi), univariate([linear_remainder(phi)]))
            shared = common_divisor(shared, gap)
        missing.append(int(not has_root(shared, START, END)))
    return scene.compare(scene.numbers(missing), scene.constant(0))


def bound_by_curvature(scene: DagScene) -> Entries:
    """|w - w_0|^4 |H(t)|^2 / 4 - |f - f_lin|^2 for each output: the square of the bound against
    that of the remainder, with the norm of the Hessian at one point of the segment in place of the
    largest one in the ball. The point is one where |phi''| / 2 is large enough, if one is found."""
    parts, kept = [], []
    for k in range(scene.vertices):
        left, right, there = [], [], []
        for case in scene.cases:
            phi = outputs_along(case).get(k)
            there.append(phi is not None)
            remainder = linear_remainder(phi) if phi is not None else Fraction(0)
            norm = _squared_norm(moved_to(case, _bent_point(phi)), k) if phi is not None else 0
            left.append(norm * scene.arithmetic.convert(squared_length(case) ** 2 / 4))
            right.append(remainder**2)
        parts.append(({"neuron": k}, _objects(left), scene.numbers(right)))
        kept.append(there)
    return only(scene.parts(parts), np.flatnonzero(np.array(kept).reshape(-1)))


def _objects(values: list[object]) -> np.ndarray:
    made = np.empty(len(values), dtype=object)
    for k, entry in enumerate(values):
        made[k] = entry
    return made


def _bent_point(phi: Univariate) -> Fraction:
    """A point of the segment where |phi''| / 2 is at least the remainder, or as large as found."""
    curve, wanted = half_curvature(phi), abs(linear_remainder(phi))
    points = [Fraction(k, FINEST) for k in range(FINEST + 1)]
    coarse = points[:: FINEST // 4]
    for point in (*coarse, *points):
        if abs(value(curve, point)) >= wanted:
            return point
    return max(points, key=lambda point: abs(value(curve, point)))


def _squared_norm(case: Dag, k: int) -> object:
    """|H|^2 of output k, with respect to the weights w: the largest eigenvalue of (H_u D)^2, H_u by
    the normalised weights and D the inverse in-degrees, to which H_w^2 is similar."""
    scene = DagScene([case], RATIONALS)
    hessian = scene.passed(POINT).post_hessian[k][0]
    scaled = hessian * scene.inverse_degrees[0][None, :]
    found = eigenvalues_of_gram(scaled @ scaled)
    return found[0] if found else scene.arithmetic.convert(0)


TAYLOR = Claim(
    "zlb22.eq9",
    Kind.IDENTITY,
    printed("eq. (9), Remark 3.3"),
    "Taylor expansion with a point on the segment",
    r"For a single output there is $\xi$ on the segment between $\mathbf w_0$ and $\mathbf w$ with "
    r"$f(\mathbf w)=f(\mathbf w_0)+(\mathbf w-\mathbf w_0)^T\nabla_{\mathbf w}f(\mathbf w_0)+"
    r"\tfrac12(\mathbf w-\mathbf w_0)^TH_f(\xi)(\mathbf w-\mathbf w_0)$; of several outputs all of "
    r"them with the same $\xi$.",
    (DAG, ONE_OUTPUT),
    measure=without_common_point,
    pool=STEEP,
    exact_only=True,
    negated=r"no $\xi$ on the segment serves",
)

LINEARISED = Claim(
    "zlb22.cor3.7.bound",
    Kind.INEQUALITY,
    printed("Corollary 3.7"),
    "the linearisation error by the Hessian norm",
    r"$|f_k(\mathbf w)-(f_k)_{\mathrm{lin}}(\mathbf w)|\le\tfrac12\sup_{\mathbf w\in\mathsf B("
    r"\mathbf w_0,R)}\lVert H_{f_k}(\mathbf w)\rVert\,R^2$ for $\lVert\mathbf w-\mathbf w_0\rVert"
    r"=R$.",
    (DAG, IDENTITY_OUTPUTS),
    measure=bound_by_curvature,
    pool=SHORT,
    exact_only=True,
    depends=("zlb22.eq9",),
)

CLAIMS = (TAYLOR, LINEARISED)
