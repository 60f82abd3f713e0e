"""Appendix C by hand: velocities as sums over paths, as printed and with their sign mended."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings

from graphs.activations import LINEAR, RELU
from tests.verify.drawn_cases import (
    case_of,
    derivative_by_values,
    drawn_cases,
    kappas,
    kinked,
    net_of,
    nu,
    seen,
    value_of,
    values_of,
)
from verify.papers.lj22.pathsums import CLAIMS
from verify.papers.registry import find

# nu = -2 x at x = 1/2, y = -1, l' = 3: kappa = -3, dR/dw = -3/2, dw/dt = 3/2, w dw/dt = -3
EDGE = case_of(net_of("x>o"), {"x>o": -2}, [(["1/2"], -1, 3)])
XO = {"edge": ["x", "o"]}
# nu = -1 * 2 x: on either side of h w dw/dt is -kappa nu = -3
CHAIN = case_of(net_of("x>h h>o", {"h": LINEAR}), {"x>h": -1, "h>o": 2}, [(["1/2"], -1, 3)])
CUTS = {"layers": [[["x", "o"]], [["x", "o"]]]}


def claim(name):
    return find(f"lj22.{name}")


def test_the_velocity_on_one_edge():
    assert value_of(claim("eq31"), EDGE, **XO) == Fraction(3, 2) - Fraction(-3, 2)
    assert value_of(claim("eq31.fix"), EDGE, **XO) == 0


def test_path_sums_on_one_edge():
    # l' y [alpha] x = -3/2, [alpha] = 1 by the tree of Lemma 1
    assert value_of(claim("eq34.33@A"), EDGE, **XO) == Fraction(3, 2) + Fraction(3, 2)
    # A: -3/2 times w = -2; B: -3/2 times |w| = 2
    assert value_of(claim("eq34.34@A"), EDGE, **XO) == -3 - 3
    assert value_of(claim("eq34.34@B"), EDGE, **XO) == -3 + 3
    for name in ("33@A", "34@A", "34@B"):
        assert value_of(claim(f"eq34.{name}.fix"), EDGE, **XO) == 0


def test_by_reading_b_two_wrong_signs_may_cancel_but_not_for_positive_weights():
    case = EDGE.with_weights([Fraction(2)])  # kappa as before: dw/dt = 3/2, w dw/dt = 3
    for reading in "AB":
        assert value_of(claim(f"eq34.34@{reading}"), case, **XO) == 3 + 3


@pytest.mark.parametrize(("part", "sign"), [("a", 1), ("c", 1), ("d", -1)])
def test_double_counting_at_a_vertex(part, sign):
    # twice w dw/dt = -3 with nu = -1; d = -3 [1/2] (-1)(2) = 3
    assert value_of(claim(f"eq36-39.{part}@A"), CHAIN, vertex="h") == sign * 2 * (-3 - 3)
    assert value_of(claim(f"eq36-39.{part}@A.fix"), CHAIN, vertex="h") == 0


def test_the_layer_of_one_edge():
    case = EDGE.choosing(**CUTS)
    # printed: d x |w| with d = 3, x = 1/2, |w| = 2: the product once more
    assert value_of(claim("eq51@AB"), case, at=[]) == -3 - 3
    small = case_of(net_of("x>o"), {"x>o": "1/2"}, [(["1/2"], 1, 1)], **CUTS)
    # w dw/dt = -1/4; d = 1/4, and once more 1/4
    assert value_of(claim("eq51@AB"), small, at=[]) == Fraction(-1, 4) - Fraction(1, 16)
    for point in (case, small):
        assert value_of(claim("eq51@AB.fix"), point, at=[]) == 0


@settings(max_examples=20)
@given(drawn_cases(zero=False))
def test_what_holds(case):
    assume(not kinked(case))
    for candidate in CLAIMS:
        holds = candidate.repairs or ".b@" in candidate.id
        if holds and "eq51" not in candidate.id:
            assert set(values_of(candidate, case)) <= {0}, candidate.id


@settings(max_examples=20)
@given(drawn_cases(zero=False))
def test_printed_displays_are_off_by_twice_the_rate(case):
    """By reading A only the sign is wrong."""
    assume(not kinked(case))

    def risk(other):
        return sum(k * nu(other, j) for j, k in enumerate(kappas(case)))

    for name, power in (("eq31", 0), ("eq34.33@A", 0), ("eq34.34@A", 1)):
        for label, value, _ in seen(claim(name), case):
            p = case.network.parameter_of[label["at"][0]]
            slope = derivative_by_values(case, p, risk, 1)
            assert value == -2 * slope * case.weights[p] ** power


def test_what_is_outside():
    at_kink = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 0, "h>o": 2}, [(["1/2"], -1, 3)])
    tied = case_of(
        net_of("x>h h>o", parameters={("x", "h"): "w", ("h", "o"): "w"}),
        {"w": 2},
        [(["1/2"], -1, 3)],
    )
    for candidate in CLAIMS:
        for case in (at_kink, tied):
            assert values_of(candidate, case) == [], candidate.id
