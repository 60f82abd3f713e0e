"""Networks as files: strict JSON, and GraphML of other graph programs.

The JSON of a network, format `lemmata-network`, version 1 (schema: docs/network.schema.json):

    {"format": "lemmata-network", "version": 1, "title": "a small one",
     "vertices": [{"name": "x", "activation": "linear"},
                  {"name": "h", "activation": "leaky_relu", "slope": "1/10"},
                  {"name": "o", "activation": "linear", "scale_square": "1/2"}],
     "inputs": ["x"], "outputs": ["o"], "constants": {},
     "edges": [{"tail": "x", "head": "h", "parameter": "w[x->h]"},
               {"tail": "x", "head": "o", "fixed": "1"},
               {"tail": "h", "head": "o", "parameter": "w[h->o]"}],
     "weights": {"w[x->h]": "-2/3", "w[h->o]": "0x1.8p+1"}}

title, constants and weights may be missing. What is read is exactly what was written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphs.activations import Activation
from graphs.errors import ActivationError, NetworkError, ParameterError, WeightError
from graphs.network import FIXED, Edge, Network, network
from graphs.numerals import parse_number

FORMAT = "lemmata-network"
VERSION = 1
Weights = tuple[Fraction, ...]


def load(path: str | Path) -> tuple[Network, Weights | None]:
    """A network, and its weights if it has some, from a `.json` or `.graphml` file.

    Raises OSError when the file cannot be read; NetworkError and its subclasses, naming the file,
    when it is no network.
    """
    suffix = _suffix(path)
    content = Path(path).read_bytes()
    try:
        if suffix == ".json":
            return from_json(parse_json(content))
        from graphs.graphml import parse_graphml

        return from_json(parse_graphml(content))
    except NetworkError as error:
        raise type(error)(f"{path}: {error}") from error


def to_json(net: Network, weights: Sequence[Fraction] | None = None) -> dict[str, Any]:
    """The network, with weights if given, as a JSON object; vertices in topological order.

    Raises ParameterError when the weights are not one for each parameter, WeightError when one is
    not a finite number.
    """
    constants = zip(net.inputs, net.constants, strict=True)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "title": net.title,
        "vertices": [_vertex_record(net, v) for v in range(net.vertex_count)],
        "inputs": [net.names[v] for v in net.inputs],
        "outputs": [net.names[v] for v in net.outputs],
        "constants": {net.names[v]: str(c) for v, c in constants if c is not None},
        "edges": [_edge_record(net, e) for e in range(net.edge_count)],
    }
    if weights is not None:
        net.check_weight_count(weights)
        pairs = zip(net.parameter_names, weights, strict=True)
        document["weights"] = {
            name: str(parse_number(weight, f"weight of {name!r}", WeightError))
            for name, weight in pairs
        }
    return document


def from_json(document: object) -> tuple[Network, Weights | None]:
    """A network, and its weights if the JSON object has some.

    Raises CycleError, ActivationError, ParameterError, WeightError or NetworkError, naming what is
    wrong and what to do.
    """
    top = _fields(
        document,
        "the network",
        required=("format", "version", "vertices", "inputs", "outputs", "edges"),
        optional=("title", "constants", "weights"),
    )
    if top["format"] != FORMAT or top["version"] != VERSION or isinstance(top["version"], bool):
        raise NetworkError(
            f"format {top['format']!r}, version {top['version']!r}: this reads "
            f"{FORMAT!r}, version {VERSION}"
        )
    vertices = _vertices(top["vertices"])
    inputs = _names(top["inputs"], "inputs", vertices)
    outputs = _names(top["outputs"], "outputs", vertices)
    edges = _edges(top["edges"], vertices)
    constants = _mapping(top.get("constants", {}), "constants")
    for name in constants:
        _known(name, "constants", vertices)
    touched = {*inputs, *(end for edge in edges for end in edge)}
    for name in vertices:
        if name not in touched:
            raise NetworkError(f"vertex {name!r} has no in-edge: list it in inputs or delete it")
    net = network(
        edges,
        inputs=inputs,
        outputs=outputs,
        activations=_activations(vertices, set(inputs)),
        parameters={edge: value for edge, value in edges.items() if isinstance(value, str)},
        fixed={edge: value for edge, value in edges.items() if isinstance(value, Fraction)},
        constants={n: parse_number(value, f"constant {n!r}") for n, value in constants.items()},
        scale_squares={
            name: parse_number(record["scale_square"], f"scale_square of {name!r}")
            for name, record in vertices.items()
            if "scale_square" in record
        },
        title=_text(top.get("title", ""), "title", empty=True),
    )
    return net, None if "weights" not in top else _weights(top["weights"], net)


def parse_json(content: str | bytes) -> Any:
    """JSON, in which no object may name a key twice.

    Raises NetworkError when it is malformed.
    """
    try:
        return json.loads(content, object_pairs_hook=_without_duplicates)
    except json.JSONDecodeError as error:
        raise NetworkError(
            f"malformed JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from error
    except UnicodeDecodeError as error:
        raise NetworkError(f"not a JSON text: {error}: save it as UTF-8") from error
    except RecursionError as error:
        raise NetworkError("malformed JSON: nested too deeply") from error
    except ValueError as error:
        if isinstance(error, NetworkError):
            raise
        raise NetworkError(f"malformed JSON: {error}: write large numbers as text") from error


def _suffix(path: str | Path) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in (".json", ".graphml"):
        raise NetworkError(f"{path}: unknown kind of file: use a name in .json or .graphml")
    return suffix


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NetworkError(f"key {key!r} twice in one JSON object: delete one")
            seen.add(key)
    return result


def _vertex_record(net: Network, v: int) -> dict[str, str]:
    activation, scale_square = net.activations[v], net.scale_squares[v]
    record = {"name": net.names[v], "activation": activation.kind}
    if activation.slope is not None:
        record["slope"] = str(activation.slope)
    if scale_square != 1:
        record["scale_square"] = str(scale_square)
    return record


def _edge_record(net: Network, e: int) -> dict[str, str]:
    record = {"tail": net.names[net.tails[e]], "head": net.names[net.heads[e]]}
    if net.parameter_of[e] == FIXED:
        return {**record, "fixed": str(net.fixed[e])}
    return {**record, "parameter": net.parameter_names[net.parameter_of[e]]}


def _vertices(records: object) -> dict[str, Mapping[str, Any]]:
    vertices: dict[str, Mapping[str, Any]] = {}
    for place, record in enumerate(_list(records, "vertices")):
        fields = _fields(
            record, f"vertex {place}", ("name",), ("activation", "slope", "scale_square")
        )
        name = _text(fields["name"], f"name of vertex {place}")
        if name in vertices:
            raise NetworkError(f"two vertices {name!r}: rename one")
        vertices[name] = fields
    return vertices


def _activations(
    vertices: Mapping[str, Mapping[str, Any]], inputs: set[str]
) -> dict[str, Activation]:
    """The activations of the vertices that are not inputs."""
    result = {}
    for name, fields in vertices.items():
        slope = fields.get("slope")
        try:
            if "activation" not in fields and name not in inputs:
                raise ActivationError("no activation: give one, such as 'relu' or 'linear'")
            kind = _text(fields.get("activation", "linear"), "activation")
            value = None if slope is None else parse_number(slope, "slope", ActivationError)
            activation = Activation(kind, value)
        except NetworkError as error:
            raise ActivationError(f"vertex {name!r}: {error}") from error
        if name not in inputs:
            result[name] = activation
        elif activation.kind != "linear":
            raise ActivationError(f"input {name!r} has the activation {activation}: use 'linear'")
    return result


def _edges(records: object, vertices: Mapping[str, object]) -> dict[Edge, str | Fraction]:
    """The edges, by the order of the vertices, each with its parameter's name or fixed weight."""
    edges: dict[Edge, str | Fraction] = {}
    for place, record in enumerate(_list(records, "edges")):
        fields = _fields(record, f"edge {place}", ("tail", "head"), ("parameter", "fixed"))
        tail = _known(fields["tail"], f"edge {place}", vertices)
        head = _known(fields["head"], f"edge {place}", vertices)
        if (tail, head) in edges:
            raise NetworkError(f"two edges {tail}->{head}: merge parallel edges into one")
        if ("parameter" in fields) == ("fixed" in fields):
            raise ParameterError(f"edge {tail}->{head}: give either a parameter or a fixed weight")
        if "parameter" in fields:
            edges[tail, head] = _text(fields["parameter"], f"parameter of edge {tail}->{head}")
        else:
            what = f"fixed weight of edge {tail}->{head}"
            edges[tail, head] = parse_number(fields["fixed"], what, WeightError)
    # in this order a file that lists its vertices in topological order keeps their numbers
    position = {name: place for place, name in enumerate(vertices)}
    order = sorted(edges, key=lambda edge: (position[edge[1]], position[edge[0]]))
    return {edge: edges[edge] for edge in order}


