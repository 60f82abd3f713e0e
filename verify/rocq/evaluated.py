"""A case as definitions of rationals: weights, data, and the network evaluated on each example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.rocq.graph import Graph, NotExported, read_graph
from verify.rocq.names import at_example, identifier
from verify.rocq.source import Source, product_sum


def rational(value: Fraction) -> str:
    """A rational as a Rocq literal.

    >>> rational(Fraction(-1, 2)), rational(Fraction(3))
    ('((-1) # 2)', '(3 # 1)')
    """
    top = f"({value.numerator})" if value < 0 else str(value.numerator)
    return f"({top} # {value.denominator})"


@dataclass(frozen=True)
class Point:
    """A network with weights, on examples.

    xs: for each example the value of every input. labels, slopes: y and the derivative of the loss.
    dormant: vertices with slope 0 at their kinks. direction: by parameter; see facts.flow_point.
    """

    graph: Graph
    weights: Mapping[str, Fraction]
    xs: tuple[dict[str, Fraction], ...]
    labels: tuple[Fraction, ...]
    slopes: tuple[Fraction, ...]
    dormant: tuple[str, ...]
    direction: dict[str, Fraction]

    @property
    def count(self) -> int:
        """The number of examples."""
        return len(self.xs)

    def weight(self, e: int) -> Fraction:
        """The weight of an edge."""
        edge = self.graph.edges[e]
        return self.weights[edge.parameter] if edge.parameter else Fraction(edge.fixed or 0)

    def write(self, source: Source) -> None:
        """Define the data, the passes on each example, and the velocities."""
        source.remark("weights")
        for name, e in self.graph.weights().items():
            source.define(name, "", "Q", rational(self.weight(e)))
        for j, x in enumerate(self.xs):
            source.remark(f"example {j}: data, forward, backward, derivatives in the weights")
            for v, value in x.items():
                source.define(at_example(identifier("x", v), j), "", "Q", rational(value))
            source.define(at_example("y", j), "", "Q", rational(self.labels[j]))
            source.define(at_example("loss_slope", j), "", "Q", rational(self.slopes[j]))
            parts = f"{at_example('loss_slope', j)} * {at_example('y', j)} * (1 # {self.count})"
            source.define(at_example("kappa", j), "", "Q", f"Qred ({parts})")
            self._write_forward(source, j, "")
            self._write_backward(source, j)
        source.remark("velocities: minus the gradient of the risk")
        for e in range(len(self.graph.edges)):
            self._write_velocity(source, e)

    def write_mirrored(self, source: Source, j: int) -> None:
        """Forward once more on an example, its input times -1."""
        source.remark(f"example {j}, its input times minus one")
        for v in self.graph.inputs:
            old = at_example(identifier("x", v), j)
            new = at_example(identifier("mirrored_x", v), j)
            source.define(new, "", "Q", f"Qred ((- (1)) * {old})")
        self._write_forward(source, j, "mirrored_")

    def _write_forward(self, source: Source, j: int, prefix: str) -> None:
        graph = self.graph

        def post(v: str) -> str:
            return at_example(f"{prefix}{graph.post(v)}", j)

        for v in graph.computed:
            pre, s = (at_example(identifier(f"{prefix}{kind}", v), j) for kind in ("pre", "s"))
            total = product_sum((graph.weight(e), post(graph.edges[e].tail)) for e in graph.into[v])
            source.define(pre, "", "Q", f"Qred ({total})")
            left, right = (rational(side) for side in graph.slopes[v])
            chosen = "(0 # 1)" if v in self.dormant else f"slope {left} {right} {pre}"
            source.define(s, "", "Q", chosen)
            source.define(post(v), "", "Q", f"Qred ({s} * {pre})")

    def _write_backward(self, source: Source, j: int) -> None:
        graph = self.graph
        for v in reversed(graph.computed):
            grad, back, s = (at_example(identifier(kind, v), j) for kind in ("grad", "back", "s"))
            pairs = [
                (graph.weight(e), at_example(identifier("back", graph.edges[e].head), j))
                for e in graph.out_of[v]
            ]
            total = "1" if v == graph.output else product_sum(pairs)
            source.define(grad, "", "Q", f"Qred ({total})")
            source.define(back, "", "Q", f"Qred ({s} * {grad})")
        for e, edge in enumerate(graph.edges):
            tail = at_example(graph.post(edge.tail), j)
            back = at_example(identifier("back", edge.head), j)
            source.define(at_example(graph.derivative(e), j), "", "Q", f"Qred ({tail} * {back})")

    def _write_velocity(self, source: Source, e: int) -> None:
        edge = self.graph.edges[e]
        users = [
            f
            for f, other in enumerate(self.graph.edges)
            if edge.parameter is not None and other.parameter == edge.parameter
        ]
        terms = product_sum(
            (at_example("kappa", j), at_example(self.graph.derivative(f), j))
            for j in range(self.count)
            for f in users
        )
        name = identifier("v", edge.tail, edge.head)
        source.define(name, "", "Q", f"Qred (- ({terms}))")


def read_point(case: dict[str, Any]) -> Point:
    """The case of an accepted certificate. Raises NotExported for one at which the flow slides."""
    graph = read_graph(case["network"])
    choice = case.get("choice", {})
    if choice.get("selection") == "sliding":
        raise NotExported("the flow slides along a kink")
    examples = case["examples"]
    return Point(
        graph,
        {name: Fraction(w) for name, w in case["network"]["weights"].items()},
        tuple(
            {v: Fraction(value) for v, value in zip(graph.free_inputs, item["x"], strict=True)}
            | graph.constants
            for item in examples
        ),
        tuple(Fraction(item["y"]) for item in examples),
        tuple(Fraction(item["slope"]) for item in examples),
        tuple(choice.get("dormant", ())),
        {name: Fraction(d) for name, d in choice.get("direction", {}).items()},
    )
