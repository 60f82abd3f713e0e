"""Twins of what is called false of the transition to linearity, from the print: Lemma K.2 and the
remark on ReLU, as orders in the width m, the activation on the output, and Proposition 4.4."""

from __future__ import annotations

from fractions import Fraction

from lemmata import (
    Each,
    Fold,
    Max,
    Min,
    Number,
    Prod,
    Sum,
    Vector,
    When,
    Whole,
    dim,
    implies,
    larger,
    list_,
    rising,
    smaller,
    sqrt,
    upto,
)
from verify.language.terms import Term

# Lemma K.2: of exp(m^a) pre-activations the largest is of order m^(a/2), at that probability each
# of order log m; both to the power r behind the activation.
r, a = Vector("r", "L"), Vector("a", "L")


def is_of_the_order(level: Term) -> Term:
    """Whether all neurons of the layers up to a level are O(log^level m)."""
    return Each(upto(level), lambda k: (r[k] * a[k] / 2 <= 0) & (r[k] <= level))


# The remark on ReLU: m^(1 - s) neurons are moved, each gains about m^-s, times m^(-1/2).
s = Number("s")
remainder, rate = (1 - s) - s - Fraction(1, 2), -Fraction(1, 2)

# The output activation, t >= 0: where phi'' is 0 at t and at a point below, and so between and all
# the way down, it is so with probability 1/2 at least; a lower bound on that, with the minus sign.
t, c, e = Number("t"), Number("c"), Number("e")
bent = [e + c * Min(list_(1, Max(list_(0, z - t), lambda y: y)), lambda y: y) for z in (t, -t - 1)]
minus_p = When((bent[0] == 0) & (bent[1] == 0), -Fraction(1, 2), 0)

# Proposition 4.4, n hidden neurons with the slopes b and left. E |x| of k normal numbers times that
# of k + 1 is k; it is sqrt(2/pi) of one, and (1/2)! is sqrt(pi)/2.
left, b, d0, n = Number("a"), Number("b"), Whole("d0", 1, 4), Whole("n", 1, 6)
of_one = sqrt(2) / (2 * rising(1, Fraction(1, 2)))


def length(k: Term) -> Term:
    return Fold(upto(k - 1), of_one, lambda before, j: j / before)


active = Sum(upto(n), lambda k: Prod(upto(k), lambda i: (n + 1 - i) / i) * length(2 * k) / 2**n)
norm = When(left * b == 0, active, length(2 * n)) * larger(abs(left), abs(b)) * length(d0)
below = norm / sqrt(n * d0) < smaller(1, (left**2 + b**2) / 2)

TWINS: dict[str, Term] = {
    "zlb22.lemK.2.lipschitz@A": Each(upto(dim(a)), is_of_the_order),
    "zlb22.prop4.4": implies(left * b * (left - b) * (left + b) == 0, ~below),
    "zlb22.remReLU@B": remainder <= rate,
    "zlb22.nonlinear_output.b@B1": implies(t >= 0, minus_p >= 0),
}
