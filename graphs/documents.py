"""The JSON object of a network, read: one validation, which tells all that is wrong together.

Format `lemmata-network`, version 1 (schema: docs/network.schema.json):

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

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from graphs.activations import Activation, activation_named
from graphs.errors import ActivationError, NetworkError, ParameterError, WeightError
from graphs.network import Edge, Network, network, topological_order
from graphs.numerals import parse_number, shown
from graphs.problems import Problems

FORMAT = "lemmata-network"
VERSION = 1
Weights = tuple[Fraction, ...]
TOP = ("format", "version", "vertices", "inputs", "outputs", "edges")
LISTS = ("vertices", "inputs", "outputs", "edges")
MAPPINGS = ("constants", "weights")


def from_json(
    document: object, words: Mapping[str, str] | None = None, problems: Problems | None = None
) -> tuple[Network, Weights | None]:
    """A network, and its weights if the JSON object has some.

    words: how messages call keys, where the file calls them otherwise. problems: what is known to
    be wrong already.

    Raises CycleError, ActivationError, ParameterError, WeightError or NetworkError, naming what is
    wrong and what to do; where several things are wrong, one NetworkError that names them all.
    """
    return _Reader(words or {}, problems or Problems()).read(document)


class _Reader:
    """Goes through the object, and gathers what is wrong."""

    def __init__(self, words: Mapping[str, str], problems: Problems) -> None:
        self.words, self.problems = words, problems
        self.vertices: dict[str, Mapping[str, Any]] = {}
        self.edges: dict[Edge, str | Fraction | None] = {}  # None: what it carries is not known
        self.unread = False  # whether the ends of some edge are not known

    def read(self, document: object) -> tuple[Network, Weights | None]:
        top = self._top(document)
        for place, record in enumerate(top["vertices"]):
            with self.problems.gathering():
                self._vertex(record, f"vertex {place}")
        inputs, outputs = (self._names(top[role], role) for role in ("inputs", "outputs"))
        for place, record in enumerate(top["edges"]):
            with self.problems.gathering():
                self._edge(record, f"edge {place}")
        constants = self._constants(top.get("constants", {}), inputs)
        activations = self._activations(set(inputs))
        scales = self._scales()
        self._graph(inputs, outputs)
        title = top.get("title", "")
        with self.problems.gathering():
            _text(title, "title", empty=True)
        weights = None if "weights" not in top else self._weights(top["weights"])
        self.problems.settle()
        # in this order a file that lists its vertices in topological order keeps their numbers
        position = {name: place for place, name in enumerate(self.vertices)}
        order = sorted(self.edges, key=lambda edge: (position[edge[1]], position[edge[0]]))
        carried = [(edge, self.edges[edge]) for edge in order]
        net = network(
            order,
            inputs=inputs,
            outputs=outputs,
            activations=activations,
            parameters={edge: value for edge, value in carried if isinstance(value, str)},
            fixed={edge: value for edge, value in carried if isinstance(value, Fraction)},
            constants=constants,
            scale_squares=scales,
            title=title,
        )
        return net, (
            None if weights is None else tuple(weights[name] for name in net.parameter_names)
        )

    # the object ------------------------------------------------------------------------------
    def _top(self, document: object) -> Mapping[str, Any]:
        top = _mapping(document, "the network")
        version = top.get("version", VERSION)
        if top.get("format", FORMAT) != FORMAT or version != VERSION or version is True:
            raise NetworkError(_another(top))
        self._keys(top, "the network", TOP, ("title", *MAPPINGS))
        for key in (*LISTS, *MAPPINGS):
            if key in top:
                with self.problems.gathering():
                    what = self._word(key)
                    _list(top[key], what) if key in LISTS else _mapping(top[key], what)
        if not all(isinstance(top.get(key), list) for key in LISTS):
            self.problems.settle()
        return top

    def _keys(
        self, fields: Mapping[str, Any], what: str, required: Sequence[str], optional: Sequence[str]
    ) -> None:
        for key in required:
            if key not in fields:
                self.problems.add(NetworkError(f"{what} has no {self._word(key)!r}: add it"))
        for key in fields:
            if key not in required and key not in optional:
                known = ", ".join(map(self._word, (*required, *optional)))
                self.problems.add(
                    NetworkError(f"{what} has an unknown key {shown(key)}: use {known}")
                )

    def _word(self, key: str) -> str:
        return self.words.get(key, key)

    # vertices --------------------------------------------------------------------------------
    def _vertex(self, record: object, what: str) -> None:
        fields = _mapping(record, what)
        self._keys(fields, what, ("name",), ("activation", "slope", "scale_square"))
        if "name" not in fields:
            return
        name = fields["name"]
        with self.problems.gathering():
            _text(name, f"{self._word('name')} of {what}")
        if isinstance(name, str) and name in self.vertices:
            raise NetworkError(f"two vertices {shown(name)}: rename one")
        if isinstance(name, str):
            self.vertices[name] = fields

    def _activations(self, inputs: set[str]) -> dict[str, Activation]:
        """The activations of the vertices that are not inputs."""
        result = {}
        for name, fields in self.vertices.items():
            with self.problems.gathering():
                activation = _activation(name, fields, name in inputs)
                if name not in inputs:
                    result[name] = activation
                elif activation.kind != "linear":
                    raise ActivationError(
                        f"input {name!r} has the activation {activation}: use 'linear'"
                    )
        return result

    def _scales(self) -> dict[str, Fraction]:
        scales = {}
        for name, fields in self.vertices.items():
            if "scale_square" in fields:
                with self.problems.gathering():
                    scales[name] = parse_number(fields["scale_square"], f"scale_square of {name!r}")
                    if scales[name] <= 0:
                        raise NetworkError(
                            f"scale of {name!r} is not positive: give its square > 0"
                        )
        return scales

    def _known(self, value: object, what: str) -> str:
        if not isinstance(value, str) or value not in self.vertices:
            raise NetworkError(
                f"{what} names {shown(value)}, which is not among the vertices: add it there"
            )
        return value

    def _names(self, values: Sequence[object], role: str) -> list[str]:
        names = []
        for value in values:
            with self.problems.gathering():
                names.append(self._known(value, role))
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            self.problems.add(NetworkError(f"{role} names a vertex twice: {twice!r}"))
        if not values:
            self.problems.add(
                NetworkError(f"{role} is empty: a network needs at least one input and one output")
            )
        return list(dict.fromkeys(names))

    def _constants(self, given: object, inputs: Sequence[str]) -> dict[str, Fraction]:
        constants = {}
        for name, value in given.items() if isinstance(given, dict) else ():
            with self.problems.gathering():
                self._known(name, "constants")
                constants[name] = parse_number(value, f"constant {name!r}")
                if name not in inputs:
                    raise NetworkError(
                        f"{name!r} is held constant but is not an input: list it in inputs"
                    )
        return constants

    # edges -----------------------------------------------------------------------------------
    def _edge(self, record: object, what: str) -> None:
        self.unread, unread = True, self.unread  # until the ends are known
        fields = _mapping(record, what)
        self._keys(fields, what, ("tail", "head"), ("parameter", "fixed"))
        ends = []
        for key in ("tail", "head"):
            if key in fields:
                with self.problems.gathering():
                    ends.append(self._known(fields[key], what))
        if len(ends) < 2:
            return
        self.unread = unread
        tail, head = ends
        if (tail, head) in self.edges:
            raise NetworkError(f"two edges {tail}->{head}: merge parallel edges into one")
        self.edges[tail, head] = None
        if ("parameter" in fields) == ("fixed" in fields):
            raise ParameterError(f"edge {tail}->{head}: give either a parameter or a fixed weight")
        if "parameter" in fields:
            carried = _text(fields["parameter"], f"parameter of edge {tail}->{head}")
            self.edges[tail, head] = carried
        else:
            what = f"fixed weight of edge {tail}->{head}"
            self.edges[tail, head] = parse_number(fields["fixed"], what, WeightError)

    def _graph(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """That the graph is one of a feedforward network."""
        heads = {head for _, head in self.edges}
        entering = set(inputs)
        for name in self.vertices:
            if name in heads and name in entering:
                self.problems.add(NetworkError(f"input {name!r} has an in-edge: inputs have none"))
            elif name not in heads and name not in entering and not self.unread:
                self.problems.add(
                    NetworkError(f"vertex {name!r} has no in-edge: list it in inputs or delete it")
                )
        with self.problems.gathering():
            topological_order(list(self.edges), inputs, outputs)

    def _weights(self, given: object) -> dict[str, Fraction]:
        weights: dict[str, Fraction] = {}
        if not isinstance(given, dict):
            return weights
        parameters = {value for value in self.edges.values() if isinstance(value, str)}
        surplus = [] if self._carried_unknown() else [n for n in given if n not in parameters]
        for name in surplus:
            self.problems.add(
                WeightError(
                    f"weight for {shown(name)}, a parameter that belongs to no edge: delete the "
                    "weight, or name the parameter at its edge"
                )
            )
        for name in sorted(parameters):
            with self.problems.gathering():
                if name not in given:
                    raise WeightError(
                        f"no weight for the parameter {name!r}: give one, or no weights"
                    )
                weights[name] = parse_number(given[name], f"weight of {name!r}", WeightError)
        return weights

    def _carried_unknown(self) -> bool:
        return self.unread or None in self.edges.values()


def _another(top: Mapping[str, Any]) -> str:
    version = shown(top.get("version"))
    return (
        f"format {shown(top.get('format'))}, version {version}: this reads {FORMAT!r}, version "
        f"{VERSION}, and without a format the node-link data of networkx"
    )


def _activation(name: str, fields: Mapping[str, Any], entering: bool) -> Activation:
    try:
        if "activation" not in fields and not entering:
            raise ActivationError("no activation: give one, such as 'relu' or 'linear'")
        kind = _text(fields.get("activation", "linear"), "activation")
        return activation_named(kind, fields.get("slope"))
    except NetworkError as error:
        raise ActivationError(f"vertex {name!r}: {error}") from error


# the JSON types, each named where it is wrong ----------------------------------------------------
def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise NetworkError(f"{what} is {type(value).__name__}: give an object with named values")
    return value


def _list(value: object, what: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise NetworkError(f"{what} is {type(value).__name__}: give a list")
    return value


def _text(value: object, what: str, empty: bool = False) -> str:
    if not isinstance(value, str) or not (value or empty):
        raise NetworkError(f"{what} is {shown(value)}: give a text{'' if empty else ', not empty'}")
    if not value.isprintable():
        raise NetworkError(
            f"{what} is {shown(value)}: it has characters that cannot be printed, leave them out"
        )
    return value
