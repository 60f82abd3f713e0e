"""The tree networks of the decomposition by paths (LJ22 appendix B)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from graphs.activations import LINEAR, Activation
from graphs.network import Network, network
from graphs.paths import DEFAULT_CAP, Path, all_paths, path_vertices, suffixes, the_output


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
    *,
    cap: int = DEFAULT_CAP,
) -> Decomposition:
    """The tree network mu' of LJ22 lemma 5 (`absolute`), or mu of lemma 1.

    Paths are merged where they share their remaining tail to the output; an edge has the sign of
    the corresponding weight. In mu each input edge is subdivided by a linear vertex, whose in-edge
    has the product of the signs on the path: the sign of the product, wherever that is not 0 (and
    where it is 0, the coordinate of h is 0 too, and the product of the signs is still determined
    by the signs). weights: one for each parameter of the network, read through their signs only;
    the sign of 0 is read as 1.

    Raises NetworkError for several outputs, TooManyPathsError for more than `cap` paths (from
    anywhere to the output).
    """
    signs = tuple(-1 if weight < 0 else 1 for weight in network.edge_weights(weights))
    end = the_output(network)
    paths = suffixes(network, cap)
    names = _path_names(network, paths, end)
    name_of = dict(zip(paths, names, strict=True))
    start_of = {name: path_vertices(network, path, end)[0] for path, name in name_of.items()}
    complete = all_paths(network, cap)
    activations = {name: network.activations[v] for name, v in start_of.items()}
    carried: dict[tuple[str, str], Path] = {
        (name, name_of[path[1:]]): path[:1] for path, name in name_of.items() if path
    }
    inputs = [name_of[path] for path in complete]
    if not absolute:
        fresh = _unique([f"h({name})" for name in inputs], names)
        for name, path, leaf in zip(fresh, complete, inputs, strict=True):
            carried[name, leaf] = path
            activations[leaf] = LINEAR
        inputs = fresh
    scales = {n: network.scale_squares[v] for n, v in start_of.items() if v not in network.inputs}
    tree = _tree(carried, inputs, names[0], activations, scales)
    edges = tuple(
        carried[tree.names[tail], tree.names[head]]
        for tail, head in zip(tree.tails, tree.heads, strict=True)
    )
    return Decomposition(
        tree,
        tuple(Fraction(prod(signs[e] for e in product)) for product in edges),
        complete,
        edges,
        tuple(start_of.get(name) for name in tree.names),
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


def _path_names(network: Network, paths: Sequence[Path], end: int) -> list[str]:
    """The paths as they are written: `x1->h->o`."""
    names = [
        "->".join(network.names[v] for v in path_vertices(network, path, end)) for path in paths
    ]
    return _unique(names, ())


def _unique(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The names, numbered where two would agree (a vertex may have an arrow in its name)."""
    if len({*names, *taken}) == len(names) + len(taken):
        return list(names)
    return [f"{name} #{k}" for k, name in enumerate(names)]
