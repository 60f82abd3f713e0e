"""Bounds on the curvature of polynomial risks on balls, against the gradients themselves."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR
from graphs.families import fully_connected
from tests.verify.drawn_cases import case_of, exact_scene, net_of
from verify.cases.case import Case
from verify.cases.descent import rate_of
from verify.cases.prescribing import gradient_of
from verify.cases.smoothness import (
    curvature_bound,
    radius_squared,
    resloped,
    root_above,
    rounded_up,
    settled,
    sum_of_squares,
)

NUMBERS = st.fractions(-2, 2, max_denominator=4)
LOSSES = st.lists(NUMBERS, min_size=1, max_size=5)
POINTS = st.sampled_from([Fraction(k, 5) for k in range(-5, 6)])


@st.composite
def smooth_cases(draw):
    net = fully_connected(
        [*draw(st.sampled_from([[1], [2], [1, 1], [1, 2], [1, 1, 1]])), 1], LINEAR
    )
    count = draw(st.integers(1, 2))
    width = len(net.free_inputs)
    return resloped(
        Case(
            net,
            tuple(draw(NUMBERS) for _ in net.parameter_names),
            tuple(tuple(draw(POINTS) / width for _ in range(width)) for _ in range(count)),
            tuple(draw(st.sampled_from([Fraction(1), Fraction(-1)])) for _ in range(count)),
            slopes=(Fraction(0),) * count,
            choice={"loss": [str(c) for c in draw(LOSSES)], "beta": ["0"]},
        )
    )


@given(smooth_cases(), st.data())
@settings(max_examples=60, deadline=None)
def test_gradients_change_no_faster_than_the_bound(case, data):
    size = [data.draw(st.fractions(-1, 1, max_denominator=8)) for _ in case.weights]
    radius = max(map(abs, case.weights))
    other = resloped(case.with_weights([radius * s for s in size]))
    bound = curvature_bound(case, radius)
    gap = sum((a - b) ** 2 for a, b in zip(case.weights, other.weights, strict=True))
    turned = zip(gradient_of(case), gradient_of(other), strict=True)
    assert sum((a - b) ** 2 for a, b in turned) <= bound**2 * gap


def test_bounds_by_hand():
    # R = w^4 - w: 12 r^2; R = (1 - w v)^2: 2 N_w N_v + l' N_wv with N = r^2
    single = case_of(net_of("x>o"), {"x>o": 1}, [([1], 1, 0)], loss=["0", "-1", "0", "0", "1"])
    assert curvature_bound(single, Fraction(1, 2)) == 3
    deep = case_of(net_of("x>h h>o"), {"x>h": 3, "h>o": -4}, [([1], 1, 0)], loss=["1", "-2", "1"])
    r = Fraction(3)
    assert curvature_bound(deep, r) == 2 * r * r + 2 * r * r + 2 + 2 * r**2
    assert radius_squared(deep) == 16


def test_layers_are_the_edges_between_two_depths():
    net = fully_connected([2, 2, 1], LINEAR)
    weights = dict(zip(net.parameter_names, [1, 2, 3, 4, 5, 6], strict=True))
    case = case_of(net, weights, [([0, 0], 1, 0)], loss=["1"])
    assert radius_squared(case) == max(1 + 4 + 9 + 16, 25 + 36)


@given(st.fractions(0, 1000))
def test_roots_and_plain_numbers_are_no_smaller(number):
    root = root_above(number)
    assert number <= root**2 <= number + Fraction(root * 2 + 1, 1 << 19)
    assert root_above(number * number) == number
    plain = rounded_up(number)
    assert number <= plain <= number * Fraction(12, 10) + Fraction(1, 8)


@given(smooth_cases(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_settled_constants_hold_where_they_should(case, reach):
    done = settled(case.choosing(beta=["0", "0"]), reach=reach)
    betas = [Fraction(b) for b in done.choice["beta"]]
    assert done.choice["eta"] == [str(rate_of(beta)) for beta in betas]
    reached = [replace(done, weights=tuple(at.weights)) for at in _cases_of(done)]
    squares = [radius_squared(one) for one in reached]
    for k, beta in enumerate(betas):
        largest = max(squares[k : k + 2]) if reach else squares[k]
        assert curvature_bound(reached[k], root_above(largest)) <= beta


def _cases_of(case):
    descent = exact_scene(case).descent
    return [descent.at(step).cases[0] for step in range(len(descent.rates) + 1)]


def test_sums_of_squares():
    parts = [[Fraction(1), Fraction(-1)], [Fraction(0), Fraction(0), Fraction(2)]]
    assert sum_of_squares(parts) == [1, -2, 1, 0, 4]
