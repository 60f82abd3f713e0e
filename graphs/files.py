"""Networks as files: JSON of our own format, node-link JSON, and GraphML of other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from graphs.documents import FORMAT, VERSION, Weights, from_json
from graphs.errors import NetworkError, WeightError
from graphs.network import FIXED, Network
from graphs.node_link import WORDS, as_document, is_node_link
from graphs.numerals import parse_decimal, parse_number, shown
from graphs.problems import Problems


def load(
    path: str | Path, tell: Callable[[str], None] = lambda message: None
) -> tuple[Network, Weights | None]:
    """A network, and its weights if it has some, from a `.json` or `.graphml` file.

    tell: gets one line, naming the file, on what the file does not say and was guessed.

    Raises OSError when the file cannot be read; NetworkError and its subclasses, naming the file
    and everything that is wrong, when it is no network.
    """
    suffix = _suffix(path)
    content = Path(path).read_bytes()
    guesses: list[str] = []
    try:
        found = _read(content, suffix, guesses)
    except NetworkError as error:
        raise type(error)(f"{path}: {error}") from error
    if guesses:
        tell(f"{path}: not said in the file, so taken: {'; '.join(guesses)}")
    return found


def _read(content: bytes, suffix: str, guesses: list[str]) -> tuple[Network, Weights | None]:
    if suffix == ".json":
        data = parse_json(content)
    else:
        from graphs.graphml import parse_graphml

        data = parse_graphml(content)
    if not is_node_link(data):
        return from_json(data)
    problems = Problems()
    return from_json(as_document(data, problems, guesses), WORDS, problems)


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


def parse_json(content: str | bytes) -> Any:
    """JSON, in which no object may name a key twice.

    Raises NetworkError when it is malformed.
    """
    try:
        return json.loads(content, object_pairs_hook=_without_duplicates, parse_float=parse_decimal)
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
                raise NetworkError(f"key {shown(key)} twice in one JSON object: delete one")
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
