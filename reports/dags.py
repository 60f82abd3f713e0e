"""A small DAG network that a certificate gives as arrays, drawn as a graph.

The arrays are E (1 at [v, u] for an edge from u to v), W (normalised weights at the same places),
A (coefficients of the activation of each vertex, constant term first) and X (inputs).
"""

from __future__ import annotations

from fractions import Fraction

from reports.names import power_text
from reports.verdicts import Record

DRAWN = "[EWA]"  # names of the arrays that the drawing shows


def dag_of_arrays(case: Record) -> Record | None:
    """The network as a record with vertices, edges and weights; None for arrays that are none.

    Vertices are numbered from 0, as in entries. Only edges to a later vertex count, as in claims.
    """
    arrays = case.get("arrays", {})
    if not {"E", "W", "A", "X"} <= set(arrays):
        return None
    there = arrays["E"]["entries"]
    pairs = [(u, v) for v in range(len(there)) for u in range(v) if Fraction(there[v][u]) == 1]
    entered, left = {v for _, v in pairs}, {u for u, _ in pairs}
    names = [f"x{v}" if v not in entered else f"v{v}" for v in range(len(there))]
    edges, weights = [], {}
    for u, v in pairs:
        parameter = f"{names[u]} to {names[v]}"
        edges.append({"tail": names[u], "head": names[v], "parameter": parameter})
        weights[parameter] = arrays["W"]["entries"][v][u]
    rows = arrays["A"]["entries"]
    return {
        "title": "edges carry weights over the square root of the in-degree",
        "vertices": [
            {"name": name, "activation": polynomial_text(row)}
            for name, row in zip(names, rows, strict=True)
        ],
        "inputs": [name for v, name in enumerate(names) if v not in entered],
        "outputs": [name for v, name in enumerate(names) if v in entered and v not in left],
        "edges": edges,
        "weights": weights,
    }


def polynomial_text(coefficients: list[str]) -> str:
    """A polynomial in z, constant term first; "linear" for z itself.

    >>> polynomial_text(["1/2", "0", "-1", "2"])
    '1/2 − z² + 2z³'
    """
    values = [Fraction(entry) for entry in coefficients]
    if values == [Fraction(power == 1) for power in range(len(values))]:
        return "linear"
    text = ""
    for power, value in enumerate(values):
        if value == 0:
            continue
        size = "" if abs(value) == 1 and power else str(abs(value))
        term = size + (power_text("z", power) if power else "")
        sign = "−" if value < 0 else "+" if text else ""
        text += f" {sign} {term}" if text else sign + term
    return text or "0"