def _weights(record: object, net: Network) -> Weights:
    given = _mapping(record, "weights")
    known = set(net.parameter_names)
    for name in given:
        if name not in known:
            raise WeightError(
                f"weight for {name!r}, a parameter that belongs to no edge: delete the weight, or "
                "name the parameter at its edge"
            )
    for name in net.parameter_names:
        if name not in given:
            raise WeightError(f"no weight for the parameter {name!r}: give one, or no weights")
    return tuple(
        parse_number(given[name], f"weight of {name!r}", WeightError)
        for name in net.parameter_names
    )


# the JSON types, each named where it is wrong ----------------------------------------------------
def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise NetworkError(f"{what} is {type(value).__name__}: give an object with named values")
    return value


def _fields(
    value: object, what: str, required: tuple[str, ...], optional: tuple[str, ...]
) -> Mapping[str, Any]:
    fields = _mapping(value, what)
    for key in required:
        if key not in fields:
            raise NetworkError(f"{what} has no {key!r}: add it")
    for key in fields:
        if key not in required and key not in optional:
            known = ", ".join((*required, *optional))
            raise NetworkError(f"{what} has an unknown key {key!r}: use {known}")
    return fields


def _list(value: object, what: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise NetworkError(f"{what} is {type(value).__name__}: give a list")
    return value


def _text(value: object, what: str, empty: bool = False) -> str:
    if not isinstance(value, str) or not (value or empty):
        raise NetworkError(f"{what} is {value!r}: give a text{'' if empty else ', not empty'}")
    return value


def _known(value: object, what: str, vertices: Mapping[str, object]) -> str:
    if not isinstance(value, str) or value not in vertices:
        raise NetworkError(f"{what} names {value!r}, which is not among the vertices: add it there")
    return value


def _names(value: object, what: str, vertices: Mapping[str, object]) -> list[str]:
    names = [_known(name, what, vertices) for name in _list(value, what)]
    if len(set(names)) < len(names):
        raise NetworkError(f"{what} names a vertex twice: {names}")
    return names
