"""Graphs with attributes, as other programs write them, in the form of `graphs.documents`.

Node-link data, of networkx or of hand: `{"nodes": [{"id": "x"}, ...], "links": [{"source": "x",
"target": "h"}, ...]}`, with `edges` for `links`. Attributes, each under one of several names:

- of nodes: activation, slope, bias (a number, or true for a learnable one without a weight),
  constant (the value at which an input is held), scale_square; `input` and `output` (true, or the
  place among the inputs or outputs, from 0), or `role`: "input" or "output"
- of edges: weight; parameter (edges that name the same one share it); fixed (a fixed weight, or
  true where `weight` is fixed)
- of the graph: title, inputs and outputs (lists of ids), activation (of the vertices inside)

Others (colours, positions) are left aside. What is not said is guessed where there is one good
guess, and the guess is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

from graphs.documents import FORMAT, VERSION
from graphs.errors import NetworkError, WeightError
from graphs.numerals import parse_number, shown
from graphs.problems import Problems

SYNONYMS = {
    "name": ("id", "name"),
    "tail": ("source", "tail", "from"),
    "head": ("target", "head", "to"),
    "vertices": ("nodes", "vertices"),
    "edges": ("links", "edges"),
    "activation": ("activation", "act", "activation_function", "nonlinearity"),
    "slope": ("slope", "negative_slope"),
    "weight": ("weight", "w"),
    "parameter": ("parameter", "param"),
    "bias": ("bias", "b"),
    "role": ("role", "type", "kind"),
    "title": ("title", "name"),
}
WORDS = {"name": "id", "tail": "source", "head": "target", "vertices": "nodes"}
"""How node-link data calls the keys of a network."""
NAMES_TOLD = 8


def is_node_link(data: object) -> bool:
    """Whether this is a graph that does not say that it is in a format of its own."""
    return isinstance(data, Mapping) and "format" not in data and _among(data, "vertices") != []


def as_document(data: Mapping[str, Any], problems: Problems, guesses: list[str]) -> dict[str, Any]:
    """The JSON object of a network: what is wrong goes to `problems`, what is guessed to
    `guesses`. Whether it is a network is seen in `graphs.documents`."""
    return _Graph(data, problems, guesses).document()


class _Graph:
    def __init__(self, data: Mapping[str, Any], problems: Problems, guesses: list[str]) -> None:
        self.problems, self.guesses = problems, guesses
        inside = data.get("graph")
        self.settings = {**(inside if isinstance(inside, Mapping) else {}), **data}
        if data.get("directed", True) is not True:
            problems.add(
                NetworkError(
                    'the graph is not directed: save a directed one ("directed": true in JSON, '
                    'edgedefault="directed" in GraphML)'
                )
            )
        nodes, edges = (self._records(key) for key in ("vertices", "edges"))
        if nodes is None or edges is None:
            problems.settle()  # without them all else seems to be wrong, too
        self.nodes = [self._with_defaults(record, "node_default") for record in nodes or []]
        self.edges = [self._with_defaults(_edge(record), "edge_default") for record in edges or []]
        self.names = [self._name(node, "name", f"node {k}") for k, node in enumerate(self.nodes)]
        self.ends = [
            (self._name(edge, "tail", f"edge {k}"), self._name(edge, "head", f"edge {k}"))
            for k, edge in enumerate(self.edges)
        ]

    def document(self) -> dict[str, Any]:
        """The JSON object."""
        heads = {head for _, head in self.ends}
        tails = {tail for tail, _ in self.ends}
        inputs = self._role("input", (n for n in self.names if n not in heads and n in tails))
        outputs = self._role("output", (n for n in self.names if n in heads and n not in tails))
        vertices = self._vertices(
            *(set(e) if isinstance(e, list) else set() for e in (inputs, outputs))
        )
        weights: dict[str, Any] = {}
        edges = self._edges(weights)
        constants = {
            name: node["constant"]
            for name, node in zip(self.names, self.nodes, strict=True)
            if name is not None and node.get("constant") is not None
        }
        self._biases(vertices, inputs, edges, weights, constants)
        said = self.settings.get("constants", {})
        given = self.settings.get("weights")
        document = {
            **self._version(),
            "title": self._of(self.settings, "title") or "",
            "vertices": vertices,
            "inputs": inputs,
            "outputs": outputs,
            "constants": {**constants, **said} if isinstance(said, Mapping) else said,
            "edges": edges,
        }
        if weights or given is not None or self.settings.get("weighted") is True:
            document["weights"] = {**weights, **given} if isinstance(given, Mapping) else weights
        return document

    def _version(self) -> dict[str, Any]:
        """Of a graph that says in which format it is, as GraphML may, and of others."""
        if "format" not in self.settings:
            return {"format": FORMAT, "version": VERSION}
        version = self.settings.get("version")
        number = _place(version)
        return {"format": self.settings["format"], "version": version if number is None else number}

    # records ---------------------------------------------------------------------------------
    def _records(self, key: str) -> list[Any] | None:
        """What the graph lists, or None where it lists nothing, which is told."""
        records = self._of(self.settings, key)
        if isinstance(records, list):
            return records
        word = {"vertices": "nodes", "edges": "links"}[key]
        if records is not None:
            told = f"{word} is {shown(records)}: give a list"
        elif "adjacency" in self.settings:
            told = "this is adjacency data: write the graph with networkx.node_link_data"
        else:
            told = f"the graph has no {word!r}: give a list of them"
        self.problems.add(NetworkError(told))
        return None

    def _with_defaults(self, record: Any, kind: str) -> dict[str, Any]:
        defaults = self.settings.get(kind)
        if not isinstance(record, Mapping):
            return {"id" if kind == "node_default" else "edge": record}
        lower = {str(key).lower(): value for key, value in record.items()}
        return {**(defaults if isinstance(defaults, Mapping) else {}), **lower}

    def _name(self, record: Mapping[str, Any], key: str, what: str) -> str | None:
        """A text; numbers, and tuples of them, are names as they are written."""
        value = self._of(record, key)
        if value is None or isinstance(value, str):
            return value
        parts = value if isinstance(value, list | tuple) and value else [value]
        if not all(isinstance(p, str | Integral) and not isinstance(p, bool) for p in parts):
            self.problems.add(
                NetworkError(f"{WORDS[key]} of {what} is {shown(value)}: give a text or an integer")
            )
            return shown(value)
        return ",".join(map(str, parts))

    def _of(self, record: Mapping[str, Any], key: str) -> Any:
        """What the record says of it, under whichever name; None where it says nothing."""
        names = _among(record, key)
        if len(names) > 1 and key not in ("name", "title", "role") and "edges" not in names:
            self.problems.add(
                NetworkError(f"both {names[0]!r} and {names[1]!r} in {shown(record)}: keep one")
            )
        return record[names[0]] if names else None

    # parts -----------------------------------------------------------------------------------
    def _role(self, role: str, guess: Iterable[Any]) -> Any:
        """The inputs or outputs: as listed, as marked at the nodes, or as the graph suggests."""
        if (listed := self.settings.get(f"{role}s")) is not None:
            if not isinstance(listed, list):
                return listed
            return [
                self._name({"id": name}, "name", f"{role} {k}") for k, name in enumerate(listed)
            ]
        places: dict[int, Any] = {}
        for name, node in zip(self.names, self.nodes, strict=True):
            place = node.get(role)
            if place is None or str(place).lower() == "false":
                if shown(self._of(node, "role")).lower().strip("'") != role:
                    continue
                place = True
            marked = str(place).lower() == "true"
            number = len(self.nodes) + len(places) if marked else _place(place)
            if number is None or number in places:
                self.problems.add(
                    NetworkError(
                        f"{role} {shown(place)} at {shown(name)}: number the {role}s 0, 1, ..., "
                        "each once"
                    )
                )
                continue
            places[number] = name
        if places:
            return [places[number] for number in sorted(places)]
        found = [name for name in guess if name is not None]
        self.guesses.append(
            f"{role}s {_listed(found)} (no {'in' if role == 'input' else 'out'}-edge)"
        )
        return found

    def _vertices(self, inputs: set[str], outputs: set[str]) -> list[dict[str, Any]]:
        default = self._of(self.settings, "activation")
        vertices, silent = [], []
        said = False
        for name, node in zip(self.names, self.nodes, strict=True):
            vertex = {"name": name} if name is not None else {}
            for key in ("activation", "slope", "scale_square"):
                if (value := self._of(node, key)) is not None:
                    vertex[key] = value
            if "activation" not in vertex and name not in inputs:
                silent.append(vertex)
            elif name not in inputs | outputs:
                said = True
            vertices.append(vertex)
        kinds = set()
        for vertex in silent:
            if vertex.get("name") in outputs:
                vertex["activation"] = "linear"
                kinds.add("linear outputs")
            elif default is not None:
                vertex["activation"] = default
            elif not said:
                vertex["activation"] = "relu"
                kinds.add("relu at the vertices inside")
        self.guesses += sorted(kinds)
        return vertices

    def _edges(self, weights: dict[str, Any]) -> list[Any]:
        edges: list[Any] = []
        for (tail, head), edge in zip(self.ends, self.edges, strict=True):
            if "edge" in edge and len(edge) == 1:
                edges.append(edge["edge"])
                continue
            ends = {"tail": tail, "head": head}
            record = {key: value for key, value in ends.items() if value is not None}
            fixed, weight = edge.get("fixed"), self._of(edge, "weight")
            parameter = self._of(edge, "parameter")
            if fixed is True:
                fixed = weight
                if weight is None:
                    self.problems.add(
                        WeightError(f"edge {tail}->{head} is fixed, but has no weight: give one")
                    )
            if fixed is not None and fixed is not False:
                record["fixed"] = fixed
            if parameter is not None or "fixed" not in record:
                record["parameter"] = f"w[{tail}->{head}]" if parameter is None else parameter
            if weight is not None and isinstance(record.get("parameter"), str):
                with self.problems.gathering():
                    self._weigh(weights, record["parameter"], weight)
            edges.append(record)
        return edges

    def _weigh(self, weights: dict[str, Any], parameter: str, weight: Any) -> None:
        if parameter not in weights:
            weights[parameter] = weight
            return
        what = f"weight of {shown(parameter)}"
        first, second = (parse_number(w, what, WeightError) for w in (weights[parameter], weight))
        if first != second:
            raise WeightError(
                f"parameter {shown(parameter)} has the weights {first} and {second}: edges that "
                "share a parameter share its weight"
            )

    def _biases(
        self,
        vertices: list[dict[str, Any]],
        inputs: Any,
        edges: list[Any],
        weights: dict[str, Any],
        constants: dict[str, Any],
    ) -> None:
        """Biases at nodes: edges from one more input, held at 1."""
        source, taken = "bias", set(self.names)
        while source in taken:
            source += "_"
        found, entering = False, set(inputs if isinstance(inputs, list) else [])
        for name, node in zip(self.names, self.nodes, strict=True):
            bias = self._of(node, "bias")
            if name is None or bias is None or bias is False or not isinstance(inputs, list):
                continue
            if name in entering:
                with self.problems.gathering():
                    if parse_number(bias, f"bias at the input {shown(name)}") != 0:
                        raise NetworkError(f"bias at the input {shown(name)}: delete it")
                continue
            found = True
            parameter = f"w[{source}->{name}]"
            edges.append({"tail": source, "head": name, "parameter": parameter})
            if bias is not True:
                weights[parameter] = bias
        if found:
            vertices.append({"name": source, "activation": "linear"})
            inputs.append(source)
            constants[source] = 1


def _among(record: Mapping[str, Any], key: str) -> list[str]:
    names = SYNONYMS.get(key, (key,))
    return [name for name in names if record.get(name) is not None]


def _edge(record: Any) -> Any:
    """An edge as an object; [tail, head] or [tail, head, weight] may stand for it."""
    if isinstance(record, list) and len(record) in (2, 3):
        return dict(zip(("source", "target", "weight"), record, strict=False))
    return record


def _place(value: Any) -> int | None:
    try:
        return int(value) if isinstance(value, str | Integral) else None
    except ValueError:
        return None


def _listed(names: list[Any]) -> str:
    more = len(names) - NAMES_TOLD
    told = ", ".join(map(str, names[:NAMES_TOLD])) or "none"
    return f"{told} and {more} more" if more > 0 else told
