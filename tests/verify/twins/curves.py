"""Twins of the proofs of Claims 1 and 2 of LJ22, on curves: at late times |sin t| takes each value
of [0, 1] again and again."""

from __future__ import annotations

from verify.language.building import (
    Each,
    Filter,
    Matrix,
    Min,
    Prod,
    Some,
    Sum,
    Vector,
    When,
    Whole,
    between,
    card,
    cols,
    column,
    dot,
    frob2,
    implies,
    list_,
    rows,
    sign,
    upto,
)
from verify.language.terms import Term

P, Q, POWER = Matrix("p", "entry", "power"), Matrix("q", "entry", "power"), Whole("k", 0, 2)
V = Vector("v", "entry")


def binomial(n: Term, i: Term) -> Term:
    return Prod(upto(i), lambda m: (n + 1 - m) / m)


def has(curve: Term, i: Term) -> Term:
    """Whether a matrix of coefficients has one of t^i."""
    return (i >= 0) & (i < cols(curve))


def leading(curve: Term) -> Term:
    """The last column that is not 0: the coefficients of the power of t that leads."""
    some = Filter(upto(cols(curve)), lambda i: frob2(column(curve, i)) > 0)
    return column(curve, some[card(some)])


def room(curve: Term, power: Term, i: Term) -> tuple[Term, Term]:
    """Let c(t) be the curve with coefficients in a matrix, L its leading ones, N = |L|, v = L / N
    and r = min |v_i| / 2. The coefficient of t^i in r^2 (1 + t)^2k - |c(t) - v (1 + t)^k|^2 is
    a + b / N with these a and b."""
    lead = leading(curve)
    least = Min(upto(rows(curve)), lambda m: leading(curve)[m] ** 2)
    squares = Sum(
        between(0, i),
        lambda m: When(
            has(curve, m) & has(curve, i - m),
            dot(column(curve, m + 1), column(curve, i - m + 1)),
            0,
        ),
    )
    along = Sum(
        between(0, i),
        lambda m: When(
            has(curve, m),
            binomial(power, i - m) * dot(column(curve, m + 1), lead),
            0,
        ),
    )
    rational = (least / (4 * frob2(lead)) - 1) * binomial(2 * power, i) - squares
    return rational, 2 * along


def sign_of(a: Term, b: Term, square: Term) -> Term:
    """Of a + b / N, N > 0, N^2 = square: x |x| rises with x."""
    return sign(a * abs(a) * square + b * abs(b))


def stays_in_ball(curve: Term, power: Term) -> Term:
    """Whether c(t) / (1 + t)^k lies in the closed ball at all late t."""
    square = frob2(leading(curve))
    degrees = between(0, 2 * cols(curve) + 2 * power)

    def leads(i: Term) -> Term:
        return sign_of(*room(curve, power, i), square)

    # The last coefficient that is not 0 decides, from the highest one on.
    positive = Some(
        degrees,
        lambda i: (leads(i) > 0) & Each(degrees, lambda m: implies(m > i, leads(m) == 0)),
    )
    return positive | Each(degrees, lambda i: leads(i) == 0)


TWINS: dict[str, Term] = {
    # The distance to v is convex in |sin t|, and 0 and 1 return: so p and q alone decide.
    "lj22.claim1.last": stays_in_ball(P, POWER) & stays_in_ball(Q, POWER),
    # At late t with |sin t| = s the curve is t s v, and the quotient is there where this is not 0.
    "lj22.claim2.a@A": Each(list_(0, 1), lambda s: frob2(s * V) > 0),
}
