"""Polynomial certificates of the flow, as Rocq source: written out in full, for `ring`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verify.rocq.graph import Graph
from verify.rocq.passes import velocity, write_passes, write_velocities
from verify.rocq.source import Source

Residual = tuple[
    str, str, list[str]
]  # binder, residual, and what must be unfolded beside the passes


def velocity_and_gradient(graph: Graph, entry: dict[str, Any]) -> Residual:
    """dw_e/dt plus the sum of kappa_j dnu(x_j)/dw_e over n examples."""
    e = graph.edge(*entry["edge"])
    total = f"total (fun j => kappa j * {graph.derivative(e)} j) n"
    return "(n : nat)", f"{velocity(graph, e)} n + {total}", [velocity(graph, e)]


def vertex_as_pair(graph: Graph, entry: dict[str, Any]) -> Residual:
    """The left side of (5) at u = v minus that of (4)."""
    v = entry["vertex"]
    sides = []
    for form in ("{0} * {0}", "{0} ^ 2"):
        into, out_of = (
            " + ".join(form.format(graph.weight(e)) for e in edges)
            for edges in (graph.into[v], graph.out_of[v])
        )
        sides.append(f"(({into}) - ({out_of}))")
    return "", f"{sides[0]} - {sides[1]}", []


EXPANDED: dict[str, Callable[[Graph, dict[str, Any]], Residual]] = {
    "lj22.gflow.fix": velocity_and_gradient,
    "lj22.eq31.fix": velocity_and_gradient,
    "lj22.eq8-11.8": velocity_and_gradient,
    "lj22v1.rem-uv": vertex_as_pair,
}


def write_expanded(source: Source, graph: Graph, claim: str, entry: dict[str, Any]) -> list[str]:
    """The residual of the entry, and that it is 0. Returns the theorem's name."""
    from verify.rocq.laws import write_general_lemmas

    binder, residual, more = EXPANDED[claim](graph, entry)
    linear = {v: "1" for v in graph.computed if graph.kinds[v] == "linear"}
    write_general_lemmas(source, [], [])
    source.sentence("")
    source.sentence("Section Network.")
    write_passes(source, graph, linear)
    if "edge" in entry:
        write_velocities(source, graph, [graph.edge(*entry["edge"])])
    source.remark("the entry")
    source.define("residual", binder, "Z", residual)
    bound = f"forall {binder[1:-1]}, " if binder else ""
    letter = binder[1:2]
    opened = ["residual", *more]
    source.prove(
        "vanishes",
        f"{bound}residual{letter and ' '}{letter} = 0",
        [*([f"intros {letter}"] if letter else []), f"cbv beta delta [{' '.join(opened)}]", "ring"],
        word="Theorem",
    )
    source.sentence("End Network.")
    return ["vanishes"]
