"""Equation (9), the Taylor expansion with Lagrange's remainder, and the bound of Corollary 3.7."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from graphs.rings import ring_of
from graphs.univariate import Univariate, derivative, integral, times, univariate
from graphs.univariate import value as value_at
from verify.core.argument import Argument, Step
from verify.core.claim import Kind
from verify.kinds.dags.pool import dag_pool, often_without_zeros
from verify.language.building import (
    Each,
    Filter,
    Fold,
    Let,
    Map,
    Some,
    Sum,
    When,
    card,
    concat,
    frob2,
    implies,
    item,
    list_,
    matrix,
    norm,
    outer,
    roots,
    row,
    sqrt,
    tuple_,
    vector,
)
from verify.language.terms import Term, called
from verify.papers.zlb22 import segments
from verify.papers.zlb22.dag_notation import (
    DAG,
    IDENTITY_OUTPUTS,
    NEURONS,
    ONE_OUTPUT,
    OUTPUTS,
    VERTICES,
    A,
    W,
    X,
    parents,
)
from verify.papers.zlb22.kinks import (
    ALL_PIECES,
    CUTS,
    FED_BY_INPUTS,
    KINKED,
    PIECES,
    TWICE,
    K,
    pre_at,
)
from verify.papers.zlb22.segments import (
    V,
    along,
    bend,
    composed,
    constant,
    half_bend,
    plus,
    slope,
    value,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import stated

POOL = partial(dag_pool, extras=(("V", ("n", "n")),), most=4, points=1, last=often_without_zeros)
SHORT = POOL(degree=2)
STEEP = KINKED(degree=4)  # phi of degree 3 has one such t, 1/3, whatever its coefficients


# equation (9) -------------------------------------------------------------------------------------
def remainder(first: Term, last: Term) -> Term:
    """phi(1) - phi(0) - phi'(0), phi being one polynomial at 0 and one at 1."""
    return value(last, 1) - value(first, 0) - slope(first, 0)


def vanishes(p: Term, low: Term, high: Term) -> Term:
    """Whether a polynomial is 0 somewhere from one point to another."""
    return Let(p, lambda p: (frob2(p) == 0) | (roots(p, low, high) > 0))


def squared_gaps(phi: Term, piece: Term) -> Term:
    """The sum over the outputs of the squares of phi''/2 less the remainder, on a piece."""

    def gap(k: Term) -> Term:
        left = remainder(phi[1][k], phi[card(phi)][k])
        return plus(half_bend(phi[piece][k]), constant(-left))

    return Fold(
        OUTPUTS,
        constant(0),
        lambda total, k: Let(gap(k), lambda p: plus(total, segments.times(p, p))),
    )


GRADIENT_AT_START = Each(FED_BY_INPUTS, lambda v: (K[v, 1] == 0) | (pre_at(v, 0) != 0))
WITH_COMMON_POINT = implies(
    GRADIENT_AT_START,
    Let(
        ALL_PIECES,
        lambda phi: Some(PIECES, lambda k: vanishes(squared_gaps(phi, k), CUTS[k], CUTS[k + 1])),
    ),
)
"""At a kink the second derivative of either side will do."""


# Corollary 3.7 ------------------------------------------------------------------------------------
EDGES = called(
    r"\mathcal A",
    Fold(
        NEURONS,
        Map(Filter(VERTICES, lambda v: v < 1), lambda v: tuple_(v, v)),
        lambda found, v: concat(found, Map(parents(v), lambda u: tuple_(v, u))),
    ),
)
"""Each edge as the vertex that it enters and the one that it leaves."""
COUNT = card(EDGES)


def head_degree(edge: Term) -> Term:
    """The in-degree of the vertex that an edge enters."""
    return card(parents(item(edge, 1)))


def own(v: Term, u: Term) -> Term:
    """1 at the edge from u to v."""
    return vector(COUNT, lambda a: When(EDGES[a] == tuple_(v, u), 1, 0))


def with_derivatives(t: Term) -> Term:
    """Of each vertex its value at t, its gradient and its Hessian by the normalised weights."""

    def at_neuron(found: Term, v: Term) -> Term:
        def over_parents(share: Callable[[Term, Term, Term], Term]) -> Term:
            """The sum over parents of what is made of the weight, the unit vector and the jet."""
            return Sum(parents(v), lambda u: share(W[v, u] + t * V[v, u], own(v, u), found[u]))

        z = over_parents(lambda w, e, at: w * item(at, 1))
        first = over_parents(lambda w, e, at: w * item(at, 2) + item(at, 1) * e)
        second = over_parents(
            lambda w, e, at: w * item(at, 3) + outer(e, item(at, 2)) + outer(item(at, 2), e)
        )
        return Let(
            z,
            lambda z: Let(
                first,
                lambda first: tuple_(
                    value(row(A, v), z),
                    slope(row(A, v), z) * first,
                    bend(row(A, v), z) * outer(first, first) + slope(row(A, v), z) * second,
                ),
            ),
        )

    nothing = vector(COUNT, lambda a: a - a)
    return Fold(
        NEURONS,
        Map(VERTICES, lambda u: tuple_(X[1, u], nothing, outer(nothing, nothing))),
        lambda found, v: Let(
            at_neuron(found, v),
            lambda made: Map(VERTICES, lambda u: When(u == v, made, found[u])),
        ),
    )


