"""Appendix A: fully connected networks and DenseNets, by matrices and as networks on a DAG.

Instances are those of layered_networks. The DAG is made from the layers alone: distances,
in-degrees, inputs and outputs are counted on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.papers.zlb22.digraphs import Labelled, Parents, children_of, distances
from verify.papers.zlb22.forward_passes import (
    SYMBOLS,
    Activation,
    Weights,
    along_edges,
    polynomial_value,
    symbols_for,
)
from verify.papers.zlb22.layered_networks import (
    LAYERED,
    LINEAR_END,
    POOL,
    divisor,
    layered,
    layers_of_case,
    numbered,
)
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import each_case

Layers = Sequence[int]  # of each vertex
Feeds = Callable[[int, int], bool]  # whether a layer (the second) feeds a layer
ZERO = Fraction(0)


def from_the_last(layer: int, other: int) -> bool:
    """Fully connected: from the layer before."""
    return other == layer - 1


def from_all_earlier(layer: int, other: int) -> bool:
    """DenseNet: from all layers before."""
    return other < layer


# the two networks ---------------------------------------------------------------------------------
def graph_by(layers: Layers, feeds: Feeds) -> Parents:
    """The DAG: every neuron joined to all neurons of the layers that feed its own."""
    vertices = range(len(layers))
    return tuple(tuple(u for u in vertices if feeds(layers[v], layers[u])) for v in vertices)


def by_matrices(
    layers: Layers, feeds: Feeds, weights: Weights, activation: Activation, x: Sequence[Any]
) -> list[Any]:
    """(22), (23), (24): layer by layer, the matrix of weights times the vector of all neurons of
    the layers that feed it. activation: of hidden neurons; outputs have none."""
    last = max(layers)
    vectors = {0: [x[v] for v in _members(layers, 0)]}
    for layer in range(1, last + 1):
        rows, feeding = _members(layers, layer), [k for k in range(layer) if feeds(layer, k)]
        vector = [entry for k in feeding for entry in vectors[k]]
        columns = [u for k in feeding for u in _members(layers, k)]
        matrix = [[weights[v, u] for u in columns] for v in rows]
        products = [_dot(row, vector) for row in matrix]
        hidden = [activation(v, z) for v, z in zip(rows, products, strict=True)]
        vectors[layer] = products if layer == last else hidden
    places = {layer: _members(layers, layer) for layer in vectors}
    found = {v: vectors[layer][k] for layer, some in places.items() for k, v in enumerate(some)}
    return [found[v] for v in range(len(layers))]


def _members(layers: Layers, layer: int) -> list[int]:
    return [v for v, own in enumerate(layers) if own == layer]


def _dot(row: Sequence[Any], vector: Sequence[Any]) -> Any:
    first, *rest = (w * f for w, f in zip(row, vector, strict=True))
    return sum(rest, first)


# measures -----------------------------------------------------------------------------------------
def _each(measure: Callable[[list[int]], Labelled], scene: object) -> Entries:
    """Entries of a measure of the layers; none where a number is no layer."""
    return each_case(lambda case: measure(layers_of_case(case)) if numbered(case) else [], scene)


def matrix_and_graph(scene: object, feeds: Feeds) -> Entries:
    """The value of each neuron in the matrix form minus that on the DAG."""
    return each_case(partial(_differences, feeds=feeds), scene)


def _differences(case: Tensors, feeds: Feeds) -> Labelled:
    if not layered(case):
        return []
    layers, x = layers_of_case(case), list(case.arrays["X"].entries)
    sigma, end = (list(case.arrays[name].entries) for name in ("s", "o"))
    weights, divisor = normalised_all(case), case.number("r")
    parents = graph_by(layers, feeds)
    outputs = {v for v, below in enumerate(children_of(parents)) if not below}
    divided = {edge: weight / divisor for edge, weight in weights.items()}
    one = by_matrices(layers, feeds, divided, lambda v, z: polynomial_value(sigma, z), x)

    def activation(v: int, z: Fraction) -> Fraction:
        return polynomial_value(end if v in outputs else sigma, z)

    other = along_edges(parents, weights, activation, x, ZERO)
    return [({"entry": v}, one[v] - other[v]) for v in range(len(layers))]


def normalised_all(case: Tensors) -> dict[tuple[int, int], Fraction]:
    """All entries of W, by row and column."""
    count, entries = case.lengths["n"], case.arrays["W"].entries
    return {divmod(place, count): entry for place, entry in enumerate(entries)}


def degrees(scene: object, feeds: Feeds) -> Entries:
    """In-degrees against the sizes of the layers that feed; which neurons have out-degree 0."""
    return _each(partial(degrees_by, feeds=feeds), scene)


def degrees_by(layers: Layers, feeds: Feeds) -> Labelled:
    """in(v) minus the sum of the sizes of the layers that feed v; 1 where just one of being in the
    last layer and having no out-edge is true."""
    parents = graph_by(layers, feeds)
    children, last = children_of(parents), max(layers)
    found: Labelled = []
    for v, layer in enumerate(layers):
        before = range(max(0, layer - 1), layer) if feeds is from_the_last else range(layer)
        size = sum(len(_members(layers, k)) for k in before)
        found.append(({"entry": v, "part": "in"}, Fraction(len(parents[v]) - size)))
        found.append(({"entry": v, "part": "out"}, Fraction((not children[v]) != (layer == last))))
    return found


def distances_and_layers(scene: object, feeds: Feeds) -> Entries:
    """p(v) minus the layer of v."""
    return _each(partial(distances_by, feeds=feeds), scene)


def distances_by(layers: Layers, feeds: Feeds) -> Labelled:
    """p(v) minus the layer of v, for each vertex."""
    p = distances(graph_by(layers, feeds))
    return [({"entry": v}, Fraction(p[v] - layer)) for v, layer in enumerate(layers)]


# arguments ----------------------------------------------------------------------------------------
SMALL = 3


def small_layers() -> list[list[int]]:
    """The layers of all networks with L from 1 to 3 and sizes 1 to 3."""
    sizes = [some for depth in (2, 3, 4) for some in product(range(1, SMALL + 1), repeat=depth)]
    return [[layer for layer, size in enumerate(some) for _ in range(size)] for some in sizes]


LARGER = "larger sizes and more layers are not looked at"
SCOPE = (f"networks with L from 1 to 3 and sizes 1 to {SMALL}",)


def values_listed(feeds: Feeds) -> Argument:
    """All small sizes, in symbols."""
    return Argument(
        "for all small sizes the two forms are one polynomial in weights, inputs and the values of "
        "the activations",
        tuple(_one_polynomial(layers, feeds) for layers in small_layers()),
        (SYMBOLS, LARGER),
        f"matrix_and_graph(feeds={feeds.__name__})",
        (LAYERED.name, LINEAR_END.name, "printed divisor"),
        (*SCOPE, "any activations"),
        section="docs/mathematics/zlb22.md#forms-of-one-network",
    )


def _one_polynomial(layers: Layers, feeds: Feeds) -> Step:
    parents = graph_by(layers, feeds)
    symbols, weights, x = symbols_for(parents)
    outputs = {v for v, below in enumerate(children_of(parents)) if not below}

    def on_graph(v: int, z: Any) -> Any:
        return z if v in outputs else symbols.activation(v, z)

    one = by_matrices(layers, feeds, weights, symbols.activation, x)
    other = along_edges(parents, weights, on_graph, x, symbols.zero)
    holds = all(symbols.is_zero(a - b) for a, b in zip(one, other, strict=True))
    sizes = [list(layers).count(layer) for layer in range(max(layers) + 1)]
    return Step(f"sizes {sizes}: each neuron has one polynomial in both forms", holds)


def counts_listed(
    function: Callable[[Layers, Feeds], Labelled], name: str, feeds: Feeds
) -> Argument:
    """All small sizes, in integers."""
    all_layers = small_layers()
    entries = [value for layers in all_layers for _, value in function(layers, feeds)]
    text = f"{len(entries)} entries of {len(all_layers)} networks are 0"
    return Argument(
        "for all small sizes it holds on the DAG",
        (Step(text, not any(entries)),),
        (LARGER,),
        f"{name}(feeds={feeds.__name__})",
        (LAYERED.name,),
        SCOPE,
        section="docs/mathematics/zlb22.md#forms-of-one-network",
    )


# the claims ---------------------------------------------------------------------------------------
FCN = (
    r"$f^{(0)}=x$; $f^{(\ell)}=\sigma\big(\tfrac1{\sqrt{m^{(\ell-1)}}}W^{(\ell)}f^{(\ell-1)}"
    r"\big)$, $\ell\in[L-1]$; $f=f^{(L)}=\tfrac1{\sqrt{m^{(L-1)}}}W^{(L)}f^{(L-1)}$"
)
DENSE = (
    r"$f^{(0)}=x$; $f^{(\ell)}=\sigma\big((\sum_{\ell'=0}^{\ell-1}m^{(\ell')})^{-1/2}W^{(\ell)}"
    r"[(f^{(0)})^T,\dots,(f^{(\ell-1)})^T]^T\big)$, $\ell\in[L-1]$; $f=(\sum_{\ell'=0}^{L-1}"
    r"m^{(\ell')})^{-1/2}W^{(L)}[(f^{(0)})^T,\dots,(f^{(L-1)})^T]^T$"
)


def _claims(
    name: str, where: str, title: str, form: str, feeds: Feeds, size: str, words: str
) -> tuple[Claim, ...]:
    of = ("zlb22.def2.2", "zlb22.def2.5")
    values = Claim(
        f"zlb22.appA.{name}",
        Kind.IDENTITY,
        printed(where),
        f"{title} as a network on a DAG",
        f"{form}. This is a special case of Definition 2.2: the values of all neurons are those of "
        "the network on the DAG, whose inputs are the neurons of layer 0 and whose outputs those "
        "of layer $L$.",
        (LAYERED, LINEAR_END, divisor(words)),
        of,
        measure=partial(matrix_and_graph, feeds=feeds),
        pool=POOL,
        exact_only=True,
        proof=partial(values_listed, feeds),
    )
    in_degrees = Claim(
        f"zlb22.appA.{name}.degrees",
        Kind.IDENTITY,
        printed(where),
        f"in-degrees and outputs of a {title}",
        f"{form}: each non-input neuron has in-degree {size}; inputs have in-degree zero, outputs "
        "(layer $L$, and no other neuron) out-degree zero.",
        (LAYERED,),
        of,
        measure=partial(degrees, feeds=feeds),
        pool=POOL,
        exact_only=True,
        proof=partial(counts_listed, degrees_by, "degrees", feeds),
    )
    in_layers = Claim(
        f"zlb22.appA.{name}.layers",
        Kind.IDENTITY,
        printed(where),
        f"distances in a {title}",
        rf"{form}: the neurons $f^{{(\ell)}}$ are layer $\ell$ of the DAG, $p(v)=\ell$.",
        (LAYERED,),
        ("zlb22.def2.1", *of),
        measure=partial(distances_and_layers, feeds=feeds),
        pool=POOL,
        exact_only=True,
        proof=partial(counts_listed, distances_by, "distances_and_layers", feeds),
    )
    return (values, in_degrees, in_layers)


CLAIMS = (
    *_claims(
        "fcn",
        "Appendix A, eq. (22)",
        "fully connected network",
        FCN,
        from_the_last,
        r"$m^{(\ell-1)}$",
        "the size of the previous layer",
    ),
    *_claims(
        "dense",
        "Appendix A, eqs (23), (24)",
        "DenseNet",
        DENSE,
        from_all_earlier,
        r"$\sum_{\ell'=0}^{\ell-1}m^{(\ell')}$",
        "the sum of the sizes of all previous layers",
    ),
)
