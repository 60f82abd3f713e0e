"""Section 2: preliminaries. The risk, and three kinds of networks."""

import itertools
from fractions import Fraction

from graphs.activations import LINEAR
from graphs.arithmetic import as_fraction, rational
from graphs.families import fully_connected
from graphs.network import Network
from verify.breaks import one_bent
from verify.claim import Claim, Kind
from verify.examples import Example, Part
from verify.hypotheses import Hypothesis, by_case
from verify.named import architectures
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, FULLY_CONNECTED, HOMOGENEOUS
from verify.papers.lj22.sources import both
from verify.point_hypotheses import LABELS
from verify.pool import HOMOGENEOUS_MIX, Pool
from verify.transformations import map_inner_activations
from verify.vocabulary import Entries, Scene, constant_entries

POOL = Pool(losses=("prescribed",))


def risk_arguments(scene: Scene) -> Entries:
    """y_j nu(x_j) - nu(y_j x_j), the difference of the two arguments of the loss."""
    flipped = scene.labels[scene.input_owner] * scene.inputs
    return scene.per_example(scene.labels * scene.value, scene.value_at(flipped))


def matrix_form(scene: Scene) -> Entries:
    """Pre-activations by the matrices W^[i] minus those by the graph, for each vertex."""
    rows = []
    for number, (case, offset) in enumerate(
        zip(scene.cases, scene.union.vertex_offset, strict=False)
    ):
        network = case.network
        weights = network.edge_weights(case.weights)
        parts = [
            [v for v, d in enumerate(network.depths) if d == level]
            for level in range(max(network.depths) + 1)
        ]
        for tails, heads in itertools.pairwise(parts):
            matrix = _matrix(network, weights, tails, heads)
            for head, line in zip(heads, matrix, strict=True):
                for j in range(scene.n):
                    product = sum(
                        (w * scene.post[t + offset, j] for w, t in zip(line, tails, strict=True)),
                        rational(0),
                    )
                    label = {"vertex": network.names[head], "example": j}
                    rows.append((number, label, product - scene.pre[head + offset, j]))
    return constant_entries(scene, [(c, label, as_fraction(value)) for c, label, value in rows])


def _matrix(
    network: Network, weights: tuple[Fraction, ...], tails: list[int], heads: list[int]
) -> list[list[object]]:
    """W with one row for each head and one column for each tail, from the edges between them; 0
    where there is none (in a network that is not fully connected)."""
    by_ends = {
        (t, h): rational(w) for t, h, w in zip(network.tails, network.heads, weights, strict=True)
    }
    return [[by_ends.get((t, h), rational(0)) for t in tails] for h in heads]


def is_tree_network(network: Network) -> bool:
    """Definition 3: the underlying undirected graph is a tree."""
    import networkx

    return bool(networkx.is_tree(network.to_networkx().to_undirected()))


def trees() -> tuple[Example, ...]:
    """Small networks and the named architectures (verify.named), by their numbers of edges: a
    connected graph is a tree where it has one edge less than vertices."""
    small = [fully_connected(sizes) for sizes in ([1, 1, 1], [3, 1], [4, 1, 1], [2, 2, 1])]
    found = []
    for net in (*small, *(net for net, _ in architectures())):
        size = f"{net.edge_count} edges, {net.vertex_count} vertices"
        found.append(Example(net.title, (Part("tree", size, is_tree_network(net)),)))
    return tuple(found)


TREE = Hypothesis(
    "tree network",
    "the underlying undirected graph of $G$ is a tree",
    by_case(lambda case: is_tree_network(case.network)),
)

ALL_LINEAR = Hypothesis(
    "linear",
    "every activation is linear",
    by_case(lambda case: all(a.kind == "linear" for a in case.network.activations)),
    lambda case, random: map_inner_activations(case, lambda a: LINEAR, outputs=True),
    one_bent,
)


CLAIMS = (
    Claim(
        "lj22.risk",
        Kind.IDENTITY,
        both("Section 2, display of the empirical risk"),
        "two expressions of the empirical risk",
        r"$$\mathcal R(w)=\frac1n\sum_{i=1}^n\ell(y_i\nu(x_i))=\frac1n\sum_{i=1}^n"
        r"\ell(\nu(y_ix_i))$$ "
        r"Compared here: the arguments of $\ell$, for every loss at once.",
        (FEEDFORWARD, LABELS, HOMOGENEOUS, BIAS_FREE),
        measure=risk_arguments,
        pool=POOL,
        why=r"a ReLU network is not odd: $\nu(-x_i)$ need not be $-\nu(x_i)$, so $y_i$ does not go "
        "through the network",
    ),
    Claim(
        "lj22.risk.fix",
        Kind.IDENTITY,
        both("Section 2, display of the empirical risk"),
        "two expressions of the empirical risk, for linear networks",
        r"For a network whose activations are all linear: "
        r"$$\frac1n\sum_{i=1}^n\ell(y_i\nu(x_i))=\frac1n\sum_{i=1}^n\ell(\nu(y_ix_i))$$",
        (FEEDFORWARD, LABELS, ALL_LINEAR, BIAS_FREE),
        measure=risk_arguments,
        pool=Pool(losses=("prescribed",), activations=("linear",)),
        repairs="lj22.risk",
    ),
    Claim(
        "lj22.def1",
        Kind.DEFINITION,
        both("Definition 1"),
        "feedforward network",
        r"A network $\nu$ with graph $G$ is a feedforward network if $G$ is a directed acyclic "
        r"graph (in the appendix: connected and simple).",
    ),
    Claim(
        "lj22.def2",
        Kind.DEFINITION,
        both("Definition 2 and the text after it"),
        "fully-connected network and its weight matrices",
        r"$V=V_1\sqcup\dots\sqcup V_{L+1}$ with $uv\in E$ iff $u\in V_i$, $v\in V_{i+1}$ for some "
        r"$i$; the weights form matrices $W^{[i]}\in\mathbb R^{n_{i+1}\times n_i}$, used as "
        r"$z_{V_{i+1}}=W^{[i]}\,\mathrm{post}_{V_i}$. Judged: the matrices exist and give the "
        r"preactivations of the graph.",
        (FULLY_CONNECTED,),
        ("lj22.def1",),
        measure=matrix_form,
        pool=Pool(
            families=("fully connected",), losses=("prescribed",), activations=HOMOGENEOUS_MIX
        ),
        exact_only=True,
    ),
    Claim(
        "lj22.def3",
        Kind.DEFINITION,
        both("Definition 3"),
        "tree network",
        r"A feedforward network $\nu$ with graph $G$ is a tree network if the underlying "
        r"undirected graph of $G$ is a tree.",
        depends=("lj22.def1",),
        examples=trees,
    ),
)
