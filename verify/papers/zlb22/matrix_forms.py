"""Appendix A: fully connected networks and DenseNets, by matrices and as networks on a DAG.

Cases are those of layered_networks. The DAG is made from the layers alone: distances, in-degrees,
inputs and outputs are counted on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import (
    Count,
    Each,
    Filter,
    Fold,
    Let,
    Max,
    Some,
    Sum,
    When,
    between,
    card,
    dim,
    element,
    matrix,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.zlb22 import digraphs
from verify.papers.zlb22.dag_notation import polynomial
from verify.papers.zlb22.digraphs import Labelled, Parents, children_of
from verify.papers.zlb22.forward_passes import (
    SYMBOLS,
    Activation,
    Weights,
    along_edges,
    symbols_for,
)
from verify.papers.zlb22.layered_networks import (
    DIVISOR,
    END,
    INPUTS,
    LAST,
    LAYER,
    LAYERED,
    LAYERS_ALONE,
    LINEAR_END,
    POOL,
    SIGMA,
    VERTICES,
    WEIGHTS,
    divisor,
    members,
    members_of,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import stated

# on the DAG ---------------------------------------------------------------------------------------
Numbers = Callable[[Term], Term]  # of the layers that feed a layer


def last_numbers(number: Term) -> Term:
    """Fully connected: the layer before."""
    return Filter(between(0, LAST), lambda k: k == number - 1)


def all_earlier_numbers(number: Term) -> Term:
    """DenseNet: all layers before."""
    return Filter(between(0, LAST), lambda k: k < number)


def parents(v: Term, feeds: Numbers) -> Term:
    """All neurons of the layers that feed its own."""
    return Filter(VERTICES, lambda u: Some(feeds(LAYER[v]), lambda k: LAYER[u] == k))


def has_child(u: Term, feeds: Numbers) -> Term:
    """Whether an edge leaves a neuron."""
    return Some(VERTICES, lambda v: element(u, parents(v, feeds)))


def repeated(start: Term, at_neuron: Callable[[Term, Term], Term], feeds: Numbers) -> Term:
    """A number for each neuron: that of `start` where no edge enters, else what is made of those of
    its parents; as often as there are neurons, so that each comes after those before it."""
    return Fold(
        VERTICES,
        start,
        lambda found, step: vector(
            dim(LAYER),
            lambda v: When(card(parents(v, feeds)) == 0, start[v], at_neuron(found, v)),
        ),
    )


def on_graph(feeds: Numbers) -> Term:
    """(2), (3): the values of all neurons."""

    def at_neuron(values: Term, v: Term) -> Term:
        z = Sum(parents(v, feeds), lambda u: WEIGHTS[v, u] * values[u])
        return Let(z, lambda z: When(has_child(v, feeds), polynomial(SIGMA, z), polynomial(END, z)))

    return repeated(INPUTS, at_neuron, feeds)


def distances(feeds: Numbers) -> Term:
    """p(v)."""
    start = vector(dim(LAYER), lambda v: LAYER[v] - LAYER[v])
    return repeated(start, lambda p, v: 1 + Max(parents(v, feeds), lambda u: p[u]), feeds)


# by matrices --------------------------------------------------------------------------------------
X0 = vector(card(members(0)), lambda i: INPUTS[members(0)[i]])


def next_layer(number: Term, columns: Term, values: Term) -> Term:
    """The matrix of the weights of a layer times the vector of what feeds it, over the divisor;
    hidden neurons have an activation, outputs none."""
    lines = members(number)
    weights = matrix(card(lines), card(columns), lambda i, j: WEIGHTS[lines[i], columns[j]])
    return Let(
        weights @ values / DIVISOR,
        lambda z: vector(dim(z), lambda i: When(number == LAST, z[i], polynomial(SIGMA, z[i]))),
    )


def fully_connected(number: Term) -> Term:
    """(22): f^(l)."""
    return Fold(upto(number), X0, lambda values, k: next_layer(k, members(k - 1), values))


def stacked(one: Term, other: Term) -> Term:
    """[x^T, y^T]^T."""
    return vector(dim(one) + dim(other), lambda i: When(i <= dim(one), one[i], other[i - dim(one)]))


DENSE_VALUES = Fold(
    upto(LAST),
    X0,
    lambda values, k: stacked(values, next_layer(k, members_of(between(0, k - 1)), values)),
)
"""(23), (24): the vectors of all layers, one below the other."""

IN_ORDER = members_of(between(0, LAST))
SAME_FULLY_CONNECTED = Each(
    between(0, LAST),
    lambda number: Each(
        upto(card(members(number))),
        lambda i: fully_connected(number)[i] == on_graph(last_numbers)[members(number)[i]],
    ),
)
SAME_DENSE = Each(
    upto(card(IN_ORDER)),
    lambda i: DENSE_VALUES[i] == on_graph(all_earlier_numbers)[IN_ORDER[i]],
)


# counts -------------------------------------------------------------------------------------------
def size_before(v: Term) -> Term:
    """m^(l-1), l the layer of a neuron; 0 for an input."""
    return card(members(LAYER[v] - 1))


def size_of_all_before(v: Term) -> Term:
    """The sum of the sizes of the layers before that of a neuron."""
    return Count(VERTICES, lambda u: LAYER[u] < LAYER[v])


def degrees(feeds: Numbers, size: Callable[[Term], Term]) -> Term:
    """In-degrees are these sizes; just layer L has out-degree 0."""
    sizes = Each(VERTICES, lambda v: card(parents(v, feeds)) == size(v))
    return sizes & Each(VERTICES, lambda v: has_child(v, feeds) == (LAYER[v] < LAST))


def distances_are_layers(feeds: Numbers) -> Term:
    """p(v) = l."""
    return Each(VERTICES, lambda v: distances(feeds)[v] == LAYER[v])


# arguments ----------------------------------------------------------------------------------------
Layers = Sequence[int]  # of each vertex
Feeds = Callable[[int, int], bool]  # whether a layer (the second) feeds a layer


def from_the_last(layer: int, other: int) -> bool:
    """Fully connected: from the layer before."""
    return other == layer - 1


def from_all_earlier(layer: int, other: int) -> bool:
    """DenseNet: from all layers before."""
    return other < layer


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


def distances_by(layers: Layers, feeds: Feeds) -> Labelled:
    """p(v) minus the layer of v, for each vertex."""
    p = digraphs.distances(graph_by(layers, feeds))
    return [({"entry": v}, Fraction(p[v] - layer)) for v, layer in enumerate(layers)]


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


def counts_listed(function: Callable[[Layers, Feeds], Labelled], feeds: Feeds) -> Argument:
    """All small sizes, in integers."""
    all_layers = small_layers()
    entries = [value for layers in all_layers for _, value in function(layers, feeds)]
    text = f"{len(entries)} entries of {len(all_layers)} networks are 0"
    return Argument(
        "for all small sizes it holds on the DAG",
        (Step(text, not any(entries)),),
        (LARGER,),
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
    name: str,
    where: str,
    title: str,
    form: str,
    feeds: Feeds,
    numbers: Numbers,
    same: Term,
    in_degree: Callable[[Term], Term],
    size: str,
    words: str,
) -> tuple[Claim, ...]:
    of = ("zlb22.def2.2", "zlb22.def2.5")
    values = stated(
        f"zlb22.appA.{name}",
        printed(where),
        f"{title} as a network on a DAG",
        f"{form}. This is a special case of Definition 2.2: the values of all neurons are those of "
        "the network on the DAG, whose inputs are the neurons of layer 0 and whose outputs those "
        "of layer $L$.",
        same,
        (LAYERED, LINEAR_END, divisor(words)),
        depends=of,
        pool=POOL,
        exact_only=True,
        proof=partial(values_listed, feeds),
    )
    counted, in_place = degrees(numbers, in_degree), distances_are_layers(numbers)
    in_degrees = stated(
        f"zlb22.appA.{name}.degrees",
        printed(where),
        f"in-degrees and outputs of a {title}",
        f"{form}: each non-input neuron has in-degree {size}; inputs have in-degree zero, outputs "
        "(layer $L$, and no other neuron) out-degree zero.",
        counted,
        (LAYERED,),
        depends=of,
        pool=LAYERS_ALONE,
        exact_only=True,
        proof=partial(counts_listed, degrees_by, feeds),
    )
    in_layers = stated(
        f"zlb22.appA.{name}.layers",
        printed(where),
        f"distances in a {title}",
        rf"{form}: the neurons $f^{{(\ell)}}$ are layer $\ell$ of the DAG, $p(v)=\ell$.",
        in_place,
        (LAYERED,),
        depends=("zlb22.def2.1", *of),
        pool=LAYERS_ALONE,
        exact_only=True,
        proof=partial(counts_listed, distances_by, feeds),
    )
    return (values, in_degrees, in_layers)


CLAIMS = (
    *_claims(
        "fcn",
        "Appendix A, eq. (22)",
        "fully connected network",
        FCN,
        from_the_last,
        last_numbers,
        SAME_FULLY_CONNECTED,
        size_before,
        r"$m^{(\ell-1)}$",
        "the size of the previous layer",
    ),
    *_claims(
        "dense",
        "Appendix A, eqs (23), (24)",
        "DenseNet",
        DENSE,
        from_all_earlier,
        all_earlier_numbers,
        SAME_DENSE,
        size_of_all_before,
        r"$\sum_{\ell'=0}^{\ell-1}m^{(\ell')}$",
        "the sum of the sizes of all previous layers",
    ),
)
