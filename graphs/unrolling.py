"""Unrolling a network to a tree, and the tree network of the decomposition (LJ22 appendix B).

H_G is the set of paths from any vertex to the output o. The unrolled graph T_G is its Hasse
diagram by inclusion, in four readings: paths as sets of edges or of vertices (`elements`), and
arcs from the smaller set to the larger as in definition 9, or from the longer path to the shorter
as in the proof of lemma 6 (`direction`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from graphs.activations import LINEAR, Activation
from graphs.errors import NetworkError
from graphs.network import Network, network
from graphs.paths import (
    DEFAULT_CAP,
    Path,
    all_paths,
    path_vertices,
    suffixes,
    the_output,
)
from graphs.trees import Unrolled, path_names, unique_names

ELEMENTS = ("edges", "vertices")
DIRECTIONS = ("definition", "proof")


def hasse(sets: Sequence[frozenset[Hashable]]) -> tuple[tuple[int, int], ...]:
    """The Hasse diagram of inclusion as LJ22 definition 9 prints it.

    Pairs (i, j), ascending, with `sets[i]` a subset of `sets[j]` that has one element less.

    Raises NetworkError when a set is listed twice.

    >>> hasse([frozenset(), frozenset("a"), frozenset("ab"), frozenset("xyz")])
    ((0, 1), (1, 2))
    """
    number = {members: i for i, members in enumerate(sets)}
    if len(number) < len(sets):
        raise NetworkError("a set is listed twice: a family of sets has each of them once")
    pairs = [
        (number[members - {element}], j)
        for j, members in enumerate(sets)
        for element in members
        if members - {element} in number
    ]
    return tuple(sorted(pairs))


def unroll(
    network: Network,
    elements: str = "edges",
    direction: str = "proof",
    *,
    target: int | None = None,
    cap: int = DEFAULT_CAP,
) -> Unrolled:
    """The unrolled graph T_G in one of the four readings of LJ22 definition 10.

    elements: "edges" (A1) or "vertices" (A2). direction: "definition" (B1) or "proof" (B2).
    target: unroll towards this vertex instead of the output.

    Raises NetworkError for another reading or several outputs, TooManyPathsError when T_G would
    have more than `cap` vertices.
    """
    for what, value, known in (
        ("elements", elements, ELEMENTS),
        ("direction", direction, DIRECTIONS),
    ):
        if value not in known:
            raise NetworkError(f"unknown {what} {value!r}: use one of {', '.join(known)}")
    end = the_output(network) if target is None else target
    paths = suffixes(network, cap, target=end)
    if elements == "edges":
        sets = [frozenset[Hashable](path) for path in paths]
    else:
        sets = [frozenset[Hashable](path_vertices(network, path, end)) for path in paths]
    pairs = hasse(sets)
    arcs = pairs if direction == "definition" else tuple(sorted((q, p) for p, q in pairs))
    return Unrolled(
        original=network,
        elements=elements,
        direction=direction,
        end=end,
        paths=paths,
        arcs=arcs,
        arc_edges=tuple(paths[tail][0] if paths[tail] else None for tail, _ in arcs),
        starts=tuple(path_vertices(network, path, end)[0] for path in paths),
    )


@dataclass(frozen=True)
class Isomorphism:
    """What of LJ22 (23) holds: whether pi is a bijection and preserves the rest."""

    bijection: bool
    edges: bool
    weights: bool
    activations: bool


def recursive_isomorphism(
    network: Network, elements: str = "edges", direction: str = "proof", *, cap: int = DEFAULT_CAP
) -> Isomorphism:
    """Whether the recursive construction of T_G is isomorphic to it (LJ22 proof of lemma 6, (23)).

    G' is the disjoint union of the unrolled graphs towards each in-vertex v of the output o, and a
    new output to which the output of each of them is joined by an edge with the weight of vo; pi
    appends o to a path. `edges`: pi maps the edges of G' onto those of T_G. `weights`: for each
    edge of G' its image is an edge of T_G, and both have the same, defined weight.
    """
    whole = unroll(network, elements, direction, cap=cap)
    images: list[Path] = [()]
    activations = [network.activations[whole.end]]
    carried: dict[tuple[Path, Path], int | None] = {}
    for last in network.in_edges[whole.end]:
        part = unroll(network, elements, direction, target=network.tails[last], cap=cap)
        image = [(*path, last) for path in part.paths]
        images += image
        activations += part.activations
        for (tail, head), e in zip(part.arcs, part.arc_edges, strict=True):
            carried[image[tail], image[head]] = e
        carried[image[0], ()] = last
    expected = {
        (whole.paths[tail], whole.paths[head]): e
        for (tail, head), e in zip(whole.arcs, whole.arc_edges, strict=True)
    }
    activation_of = dict(zip(whole.paths, whole.activations, strict=True))
    return Isomorphism(
        bijection=Counter(images) == Counter(whole.paths),
        edges=carried.keys() == expected.keys(),
        weights=all(e is not None and e == expected.get(arc) for arc, e in carried.items()),
        activations=[activation_of.get(path) for path in images] == activations,
    )


@dataclass(frozen=True)
class Decomposition:
    """The tree network mu with nu = mu o h, or mu' with nu = mu' o h'.

    tree: a network with one input for each path of the original one, in the order of `all_paths`.
    weights: 1 or -1 for each parameter of the tree. paths: the paths. edges: for each edge of the
    tree the original edges the product of whose signs it carries. starts: for each vertex of the
    tree the original vertex that it stands for, None at the inputs that were added.
    """

    tree: Network
    weights: tuple[Fraction, ...]
    paths: tuple[Path, ...]
    edges: tuple[tuple[int, ...], ...]
    starts: tuple[int | None, ...]


def decomposition_tree(
    network: Network,
    weights: Sequence[Fraction],
    absolute: bool,
    sign_at_zero: int = 1,
    *,
    cap: int = DEFAULT_CAP,
) -> Decomposition:
    """The tree network mu' of LJ22 lemma 5 (`absolute`), or mu of lemma 1.

    Paths are merged where they share their remaining tail to the output; an edge has the sign of
    the corresponding weight. In mu each input edge is subdivided by a linear vertex, whose in-edge
    has the product of the signs on the path: the sign of the product, wherever that is not 0 (and
    where it is 0, the coordinate of h is 0 too, and the product of the signs is still determined
    by the signs). weights: one for each parameter of the network, read through their signs only.

    Raises NetworkError for several outputs, TooManyPathsError for more than `cap` paths (from
    anywhere to the output).
    """
    signs = tuple(sign(weight, sign_at_zero) for weight in network.edge_weights(weights))
    unrolled = unroll(network, cap=cap)
    names = path_names(network, unrolled.paths, unrolled.end)
    name_of = dict(zip(unrolled.paths, names, strict=True))
    complete = all_paths(network, cap)
    activations = dict(zip(names, unrolled.activations, strict=True))
    carried: dict[tuple[str, str], tuple[int, ...]] = {
        (names[tail], names[head]): unrolled.paths[tail][:1] for tail, head in unrolled.arcs
    }
    inputs = [name_of[path] for path in complete]
    if not absolute:
        fresh = unique_names([f"h({name})" for name in inputs], names)
        for name, path, leaf in zip(fresh, complete, inputs, strict=True):
            carried[name, leaf] = path
            activations[leaf] = LINEAR
        inputs = fresh
    tree = _tree(carried, inputs, names[0], activations, unrolled.scales(names))
    edges = tuple(
        carried[tree.names[tail], tree.names[head]]
        for tail, head in zip(tree.tails, tree.heads, strict=True)
    )
    start = dict(zip(names, unrolled.starts, strict=True))
    return Decomposition(
        tree,
        tuple(Fraction(_product(signs[e] for e in product)) for product in edges),
        complete,
        edges,
        tuple(start.get(name) for name in tree.names),
    )


def _tree(
    edges: Iterable[tuple[str, str]],
    inputs: list[str],
    output: str,
    activations: dict[str, Activation],
    scales: dict[str, Fraction],
) -> Network:
    leaves = set(inputs)
    return network(
        edges,
        inputs=inputs,
        outputs=[output],
        activations={name: a for name, a in activations.items() if name not in leaves},
        scale_squares=scales,
        title="tree of the decomposition",
    )


def sign(value: Fraction, sign_at_zero: int = 1) -> int:
    """1 or -1; `sign_at_zero` at 0. Raises NetworkError when that is neither."""
    if sign_at_zero not in (1, -1):
        raise NetworkError(f"sign_at_zero is {sign_at_zero}: the sign of 0 is read as 1 or as -1")
    if value == 0:
        return sign_at_zero
    return 1 if value > 0 else -1


def _product(factors: Iterable[int]) -> int:
    result = 1
    for factor in factors:
        result *= factor
    return result
