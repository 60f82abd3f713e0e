"""Theorem 10's proof: a segment that is mapped through all outputs, and how steep f is on one.

Along a segment between two points f goes along straight pieces, on each of which it is affine.
"""

from __future__ import annotations

from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Min,
    Some,
    When,
    between,
    dot,
    examples,
    frob2,
    item,
    larger,
    norm,
    smaller,
)
from verify.language.terms import Term, written
from verify.papers.j23.network_notation import DEPTH, FULLY_CONNECTED, SLOPE, Index, activations
from verify.papers.j23.pieces_notation import jacobian_at, middle, network, on_the_way, pieces
from verify.papers.j23.rank_one_fits import BN_RANK_ONE, PROOF, N, inputs_apart, outputs_apart
from verify.papers.j23.sources import printed
from verify.statements.stated import stated


# through all outputs ------------------------------------------------------------------------------
def to_straight(y: Term, start: Term, end: Term) -> Term:
    """The squared distance of y from the straight piece between two points."""
    step = end - start
    share = When(frob2(step) == 0, 0, dot(y - start, step) / frob2(step))
    return frob2(y - start - smaller(larger(share, 0), 1) * step)


@written(r"d_{{1}{2}}(y_{{0}})^2")
def to_image(i: Index, p: Index, q: Index) -> Term:
    """The squared distance of y_i from the image of the segment from x_p to x_q."""

    def to_piece(piece: Term) -> Term:
        start, end = (network(on_the_way(p, q, item(piece, k))) for k in (1, 2))
        return to_straight(activations(DEPTH, i), start, end)

    return Min(pieces(p, q), to_piece)


def _through_all(p: Term, q: Term) -> Term:
    """Whether the segment from x_p to x_q, the first and the last point, does."""
    return Each(examples(), lambda i: to_image(i, p, q) == 0)


SEGMENT = stated(
    "j23.thm10.segment",
    printed(PROOF + "second paragraph, following Theorem 2 of [10]"),
    "a segment through all outputs",
    r"The indices can be reordered so that the segment $[x_1,x_N]$ is mapped by $f_\theta$ to a "
    r"path that goes through $y_1,\dots,y_N$; one can define preimages $\tilde x_i$ of them on it.",
    Some(examples(), lambda p: Some(between(p, N), lambda q: _through_all(p, q))),
    (FULLY_CONNECTED, SLOPE, BN_RANK_ONE),
    pool=layered_pool(pool(depths=(1, 2, 2, 3, 3), points=(2, 3))),
    exact_only=True,
    negated="for no pair of points the segment between them is mapped through all outputs",
)


# a point with a large Jacobian --------------------------------------------------------------------
def _as_steep_as_the_rise(piece: Term) -> Term:
    """Whether |Jf|_op is at least |y_2 - y_1| / |x_2 - x_1| on a piece of [x_1, x_2], both sides
    squared."""
    steepness = norm(jacobian_at(on_the_way(1, 2, middle(piece)))) ** 2
    return steepness >= frob2(outputs_apart(2, 1)) / frob2(inputs_apart(2, 1))


STEEP = stated(
    "j23.thm10.jac.a",
    printed(PROOF + "third paragraph"),
    "a point with a large Jacobian",
    r"On $[\tilde x_i,\tilde x_{i+1}]$ there must be a point $x$ with $\lVert Jf_\theta(x)"
    r"\rVert_{op}\ge\frac{\lVert y_{i+1}-y_i\rVert}{\lVert\tilde x_{i+1}-\tilde x_i\rVert}$.",
    Some(pieces(1, 2), _as_steep_as_the_rise),
    (FULLY_CONNECTED, SLOPE),
    depends=("j23.thm10.segment",),
    pool=layered_pool(pool(depths=(1, 2, 2, 3, 3), points=(2,))),
    exact_only=True,
)

CLAIMS = (SEGMENT, STEEP)
