"""Section 2 for a network that is told by arrays: a case has `E` (n, n), 1 at [v, u] for an edge
from u to v, else 0, and `W` (n, n), the weights over the square root of the in-degree of the vertex
that they enter, so that everything is rational. Edges run from smaller to larger numbers."""

from __future__ import annotations

from collections.abc import Callable

from verify.kinds.dags.changes import (
    to_dag,
    to_linear_outputs,
    to_one_output,
    to_other_outputs,
    to_two_outputs,
)
from verify.language.building import (
    Each,
    Filter,
    Fold,
    Let,
    Matrix,
    Max,
    Some,
    Sum,
    When,
    between,
    card,
    cols,
    dim,
    row,
    rows,
    upto,
    vector,
)
from verify.language.terms import Term, called, written
from verify.statements.stated import Given

# definitions --------------------------------------------------------------------------------------
E = Matrix("E", "n", "n", meaning="the edges: 1 at [v, u] for one from u to v, else 0")
W = Matrix("W", "n", "n", meaning="weights over the square root of the in-degree")
COUNT = rows(E)
VERTICES = upto(COUNT)


@written(r"\mathrm{in}({0})")
def parents(v: Term) -> Term:
    """S_in(v)."""
    return Filter(VERTICES, lambda u: E[v, u] == 1)


NEURONS = called(r"\mathcal N", Filter(VERTICES, lambda v: card(parents(v)) > 0))
OUTPUTS = called(r"\mathcal O", Filter(NEURONS, lambda v: Each(VERTICES, lambda w: E[w, v] == 0)))


def forward(start: Term, at_neuron: Callable[[Term, Term], Term], neurons: Term = NEURONS) -> Term:
    """A number for each vertex: that of `start`, at a neuron what is made of those before it."""
    return Fold(
        neurons,
        start,
        lambda found, v: vector(COUNT, lambda u: When(u == v, at_neuron(found, v), found[u])),
    )


NOTHING = vector(COUNT, lambda v: v - v)
P = called("p", forward(NOTHING, lambda p, v: 1 + Max(parents(v), lambda u: p[u])))
"""p(v), the maximum length of paths that start at an input and end at v, of each vertex."""
DEPTH = called("L", Max(VERTICES, lambda v: P[v]))


@written(r"\mathcal V_{{0}}")
def layer(number: Term | int) -> Term:
    """(4): the vertices at this distance."""
    return Filter(VERTICES, lambda v: P[v] == number)


def layers(first: Term | int, last: Term) -> Term:
    """Numbers of layers, from one to another."""
    return Filter(between(first, COUNT), lambda number: number <= last)


# values at the points -----------------------------------------------------------------------------
A = Matrix("A", "n", "k", meaning="coefficients of the activations, the constant one first")
X = Matrix("X", "N", "n", meaning="inputs")
POINTS = upto(rows(X))


def polynomial(coefficients: Term, z: Term) -> Term:
    """With these coefficients, the constant one first."""
    return Sum(upto(dim(coefficients)), lambda j: coefficients[j] * z ** (j - 1))


@written(r"\sigma_{{0}}({1})")
def sigma(v: Term, z: Term) -> Term:
    """The activation of a vertex."""
    return Let(z, lambda at: polynomial(row(A, v), at))


# hypotheses ---------------------------------------------------------------------------------------
_UPWARDS = Each(
    VERTICES,
    lambda v: Each(VERTICES, lambda u: (E[v, u] == 0) | ((E[v, u] == 1) & (u < v))),
)
DAG = Given(
    "DAG",
    _UPWARDS & Some(VERTICES, lambda v: card(parents(v)) > 0),
    r"the graph has no directed cycle: edges run from smaller to larger numbers ($E_{vu}=1$ for "
    r"an edge from $u$ to $v$), and there is one",
    to_dag,
    thin=True,
    built_in=True,
)
OUTPUTS_LAST = Given(
    "outputs in the last layer",
    Each(OUTPUTS, lambda v: P[v] == DEPTH),
    "all outputs lie in layer $L$",
    to_one_output,
    to_two_outputs,
)
ONE_OUTPUT = Given(
    "one output",
    card(OUTPUTS) == 1,
    "the network has one output",
    to_one_output,
    to_two_outputs,
)
IDENTITY_OUTPUTS = Given(
    "identity on outputs",
    Each(
        OUTPUTS,
        lambda v: (A[v, 2] == 1) & Each(upto(cols(A)), lambda j: (j == 2) | (A[v, j] == 0)),
    ),
    "output vertices have the identity as activation",
    to_linear_outputs,
    to_other_outputs,
    thin=True,
)
