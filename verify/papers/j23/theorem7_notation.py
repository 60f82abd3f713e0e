"""What Theorem 7, Corollary 8 and their proofs are made of, and what they suppose.

As c_1 is |theta|^2 - k L + gap, c L is the trace of the tangent kernel plus gap2: the least
constants that meet the bounds where these are 0.
"""

from __future__ import annotations

from verify.kinds.deep.balanced import made_spread, made_uneven
from verify.kinds.deep.layered import lifted
from verify.language.building import (
    Each,
    Number,
    Prod,
    Sum,
    card,
    examples,
    exp,
    frob2,
    larger,
    matrix,
    post,
    upto,
    z,
)
from verify.language.terms import Term, called, written
from verify.papers.j23.network_notation import (
    ALL,
    C1,
    DEPTH,
    PARAMETER_SQUARE,
    Index,
    K,
    at_least_0,
    from_pre,
    image,
    neurons,
    to_pre,
    weight,
    width,
)
from verify.papers.j23.theorem6_notation import value
from verify.statements.stated import Given

GAP2 = Number("gap2")
COUNT = called("N", card(examples()))
"""N."""


# activations --------------------------------------------------------------------------------------
@written(r"\alpha_{{0}}(X)")
def all_activations(m: Index) -> Term:
    """alpha_l(X), a column for each point."""
    return matrix(width(m), COUNT, lambda i, x: post(neurons(m)[i], x))


@written(r"\tilde\alpha_{{0}}(X)")
def all_preactivations(m: Index) -> Term:
    """alpha~_l(X), l from 1 to L."""
    return matrix(width(m), COUNT, lambda i, x: z(neurons(m)[i], x))


# numbers ------------------------------------------------------------------------------------------
GROWTH = exp(C1 / K)
LARGER_GROWTH = larger(1, GROWTH)
"""max{1, e^(c_1/k)}."""


def root(square: Term) -> Term:
    """|A|_+^(2/k), from |A|_+^2."""
    return square ** (1 / K)


def first_values(A: Term) -> Term:
    """The product of the k largest singular values."""
    return Prod(upto(K), lambda i: value(A, i))


def lower_weights(m: Index) -> Term:
    """|W_1|_F^2 + ... + |W_l|_F^2."""
    return Sum(upto(m), lambda j: frob2(weight(j)))


def restricted(m: Index, x: Index) -> Term:
    """J(alpha~_l -> f) P_l, P_l the projection to the image of J alpha~_l."""
    return from_pre(m, x) @ image(to_pre(m, x))


# what is supposed ---------------------------------------------------------------------------------
SPREAD = Given(
    "spread",
    Each(ALL, lambda m: lower_weights(m) / m <= PARAMETER_SQUARE / DEPTH),
    r"$\frac1\ell\sum_{j\le\ell}\lVert W_j\rVert_F^2\le\lVert\theta\rVert^2/L$ for every $\ell$",
    lifted(made_spread),
    lifted(made_uneven),
)
KERNEL_BOUND = at_least_0(
    GAP2,
    "kernel bound",
    r"the tangent kernel is at most $cL$: here $cL$ is its value plus $\mathrm{gap2}\ge0$",
)
