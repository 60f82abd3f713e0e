"""Which statement of LJ22 explains a law, read off the mixing that proves it.

lemma 2 (4) for one vertex, (5) for one pair, lemma 3 for the layers before and behind a set of
vertices, Theorem 1 with weight sharing (lemma 9) for channels of linear vertices. Whatever none of
them says is "unnamed".
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from graphs.laws.law import ONE, UNNAMED, Law, Mixing, Term
from graphs.laws.plan import Plan
from graphs.layers import distance_cuts, is_layer

VERTEX, PAIR, LAYERS, CHANNELS = "lj22.lemma2a", "lj22.lemma2b", "lj22.lemma3@B", "lj22.thm1"


def named(plan: Plan, mixing: Mixing, terms: tuple[Term, ...]) -> Law:
    """The law with its name and a subject."""
    net = plan.network
    vertices = sorted({end for v, u, _ in mixing.entries for end in (v, u)})
    names = [net.names[v] for v in vertices]
    diagonal = all(v == u for v, u, _ in mixing.entries)
    own = all(net.own_parameter(e) for v in vertices for e in (*net.in_edges[v], *net.out_edges[v]))
    name = UNNAMED
    if len(mixing.entries) == 1 and own and diagonal:
        name = VERTEX
    elif len(mixing.entries) == 1 and own and _alike(plan, *vertices):
        name = PAIR
    elif _channels(plan, mixing, terms):
        name = CHANNELS
    if len(mixing.entries) == 1:
        subject = f"vertex {names[0]}" if diagonal else f"pair {names[0]}, {names[1]}"
    elif diagonal:
        subject = f"vertices {_listed(names)}"
    else:
        count = len(mixing.entries)
        subject = f"{count} pairs of the vertices {_listed(names)}"
    return Law(terms, name, subject, mixing)


def _alike(plan: Plan, u: int, v: int) -> bool:
    """Whether two vertices have the same neighbours and the same slope and scale."""
    net = plan.network
    into, out_of = (
        [[ends[e] for e in edges[w]] for w in (u, v)]
        for ends, edges in ((net.tails, net.in_edges), (net.heads, net.out_edges))
    )
    same = into[0] == into[1] and out_of[0] == out_of[1]
    return same and plan.gain_square(u) == plan.gain_square(v)


def layer_mixings(plan: Plan) -> Iterable[tuple[Mixing, str]]:
    """For each two layers, of those at a distance from the inputs, the mixing between them.

    Only layers of reading B of definition 7 whose edges all have a parameter of their own.
    """
    net = plan.network
    cuts = [
        cut
        for cut in distance_cuts(net)
        if all(map(net.own_parameter, cut)) and is_layer(net, cut, "B")
    ]
    hidden = set(plan.hidden)
    for cut in cuts[1:]:
        before, behind = set(cuts[0]), set(cut)
        passed = [0] * net.vertex_count  # edges of the first layer minus edges of the second
        for e, (tail, head) in enumerate(zip(net.tails, net.heads, strict=True)):
            passed[head] = passed[tail] + (e in before) - (e in behind)
        entries = tuple((v, v, Fraction(passed[v])) for v in sorted(hidden) if passed[v])
        subject = f"layers {{{_edges(plan, cuts[0])}}} and {{{_edges(plan, cut)}}}"
        yield Mixing(entries), subject


def _channels(plan: Plan, mixing: Mixing, terms: tuple[Term, ...]) -> bool:
    """Whether this is an entry of W_1 W_1^T - W_2^T W_2 for channels k and k' of linear vertices.

    Every edge at the vertices learnable, some parameter into them shared, T one number, each vertex
    in one entry, and (what makes it an entry of the matrices) every coefficient one number but for
    the sign, + on what enters the vertices and - on what leaves them.
    """
    net = plan.network
    vertices = [end for v, u, _ in mixing.entries for end in {v, u}]
    into = {net.parameter_of[e] for v in vertices for e in net.in_edges[v]}
    out_of = {net.parameter_of[e] for v in vertices for e in net.out_edges[v]}
    edges = (e for v in vertices for e in (*net.in_edges[v], *net.out_edges[v]))
    if (
        len(set(vertices)) < len(vertices)
        or len({c for _, _, c in mixing.entries}) > 1
        or not all(map(net.learnable, edges))
        or not all(net.activations[v].kind == "linear" or v in plan.region for v in vertices)
        or not any(len(net.edges_of_parameter[p]) > 1 for p in into)
        or into & out_of
    ):
        return False
    size = abs(terms[0][2])
    return all(
        e != ONE
        and c == (size if {e, f} <= into else -size)
        and ({e, f} <= into or {e, f} <= out_of)
        for e, f, c in terms
    )


def _listed(names: list[str]) -> str:
    if len(names) <= 6:
        return ", ".join(names)
    return f"{', '.join(names[:5])}, ... ({len(names)})"


def _edges(plan: Plan, cut: Iterable[int]) -> str:
    return _listed([plan.network.edge_name(e) for e in cut])
