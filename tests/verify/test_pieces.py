"""Linear pieces by chains of points, against values."""

from fractions import Fraction
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from graphs.exact import output
from graphs.strategies import networks, weights_for
from verify.cases.linear_pieces import bent_chain, determinant, linear_through, walk


def at(coefficients, point):
    """The value of a linear function."""
    return sum(a * b for a, b in zip(coefficients, point, strict=True))


@given(st.tuples(*[st.integers(-4, 4)] * 4), st.tuples(*[st.integers(-4, 4)] * 2))
def test_the_linear_function_through_two_points(numbers, values):
    p, q = (tuple(map(Fraction, part)) for part in (numbers[:2], numbers[2:]))
    assume(determinant(p, q) != 0)
    linear = linear_through(p, q, [Fraction(v) for v in values])
    assert (at(linear, p), at(linear, q)) == values


@settings(max_examples=40)
@given(st.data())
def test_chains_that_are_found_are_what_they_say(data):
    net = data.draw(networks(max_inputs=2, max_hidden=3, activations=st.just(RELU)))
    assume(len(net.free_inputs) == 2 and net.homogeneous)
    weights = data.draw(weights_for(net, zero=False))
    points = walk(net, weights)
    for p, q in pairwise([*points, points[0]]):
        # between two neighbours the network is linear: at a third of the way, too
        third = tuple((2 * a + b) / 3 for a, b in zip(p, q, strict=True))
        ends = [output(net, weights, point) for point in (p, q)]
        assert output(net, weights, third) == (2 * ends[0] + ends[1]) / 3
    chain = bent_chain(net, weights)
    if chain:
        values = [output(net, weights, point) for point in chain]
        linear = linear_through(chain[0], chain[1], values[:2])
        assert [at(linear, point) for point in chain] == values
        middle = tuple((a + b) / 2 for a, b in zip(chain[0], chain[-1], strict=True))
        assert output(net, weights, middle) != at(linear, middle)
