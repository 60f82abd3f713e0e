"""Equation (9), the Taylor expansion with Lagrange's remainder, and the bound of Corollary 3.7."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from graphs.rationals import RATIONALS
from graphs.reals import eigenvalues_of_gram
from graphs.rings import ring_of
from graphs.univariate import (
    Univariate,
    common_divisor,
    derivative,
    has_root,
    integral,
    minus,
    times,
    univariate,
    value,
)
from verify.cases.scenes import Entries
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.dags.hypotheses import DAG, IDENTITY_OUTPUTS, ONE_OUTPUT
from verify.kinds.dags.pool import dag_pool, often_without_zeros
from verify.kinds.dags.scene import Dag, DagScene
from verify.papers.zlb22.kinks import KINKED, TWICE, Pieces, only, outputs_in_pieces, piece_at
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

POINT = 0
FINEST = 64  # parts of the segment that are looked at for a large second derivative
POOL = partial(dag_pool, extras=(("V", ("n", "n")),), most=4, points=1, last=often_without_zeros)
SHORT = POOL(degree=2)
STEEP = KINKED(degree=4)  # phi of degree 3 has one such t, 1/3, whatever its coefficients


def without_common_point(scene: DagScene) -> Entries:
    """1 where no t in [0, 1] has phi(1) - phi(0) - phi'(0) = phi''(t)/2 for all outputs, else 0. At
    a kink the second derivative of either side will do."""
    found = [outputs_in_pieces(case) for case in scene.cases]
    missing = [int(outputs is not None and not _common_point(outputs)) for outputs in found]
    known = np.flatnonzero([outputs is not None for outputs in found])
    return only(scene.compare(scene.numbers(missing), scene.constant(0)), known)


def _common_point(outputs: Mapping[int, Pieces]) -> bool:
    """Whether there is such a t: on one of the pieces a common root."""
    cuts = sorted({t for pieces in outputs.values() for t, _ in pieces} | {END})
    for low, high in pairwise(cuts):
        shared: Univariate = ()
        for pieces in outputs.values():
            gap = minus(half_curvature(piece_at(pieces, low)), univariate([_remainder(pieces)]))
            shared = common_divisor(shared, gap)
        if has_root(shared, low, high):
            return True
    return not outputs


def _remainder(pieces: Pieces) -> Fraction:
    """phi(1) - phi(0) - phi'(0)."""
    first, last = pieces[0][1], pieces[-1][1]
    return value(last, END) - value(first, START) - value(derivative(first), START)


def bound_by_curvature(scene: DagScene) -> Entries:
    """|w - w_0|^4 |H(t)|^2 / 4 - |f - f_lin|^2 for each output: the square of the bound against
    that of the remainder, with the norm of the Hessian at one point of the segment in place of the
    largest one in the ball. Where no point is found that has |phi''| / 2 large enough nothing is
    said."""
    parts, kept = [], []
    for k in range(scene.vertices):
        sides = [_sides(case, k) for case in scene.cases]
        left = _objects([side[0] if side else RATIONALS.convert(0) for side in sides])
        right = scene.numbers([side[1] if side else 0 for side in sides])
        parts.append(({"neuron": k}, left, right))
        kept.append([side is not None for side in sides])
    return only(scene.parts(parts), np.flatnonzero(np.array(kept).reshape(-1)))


def _sides(case: Dag, k: int) -> tuple[Any, Fraction] | None:
    """Both sides for one output; None of another vertex, and where there is no such point."""
    phi = outputs_along(case).get(k)
    point = None if phi is None else _bent_point(phi)
    if phi is None or point is None:
        return None
    length = RATIONALS.convert(squared_length(case) ** 2 / 4)
    return _squared_norm(moved_to(case, point), k) * length, linear_remainder(phi) ** 2


def _objects(values: list[Any]) -> np.ndarray:
    made = np.empty(len(values), dtype=object)
    for k, entry in enumerate(values):
        made[k] = entry
    return made


