"""What is said of laws around smooth activations."""

import math
from itertools import pairwise

import pytest

from graphs.activations import RELU, SIGMOID, TANH
from graphs.derivation import derive
from graphs.errors import NetworkError, NotRationalError, TooManyPathsError
from graphs.families import fully_connected
from graphs.laws import find_laws
from graphs.laws.regions import region_at
from graphs.network import network
from graphs.smoothness import kept_balances, what_is_known

VALUES = {
    "tanh": (math.tanh, lambda z: 1 / math.cosh(z) ** 2, [0.0]),
    "sigmoid": (
        lambda z: 1 / (1 + math.exp(-z)),
        lambda z: 1 / (2 + math.exp(z) + math.exp(-z)),
        [],
    ),
    "softplus": (lambda z: math.log1p(math.exp(z)), lambda z: 1 / (1 + math.exp(-z)), []),
}


def mixed():
    """x -> h (tanh) -> g (ReLU) -> k (sigmoid) -> o."""
    return network(
        [("x", "h"), ("h", "g"), ("g", "k"), ("k", "o")],
        inputs=["x"],
        outputs=["o"],
        activations={"h": TANH, "g": RELU, "k": SIGMOID},
    )


@pytest.mark.parametrize("kind", VALUES)
def test_where_the_balance_stands_still(kind):
    """The sign of z s'(z) - s(z) changes at the places that are told, and nowhere else."""
    value, slope, roots = VALUES[kind]
    points = [k / 100 + 0.005 for k in range(-600, 600)]
    signs = [z * slope(z) > value(z) for z in points]
    changes = [z for z, a, b in zip(points[1:], signs, signs[1:], strict=False) if a != b]
    assert changes == pytest.approx(roots, abs=0.01)


@pytest.mark.parametrize("kind", ["h", "g", "k"])
def test_the_rate_that_is_told(kind):
    """Of f = c s(b r(a x)): sum_in w df/dw - sum_out w df/dw = (z s'(z) - s(z)) df/ds(z)."""
    net, weights, x = mixed(), [0.7, 1.3, -0.4, 2.0], 0.9
    tanh, sigmoid = VALUES["tanh"], VALUES["sigmoid"]

    def output(w):
        return w[3] * sigmoid[0](w[2] * max(0, w[1] * tanh[0](w[0] * x)))

    def scaled(p):
        """w_p df/dw_p, by central differences."""
        step = 1e-6
        up, down = ([w + s * (q == p) for q, w in enumerate(weights)] for s in (step, -step))
        return weights[p] * (output(up) - output(down)) / (2 * step)

    v = net.index[kind]
    rate = scaled(v - 1) - scaled(v)
    z = [weights[0] * x]
    z += [weights[1] * tanh[0](z[0])]
    z += [weights[2] * z[1]]
    chain = {
        "h": (z[0], tanh, weights[3] * sigmoid[1](z[2]) * weights[2] * weights[1]),
        "k": (z[2], sigmoid, weights[3]),
    }
    if kind == "g":
        assert rate == pytest.approx(0, abs=1e-8)
        assert kept_balances(net) == (v,)
    else:
        here, (value, slope, _), onward = chain[kind]
        assert rate == pytest.approx((here * slope(here) - value(here)) * onward, abs=1e-8)
        assert abs(rate) > 1e-3


def test_derive_and_laws_say_the_same():
    known = what_is_known(mixed())
    derivation = derive(mixed())
    assert derivation.known == known
    assert derivation.output is None
    assert derivation.balances["g"].as_text() == "-w_g_k**2 + w_h_g**2"
    assert derivation.paths[0].term.as_text() == "w_g_k*w_h_g*w_k_o*w_x_h*x"
    for text in (derivation.as_text(), find_laws(mixed()).as_text()):
        assert all(sentence in text for sentence in known)
    assert [law.name for law in find_laws(mixed()).laws] == ["lj22.lemma2a"]


def test_nothing_is_said_where_no_activation_is_smooth():
    assert what_is_known(fully_connected([2, 3, 1])) == ()


def test_there_are_no_regions():
    with pytest.raises(NotRationalError, match=r"'h' is tanh: .* no activation regions"):
        derive(mixed(), slopes={"g": 1})
    with pytest.raises(NotRationalError, match="leave out the point"):
        region_at(mixed(), [1, 1, 1, 1], [1])


def test_what_is_too_large_is_refused_at_once():
    names = ["x", *(f"h{k}" for k in range(6000)), "o"]
    edges = list(pairwise(names))
    chain = network(edges, inputs=["x"], outputs=["o"])
    with pytest.raises(TooManyPathsError, match="6001 products of up to 6001 weights, too long"):
        derive(chain)
    with pytest.raises(NetworkError, match="6001 parameters: the laws of networks with at most"):
        find_laws(chain)
