"""Twins of what is called false of the transition to linearity, from the print: Lemma K.2 and the
remark on ReLU, as orders in the width m, and the activation on the output."""

from __future__ import annotations

from fractions import Fraction

from lemmata import Each, Max, Min, Number, Vector, When, dim, implies, list_, upto
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

TWINS: dict[str, Term] = {
    "zlb22.lemK.2.lipschitz@A": Each(upto(dim(a)), is_of_the_order),
    "zlb22.remReLU@B": remainder <= rate,
    "zlb22.nonlinear_output.b@B1": implies(t >= 0, minus_p >= 0),
}
