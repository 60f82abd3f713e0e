"""Appendix B: the unrolled tree, the pull-back of weights, and the absolute-valued tree."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from graphs.exact import output, preactivations
from graphs.paths import all_paths, input_values, suffixes
from graphs.pullback import iterated_pull_back, pull_back, pull_back_input
from graphs.trees import Unrolled
from graphs.unrolling import decomposition_tree, recursive_isomorphism, sign, unroll
from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, HOMOGENEOUS, OWN_PARAMETERS
from verify.papers.lj22.preliminaries import is_tree_network
from verify.papers.lj22.sources import both, final
from verify.point_hypotheses import NONZERO_WEIGHTS
from verify.pool import Pool, draw_sign
from verify.vocabulary import Entries, Scene, constant_entries, sign_at_zero

TREES = Pool(losses=("prescribed",), largest=4, examples=(1, 2), adapt=draw_sign)
CAP = 1000
READINGS = {"A1B1": ("edges", "definition"), "A1B2": ("edges", "proof")}
WORDS = {
    "A1B1": "paths as sets of edges; arcs from the smaller set to the larger, as in Definition 9",
    "A1B2": "paths as sets of edges; arcs from the longer path to the shorter, as in the proof of "
    "Lemma 6",
}
Row = tuple[dict[str, Any], Fraction]


def unrolled(case: Case, reading: str) -> Unrolled:
    """T_G of the case's network in one of the two readings."""
    elements, direction = READINGS[reading]
    return unroll(case.network, elements, direction, cap=CAP)


def each_case(rows: Callable[[Case], Iterator[Row]]) -> Callable[[Scene], Entries]:
    """A measure that walks case by case."""

    def measure(scene: Scene) -> Entries:
        return constant_entries(
            scene,
            [
                (number, label, value)
                for number, case in enumerate(scene.cases)
                for label, value in rows(case)
            ],
        )

    return measure


def printed_values(scene: Scene) -> Entries:
    """(16): the network's own pre-activations minus the sum displayed."""
    sums = scene.into(scene.weights[:, None] * scene.post[scene.union.heads])
    return scene.per_computed_vertex_and_example(scene.pre, sums)


def recursive_values(case: Case) -> Iterator[Row]:
    """(19): the pre-activation of each vertex by the displayed recursion, minus that of the
    network's forward pass."""
    network = case.network
    weights = network.edge_weights(case.weights)
    for j, x in enumerate(case.inputs):
        post = input_values(network, x)
        forward = preactivations(network, case.weights, x)

        def pre(v: int, post: dict[int, Fraction] = post) -> Fraction:
            for u in (network.tails[e] for e in network.in_edges[v]):
                if u not in post:
                    z = pre(u)
                    left, right = network.activations[u].slopes
                    post[u] = (left if z < 0 else right) * z
            terms = (weights[e] * post[network.tails[e]] for e in network.in_edges[v])
            return sum(terms, Fraction(0))

        for v in range(network.vertex_count):
            if v not in network.inputs:
                yield {"vertex": network.names[v], "example": j}, pre(v) - forward[v]


def paths_contain(case: Case) -> Iterator[Row]:
    """H_G strictly contains P_G."""
    everything = set(suffixes(case.network, CAP))
    complete = set(all_paths(case.network, CAP))
    yield {}, Fraction(not complete < everything)


def unrolls_to_tree(reading: str) -> Callable[[Case], Iterator[Row]]:
    """Whether T_G is a tree, all its weights are defined, and its leaves are the paths of G."""

    def rows(case: Case) -> Iterator[Row]:
        graph = unrolled(case, reading)
        yield {"predicate": "tree"}, Fraction(not graph.is_tree)
        yield {"predicate": "weights"}, Fraction(not graph.weights_defined)
        yield {"predicate": "leaves"}, Fraction(not graph.leaves_are_paths)

    return rows


