"""Twins of Appendix F of the earlier version of LJ22, gradient descent: (81) to (90)."""

from __future__ import annotations

from collections.abc import Callable

from tests.verify.twins.path_sums import Coordinate, jagged_sum
from tests.verify.twins.section2 import each_pair, mean, risk_slope
from verify.language.building import (
    After,
    Chosen,
    Each,
    Filter,
    Prod,
    Sum,
    card,
    edge,
    edges,
    head,
    into,
    nu,
    out_of,
    sign,
    slope,
    step_size,
    steps,
    tail,
    upto,
    w,
    y,
)
from verify.language.terms import Term

LOSS, BETA = Chosen("loss", "seq[num]"), Chosen("beta", "seq[num]")
LAST = card(steps())  # t + 1


def summed(part: Callable[[Term], Term]) -> Term:
    """The sum over tau = 0, ..., t."""
    return Sum(steps(), part)


def subgradient(step: Term, e: Term) -> Term:
    """[d(w(tau))]_e."""
    return After(step, risk_slope(e))


def change(e: Term, f: Term) -> Term:
    """w_e(t + 1) w_f(t + 1) - w_e(0) w_f(0) - sum_tau eta(tau)^2 [d]_e [d]_f."""
    return (
        After(LAST, w(e) * w(f))
        - w(e) * w(f)
        - summed(lambda k: step_size(k) ** 2 * subgradient(k, e) * subgradient(k, f))
    )


def mixed(step: Term, e: Term, f: Term) -> Term:
    """w_e(tau) [d]_f + w_f(tau) [d]_e."""
    return After(step, w(e) * risk_slope(f) + w(f) * risk_slope(e))


def line_81(u: Term, v: Term) -> Term:
    return Sum(into(v), lambda e: change(e, edge(tail(e), u)))


def line_82(u: Term, v: Term) -> Term:
    return -2 * summed(
        lambda k: step_size(k) * Sum(into(v), lambda e: mixed(k, e, edge(tail(e), u)))
    )


def line_84(u: Term, v: Term) -> Term:
    """With vb for bv, as there is no edge bv."""
    return -2 * summed(
        lambda k: step_size(k) * Sum(out_of(v), lambda e: mixed(k, e, edge(u, head(e))))
    )


def line_85(u: Term, v: Term) -> Term:
    """The sum over the edges vb."""
    return Sum(out_of(v), lambda e: change(e, edge(u, head(e))))


# (83): jagged paths, and the tree network mu' of absolute values ----------------------------------
def bent(some: Term, j: Term) -> Term:
    """What edges of a path give to the derivative of mu': slopes and signs."""
    return Prod(some, lambda f: sign(w(f)) * slope(head(f), j))


def line_83(u: Term, v: Term, coordinate: Coordinate) -> Term:
    return -2 * summed(lambda k: step_size(k) * After(k, jagged_sum(v, u, coordinate)))


def over_start(p: Term, end: Term, q: Term, begin: Term, j: Term) -> Term:
    """Of the path that comes, as p_1 does, to a, and goes on to the first vertex of p_2."""
    before = Filter(p, lambda f: head(f) != end)
    into_begin = edge(tail(p[card(p)]), begin)
    return bent(before, j) * sign(w(into_begin)) * slope(begin, j) * bent(q, j)


def over_end(p: Term, end: Term, q: Term, begin: Term, j: Term) -> Term:
    """Of the path that goes on from the last vertex of p_1 as p_2 does from b."""
    behind = Filter(q, lambda f: tail(f) != begin)
    out_of_end = edge(end, head(q[1]))
    return bent(p, j) * sign(w(out_of_end)) * slope(head(q[1]), j) * bent(behind, j)


# (86) to (90): a polynomial loss ------------------------------------------------------------------
def loss_at(margin: Term) -> Term:
    """l: its coefficients, from the constant one on."""
    return Sum(upto(card(LOSS)), lambda k: LOSS[k] * margin ** (k - 1))


def risk(step: Term) -> Term:
    """R(w(tau))."""
    return After(step, mean(lambda j: loss_at(y(j) * nu(j))))


def squared(step: Term) -> Term:
    """||d(w(tau))||^2, as own parameters have one edge each."""
    return Sum(edges(), lambda e: subgradient(step, e) ** 2)


def bound(step: Term) -> Term:
    """The right side of (86): beta is a list from tau = 0 on."""
    eta = step_size(step)
    return -eta * squared(step) + BETA[step + 1] * eta**2 / 2 * squared(step)


def slack(e: Term, f: Term) -> Term:
    """|sum_tau eta(tau)^2 [d]_e [d]_f|."""
    return abs(summed(lambda k: step_size(k) ** 2 * subgradient(k, e) * subgradient(k, f)))


TWINS: dict[str, Term] = {
    "lj22v1.gd-82": each_pair(lambda u, v: line_81(u, v) == line_82(u, v)),
    "lj22v1.gd-83@AB1": each_pair(lambda u, v: line_82(u, v) == line_83(u, v, over_start)),
    "lj22v1.gd-84@BB1": each_pair(lambda u, v: line_83(u, v, over_end) == line_84(u, v)),
    "lj22v1.gd-84.b": each_pair(lambda u, v: line_82(u, v) == line_84(u, v)),
    "lj22v1.gd-85@B": each_pair(lambda u, v: line_84(u, v) == line_85(u, v)),
    "lj22v1.gd-85.b@B": each_pair(lambda u, v: line_81(u, v) == line_85(u, v)),
    "lj22v1.gd-86": Each(steps(), lambda k: risk(k + 1) - risk(k) <= bound(k)),
    "lj22v1.gd-87": Each(steps(), lambda k: bound(k) == -step_size(k) / 2 * squared(k)),
    "lj22v1.gd-88.a": -risk(0) <= risk(LAST) - risk(0),
    "lj22v1.gd-88.b": (risk(LAST) - risk(0) <= -summed(lambda k: step_size(k) * squared(k)) / 2),
    "lj22v1.gd-90.a": Each(
        edges(),
        lambda e: Each(
            edges(),
            lambda f: -summed(lambda k: step_size(k) ** 2 * squared(k)) / 2 <= -slack(e, f),
        ),
    ),
    "lj22v1.gd-90.b": Each(edges(), lambda e: Each(edges(), lambda f: slack(e, f) <= risk(0))),
}
