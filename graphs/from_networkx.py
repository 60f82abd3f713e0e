"""A NetworkX graph as a network."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from graphs.activations import LINEAR, RELU, Activation
from graphs.errors import ActivationError, NetworkError, WeightError
from graphs.network import Network, network
from graphs.numerals import parse_number

if TYPE_CHECKING:
    import networkx


def from_networkx(graph: networkx.DiGraph) -> tuple[Network, tuple[Fraction, ...] | None]:
    """A directed acyclic graph as a network, and its weights where every learnable edge has one.

    Vertices are named by the text of the nodes. Inputs are the nodes without in-edges, outputs
    those without out-edges, in the order of the graph. Node attributes, all optional: `activation`
    (its kind; ReLU inside, linear at outputs), `slope` (of leaky_relu), `constant` (of an input
    that is held). Edge attributes, all optional: `weight`, `parameter` (its name, where edges share
    one), `fixed` (a weight that is not learnable).

    Raises NetworkError and its subclasses, naming the node or the edge.

    >>> import networkx
    >>> graph = networkx.DiGraph([("x", "h"), ("h", "o"), ("x", "o")])
    >>> str(from_networkx(graph)[0])
    'network (3 vertices, 3 edges, 3 parameters)'
    """
    if not hasattr(graph, "is_directed") or not graph.is_directed() or graph.is_multigraph():
        raise NetworkError(f"{type(graph).__name__}: give a networkx.DiGraph")
    nodes = {node: str(node) for node in graph.nodes}
    if len(set(nodes.values())) < len(nodes):
        raise NetworkError("two nodes have the same text: relabel one")
    inputs = [name for node, name in nodes.items() if not graph.in_degree(node)]
    outputs = [
        name for node, name in nodes.items() if graph.in_degree(node) and not graph.out_degree(node)
    ]
    parameters: dict[tuple[str, str], str] = {}
    fixed: dict[tuple[str, str], Fraction] = {}
    weights: dict[str, Fraction] = {}
    for tail, head, data in graph.edges(data=True):
        edge = nodes[tail], nodes[head]
        where = f"edge {edge[0]}->{edge[1]}"
        if "fixed" in data:
            fixed[edge] = parse_number(data["fixed"], f"fixed weight of {where}", WeightError)
            continue
        name = parameters[edge] = str(data.get("parameter", f"w[{edge[0]}->{edge[1]}]"))
        if "weight" in data:
            weight = parse_number(data["weight"], f"weight of {where}", WeightError)
            if weights.setdefault(name, weight) != weight:
                raise WeightError(
                    f"{where} has the weight {weight}, another edge with the parameter {name!r} "
                    f"{weights[name]}: edges that share a parameter share its weight"
                )
    net = network(
        [(nodes[tail], nodes[head]) for tail, head in graph.edges],
        inputs=inputs,
        outputs=outputs,
        activations={
            name: _activation(name, graph.nodes[node], RELU if graph.out_degree(node) else LINEAR)
            for node, name in nodes.items()
            if graph.in_degree(node)
        },
        parameters=parameters,
        fixed=fixed,
        constants={
            name: parse_number(graph.nodes[node]["constant"], f"constant {name!r}")
            for node, name in nodes.items()
            if "constant" in graph.nodes[node]
        },
        title=str(graph.graph.get("name") or graph.graph.get("title") or ""),
    )
    lacking = [name for name in net.parameter_names if name not in weights]
    if weights and lacking:
        raise WeightError(f"no weight for the parameter {lacking[0]!r}: give one, or no weights")
    return net, tuple(weights[name] for name in net.parameter_names) if weights else None


def _activation(name: str, data: dict[str, Any], usual: Activation) -> Activation:
    if "activation" not in data:
        return usual
    slope = data.get("slope")
    try:
        value = None if slope is None else parse_number(slope, "slope", ActivationError)
        return Activation(str(data["activation"]), value)
    except NetworkError as error:
        raise ActivationError(f"node {name!r}: {error}") from error
