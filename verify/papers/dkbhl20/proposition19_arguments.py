"""Arguments for Proposition 19, in symbols for any loss: g_i, g_j are components of its gradients
at two samples, and h_i = v_i u, h_j = v_j u where the hidden representations have rank one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.rings import Ring, ring_of
from verify.argument import Argument, Step
from verify.language.terms import Term

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


def some_factor_exists(goal: Term) -> Argument:
    """a_j is not 0 and the minors are 0."""
    return Argument(
        "a_j = g_j h_j is not 0, and a_i lies on its line",
        (vanishing_minor(),),
        (OF_RANK_ONE, COORDINATES, LINE),
        "",
        (RANK, SLOPES, COLUMNS),
        section=37,
        goal=goal,
    )


def minors_vanish(goal: Term) -> Argument:
    """All a_i are multiples of u."""
    return Argument(
        "all a_i = g_i v_i u are multiples of u",
        (vanishing_minor(),),
        (OF_RANK_ONE, COORDINATES, LINE),
        "",
        (RANK,),
        section=37,
        goal=goal,
    )


def cosines_are_one(goal: Term) -> Argument:
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
        "",
        (RANK, SLOPES, COLUMNS),
        section=37,
        goal=goal,
    )


def chain_rule(goal: Term) -> Argument:
    """dz_m/dV_kp = h_p where m = k, else 0, for z = V h with two outputs and two inputs; and the
    derivative of the square."""
    ring = ring_of(8)
    weights, hidden, target = ring.generators[:4], ring.generators[4:6], ring.generators[6:]
    rows = (weights[:2], weights[2:])
    outputs = [row[0] * hidden[0] + row[1] * hidden[1] for row in rows]
    zero = ring.constant(Fraction(0))
    linear = all(
        ring.is_zero(ring.derivative(outputs[m], 2 * k + p) - (hidden[p] if m == k else zero))
        for m in range(2)
        for k in range(2)
        for p in range(2)
    )
    errors = [z - y for z, y in zip(outputs, target, strict=True)]
    loss = errors[0] ** 2 + errors[1] ** 2
    square = all(
        ring.is_zero(ring.derivative(loss, 2 * k + p) - 2 * errors[k] * hidden[p])
        for k in range(2)
        for p in range(2)
    )
    return Argument(
        "V_kp moves output k alone, at the rate h_p, so that the derivative of l(y, V h) in V_kp "
        "is component k of the gradient of l times h_p",
        (
            Step("d(V h)_m/dV_kp is h_p for m = k, else 0", linear),
            Step("of |V h - y|^2 the derivative in V_kp is 2 e_k h_p", square),
        ),
        ("the chain rule, for a differentiable loss", COORDINATES),
        "",
        (),
        section=37,
        goal=goal,
    )
