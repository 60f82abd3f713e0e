"""Balances and pair laws as Rocq source: in factored form, linear in the edges.

The sum over the paths through a vertex v splits at v: what flows in, sum_e w_e d_e over the
in-edges, is pre_v back_v; what flows out is post_v grad_v; and both are the slope times pre_v
grad_v. So no path is ever written out. An identity sum_e c_e w_e d_e = 0 with the potential phi is
the sum over v of phi(v) times what flows into v minus what flows out of it. A pair law is the same
with two vertices u and v of equal slopes. Velocities are sums of derivatives over examples.

Each proof is a lemma of few variables, shown once by `ring` and applied by `exact`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from verify.rocq.graph import Graph
from verify.rocq.names import identifier
from verify.rocq.passes import slope, velocity
from verify.rocq.source import Source, signed_sum

RING = ["intros", "ring"]
AT_ONCE = 6  # vertices, of which the laws are added in one step
Products = list[tuple[int, int]]  # edges: the weight of the first, the derivative in the second


def write_general_lemmas(source: Source, degrees: Iterable[int], pairs: Iterable[int]) -> None:
    """Identities of few variables, to which all others are reduced. degrees: of single vertices;
    pairs: of vertices in pairs."""
    degrees, pairs = set(degrees), set(pairs)
    source.remark("the sum of a function of the first n examples")
    source.sentence("Fixpoint total (f : nat -> Z) (n : nat) : Z := match n with")
    source.sentence("  | O => 0 | S m => total f m + f m end.")
    if not degrees | pairs:
        return
    source.remark("identities of few variables")
    source.prove(
        "general_join",
        "forall a b t : Z, a = t -> b = t -> a - b = 0",
        ["intros a b t A B", "rewrite A, B", "ring"],
    )
    for count in sorted(degrees):
        _write_vertex_lemmas(source, count)
    for count in sorted(pairs):
        _write_pair_lemmas(source, count)
    for count in sorted(degrees | {2 * count for count in pairs}):
        _write_gathering(source, count)


def numbered(letters: str, count: int) -> list[tuple[str, ...]]:
    """(a1, b1), (a2, b2), ...

    >>> numbered("wp", 2)
    [('w1', 'p1'), ('w2', 'p2')]
    """
    return [tuple(f"{letter}{k}" for letter in letters) for k in range(1, count + 1)]


def _bound(first: str, rows: Iterable[Sequence[str]]) -> str:
    return " ".join([*first.split(), *(name for row in rows for name in row)])


def _write_vertex_lemmas(source: Source, count: int) -> None:
    """A sum with a common factor; on the way out that is the slope times the pre-activation."""
    rows = numbered("wp", count)
    factor = " + ".join(f"{w} * {p}" for w, p in rows)
    terms = " + ".join(f"{w} * ({p} * t)" for w, p in rows)
    source.prove(
        f"general_into_{count}", f"forall {_bound('t', rows)} : Z, {terms} = ({factor}) * t", RING
    )
    terms = " + ".join(f"{w} * ((s * t) * {p})" for w, p in rows)
    total = f"t * (s * ({factor}))"
    source.prove(
        f"general_out_of_{count}", f"forall {_bound('s t', rows)} : Z, {terms} = {total}", RING
    )


def _write_pair_lemmas(source: Source, count: int) -> None:
    """The same with two vertices of slope s: weights u and v, pre-activations p and q."""
    rows = numbered("uvp", count)
    sums = [" + ".join(f"{row[k]} * {row[2]}" for row in rows) for k in (0, 1)]
    terms = " + ".join(f"{v} * ({p} * b) + {u} * ({p} * c)" for u, v, p in rows)
    total = f"({sums[1]}) * b + ({sums[0]}) * c"
    bound = _bound("b c", rows)
    source.prove(f"general_into_pair_{count}", f"forall {bound} : Z, {terms} = {total}", RING)
    rows = numbered("uvb", count)
    sums = [" + ".join(f"{row[k]} * {row[2]}" for row in rows) for k in (0, 1)]
    terms = " + ".join(f"{v} * ((s * p) * {b}) + {u} * ((s * q) * {b})" for u, v, b in rows)
    total = f"q * (s * ({sums[0]})) + p * (s * ({sums[1]}))"
    bound = _bound("s p q", rows)
    source.prove(f"general_out_of_pair_{count}", f"forall {bound} : Z, {terms} = {total}", RING)


def _write_gathering(source: Source, count: int) -> None:
    """From derivatives to velocities: no example, and one example more."""
    rows = numbered("WTD", count)
    weights = " ".join(w for w, _, _ in rows)
    nothing = " + ".join(f"{w} * (- 0)" for w, _, _ in rows)
    source.prove(f"general_none_{count}", f"forall {weights} : Z, {nothing} = - 0", RING)
    before = " + ".join(f"{w} * (- {t})" for w, t, _ in rows)
    one = " + ".join(f"{w} * {d}" for w, _, d in rows)
    after = " + ".join(f"{w} * (- ({t} + k * {d}))" for w, t, d in rows)
    bound = _bound("k t s", rows)
    source.prove(
        f"general_more_{count}",
        f"forall {bound} : Z, {before} = - t -> {one} = s -> {after} = - (t + k * s)",
        [
            f"intros {bound} A B",
            f"transitivity (({before}) - k * ({one}))",
            "ring",
            "rewrite A, B",
            "ring",
        ],
    )


def write_vertex_law(source: Source, graph: Graph, v: str) -> None:
    """What flows into v flows out of it: kept_v."""
    pre, back = f"{identifier('pre', v)} j", f"{identifier('back', v)} j"
    passed = f"{pre} * {back}"
    into, out_of = ([(e, e) for e in edges] for edges in (graph.into[v], graph.out_of[v]))
    given = _given(graph, into, lambda e: graph.post(graph.edges[e].tail))
    opened = [identifier("pre", v)]
    proof = f"general_into_{len(into)} ({back}) {given}"
    _write_side(source, graph, identifier("into", v), into, passed, opened, proof)
    given = _given(graph, out_of, lambda e: identifier("back", graph.edges[e].head))
    opened = [identifier(kind, v) for kind in ("post", "back", "grad")]
    proof = f"general_out_of_{len(out_of)} ({slope(v)} j) ({pre}) {given}"
    _write_side(source, graph, identifier("out_of", v), out_of, passed, opened, proof)
    sides = (identifier("into", v), identifier("out_of", v))
    _write_join(source, graph, identifier("kept", v), into, out_of, sides)


def _given(graph: Graph, products: Products, other: Callable[[int], str]) -> str:
    return " ".join(f"{graph.weight(e)} ({other(e)} j)" for e, _ in products)


def _write_side(
    source: Source,
    graph: Graph,
    name: str,
    products: Products,
    passed: str,
    opened: Sequence[str],
    proof: str,
) -> None:
    """name_j: the sum of w d at one example is what is passed; name: that of w v for n examples."""
    derivatives = dict.fromkeys(graph.derivative(f) for _, f in products)
    shown = " + ".join(f"{graph.weight(e)} * {graph.derivative(f)} j" for e, f in products)
    steps = ["intros j", f"unfold {', '.join([*derivatives, *opened])}", f"exact ({proof})"]
    source.prove(f"{name}_j", f"forall j : nat, {shown} = {passed}", steps)
    whole = f"total (fun j => kappa j * ({passed})) n"
    at_n = passed.replace(" j", " n")
    weights = " ".join(graph.weight(e) for e, _ in products)
    rows = " ".join(
        f"{graph.weight(e)} (total (fun j => kappa j * {graph.derivative(f)} j) n)"
        f" ({graph.derivative(f)} n)"
        for e, f in products
    )
    moving = dict.fromkeys(velocity(graph, f) for _, f in products)
    count = len(products)
    source.prove(
        name,
        f"forall n : nat, {flows(graph, products)} = - {whole}",
        [
            "intros n",
            f"unfold {', '.join(moving)}",
            "induction n as [|n IH]",
            f"exact (general_none_{count} {weights})",
            f"exact (general_more_{count} (kappa n) ({whole}) ({at_n}) {rows} IH ({name}_j n))",
        ],
    )


def flows(graph: Graph, products: Products) -> str:
    """The sum of weights times velocities."""
    return " + ".join(f"{graph.weight(e)} * {velocity(graph, f)} n" for e, f in products)


def _write_join(
    source: Source,
    graph: Graph,
    name: str,
    into: Products,
    out_of: Products,
    sides: tuple[str, str],
    word: str = "Lemma",
) -> None:
    source.prove(
        name,
        f"forall n : nat, ({flows(graph, into)}) - ({flows(graph, out_of)}) = 0",
        ["intros n", f"exact (general_join _ _ _ ({sides[0]} n) ({sides[1]} n))"],
        word,
    )


def write_balance(source: Source, graph: Graph, name: str, potential: Mapping[str, int]) -> None:
    """The theorem with this potential, from the laws of its vertices: some of them at a time, in
    topological order, so that no step has more terms than lie between what is done and the rest."""
    support = [v for v in graph.computed if potential.get(v, 0)]
    so_far: dict[int, int] = {}
    for start in range(0, len(support), AT_ONCE):
        part = support[start : start + AT_ONCE]
        last = start + AT_ONCE >= len(support)
        before = f"{name}_before_{start}" if start else ""
        this = name if last else f"{name}_before_{start + AT_ONCE}"
        so_far = _write_step(source, graph, (before, this), part, potential, so_far)


def _write_step(
    source: Source,
    graph: Graph,
    names: tuple[str, str],
    part: Sequence[str],
    potential: Mapping[str, int],
    so_far: dict[int, int],
) -> dict[int, int]:
    """Add phi(v) times the law of v, for some vertices, to a sum that is 0. names: of what is shown
    of that sum, and of what is shown here. so_far: the coefficients of that sum by edge; returns
    those of the new one."""
    before, name = names
    edges = sorted({*so_far, *(e for v in part for e in graph.into[v] + graph.out_of[v])})
    letter = {e: identifier("F", graph.edges[e].tail, graph.edges[e].head) for e in edges}
    laws = {
        v: "({}) - ({})".format(
            *(" + ".join(letter[e] for e in side) for side in (graph.into[v], graph.out_of[v]))
        )
        for v in part
    }
    after = _added(graph, so_far, part, potential)
    old = signed_sum((c, letter[e]) for e, c in so_far.items())
    premises = [*([old] if before else []), *laws.values()]
    known = " ".join(f"K{k}" for k in range(len(premises)))
    sums = [(1, f"({old})")] if before else []
    combined = signed_sum([*sums, *((potential[v], f"({law})") for v, law in laws.items())])
    bound = " ".join(letter.values())
    total = signed_sum((after[e], letter[e]) for e in edges if e in after)
    source.prove(
        f"{name}_step",
        f"forall {bound} : Z, {''.join(f'{law} = 0 -> ' for law in premises)}{total} = 0",
        [
            f"intros {bound} {known}",
            f"transitivity ({combined})",
            "ring",
            f"rewrite {known.replace(' ', ', ')}",
            "ring",
        ],
    )
    shown = signed_sum((after[e], flows(graph, [(e, e)])) for e in edges if e in after)
    given = [f"({flows(graph, [(e, e)])})" for e in edges]
    given += [f"({before} n)"] if before else []
    given += [f"({identifier('kept', v)} n)" for v in part]
    proof = ["intros n", f"exact ({name}_step {' '.join(given)})"]
    word = "Lemma" if "_before_" in name else "Theorem"
    source.prove(name, f"forall n : nat, {shown} = 0", proof, word)
    return after


def _added(
    graph: Graph, so_far: Mapping[int, int], part: Sequence[str], potential: Mapping[str, int]
) -> dict[int, int]:
    after = dict(so_far)
    for v in part:
        for sign, edges in ((1, graph.into[v]), (-1, graph.out_of[v])):
            for e in edges:
                after[e] = after.get(e, 0) + sign * potential[v]
    return {e: after[e] for e in sorted(after) if after[e]}


def edge_coefficients(graph: Graph, potential: Mapping[str, int]) -> dict[int, int]:
    """c_e = phi(head) - phi(tail), where it is not 0."""
    found = {}
    for e, edge in enumerate(graph.edges):
        step = potential.get(edge.head, 0) - potential.get(edge.tail, 0)
        if step:
            found[e] = step
    return found


def write_pair_law(source: Source, graph: Graph, u: str, v: str, name: str) -> None:
    """The theorem about two vertices, of which the second has the slope of the first."""
    pre, back = ([f"{identifier(kind, w)} j" for w in (u, v)] for kind in ("pre", "back"))
    passed = f"{pre[1]} * {back[0]} + {pre[0]} * {back[1]}"
    into, out_of = (paired_edges(graph, u, v, incoming) for incoming in (True, False))
    given = _pair_given(graph, into, lambda e: graph.post(graph.edges[e].tail))
    opened = [identifier("pre", w) for w in (u, v)]
    proof = f"general_into_pair_{len(into)} ({back[0]}) ({back[1]}) {given}"
    _write_side(source, graph, "law_into", _products(into), passed, opened, proof)
    given = _pair_given(graph, out_of, lambda e: identifier("back", graph.edges[e].head))
    opened = [identifier(kind, w) for kind in ("post", "back", "grad") for w in (u, v)]
    proof = f"general_out_of_pair_{len(out_of)} ({slope(u)} j) ({pre[0]}) ({pre[1]}) {given}"
    opened.append(slope(v))
    _write_side(source, graph, "law_out_of", _products(out_of), passed, opened, proof)
    sides = ("law_into", "law_out_of")
    _write_join(source, graph, name, _products(into), _products(out_of), sides, "Theorem")


def paired_edges(graph: Graph, u: str, v: str, incoming: bool) -> Products:
    """The edges of u, each with the edge of v to the same neighbour."""
    if incoming:
        return [(e, graph.edge(graph.edges[e].tail, v)) for e in graph.into[u]]
    return [(e, graph.edge(v, graph.edges[e].head)) for e in graph.out_of[u]]


def _products(pairs: Products) -> Products:
    """The weight of each edge times the derivative in the other one."""
    return [product for e, f in pairs for product in ((f, e), (e, f))]


def _pair_given(graph: Graph, pairs: Products, other: Callable[[int], str]) -> str:
    return " ".join(f"{graph.weight(e)} {graph.weight(f)} ({other(e)} j)" for e, f in pairs)
