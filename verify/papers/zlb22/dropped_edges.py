"""Appendix A: a network whose edges are dropped at random, and the network on the DAG that is left.

`E`, `W`, `A`, `X` are those of dag_notation; `K` (n, n) holds the indicators of xi >= p. W holds
the weights over the square root of the in-degree after dropping, so that the network on the new DAG
is rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.kinds.dags.pool import dag_pool
from verify.language.building import Each, Filter, Matrix, Sum, card, row
from verify.language.terms import Term
from verify.papers.zlb22.dag_notation import (
    DAG,
    NEURONS,
    POINTS,
    VERTICES,
    W,
    X,
    forward,
    parents,
    sigma,
)
from verify.papers.zlb22.digraphs import NAMES, Parents, small_graphs
from verify.papers.zlb22.forward_passes import (
    SYMBOLS,
    Activation,
    Weights,
    along_edges,
    symbols_for,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import Given, stated

ZERO, ONE = Fraction(0), Fraction(1)


# the two networks ---------------------------------------------------------------------------------
KEPT = Matrix("K", "n", "n", meaning="1 at [v, u] where the edge from u to v is kept, else 0")


def left(v: Term) -> Term:
    """The parents on the DAG without the dropped edges."""
    return Filter(parents(v), lambda u: KEPT[v, u] == 1)


NEURONS_LEFT = Filter(VERTICES, lambda v: card(left(v)) > 0)


def displayed(at: Term) -> Term:
    """At each neuron the sum over all edges, with the indicator of those that are kept."""
    return forward(
        row(X, at),
        lambda values, v: sigma(v, Sum(parents(v), lambda u: W[v, u] * values[u] * KEPT[v, u])),
    )


def on_new_graph(at: Term) -> Term:
    """The network on the new DAG."""
    return forward(
        row(X, at),
        lambda values, v: sigma(v, Sum(left(v), lambda u: W[v, u] * values[u])),
        NEURONS_LEFT,
    )


SAME_VALUES = Each(
    POINTS, lambda at: Each(VERTICES, lambda v: displayed(at)[v] == on_new_graph(at)[v])
)


# hypotheses ---------------------------------------------------------------------------------------
def _marks(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["K"]
    entries = tuple(Fraction(entry > 0) for entry in array.entries)
    return case.changing(K=replace(array, entries=entries, held=True))


MARKS = Given(
    "indicators",
    Each(
        VERTICES,
        lambda v: Each(VERTICES, lambda u: (KEPT[v, u] == 0) | (KEPT[v, u] == 1)),
    ),
    r"$K_{vu}=\mathbb I\{\xi_{v,u}\ge p\}$ is $1$ (kept) or $0$ (dropped)",
    _marks,
    thin=True,
    built_in=True,
)


def _with_marks(case: Tensors, edges: set[tuple[int, int]], *, there: bool) -> Tensors:
    array, count = case.arrays["K"], case.lengths["n"]
    entries = list(array.entries)
    for v, u in edges:
        entries[v * count + u] = ONE if there else ZERO
    return case.changing(K=replace(array, entries=tuple(entries), held=True))


def _parents(case: Tensors, name: str = "E") -> Parents:
    """Of each vertex: those with marks of 1."""
    count, entries = case.lengths["n"], case.arrays[name].entries
    return tuple(tuple(u for u in range(v) if entries[v * count + u] == 1) for v in range(count))


def _bare(case: Tensors) -> list[int]:
    """Neurons all of whose edges are dropped."""
    pairs = zip(_parents(case), _parents(case, "K"), strict=True)
    return [v for v, (before, kept) in enumerate(pairs) if before and not set(before) & set(kept)]


def _keep_one(case: Tensors, random: Random) -> Tensors:
    before = _parents(case)
    return _with_marks(case, {(v, random.choice(before[v])) for v in _bare(case)}, there=True)


def _drop_all(case: Tensors, random: Random) -> Tensors:
    before = _parents(case)
    inner = [v for v, above in enumerate(before) if above]
    if not inner:
        return case
    v = random.choice(inner)
    return _with_marks(case, {(v, u) for u in before[v]}, there=False)


KEEPS = Given(
    "an edge is kept at every neuron",
    Each(NEURONS, lambda v: card(left(v)) > 0),
    "no neuron loses all its incoming edges (else the in-degree after dropping is 0; a sum over "
    "nothing is 0)",
    _keep_one,
    _drop_all,
    thin=True,
)


# argument -----------------------------------------------------------------------------------------
def with_indicators(
    before: Parents,
    kept: Parents,
    weights: Weights,
    activation: Activation,
    x: Sequence[Any],
    zero: Any,
) -> list[Any]:
    """The display: at each neuron the sum over all edges, those dropped times 0."""
    values: list[Any] = []
    for v, above in enumerate(before):
        total = zero
        for u in above:
            total = total + weights[v, u] * values[u] * int(u in kept[v])
        values.append(activation(v, total) if above else x[v])
    return values


LISTED = 4


def _masks(parents: Parents) -> Iterator[Parents]:
    """Every way to keep an edge at least at every neuron."""
    choices = [
        [
            kept
            for mask in product((True, False), repeat=len(above))
            if (kept := tuple(u for u, there in zip(above, mask, strict=True) if there))
            or not above
        ]
        for above in parents
    ]
    yield from product(*choices)


def new_graph_listed() -> Argument:
    """Every small graph, every way to drop edges, in symbols."""
    steps = []
    for count in range(1, LISTED + 1):
        holds, ways = True, 0
        for before in small_graphs(count):
            for kept in _masks(before):
                symbols, weights, x = symbols_for(before)
                one = with_indicators(before, kept, weights, symbols.activation, x, symbols.zero)
                other = along_edges(kept, weights, symbols.activation, x, symbols.zero)
                holds &= all(symbols.is_zero(a - b) for a, b in zip(one, other, strict=True))
                ways += 1
        steps.append(Step(f"{count} vertices: one polynomial, for {ways} ways to drop", holds))
    return Argument(
        "on every small graph the network with dropped edges and the network on the new graph are "
        "one polynomial in weights, inputs and the values of the activations",
        tuple(steps),
        (SYMBOLS, *NAMES),
        (DAG.name, MARKS.name, KEEPS.name),
        (
            f"every directed acyclic graph with at most {LISTED} vertices, up to their names",
            "every set of dropped edges that leaves each neuron one",
            "any activations",
        ),
        section="docs/mathematics/zlb22.md#dropped-edges",
    )


# the claims ---------------------------------------------------------------------------------------
WHERE = "Appendix A, randomly dropped edges"
DISPLAY = (
    r"If each edge is randomly dropped with parameter $p$, the equation of a neuron becomes "
    r"$f_k^{(\ell)}=\sigma\big((m_k^{(\ell)})^{-1/2}\sum_j(\mathbf w_k^{(\ell)})_j"
    r"(f_{S_k^{(\ell)}})_j\,\mathbb I\{\xi_{k,j}^{(\ell)}\ge p\}\big)$"
)
NEW = (
    r"Removing from the DAG the edges whose $\xi$ is less than $p$ gives a new DAG, and the "
    "network on it is the network with randomly dropped edges."
)
POOL = dag_pool(extras=(("K", ("n", "n")),))

CLAIMS = (
    stated(
        "zlb22.appA.drop@B",
        printed(WHERE),
        "dropped edges as a network on a new DAG",
        f"{DISPLAY}. {NEW} (Judged on the values of all neurons; one that nothing reads any more "
        "keeps its activation.)",
        SAME_VALUES,
        (DAG, MARKS, KEEPS),
        depends=("zlb22.def2.2", "zlb22.def2.5"),
        reading="B",
        reading_text="$m_k^{(\\ell)}$ in the display is the in-degree after dropping",
        pool=POOL,
        exact_only=True,
        proof=new_graph_listed,
    ),
)
