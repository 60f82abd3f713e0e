"""Balance and polynomial certificates as Rocq source, over the integers.

What is shown is an identity of polynomials with integer coefficients in weights, inputs, slopes and
risk coefficients, for all integers in their place. A polynomial that vanishes at all integers is
the zero polynomial: so the identity holds in every commutative ring, the real numbers among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from verify.rocq.expanded import EXPANDED, write_expanded
from verify.rocq.graph import Graph, NotExported, read_graph
from verify.rocq.laws import (
    edge_coefficients,
    write_balance,
    write_general_lemmas,
    write_pair_law,
    write_vertex_law,
)
from verify.rocq.passes import slope, write_passes, write_velocities
from verify.rocq.source import Source

Entry = dict[str, Any]


def vertex_coefficients(graph: Graph, entry: Entry) -> dict[int, int]:
    """1 on the in-edges of a vertex, -1 on its out-edges."""
    v = entry["vertex"]
    return dict.fromkeys(graph.into[v], 1) | dict.fromkeys(graph.out_of[v], -1)


def layer_coefficients(graph: Graph, entry: Entry) -> dict[int, int]:
    """1 on the first edge set, -1 on the second; 0 where they meet."""
    found: dict[int, int] = {}
    for sign, layer in zip((1, -1), entry["layers"], strict=True):
        for tail, head in layer:
            e = graph.edge(tail, head)
            found[e] = found.get(e, 0) + sign
    return {e: c for e, c in found.items() if c}


LAYERED = [f"lj22.lemma3@{r}" for r in "AB"] + [f"lj22v1.eq8.b@{r}" for r in "AB"]
LAYERED += [f"lj22.bias@B{r}" for r in "AB"]
QUADRATIC: dict[str, Callable[[Graph, Entry], dict[int, int]]] = {
    "lj22.lemma2a": vertex_coefficients,
    **dict.fromkeys(LAYERED, layer_coefficients),
}
PAIRED = ("lj22.lemma2b@A", "lj22.lemma2b@A.fix", "lj22v1.lemma3b")


def write_balances(source: Source, certificate: dict[str, Any]) -> list[str]:
    """The identities of a balance certificate. Returns the theorems' names."""
    graph = read_graph(certificate["network"])
    coefficients = _quadratic(certificate["claim"])
    entries = [identity["entry"] for identity in certificate["identities"]]
    potentials = [
        {v: int(Fraction(phi)) for v, phi in identity["potential"].items()}
        for identity in certificate["identities"]
    ]
    for entry, potential in zip(entries, potentials, strict=True):
        if edge_coefficients(graph, potential) != coefficients(graph, entry):
            raise NotExported(f"the potential does not belong to the entry {entry}")
    return _write_laws(source, graph, potentials)


def _quadratic(claim: str) -> Callable[[Graph, Entry], dict[int, int]]:
    if claim not in QUADRATIC:
        raise NotExported(f"no Rocq form of a balance of {claim} is known here")
    return QUADRATIC[claim]


def _write_laws(source: Source, graph: Graph, potentials: Sequence[dict[str, int]]) -> list[str]:
    support = [v for v in graph.computed if any(p.get(v, 0) for p in potentials)]
    degrees = [len(edges) for v in support for edges in (graph.into[v], graph.out_of[v])]
    write_general_lemmas(source, degrees, [])
    source.sentence("")
    source.sentence("Section Network.")
    write_passes(source, graph, {})
    near = {e for v in support for e in graph.into[v] + graph.out_of[v]}
    write_velocities(source, graph, sorted(near))
    for v in support:
        source.remark(f"what flows into {v} flows out of it")
        write_vertex_law(source, graph, v)
    theorems = []
    for number, potential in enumerate(potentials):
        name = f"identity_{number}"
        if not edge_coefficients(graph, potential):
            source.remark(f"{name}: all coefficients are 0, nothing is to be shown")
            continue
        source.remark(f"{name}: half the rate of the sum of c_e w_e^2 along the flow is 0")
        write_balance(source, graph, name, potential)
        theorems.append(name)
    source.sentence("End Network.")
    return theorems


def write_polynomial(source: Source, certificate: dict[str, Any]) -> list[str]:
    """The entry of a polynomial certificate. Returns the theorem's name."""
    claim, entry = certificate["claim"], certificate["entry"]
    graph = read_graph(certificate["network"])
    if claim in QUADRATIC:
        return _write_laws(source, graph, [potential_of(graph, QUADRATIC[claim](graph, entry))])
    if claim in PAIRED:
        return _write_pair(source, graph, *entry["pair"])
    if claim in EXPANDED:
        return write_expanded(source, graph, claim, entry)
    raise NotExported(f"no Rocq form of a polynomial of {claim} is known here")


def potential_of(graph: Graph, coefficients: dict[int, int]) -> dict[str, int]:
    """phi with c_e = phi(head) - phi(tail), 0 at inputs and output. Raises NotExported."""
    potential = dict.fromkeys(graph.inputs, 0)
    for v in graph.computed:
        steps = {potential[graph.edges[e].tail] + coefficients.get(e, 0) for e in graph.into[v]}
        if len(steps) > 1 or (v == graph.output and steps != {0}):
            raise NotExported(f"the coefficients have no potential at {v!r}")
        potential[v] = steps.pop()
    return {v: phi for v, phi in potential.items() if phi}


def _write_pair(source: Source, graph: Graph, u: str, v: str) -> list[str]:
    """Equal patterns and equal activations make equal slopes; beside a linear vertex they are 1."""
    slopes = linear_slopes(graph)
    u, v = sorted((u, v), key=graph.vertices.index)
    if "linear" in (graph.kinds[u], graph.kinds[v]):
        slopes[u] = "1"
    elif graph.slopes[u] != graph.slopes[v]:
        raise NotExported(f"{u!r} and {v!r} have different slopes")
    slopes[v] = f"{slope(u)} j"
    write_general_lemmas(source, [], [len(graph.into[u]), len(graph.out_of[u])])
    source.sentence("")
    source.sentence("Section Network.")
    write_passes(source, graph, slopes)
    near = [*graph.into[u], *graph.into[v], *graph.out_of[u], *graph.out_of[v]]
    write_velocities(source, graph, near)
    source.remark(f"the rate of the sum of w_au w_av minus that of w_ub w_vb is 0 at {u}, {v}")
    write_pair_law(source, graph, u, v, "law")
    source.sentence("End Network.")
    return ["law"]


def linear_slopes(graph: Graph) -> dict[str, str]:
    """Slope 1 at the linear vertices."""
    return {v: "1" for v in graph.computed if graph.kinds[v] == "linear"}
