"""Definitions 5, 6 and 8: residual blocks, active neurons, matrix representations."""

from __future__ import annotations

from collections.abc import Callable

from verify.cases.hypotheses import Change, unchanged
from verify.cases.structured_pool import (
    StructuredPool,
)
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Each,
    Filter,
    Some,
    Sum,
    When,
    card,
    edge,
    examples,
    head,
    implies,
    learnable,
    out_of,
    post,
    slope_left,
    slope_right,
    upto,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22.items import ANY, planner
from verify.papers.lj22.layer_proofs import blocks_by_matrices, wider_blocks
from verify.papers.lj22.layers import block, diagonal_block
from verify.papers.lj22.sources import both, final
from verify.papers.lj22.suppositions import A, B, C
from verify.statements.stated import Given, stated


# what a block computes ----------------------------------------------------------------------------
def applied(v: Term, number: Term) -> Term:
    """sigma_v, of an activation with two slopes."""
    return When(number < 0, slope_left(v), slope_right(v)) * number


def by_matrices(c: Term, j: Term, skip: Term) -> Term:
    """The coordinate of r(x) = sigma(U sigma(Y x) + S x) at a head, from the matrices alone, x the
    values of what the block reads on an example. skip: that of S x."""

    def inner(b: Term) -> Term:
        return applied(b, Sum(A, lambda a: w(edge(a, b)) * post(a, j)))

    return applied(c, Sum(B, lambda b: w(edge(b, c)) * inner(b)) + skip)


def at_heads(skip: Callable[[Term, Term], Term]) -> Term:
    """The graph and the matrices agree. skip: by the number of a head and the example."""
    return Each(
        examples(),
        lambda j: Each(upto(card(C)), lambda k: post(C[k], j) == by_matrices(C[k], j, skip(k, j))),
    )


def _by_edges(k: Term, j: Term) -> Term:
    """S x, the entries of S the weights of the edges that there are."""
    there = Filter(A, lambda a: Some(out_of(a), lambda e: head(e) == C[k]))
    return Sum(there, lambda a: w(edge(a, C[k])) * post(a, j))


def _diagonal(k: Term, j: Term) -> Term:
    """Z x with Z = diag(D)."""

    def entry(i: Term) -> Term:
        return When(i == k, w(edge(A[k], C[k])), 0)

    return Sum(upto(card(A)), lambda i: entry(i) * post(A[i], j))


IDENTITY = Each(
    upto(card(C)), lambda k: (~learnable(edge(A[k], C[k]))) & (w(edge(A[k], C[k])) == 1)
)
COMPUTED = at_heads(_by_edges)
WIDER = implies(IDENTITY, at_heads(lambda k, j: 1 * post(A[k], j))) & at_heads(_diagonal)


# cases --------------------------------------------------------------------------------------------
def _is_variant(holds: Term, *variants: str) -> Given:
    words = ", ".join(f"ResNet{variant.capitalize()}" for variant in variants)
    return Given(
        "residual block", holds, f"a residual block: {words}", unchanged, _without_last("B")
    )


def _without_last(name: str) -> Change:
    """A break: the last neuron of a list is named no more."""
    return lambda case, random: case.choosing(**{name: case.list_of(name)[:-1]})


SQUARE = Given(
    "square skip", card(A) == card(C), "$c=a$ in ResNetFree", unchanged, _without_last("C")
)
POOL = StructuredPool(examples=(1, 2, 3), planners=(("3", planner("3", ANY)),))
NARROW = StructuredPool(examples=(1, 2, 3), planners=(("3", planner("3", ANY[:2])),))
BLOCKS = (
    r"(1) ResNetIdentity: $r(x;U,Y)=\sigma(U\sigma(Yx)+Ix)$, $x\in\mathbb R^a$, $Y,U^\top\in"
    r"\mathbb R^{b\times a}$, $I$ the identity; (2) ResNetDiagonal: $r(x;U,Y,D)=\sigma(U\sigma(Yx)"
    r"+Dx)$, same shapes, $D$ diagonal; (3) ResNetFree: $r(x;U,Y,Z)=\sigma(U\sigma(Yx)+Zx)$, "
    r"$Y\in\mathbb R^{b\times a}$, $U\in\mathbb R^{c\times b}$, $Z\in\mathbb R^{c\times a}$."
)
ACTIVE = (
    r"Fix some time $t$ and let $W_1\in\mathbb R^{b\times a}$ be a weight matrix from some set of "
    r"$a$ neurons to another set of $b$ neurons. Let $I_{\mathrm{act}}\subseteq[b]$ be the set of "
    r"the $b$ neurons that are active (linear or ReLU with nonnegative preactivation). "
    r"$[W_1W_1^\top]_{\mathrm{act}}$ is the submatrix of $W_1W_1^\top$ with rows and columns from "
    r"$I_{\mathrm{act}}$; likewise $[W_2^\top W_2]_{\mathrm{act}}$. (Over all training examples.)"
)
REPRESENTATION = (
    r"The matrix representation for a ResNetFree block $r(x;U,Y,Z)$ is $[U\ \ Z]$; for a "
    r"convolutional tensor $T^{a,b,c}\in\mathbb R^{a,b,c}$ it is the flattening to an element of "
    r"$\mathbb R^{a\times(b\times c)}$; and for a fully-connected layer it is the weight matrix "
    "itself."
)

CLAIMS = (
    stated(
        "lj22.def5",
        both("Definition 5"),
        "ResNetIdentity, ResNetDiagonal, ResNetFree",
        BLOCKS,
        COMPUTED,
        (_is_variant(block(A, B, C) | diagonal_block(A, B, C), *ANY),),
        kind=Kind.DEFINITION,
        depends=("lj22.def1",),
        pool=POOL,
        proof=blocks_by_matrices,
    ),
    stated(
        "lj22.def5-special",
        both("after Definition 5"),
        "nesting of the three variants",
        "ResNetIdentity is a special case of ResNetDiagonal, which is in turn a special case of "
        "ResNetFree.",
        WIDER,
        (_is_variant(diagonal_block(A, B, C), *ANY[:2]), SQUARE),
        depends=("lj22.def5",),
        pool=NARROW,
        proof=wider_blocks,
    ),
    Claim(
        "lj22.def6@A",
        Kind.DEFINITION,
        final("Definition 6"),
        "submatrix of active neurons",
        ACTIVE,
        depends=("lj22.def2",),
        reading="A",
        reading_text="leaky ReLU neurons are never in the set",
    ),
    Claim(
        "lj22.def8",
        Kind.DEFINITION,
        both("Definition 8 (earlier version: Definition 7)"),
        "matrix representation of a layer",
        REPRESENTATION,
        depends=("lj22.def5", "lj22.def11"),
    ),
)
