"""Twins of what LJ22 says of networks as sums over paths and of their trees: Sections 2 and 3,
Appendix B."""

from __future__ import annotations

from tests.verify.twins.section2 import LEARNABLE, is_relu, the_output
from verify.language.building import (
    Along,
    Count,
    Each,
    Filter,
    Fold,
    Map,
    Prod,
    Some,
    Sorted,
    Sum,
    When,
    activation,
    card,
    edges_on,
    element,
    examples,
    grad,
    head,
    implies,
    inputs,
    into,
    minus,
    nu,
    paths,
    paths_to,
    post,
    sign,
    tail,
    upto,
    vertices,
    w,
    x,
    y,
    z,
)
from verify.language.terms import Term


# Section 2: nu(y x), by the forward pass on the inputs y x ----------------------------------------
def value_of_flipped(j: Term) -> Term:
    """nu(y_j x_j)."""
    return Along(
        the_output(),
        lambda u, walk, before: When(
            element(u, inputs()),
            y(j) * x(u, j),
            activation(u, Sum(upto(card(into(u))), lambda k: w(into(u)[k]) * before[k])),
        ),
    )


# Equal sums for every loss: the same arguments, as often, in whatever order.
RISKS = Sorted(Map(examples(), lambda j: y(j) * nu(j))) == Sorted(Map(examples(), value_of_flipped))


# Section 3: Z_p -----------------------------------------------------------------------------------
def open_path(p: Term, j: Term) -> Term:
    """Z_p: 1 where all ReLUs on p have nonnegative preactivation, else 0."""
    shut = Some(edges_on(p), lambda e: is_relu(head(e)) & (z(head(e), j) < 0))
    return When(shut, 0, 1)


def product_but(p: Term, e: Term) -> Term:
    """The product of w_f over f in p other than e."""
    return Prod(Filter(edges_on(p), lambda f: f != e), lambda f: w(f))


# No preactivation of a ReLU is 0, so Z_p does not change near w.
Z_SLOPE = 0

# Appendix B: paths to o are sets of edges ---------------------------------------------------------
TO_OUTPUT = paths_to(the_output())


def covers(p: Term, q: Term) -> Term:
    """pq is an arc of Hasse's diagram."""
    return (card(q) - card(p) == 1) & Each(p, lambda e: element(e, q))


TREE = (
    # As many arcs as vertices less one, and from every vertex the arcs lead down to the empty path.
    (Sum(TO_OUTPUT, lambda q: Count(TO_OUTPUT, lambda p: covers(p, q))) == card(TO_OUTPUT) - 1)
    & Each(
        TO_OUTPUT,
        lambda q: implies(card(q) > 0, Some(TO_OUTPUT, lambda p: covers(p, q))),
    )
)
# The weight of pq is that of e_p, an edge of p, so p must have one.
WEIGHTS = Each(TO_OUTPUT, lambda q: Each(TO_OUTPUT, lambda p: implies(covers(p, q), card(p) > 0)))
LEAVES = Filter(TO_OUTPUT, lambda p: ~Some(TO_OUTPUT, lambda q: covers(p, q)))
BIJECTION = (card(LEAVES) == card(paths())) & (
    card(minus(Map(paths(), lambda p: edges_on(p)), LEAVES)) == 0
)


# Lemma 5: arcs pq with p = e_p and q; the pull-back goes from the output on -----------------------
def sgn(number: Term, at_zero: int) -> Term:
    """Into {-1, 1}, as in Section 2, which does not say what sgn(0) is."""
    return When(number == 0, at_zero, sign(number))


def pulled(p: Term) -> Term:
    """The weight of the out-arc of p when it is p's turn: its own, times the absolute value of what
    the arc in front of it had."""
    return Fold(upto(card(p)), 1, lambda front, k: w(p[card(p) + 1 - k]) * abs(front))


def absolute(p: Term) -> Term:
    return Prod(p, lambda f: abs(w(f)))


def second_part(p: Term) -> Term:
    """Part 2 for p: what stands on an in-arc of p, from r = e and p, or at an input, after p's
    turn."""
    first = tail(p[1])
    return When(
        card(into(first)) > 0,
        Some(into(first), lambda e: w(e) * abs(pulled(p)) == w(e) * absolute(p)),
        Each(examples(), lambda j: x(first, j) * abs(pulled(p)) == x(first, j) * absolute(p)),
    )


TURNS = Filter(TO_OUTPUT, lambda p: card(p) > 0)


def first_part(at_zero: int) -> Term:
    """Part 1 after all turns, each for all."""
    return Each(TURNS, lambda p: sgn(pulled(p), at_zero) == sgn(w(p[1]), at_zero))


TWINS: dict[str, Term] = {
    "lj22.risk": RISKS,
    "lj22.eq1.a": Each(
        examples(),
        lambda j: (
            nu(j) == Sum(paths(), lambda p: open_path(p, j) * Prod(edges_on(p), lambda e: w(e)))
        ),
    ),
    "lj22.eq3": Each(
        LEARNABLE,
        lambda e: Each(
            examples(),
            lambda j: (
                grad(e, j)
                == Sum(
                    Filter(paths(), lambda p: element(e, edges_on(p))),
                    lambda p: (w(e) * Z_SLOPE + open_path(p, j)) * product_but(p, e),
                )
            ),
        ),
    ),
    "lj22.eq16@A": Each(
        Filter(vertices(), lambda v: ~element(v, inputs())),
        lambda v: Each(examples(), lambda j: z(v, j) == Sum(into(v), lambda e: post(v, j) * w(e))),
    ),
    "lj22.def10@A1B1": TREE & WEIGHTS & BIJECTION,
    "lj22.lemma5-iter@A1B2": (first_part(1) | first_part(-1)) & Each(TURNS, second_part),
}