def hessian(k: Term, t: Term) -> Term:
    """H by the weights, the normalised ones times the roots of in-degrees, of output k at t."""
    return Let(
        item(with_derivatives(t)[k], 3),
        lambda H: matrix(
            COUNT,
            COUNT,
            lambda a, b: H[a, b] / sqrt(head_degree(EDGES[a]) * head_degree(EDGES[b])),
        ),
    )


SQUARED_RADIUS = called(
    "R^2",
    Sum(EDGES, lambda edge: head_degree(edge) * V[item(edge, 1), item(edge, 2)] ** 2),
)
POINTS = list_(*(Fraction(k, 4) for k in range(5)))


def bounded(k: Term, phi: Term) -> Term:
    """The bound for an output by the Hessian at each of some points of the segment where half of
    phi'' is as large as the error."""
    error = abs(remainder(phi, phi))
    return Each(
        POINTS,
        lambda t: implies(
            abs(bend(phi, t)) / 2 >= error,
            error <= norm(hessian(k, t)) * SQUARED_RADIUS / 2,
        ),
    )


PHI = called(r"\phi", along(lambda v, z: composed(row(A, v), z)))
BOUND = Each(OUTPUTS, lambda k: bounded(k, PHI[k]))


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
START, END = Fraction(0), Fraction(1)


def mean_of_second_derivatives() -> Argument:
    """The remainder of t^k is the mean of its second derivative with the weight 1 - t."""
    weight = univariate([1, -1])
    steps = []
    for k in range(MOST_DEGREE + 1):
        power = univariate([0] * k + [1])
        mean = integral(times(weight, derivative(derivative(power))), START, END)
        text = f"phi(1) - phi(0) - phi'(0) is the integral of (1 - t) phi'', phi = t^{k}"
        steps.append(Step(text, mean == _remainder(power)))
    total = integral(weight, START, END)
    steps.append(Step("the weights 1 - t add up to 1/2", total == Fraction(1, 2)))
    return Argument(
        "along the segment the network is a twice differentiable function of t, and the remainder "
        "is a mean of its second derivatives",
        tuple(steps),
        (LAGRANGE, COMPOSED),
        (DAG.name, TWICE.name, ONE_OUTPUT.name),
        section="docs/mathematics/zlb22.md#taylors-theorem",
    )


def _remainder(p: Univariate) -> Fraction:
    """p(1) - p(0) - p'(0)."""
    return value_at(p, END) - value_at(p, START) - value_at(derivative(p), START)


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
        (DAG.name,),
        section="docs/mathematics/zlb22.md#taylors-theorem",
    )


# claims -------------------------------------------------------------------------------------------
TAYLOR = stated(
    "zlb22.eq9",
    printed("eq. (9), Remark 3.3"),
    "Taylor expansion with a point on the segment",
    r"For a single output there is $\xi$ on the segment between $\mathbf w_0$ and $\mathbf w$ with "
    r"$f(\mathbf w)=f(\mathbf w_0)+(\mathbf w-\mathbf w_0)^T\nabla_{\mathbf w}f(\mathbf w_0)+"
    r"\tfrac12(\mathbf w-\mathbf w_0)^TH_f(\xi)(\mathbf w-\mathbf w_0)$; of several outputs all of "
    r"them with the same $\xi$.",
    WITH_COMMON_POINT,
    (DAG, TWICE, ONE_OUTPUT),
    kind=Kind.IDENTITY,
    pool=STEEP,
    exact_only=True,
    proof=mean_of_second_derivatives,
    trusted=(LAGRANGE, COMPOSED),
    negated=r"no $\xi$ on the segment serves",
)

LINEARISED = stated(
    "zlb22.cor3.7.bound",
    printed("Corollary 3.7"),
    "the linearisation error by the Hessian norm",
    r"$|f_k(\mathbf w)-(f_k)_{\mathrm{lin}}(\mathbf w)|\le\tfrac12\sup_{\mathbf w\in\mathsf B("
    r"\mathbf w_0,R)}\lVert H_{f_k}(\mathbf w)\rVert\,R^2$ for $\lVert\mathbf w-\mathbf w_0\rVert"
    r"=R$.",
    BOUND,
    (DAG, IDENTITY_OUTPUTS),
    kind=Kind.INEQUALITY,
    pool=SHORT,
    exact_only=True,
    proof=form_by_either_weights,
    trusted=(LAGRANGE, COMPOSED, RAYLEIGH),
    depends=("zlb22.eq9",),
)

CLAIMS = (TAYLOR, LINEARISED)
