"""From floats to small exact instances."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.measured import compare, constant, measured
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors, tensor
from verify.search.judging import judge_exactly
from verify.search.rationalising import (
    Exactness,
    instances_near,
    rationals_near,
    simplest_between,
    simplified,
    violating,
)

NUMBERS = st.fractions(-20, 20, max_denominator=300)


@given(NUMBERS, NUMBERS)
def test_the_simplest_rational_has_the_least_denominator_and_is_nearest_to_0(one, other):
    low, high = sorted((one, other))
    found = simplest_between(low, high)
    assert low <= found <= high
    for denominator in range(1, found.denominator + 1):
        first = -(-low.numerator * denominator // low.denominator)  # the least p with p/q >= low
        inside = first <= high * denominator
        assert inside == (denominator == found.denominator)
    assert abs(found) == min(
        abs(Fraction(p, found.denominator))
        for p in range(first, int(high * found.denominator // 1) + 1)
    )


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=5))
def test_numbers_come_nearer_and_nearer(numbers):
    exact = list(map(Fraction, numbers))
    largest = max(map(abs, exact))
    found = list(rationals_near(numbers))
    assert found == list(dict.fromkeys(found))
    for near in found:
        assert len(near) == len(numbers)
        assert all(abs(p - x) <= largest / 2 for p, x in zip(near, exact, strict=True))
    worst = max(abs(p - x) for p, x in zip(found[-1], exact, strict=True))
    assert worst <= largest / 2**29
    heights = [max(p.denominator for p in near) for near in found]
    assert heights[0] == min(heights)


def test_zeros_and_integers_and_equal_numbers_stay():
    noise = 1e-11
    for near in list(rationals_near([3 + noise, noise, 3 + noise, 1 / 3]))[2:]:
        assert near[:3] == (3, 0, 3)
    assert near[3] == Fraction(1, 3)


# near a violation --------------------------------------------------------------------------------
def circle(scene):
    """(x^2 + y^2 - 2)^2 >= 1/10^6: false in a thin ring, which has simple points."""
    x, y = scene["x"], scene["y"]
    distance = x * x + y * y - constant(scene, 2)
    return compare(scene, distance * distance, constant(scene, Fraction(1, 10**6)))


POOL = TensorPool((("x", ()), ("y", ())))
CLAIM = measured(circle, POOL)
START = Tensors({"x": tensor((), 1), "y": tensor((), 1)})


def test_the_simplest_violating_instance_is_taken():
    """(1.0001, 0.9999) is near (1, 1), which violates it."""
    instances = instances_near(CLAIM, START, np.array([1.0001, 0.9999]), Random(0))
    seen = Exactness()
    assert violating(CLAIM, instances, seen) == START
    assert seen.judged == 1
    assert seen.largest == 1.0  # slack -1/10^6, beside a larger side 1/10^6


def test_where_no_simple_point_will_do_a_finer_one_is_found_and_made_simple():
    angle = 0.3
    numbers = np.sqrt(2) * np.array([np.cos(angle), np.sin(angle)])
    instances = instances_near(CLAIM, START, numbers, Random(0))
    found = violating(CLAIM, instances, Exactness())
    assert judge_exactly(CLAIM, found).violations
    assert max(number.denominator for number in found.numbers) < 200


def test_what_is_no_violation_exactly_is_none():
    seen = Exactness()
    instances = instances_near(CLAIM, START, np.array([1.5, 0.7]), Random(0))
    assert violating(CLAIM, instances, seen) is None
    assert violating(CLAIM, [], seen) is None
    assert seen.judged <= 1


def test_hypotheses_are_repaired_and_judged():
    """x = y by a repair: then the point where it holds is judged, and the violation is there."""

    def equal(case, random):
        return case.changing(y=case.arrays["x"])

    same = Hypothesis(
        "equal", "", by_case(lambda case: case.number("x") == case.number("y")), equal
    )
    claim = replace(CLAIM, hypotheses=(same,))
    far = np.array([1.00001, 0.4])
    assert violating(claim, instances_near(claim, START, far, Random(0)), Exactness()) == START
    assert violating(CLAIM, instances_near(CLAIM, START, far, Random(0)), Exactness()) is None


def test_numbers_that_are_none_have_no_instances():
    assert instances_near(CLAIM, START, np.array([np.nan, 1.0]), Random(0)) == []


@given(st.integers(1, 10**6))
def test_simplifying_keeps_the_violation(seed):
    x = Fraction(Random(seed).randint(1, 1400), 1000)
    y = simplest_between(*(Fraction(int((2 - x * x) * 10**12) + d, 10**12) for d in (0, 1)))
    # a point with x^2 + y = 2, so on the parabola instead of the circle
    claim = replace(CLAIM, measure=parabola)
    case = START.with_numbers((x, y))
    small = simplified(claim, case)
    assert judge_exactly(claim, small).violations
    assert sum(n.denominator for n in small.numbers) <= sum(n.denominator for n in case.numbers)


def parabola(scene):
    """(x^2 + y - 2)^2 >= 1/10^6."""
    distance = scene["x"] * scene["x"] + scene["y"] - constant(scene, 2)
    return compare(scene, distance * distance, constant(scene, Fraction(1, 10**6)))
