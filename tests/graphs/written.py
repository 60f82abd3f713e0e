"""Networks written to files, as other programs might: JSON, or GraphML by networkx."""

import json
from io import BytesIO
from pathlib import Path

import networkx

from graphs.files import to_json


def dump(net, weights, path):
    """Write a network, with weights or None, to a `.json` or `.graphml` file."""
    document = to_json(net, weights)
    if Path(path).suffix.lower() == ".json":
        content = json.dumps(document, indent=1, allow_nan=False).encode()
    else:
        content = format_graphml(document)
    Path(path).write_bytes(content)


def format_graphml(document):
    """GraphML from the JSON object of a network."""
    weights = document.get("weights")
    graph = networkx.DiGraph(
        format=document["format"], version=document["version"], weighted=weights is not None
    )
    if document["title"]:
        graph.graph["title"] = document["title"]
    for record in document["vertices"]:
        attributes = dict(record)
        graph.add_node(attributes.pop("name"), **attributes)
    for role in ("input", "output"):
        for place, name in enumerate(document[f"{role}s"]):
            graph.nodes[name][role] = place
    for name, value in document["constants"].items():
        graph.nodes[name]["constant"] = value
    for record in document["edges"]:
        attributes = dict(record)
        tail, head = attributes.pop("tail"), attributes.pop("head")
        if "parameter" in attributes and weights is not None:
            attributes["weight"] = weights[attributes["parameter"]]
        graph.add_edge(tail, head, **attributes)
    content = BytesIO()
    networkx.write_graphml_xml(graph, content)
    return content.getvalue()
