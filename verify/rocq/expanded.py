"""Polynomial certificates of the path sums and of the flow, as Rocq source: written out in full.

These speak of single paths, so their size is that of the paths; `ring` compares normal forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from verify.rocq.graph import Graph, NotExported
from verify.rocq.names import identifier
from verify.rocq.passes import OF_EXAMPLE, slope, velocity, write_passes, write_velocities
from verify.rocq.source import Source

MOST_PATHS = 500
Residual = tuple[
    str, str, list[str]
]  # binder, residual, and what must be unfolded beside the passes


def paths(graph: Graph) -> list[list[int]]:
    """The paths from the inputs to the output, as edge numbers. Raises NotExported."""
    count = {v: int(v == graph.output) for v in graph.vertices}
    for v in reversed(graph.vertices):
        count[v] += sum(count[graph.edges[e].head] for e in graph.out_of[v])
    number = sum(count[v] for v in graph.inputs)
    if number > MOST_PATHS:
        raise NotExported(f"{number} paths are more than {MOST_PATHS}")
    found = [[e] for e in graph.into[graph.output]]
    done = []
    while found:
        path = found.pop()
        tail = graph.edges[path[0]].tail
        if graph.into[tail]:
            found += [[e, *path] for e in graph.into[tail]]
        else:
            done.append(path)
    return done


def path_term(graph: Graph, path: Iterable[int], but: int | None = None) -> str:
    """x_p times the slopes and the weights of a path, but for the weight of one edge."""
    edges = list(path)
    factors = [f"{identifier('x', graph.edges[edges[0]].tail)} j"]
    for e in edges:
        factors += [graph.weight(e)] if e != but else []
        factors.append(f"{slope(graph.edges[e].head)} j")
    return " * ".join(factors)


def value_by_paths(graph: Graph, _entry: dict[str, Any]) -> Residual:
    """(1): nu minus the sum over paths."""
    terms = " + ".join(path_term(graph, path) for path in paths(graph))
    return OF_EXAMPLE, f"{identifier('post', graph.output)} j - ({terms})", []


def gradient_by_paths(graph: Graph, entry: dict[str, Any]) -> Residual:
    """(3): dnu/dw_e minus the sum over the paths through e."""
    e = graph.edge(*entry["edge"])
    terms = " + ".join(path_term(graph, path, e) for path in paths(graph) if e in path)
    return OF_EXAMPLE, f"{graph.derivative(e)} j - ({terms or '0'})", []


def preactivation_by_tails(graph: Graph, entry: dict[str, Any]) -> Residual:
    """(19): PRE_v minus the sum of POST_u w_uv."""
    v = entry["vertex"]
    terms = [f"{graph.post(graph.edges[e].tail)} j * {graph.weight(e)}" for e in graph.into[v]]
    return OF_EXAMPLE, f"{identifier('pre', v)} j - ({' + '.join(terms)})", []


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
    "lj22.eq1.b": value_by_paths,
    "lj22.eq3.fix": gradient_by_paths,
    "lj22.eq16@B": preactivation_by_tails,
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
    if binder == OF_EXAMPLE:
        kinds = ("pre", "post", "grad", "back")
        opened += [identifier(kind, v) for v in graph.computed for kind in kinds]
        opened += [slope(v) for v in linear]
        opened += [graph.derivative(e) for e in range(len(graph.edges))]
    source.prove(
        "vanishes",
        f"{bound}residual{letter and ' '}{letter} = 0",
        [*([f"intros {letter}"] if letter else []), f"cbv beta delta [{' '.join(opened)}]", "ring"],
        word="Theorem",
    )
    source.sentence("End Network.")
    return ["vanishes"]
