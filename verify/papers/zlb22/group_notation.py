"""Families of linear networks on groups of neurons, indexed by M, and the order of their Hessians.

A case is a graph of groups: an edge from group h to group g where each neuron of g has all neurons
of h as incoming neurons. Group 1 is the input (one number, 1), the last group the output; group g
has M^e neurons, e = e_g a whole number. All activations are the identity, weights are independent
and standard normal, factors are 1/sqrt(in-degree), so that f is a polynomial of degree 1 in each
weight and everything below is counted, not drawn.

Let `b_v` be the derivative of f in the neuron v. For a hidden neuron v the block of the Hessian
between the weights into v and those above v is of rank one: the vector of incoming neurons over
sqrt(in(v)), times the gradient of b_v. Its squared norm is a polynomial X in the weights with

    E X >= E b_v^2,    E b_v^2 = sum_j E b_j^2 / in(j)    (over the neurons j that v enters),

which is the probability that a walk from the output, each step to an incoming neuron chosen at
random, comes by v. Entries have degree at most L, so that E X^2 <= 9^L (E X)^2 (Bonami's lemma) and
P(X >= E X / 2) >= 9^-L / 4 (Paley and Zygmund). So |H_f| is of the order of the square root of the
largest E b_v^2 at least, with a probability that does not fall with M, and with E b_v^2 of order
M^x no bound M^y, y < x/2, holds with a probability that tends to 1, whatever the logarithms.

Skips (Zhu, Liu and Belkin 2022, Appendix D) add a neuron to a pre-activation with no weight: the
array S says from which group; the neurons of a group take those of the other in turn. A neuron
takes at most one, so that different paths still have different weights on them, and E b_v^2 gains
sum_j E b_j^2 over those j that take v. Where skips alone lead from v to the output, which then has
a skip term itself, b_v has a constant term; that adds nothing to its gradient, and is left out:
E X >= E b_v^2 - (E b_v)^2.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Filter,
    Fold,
    Map,
    Matrix,
    Max,
    Min,
    Vector,
    When,
    between,
    concat,
    larger,
    upto,
    vector,
)
from verify.language.terms import Term, written
from verify.papers.zlb22.dag_notation import COUNT, DEPTH, NOTHING, VERTICES, E, P, parents

e = Vector("e", "n", meaning="a group has $M^e$ neurons")
S = Matrix("S", "n", "n", meaning="1 at [g, h] where the skips into group g come from group h")

GROUPS, OUTPUT = VERTICES, COUNT
HIDDEN = between(2, COUNT - 1)
LATER = Filter(GROUPS, lambda g: P[g] >= 2)
"""The groups outside of the input layer and the first layer."""
INNER = Filter(LATER, lambda g: P[g] < DEPTH)
"""Those in the layers 2 to L - 1."""


@written(r"\deg({0})")
def degree(g: Term) -> Term:
    """The exponent of the in-degree of a group: of the size of its largest parent."""
    return Max(parents(g), lambda h: e[h])


def width(groups: Term) -> Term:
    """The exponent of the least in-degree of some groups."""
    return Min(groups, degree)


# walks from the output ----------------------------------------------------------------------------
def backward(at_group: Callable[[Term, Term], Term]) -> Term:
    """A number for each group: 0 of the output, of another one what is made of those behind it."""
    return Fold(
        Map(upto(COUNT - 1), lambda k: COUNT - k),
        NOTHING,
        lambda found, g: vector(COUNT, lambda h: When(h == g, at_group(found, g), found[h])),
    )


@written(r"\mathrm{out}({0})")
def children(g: Term) -> Term:
    """The groups that have it as a parent."""
    return Filter(GROUPS, lambda j: E[j, g] == 1)


def takers(g: Term) -> Term:
    """The groups whose skips come from it."""
    return Filter(GROUPS, lambda j: S[j, g] == 1)


VISITS = backward(
    lambda found, g: e[g] + Max(children(g), lambda j: found[j] - degree(j)),
)
"""Without skips, of each group the exponent of the sum of E b_v^2 over its neurons."""
NORM = Max(HIDDEN, lambda g: VISITS[g] - e[g])
"""Without skips, the exponent of the largest E b_v^2 of a hidden neuron, which |H_f|^2 has at
least."""


def _of_all_ways(
    read: Callable[[Term], Term], taken: Callable[[Term], Term], g: Term, skips: Term
) -> Term:
    """The largest over the groups that read a group, and over those that take from it."""
    return Max(concat(Map(children(g), read), Map(skips, taken)), lambda one: one)


VISITS_WITH_SKIPS = backward(
    lambda found, g: _of_all_ways(
        lambda j: found[j] - degree(j) + e[g], lambda j: found[j], g, takers(g)
    )
)
"""The same with skips."""


def _hidden_takers(g: Term) -> Term:
    """Those of them that are not the output: a skip into that bends nothing."""
    return Filter(takers(g), lambda j: j < OUTPUT)


_MOVING_VISITS = backward(
    lambda found, g: _of_all_ways(
        lambda j: VISITS_WITH_SKIPS[j] - degree(j) + e[g], lambda j: found[j], g, _hidden_takers(g)
    )
)
LARGEST_WITH_SKIPS = backward(
    lambda found, g: _of_all_ways(
        lambda j: VISITS_WITH_SKIPS[j] - degree(j),
        lambda j: larger(found[j], _MOVING_VISITS[j] - e[g]),
        g,
        _hidden_takers(g),
    )
)
"""The exponent of E b_v^2 - (E b_v)^2 of the likeliest neuron of each group. Where fewer neurons
take than are taken from, some are not taken: it may be larger than the mean."""
NORM_WITH_SKIPS = Max(HIDDEN, lambda g: LARGEST_WITH_SKIPS[g])
"""The exponent that |H_f|^2 has at least."""
