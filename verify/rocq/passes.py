"""A network as a straight-line program over Z: forward, backward, derivatives in the weights.

Weights, inputs and slopes are variables: fixed weights and constant inputs too, since what is shown
holds whatever their value. Everything that depends on an example takes its number j.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verify.rocq.graph import Graph
from verify.rocq.names import identifier
from verify.rocq.source import Source, product_sum

OF_EXAMPLE = "(j : nat)"


def slope(vertex: str) -> str:
    """The identifier of the slope of a vertex."""
    return identifier("s", vertex)


def write_passes(source: Source, graph: Graph, slopes: Mapping[str, str]) -> None:
    """Declare the variables and define the passes.

    slopes: what the slope of a vertex is, at example j, where it is no variable.
    """
    source.remark("weights, one for each parameter")
    source.variables(graph.weights(), "Z")
    source.remark("coordinates of the inputs, by the number of the example")
    source.variables((identifier("x", v) for v in graph.inputs), "nat -> Z")
    source.remark("slopes of the activations, by example: post-activation = slope * pre-activation")
    for v in graph.computed:
        if v in slopes:
            source.define(slope(v), OF_EXAMPLE, "Z", slopes[v])
        else:
            source.variables([slope(v)], "nat -> Z")
    source.remark("forward: pre-activations and post-activations")
    for v in graph.computed:
        _define(source, identifier("pre", v), pre_activation(graph, v))
        _define(source, identifier("post", v), f"{slope(v)} j * {identifier('pre', v)} j")
    source.remark("backward: derivatives of the output in each post- and pre-activation")
    for v in reversed(graph.computed):
        _define(source, identifier("grad", v), gradient(graph, v))
        _define(source, identifier("back", v), f"{slope(v)} j * {identifier('grad', v)} j")
    source.remark("derivatives of the output in the weight of each edge")
    for e, edge in enumerate(graph.edges):
        post, back = graph.post(edge.tail), identifier("back", edge.head)
        _define(source, graph.derivative(e), f"{post} j * {back} j")


def pre_activation(graph: Graph, vertex: str) -> str:
    """The pre-activation, as a sum over the in-edges."""
    return product_sum(
        (graph.weight(e), f"{graph.post(graph.edges[e].tail)} j") for e in graph.into[vertex]
    )


def gradient(graph: Graph, vertex: str) -> str:
    """The derivative of the output in a post-activation, as a sum over the out-edges."""
    if vertex == graph.output:
        return "1"
    return product_sum(
        (graph.weight(e), f"{identifier('back', graph.edges[e].head)} j")
        for e in graph.out_of[vertex]
    )


def write_velocities(source: Source, graph: Graph, edges: Iterable[int]) -> None:
    """The velocities along the flow, for n examples with risk coefficients kappa."""
    source.remark("velocities: minus the gradient of the risk, for n examples; kappa_j = l' y / n")
    source.variables(["kappa"], "nat -> Z")
    for e in edges:
        body = f"- total (fun j => kappa j * {graph.derivative(e)} j) n"
        source.define(velocity(graph, e), "(n : nat)", "Z", body)


def velocity(graph: Graph, e: int) -> str:
    """The identifier of the velocity of the weight of an edge."""
    return identifier("v", graph.edges[e].tail, graph.edges[e].head)


def _define(source: Source, name: str, body: str) -> None:
    source.define(name, OF_EXAMPLE, "Z", body)
