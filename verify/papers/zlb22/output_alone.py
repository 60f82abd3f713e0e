"""Section 2.2: an output outside of the last layer, with its ancestors as a network of its own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from verify.claim import Kind
from verify.papers.zlb22.digraphs import Labelled, Parents, children_of, distances, of_graph
from verify.papers.zlb22.graph_claims import graph_claim
from verify.vocabulary import Entries


def narrowest(parents: Parents) -> int | None:
    """The width of Definition 2.7, reading A: the least in-degree from layer 2 on; None for the
    infimum over nothing."""
    p = distances(parents)
    return min((len(above) for v, above in enumerate(parents) if p[v] >= 2), default=None)


def ancestors_of(parents: Parents, v: int) -> list[int]:
    """The vertices from which a path leads to v, and v, in order."""
    found, waiting = {v}, [v]
    while waiting:
        more = set(parents[waiting.pop()]) - found
        found |= more
        waiting += more
    return sorted(found)


def alone_with_ancestors(parents: Parents, v: int) -> Parents:
    """The graph of v and its ancestors."""
    kept = ancestors_of(parents, v)
    place = {u: k for k, u in enumerate(kept)}
    return tuple(tuple(place[w] for w in parents[u] if w in place) for u in kept)


def changes_for_an_output(parents: Parents) -> Labelled:
    """For each output v, on the graph of v and its ancestors: how many distances and in-degrees
    differ; outputs beside one; and 1 where that one is not in the last layer."""
    p = distances(parents)
    found: Labelled = []
    for v, below in enumerate(children_of(parents)):
        if below:
            continue
        kept, own = ancestors_of(parents, v), alone_with_ancestors(parents, v)
        q = distances(own)
        last = [k for k, children in enumerate(children_of(own)) if not children]
        moved = sum(q[k] != p[u] for k, u in enumerate(kept))
        fewer = sum(len(own[k]) != len(parents[u]) for k, u in enumerate(kept))
        inner = len(last) - 1 + sum(q[k] != max(q) for k in last)
        for part, value in (("distances", moved), ("in-degrees", fewer), ("outputs", inner)):
            found.append(({"entry": v, "part": part}, Fraction(value)))
    return found


def widths_for_an_output(parents: Parents) -> Labelled:
    """For each output v: 1/m minus 1/m_v, with the widths of the graph and of that of v and its
    ancestors; 1 over the infimum over nothing is 0."""
    whole = _inverse(narrowest(parents))
    return [
        ({"entry": v}, whole - _inverse(narrowest(alone_with_ancestors(parents, v))))
        for v, below in enumerate(children_of(parents))
        if not below
    ]


def _inverse(width: int | None) -> Fraction:
    return Fraction(0) if width is None else Fraction(1, width)


def output_alone(scene: object) -> Entries:
    """An output, seen as the only one."""
    return of_graph(changes_for_an_output, scene)


def width_of_output_alone(scene: object) -> Entries:
    """The width with an output as the only one."""
    return of_graph(widths_for_an_output, scene)


# the claims ---------------------------------------------------------------------------------------
WHERE = "Definition 2.5, eqs (4), (6), (7); Section 2.2"
EVERY_OUTPUT = "The analysis applies to every output neuron even if not all lie in one layer: "

_alone = graph_claim(
    "zlb22.def2.5.alone",
    Kind.IDENTITY,
    WHERE,
    "an output in an inner layer",
    EVERY_OUTPUT + "an output and its ancestors make a network of their own, with this output "
    "alone, in its last layer, and with the same distances and in-degrees.",
    measure=output_alone,
    entries=changes_for_an_output,
    small="an output keeps its ancestors, their distances and in-degrees",
    depends=("zlb22.def2.5",),
)
_width = replace(
    graph_claim(
        "zlb22.def2.5.alone.width@A",
        Kind.INEQUALITY,
        WHERE,
        "the width for an output in an inner layer",
        EVERY_OUTPUT + r"the network of an output and its ancestors has width $m_v\ge m$.",
        measure=width_of_output_alone,
        entries=widths_for_an_output,
        small="an output with its ancestors has at least the same width",
        depends=("zlb22.def2.5.alone", "zlb22.def2.7@A"),
    ),
    reading="A",
    reading_text="the width is the least in-degree of the neurons outside of the input layer and "
    "the first layer",
)

CLAIMS = (_alone, _width)