def unrolled_value(reading: str) -> Callable[[Case], Iterator[Row]]:
    """nu(x) - tau_G(x)."""

    def rows(case: Case) -> Iterator[Row]:
        graph = unrolled(case, reading)
        for j, x in enumerate(case.inputs):
            if graph.weights_defined:
                value = output(case.network, case.weights, x) - graph.output(case.weights, x)
                yield {"example": j}, value
            else:  # the hypothesis below excludes this entry
                yield {"example": j}, Fraction(0)

    return rows


def isomorphic(reading: str) -> Callable[[Case], Iterator[Row]]:
    """The four predicates of the isomorphism pi."""

    def rows(case: Case) -> Iterator[Row]:
        found = recursive_isomorphism(case.network, *READINGS[reading], cap=CAP)
        for name in ("bijection", "edges", "weights", "activations"):
            yield {"predicate": name}, Fraction(not getattr(found, name))

    return rows


def pulled_back(case: Case) -> Iterator[Row]:
    """Values, and pre-activations of the out-vertex, before and after each possible pull-back."""
    network = case.network
    for v in range(network.vertex_count):
        if len(network.out_edges[v]) != 1 or v in network.outputs:
            continue
        out = network.heads[network.out_edges[v][0]]
        for j, x in enumerate(case.inputs):
            weights, moved = _pulled(case, v, x)
            label = {"vertex": network.names[v], "example": j}
            value = output(network, case.weights, x) - output(network, weights, moved)
            before = preactivations(network, case.weights, x)[out]
            after = preactivations(network, weights, moved)[out]
            yield label, value
            yield {**label, "at": "pre"}, before - after


