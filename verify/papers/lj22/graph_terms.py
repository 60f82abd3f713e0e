"""Layers of a network, pairs of vertices with the same neighbours, and biases, as terms."""

from __future__ import annotations

from verify.cases.breaks import random_edge_sets
from verify.cases.transformations import random_layers
from verify.language.building import (
    Chosen,
    Each,
    Rate,
    Some,
    Sum,
    When,
    card,
    edge,
    edges,
    examples,
    head,
    hidden,
    implies,
    into,
    minus,
    out_of,
    paths,
    slope_left,
    slope_right,
    tail,
    vertices,
    w,
    z,
)
from verify.language.proof_facts import crossed
from verify.language.terms import Term
from verify.papers.lj22.tree_terms import OfTwo, components
from verify.statements.network_hypotheses import incident_learnable, own, same_neighbours
from verify.statements.stated import Given

LAYERS = Chosen("layers", "seq[seq[edge]]", "the layers $F$, $F'$, as sets of edges")
F, G = LAYERS[1], LAYERS[2]  # F and F'


# layers ------------------------------------------------------------------------------------------
def crossings(layer: Term, p: Term) -> Term:
    """How many edges of a layer a path contains."""
    return Sum(layer, lambda e: crossed(e, p))


def incomparable(layer: Term) -> Term:
    """Definition 7, 1): no path contains two of the edges."""
    return Each(paths(), lambda p: crossings(layer, p) <= 1)


def apart(layer: Term, reading: str) -> Term:
    """Definition 7, 2): without the edges the graph has several components (A), or no directed path
    from I to o remains (B)."""
    if reading == "B":
        return Each(paths(), lambda p: crossings(layer, p) >= 1)
    rest = minus(edges(), layer)
    return card(components(vertices(), rest, lambda e: tail(e), lambda e: head(e))) > 1


def is_layer(layer: Term, reading: str) -> Term:
    """Definition 7 of a set of learnable weights."""
    learnable = (card(layer) >= 1) & Each(layer, lambda e: own(e))
    return learnable & incomparable(layer) & apart(layer, reading)


DISCONNECTED = {
    "A": r"the underlying undirected graph of $(V,E\setminus F)$ has more than one component",
    "B": r"no directed path from $I$ to $o$ remains in $(V,E\setminus F)$",
}
DEFINED = {
    reading: f"Definition 7: no path contains two of the edges, and {words}"
    for reading, words in DISCONNECTED.items()
}


def two_layers(reading: str) -> Given:
    """F and F' are layers of learnable weights."""
    words = f"$F$ and $F'$ are layers ({DEFINED[reading]}), all their weights learnable"
    return _layers(reading, "two layers", is_layer(F, reading) & is_layer(G, reading), words)


def one_layer(reading: str) -> Given:
    """F is a layer of learnable weights."""
    words = f"$F$ is a layer ({DEFINED[reading]}), all its weights learnable"
    return _layers(reading, "a layer", is_layer(F, reading), words)


def _layers(reading: str, name: str, holds: Term, words: str) -> Given:
    """The cases that meet it choose two layers by a reading of Definition 7."""
    return Given(
        name,
        holds,
        words,
        lambda case, random: random_layers(case, reading, random),
        random_edge_sets,
    )


def squares(some: Term) -> Term:
    """The sum of the squares of the weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


LAYERS_BALANCE = Rate(squares(F)) == Rate(squares(G))


# pairs -------------------------------------------------------------------------------------------
def inactive(v: Term, j: Term) -> Term:
    """Whether the activation of a neuron is 0: ReLU with a negative pre-activation."""
    return (slope_left(v) == 0) & (z(v, j) < 0)


def active(v: Term, j: Term) -> Term:
    """The activation of a ReLU or linear neuron: 0 if ReLU with a negative pre-activation, else
    1."""
    return When(inactive(v, j), 0, 1)


def is_linear(v: Term) -> Term:
    """Whether an activation is linear."""
    return (slope_left(v) == 1) & (slope_right(v) == 1)


def is_relu_or_linear(v: Term) -> Term:
    """Whether an activation is one of these two."""
    return ((slope_left(v) == 0) | (slope_left(v) == 1)) & (slope_right(v) == 1)


def equal_patterns(u: Term, v: Term) -> Term:
    """Two ReLU or linear vertices are active on the same examples."""
    same = Each(
        examples(),
        lambda j: implies(inactive(u, j), inactive(v, j)) & implies(inactive(v, j), inactive(u, j)),
    )
    return is_relu_or_linear(u) & is_relu_or_linear(v) & same


def relu(v: Term) -> Term:
    """Whether an activation is ReLU."""
    return (slope_left(v) == 0) & (slope_right(v) == 1)


def active_and_inactive(u: Term, v: Term) -> Term:
    """Two ReLU vertices, the first active and the second inactive on every example."""
    apart = Each(examples(), lambda j: (z(u, j) > 0) & (z(v, j) < 0))
    return relu(u) & relu(v) & apart


def over_in(u: Term, v: Term, summand: OfTwo) -> Term:
    """The sum over a in IN of something of the edges au and av."""
    return Sum(into(u), lambda e: summand(e, edge(tail(e), v)))


def over_out(u: Term, v: Term, summand: OfTwo) -> Term:
    """The sum over b in OUT of something of the edges ub and vb."""
    return Sum(out_of(u), lambda e: summand(e, edge(v, head(e))))


def in_products(u: Term, v: Term) -> Term:
    """The sum over a in IN of w_au w_av."""
    return over_in(u, v, lambda e, f: w(e) * w(f))


def out_products(u: Term, v: Term) -> Term:
    """The sum over b in OUT of w_ub w_vb."""
    return over_out(u, v, lambda e, f: w(e) * w(f))


def pair(u: Term, v: Term) -> Term:
    """Two vertices with the same neighbours, whose edges are learnable."""
    return (u != v) & same_neighbours(u, v) & (incident_learnable(u) & incident_learnable(v))


def at_each_pair(says: OfTwo, given: OfTwo | None = None) -> Term:
    """What is said of every pair, of which more is given."""

    def of_pair(u: Term, v: Term) -> Term:
        more = says(u, v) if given is None else implies(given(u, v), says(u, v))
        return implies(pair(u, v), more)

    return Each(hidden(), lambda u: Each(hidden(), lambda v: of_pair(u, v)))


def at_some_pair(says: OfTwo) -> Term:
    """What is said of some pair."""
    return Some(hidden(), lambda u: Some(hidden(), lambda v: pair(u, v) & says(u, v)))


def of_pairs(given: OfTwo | None = None) -> Term:
    """The balance of every pair, of which more is given."""
    return at_each_pair(lambda u, v: Rate(in_products(u, v)) == Rate(out_products(u, v)), given)
