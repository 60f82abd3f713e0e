"""Twins of what is called false of the identity on domains of two pieces, c + s y and c + s z. When
R^(1) is known to be 0, and when not to be: docs/mathematics/j23.md#the-identity-on-bounded-domains,
and of two rays verify.papers.j23.bends."""

from __future__ import annotations

from lemmata import Each, Number, Some, Vector, When, Whole, dot, frob2, list_, outer
from verify.language.terms import Term

c, y, z, a = Vector("c", "n"), Vector("y", "n"), Vector("z", "n"), Number("a")
rays, extra = Whole("rays", 0, 1), Whole("extra", 0, 2)


def dependent(u: Term, v: Term) -> Term:
    return outer(u, v) == outer(v, u)


# c and what else spans the cone: the ends, or where there are none the directions.
corners = list_(c, When(rays == 0, c + y, y), When(rays == 0, c + z, z))
a_point = (frob2(y) == 0) & (frob2(z) == 0)
apart = ~(dependent(y, z) & (dot(y, z) >= 0))
on_a_line = Each(corners, lambda u: Each(corners, lambda v: dependent(u, v)))
flat = on_a_line & ((frob2(c) == 0) | ~a_point)
turned_back = Some(corners, lambda u: Some(corners, lambda v: dot(u, v) < 0))
shaped = flat & ~turned_back

# Two rays from 0, alone: ReLU, or slopes below 0 where the angle is at most right.
steep = (a == 0) | ((a < 0) & (dot(y, z) >= 0))
two_ends = (rays > 0) & (extra < 1) & (frob2(c) == 0) & apart & steep
measured = (rays < 1) | ~apart  # the order is k
zero = two_ends | measured & shaped
bent = ~dependent(y, z)
off_0 = Some(list_(y, z), lambda v: ~dependent(c, v)) | a_point & (frob2(c) > 0)
positive = ~two_ends & measured & (off_0 | bent | flat & turned_back)

TWINS: dict[str, Term] = {
    "j23.id.nonneg.planar": flat | ~zero,
    "j23.prop5@B": ~(zero & ~shaped | positive & shaped),
    "j23.prop5.tangent": ~(zero & bent),
    "j23.prop5.bound.e": ~(zero & bent),
    "j23.prop5.scale.b": ~(zero & bent),
}
