"""Narrowness in Section 4: the Hessian of the squared loss and the tangent kernel's Gram matrix.

The paper does not write out its squared loss: it is (1/(2 N)) sum |f(x_i) - y_i|^2, with which the
printed equations have their factor 1/N. The Hessian is that in all parameters, and so is the
tangent kernel.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep, tensor_of
from verify.kinds.deep.pool import gaussian, pool
from verify.language.building import (
    Each,
    Map,
    Min,
    Number,
    Sorted,
    Sum,
    examples,
    exp,
    frob2,
    larger,
    norm,
    row,
    trace,
)
from verify.language.terms import Term
from verify.papers.j23.hessian_notation import HESSIAN, KERNEL, N, Y
from verify.papers.j23.kernel_notation import trace_over_all
from verify.papers.j23.network_notation import (
    ALL,
    BALANCED,
    C1,
    DEPTH,
    K_AT_LEAST_1,
    NORM_BOUND,
    RANK,
    Index,
    K,
    activations,
    at_least_0,
    jacobian_square,
    width,
)
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_words import POINT
from verify.statements.stated import Given, stated

LABELS = (("Y", ("N", "nL")),)
NETWORKS = layered_pool(pool(depths=(1, 2, 2, 3), widest=2, extras=LABELS))
LARGER = layered_pool(
    pool(depths=(1, 2, 2, 3), extras=LABELS, gaps=("gap2",), points=(1, 2, 2, 3, 3))
)
RANKED = layered_pool(
    pool(depths=(2, 2, 3), widest=2, points=(2, 2, 3), gaps=("gap", "gap2"), whole=(("k", 0, 3),))
)
POINTS = layered_pool(pool(depths=(1, 2, 2, 3), points=(1, 2, 3)))


# labels -------------------------------------------------------------------------------------------
def _to_outputs(case: Deep, random: Random) -> Deep:
    """The labels become the outputs."""
    array = case.arrays["Y"]
    return case.changing(Y=tensor_of(array.axes, case.exact.outputs))


def _moved_labels(case: Deep, random: Random) -> Deep:
    array = case.arrays["Y"]
    entries = tuple(entry + gaussian(random) for entry in array.entries)
    return case.changing(Y=replace(array, entries=entries))


INTERPOLATES = Given(
    "interpolation",
    Each(examples(), lambda p: activations(DEPTH, p) == row(Y, p)),
    r"$f_\theta(x_i)=y_i$ for every $i$",
    lifted(_to_outputs),
    lifted(_moved_labels),
    thin=True,
)
GAP2 = Number("gap2")
TRACE_BOUND = at_least_0(
    GAP2,
    "kernel bound",
    r"$\mathrm{Tr}H\le cL$: here $cL$ is its value plus $\mathrm{gap2}\ge0$",
)


# the loss -----------------------------------------------------------------------------------------
LOSS = r"loss $\frac1{2N}\sum_i\lVert f(x_i)-y_i\rVert^2$"
NORMS = stated(
    "j23.hessian.op@BA",
    printed("Section 4, bullets on narrowness"),
    "operator norms of the Hessian and of the tangent kernel",
    r"For the squared loss, at any interpolating function, "
    r"$\lVert H\rVert_{op}=\frac1N\lVert\Theta^{(L)}(X,X)\rVert_{op}$.",
    norm(HESSIAN) == norm(KERNEL) / N,
    (*POINT, INTERPOLATES),
    pool=NETWORKS,
    reading="BA",
    reading_text=f"{LOSS}; the kernel sums over all parameters",
)
TRACES = stated(
    "j23.hessian.trace@AB",
    printed("Section 4, second bullet"),
    "traces of the Hessian and of the tangent kernel",
    r"For the squared loss $\mathrm{Tr}H=\frac1N\mathrm{Tr}\,\Theta^{(L)}(X,X)$.",
    trace(HESSIAN) == trace(KERNEL) / N,
    POINT,
    pool=NETWORKS,
    reading="AB",
    reading_text=LOSS,
)


# two assumptions ----------------------------------------------------------------------------------
def _implied(statement: str, says: Term, **others: Any) -> Claim:
    mended = "repairs" in others
    return stated(
        "j23.hessian.imp" + (".fix" if mended else ""),
        printed("Section 4, paragraph after the bullets"),
        "a bound on the operator norm as a bound on the "
        + ("mean eigenvalue" if mended else "trace"),
        r"$\frac1N\lVert\Theta^{(L)}(X,X)\rVert_{op}\le cL$ implies " + statement,
        says,
        POINT,
        pool=POINTS,
        **others,
    )


IMPLIED = _implied(
    r"$d_{out}\,\mathrm{Tr}\,\Theta^{(L)}(X,X)\le cL$: here $cL$ is the left side of the first.",
    norm(KERNEL) / N >= width(DEPTH) * trace(KERNEL),
    why=r"a trace is at most $Nd_{out}$ times the operator norm, and may be as large: the bound "
    r"that follows is $\frac1{d_{out}}\mathrm{Tr}\,\Theta^{(L)}(X,X)\le cN^2L$",
)
IMPLIED_REPAIRED = _implied(
    r"$\frac1{N^2d_{out}}\mathrm{Tr}\,\Theta^{(L)}(X,X)\le cL$.",
    norm(KERNEL) / N >= trace(KERNEL) / (N**2 * width(DEPTH)),
    repairs="j23.hessian.imp",
)


# activations on the training set ------------------------------------------------------------------
def mean_square(m: Index) -> Term:
    """|alpha_l(X)|_F^2 / N."""
    return Sum(examples(), lambda p: frob2(activations(m, p))) / N


def _counted() -> Term:
    """At least (1 - p) L layers have a_l <= B/p, for every p in (0, 1): m a_(m) <= L B for the m-th
    largest and every m, since where a_(m) > B the first m exceed B / p for every p above B / a_(m).
    c L is Tr H + gap2, and Tr H is Tr Theta(X, X) / N as the labels are the outputs; x has the
    smallest |Jf(x_i)|_+."""
    hessian = Sum(examples(), trace_over_all) / N
    whole = (hessian + GAP2) * larger(1, exp(C1 / K))
    bound = whole / (K * Min(examples(), lambda p: jacobian_square(p) ** (1 / K)))
    ordered = Sorted(Map(ALL, lambda m: mean_square(m - 1)))
    return Each(ALL, lambda m: m * ordered[DEPTH + 1 - m] <= bound)


NOTE = "Appendix B, note after Theorem 16"


TRACE_BOUNDED = stated(
    "j23.hessian.layers.a@B",
    printed(NOTE),
    "a bound on the trace of the Hessian as one on the tangent kernel",
    r"If the trace of the Hessian is bounded by $cL$, then "
    r"$\mathrm{Tr}[\Theta^{(L)}(X,X)]\le cNL$, at parameters that interpolate.",
    trace(KERNEL) <= N * (trace(HESSIAN) + GAP2),
    (*POINT, INTERPOLATES, TRACE_BOUND),
    depends=("j23.hessian.trace@AB",),
    pool=LARGER,
    reading="B",
    reading_text=LOSS,
)
LAYERS = stated(
    "j23.hessian.layers.b@A",
    printed(NOTE),
    "most activations on the training set",
    r"If moreover $\theta$ is balanced, $\lVert\theta\rVert^2\le kL+c_1$ and "
    r"$\mathrm{Rank}\,Jf_\theta(x_i)=k$ for all $i$, there are for every $p\in(0,1)$ at least "
    r"$(1-p)L$ layers where $\frac1N\lVert\alpha_{\ell-1}(X)\rVert_F^2\le\frac1p\,"
    r"\frac{c\max\{1,e^{c_1/k}\}}{k\,|Jf_\theta(x)|_+^{2/k}}$; the loss is that with "
    r"$\frac1{2N}$, the labels are $y_i=f_\theta(x_i)$.",
    _counted(),
    (*POINT, replace(BALANCED, thin=True), K_AT_LEAST_1, RANK, NORM_BOUND, TRACE_BOUND),
    depends=("j23.thm7.a@A", "j23.hessian.layers.a@B"),
    pool=RANKED,
    through=r"for every $p$ is said of the $m$-th largest of the numbers, for every $m$, and "
    r"$\mathrm{Tr}H$ is $\frac1N\mathrm{Tr}\,\Theta^{(L)}(X,X)$ where the labels are the outputs "
    "(docs/mathematics/j23.md#theorem-7)",
    reading="A",
    reading_text=r"$x$ is the training point with the smallest $|Jf_\theta(x_i)|_+$",
)

CLAIMS = (NORMS, TRACES, IMPLIED, IMPLIED_REPAIRED, TRACE_BOUNDED, LAYERS)
