"""Twins of the training invariances of LJ22: Lemmas 2 and 3, Theorem 1 (1), and of the velocity."""

from __future__ import annotations

from tests.verify.twins.section2 import (
    LEARNABLE,
    each_pair,
    mean,
    risk_slope,
    same_pattern,
    the_output,
)
from verify.language.building import (
    Chosen,
    Each,
    Rate,
    Sum,
    edge,
    grad,
    head,
    implies,
    into,
    loss_slope,
    out_of,
    tail,
    w,
    y,
)
from verify.language.terms import Term

LAYERS = Chosen("layers", "seq[seq[edge]]")
ACTIVE, BEFORE, BEHIND = (Chosen(name, "seq[vertex]") for name in ("I", "A", "C"))


def squares(some: Term) -> Term:
    """The sum of the squared weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


def in_products(u: Term, v: Term) -> Term:
    """The sum over a in IN of w_au w_av."""
    return Sum(into(u), lambda e: w(e) * w(edge(tail(e), v)))


def out_products(u: Term, v: Term) -> Term:
    """The sum over b in OUT of w_ub w_vb."""
    return Sum(out_of(u), lambda e: w(e) * w(edge(v, head(e))))


def balanced(u: Term, v: Term) -> Term:
    """(5) by its derivative, (50)."""
    return Rate(in_products(u, v)) == Rate(out_products(u, v))


EQUAL_LAYERS = Rate(squares(LAYERS[1])) == Rate(squares(LAYERS[2]))

TWINS: dict[str, Term] = {
    "lj22.lemma2b@A": each_pair(lambda u, v: implies(same_pattern(u, v), balanced(u, v))),
    "lj22v1.lemma3b": each_pair(balanced),
    "lj22.lemma3@A": EQUAL_LAYERS,
    "lj22.bias@BA": EQUAL_LAYERS,
    "lj22v1.eq8.b@A": Rate(squares(LAYERS[1])) == Rate(squares(into(the_output()))),
    "lj22.gflow": Each(LEARNABLE, lambda e: risk_slope(e) == Rate(w(e))),
    "lj22.eq31": Each(
        LEARNABLE,
        lambda e: Rate(w(e)) == mean(lambda j: loss_slope(j) * y(j) * grad(e, j)),
    ),
    "lj22.thm1-1@A": Each(
        ACTIVE,
        lambda u: Each(
            ACTIVE,
            lambda v: (
                Rate(Sum(BEHIND, lambda c: w(edge(u, c)) * w(edge(v, c))))
                == Rate(Sum(BEFORE, lambda a: w(edge(a, u)) * w(edge(a, v))))
            ),
        ),
    ),
}
