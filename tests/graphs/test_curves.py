"""Curves: what is decided from leading coefficients, against the curve itself at late times."""

from fractions import Fraction
from math import hypot, pi

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.curves import (
    Curve,
    CurveError,
    changes_sign_forever,
    keeps_sign,
    leading,
    limit_direction,
    takes_values_forever,
    tends_to_zero,
)
from graphs.univariate import univariate

SMALL = st.integers(-3, 3).map(Fraction)
POLYNOMIALS = st.lists(SMALL, max_size=3).map(univariate)


def curve(trough, crest, decay=0):
    return Curve(tuple(map(univariate, trough)), tuple(map(univariate, crest)), decay)


def printed(*v):
    """v |t sin t|."""
    return curve([[] for _ in v], [[0, a] for a in v])


@st.composite
def curves(draw):
    """Curves of up to three entries; often with one leading direction at both ends."""
    size = draw(st.integers(1, 3))
    trough = [draw(POLYNOMIALS) for _ in range(size)]
    crest = [draw(POLYNOMIALS) for _ in range(size)]
    if draw(st.booleans()):
        top, vector = leading(trough)
        factor = draw(st.integers(1, 2))
        crest = [
            univariate([*(p[:top] + (Fraction(0),) * top)[:top], factor * a])
            for p, a in zip(crest, vector, strict=True)
        ]
    return Curve(tuple(trough), tuple(crest), draw(st.integers(0, 2)))


def late_times(start=10**5):
    return [(start + k / 8) * pi for k in range(16)]


def unit(vector):
    size = hypot(*map(float, vector))
    return [float(x) / size for x in vector]


@given(curves())
def test_where_a_limit_is_decided_late_directions_are_near_it(drawn):
    limit = limit_direction(drawn, through_zeros=False)
    assume(limit is not None)
    for t in late_times():
        assert unit(drawn.at(t)) == pytest.approx(unit(limit), abs=1e-3)


@given(curves())
def test_where_there_is_no_limit_late_directions_differ_or_are_missing(drawn):
    assume(limit_direction(drawn, through_zeros=False) is None)
    points = [
        [value(p) for p in end] for end in (drawn.trough, drawn.crest) for value in [late_value]
    ]
    assert not all(map(any, points)) or unit(points[0]) != pytest.approx(unit(points[1]), abs=1e-6)


def late_value(p):
    """p far out, in exact numbers."""
    return sum((c * Fraction(10) ** (12 * k) for k, c in enumerate(p)), Fraction(0))


@given(curves(), st.sampled_from((1, -1)))
def test_signs_that_are_kept_are_kept_at_late_times(drawn, at_zero):
    for e in range(drawn.dimension):
        ends = [late_value(end[e]) for end in (drawn.trough, drawn.crest)]
        seen = {at_zero if x == 0 else (1 if x > 0 else -1) for x in ends}
        assert keeps_sign(drawn, e, at_zero) == (len(seen) == 1)
        assert changes_sign_forever(drawn, e) == (ends[0] * ends[1] < 0)


def test_the_printed_function_has_a_direction_only_where_it_is_not_zero():
    w = printed(2, -1)
    assert limit_direction(w, through_zeros=False) is None
    assert limit_direction(w, through_zeros=True) == (2, -1)
    assert w.at(3 * pi / 2) == pytest.approx((3 * pi, -3 * pi / 2))
    assert w.at(-3 * pi / 2) == w.at(3 * pi / 2)


def test_a_rational_curve_turns_to_its_leading_coefficients():
    w = curve([[5, 2], [1, 1], [7]], [[5, 2], [1, 1], [7]], decay=3)
    assert limit_direction(w, through_zeros=False) == (2, 1, 0)
    assert all(tends_to_zero(w, e) for e in range(3))


def test_an_entry_may_tend_to_zero_and_change_sign_forever():
    w = curve([[1, 1], [1]], [[1, 1], [-1]], decay=1)
    assert limit_direction(w, through_zeros=False) == (1, 0)
    assert tends_to_zero(w, 1)
    assert not tends_to_zero(w, 0)
    assert changes_sign_forever(w, 1)
    assert not keeps_sign(w, 1, 1)
    assert keeps_sign(w, 0, -1)


@pytest.mark.parametrize(
    ("w", "answer"),
    [
        (printed(1), True),
        (printed(-2, 3), True),
        (curve([[1]], [[1, 1]]), True),  # 1 + t |sin t|
        (curve([[2]], [[3]]), True),  # 2 + |sin t|
        (curve([[1]], [[1]]), True),  # constant
        (curve([[], []], [[], []]), True),
        (curve([[0, -1]], [[0, 1]]), True),  # all of the line
        (curve([[0, 1]], [[0, 1]]), False),  # t
        (curve([[0, 1]], [[0, 2]]), False),
        (curve([[1]], [[]], decay=1), False),  # tends to 0
        (curve([[1]], [[1, 1]], decay=1), True),  # between 1/(1 + t) and 1, and 1 forever
        (curve([[2]], [[1, 1]], decay=1), False),  # 2 at time 0, later at most 1
        (curve([[1]], [[2, 1]], decay=1), False),  # above 1, but less and less so
        (curve([[0, 1], [1]], [[0, 1], [1]]), False),  # off its line
        (curve([[0, -1]], [[0, 2, 1]]), True),
        (curve([[1, -1]], [[0, 0, 1]], decay=1), True),  # all above -1
        (curve([[-3, -1]], [[0, 0, 1]], decay=1), False),  # below -1, but less and less so
        (curve([[1, 3, 1]], [[1, 3, 1, 1]], decay=2), False),  # 1 at time 0, then above 1
        (curve([[5, 0, 1]], [[0, 0, 0, 1]], decay=2), False),  # at late troughs just below 1
        (curve([[1]], [[5, -2, 1]]), None),  # the crest dips below 1 for a while? not decided
        (curve([[0, 1], []], [[], [0, 1]]), None),
    ],
)
def test_whether_every_value_is_taken_forever(w, answer):
    assert takes_values_forever(w) is answer


def test_curves_are_well_formed():
    with pytest.raises(CurveError, match="1 entries in p and 0 in q"):
        Curve((univariate([1]),), ())
    with pytest.raises(CurveError, match="the decay is -1"):
        curve([[1]], [[1]], decay=-1)


def test_formulas():
    assert printed(1, -2).formula == "w(t) = (t |sin t|, -2 t |sin t|)"
    assert curve([[1, 1], [1]], [[1, 1], [-1]], decay=2).formula == (
        "w(t) = (1 + t, 1 - 2 |sin t|)/(1 + t)^2"
    )
    assert curve([[], [], [1]], [[], [1], [1, 1, -1]], decay=1).formula == (
        "w(t) = (0, |sin t|, 1 + (t - t^2) |sin t|)/(1 + t)"
    )
    assert curve([[1]], [[0]]).formula == "w(t) = (1 - |sin t|)"
