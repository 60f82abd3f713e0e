"""What is known of the laws of networks with smooth activations, in words.

At a vertex v with learnable weights z = c sum_u w_uv post_u and post_v = s(z), so that
sum_in w dR/dw = z s'(z) dR/dpost_v and sum_out w dR/dw = s(z) dR/dpost_v. The balance at v is
conserved where s is positively homogeneous (z s'(z) = s(z)), whatever the other vertices are.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphs.activations import PIECEWISE_LINEAR, SMOOTH
from graphs.errors import NotRationalError
from graphs.network import Network

BALANCED = {
    "tanh": "at z = 0 alone",
    "softplus": "for no z",
    "sigmoid": "for no z",
}
"""Where z s'(z) = s(z)."""
NAMED = 6


def kept_balances(network: Network) -> tuple[int, ...]:
    """The inner vertices whose balance is conserved whatever the other activations are: their own
    is positively homogeneous, and each edge at them has a learnable weight of its own."""
    return tuple(
        v
        for v in network.inner
        if network.activations[v].homogeneous
        and network.out_edges[v]
        and all(map(network.own_parameter, (*network.in_edges[v], *network.out_edges[v])))
    )


def what_is_known(network: Network) -> tuple[str, ...]:
    """Sentences on the laws around smooth vertices; none where no vertex is smooth."""
    sentences = []
    for kind in SMOOTH:
        smooth = [v for v in network.inner if network.activations[v].kind == kind]
        if smooth:
            sentences.append(
                f"at {_listed(network, smooth)} ({kind}) the balance of squares is in general not "
                "conserved: on each example its rate is -2 (z s'(z) - s(z)) times the derivative "
                f"of the risk in s(z), and z s'(z) = s(z) {BALANCED[kind]}"
            )
    if not network.homogeneous:
        sentences.insert(
            0,
            "Lemmas 2 and 3 of LJ22 need positively homogeneous activations "
            f"({', '.join(PIECEWISE_LINEAR)}): they promise nothing of a vertex, a pair or layers "
            "where one is smooth",
        )
        if kept := kept_balances(network):
            sentences.append(
                f"at {_listed(network, kept)} the balance is conserved all the same: it asks "
                "homogeneity of the vertex's own activation alone"
            )
        sentences.append(
            "beyond what is listed no conserved quantity is known around smooth activations, and "
            "none is excluded"
        )
    return tuple(sentences)


def check_regions(network: Network) -> None:
    """Raises NotRationalError where there are no activation regions, as a vertex is smooth."""
    for name, activation in zip(network.names, network.activations, strict=True):
        if not activation.homogeneous:
            raise NotRationalError(
                f"{name!r} is {activation}: around smooth activations there are no activation "
                "regions, so leave out the point and the slopes"
            )


def _listed(network: Network, vertices: Sequence[int]) -> str:
    more = f" and {len(vertices) - NAMED} more" if len(vertices) > NAMED else ""
    return ", ".join(network.names[v] for v in vertices[:NAMED]) + more
