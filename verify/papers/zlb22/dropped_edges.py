"""Appendix A: a network whose edges are dropped at random, and the network on the DAG that is left.

`E`, `W`, `A`, `X` are those of verify.kinds.dags.scene; `K` (n, n) holds the indicators of xi >= p,
1 at [v, u] where the edge from u to v is kept. W holds the weights over the square root of the
in-degree after dropping, so that the network on the new DAG is rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.dags.hypotheses import DAG, rows_of_activations
from verify.kinds.dags.pool import dag_pool
from verify.kinds.dags.scene import Dag
from verify.papers.zlb22.digraphs import NAMES, Labelled, Parents, small_graphs
from verify.papers.zlb22.forward_passes import (
    SYMBOLS,
    Activation,
    Weights,
    along_edges,
    polynomial_value,
    symbols_for,
)
from verify.papers.zlb22.neurons import below_diagonal, inputs_at, normalised
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import each_case

ZERO, ONE = Fraction(0), Fraction(1)


# the two networks ---------------------------------------------------------------------------------
def kept_parents(case: Tensors) -> Parents:
    """The parents on the DAG without the dropped edges."""
    before, marks = below_diagonal(case), below_diagonal(case, "K")
    return tuple(
        tuple(u for u in above if u in kept) for above, kept in zip(before, marks, strict=True)
    )


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


def dropped_and_new(scene: object) -> Entries:
    """With the in-degree after dropping: the value of each neuron of the network with dropped edges
    minus that on the new DAG."""
    return each_case(_values_apart, scene)


def _values_apart(case: Dag) -> Labelled:
    before, kept, weights = below_diagonal(case), kept_parents(case), normalised(case)
    rows = rows_of_activations(case)

    def activation(v: int, z: Fraction) -> Fraction:
        return polynomial_value(rows[v], z)

    found: Labelled = []
    for at in range(case.lengths["N"]):
        x = inputs_at(case, at)
        one = with_indicators(before, kept, weights, activation, x, ZERO)
        other = along_edges(kept, weights, activation, x, ZERO)
        found += [({"entry": v, "point": at}, one[v] - other[v]) for v in range(len(before))]
    return found


# hypotheses ---------------------------------------------------------------------------------------
def _marks(case: Dag, random: Random) -> Dag:
    array = case.arrays["K"]
    entries = tuple(Fraction(entry > 0) for entry in array.entries)
    return case.changing(K=replace(array, entries=entries, held=True))


MARKS = Hypothesis(
    "indicators",
    r"$K_{vu}=\mathbb I\{\xi_{v,u}\ge p\}$ is $1$ (kept) or $0$ (dropped)",
    by_case(lambda case: all(entry in (0, 1) for entry in case.arrays["K"].entries)),
    _marks,
    thin=True,
)


def _with_marks(case: Dag, edges: set[tuple[int, int]], *, there: bool) -> Dag:
    array, count = case.arrays["K"], case.lengths["n"]
    entries = list(array.entries)
    for v, u in edges:
        entries[v * count + u] = ONE if there else ZERO
    return case.changing(K=replace(array, entries=tuple(entries), held=True))


def _bare(case: Tensors) -> list[int]:
    """Neurons all of whose edges are dropped."""
    pairs = zip(below_diagonal(case), kept_parents(case), strict=True)
    return [v for v, (before, kept) in enumerate(pairs) if before and not kept]


def _keep_one(case: Dag, random: Random) -> Dag:
    before = below_diagonal(case)
    return _with_marks(case, {(v, random.choice(before[v])) for v in _bare(case)}, there=True)


def _drop_all(case: Dag, random: Random) -> Dag:
    before = below_diagonal(case)
    inner = [v for v, above in enumerate(before) if above]
    if not inner:
        return case
    v = random.choice(inner)
    return _with_marks(case, {(v, u) for u in before[v]}, there=False)


KEEPS = Hypothesis(
    "an edge is kept at every neuron",
    "no neuron loses all its incoming edges (else the in-degree after dropping is 0; a sum over "
    "nothing is 0)",
    by_case(lambda case: not _bare(case)),
    _keep_one,
    _drop_all,
    thin=True,
)


# argument -----------------------------------------------------------------------------------------
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
        for parents in small_graphs(count):
            for kept in _masks(parents):
                symbols, weights, x = symbols_for(parents)
                one = with_indicators(parents, kept, weights, symbols.activation, x, symbols.zero)
                other = along_edges(kept, weights, symbols.activation, x, symbols.zero)
                holds &= all(symbols.is_zero(a - b) for a, b in zip(one, other, strict=True))
                ways += 1
        steps.append(Step(f"{count} vertices: one polynomial, for {ways} ways to drop", holds))
    return Argument(
        "on every small graph the network with dropped edges and the network on the new graph are "
        "one polynomial in weights, inputs and the values of the activations",
        tuple(steps),
        (SYMBOLS, *NAMES),
        "dropped_and_new",
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
    Claim(
        "zlb22.appA.drop@B",
        Kind.IDENTITY,
        printed(WHERE),
        "dropped edges as a network on a new DAG",
        f"{DISPLAY}. {NEW} (Judged on the values of all neurons; one that nothing reads any more "
        "keeps its activation.)",
        (DAG, MARKS, KEEPS),
        ("zlb22.def2.2", "zlb22.def2.5"),
        reading="B",
        reading_text="$m_k^{(\\ell)}$ in the display is the in-degree after dropping",
        measure=dropped_and_new,
        pool=POOL,
        exact_only=True,
        proof=new_graph_listed,
    ),
)
