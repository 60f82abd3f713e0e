"""Remark 3.9: pre-activations of the input layer and of the first layer have no Hessian."""

from __future__ import annotations

from functools import partial

from verify.kinds.dags.pool import often_without_zeros
from verify.language.building import Each
from verify.language.terms import Term
from verify.papers.zlb22.block_proofs import first_layer_argument
from verify.papers.zlb22.dag_notation import DAG, layer
from verify.papers.zlb22.second_derivatives import (
    NETWORKS,
    Edge,
    each_edge,
    moved_by,
    pre_moved,
    with_pair,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import stated


def second_derivative(v: Term, a: Edge, b: Edge) -> Term:
    """Of the pre-activation of v."""
    return with_pair(a, b, lambda pair: pair.whole_pre(v, pair.hessian))


def linear_in(number: int) -> Term:
    """Pre-activations of a layer have no second derivatives."""
    return Each(
        layer(number),
        lambda v: each_edge(lambda a: each_edge(lambda b: second_derivative(v, a, b) == 0)),
    )


CONSTANT = Each(layer(0), lambda v: each_edge(lambda a: pre_moved(moved_by(a), a, v) == 0))
SAYS = CONSTANT & linear_in(0) & linear_in(1)
NO_HESSIAN = stated(
    "zlb22.thm3.8.zero",
    printed("Remark 3.9"),
    "no Hessian in the first two layers",
    "Pre-activations of the input layer and of the first layer are constant and linear functions "
    r"of $\mathbf w$, so their Hessian has norm zero: $H_{\tilde f^{(\ell)}_k}=0$ for "
    r"$\ell\in\{0,1\}$.",
    SAYS,
    (DAG,),
    pool=NETWORKS(last=often_without_zeros),
    exact_only=True,
    proof=partial(first_layer_argument, SAYS, (DAG,)),
)

CLAIMS = (NO_HESSIAN,)
