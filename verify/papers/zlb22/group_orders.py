"""The order of |H_f| from above, for families of linear networks on groups
(verify.papers.zlb22.group_notation).

f has degree 1 in each weight. The block of the Hessian between the weights into a group g and those
into a later group k is the form (V, U) -> u . U B V a, with a the neurons that enter g, B the
derivative of those that enter k by those of g, u the derivative of f by those of k, and the factors
1/sqrt(in-degree) of both. Its norm is |u| |B| |a| times the factors, exactly. No weight enters two
of the three: one above k, and one between g and k, would have its head both above and below k. So
the mean of the square is a product of three means, of which E |a|^2 is the in-degree of g up to a
constant, and E |u|^2 is counted (VISITS). Left is E |B|^2.

`B` is built layer by layer. For a matrix W of independent standard normal entries with n rows
E |W A|^2 <= 3 (n |A|^2 + |A|_F^2) (Chevet's inequality), and E |W A|_F^2 = n |A|_F^2. So exponents
of E |A|^2 and of E |A|_F^2 go up together.

In the ball some factors of a product are replaced by displacements, of Frobenius norm at most R:
|A D C| <= R |A| |C|, and the bounds of A and C multiply to no more than that of A W C. Polynomials
of Gaussian numbers exceed (log m)^d times the root of their mean square with probability at most
exp(-c log^2 m) (Bonami), so |H_f| = O~(M^(x/2)) on the whole ball, x the exponent from above.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Filter,
    Fold,
    Max,
    When,
    between,
    card,
    intersection,
    larger,
    list_,
    minus,
    union,
    vector,
)
from verify.language.terms import Term
from verify.papers.zlb22.dag_notation import COUNT, P, parents
from verify.papers.zlb22.group_notation import GROUPS, HIDDEN, OUTPUT, VISITS, degree, e, width


# the derivative of one group by another -----------------------------------------------------------
def depending(g: Term) -> Term:
    """A group and those that depend on it."""
    return Fold(
        between(g + 1, COUNT),
        list_(g),
        lambda found, j: When(
            card(intersection(parents(j), found)) > 0, union(found, list_(j)), found
        ),
    )


def between_groups(g: Term, j: Term) -> Term:
    """The parents of a group that depend on another one."""
    return intersection(parents(j), depending(g))


def _along(g: Term, own: Term | int, at_group: Callable[[Term, Term], Term]) -> Term:
    """A number for each group that depends on g: its own, of another one what is made of those
    before it."""
    return Fold(
        minus(depending(g), list_(g)),
        vector(COUNT, lambda h: When(h == g, own, 0)),
        lambda found, j: vector(COUNT, lambda h: When(h == j, at_group(found, j), found[h])),
    )


def frobenius_norm(g: Term) -> Term:
    """By group the exponent of E |B|_F^2 for its derivative by the neurons of g."""
    return _along(
        g,
        e[g],
        lambda found, j: e[j] - degree(j) + Max(between_groups(g, j), lambda h: found[h]),
    )


def operator_norm(g: Term) -> Term:
    """By group the exponent of E |B|^2 from above."""
    return _along(
        g,
        0,
        lambda found, j: (
            Max(between_groups(g, j), lambda h: larger(found[h] + e[j], frobenius_norm(g)[h]))
            - degree(j)
        ),
    )


def jacobian_norm(g: Term, k: Term) -> Term:
    """The exponent of the squared norm of the derivative of the incoming neurons of a group by the
    neurons of g."""
    return Max(between_groups(g, k), lambda h: operator_norm(g)[h])


def least_degree_above(g: Term) -> Term:
    """The exponent of the least in-degree of the layers after that of a group."""
    return width(Filter(GROUPS, lambda k: P[k] > P[g]))


# blocks of the Hessian ----------------------------------------------------------------------------
def readers(g: Term, last: Term) -> Term:
    """The groups up to some number that read what depends on g."""
    return Filter(between(g + 1, last), lambda k: card(between_groups(g, k)) > 0)


def block_norm(g: Term, k: Term) -> Term:
    """The exponent of the squared norm of the block between the weights into g and those into a
    group k that reads what depends on it."""
    return VISITS[k] - degree(k) + jacobian_norm(g, k)


def largest_block(g: Term, last: Term) -> Term:
    """That of the largest such block, of groups up to some number."""
    return Max(readers(g, last), lambda k: block_norm(g, k))


NORM_FROM_ABOVE = Max(HIDDEN, lambda g: largest_block(g, OUTPUT))
"""The exponent of a bound from above on |H_f|^2."""

# the matrix variance ------------------------------------------------------------------------------
DEEP = Filter(HIDDEN, lambda g: P[g] >= 2)
"""The hidden groups whose neurons are not linear in the weights."""
VARIANCE = Max(DEEP, lambda g: VISITS[g] - degree(g))
"""The exponent of a bound from below on the matrix variance of f, of the mean over incoming neurons
of f of their squared Hessians: a walk that comes by a neuron in its second step or later counts
there."""
VARIANCE_FROM_ABOVE = Max(
    Filter(HIDDEN, lambda g: card(readers(g, OUTPUT - 1)) > 0),
    lambda g: largest_block(g, OUTPUT - 1),
)
"""From above: the blocks but those of the weights into the output."""
