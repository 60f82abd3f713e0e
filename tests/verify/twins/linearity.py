"""Twins of what is called false of the transition to linearity, from the print: Lemma K.2 and the
remark on ReLU, as orders in the width m."""

from __future__ import annotations

from fractions import Fraction

from lemmata import Each, Number, Vector, dim, upto
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

TWINS: dict[str, Term] = {
    "zlb22.lemK.2.lipschitz@A": Each(upto(dim(a)), is_of_the_order),
    "zlb22.remReLU@B": remainder <= rate,
}
