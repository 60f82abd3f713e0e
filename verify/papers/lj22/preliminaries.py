"""Section 2: preliminaries. The risk, and three kinds of networks."""

from dataclasses import replace

from graphs.activations import LINEAR
from graphs.families import fully_connected
from graphs.network import Network
from verify.cases.breaks import one_bent
from verify.cases.named_architectures import architectures
from verify.cases.pool import HOMOGENEOUS_MIX, Pool
from verify.cases.transformations import map_inner_activations
from verify.core.claim import Claim, Kind
from verify.core.examples import Example, Part
from verify.language.building import (
    Along,
    Each,
    Filter,
    Max,
    Some,
    Sum,
    When,
    card,
    examples,
    floor,
    head,
    held,
    into,
    matrix,
    nu,
    out_of,
    post,
    upto,
    vector,
    vertices,
    w,
    x,
    y,
    z,
)
from verify.language.terms import Term
from verify.papers.lj22.graph_terms import is_linear
from verify.papers.lj22.sources import both
from verify.papers.lj22.tree_terms import OUTPUT, forward
from verify.statements import network_hypotheses as given
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    LABELS,
    off_inputs,
)
from verify.statements.stated import Given, stated

POOL = Pool(losses=("prescribed",))


def same_arguments(j: Term) -> Term:
    """y_j nu(x_j) and nu(y_j x_j), the arguments of the loss."""
    return y(j) * nu(j) == forward(OUTPUT, w, lambda v: When(held(v), x(v, j), y(j) * x(v, j)))


# Definition 2 ------------------------------------------------------------------------------------
def depth(v: Term) -> Term:
    """How many edges the longest path from an input has."""
    return Along(
        v,
        lambda u, path, before: When(card(into(u)) == 0, 0, 1 + Max(before, lambda d: d)),
    )


def layer(i: Term) -> Term:
    """V_i, from 1: the vertices in the order of the record."""
    return Filter(vertices(), lambda v: depth(v) == i - 1)


LAYERS = floor(depth(OUTPUT))
"""L."""


def weights_between(i: Term) -> Term:
    """W^[i]; 0 where there is no edge, in a network that is not fully connected."""

    def entry(k: Term, j: Term) -> Term:
        joining = Filter(out_of(layer(i)[j]), lambda e: head(e) == layer(i + 1)[k])
        return Sum(joining, lambda e: w(e))

    return matrix(card(layer(i + 1)), card(layer(i)), entry)


def by_matrices(i: Term, j: Term) -> Term:
    """z of a layer is W times post of the one before."""
    before = vector(card(layer(i)), lambda k: post(layer(i)[k], j))
    return (
        vector(card(layer(i + 1)), lambda k: z(layer(i + 1)[k], j)) == weights_between(i) @ before
    )


FULLY_CONNECTED = replace(
    given.FULLY_CONNECTED,
    holds=Each(
        vertices(),
        lambda u: Each(
            vertices(),
            lambda v: Some(out_of(u), lambda e: head(e) == v) == (depth(v) == depth(u) + 1),
        ),
    ),
)


# Definition 3 ------------------------------------------------------------------------------------
def is_tree_network(network: Network) -> bool:
    """Definition 3: the underlying undirected graph is a tree."""
    import networkx

    return bool(networkx.is_tree(network.to_networkx().to_undirected()))


def trees() -> tuple[Example, ...]:
    """Small networks and the named ones (verify.cases.named_architectures), by their numbers of
    edges: a connected graph is a tree where it has one edge less than vertices."""
    small = [fully_connected(sizes) for sizes in ([1, 1, 1], [3, 1], [4, 1, 1], [2, 2, 1])]
    found = []
    for net in (*small, *(net for net, _ in architectures())):
        size = f"{net.edge_count} edges, {net.vertex_count} vertices"
        found.append(Example(net.title, (Part("tree", size, is_tree_network(net)),)))
    return tuple(found)


LINEAR_EVERYWHERE = Given(
    "linear",
    off_inputs(is_linear),
    "every activation is linear",
    lambda case, random: map_inner_activations(case, lambda a: LINEAR, outputs=True),
    one_bent,
)

CLAIMS = (
    stated(
        "lj22.risk",
        both("Section 2, display of the empirical risk"),
        "two expressions of the empirical risk",
        r"$$\mathcal R(w)=\frac1n\sum_{i=1}^n\ell(y_i\nu(x_i))=\frac1n\sum_{i=1}^n"
        r"\ell(\nu(y_ix_i))$$ "
        r"Compared here: the arguments of $\ell$, for every loss at once.",
        Each(examples(), same_arguments),
        (FEEDFORWARD, LABELS, HOMOGENEOUS, BIAS_FREE),
        pool=POOL,
        why=r"a ReLU network is not odd: $\nu(-x_i)$ need not be $-\nu(x_i)$, so $y_i$ does not go "
        "through the network",
    ),
    stated(
        "lj22.risk.fix",
        both("Section 2, display of the empirical risk"),
        "two expressions of the empirical risk, for linear networks",
        r"For a network whose activations are all linear: "
        r"$$\frac1n\sum_{i=1}^n\ell(y_i\nu(x_i))=\frac1n\sum_{i=1}^n\ell(\nu(y_ix_i))$$",
        Each(examples(), same_arguments),
        (FEEDFORWARD, LABELS, LINEAR_EVERYWHERE, BIAS_FREE),
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
    stated(
        "lj22.def2",
        both("Definition 2 and the text after it"),
        "fully-connected network and its weight matrices",
        r"$V=V_1\sqcup\dots\sqcup V_{L+1}$ with $uv\in E$ iff $u\in V_i$, $v\in V_{i+1}$ for some "
        r"$i$; the weights form matrices $W^{[i]}\in\mathbb R^{n_{i+1}\times n_i}$, used as "
        r"$z_{V_{i+1}}=W^{[i]}\,\mathrm{post}_{V_i}$. Judged: the matrices exist and give the "
        r"preactivations of the graph.",
        Each(upto(LAYERS), lambda i: Each(examples(), lambda j: by_matrices(i, j))),
        (FULLY_CONNECTED,),
        kind=Kind.DEFINITION,
        depends=("lj22.def1",),
        pool=Pool(
            families=("fully connected",), losses=("prescribed",), activations=HOMOGENEOUS_MIX
        ),
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
