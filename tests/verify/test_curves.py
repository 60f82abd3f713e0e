"""Curves as instances: what they describe, their hypotheses, how the pool draws them."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.curves import limit_direction
from tests.verify.drawn_curves import curve_case, pool_draws, printed_case, rational_case
from verify.curves import (
    CONVERGES_IN_DIRECTION,
    CURVES,
    NO_ZERO_IN_LIMIT,
    NOT_CONSTANT,
    SETTLING,
    SHAPES,
    as_vectors,
    of_curves,
)
from verify.tensors import Tensors, tensor, tensors_from_json

ALWAYS = of_curves(lambda case: iter([({}, False)]))


def meets(hypothesis, case):
    """Whether the one entry of a measure meets the hypothesis."""
    from graphs.arithmetic import RATIONALS

    scene = type(case).scene([case], RATIONALS)
    return bool(hypothesis.test(scene, ALWAYS(scene)).all())


def test_rows_are_coefficients():
    case = curve_case([[1, 2], [0, 0]], [[3], [0, -1]], decay=1, x=["1/2", 0])
    assert case.curve.trough == ((1, 2), ())
    assert case.curve.crest == ((3,), (0, -1))
    assert case.described() == (
        "w(t) = (1 + 2 t + (2 - 2 t) |sin t|, -t |sin t|)/(1 + t), x = (1/2, 0)"
    )


def test_vectors_are_told_by_their_entries():
    plain = Tensors({"v": tensor(("entry",), [1, "-1/2"]), "u": tensor(("entry",), [0, 3])})
    assert as_vectors(plain, Random(0)).described() == "v = (1, -1/2), u = (0, 3)"
    assert as_vectors(plain, Random(0)).arrays == plain.arrays


@settings(max_examples=20)
@given(pool_draws(CURVES))
def test_arrays_go_to_json_and_neighbours_are_curves_too(case):
    assert tensors_from_json(case.to_json()).arrays == case.arrays
    for other in case.changes():
        assert other.curve.dimension == other.lengths["entry"]
        assert other.described()


def test_entries_that_are_left_undecided_are_left_out():
    from graphs.arithmetic import RATIONALS

    measure = of_curves(lambda case: iter([({"k": 0}, None), ({"k": 1}, True), ({"k": 2}, False)]))
    entries = measure(type(printed_case(1)).scene([printed_case(1)], RATIONALS))
    assert [entries.label(k) for k in range(len(entries))] == [{"k": 1}, {"k": 2}]
    assert [Fraction(int(v.p), int(v.q)) if hasattr(v, "p") else v for v in entries.values] == [
        0,
        1,
    ]


# hypotheses -----------------------------------------------------------------------------------
def test_a_curve_that_returns_to_0_has_no_direction_at_every_late_time():
    case = printed_case(1, -2)
    assert not meets(CONVERGES_IN_DIRECTION, case)
    assert limit_direction(case.curve, through_zeros=True) is not None
    assert meets(CONVERGES_IN_DIRECTION, curve_case([[0, 1]], [[0, 2]]))
    assert not meets(CONVERGES_IN_DIRECTION, curve_case([[0, 1], [1]], [[0, 1], [0, 1]]))


@given(pool_draws(), st.integers(0, 99))
def test_repaired_curves_converge_without_zeros(case, seed):
    for hypothesis in (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT):
        case = hypothesis.repair(case, Random(seed))
    assert meets(CONVERGES_IN_DIRECTION, case)
    assert meets(NO_ZERO_IN_LIMIT, case)
    limit = limit_direction(case.curve, through_zeros=True)
    assert limit is not None
    assert all(limit)


@given(pool_draws(), st.integers(0, 99))
def test_broken_curves_turn_or_have_a_zero_in_their_limit(case, seed):
    converging = CONVERGES_IN_DIRECTION.repair(case, Random(seed))
    assert not meets(CONVERGES_IN_DIRECTION, CONVERGES_IN_DIRECTION.break_(converging, None))
    flat = NO_ZERO_IN_LIMIT.break_(converging, Random(seed))
    assert not (meets(CONVERGES_IN_DIRECTION, flat) and meets(NO_ZERO_IN_LIMIT, flat))


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        (rational_case([[2], [0]]), False),
        (rational_case([[2], [0]], decay=1), True),
        (rational_case([[0], [0]], decay=1), False),
        (rational_case([[2, 1]]), True),
        (curve_case([[1]], [[2]]), True),
    ],
)
def test_what_is_constant(case, answer):
    assert meets(NOT_CONSTANT, case) == answer


# the pool ---------------------------------------------------------------------------------------
def test_every_shape_is_drawn_and_some_curves_have_a_limit():
    draws = [CURVES.draw(Random(seed)) for seed in range(300)]
    assert set(Counter(case.family for case in draws)) == set(SHAPES)
    assert 60 < sum(meets(CONVERGES_IN_DIRECTION, case) for case in draws) < 280


def test_settling_curves_have_a_zero_in_their_limit():
    draws = [SETTLING.draw(Random(seed)) for seed in range(100)]
    flat = [case for case in draws if meets(CONVERGES_IN_DIRECTION, case)]
    assert sum(not meets(NO_ZERO_IN_LIMIT, case) for case in flat) > 30
