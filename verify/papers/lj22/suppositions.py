"""What Theorem 1 supposes: the architecture of an item, active neurons, linear convolutions.

The lists of a case are those of verify.cases.lists_of_pieces; what they have to be is asked of the
graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from graphs.activations import LINEAR, RELU
from graphs.network import Network
from verify.cases.breaks import with_edge
from verify.cases.case import Case
from verify.cases.hypotheses import unchanged
from verify.cases.lists_of_pieces import MEANINGS
from verify.cases.transformations import (
    freeze_one_of,
    post_activations,
    random_rational,
    tie_edges,
)
from verify.language.building import (
    Chosen,
    Each,
    When,
    card,
    concat,
    edges,
    element,
    examples,
    head,
    implies,
    into,
    learnable,
    list_,
    out_of,
    outputs,
    slope_left,
    slope_right,
    users,
    z,
)
from verify.language.terms import Term
from verify.papers.lj22.graph_terms import is_linear
from verify.papers.lj22.layers import block, convolution, diagonal_block, full, leads, neurons
from verify.statements.stated import Given

TRIES = 6
Row = Sequence[Fraction]
A, B, C, G, H, ACTIVE = (Chosen(name, "seq[vertex]", MEANINGS[name]) for name in "ABCGHI")
X, V, N, K = (Chosen(name, "seq[seq[vertex]]", MEANINGS[name]) for name in "XVNK")
S, T = (Chosen(name, "seq[seq[int]]", MEANINGS[name]) for name in "ST")
FIRST, SECOND = convolution(X, V, S), convolution(V, N, T)
BETWEEN = Each(neurons(V), lambda v: ~element(v, concat(neurons(N), outputs())))
"""The neurons between two convolutions are no heads of the second, and no output."""
ARCHITECTURES = {
    "1": full(A, B) & full(B, C) & leads(B, C),
    "2": FIRST & SECOND & leads(neurons(V), neurons(N)) & BETWEEN,
    "3": block(A, B, C) | diagonal_block(A, B, C),
    "4": block(A, G, B) & block(B, H, C) & leads(B, concat(H, C)),
    "5": FIRST & full(neurons(V), C) & leads(neurons(V), C),
    "6": FIRST & block(neurons(V), H, C) & leads(neurons(V), concat(H, C)),
    "7a": block(A, G, B) & full(B, C) & leads(B, C),
    "7b": full(A, B) & block(B, H, C) & leads(B, concat(H, C)),
}
CONVOLVED = ("2", "5", "6")
"""The items with a convolution."""


def any_of(terms: Sequence[Term]) -> Term:
    """Whether one of them is true."""
    found = terms[0]
    for term in terms[1:]:
        found = found | term
    return found


class Supposed:
    """What is supposed of some items: their hypotheses. shared: the neurons that the two matrices
    share."""

    def __init__(self, items: Sequence[str]) -> None:
        plain = [ARCHITECTURES[item] for item in items if item not in CONVOLVED]
        convolved = [ARCHITECTURES[item] for item in items if item in CONVOLVED]
        if plain and convolved:
            self.holds = When(card(V) == 0, any_of(plain), any_of(convolved))
            self.shared = neurons(concat(V, list_(B)))
        else:
            self.holds = any_of(plain or convolved)
            self.shared = B if plain else neurons(V)
        arrays = [V, N] if "2" in items else [V]
        self.arrays = arrays if convolved else []
        self.rows = [*(["I"] if plain else []), *(["K"] if convolved else [])]

    def architecture(self, words: str) -> Given:
        """The matrices are those of one of the items, the shared neurons have no other edges."""
        return Given("architecture", self.holds, words, unchanged, skip_at_shared)

    @property
    def learnable(self) -> Given:
        """All edges at shared neurons are."""
        holds = Each(
            self.shared,
            lambda v: (
                Each(into(v), lambda e: learnable(e)) & Each(out_of(v), lambda e: learnable(e))
            ),
        )
        words = "all weights of $W_1$ and $W_2$ are learnable"
        return Given("matrices learnable", holds, words, unchanged, _freeze)

    @property
    def own(self) -> Given:
        """Only edges of one convolution have one parameter."""

        def alone(e: Term) -> Term:
            return any_of(
                [card(users(e)) == 1, *(within(neurons(array), e) for array in self.arrays)]
            )

        def within(heads: Term, e: Term) -> Term:
            return Each(users(e), lambda f: element(head(f), heads))

        return Given(
            "own parameters outside of convolutions",
            Each(edges(), lambda e: implies(learnable(e), alone(e))),
            "each learnable edge has a parameter of its own, but for those of a convolution",
            unchanged,
            tie_edges,
        )

    @property
    def linear(self) -> Given:
        """The shared neurons are."""
        return Given(
            "linear between the two",
            Each(self.shared, is_linear),
            "the neurons that $W_1$ and $W_2$ share are linear",
            with_shared(LINEAR),
            with_shared(RELU),
        )

    def active(self, name: str = "active", more: str = "") -> Given:
        """The chosen neurons and channels are shared ones in I_act of Definition 6."""
        holds = {
            "I": Each(ACTIVE, lambda v: element(v, B) & is_active(v)),
            "K": Each(K, lambda one: element(one, V) & Each(one, is_active)),
        }
        found = holds[self.rows[0]]
        for rows in self.rows[1:]:
            found = found & holds[rows]
        return Given(
            name,
            found,
            "rows and columns of neurons that are active on every example: linear, or ReLU with "
            f"nonnegative preactivation{more}",
            _activate,
            _deactivate,
        )


def is_active(v: Term) -> Term:
    """Whether a neuron is active on every example: linear, or ReLU with nonnegative
    pre-activation."""
    gated = (slope_left(v) == 0) & Each(examples(), lambda j: z(v, j) >= 0)
    return (slope_right(v) == 1) & ((slope_left(v) == 1) | gated)


# cases that meet them, and that do not -----------------------------------------------------------
def shared_neurons(case: Case) -> list[int]:
    """The numbers of the neurons that the two matrices share."""
    names = [*(case.list_of("B") or ()), *(v for row in case.list_of("V") or () for v in row)]
    return [case.network.index[name] for name in names]


def skip_at_shared(case: Case, random: Random) -> Case:
    """An edge from a shared neuron to the output, where the output is no part of the pieces."""
    net = case.network
    last = net.outputs[0]
    linked = {last, *(net.tails[e] for e in net.in_edges[last])}
    free = [tail for tail in shared_neurons(case) if tail not in linked]
    return with_edge(case, random.choice(free), last, random) if free else case


def _freeze(case: Case, random: Random) -> Case:
    net = case.network
    near = [(net.in_edges[v], net.out_edges[v]) for v in shared_neurons(case)]
    return freeze_one_of(case, [e for into, out in near for e in (*into, *out)], random)


def with_shared(activation: Any) -> Callable[[Case, Random], Case]:
    """A change: this activation at the neurons that the two matrices share."""
    return lambda case, random: case.with_activations(
        dict.fromkeys(shared_neurons(case), activation)
    )


def _activate(case: Case, random: Random) -> Case:
    """Often give shared neurons in-weights with which they are active on every example."""
    if random.random() < 1 / 4:
        return case
    net = case.network
    rows = post_activations(case)
    asleep = {net.index[name] for name in case.choice.get("dormant", ())}
    weights = list(case.weights)
    for v in shared_neurons(case):
        edges = net.in_edges[v]
        if v in asleep or net.activations[v] == LINEAR or not rows:
            continue
        if not all(net.own_parameter(e) for e in edges):
            continue
        for attempt in range(TRIES):
            drawn = [random_rational(random) for _ in edges]
            if attempt == TRIES - 1:  # images have no negative pixels
                drawn = [abs(w) for w in drawn]
            sums = [
                sum((w * row[net.tails[e]] for e, w in zip(edges, drawn, strict=True)), Fraction(0))
                for row in rows
            ]
            if all(z > 0 for z in sums) or all(z < 0 for z in sums):
                sign = 1 if sums[0] > 0 else -1
                for e, w in zip(edges, drawn, strict=True):
                    weights[net.parameter_of[e]] = sign * w
                break
    return case.with_weights(weights)


def _deactivate(case: Case, random: Random) -> Case:
    """Make a shared neuron ReLU and inactive on an example, where something enters one; and look at
    all shared neurons."""
    shared, net = shared_neurons(case), case.network
    rows = post_activations(case)
    reached = [(v, row) for v in shared for row in rows if any(_entering(net, v, row).values())]
    if not reached:
        return case
    v, row = random.choice(reached)
    gated = net.with_activations({net.names[v]: RELU})
    every = {"I": case.list_of("B") or [], "K": case.list_of("V") or []}
    return replace(case, network=gated, weights=_switched_off(case, v, row)).choosing(**every)


def _entering(net: Network, v: int, row: Row) -> dict[int, Fraction]:
    """The derivative of a pre-activation in each of the parameters of the in-edges."""
    found: dict[int, Fraction] = {}
    for e in net.in_edges[v]:
        if net.learnable(e):
            p = net.parameter_of[e]
            found[p] = found.get(p, Fraction(0)) + row[net.tails[e]]
    return found


def _switched_off(case: Case, v: int, row: Row) -> tuple[Fraction, ...]:
    """The weights, those into a vertex moved so far that its pre-activation is at most -1."""
    net, weights = case.network, list(case.weights)
    values, steps = net.edge_weights(weights), _entering(net, v, row)
    z = sum((values[e] * row[net.tails[e]] for e in net.in_edges[v]), Fraction(0))
    length = max(z + 1, Fraction(0)) / sum(step * step for step in steps.values())
    for p, step in steps.items():
        weights[p] -= length * step
    return tuple(weights)
