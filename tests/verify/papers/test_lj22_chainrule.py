"""The chain rule (32) at kinks, the derivatives of h, and its degrees."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from tests.verify.arrays import saying
from tests.verify.drawn_cases import case_of, drawn_cases, net_of, seen, value_of, values_of
from verify.cases.tensors import tensor
from verify.language.building import Each, Sum, edges_on, examples, paths
from verify.papers.lj22.chainrule import ALONG, SMALL, TOWARDS
from verify.papers.lj22.subdifferential_terms import limit_gradient, rate_of_entry
from verify.papers.registry import find

HALF = Fraction(1, 2)
NEGATIVE = case_of(net_of("x>h h>o"), {"x>h": -2, "h>o": 3}, [(["1/2"], 1, 1)])
CLAIM = find("lj22.eq32.a@A")
# relu(x1 - x2) at its kink
KINK = case_of(net_of("x1>o x2>o", {"o": RELU}), {"x1>o": 1, "x2>o": -1}, [([HALF, HALF], 1, 1)])


def along(case, towards, direction):
    """The case with a direction off its kinks and one along which gradients are looked at."""
    arrays = {"d": tensor(("edges",), towards), "u": tensor(("edges",), direction)}
    return replace(case, arrays=arrays)


def test_held_weights_are_no_coordinates():
    net = net_of("x>h h>o x>o", {"h": RELU}, fixed={("h", "o"): 1})
    case = case_of(net, {"x>h": 1, "x>o": 1}, [([HALF], 1, 1)])
    assert values_of(CLAIM, along(case, [1, 1, 1], [1, 1, 1])) == [0]  # 1/2 + 1/2 on both sides


def test_the_derivative_of_a_coordinate_by_hand():
    # h = x w v = -3 at w = -2, v = 3, x = 1/2: dh/dw = 3/2, dh/dv = -1
    for e, slope in ((0, Fraction(3, 2)), (1, Fraction(-1))):
        at = [1, [0, 1], e]
        assert value_of(find("lj22.eq32.b@A"), NEGATIVE, at=at) == 0
        # B displays sgn(w) x |v| and sgn(v) x |w|: -3/2 and 1
        assert value_of(find("lj22.eq32.b@B2"), NEGATIVE, at=at) == 2 * slope


@pytest.mark.parametrize(
    ("towards", "direction", "slack"),
    [
        ([1, 0], [1, 0], 0),  # the gradient (1/2, 1/2) is a corner, and 1/2 the largest value
        ([-1, 0], [1, 0], HALF),  # the gradient 0 is the other corner
        ([-1, 0], [-1, 0], 0),
        ([1, 1], [1, -1], 0),
    ],
)
def test_limits_of_gradients_at_a_kink_lie_in_the_hull(towards, direction, slack):
    assert values_of(CLAIM, along(KINK, towards, direction)) == [slack]


def test_a_direction_that_stays_on_the_kink_tells_nothing():
    assert values_of(CLAIM, along(KINK, [1, -1], [1, 0])) == []


@pytest.mark.parametrize("slope", [0, 1])
def test_a_hull_without_one_corner_does_not_hold_them(slope):
    """The tree has two corners there, the slopes 0 and 1; neither alone is enough."""

    def alone(j):
        corner = slope * Sum(paths(), lambda p: rate_of_entry(edges_on(p), j, ALONG))
        return limit_gradient(j, (TOWARDS,), ALONG) <= corner

    fewer = saying(CLAIM, Each(examples(), alone))
    sides = [along(KINK, [s, 0], [t, 0]) for s in (1, -1) for t in (1, -1)]
    assert min(value for case in sides for value in values_of(fewer, case)) < 0


@settings(max_examples=15)
@given(drawn_cases(zero=False), st.integers(0, 10**6))
def test_what_holds(case, seed):
    moved = SMALL.adapt(case, Random(seed))
    assert all(value >= 0 for value in values_of(CLAIM, moved))
    assert set(values_of(find("lj22.eq32.b@A"), case)) <= {0}


def test_degrees():
    tied = net_of("x>h h>o", parameters={("x", "h"): "w", ("h", "o"): "w"})
    case = case_of(tied, {"w": 2}, [([1], 1, 1)])
    assert [value for _, value, _ in seen(find("lj22.tensor.a"), case)] == [-1, -1]  # w^2
    assert values_of(find("lj22.tensor.a"), case) == []
    assert values_of(find("lj22.tensor.a"), NEGATIVE) == [0, 0]


@pytest.mark.parametrize(
    ("edges", "value"), [("x>h h>o", 0), ("x>u x>v u>o v>o", 0), ("x>h h>o x>o", 1)]
)
def test_paths_against_widths(edges, value):
    net = net_of(edges)
    case = case_of(net, dict.fromkeys(edges.split(), 1), [([1], 1, 1)])
    [(_, found, admitted)] = seen(find("lj22.tensor.b"), case)
    assert found == value
    assert admitted is (value == 0)
