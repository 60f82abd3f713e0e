"""A fully connected network that a certificate gives as arrays, drawn as a graph.

The arrays are W1 to WL, b1 to bL, the slope a and the points X. Biases are edges from a constant 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from reports.verdicts import Record

DRAWN = r"[Wb]\d+"  # names of the arrays that the drawing shows
CONSTANT = "1"
LINEAR = {"activation": "linear"}


def network_of_arrays(case: Record) -> Record | None:
    """The network as a record with vertices, edges and weights; None for arrays that are none.

    Weights of 0 have no edge, but for neurons that would be without one.
    """
    arrays = case.get("arrays", {})
    if "W1" not in arrays or "X" not in arrays or "a" not in arrays:
        return None
    depth = sum(name[0] == "W" and name[1:].isdigit() for name in arrays)
    layers = [_names("x", len(arrays["W1"]["entries"][0]))]
    for layer in range(1, depth + 1):
        letter = "y" if layer == depth else f"h{layer}."
        layers.append(_names(letter, len(arrays[f"W{layer}"]["entries"])))
    edges, weights = [], {}
    for tail, head, value in _weighted(arrays, layers):
        parameter = f"{tail} to {head}"
        edges.append({"tail": tail, "head": head, "parameter": parameter})
        weights[parameter] = value
    activation = _activation(arrays["a"]["entries"])
    biased = any(edge["tail"] == CONSTANT for edge in edges)
    vertices: list[Record] = [{"name": CONSTANT, **LINEAR}] if biased else []
    for number, names in enumerate(layers):
        kind = activation if 0 < number < depth else LINEAR
        vertices += [{"name": name, **kind} for name in names]
    return {
        "title": "",
        "vertices": vertices,
        "inputs": [*([CONSTANT] if biased else []), *layers[0]],
        "outputs": layers[-1],
        "constants": {CONSTANT: "1"} if biased else {},
        "edges": edges,
        "weights": weights,
    }


def _names(letter: str, count: int) -> list[str]:
    return [f"{letter}{number + 1}" for number in range(count)]


def _weighted(arrays: Record, layers: list[list[str]]) -> Iterator[tuple[str, str, str]]:
    """Tail, head and weight of each edge that is drawn."""
    for number in range(1, len(layers)):
        rows = arrays[f"W{number}"]["entries"]
        shifts = arrays.get(f"b{number}", {"entries": ["0"] * len(rows)})["entries"]
        fed = set()
        for head, row, shift in zip(layers[number], rows, shifts, strict=True):
            for tail, value in zip(layers[number - 1], row, strict=True):
                if Fraction(value) != 0 or not any(map(Fraction, row)):
                    fed.add(tail)
                    yield tail, head, value
            if Fraction(shift) != 0:
                yield CONSTANT, head, shift
        for tail in layers[number - 1]:
            if tail not in fed:
                yield tail, layers[number][0], "0"


def _activation(slope: Any) -> Record:
    value = Fraction(slope)
    leaky = {"activation": "leaky_relu", "slope": str(value)}
    return {"activation": "relu"} if value == 0 else leaky
