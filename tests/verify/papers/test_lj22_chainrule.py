"""The chain rule (32) at kinks, the derivatives of h, and its degrees."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, drawn_cases, net_of, seen, value_of, values_of
from verify.papers.lj22 import chainrule
from verify.papers.lj22.chainrule import in_hull
from verify.registry import find
from verify.tree_inputs import TreeInputs

HALF = Fraction(1, 2)
NEGATIVE = case_of(net_of("x>h h>o"), {"x>h": -2, "h>o": 3}, [(["1/2"], 1, 1)])
# relu(x1 - x2) at its kink
KINK = case_of(
    net_of("x1>o x2>o", {"o": RELU}),
    {"x1>o": 1, "x2>o": -1},
    [([HALF, HALF], 1, 1)],
    directions=[["1", "0"], ["-1", "0"], ["1", "1"]],
)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=5))
def test_a_mean_of_corners_is_in_the_hull_and_a_point_far_away_is_not(corners):
    rows = [[Fraction(a) for a in corner] for corner in corners]
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    assert in_hull(mean, rows)
    assert in_hull(rows[0], rows)
    assert not in_hull([Fraction(4), Fraction(0)], rows)


def test_held_weights_are_no_coordinates():
    net = net_of("x>h h>o x>o", {"h": RELU}, fixed={("h", "o"): 1})
    weights = {"x>h": 1, "x>o": 1}
    case = case_of(net, weights, [([HALF], 1, 1)], directions=[["1", "1"]])
    assert values_of(find("lj22.eq32.a@A"), case) == [0]


def test_the_derivative_of_a_coordinate_by_hand():
    # h = x w v = -3 at w = -2, v = 3, x = 1/2: dh/dw = 3/2, dh/dv = -1
    for e, slope in ((0, Fraction(3, 2)), (1, Fraction(-1))):
        at = [1, [0, 1], e]
        assert value_of(find("lj22.eq32.b@A"), NEGATIVE, at=at) == 0
        # B displays sgn(w) x |v| and sgn(v) x |w|: -3/2 and 1
        assert value_of(find("lj22.eq32.b@B2"), NEGATIVE, at=at) == 2 * slope


def test_limits_of_gradients_at_a_kink_lie_in_the_hull():
    assert [value for _, value, _ in seen(find("lj22.eq32.a@A"), KINK)] == [0, 0, 0]


def test_a_hull_without_one_corner_does_not_hold_them(monkeypatch):
    """The tree has two corners there, the slopes 0 and 1; neither alone is enough."""
    whole = TreeInputs(KINK, False).corners
    assert len(whole[0]) == 2
    for kept in (0, 1):
        fewer = property(lambda tree, k=kept: tuple(row[k : k + 1] for row in whole))
        monkeypatch.setattr(TreeInputs, "corners", fewer)
        assert sum(value for _, value, _ in seen(find("lj22.eq32.a@A"), KINK)) >= 1


@settings(max_examples=15)
@given(drawn_cases(zero=False), st.randoms(use_true_random=False))
def test_what_holds(case, random):
    moved = chainrule.SMALL.adapt(case, random)
    for name in ("a@A", "b@A"):
        assert set(values_of(find(f"lj22.eq32.{name}"), moved)) <= {0}


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
