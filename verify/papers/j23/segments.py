"""Proposition 9, part 2, and its proof (Proposition 18, part 2): the tangent kernel at the ends of
a segment.

The D_l are constant on the segment [x, y], as the proof has it; x and y are the two points of X.
The kernel is summed over all parameters where a bound from below is refuted, and over the weights
alone where one is repaired: the biases add a positive semidefinite matrix, so that either way what
is said holds of the other kernel too.

Derivatives along the segment are differences of three values. They are the same while the D_l are
constant; across a kink they are not, and there is no entry.

With d = y - x and w = Jf(x) d everything is stated without roots: v = w/|w|, u = d/|d|, both sides
times |w|^2, and inequalities between roots to the power L.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import prod

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import RELU, SLOPE, SMOOTH
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.lipschitz_constants import of_those
from verify.papers.j23.segment_cases import (
    APART,
    CONSTANT,
    MOVED,
    SEGMENTS,
    applied,
    directions,
    dot,
    same_slopes,
    second,
)
from verify.papers.j23.segment_proofs import (
    affine_in_each,
    second_derivative_of_the_diagonal,
)
from verify.papers.j23.sources import printed

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


def power(values: Array, exponent: int) -> Array:
    """Each number to a power, a positive integer."""
    return prod([values] * (exponent - 1), start=values)


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
READING = r"the $D_\ell(\gamma(t))$ are constant in $t$"
BOUND = r"\frac L4\lVert x-y\rVert^2\,\lVert Jf_\theta(x)u\rVert_2^{2-2/L}"
MENDED = ", repaired for the ReLU"
WHY = (
    "the bound on the mixed derivative needs masks of $0$ and $1$: on the lower side of leaky "
    r"neurons the terms of the kernel carry $a^2$ where $Jf_\theta$ carries $a$"
)


def _ends_claim(*, mended: bool = False) -> Claim:
    return Claim(
        f"j23.prop9.2@B{'.fix' if mended else ''}",
        Kind.INEQUALITY,
        printed("Propositions 9 and 18, part 2"),
        "tangent kernel at the ends of a segment" + (MENDED if mended else ""),
        r"For $x\ne y$ such that the pre-activations of all neurons remain constant on the segment "
        r"$[x,y]$, either $\lVert\Theta(x,x)\rVert_{op}$ or $\lVert\Theta(y,y)\rVert_{op}$ is at "
        rf"least ${BOUND}$, $u=\frac{{y-x}}{{\lVert y-x\rVert}}$.",
        (RELU if mended else SLOPE, SMOOTH, CONSTANT, APART),
        ("j23.prop9.2.steps.c@B" + (".fix" if mended else ""),),
        partial(norm_slack, biases=not mended),
        SEGMENTS,
        "B",
        READING,
        repairs="j23.prop9.2@B" if mended else None,
        exact_only=True,
        floats=True,
        why="" if mended else WHY,
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


def _step(part: str, *, mended: bool = False) -> Claim:
    title, statement = WORDS[part]
    measure = MEASURES[part]
    if mended and part == "c":
        measure = partial(end_slack, biases=False)
    return Claim(
        f"j23.prop9.2.steps.{part}@B{'.fix' if mended else ''}",
        Kind.INEQUALITY if part in BOUNDS else Kind.IDENTITY,
        printed("proof of Proposition 18, part 2"),
        title + (MENDED if mended else ""),
        statement,
        (RELU if mended else SLOPE, SMOOTH, CONSTANT, MOVED),
        ("j23.prop9.chain.3@B",),
        measure,
        SEGMENTS,
        "B",
        READING,
        repairs=f"j23.prop9.2.steps.{part}@B" if mended else None,
        exact_only=part in PROOFS,
        proof=PROOFS.get(part),
        why=WHY if part in BOUNDS and not mended else "",
    )


STEPS = (
    *map(_step, WORDS),
    *(_step(part, mended=True) for part in BOUNDS),
)


CLAIMS = (*STEPS, _ends_claim(), _ends_claim(mended=True))
