"""Definition 2.1: the distance p(v) of a vertex to the input, the length of the longest path."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Kind
from verify.papers.zlb22.digraphs import Labelled, Parents, distances, of_graph
from verify.papers.zlb22.graph_claims import graph_claim
from verify.vocabulary import Entries


def above_parents(parents: Parents) -> Labelled:
    """p(v) - max (p(u) + 1) over the parents u of v, at each vertex that is no input."""
    p = distances(parents)
    return [
        ({"entry": v}, Fraction(p[v] - max(p[u] + 1 for u in above)))
        for v, above in enumerate(parents)
        if above
    ]


def zero_at_inputs(parents: Parents) -> Labelled:
    """1 at a vertex where just one of p(v) = 0 and in(v) = 0 is true, else 0."""
    p = distances(parents)
    return [({"entry": v}, Fraction((p[v] == 0) != (not above))) for v, above in enumerate(parents)]


def recursion(scene: object) -> Entries:
    """The longest path by the recursion along the edges, against all paths."""
    return of_graph(above_parents, scene)


def inputs_at_zero(scene: object) -> Entries:
    """p(v) = 0 exactly at inputs."""
    return of_graph(zero_at_inputs, scene)


LONGEST = (
    r"For each $v\in\mathcal V\setminus\mathcal V_{\rm input}$, $p(v)$ is the maximum length of "
    r"all paths that start in $\mathcal V_{\rm input}$ and end at $v$"
)
WHERE = "Definition 2.1; Section 2.2"

_definition = graph_claim(
    "zlb22.def2.1",
    Kind.DEFINITION,
    "Definition 2.1",
    "distance to the input",
    LONGEST + r". (Judged on: it is found along the edges, "
    r"$p(v)=\max_{u\in S_{\rm in}(v)}(p(u)+1)$, with $p=0$ at inputs.)",
    measure=recursion,
    entries=above_parents,
    small="the longest path to a vertex is one edge longer than the longest to one of its parents",
)
_zero = graph_claim(
    "zlb22.def2.1.zero",
    Kind.IDENTITY,
    WHERE,
    "distance 0 exactly at inputs",
    LONGEST + r"; $p(v)=0$ if and only if $v\in\mathcal V_{\rm input}$.",
    measure=inputs_at_zero,
    entries=zero_at_inputs,
    small="the longest path to a vertex has length 0 exactly if it is an input",
    depends=("zlb22.def2.1",),
)
CLAIMS = (_definition, _zero)
