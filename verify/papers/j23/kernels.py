"""The tangent kernel: its trace (proofs of Theorem 16 and in Appendix C), its mixed derivative
(Proposition 9, part 1), and the formula for that (proof of Proposition 18).

The paper writes no formula for the kernel. For the trace that matters: the second letter of a
reading is A for all parameters, B for the weights alone. The mixed derivative is the same by both:
biases add terms that are constant in x.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Let,
    Sum,
    Vector,
    When,
    card,
    dot,
    examples,
    frob2,
    hidden,
    kron,
    norm,
    slope_left,
)
from verify.language.terms import Term
from verify.papers.j23.jacobian_proofs import mixed_derivative, trace_of_the_kernel
from verify.papers.j23.kernel_notation import (
    kernel,
    trace_by_layers,
    trace_over_all,
    trace_over_weights,
)
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    RELU,
    SMOOTH,
    Index,
    activations,
    from_pre,
    jacobian,
    slopes,
    to_post,
)
from verify.papers.j23.segment_cases import CONSTANT
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_words import POINT
from verify.statements.stated import stated

NETWORKS = layered_pool(pool())
KERNELS = {"A": "all parameters", "B": "the weights alone"}


# the trace ----------------------------------------------------------------------------------------
def _trace(kernel: str, *, mended: bool = False) -> Claim:
    size = (
        r"(\lVert\alpha_{\ell-1}(x)\rVert^2+1)" if mended else r"\lVert\alpha_{\ell-1}(x)\rVert^2"
    )
    biases = kernel == "A"
    trace = trace_over_all if biases else trace_over_weights
    says = Each(examples(), lambda p: trace(p) == trace_by_layers(p, p, mended=mended))
    return stated(
        f"j23.ntktrace@B{kernel}{'.fix' if mended else ''}",
        printed("proof of Theorem 16, first display; Appendix C"),
        "trace of the tangent kernel" + (", repaired" if mended else ""),
        rf"$\mathrm{{Tr}}\,\Theta(x,x)=\sum_{{\ell=1}}^L{size}\,"
        r"\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_F^2$.",
        says,
        POINT,
        depends=("j23.setup",),
        pool=NETWORKS,
        reading=f"B{kernel}",
        reading_text=f"the kernel is summed over {KERNELS[kernel]}",
        repairs=f"j23.ntktrace@B{kernel}" if mended else None,
        proof=partial(trace_of_the_kernel, biases=biases) if biases is mended else None,
        why=r"the derivatives of $f_\theta$ by the biases of layer $\ell$ add "
        r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_F^2$, which the display leaves out"
        if biases and not mended
        else "",
    )


TRACES = (_trace("A"), _trace("B"), _trace("A", mended=True))


# Proposition 9, part 1 ----------------------------------------------------------------------------
NEGATIVE_SLOPE = When(card(hidden()) == 0, 1, slope_left(hidden()[1]))
"""a, where there is a hidden neuron."""


def mixed_derivative_matrix(x: Index) -> Term:
    """The matrix of the second derivatives of Theta(x, y) in x and y at y = x, the sum over the
    layers of (J alpha_(l-1)^T J alpha_(l-1)) x (J_l J_l^T), where J_l is J(alpha~_l -> f) and x the
    Kronecker product."""

    def of_layer(m: Term) -> Term:
        inner, outer = to_post(m - 1, x), from_pre(m, x)
        return kron(inner.T @ inner, outer @ outer.T)

    return Sum(ALL, of_layer)


def at_least(factor: int, scale: Term | int = 1) -> Term:
    """|d_x d_y Theta(x, x)|_op >= factor L |scale Jf(x)|_op^(2 - 2/L)."""

    def holds(x: Term) -> Term:
        bound = norm(scale * jacobian(x)) ** (2 - 2 / DEPTH)
        return norm(mixed_derivative_matrix(x)) >= factor * DEPTH * bound

    return Each(examples(), holds)


PROP9 = stated(
    "j23.prop9.1",
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel",
    r"For any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge2L\,"
    r"\lVert Jf_\theta(x)\rVert_{op}^{2-2/L}$, where $\partial_{xy}^2\Theta(x,x)$ is understood as "
    r"a $d_{in}d_{out}\times d_{in}d_{out}$ matrix.",
    at_least(2),
    POINT,
    depends=("j23.setup",),
    pool=NETWORKS,
    why=r"the proof gives the bound without the factor $2$: for one layer with the weight $1$ the "
    r"left side is $1$ and the right side is $2$",
)

PROP9_REPAIRED = stated(
    "j23.prop9.1.fix",
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel, repaired for the ReLU",
    r"For the ReLU, at any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge L\,"
    r"\lVert Jf_\theta(x)\rVert_{op}^{2-2/L}$.",
    at_least(1),
    (FULLY_CONNECTED, RELU, SMOOTH),
    depends=("j23.setup",),
    pool=NETWORKS,
    repairs="j23.prop9.1",
)

PROP9_LEAKY = stated(
    "j23.prop9.1.leaky.fix",
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel, repaired for leaky slopes",
    r"For any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge L\,"
    r"\lVert a\,Jf_\theta(x)\rVert_{op}^{2-2/L}$.",
    at_least(1, NEGATIVE_SLOPE),
    POINT,
    depends=("j23.setup",),
    pool=NETWORKS,
    repairs="j23.prop9.1",
)


# the formula for the derivative -------------------------------------------------------------------
v = Vector("v", "nL")


def second_difference(x: Index, y: Index) -> Term:
    """v^T (Theta(y, y) - Theta(y, x) - Theta(x, y) + Theta(x, x)) v."""
    change = kernel(y, y) - kernel(y, x) - kernel(x, y) + kernel(x, x)
    return dot(v, change @ v)


def by_forms(x: Index, u: Term) -> Term:
    """The first line: u^T W_1^T D_1 ... D_(l-1)^2 ... D_1 W_1 u times
    v^T W_L D_(L-1) ... D_l^2 ... D_(L-1) W_L^T v, summed over the layers."""

    def of_layer(m: Term) -> Term:
        inner, outer = to_post(m - 1, x), from_pre(m, x)
        return dot(u, inner.T @ (inner @ u)) * dot(v, outer @ (outer.T @ v))

    return Sum(ALL, of_layer)


def by_norms(x: Index, u: Term) -> Term:
    """The second line, of the same vectors."""
    return Sum(ALL, lambda m: frob2(to_post(m - 1, x) @ u) * frob2(from_pre(m, x).T @ v))


def _derivative(x: Term, y: Term) -> Term:
    """Of two points on one piece, with u = y - x: there the second difference of the kernel is its
    mixed derivative."""

    def along(u: Term) -> Term:
        return (second_difference(x, y) == by_forms(x, u)) & (by_forms(x, u) == by_norms(x, u))

    return Let(activations(0, y) - activations(0, x), along)


MIXED = Each(examples(), lambda p: Each(examples(), lambda q: _derivative(p, q)))
SAME_SLOPES = replace(
    CONSTANT,
    holds=Each(ALL, lambda m: Each(examples(), lambda p: slopes(m, p) == slopes(m, 1))),
    text=r"$D_\ell$ is the same at both points for $1\le\ell<L$",
)
TRANSPOSED = "the last factor is $W_L^Tv$, as in the first line"
FORMULA = stated(
    "j23.prop9.formula@B",
    printed("proof of Proposition 18, part 1, first display"),
    "formula for the mixed derivative",
    r"$\partial_{x,y}(v^T\Theta(x,x)v)[u,u]=\sum_{\ell=1}^L"
    r"u^TW_1^TD_1(x)\cdots D_{\ell-1}(x)^2\cdots D_1(x)W_1u\;"
    r"v^TW_LD_{L-1}(x)\cdots D_\ell(x)^2\cdots D_{L-1}(x)W_L^Tv"
    r"=\sum_{\ell=1}^L\lVert D_{\ell-1}(x)\cdots D_1(x)W_1u\rVert_2^2\,"
    r"\lVert D_\ell(x)\cdots D_{L-1}(x)W_L^Tv\rVert_2^2$.",
    MIXED,
    (*POINT, SAME_SLOPES),
    depends=("j23.setup",),
    pool=layered_pool(pool(points=(2,), extras=(("v", ("nL",)),))),
    reading="B",
    reading_text=TRANSPOSED,
    proof=mixed_derivative,
    through="where no neuron crosses its kink the kernel is affine in each of its points, so that "
    "its second difference is its mixed derivative "
    "(docs/mathematics/j23.md#derivatives-without-limits)",
)

CLAIMS = (*TRACES, PROP9, PROP9_REPAIRED, PROP9_LEAKY, FORMULA)
