"""First and second derivatives of the neurons of a network on a DAG by its weights.

A case is a network at one point: of each vertex its value `f`, and of a neuron the slope `s` and
the second derivative `b` of its activation at its pre-activation. Whatever these are, there is an
activation that has them, and derivatives up to the second order depend on no more of it.

Derivatives are by the normalised weights, which changes both sides of an identity between entries
of Hessians by the same factor.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random

from verify.cases.tensors import Tensors
from verify.kinds.dags.changes import outputs_of
from verify.kinds.dags.pool import dag_pool
from verify.language.building import Each, Let, Sum, Vector, When, vector
from verify.language.terms import Term
from verify.papers.zlb22.dag_notation import (
    COUNT,
    DEPTH,
    NEURONS,
    NOTHING,
    OUTPUTS,
    P,
    W,
    forward,
    layer,
    layers,
    parents,
)
from verify.statements.quantities import listed, with_entries
from verify.statements.stated import Given

VALUE = Vector("f", "n", meaning="the value of each vertex")
SLOPE = Vector("s", "n", meaning="sigma' at the pre-activation of a neuron")
BEND = Vector("b", "n", meaning="sigma'' at the pre-activation of a neuron")

Edge = tuple[Term, Term]  # the vertex that it enters, and the one that it leaves
Jet = Callable[[Term], Term]  # a number of each vertex


# by one weight ------------------------------------------------------------------------------------
def arriving(v: Term, moved: Term) -> Term:
    """What parents pass on to a pre-activation."""
    return Sum(parents(v), lambda u: W[v, u] * moved[u])


def pre_moved(moved: Term, a: Edge, v: Term) -> Term:
    """The derivative of the pre-activation of v by the weight of a, with those of its parents."""
    return arriving(v, moved) + When(v == a[0], VALUE[a[1]], 0)


def moved_by(a: Edge) -> Term:
    """The derivative of the value of each vertex by the weight of an edge."""
    return forward(NOTHING, lambda moved, v: SLOPE[v] * pre_moved(moved, a, v))


# by two weights -----------------------------------------------------------------------------------
class Pair:
    """Second derivatives by the weights of two edges, with the first ones."""

    def __init__(self, a: Edge, b: Edge, by_a: Term, by_b: Term) -> None:
        self.a, self.b, self.by_a, self.by_b = a, b, by_a, by_b

    def of_pre(self, v: Term) -> Term:
        """What arises at v itself of the second derivative of its pre-activation."""
        through_a = When(v == self.a[0], self.by_b[self.a[1]], 0)
        return through_a + When(v == self.b[0], self.by_a[self.b[1]], 0)

    def bent(self, v: Term) -> Term:
        """sigma'' times both derivatives of the pre-activation of v."""
        slopes = pre_moved(self.by_a, self.a, v) * pre_moved(self.by_b, self.b, v)
        return BEND[v] * slopes

    def of_post(self, v: Term) -> Term:
        """What arises at v itself of the second derivative of its value."""
        return SLOPE[v] * self.of_pre(v) + self.bent(v)

    def whole_pre(self, v: Term, moved: Term) -> Term:
        """The second derivative of the pre-activation of v, with those of its parents."""
        return arriving(v, moved) + self.of_pre(v)

    @property
    def hessian(self) -> Term:
        """The second derivative of the value of each vertex."""
        return forward(NOTHING, lambda moved, v: SLOPE[v] * self.whole_pre(v, moved) + self.bent(v))

    # the terms of (14), of a neuron k and a layer -------------------------------------------------
    def term(self, k: Term, number: Term) -> Term:
        """G_k^{L,l'}: the inner sum of (13)."""
        return Sum(layer(number), lambda i: self.of_post(i) * influence(i)[k])

    def term_of_pre(self, s: Term, number: Term) -> Term:
        """G_s^{r,l'} of the network that ends at s, with the identity there."""

        def share(i: Term) -> Term:
            return When(i == s, self.of_pre(i), self.of_post(i) * arriving(s, influence(i)))

        return Sum(layer(number), share)

    def bends_at_parents(self, k: Term, number: Term) -> Term:
        """The sum over the incoming neurons of k in layer l'."""
        return Sum(parents(k), lambda i: When(P[i] == number, W[k, i] * self.bent(i), 0))

    def bends(self, k: Term, number: Term) -> Term:
        """The same over all neurons of the layer, with the total derivatives."""
        return Sum(layer(number), lambda i: influence(i)[k] * self.bent(i))

    def by_pre_activations(self, k: Term, number: Term) -> Term:
        """The first sum in the middle of (14)."""
        return Sum(layer(number), lambda i: self.of_pre(i) * SLOPE[i] * influence(i)[k])

    def by_recursion(self, k: Term, number: Term) -> Term:
        """The first sum in the last line of (14)."""

        def of_neuron(r: Term, s: Term) -> Term:
            return When(P[s] == r, W[k, s] * SLOPE[s] * self.term_of_pre(s, number), 0)

        return Sum(layers(number, DEPTH - 1), lambda r: Sum(parents(k), lambda s: of_neuron(r, s)))


def with_pair(a: Edge, b: Edge, said: Callable[[Pair], Term]) -> Term:
    """What is said of two edges."""
    return Let(
        moved_by(a), lambda by_a: Let(moved_by(b), lambda by_b: said(Pair(a, b, by_a, by_b)))
    )


def influence(i: Term) -> Term:
    """The total derivative of the value of each vertex by that of i."""
    own = vector(COUNT, lambda u: When(u == i, 1, 0))
    return forward(own, lambda moved, v: When(v == i, 1, SLOPE[v] * arriving(v, moved)))


# entries of blocks --------------------------------------------------------------------------------
def each_edge(said: Callable[[Edge], Term]) -> Term:
    """For each weight."""
    return Each(NEURONS, lambda v: Each(parents(v), lambda u: said((v, u))))


def each_edge_into(number: Term | int, said: Callable[[Edge], Term]) -> Term:
    """For each weight of a layer."""
    return Each(layer(number), lambda v: Each(parents(v), lambda u: said((v, u))))


def each_entry(
    first: Term | int, second: Term | int, said: Callable[[Term, Edge, Edge], Term]
) -> Term:
    """For each neuron of the last layer and each entry of the block of two layers."""
    return Each(
        layer(DEPTH),
        lambda k: each_edge_into(first, lambda a: each_edge_into(second, lambda b: said(k, a, b))),
    )


# cases --------------------------------------------------------------------------------------------
ARRAYS = (("E", ("n", "n")), ("W", ("n", "n")), ("f", ("n",)), ("s", ("n",)), ("b", ("n",)))
NETWORKS = partial(dag_pool, arrays=ARRAYS, most=5)


def _to_identity(case: Tensors, random: Random) -> Tensors:
    ends = outputs_of(case)
    for name, value in (("s", 1), ("b", 0)):
        entries = [value if v in ends else x for v, x in enumerate(listed(case, name))]
        case = with_entries(case, name, [Fraction(x) for x in entries])
    return case


def _to_other_outputs(case: Tensors, random: Random) -> Tensors:
    change = random.choice((Fraction(1), Fraction(-1, 2)))
    name = random.choice("sb")
    ends = outputs_of(case)
    entries = [x + change if v in ends else x for v, x in enumerate(listed(case, name))]
    return with_entries(case, name, entries)


IDENTITY_OUTPUTS = Given(
    "identity on outputs",
    Each(OUTPUTS, lambda v: (SLOPE[v] == 1) & (BEND[v] == 0)),
    "output vertices have the identity as activation",
    _to_identity,
    _to_other_outputs,
    thin=True,
)
