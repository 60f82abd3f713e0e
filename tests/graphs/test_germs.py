"""The corners of the subdifferential of a tree network, against gradients nearby."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU, leaky_relu
from graphs.errors import NetworkError, TooManyPathsError
from graphs.exact import output
from graphs.germs import limiting_gradients
from graphs.network import Network, network

ACTIVATIONS = [LINEAR, RELU, ABS, leaky_relu("1/3")]
STEP = Fraction(1, 10**9)
ONE = Fraction(1)


@st.composite
def trees(draw: st.DrawFn) -> tuple[Network, tuple[Fraction, ...], tuple[Fraction, ...]]:
    """A tree on at most four inputs with weights 1 and -1, and a point with many zeros."""
    names = [f"x{k}" for k in range(draw(st.integers(1, 4)))]
    waiting, edges, count = list(names), [], 0
    while len(waiting) > 1 or not edges or draw(st.booleans()):
        size = draw(st.integers(1, len(waiting)))
        vertex, count = f"h{count}", count + 1
        edges += [(child, vertex) for child in waiting[:size]]
        waiting = [*waiting[size:], vertex]
        if count == 6:
            break
    edges += [(child, "o") for child in waiting]
    heads = {head for _, head in edges}
    chosen = {head: draw(st.sampled_from(ACTIVATIONS)) for head in sorted(heads)}
    net = network(edges, inputs=names, outputs=["o"], activations=chosen)
    signs = st.sampled_from([ONE, -ONE])
    weights = tuple(draw(signs) for _ in net.parameter_names)
    return net, weights, tuple(Fraction(draw(st.integers(-1, 1))) for _ in names)


def nearby(net, weights, point, direction):
    """The gradient near the point in a direction, by difference quotients; none at a kink."""
    here = [p + STEP * d for p, d in zip(point, direction, strict=True)]
    found = []
    for k in range(len(point)):
        values = []
        for sign in (1, -1):
            moved = list(here)
            moved[k] += sign * STEP / 10**9
            values.append(output(net, weights, moved))
        middle = output(net, weights, here)
        if values[0] - middle != middle - values[1]:
            return None
        found.append((values[0] - values[1]) * 10**9 / (2 * STEP))
    return tuple(found)


SPREAD = (-37, -11, -3, 2, 7, 53)  # no small combination with coefficients 1 and -1 is 0


@settings(max_examples=40)
@given(trees(), st.data())
def test_gradients_nearby_are_corners(tree, data):
    net, weights, point = tree
    corners = limiting_gradients(net, weights, point)
    assert len(set(corners)) == len(corners)
    for _ in range(3):
        direction = data.draw(st.permutations(SPREAD))[: len(point)]
        found = nearby(net, weights, point, direction)
        assert found is None or found in corners


@settings(max_examples=15)
@given(trees().filter(lambda tree: len(tree[2]) <= 2))
def test_every_corner_is_a_gradient_nearby(tree):
    net, weights, point = tree
    steps = [Fraction(sign * size) for sign in (1, -1) for size in (1, 3, 17, 101)]
    found = {
        nearby(net, weights, point, direction) for direction in product(steps, repeat=len(point))
    }
    assert found - {None} == set(limiting_gradients(net, weights, point))


def test_two_neurons_by_hand():
    # relu(a) - relu(b) at a = 0, b = 1: the derivative in a is 0 or 1, that in b is -1
    net = network(
        [("a", "u"), ("b", "v"), ("u", "o"), ("v", "o")], inputs=["a", "b"], outputs=["o"]
    )
    weights = dict(zip(net.parameter_names, [ONE] * 4, strict=True)) | {"w[v->o]": -ONE}
    signs = tuple(weights[name] for name in net.parameter_names)
    assert set(limiting_gradients(net, signs, [Fraction(0), ONE])) == {(0, -1), (1, -1)}
    # behind the kink nothing moves on the dead side: relu(relu(a)) has two corners, not four
    chain = network([("a", "u"), ("u", "o")], inputs=["a"], outputs=["o"], activations={"o": RELU})
    assert set(limiting_gradients(chain, [ONE, ONE], [Fraction(0)])) == {(0,), (1,)}


def test_what_is_refused():
    fork = network([("x", "u"), ("x", "v"), ("u", "o"), ("v", "o")], inputs=["x"], outputs=["o"])
    with pytest.raises(NetworkError, match="no tree"):
        limiting_gradients(fork, [ONE] * 4, [ONE])
    edge = network([("x", "o")], inputs=["x"], outputs=["o"])
    with pytest.raises(NetworkError, match="weight 0"):
        limiting_gradients(edge, [Fraction(0)], [ONE])
    star = network(
        [(f"x{k}", f"h{k}") for k in range(3)] + [(f"h{k}", "o") for k in range(3)],
        inputs=["x0", "x1", "x2"],
        outputs=["o"],
    )
    with pytest.raises(TooManyPathsError, match="cones"):
        limiting_gradients(star, [ONE] * 6, [Fraction(0)] * 3, cap=7)
