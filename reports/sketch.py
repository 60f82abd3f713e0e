"""A network as plain text for a terminal: a line for each vertex, by depth, with what enters it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from reports.layout import depths
from reports.names import number_text
from reports.verdicts import Record

WRITTEN = 40  # vertices of one depth that are written out, and edges into one of them


def sketch(network: Record) -> str:
    """The vertices by depth, each with its activation and the weighted edges into it.

    Raises DrawingError for a graph that has a cycle or lacks a vertex.
    """
    names = [vertex["name"] for vertex in network["vertices"]]
    of = depths(names, [(edge["tail"], edge["head"]) for edge in network["edges"]])
    into: defaultdict[str, list[Record]] = defaultdict(list)
    for edge in network["edges"]:
        into[edge["head"]].append(edge)
    layers: defaultdict[int, list[Record]] = defaultdict(list)
    for vertex in network["vertices"]:
        layers[of[vertex["name"]]].append(vertex)
    size = f"{len(names):,} vertices, {len(network['edges']):,} edges"
    lines = [f"{network.get('title') or 'network'} ({size})"]
    for depth, layer in sorted(layers.items()):
        lines += ["", f"depth {depth}"]
        shown = layer[:WRITTEN]
        lines += [f"  {row}" for row in _rows(network, shown, into)]
        if len(layer) > len(shown):
            lines.append(f"  and {len(layer) - len(shown):,} more vertices")
    return "\n".join(lines) + "\n"


def _rows(
    network: Record, layer: Sequence[Record], into: defaultdict[str, list[Record]]
) -> list[str]:
    whats = [_what(network, vertex) for vertex in layer]
    wide = [max(len(v["name"]) for v in layer), max(map(len, whats))]
    rows = []
    for vertex, what in zip(layer, whats, strict=True):
        edges = into[vertex["name"]]
        entering = [_edge(network, edge) for edge in edges[:WRITTEN]]
        if len(edges) > WRITTEN:
            entering.append(f"and {len(edges) - WRITTEN:,} more")
        arrow = f"  ← {', '.join(entering)}" if entering else ""
        rows.append(f"{vertex['name']:{wide[0]}}  {what:{wide[1]}}{arrow}".rstrip())
    return rows


def _what(network: Record, vertex: Record) -> str:
    name = vertex["name"]
    parts = []
    if name in network["inputs"]:
        held = (network.get("constants") or {}).get(name)
        parts.append("input" if held is None else f"held at {number_text(held)}")
    else:
        slope = f"({number_text(vertex['slope'])})" if "slope" in vertex else ""
        parts.append(f"{vertex['activation']}{slope}")
    if "scale_square" in vertex:
        parts.append(f"scaled by the root of {vertex['scale_square']}")
    if name in network["outputs"]:
        parts.append("output")
    return ", ".join(parts)


def _edge(network: Record, edge: Record) -> str:
    """The tail, then the weight: its number, or its parameter where that is not the edge's own."""
    if "fixed" in edge:
        return f"{edge['tail']} · {number_text(edge['fixed'])} (fixed)"
    parameter = edge["parameter"]
    weight = (network.get("weights") or {}).get(parameter)
    own = parameter == f"w[{edge['tail']}->{edge['head']}]"
    told = [*([] if own else [parameter]), *([] if weight is None else [number_text(weight)])]
    return " · ".join([edge["tail"], " = ".join(told)] if told else [edge["tail"]])
