"""Hypothesis strategies for a network with weights and examples, and a forward pass by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec

from hypothesis import strategies as st

from graphs.network import Network
from graphs.strategies import networks, weights_for

BACKENDS = ("flint", "sympy") if find_spec("flint") else ("sympy",)
Numbers = Sequence[Fraction]


@dataclass(frozen=True)
class Point:
    """A network, P weights, and n examples of one number for each free input."""

    network: Network
    weights: tuple[Fraction, ...]
    xs: tuple[tuple[Fraction, ...], ...]


def in_degree_scaling(net):
    """The network with every pre-activation divided by the root of its number of in-edges.

    Replaces the scales that the network has.
    """
    return replace(net, scale_squares=tuple(Fraction(1, max(1, len(e))) for e in net.in_edges))


@st.composite
def exact_networks(draw, *, scaling=False, **options):
    """As `networks`, but the scales are rational, so that exact arithmetic can have them."""
    net = draw(networks(**options))
    if not scaling:
        return net
    factors = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3)])
    squares = [factor**2 for factor in draw(st.tuples(*[factors] * len(net.names)))]
    return replace(net, scale_squares=tuple(squares))


@st.composite
def points(draw, *, examples=2, numbers=None, **options):
    """Points; numbers: what weights and coordinates are drawn from (default: small rationals)."""
    net = draw(exact_networks(**options))
    if numbers is None:
        numbers = st.builds(Fraction, st.integers(-4, 4), st.integers(1, 3))
        weights = draw(weights_for(net))
    else:
        weights = draw(st.tuples(*[numbers] * net.parameter_count))
    x = st.tuples(*[numbers] * len(net.free_inputs))
    return Point(net, weights, tuple(draw(x) for _ in range(examples)))


def forward(net: Network, weights: Numbers, x: Numbers) -> tuple[list[Fraction], list[Fraction]]:
    """Pre- and post-activations of all vertices, written without the evaluation (scales 1)."""
    coordinates = iter(x)
    start = {
        v: next(coordinates) if constant is None else constant
        for v, constant in zip(net.inputs, net.constants, strict=True)
    }
    pre, post = [], []
    for v in range(net.vertex_count):
        if v in start:
            pre.append(Fraction(start[v]))
            post.append(pre[-1])
            continue
        z = Fraction(0)
        for e in range(net.edge_count):
            if net.heads[e] == v:
                p = net.parameter_of[e]
                z += (net.fixed[e] if p < 0 else weights[p]) * post[net.tails[e]]
        left, right = net.activations[v].slopes
        pre.append(z)
        post.append(z * (left if z < 0 else right))
    return pre, post
