"""The GraphML form of a network: the JSON object of `graphs.files` as a graph with attributes.

Graph attributes: format, version, title, weighted. Node attributes: activation, slope,
scale_square; `input` and `output` (the place among the inputs or outputs, from 0); `constant` (the
value at which an input is held). Edge attributes: parameter or fixed, and weight. Numbers are
written as in the JSON form. Attributes of other programs (colours, positions) are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import ParseError

from graphs.errors import NetworkError, WeightError
from graphs.numerals import parse_number


def parse_graphml(content: bytes) -> dict[str, Any]:
    """The JSON object of a network from GraphML; whether it is a network is not checked here.

    Raises NetworkError when the GraphML is malformed or not directed, WeightError when edges that
    share a parameter have different weights.
    """
    import networkx

    try:
        graph = networkx.read_graphml(BytesIO(content))
    except (ParseError, networkx.NetworkXError, LookupError, ValueError) as error:
        raise NetworkError(f"malformed GraphML: {error!r}") from error
    if not graph.is_directed():
        raise NetworkError('the graph is not directed: set edgedefault="directed"')
    nodes = dict(graph.nodes(data=True))
    document = {key: graph.graph[key] for key in ("format", "version") if key in graph.graph}
    document["title"] = str(graph.graph.get("title") or "")
    document["vertices"] = [
        {"name": name, **_chosen(data, "activation", "slope", "scale_square")}
        for name, data in nodes.items()
    ]
    document["inputs"] = _in_order(nodes, "input")
    document["outputs"] = _in_order(nodes, "output")
    document["constants"] = {
        name: data["constant"] for name, data in nodes.items() if "constant" in data
    }
    edges = list(graph.edges(data=True))
    document["edges"] = [
        {"tail": tail, "head": head, **_chosen(data, "parameter", "fixed")}
        for tail, head, data in edges
    ]
    weights = _weights([data for _, _, data in edges])
    if weights or graph.graph.get("weighted") is True:
        document["weights"] = weights
    return document


def _chosen(data: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: data[key] for key in keys if key in data}


def _in_order(nodes: Mapping[str, Mapping[str, Any]], role: str) -> list[str]:
    """The nodes with this role, by their place in it."""
    places: dict[int, str] = {}
    for name, data in nodes.items():
        if role in data:
            place = data[role]
            if not isinstance(place, int) or place in places:
                raise NetworkError(
                    f"{role} {place!r} at {name!r}: number the {role}s 0, 1, ..., each once"
                )
            places[place] = name
    return [places[place] for place in sorted(places)]


def _weights(edges: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The weight of each parameter, from the edges that carry it."""
    weights: dict[str, Any] = {}
    for data in edges:
        if "weight" in data and "parameter" in data:
            name, weight = data["parameter"], data["weight"]
            number = parse_number(weight, f"weight of {name!r}", WeightError)
            if weights.setdefault(name, number) != number:
                raise WeightError(
                    f"parameter {name!r} has the weights {weights[name]} and {number}: edges that "
                    "share a parameter share its weight"
                )
    return weights
