"""Proposition 9, part 2, and its proof (Proposition 18, part 2): the tangent kernel at the ends of
a segment.

The D_l are constant on the segment [x, y], as the proof has it; x and y are the two points of X.
The kernel is summed over all parameters where a bound from below is refuted, and over the weights
alone where one is repaired: the biases add a positive semidefinite matrix, so that either way what
is said holds of the other kernel too.

Derivatives along the segment are differences of three values. They are the same while the D_l are
constant; across a kink they are not, and nothing is said.

With d = y - x and w = Jf(x) d everything is stated without roots: v = w/|w|, u = d/|d|, both sides
times |w|^2, and inequalities between roots to the power L.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.core.argument import Argument
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Sum,
    between,
    dot,
    frob2,
    implies,
    larger,
    norm,
    post,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    RELU,
    SLOPE,
    SMOOTH,
    Index,
    from_pre,
    neurons,
    point,
    values,
    width,
)
from verify.papers.j23.segment_cases import (
    APART,
    CONSTANT,
    MOVED,
    MOVED_BY,
    SAME_SLOPES,
    SEGMENTS,
    STEP,
    X,
    Y,
)
from verify.papers.j23.segment_proofs import affine_in_each, second_derivative_of_the_diagonal
from verify.papers.j23.sources import printed
from verify.statements.stated import stated

HALF = Fraction(1, 2)


# the kernel on the segment ------------------------------------------------------------------------
def alpha(m: Term, t: Term | Fraction | int) -> Term:
    """alpha_l(gamma(t)), from values of the network at this point."""
    return values(m, point(X) + t * STEP)


def behind(m: Term, p: int) -> Term:
    """J(alpha~_l -> f)^T w."""
    return from_pre(m, p).T @ MOVED_BY


def kernel(s: Term | Fraction | int, t: Term | Fraction | int) -> Term:
    """w^T Theta(gamma(s), gamma(t)) w, where the D_l are those at x."""
    return Sum(
        ALL,
        lambda m: (dot(alpha(m - 1, s), alpha(m - 1, t)) + 1) * frob2(behind(m, X)),
    )


DIAGONAL = [kernel(t, t) for t in (0, HALF, 1)]
BY_T = {
    0: 4 * DIAGONAL[1] - 3 * DIAGONAL[0] - DIAGONAL[2],
    1: 3 * DIAGONAL[2] - 4 * DIAGONAL[1] + DIAGONAL[0],
}
"""The derivative of w^T Theta(gamma(t), gamma(t)) w at t = 0, 1, a polynomial of degree 2."""
TWICE_BY_T = 4 * (DIAGONAL[0] + DIAGONAL[2] - 2 * DIAGONAL[1])


def by_places(t: int) -> Term:
    """The sum of the derivatives in both places, of degree 1 in each."""
    return (kernel(1, t) - kernel(0, t)) + (kernel(t, 1) - kernel(t, 0))


BY_BOTH = kernel(1, 1) - kernel(0, 1) - kernel(1, 0) + kernel(0, 0)
"""The mixed derivative."""


def _straight(i: Term) -> Term:
    t = i / 2
    in_x = kernel(0, t) + kernel(1, t) == 2 * kernel(HALF, t)
    return in_x & (kernel(t, 0) + kernel(t, 1) == 2 * kernel(t, HALF))


def powers_of_bound(factor: int | Fraction) -> Term:
    """(factor L |w|^2 |d|^2 |Jf(x) u|^(2-2/L))^L: the bound times |w|^2, to the power L."""
    return (factor * DEPTH) ** DEPTH * frob2(STEP) * frob2(MOVED_BY) ** (2 * DEPTH - 1)


# the kernel at the ends ---------------------------------------------------------------------------
def size(m: Term, p: Index, biases: int) -> Term:
    """|alpha_(l-1)|^2, plus 1 with biases."""
    return frob2(vector(width(m - 1), lambda i: post(neurons(m - 1)[i], p))) + biases


def at_end(p: int, biases: int) -> Term:
    """w^T Theta w at x or y."""
    return Sum(ALL, lambda m: size(m, p, biases) * frob2(behind(m, p)))


def tangent_kernel(p: int, biases: int) -> Term:
    """Theta at x or y."""
    return Sum(ALL, lambda m: size(m, p, biases) * (from_pre(m, p) @ from_pre(m, p).T))


def larger_end(biases: int) -> Term:
    """One of the ends is at least the bound: powers of both."""
    ends = larger(at_end(X, biases), at_end(Y, biases))
    return ends**DEPTH >= powers_of_bound(Fraction(1, 4))


def larger_norm(biases: int) -> Term:
    """The same of the norms: powers, times |d|^(2L-2), so that the right side is rational."""
    ends = larger(norm(tangent_kernel(X, biases)), norm(tangent_kernel(Y, biases)))
    left = ends**DEPTH * frob2(STEP) ** (DEPTH - 1)
    return left >= (DEPTH / 4 * frob2(STEP)) ** DEPTH * frob2(MOVED_BY) ** (DEPTH - 1)


# claims -------------------------------------------------------------------------------------------
READING = r"the $D_\ell(\gamma(t))$ are constant in $t$"
BOUND = r"\frac L4\lVert x-y\rVert^2\,\lVert Jf_\theta(x)u\rVert_2^{2-2/L}"
MENDED = ", repaired for the ReLU"
WHY = (
    "the bound on the mixed derivative needs masks of $0$ and $1$: on the lower side of leaky "
    r"neurons the terms of the kernel carry $a^2$ where $Jf_\theta$ carries $a$"
)


def _ends_claim(*, mended: bool = False) -> Claim:
    return stated(
        f"j23.prop9.2@B{'.fix' if mended else ''}",
        printed("Propositions 9 and 18, part 2"),
        "tangent kernel at the ends of a segment" + (MENDED if mended else ""),
        r"For $x\ne y$ such that the pre-activations of all neurons remain constant on the segment "
        r"$[x,y]$, either $\lVert\Theta(x,x)\rVert_{op}$ or $\lVert\Theta(y,y)\rVert_{op}$ is at "
        rf"least ${BOUND}$, $u=\frac{{y-x}}{{\lVert y-x\rVert}}$.",
        larger_norm(biases=int(not mended)),
        (FULLY_CONNECTED, RELU if mended else SLOPE, SMOOTH, CONSTANT, APART),
        depends=("j23.prop9.2.steps.c@B" + (".fix" if mended else ""),),
        pool=SEGMENTS,
        reading="B",
        reading_text=READING,
        repairs="j23.prop9.2@B" if mended else None,
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
SAID = {
    "a": (BY_T[0] == by_places(0)) & (BY_T[1] == by_places(1)),
    "b.zero": Each(between(0, 2), _straight),
    "b.sum": TWICE_BY_T == 2 * BY_BOTH,
    "b.bound": powers_of_bound(2) <= TWICE_BY_T**DEPTH,
}
SAYS = {part: implies(SAME_SLOPES, says) for part, says in SAID.items()}
PROOFS: dict[str, Callable[[], Argument]] = {
    "a": second_derivative_of_the_diagonal,
    "b.zero": affine_in_each,
    "b.sum": second_derivative_of_the_diagonal,
}
BOUNDS = ("b.bound", "c")


def _step(part: str, *, mended: bool = False) -> Claim:
    title, text = WORDS[part]
    says = larger_end(biases=int(not mended)) if part == "c" else SAYS[part]
    return stated(
        f"j23.prop9.2.steps.{part}@B{'.fix' if mended else ''}",
        printed("proof of Proposition 18, part 2"),
        title + (MENDED if mended else ""),
        text,
        says,
        (FULLY_CONNECTED, RELU if mended else SLOPE, SMOOTH, CONSTANT, MOVED),
        depends=("j23.prop9.chain.3@B",),
        pool=SEGMENTS,
        reading="B",
        reading_text=READING,
        repairs=f"j23.prop9.2.steps.{part}@B" if mended else None,
        proof=PROOFS.get(part),
        why=WHY if part in BOUNDS and not mended else "",
    )


STEPS = (
    *map(_step, WORDS),
    *(_step(part, mended=True) for part in BOUNDS),
)


CLAIMS = (*STEPS, _ends_claim(), _ends_claim(mended=True))
