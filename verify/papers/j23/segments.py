"""Proposition 9, part 2, and its proof (Proposition 18, part 2): the tangent kernel at the ends of
a segment.

By reading A the pre-activations of all neurons, those of the outputs among them, are constant on
the segment [x, y]; then so is f. By reading B the D_l are. x and y are the two points of X. The
kernel is summed over all parameters where a bound from below is refuted, and over the weights alone
where one is repaired: the biases add a positive semidefinite matrix, so that either way the other
reading follows.

Derivatives along the segment are differences of three values. They are the same while the D_l are
constant; across a kink they are not, and there is no entry.

With d = y - x and w = Jf(x) d everything is stated without roots: v = w/|w|, u = d/|d|, both sides
times |w|^2, and inequalities between roots to the power L.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep_hypotheses import RELU, SLOPE, SMOOTH
from verify.deep_scene import DeepScene, RealScene, as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.bilinear import power
from verify.papers.j23.kernels import applied, dot
from verify.papers.j23.lipschitz_constants import of_those
from verify.papers.j23.segment_cases import (
    APART,
    CONSTANT,
    MOVED,
    SEGMENTS,
    directions,
    same_slopes,
    second,
)
from verify.papers.j23.segment_proofs import (
    affine_in_each,
    larger_end_of_a_parabola,
    second_derivative_of_the_diagonal,
    still_on_the_segment,
)
from verify.papers.j23.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

ENDS = (Fraction(0), Fraction(1, 2), Fraction(1))


# measures -----------------------------------------------------------------------------------------
def kernels_on_the_segment(scene: DeepScene, *, biases: bool) -> list[list[Array]]:
    """K[i][j]: (C,) w^T Theta(gamma(t_i), gamma(t_j)) w for t in 0, 1/2, 1, from values of the
    network at these points."""
    step, moved = directions(scene)
    size, width = len(scene.cases), scene.width(0)
    start = scene.points[:, [0]]
    whole = step.reshape(size, 1, width)
    line = [start + whole * scene.constant(t).reshape(size, 1, 1) for t in ENDS]
    _, post, slopes, _ = scene.forward(scene.arithmetic.join(line, 1))
    found = [[scene.constant(0)] * len(ENDS) for _ in ENDS]
    behind = [moved] * len(ENDS)
    for layer in range(scene.depth, 0, -1):
        behind = [vector * slopes[layer][:, k] for k, vector in enumerate(behind)]
        for i in range(len(ENDS)):
            for j in range(len(ENDS)):
                inner = dot(post[layer - 1][:, i], post[layer - 1][:, j])
                inner = inner + scene.constant(int(biases))
                found[i][j] = found[i][j] + inner * dot(behind[i], behind[j])
        weight = scene.transpose(scene.weight(layer))
        behind = [applied(scene, weight, vector) for vector in behind]
    return found


def _where_affine(scene: DeepScene, entries: Entries) -> Entries:
    """The entries of the networks whose D_l are constant on the segment."""
    return of_those(entries, same_slopes(scene))


def first_derivatives(scene: DeepScene) -> Entries:
    """(a) at both ends: the derivative of g(t) = K(t, t), a polynomial of degree 2, against
    d_x K + d_y K, K being of degree 1 in each."""
    k = kernels_on_the_segment(scene, biases=True)
    three, four = scene.constant(3), scene.constant(4)
    start = four * k[1][1] - three * k[0][0] - k[2][2]
    end = three * k[2][2] - four * k[1][1] + k[0][0]
    parts = [
        ({"part": "0"}, start, (k[2][0] - k[0][0]) + (k[0][2] - k[0][0])),
        ({"part": "1"}, end, (k[2][2] - k[0][2]) + (k[2][2] - k[2][0])),
    ]
    return _where_affine(scene, scene.parts(parts))


def pure_second_derivatives(scene: DeepScene) -> Entries:
    """(b) d_xx and d_yy along the segment: second differences of K in one of its places."""
    k = kernels_on_the_segment(scene, biases=True)
    two = scene.constant(2)
    parts = []
    for j, t in enumerate(ENDS):
        parts.append(({"part": f"xx {t}"}, k[0][j] + k[2][j], two * k[1][j]))
        parts.append(({"part": f"yy {t}"}, k[j][0] + k[j][2], two * k[j][1]))
    return _where_affine(scene, scene.parts(parts))


def second_derivative(scene: DeepScene) -> Entries:
    """(b) d^2/dt^2 K(t, t) - 2 d_x d_y K, both by differences."""
    k = kernels_on_the_segment(scene, biases=True)
    left = (k[0][0] + k[2][2] - scene.constant(2) * k[1][1]) * scene.constant(4)
    right = (k[2][2] - k[0][2] - k[2][0] + k[0][0]) * scene.constant(2)
    return _where_affine(scene, scene.compare(left, right))


def _bound(scene: DeepScene, factor: int | Fraction) -> Array:
    """(factor L |w|^2 |d|^2 |Jf(x) u|^(2-2/L))^L |d|^(2L-2) / |d|^(2L-2): the bound times |w|^2, to
    the power L: (factor L)^L |d|^2 |w|^(4L-2)."""
    step, moved = directions(scene)
    depth = scene.depth
    size = power(scene.square(moved), 2 * depth - 1)
    return scene.share(scene.square(step) * size, (factor * depth) ** depth)


def curvature_slack(scene: DeepScene) -> Entries:
    """(b) d^2/dt^2 v^T Theta v - 2 L |x-y|^2 |Jf(x) u|^(2-2/L), powers of both."""
    k = kernels_on_the_segment(scene, biases=True)
    second = (k[0][0] + k[2][2] - scene.constant(2) * k[1][1]) * scene.constant(4)
    entries = scene.compare(power(second, scene.depth), _bound(scene, 2))
    return _where_affine(scene, entries)


def end_slack(scene: DeepScene, *, biases: bool) -> Entries:
    """(c) the larger of v^T Theta v at the ends - L/4 |x-y|^2 |Jf(x) u|^(2-2/L), powers of both."""
    k = kernels_on_the_segment(scene, biases=biases)
    larger = scene.arithmetic.maximum(k[0][0], k[2][2])
    return scene.compare(power(larger, scene.depth), _bound(scene, Fraction(1, 4)))


def norm_slack(scene: DeepScene, *, biases: bool) -> Entries:
    """The larger of |Theta(x, x)|_op and |Theta(y, y)|_op - L/4 |x-y|^2 |Jf(x) u|^(2-2/L): powers
    of both, times |d|^(2L-2), so that the right side is rational."""
    ends = (0, second(scene))
    norms = [scene.largest_eigenvalue(scene.tangent_kernel(k, k, biases=biases)) for k in ends]
    step, moved = directions(scene)
    depth, length = scene.depth, scene.square(step)
    both = scene.arithmetic.maximum(*norms)
    left, right = both, scene.share(length, Fraction(depth, 4))
    for _ in range(depth - 1):
        left = left * both * length
        right = right * scene.square(moved) * scene.share(length, Fraction(depth, 4))
    return scene.compare(left, right)


# claims -------------------------------------------------------------------------------------------
READINGS = {
    "A": r"the $\tilde\alpha_\ell(\gamma(t))$ are constant in $t$",
    "B": r"the $D_\ell(\gamma(t))$ are constant in $t$",
}
BOUND = r"\frac L4\lVert x-y\rVert^2\,\lVert Jf_\theta(x)u\rVert_2^{2-2/L}"
MENDED = ", repaired for the ReLU"


def _ends_claim(reading: str, *, mended: bool = False) -> Claim:
    biases = reading == "B" and not mended
    return Claim(
        f"j23.prop9.2@{reading}{'.fix' if mended else ''}",
        Kind.INEQUALITY,
        printed("Propositions 9 and 18, part 2"),
        "tangent kernel at the ends of a segment" + (MENDED if mended else ""),
        r"For $x\ne y$ such that the pre-activations of all neurons remain constant on the segment "
        r"$[x,y]$, either $\lVert\Theta(x,x)\rVert_{op}$ or $\lVert\Theta(y,y)\rVert_{op}$ is at "
        rf"least ${BOUND}$, $u=\frac{{y-x}}{{\lVert y-x\rVert}}$.",
        (RELU if mended else SLOPE, SMOOTH, CONSTANT[reading], APART),
        ("j23.prop9.2.steps.c@B" + (".fix" if mended else ""),),
        partial(norm_slack, biases=biases),
        SEGMENTS,
        reading,
        READINGS[reading],
        repairs=f"j23.prop9.2@{reading}" if mended else None,
        exact_only=True,
        floats=reading == "B",  # by reading A there is nothing to climb
        proof=still_on_the_segment if reading == "A" else None,
    )


WORDS = {
    "a": (
        "first derivative along the segment",
        (
            r"$\partial_tv^T\Theta(\gamma(t),\gamma(t))v=\lVert x-y\rVert\,\partial_x(v^T\Theta("
            r"\gamma(t),\gamma(t))v)[u]+\lVert x-y\rVert\,"
            r"\partial_y(v^T\Theta(\gamma(t),\gamma(t))v)[u]$."
        ),
    ),
    "b.zero": (
        "pure second derivatives vanish",
        (
            r"$\partial_{xx}\Theta(\gamma(t),\gamma(t))=0$ and $\partial_{yy}\Theta(\gamma(t),"
            r"\gamma(t))=0$ for all $t$; here along the segment."
        ),
    ),
    "b.sum": (
        "second derivative along the segment",
        (
            r"$\partial_t^2(v^T\Theta(\gamma(t),\gamma(t))v)=2\lVert x-y\rVert^2\,\partial_{xy}^2("
            r"v^T\Theta(\gamma(t),\gamma(t))v)[u,u]$."
        ),
    ),
    "b.bound": (
        "bound on the second derivative",
        (
            r"$\partial_t^2(v^T\Theta(\gamma(t),\gamma(t))v)\ge2L\lVert x-y\rVert^2\,"
            r"\lVert Jf_\theta(x)u\rVert_2^{2-2/L}$."
        ),
    ),
    "c": (
        "the larger end",
        rf"Either $v^T\Theta(x,x)v\ge{BOUND}$ or $v^T\Theta(y,y)v\ge{BOUND}$.",
    ),
}
MEASURES: dict[str, Callable[[DeepScene], Entries]] = {
    "a": first_derivatives,
    "b.zero": pure_second_derivatives,
    "b.sum": second_derivative,
    "b.bound": curvature_slack,
    "c": partial(end_slack, biases=True),
}
PROOFS = {
    "a": second_derivative_of_the_diagonal("first_derivatives"),
    "b.zero": affine_in_each,
    "b.sum": second_derivative_of_the_diagonal("second_derivative"),
}
BOUNDS = ("b.bound", "c")


def _step(part: str, reading: str, *, mended: bool = False) -> Claim:
    title, statement = WORDS[part]
    measure = MEASURES[part]
    if mended and part == "c":
        measure = partial(end_slack, biases=False)
    return Claim(
        f"j23.prop9.2.steps.{part}@{reading}{'.fix' if mended else ''}",
        Kind.INEQUALITY if part in BOUNDS else Kind.IDENTITY,
        printed("proof of Proposition 18, part 2"),
        title + (MENDED if mended else ""),
        statement,
        (RELU if mended else SLOPE, SMOOTH, CONSTANT[reading], MOVED),
        ("j23.prop9.chain.3@B",),
        measure,
        SEGMENTS,
        reading,
        READINGS[reading],
        repairs=f"j23.prop9.2.steps.{part}@{reading}" if mended else None,
        exact_only=reading == "A" or part in PROOFS,  # no case meets it, or there is a proof
        proof=PROOFS.get(part) if reading == "B" else None,
    )


STEPS = (
    *(_step(part, reading) for part in WORDS for reading in "AB"),
    *(_step(part, "B", mended=True) for part in BOUNDS),
)


# the last step for any parabola -------------------------------------------------------------------
def parabola_slack(scene: RealScene) -> Entries:
    """max(g(0), g(1)) - m/4 for g(t) = p t^2 + q t + r."""
    p, q, r, m = (scene[name] for name in "pqrm")
    larger = scene.arithmetic.maximum(r, p + q + r)
    return scene.compare(larger, scene.share(m, Fraction(1, 4)))


def least_on_the_unit_interval(case: Tensors) -> Fraction:
    """The least value of p t^2 + q t + r on [0, 1]."""
    p, q, r = (case.number(name) for name in "pqr")
    places = [Fraction(0), Fraction(1)]
    if p and 0 < -q / (2 * p) < 1:
        places.append(-q / (2 * p))
    return min(p * t * t + q * t + r for t in places)


def _raised(case: Tensors, random: Random) -> Tensors:
    least = least_on_the_unit_interval(case)
    array = case.arrays["r"]
    raised = case.number("r") - min(least, Fraction(0))
    return case.changing(r=replace(array, entries=(raised,)))


def _lowered(case: Tensors, random: Random) -> Tensors:
    least = least_on_the_unit_interval(case)
    array = case.arrays["r"]
    lowered = case.number("r") - least - random.choice((Fraction(1, 2), Fraction(3)))
    return case.changing(r=replace(array, entries=(lowered,)))


def _less_curved(case: Tensors, random: Random) -> Tensors:
    return case.changing(
        m=replace(case.arrays["m"], entries=(min(case.number("m"), case.number("p")),))
    )


def _more_than_curved(case: Tensors, random: Random) -> Tensors:
    more = case.number("p") + random.choice((Fraction(1), Fraction(8)))
    return case.changing(m=replace(case.arrays["m"], entries=(more,)))


NONNEGATIVE = Hypothesis(
    "g at least 0",
    r"$g\ge0$ on $[0,1]$",
    by_case(lambda case: least_on_the_unit_interval(case) >= 0),
    _raised,
    _lowered,
)
CURVED = Hypothesis(
    "g'' at least 2m",
    r"$g''\ge2m$ on $[0,1]$",
    by_case(lambda case: case.number("p") >= case.number("m")),
    _less_curved,
    _more_than_curved,
)

PARABOLA = Claim(
    "j23.prop9.2.steps.c.abstract",
    Kind.INEQUALITY,
    printed("proof of Proposition 18, part 2"),
    "the larger end of a convex function",
    r"If $g\ge0$ on $[0,1]$ and $g''\ge2m$, then $\max(g(0),g(1))\ge\frac m4$; here for "
    r"$g(t)=pt^2+qt+r$.",
    (NONNEGATIVE, CURVED),
    measure=parabola_slack,
    pool=TensorPool((("p", ()), ("q", ()), ("r", ()), ("m", ())), adapt=as_real),
    proof=larger_end_of_a_parabola,
)

CLAIMS = (*STEPS, PARABOLA, _ends_claim("A"), _ends_claim("B"), _ends_claim("B", mended=True))
