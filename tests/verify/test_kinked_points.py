"""Points at kinks with no weight 0."""

from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, drawn_cases, kinked, net_of
from verify.cases.kinked_points import onto_a_kink


@settings(max_examples=40)
@given(drawn_cases(zero=False), st.randoms(use_true_random=False))
def test_a_moved_point_is_at_a_kink_and_has_no_zero_weight(case, random):
    moved = onto_a_kink(case, random)
    changed = sum(a != b for a, b in zip(case.weights, moved.weights, strict=True))
    assert changed <= 1
    assert all(moved.weights)
    assert kinked(moved) or not changed


def test_two_inputs_can_always_be_balanced():
    import random

    case = case_of(net_of("x1>o x2>o", {"o": RELU}), {"x1>o": 1, "x2>o": 3}, [(["1/2"] * 2, 1, 1)])
    assert kinked(onto_a_kink(case, random.Random(0)))
    linear = case_of(net_of("x>o"), {"x>o": 1}, [([1], 1, 1)])
    assert onto_a_kink(linear, random.Random(0)) is linear