def _pulled(
    case: Case, vertex: int, x: tuple[Fraction, ...]
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The weights after the pull-back, and the point at which to evaluate them."""
    network, at_zero = case.network, sign_at_zero(case)
    if vertex not in network.inputs:
        return pull_back(network, case.weights, vertex, at_zero), x
    weights, factor = pull_back_input(network, case.weights, vertex, at_zero)
    place = network.free_inputs.index(vertex)
    return weights, (*x[:place], x[place] * factor, *x[place + 1 :])


def absolute_tree_value(scene: Scene) -> Entries:
    """nu(x) - mu'(h'(x))."""
    return scene.per_example(scene.value, scene.absolute_tree.outputs)


def absolute_tree_shape(case: Case) -> Iterator[Row]:
    """mu' is a tree, its weights are -1 or 1, and w and sgn(w) give the same mu'."""
    at_zero = sign_at_zero(case)
    built = decomposition_tree(case.network, case.weights, absolute=True, sign_at_zero=at_zero)
    signs = [Fraction(sign(w, at_zero)) for w in case.weights]
    again = decomposition_tree(case.network, signs, absolute=True, sign_at_zero=at_zero)
    yield {"predicate": "tree"}, Fraction(not is_tree_network(built.tree))
    good = set(built.weights) <= {1, -1} and again.weights == built.weights
    yield {"predicate": "weights"}, Fraction(not good)


def iteration_invariants(reading: str) -> Callable[[Case], Iterator[Row]]:
    """Invariants 1 and 2 of the iteration, and the value of the network after each step."""

    def rows(case: Case) -> Iterator[Row]:
        graph = unrolled(case, reading)
        if not (graph.is_tree and graph.weights_defined):  # the hypothesis excludes the case
            return
        steps = iterated_pull_back(
            case.network,
            case.weights,
            *READINGS[reading],
            sign_at_zero=sign_at_zero(case),
            cap=CAP,
        )
        for step in steps:
            tree = step.tree
            first = step.first_residuals(case.weights, sign_at_zero(case))
            second = step.second_residuals(case.weights)
            yield {"iteration": step.number, "invariant": 1}, Fraction(any(first))
            yield {"iteration": step.number, "invariant": 2}, Fraction(all(second))
            for j, x in enumerate(case.inputs):
                point = [a * f for a, f in zip(tree.inputs(x), step.factors, strict=True)]
                after = output(tree.network, step.weights, point)
                yield (
                    {"iteration": step.number, "invariant": "value", "example": j},
                    output(case.network, case.weights, x) - after,
                )

    return rows


def weights_defined(reading: str) -> Hypothesis:
    """tau_G exists as a function: every arc of T_G has a weight."""
    return Hypothesis(
        "the unrolled network is defined",
        r"$\tau_G$ is the unrolled network of $G$: every arc of $T_G$ has a weight",
        by_case(lambda case: unrolled(case, reading).weights_defined, "network"),
    )


def tree_exists(reading: str) -> Hypothesis:
    """T_G is a tree whose arcs have weights."""

    def good(case: Case) -> bool:
        graph = unrolled(case, reading)
        return graph.is_tree and graph.weights_defined

    return Hypothesis(
        "T_G is a tree", r"$T_G$ is a tree with all its weights", by_case(good, "network")
    )


MORE_THAN_TWO = Hypothesis(
    "more than two vertices",
    r"$G$ has more than $2$ vertices",
    by_case(lambda case: case.network.vertex_count > 2),
)
ONE_EDGE = Hypothesis(
    "longest path at least 1",
    "the longest path of $G$ has length at least $1$",
    by_case(lambda case: max(case.network.depths) >= 1),
)
PLAIN = (FEEDFORWARD, BIAS_FREE)


def _common(reading: str) -> dict[str, Any]:
    return {
        "pool": TREES,
        "reading": reading,
        "reading_text": WORDS[reading],
        "exact_only": True,
    }


def _unrolling(reading: str) -> Claim:
    return Claim(
        f"lj22.def10@{reading}",
        Kind.DEFINITION,
        final("Definition 10 (earlier version: Definition 9)"),
        "unrolling of a network to a tree network",
        r"The unrolled tree neural network $\tau_G$ of $G$ is a tree neural network with "
        r"computation graph $T_G$ where: unweighted graph $(T_G[V],T_G[E])=\mathrm{HASSE}"
        r"(\mathcal H_G)$; weight function $T_G[w]:T_G[E]\ni pq\mapsto G[w](e_p)$; activation "
        r"$T_G[\sigma](v):=G[\sigma](v_p)$, with $v_p$, $e_p$ the vertex and the edge of $p$ "
        r"furthest from $o_G$. Judged: $T_G$ is a tree, every weight is defined, and the "
        r"leaves are in bijection with $\mathcal P_G$.",
        PLAIN,
        ("lj22.def3", "lj22.def9", "lj22.hg"),
        measure=each_case(unrolls_to_tree(reading)),
        why=WHY_ARCS if reading == "A1B1" else "",
        **_common(reading),
    )


WHY_ARCS = (
    r"by Definition 9 the arcs at the root lead away from the path $\{o_G\}$ of length $0$, "
    r"which has no edge $e_p$ whose weight they could take"
)


def _of_proofs(reading: str) -> tuple[Claim, ...]:
    common = _common(reading)
    return (
        Claim(
            f"lj22.lemma6@{reading}",
            Kind.IDENTITY,
            both("Lemma 6, (18)-(22)"),
            "the unrolled network computes the same function",
            r"Fix an arbitrary feedforward neural network $\nu:\mathbb R^d\to\mathbb R$ with "
            r"computation graph $G$. Let $\tau_G$ be the unrolled tree network of $G$ with "
            r"computation graph $T_G$. Then $\nu=\tau_G$.",
            (weights_defined(reading), HOMOGENEOUS, *PLAIN),
            (f"lj22.def10@{reading}",),
            measure=each_case(unrolled_value(reading)),
            **common,
        ),
        Claim(
            f"lj22.eq23@{reading}",
            Kind.IDENTITY,
            both("proof of Lemma 6, (23), (24)"),
            "the recursive construction is isomorphic to the unrolled graph",
            r"With $v_1,\dots,v_m$ the in-vertices of $o_G$, $T_j$ the unrolling of $G$ restricted "
            r"to vertices with a path to $v_j$, and $G'$ the disjoint union of the $T_j$ with a "
            r"new output joined to each $o_{T_j}$ by an edge of weight $G[w](v_jo_G)$: "
            r"$\pi(v)=\{o_G\}$ if $v\equiv o_{G'}$, $\pi(v)=p\cup\{o_G\}$ if $v\equiv p\in"
            r"\mathcal H_{G_j}$, is an isomorphism $G'\to T_G$ preserving edges, weights and "
            r"activations.",
            (ONE_EDGE, *PLAIN),
            (f"lj22.def10@{reading}",),
            measure=each_case(isomorphic(reading)),
            **common,
        ),
        Claim(
            f"lj22.lemma5-iter@{reading}",
            Kind.IDENTITY,
            both("proof of Lemma 5"),
            "invariants of the iterated pull-back",
            r"Apply Lemma 7 to the vertices $\pi_1,\dots,\pi_\xi$ of $T_G[V]\setminus O_{T_G}$ in "
            r"breadth-first order; $M_G$ is the current graph. At iteration $j$: 1. "
            r"$M_G[w](\pi_kq)=\mathrm{sgn}(G[w](e_{\pi_k}))$ for all $k\le j$, for some $q$; 2. if "
            r"$\pi_j\notin I_{M_G}$ then $M_G[w](r\pi_j)=G[w](e_r)\prod_{f\in\pi_j}|G[w](f)|$ for "
            r"some $r$, otherwise "
            r"$x_{\pi_j}$ is modified to $x_{\pi_j}\prod_{f\in\pi_j}|G[w](f)|$.",
            (tree_exists(reading), HOMOGENEOUS, *PLAIN),
            (f"lj22.def10@{reading}", "lj22.lemma7"),
            measure=each_case(iteration_invariants(reading)),
            why=r"behind a weight $0$ the product of the weights is $0$, so the next one becomes "
            r"$\mathrm{sgn}(0)$ instead of the sign of $G[w](e_{\pi_k})$",
            **common,
        ),
    )


def _appendix_values(
    reading: str, number: str, post: str, measure: Callable[[Scene], Entries]
) -> Claim:
    whose = "of v itself" if reading == "A" else "of the in-vertices"
    return Claim(
        f"lj22.eq16@{reading}",
        Kind.IDENTITY,
        both(f"appendix B, ({number})"),
        "pre-activation in the appendix",
        r"$(G[\mathrm{PRE}](v))(x)=x_j$ if $v\equiv i_j^G$, and $\sum_{u\in\mathrm{IN}_v}"
        + post
        + r"(x)\,w_{uv}$ otherwise; $(G[\mathrm{POST}](v))(x)=\sigma_v((G[\mathrm{PRE}](v))(x))$; "
        r"$\mathrm{POST}_{o_G}=\nu$. "
        "Measured: the preactivations of the network's forward pass minus those displayed.",
        (HOMOGENEOUS, *PLAIN),
        ("lj22.def1",),
        measure=measure,
        pool=Pool(losses=("prescribed",)),
        reading=reading,
        reading_text=f"the postactivations {whose} in the sum, as displayed in ({number})",
        exact_only=reading == "B",  # a recursion of its own, case by case
        expanded=reading == "A",
        why=(
            "the sum over $u$ has the postactivation of $v$ where it should have that of $u$: $v$ "
            "would be its own input"
        )
        if reading == "A"
        else "",
    )


CLAIMS = (
    _appendix_values("A", "16", r"\mathrm{POST}_v", printed_values),
    _appendix_values("B", "19", r"\mathrm{POST}_u", each_case(recursive_values)),
    Claim(
        "lj22.hg",
        Kind.IDENTITY,
        both("appendix B, notation"),
        "paths from all vertices",
        r"With $\mathcal H_G$ the set of all paths from any vertex $v\in G[V]$ to $o_G$: if $G$ "
        r"has more than 2 vertices then $\mathcal H_G\supset\mathcal P_G$.",
        (MORE_THAN_TWO, *PLAIN),
        ("lj22.def1",),
        measure=each_case(paths_contain),
        pool=TREES,
        exact_only=True,
    ),
    Claim(
        "lj22.def9",
        Kind.DEFINITION,
        final("Definition 9 (earlier version: Definition 8)"),
        "Hasse diagram of inclusion",
        r"The Hasse diagram of $\mathcal S\subset\wp(S)$ is the directed unweighted graph "
        r"$(\mathcal S,E)$ where $pq\in E$ iff $p\subseteq q$ and $|q|-|p|=1$.",
    ),
    Claim(
        "lj22.lemma5",
        Kind.IDENTITY,
        both("Lemma 5"),
        "absolute-valued decomposition",
        r"For an arbitrary feedforward network $\nu$ there exists a tree network $\mu':\mathbb "
        r"R^\rho\to\mathbb R$ such that $\nu=\mu'\circ h'$, where $h'(x)=\big(x_p\prod_{e\in p}"
        r"|w_e|\big)_{p\in\mathcal P}$. Furthermore, the weights of $\mu'$ are in $\{-1,1\}$ and "
        r"only depend on the signs of the weights of $\nu$.",
        (HOMOGENEOUS, *PLAIN),
        ("lj22.lemma6@A1B2", "lj22.lemma7"),
        measure=absolute_tree_value,
        signed=True,
        pool=Pool(losses=("prescribed",), largest=6, adapt=draw_sign),
    ),
    Claim(
        "lj22.lemma5.shape",
        Kind.IDENTITY,
        both("Lemma 5"),
        "the absolute-valued tree has weights -1 and 1, fixed by the signs",
        r"Furthermore, the weights of $\mu'$ are in $\{-1,1\}$ and only depend on the signs of "
        r"the weights of $\nu$.",
        (HOMOGENEOUS, *PLAIN),
        ("lj22.lemma6@A1B2", "lj22.lemma7"),
        measure=each_case(absolute_tree_shape),
        pool=TREES,
        exact_only=True,
    ),
    Claim(
        "lj22.lemma7",
        Kind.IDENTITY,
        both("Lemma 7, (25)-(29)"),
        "pull-back of numerical weights",
        r"Let $v$ be an inner vertex with $k$ in-edges $e_1,\dots,e_k$ and a single out-edge $f$. "
        r"The network with the same graph and weights $G'[w](e)=G[w](e)\,|G[w](f)|$ if $e\equiv "
        r"e_j$, $\mathrm{sgn}(G[w](f))$ if $e\equiv f$, and $G[w](e)$ otherwise, computes the same "
        r"function as $\nu$. When fixing the input $x$, the operation extends to inputs: set "
        r"$G'[w](f)=\mathrm{sgn}(G[w](f))$ and update $x_j$ to $x_j|G[w](f)|$.",
        (HOMOGENEOUS, OWN_PARAMETERS, *PLAIN),
        ("lj22.pullback",),
        measure=each_case(pulled_back),
        pool=Pool(
            losses=("prescribed",),
            largest=6,
            families=("fully connected", "random DAG", "layered DAG", "tree", "bottleneck"),
            adapt=draw_sign,
        ),
        exact_only=True,
    ),
    *map(_unrolling, WORDS),
    *_of_proofs("A1B2"),
    replace(
        _of_proofs("A1B2")[-1],
        id="lj22.lemma5-iter@A1B2.fix",
        title="invariants of the iterated pull-back, no weight being 0",
        hypotheses=(tree_exists("A1B2"), NONZERO_WEIGHTS, HOMOGENEOUS, *PLAIN),
        repairs="lj22.lemma5-iter@A1B2",
        why="",
    ),
)
