"""Hypotheses about the numbers of a case, as Boolean facts that Rocq computes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from verify.rocq.evaluated import Point, rational
from verify.rocq.names import at_example, identifier
from verify.rocq.source import Source, product_sum

Entry = dict[str, Any]


class Fact(NamedTuple):
    """A Boolean expression, whether it is true, and what it says."""

    expression: str
    holds: bool
    meaning: str


def unit_data(point: Point, _entry: Entry) -> list[Fact]:
    """Inputs of norm at most 1, labels 1 or -1."""
    found = []
    for j in range(point.count):
        names = [at_example(identifier("x", v), j) for v in point.graph.free_inputs]
        square = product_sum((name, name) for name in names)
        found.append(Fact(f"Qle_bool ({square}) 1", True, f"example {j}: norm at most 1"))
        label = at_example("y", j)
        found.append(Fact(f"Qeq_bool ({label} * {label}) 1", True, f"example {j}: label 1 or -1"))
    return found


def loss(point: Point, _entry: Entry) -> list[Fact]:
    """Equal margins have equal slopes of the loss."""
    output = identifier("post", point.graph.output)
    found = []
    for pair in combinations(range(point.count), 2):
        margins = " ".join(f"({at_example('y', j)} * {at_example(output, j)})" for j in pair)
        slopes = " ".join(at_example("loss_slope", j) for j in pair)
        found.append(
            Fact(
                f"implb (Qeq_bool {margins}) (Qeq_bool {slopes})",
                True,
                f"examples {pair[0]} and {pair[1]}: at equal margins equal slopes of the loss",
            )
        )
    return found


def no_kink(point: Point, _entry: Entry) -> list[Fact]:
    """No pre-activation of a vertex with two slopes is 0."""
    return _off_kinks(point, ())


def _off_kinks(point: Point, dormant: Sequence[str]) -> list[Fact]:
    return [
        Fact(
            f"Qeq_bool {at_example(identifier('pre', v), j)} 0",
            False,
            f"{v} is not at its kink on example {j}",
        )
        for j in range(point.count)
        for v in point.graph.computed
        if point.graph.bends(v) and v not in dormant
    ]


def flow_point(point: Point, _entry: Entry) -> list[Fact]:
    """No kink but at dormant vertices, which a direction switches off; no other weight is 0."""
    graph = point.graph
    asleep = {e for v in point.dormant for e in graph.into[v]}
    found = _off_kinks(point, point.dormant)
    for name, e in graph.weights().items():
        if e in asleep:
            found.append(Fact(f"Qeq_bool {name} 0", True, f"{name} enters a dormant vertex: 0"))
        elif graph.edges[e].parameter is not None:
            found.append(Fact(f"Qeq_bool {name} 0", False, f"{name} is not 0"))
    for v in point.dormant:
        for j in range(point.count):
            pairs = [
                (
                    rational(point.direction.get(str(graph.edges[e].parameter), Fraction(0))),
                    at_example(graph.post(graph.edges[e].tail), j),
                )
                for e in graph.into[v]
            ]
            meaning = f"the direction switches {v} off on example {j}"
            found.append(Fact(f"Qle_bool 0 ({product_sum(pairs)})", False, meaning))
    return found


def patterns(point: Point, entry: Entry) -> list[Fact]:
    """The two vertices have equal patterns: 0 for ReLU below 0, else 1."""
    found = []
    for j in range(point.count):
        signs = []
        for v in entry["pair"]:
            pre = at_example(identifier("pre", v), j)
            has = point.graph.kinds[v] == "relu"
            signs.append(f"(Qle_bool 0 {pre})" if has else "true")
        meaning = f"equal patterns on example {j}"
        found.append(Fact(f"same {signs[0]} {signs[1]}", True, meaning))
    return found


def opposite(point: Point, entry: Entry) -> list[Fact]:
    """One of the two vertices is active and the other inactive on every example."""
    u, v = entry["pair"]
    orders = []
    for above, below in ((u, v), (v, u)):
        whole = "true"
        for j in range(point.count):
            high, low = (at_example(identifier("pre", w), j) for w in (above, below))
            both = f"(andb (negb (Qle_bool {high} 0)) (negb (Qle_bool 0 {low})))"
            whole = f"(andb {both} {whole})"
        orders.append(whole)
    meaning = f"one of {u} and {v} is active and the other inactive throughout"
    return [Fact(f"orb {orders[0]} {orders[1]}", True, meaning)]


def write(source: Source, found: Sequence[Fact]) -> None:
    """A lemma for each fact, and all of them together as the theorem `hypotheses`."""
    if not found:
        return
    together = []
    for number, fact in enumerate(found):
        source.remark(fact.meaning)
        statement = f"{fact.expression} = {'true' if fact.holds else 'false'}"
        source.prove(f"fact_{number}", statement, ["vm_compute", "reflexivity"])
        together.append(statement)
    proof = f"fact_{len(found) - 1}"
    for number in reversed(range(len(found) - 1)):
        proof = f"(conj fact_{number} {proof})"
    source.remark("all hypotheses about the numbers")
    source.prove("hypotheses", " /\\ ".join(together), [f"exact {proof}"], word="Theorem")
