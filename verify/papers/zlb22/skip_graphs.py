"""Appendix D: a network with skip connections (30) as a network on a DAG.

Beside the arrays of a DAG network an instance has `S` (n, n): 1 at [v, u] where v takes a skip from
u < v (the first such u; inputs take none). On the DAG the skip is an edge whose normalised weight
is 1, so that with m in-weights w of a neuron, sqrt((m + 1)/m) w on its edges and sqrt(m + 1) on the
new one give the same pre-activation. Where the skip term is a pre-activation, the edge comes from a
copy of the source that has the identity as activation and the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.dag_hypotheses import DAG, rows_of_activations
from verify.dag_pool import dag_pool
from verify.dag_scene import Dag
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.quantities import each_case
from verify.papers.zlb22.digraphs import Labelled, Parents, distances, small_graphs
from verify.papers.zlb22.forward_passes import (
    Activation,
    Weights,
    along_edges,
    polynomial_value,
    symbols_for,
)
from verify.papers.zlb22.neurons import below_diagonal, inputs_at, normalised
from verify.papers.zlb22.sources import printed
from verify.tensors import Tensor
from verify.vocabulary import Entries

Skips = Sequence[int | None]  # of each vertex the one that its skip comes from
ZERO, ONE = Fraction(0), Fraction(1)
PRE = {"A": False, "B": True}  # whether the skip term is a pre-activation


# the two networks ---------------------------------------------------------------------------------
def skips_of(case: Dag) -> list[int | None]:
    """The first source of each vertex that is no input."""
    taken = zip(below_diagonal(case, "S"), below_diagonal(case), strict=True)
    return [sources[0] if above and sources else None for sources, above in taken]


def with_skips(
    parents: Parents,
    skips: Skips,
    weights: Weights,
    activation: Activation,
    x: Sequence[Any],
    *,
    zero: Any,
    pre: bool,
) -> list[Any]:
    """(30): the values, vertex after vertex; edges and skips come from smaller numbers."""
    sums: list[Any] = []
    values: list[Any] = []
    for v, (above, source) in enumerate(zip(parents, skips, strict=True)):
        z = x[v] if not above else zero
        for u in above:
            z = z + weights[v, u] * values[u]
        if source is not None:
            z = z + (sums[source] if pre else values[source])
        sums.append(z)
        values.append(activation(v, z) if above else z)
    return values


@dataclass(frozen=True)
class Unfolded:
    """The DAG network: parents, normalised weights, and for each vertex the original one of which
    it is a copy (itself for the others)."""

    parents: Parents
    weights: dict[tuple[int, int], Any]
    origin: tuple[int, ...]


def unfolded(parents: Parents, skips: Skips, weights: Weights, one: Any, *, pre: bool) -> Unfolded:
    """Skips as edges of normalised weight 1, on top of what the weight of that edge is."""
    count = len(parents)
    copied = sorted({u for u in skips if u is not None and parents[u]}) if pre else []
    place = {u: count + k for k, u in enumerate(copied)}
    origin = (*range(count), *copied)
    edges: dict[tuple[int, int], Any] = {}
    for v, own in enumerate(origin):
        edges |= {(v, u): weights[own, u] for u in parents[own]}
        source = skips[own]
        if source is not None:
            edge = (v, place.get(source, source))
            edges[edge] = edges[edge] + one if edge in edges else one
    rows = tuple(tuple(sorted(u for w, u in edges if w == v)) for v in range(len(origin)))
    return Unfolded(rows, edges, origin)


# measure ------------------------------------------------------------------------------------------
def skips_as_edges(scene: object, *, pre: bool) -> Entries:
    """The value of each neuron by (30) minus that on the DAG; its layer there minus the one without
    skips."""
    return each_case(partial(_differences, pre=pre), scene)


def _differences(case: Dag, *, pre: bool) -> Labelled:
    parents, skips, weights = below_diagonal(case), skips_of(case), normalised(case)
    rows, x = rows_of_activations(case), inputs_at(case, 0)
    made = unfolded(parents, skips, weights, ONE, pre=pre)
    count = len(parents)

    def activation(v: int, z: Fraction) -> Fraction:
        return polynomial_value(rows[v], z) if v < count else z

    one = with_skips(parents, skips, weights, activation, x, zero=ZERO, pre=pre)
    inputs = [x[own] for own in made.origin]
    other = along_edges(made.parents, made.weights, activation, inputs, ZERO)
    found: Labelled = []
    for v, moved in enumerate(layers_moved(parents, made)):
        found.append(({"entry": v, "part": "value"}, one[v] - other[v]))
        found.append(({"entry": v, "part": "layer"}, Fraction(moved)))
    return found


def layers_moved(parents: Parents, made: Unfolded) -> list[int]:
    """By how much each vertex is farther from the inputs on the DAG."""
    before, after = distances(parents), distances(made.parents)
    return [after[v] - p for v, p in enumerate(before)]


# hypotheses ---------------------------------------------------------------------------------------
def _earlier(case: Dag) -> bool:
    p = distances(below_diagonal(case))
    return all(p[u] < p[v] for v, u in enumerate(skips_of(case)) if u is not None)


def _taking(case: Dag, skips: Skips) -> Dag:
    count = case.lengths["n"]
    entries = tuple(Fraction(skips[v] == u) for v in range(count) for u in range(count))
    return case.changing(S=Tensor(("n", "n"), (count, count), entries, held=True))


def _from_earlier(case: Dag, random: Random) -> Dag:
    """Each skip from some vertex of an earlier layer."""
    p = distances(below_diagonal(case))
    skips = skips_of(case)
    for v, u in enumerate(skips):
        if u is not None and p[u] >= p[v]:
            skips[v] = random.choice([w for w in range(v) if p[w] < p[v]])
    return _taking(case, skips)


def _from_the_same(case: Dag, random: Random) -> Dag:
    """A skip from a layer that is not earlier, where there is such a vertex."""
    parents = below_diagonal(case)
    p, skips = distances(parents), skips_of(case)
    pairs = [(v, u) for v, row in enumerate(parents) if row for u in range(v) if p[u] >= p[v]]
    if not pairs:
        return case
    v, u = random.choice(pairs)
    skips[v] = u
    return _taking(case, skips)


EARLIER = Hypothesis(
    "skips from earlier layers",
    r"skip connections come from earlier layers, $A(\ell,k)<\ell$",
    by_case(_earlier),
    _from_earlier,
    _from_the_same,
)


def _with_some(case: Dag, random: Random) -> Dag:
    """A skip into most vertices that are no inputs, from any vertex before."""
    skips = [
        random.randrange(v) if row and random.random() < 0.7 else None
        for v, row in enumerate(below_diagonal(case))
    ]
    return _from_earlier(_taking(case, skips), random)


# argument -----------------------------------------------------------------------------------------
LISTED = 4  # vertices of the graphs that are looked at in symbols, at most


def _maps(parents: Parents) -> Iterator[Skips]:
    """All choices of skips from earlier layers."""
    p = distances(parents)
    choices: list[list[int | None]] = [
        [None, *(u for u in range(v) if row and p[u] < p[v])] for v, row in enumerate(parents)
    ]
    yield from product(*choices)


def _same_values(parents: Parents, skips: Skips, *, pre: bool) -> bool:
    symbols, weights, x = symbols_for(parents)
    one = symbols.ring.constant(ONE)
    made = unfolded(parents, skips, weights, one, pre=pre)
    count = len(parents)

    def activation(v: int, z: Any) -> Any:
        return symbols.activation(v, z) if v < count else z

    left = with_skips(parents, skips, weights, activation, x, zero=symbols.zero, pre=pre)
    inputs = [x[own] for own in made.origin]
    right = along_edges(made.parents, made.weights, activation, inputs, symbols.zero)
    same = all(symbols.is_zero(a - b) for a, b in zip(left, right[:count], strict=True))
    return same and not any(layers_moved(parents, made))


def skips_listed(*, pre: bool) -> Argument:
    """Every small graph with all its skips, in symbols."""
    steps = []
    for count in range(1, LISTED + 1):
        looked_at = [(graph, s) for graph in small_graphs(count) for s in _maps(graph)]
        holds = all(_same_values(graph, skips, pre=pre) for graph, skips in looked_at)
        text = f"{count} vertices: {len(looked_at)} networks have the values and layers of the DAG"
        steps.append(Step(text, holds))
    return Argument(
        "on every small graph, with any skips from earlier layers, the values are one polynomial "
        "in weights, inputs and the values of the activations, and no layer is another one",
        tuple(steps),
        (),
        f"skips_as_edges(pre={pre})",
        (DAG.name, EARLIER.name),
        (f"every directed acyclic graph with at most {LISTED} vertices, up to their names",),
    )


# claims -------------------------------------------------------------------------------------------
def _claim(reading: str, text: str, term: str, edge: str) -> Claim:
    pre = PRE[reading]
    return Claim(
        f"zlb22.thmD.1.graph@{reading}",
        Kind.IDENTITY,
        printed("Appendix D, (30)"),
        "a network with skip connections as a network on a DAG",
        r"A network with skip connections, $\tilde f_k^{(\ell)}=(m_k^{(\ell)})^{-1/2}"
        rf"(\mathbf w_k^{{(\ell)}})^Tf_{{S_k^{{(\ell)}}}}+{term}^{{(A(\ell,k))}}_{{B(\ell,k)}}$, "
        r"$A(\ell,k)<\ell$, has the values of the network on the DAG with one more edge for each "
        rf"skip connection, {edge} (where there is this edge already, so much more on it), and "
        "every neuron stays in its layer.",
        (DAG, EARLIER),
        ("zlb22.def2.2",),
        partial(skips_as_edges, pre=pre),
        dag_pool(extras=(("S", ("n", "n")),), points=1, most=6, last=_with_some),
        reading,
        text,
        exact_only=True,
        proof=partial(skips_listed, pre=pre),
    )


CLAIMS = (
    _claim(
        "A",
        "the skip term is the neuron",
        "f",
        r"of weight $\sqrt{m+1}$ beside $\sqrt{(m+1)/m}\,w$",
    ),
    _claim(
        "B",
        "the skip term is the pre-activation",
        r"\tilde f",
        "from a copy of its source with the identity as activation and the same weights",
    ),
)
