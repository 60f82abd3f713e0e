"""Families of networks: fully connected, bottleneck, DenseNet, trees.

The random graphs are in `random_graphs`, convolutions in `convolutions`, residual blocks in
`residual`, and what turns networks into networks in `composition`. Names are deterministic: inputs
x1, x2, ...; hidden vertices h1.1 (layer 1, vertex 1), ...; one output o, several o1, o2, ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from graphs.activations import LINEAR, RELU, Activation
from graphs.composition import numbered, with_bias
from graphs.errors import NetworkError
from graphs.network import Edge, Network, network, topological_order


def fully_connected(
    widths: Sequence[int],
    hidden: Activation | Sequence[Activation] = RELU,
    output: Activation = LINEAR,
    bias: bool = False,
) -> Network:
    """A fully connected network (Le & Jegelka 2022, Definition 2).

    widths: of the inputs, the hidden layers and the output, at least two. hidden: one activation
    for all hidden layers, or one for each. bias: a bias, from one shared constant input, at every
    vertex but the inputs.

    Raises NetworkError when there are fewer than two widths, one is not positive, or the number of
    activations is not that of the hidden layers.

    >>> str(fully_connected([2, 3, 1]))
    'fully connected 2-3-1 (6 vertices, 9 edges, 9 parameters)'
    """
    for width in widths:
        _positive("width", width)
    if len(widths) < 2:
        raise NetworkError(f"widths {list(widths)}: give at least those of inputs and outputs")
    given = [hidden] * (len(widths) - 2) if isinstance(hidden, Activation) else list(hidden)
    if len(given) != len(widths) - 2:
        raise NetworkError(
            f"{len(given)} activations for {len(widths) - 2} hidden layers: give one for each"
        )
    layers = layer_names(widths)
    activations = dict.fromkeys(layers[-1], output)
    for names, activation in zip(layers[1:-1], given, strict=True):
        activations |= dict.fromkeys(names, activation)
    net = network(
        [edge for before, after in pairwise(layers) for edge in full(before, after)],
        inputs=layers[0],
        outputs=layers[-1],
        activations=activations,
        title=f"fully connected {sizes(widths)}{' with biases' if bias else ''}",
    )
    return with_bias(net) if bias else net


def is_fully_connected(network: Network) -> bool:
    """Whether every edge goes from one layer to the next, and each such pair is joined. Layers are
    by the longest path from an input.

    >>> is_fully_connected(fully_connected([2, 3, 1]))
    True
    """
    depth = network.depths
    sizes_of = Counter(depth)
    whole = sum(sizes_of[d] * sizes_of[d + 1] for d in sizes_of)
    ends = zip(network.tails, network.heads, strict=True)
    return whole == network.edge_count and all(depth[h] == depth[t] + 1 for t, h in ends)


def bottleneck(
    widths: Sequence[int],
    hidden: Activation = RELU,
    narrow: Activation = LINEAR,
    output: Activation = LINEAR,
) -> Network:
    """A fully connected network with bottlenecks: layers narrower than both their neighbours.

    widths: as for `fully_connected`. narrow: the activation of the bottleneck layers.

    Raises NetworkError when no hidden layer is a bottleneck.

    >>> net = bottleneck([3, 4, 2, 4, 1])
    >>> [name for name, a in zip(net.names, net.activations) if a == LINEAR and name[0] == "h"]
    ['h2.1', 'h2.2']
    """
    triples = list(zip(widths, widths[1:], widths[2:], strict=False))
    if not any(b < min(a, c) for a, b, c in triples):
        raise NetworkError(
            f"widths {list(widths)} have no bottleneck: make a hidden layer narrower than both "
            "its neighbours"
        )
    activations = [narrow if b < min(a, c) else hidden for a, b, c in triples]
    net = fully_connected(widths, activations, output)
    return net.titled(f"bottleneck {sizes(widths)}")


def dense_net(
    inputs: int,
    growth: int,
    blocks: Sequence[int],
    compression: Fraction | int | str = Fraction(1, 2),
    hidden: Activation = RELU,
    transition: Activation = LINEAR,
    output: Activation = LINEAR,
) -> Network:
    """A DenseNet with fully connected layers (Huang et al. 2017) and one output.

    In a block every layer, of `growth` vertices, reads all features of the block before it: those
    that the block was given and those of its earlier layers. blocks: the number of layers of each.
    Between two blocks a transition layer reads all features and passes on the share `compression`
    of their number (rounded down, at least one). The output reads all features of the last block.

    Raises NetworkError when a size is not positive or the compression is not in (0, 1].
    """
    for what, size in (("inputs", inputs), ("growth", growth), *(("blocks", b) for b in blocks)):
        _positive(what, size)
    if not blocks:
        raise NetworkError("blocks is empty: give the number of layers of each block")
    share = Fraction(compression)
    if not 0 < share <= 1:
        raise NetworkError(f"compression {share} is not in (0, 1]")
    sources = [f"x{k + 1}" for k in range(inputs)]
    features = list(sources)
    edges: list[Edge] = []
    activations = {"o": output}
    for block, layers in enumerate(blocks, start=1):
        if block > 1:
            count = max(1, int(share * len(features)))
            passed = [f"t{block - 1}.{k + 1}" for k in range(count)]
            edges += full(features, passed)
            activations |= dict.fromkeys(passed, transition)
            features = passed
        for layer in range(1, layers + 1):
            grown = [f"h{block}.{layer}.{k + 1}" for k in range(growth)]
            edges += full(features, grown)
            activations |= dict.fromkeys(grown, hidden)
            features = features + grown
    edges += full(features, ["o"])
    title = f"DenseNet with blocks {sizes(blocks)}, growth {growth}"
    return network(edges, inputs=sources, outputs=["o"], activations=activations, title=title)


def tree(
    parents: Mapping[str, str], hidden: Activation = RELU, output: Activation = LINEAR
) -> Network:
    """A tree network: every vertex but the output has exactly one out-edge.

    parents: for each vertex but the output the vertex that its out-edge enters. The vertices
    that nothing enters are the inputs, in order of appearance.

    Raises NetworkError when there is not exactly one root, CycleError when following the parents
    goes round.

    >>> tree({"x1": "h", "x2": "h", "h": "o", "x3": "o"}).edge_count
    4
    """
    if not parents:
        raise NetworkError("tree without edges: give each leaf its parent")
    entered = set(parents.values())
    roots = sorted(entered - parents.keys())
    if len(roots) > 1:
        raise NetworkError(f"tree with the roots {', '.join(roots)}: give all but one a parent")
    topological_order(list(parents.items()), (), roots)  # raises where the parents go round
    leaves = [name for name in parents if name not in entered]
    activations = {name: hidden for name in parents if name in entered}
    return network(
        parents.items(),
        inputs=leaves,
        outputs=roots,
        activations={**activations, roots[0]: output},
        title=f"tree with {len(leaves)} leaves",
    )


def random_tree(
    random: Random,
    leaves: int,
    chain: float = 0.25,
    hidden: Activation = RELU,
    output: Activation = LINEAR,
) -> Network:
    """A random tree network with the given number of leaves (the inputs x1, x2, ...).

    Subtrees are joined, two or more at random at a time, until one is left; above each vertex so
    far a vertex with one in-edge is added with probability `chain`, and once more, and so on.

    Raises NetworkError when leaves is not positive or chain is not in [0, 1).
    """
    _positive("leaves", leaves)
    if not 0 <= chain < 1:
        raise NetworkError(f"chain = {chain} is not in [0, 1)")
    parents: dict[str, str] = {}
    tops = [f"x{k + 1}" for k in range(leaves)]
    count = 0

    def joined(subtrees: list[str]) -> str:
        nonlocal count
        count += 1
        parents.update(dict.fromkeys(subtrees, f"h{count}"))
        return f"h{count}"

    while len(tops) > 1 or not parents:
        chosen = random.sample(tops, random.randint(min(2, len(tops)), len(tops)))
        top = joined(chosen)
        tops = [other for other in tops if other not in parents]
        while random.random() < chain:
            top = joined([top])
        tops.append(top)
    renamed = {child: "o" if up == tops[0] else up for child, up in parents.items()}
    ordered = {f"x{k + 1}": renamed[f"x{k + 1}"] for k in range(leaves)} | renamed
    return tree(ordered, hidden, output).titled(f"random tree with {leaves} leaves")


def layer_names(widths: Sequence[int]) -> list[list[str]]:
    """The vertex names of a layered network: x1, ...; h1.1, ...; o or o1, ...."""
    inner = [[f"h{k}.{j + 1}" for j in range(w)] for k, w in enumerate(widths[1:-1], start=1)]
    return [[f"x{j + 1}" for j in range(widths[0])], *inner, numbered("o", widths[-1])]


def full(tails: Sequence[str], heads: Sequence[str]) -> list[Edge]:
    """Every edge from one set of vertices to another."""
    return [(tail, head) for head in heads for tail in tails]


def sizes(widths: Sequence[int]) -> str:
    """Widths as a title shows them: 2-3-1, and long ones shortened.

    >>> sizes([9] * 20)
    '9-9-...-9 (20 layers)'
    """
    if len(widths) <= 6:
        return "-".join(map(str, widths))
    return f"{widths[0]}-{widths[1]}-...-{widths[-1]} ({len(widths)} layers)"


def _positive(what: str, size: int) -> None:
    if size < 1:
        raise NetworkError(f"{what} {size} is not positive")
