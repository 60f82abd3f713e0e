"""Arguments for Proposition 19, in symbols for any loss: g_i, g_j are components of its gradients
at two samples, and h_i = v_i u, h_j = v_j u where the hidden representations have rank one."""

from __future__ import annotations

from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step

OF_RANK_ONE = "a matrix of rank one is u v^T, so h_i = v_i u"
COORDINATES = (
    "each coordinate, or pair of them, enters by itself, so that two of them stand for any number d"
)
LINE = "vectors lie on one line through 0 exactly where all minors are 0"
RANK, SLOPES, COLUMNS = (
    "rank one in the last layer",
    "no component of the error gradients is 0",
    "no column of the last layer is 0",
)


def _rank_one() -> tuple[Ring, Any, Any, tuple[Any, Any], Any]:
    """The ring; (g_i, g_j), (v_i, v_j), (u_p, u_q), |u|^2."""
    ring = ring_of(7)
    a, b, v, w, p, q, square = ring.generators
    return ring, (a, b), (v, w), (p, q), square


def vanishing_minor() -> Step:
    """Of a_i = g_i v_i u and a_j = g_j v_j u."""
    ring, (a, b), (v, w), (p, q), _ = _rank_one()
    one, other = (a * v * p, a * v * q), (b * w * p, b * w * q)
    holds = ring.is_zero(one[0] * other[1] - one[1] * other[0]) and not ring.is_zero(one[0])
    return Step("g_i v_i u_p g_j v_j u_q = g_i v_i u_q g_j v_j u_p", holds)


def some_factor_exists() -> Argument:
    """a_j is not 0 and the minors are 0."""
    return Argument(
        "a_j = g_j h_j is not 0, and a_i lies on its line",
        (vanishing_minor(),),
        (OF_RANK_ONE, COORDINATES, LINE),
        (RANK, SLOPES, COLUMNS),
        section="docs/mathematics/dkbhl20.md#proposition-19",
    )


def minors_vanish() -> Argument:
    """All a_i are multiples of u."""
    return Argument(
        "all a_i = g_i v_i u are multiples of u",
        (vanishing_minor(),),
        (OF_RANK_ONE, COORDINATES, LINE),
        (RANK,),
        section="docs/mathematics/dkbhl20.md#proposition-19",
    )


def cosines_are_one() -> Argument:
    """(a_i . a_j)^2 = |a_i|^2 |a_j|^2, and neither is 0."""
    ring, (a, b), (v, w), _, square = _rank_one()
    inner = a * v * b * w * square
    norms = (a * v) ** 2 * square * (b * w) ** 2 * square
    return Argument(
        "a_i = g_i v_i u and a_j = g_j v_j u with g_i v_i and g_j v_j not 0, so their "
        "directions are those of u and -u",
        (
            Step(
                "(a_i . a_j)^2 = |a_i|^2 |a_j|^2 with |u|^2 as a symbol",
                ring.is_zero(inner * inner - norms) and not ring.is_zero(norms),
            ),
        ),
        (OF_RANK_ONE, "where Cauchy and Schwarz hold with equality, unit vectors agree up to sign"),
        (RANK, SLOPES, COLUMNS),
        section="docs/mathematics/dkbhl20.md#proposition-19",
    )
