"""Activation regions: the signs and slopes of a forward pass."""

from hypothesis import given

from graphs.regions import pattern, region_slopes
from tests.graphs.drawn_points import forward, points


@given(points(examples=2, sharing=True, fixed=True, constants=True))
def test_the_pattern_is_the_signs_of_a_forward_pass(point):
    net = point.network
    signs = pattern(net, point.weights, point.xs)
    nonlinear = [v for v, a in enumerate(net.activations) if a.kind != "linear"]
    assert list(signs) == [net.names[v] for v in nonlinear]
    slopes = region_slopes(net, point.weights, point.xs)
    for j, x in enumerate(point.xs):
        pre, post = forward(net, point.weights, x)
        for v in nonlinear:
            sign = signs[net.names[v]][j]
            assert sign in (-1, 0, 1)
            assert sign * abs(pre[v]) == pre[v]
            assert slopes[net.names[v]][j] * pre[v] == post[v]
