"""A linear piece that is not convex, by hand and against sampling."""

from fractions import Fraction
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from graphs.exact import output
from graphs.strategies import networks, weights_for
from tests.verify.drawn_cases import case_of, net_of, value_of, values_of
from verify.pieces import at, bent_chain, determinant, in_one_piece, linear_through, outside, walk
from verify.registry import find

FINAL, EARLIER = (find(f"lj22.rem-convex@{reading}") for reading in "AB")
# relu(x1) - relu(x1 - x2), and relu of it: relu(min(x1, x2)), 0 outside of the positive quadrant
NET = net_of("x1>a x1>b x2>b a>o b>o", {"a": RELU, "b": RELU, "o": RELU})
WEIGHTS = {"x1>a": 1, "x1>b": 1, "x2>b": -1, "a>o": 1, "b>o": -1}
CORNERS = (["1/2", "0"], ["0", "-1/2"], ["-1/2", "-1/2"], ["-1/2", "0"], ["0", "1/2"])
ROUND = [(corner, 1, 1) for corner in CORNERS]


def test_the_zero_piece_around_a_quadrant():
    case = case_of(NET, WEIGHTS, ROUND)
    # from (1/2, 0) around to (0, 1/2); the midpoint (1/4, 1/4) has the value 1/4
    for claim in (FINAL, EARLIER):
        assert value_of(claim, case) == Fraction(1, 4)


def test_a_convex_piece_is_no_witness():
    case = case_of(NET, WEIGHTS, [(["1/2", "1/4"], 1, 1), (["1/2", "1/8"], 1, 1)])
    assert value_of(FINAL, case) == 0


def test_what_is_no_chain_in_one_piece():
    across = case_of(NET, WEIGHTS, [ROUND[0], ROUND[4]])  # x1 = x2 lies between them
    dependent = case_of(NET, WEIGHTS, [ROUND[0], ROUND[3]])
    several = case_of(NET, WEIGHTS, [(["1/2", "1/8"], 1, 1), *ROUND])
    single = case_of(NET, WEIGHTS, ROUND[:1])
    zero = case_of(NET, {**WEIGHTS, "x1>a": 0}, ROUND)
    for case in (across, dependent, several, single):
        assert values_of(FINAL, case) == values_of(EARLIER, case) == []
    assert values_of(FINAL, zero) == []


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
        assert in_one_piece(net, weights, chain)
        assert outside(net, weights, chain) != 0
        assert not in_one_piece(net, weights, [chain[0], *chain])