def _bent_point(phi: Univariate) -> Fraction | None:
    """A point of the segment where |phi''| / 2 is at least the remainder; None if none is found."""
    curve, wanted = half_curvature(phi), abs(linear_remainder(phi))
    points = [Fraction(k, FINEST) for k in range(FINEST + 1)]
    for point in (*points[:: FINEST // 4], *points):
        if abs(value(curve, point)) >= wanted:
            return point
    return None


def _squared_norm(case: Dag, k: int) -> Any:
    """|H|^2 of output k, with respect to the weights w: the largest eigenvalue of (H_u D)^2, H_u by
    the normalised weights and D the inverse in-degrees, to which H_w^2 is similar."""
    scene = DagScene([case], RATIONALS)
    hessian = scene.passed(POINT).post_hessian[k][0]
    scaled = hessian * scene.inverse_degrees[0][None, :]
    found = eigenvalues_of_gram(scaled @ scaled)
    return found[0] if found else RATIONALS.convert(0)


# arguments ----------------------------------------------------------------------------------------
LAGRANGE = (
    "Taylor's theorem with Lagrange's remainder: of a function that is twice differentiable on "
    "[0, 1], phi(1) - phi(0) - phi'(0) = phi''(t)/2 for some t; of a polynomial the left side is a "
    "mean of phi''/2, which is continuous"
)
COMPOSED = (
    "sums, products and compositions of twice differentiable functions are twice differentiable, "
    "and along a segment phi'' is the quadratic form of the Hessian at the displacement"
)
RAYLEIGH = "|d^T H d| is at most |d|^2 |H| for a symmetric H"
MOST_DEGREE = 12


def mean_of_second_derivatives() -> Argument:
    """The remainder of t^k is the mean of its second derivative with the weight 1 - t."""
    weight = univariate([1, -1])
    steps = []
    for k in range(MOST_DEGREE + 1):
        power = univariate([0] * k + [1])
        mean = integral(times(weight, derivative(derivative(power))), START, END)
        text = f"phi(1) - phi(0) - phi'(0) is the integral of (1 - t) phi'', phi = t^{k}"
        steps.append(Step(text, mean == linear_remainder(power)))
    total = integral(weight, START, END)
    steps.append(Step("the weights 1 - t add up to 1/2", total == Fraction(1, 2)))
    return Argument(
        "along the segment the network is a twice differentiable function of t, and the remainder "
        "is a mean of its second derivatives",
        tuple(steps),
        (LAGRANGE, COMPOSED),
        "without_common_point",
        (DAG.name, TWICE.name, ONE_OUTPUT.name),
        section="docs/mathematics/zlb22.md#taylors-theorem",
    )


def form_by_either_weights() -> Argument:
    """d^T H d is the same by the weights w and by w over the roots of in-degrees."""
    steps = []
    for count in (1, 2, 3):
        ring = ring_of(count * (count + 2))
        symbols = list(ring.generators)
        moves, scales = symbols[:count], symbols[count : 2 * count]
        hessian = [symbols[count * (2 + i) : count * (3 + i)] for i in range(count)]
        plain, scaled = ring.constant(Fraction(0)), ring.constant(Fraction(0))
        for i in range(count):
            for j in range(count):
                entry = hessian[i][j]
                plain = plain + moves[i] * scales[i] * entry * moves[j] * scales[j]
                scaled = scaled + moves[i] * (scales[i] * entry * scales[j]) * moves[j]
        text = f"with u = s w entry by entry, d_u^T H_u d_u = d_w^T H_w d_w, {count} weights"
        steps.append(Step(text, ring.is_zero(plain - scaled)))
    return Argument(
        "by eq. (9) the error is half the size of the quadratic form of the Hessian at a point of "
        "the segment, so at most half its norm there times the squared length of the displacement",
        (*steps, *mean_of_second_derivatives().steps),
        (LAGRANGE, COMPOSED, RAYLEIGH),
        "bound_by_curvature",
        ("DAG",),
        section="docs/mathematics/zlb22.md#taylors-theorem",
    )


# claims -------------------------------------------------------------------------------------------
TAYLOR = Claim(
    "zlb22.eq9",
    Kind.IDENTITY,
    printed("eq. (9), Remark 3.3"),
    "Taylor expansion with a point on the segment",
    r"For a single output there is $\xi$ on the segment between $\mathbf w_0$ and $\mathbf w$ with "
    r"$f(\mathbf w)=f(\mathbf w_0)+(\mathbf w-\mathbf w_0)^T\nabla_{\mathbf w}f(\mathbf w_0)+"
    r"\tfrac12(\mathbf w-\mathbf w_0)^TH_f(\xi)(\mathbf w-\mathbf w_0)$; of several outputs all of "
    r"them with the same $\xi$.",
    (DAG, TWICE, ONE_OUTPUT),
    measure=without_common_point,
    pool=STEEP,
    exact_only=True,
    proof=mean_of_second_derivatives,
    trusted=(LAGRANGE, COMPOSED),
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
    proof=form_by_either_weights,
    trusted=(LAGRANGE, COMPOSED, RAYLEIGH),
    depends=("zlb22.eq9",),
)

CLAIMS = (TAYLOR, LINEARISED)
