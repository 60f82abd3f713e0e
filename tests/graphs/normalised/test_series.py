"""The series of E g_ij(M_gamma) for every d, against enumeration, and its remainder."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.normalised.increments import printed_change
from graphs.normalised.index_sums import m_entry, over_distinct, value
from graphs.normalised.laws import asymmetric, rademacher, three_points
from graphs.normalised.series import (
    coefficients,
    majorant,
    mean_coefficients,
    remainder_facts,
    series_facts,
    standard_coefficients,
)
from tests.graphs.normalised.drawn import matrices, second_moments
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.expectations import mean_frobenius, mean_square_series, mean_squares
from tests.graphs.normalised.remainders import (
    largest_strength,
    lemma7_constant,
    remainder_bound,
    remainder_constant,
)
from tests.graphs.normalised.steps import frobenius_change, step

F = Fraction
LAWS = [rademacher(), three_points(2), asymmetric()]


@pytest.mark.parametrize("facts", [series_facts, remainder_facts])
def test_every_fact_holds(facts):
    assert [text for text, holds in facts() if not holds] == []


def test_a_wrong_coefficient_is_noticed():
    second = standard_coefficients(2)[2]
    assert second == printed_change()
    assert second != printed_change() + m_entry("i", "j") * F(1, 100)


@pytest.mark.parametrize(
    "law", [*LAWS, rademacher().shifted("1/2").scaled(3)], ids=lambda x: x.name
)
@pytest.mark.parametrize("d", [2, 3])
def test_the_series_is_that_of_the_enumeration(law, d):
    moments = [
        [F(1) if i == j else F((-1) ** (i + j), 2 + i + j) for j in range(d)] for i in range(d)
    ]
    known = {f"m{n}": moment for n, moment in enumerate(law.moments, 1)}
    order = 4
    direct = mean_square_series(moments, independent_entries(law, d), order)
    for n, part in enumerate(mean_coefficients(order)):
        assert value(part, moments, {"i": 0, "j": 1}, **known) == as_fraction(direct[n][0, 1])


def test_four_rows():
    moments = [[F(1) if i == j else F(1, 2 + i + j) for j in range(4)] for i in range(4)]
    rows = independent_entries(rademacher(), 4)
    direct = mean_square_series(moments, rows, 4)
    for n, part in enumerate(standard_coefficients(4)):
        found = value(part, moments, {"i": 1, "j": 3}, m3=0, m4=1)
        assert found == as_fraction(direct[n][1, 3])


def test_symmetry_makes_odd_coefficients_vanish_and_asymmetry_does_not():
    third = over_distinct(standard_coefficients(3)[3])
    moments = [[1, F(1, 3), F(1, 2)], [F(1, 3), 1, F(-1, 4)], [F(1, 2), F(-1, 4), 1]]
    assert value(third, moments, {}, m3=0) == 0
    assert value(third, moments, {}, m3=F(3, 2)) == F(-30247, 5184)


@given(st.data())
@settings(max_examples=15)
def test_each_coefficient_is_below_the_majorant(data):
    d, bound = 2, F(2)
    moments = data.draw(second_moments(d))
    weights = data.draw(matrices(d, st.fractions(-2, 2, max_denominator=3)))
    for n, (part, largest) in enumerate(zip(coefficients(4), majorant(4), strict=True)):
        found = value(part, moments, {"i": 0, "j": 1}, weights=weights)
        assert abs(found) <= largest * (d * bound) ** n


def test_the_majorant_by_hand():
    # first order: at most 2D from each of 2p and 2r, 4D from 2u
    assert majorant(4) == [1, 8, 32, 88, 192]
    assert [majorant(5)[n] for n in (0, 5)] == [1, 360]


@given(st.data())
@settings(max_examples=25)
def test_the_remainder_is_below_its_bound(data):
    d = 2
    moments = data.draw(second_moments(d))
    weights = data.draw(matrices(d, st.sampled_from([F(-2), F(2), F(1, 3)])))
    bound, reach = F(2), data.draw(st.sampled_from([F(1, 2), F(1, 8)]))
    gamma = largest_strength(d, bound, reach) * data.draw(st.sampled_from([F(1), F(1, 3)]))
    order = data.draw(st.integers(1, 4))
    at = {"i": 0, "j": 1}
    known = sum(
        value(part, moments, at, weights=weights) * gamma**n
        for n, part in enumerate(coefficients(order - 1))
    )
    exact = as_fraction(step(moments, weights, gamma).squares[0, 1])
    assert abs(exact - known) <= remainder_bound(gamma, d, bound, order, reach)


def test_remainders_of_means_are_below_the_bounds():
    moments = [[1, F(1, 3), F(1, 2)], [F(1, 3), 1, F(-1, 4)], [F(1, 2), F(-1, 4), 1]]
    for law in LAWS:
        rows, bound, reach = independent_entries(law, 3), law.bound, F(1, 4)
        for k in (1, 2, 8):
            gamma = largest_strength(3, bound, reach) / k
            change = as_fraction(mean_frobenius(moments, rows, gamma)) - F(61, 72) - 3
            rest = abs(change / gamma**2 - as_fraction(frobenius_change(moments)))
            assert rest <= lemma7_constant(3, bound, reach) * gamma
            if law.symmetric:
                assert rest <= lemma7_constant(3, bound, reach, symmetric=True) * gamma**2
        entry = as_fraction(mean_squares(moments, rows, gamma)[0, 1])
        series = F(1, 9) + gamma**2 * value(printed_change(), moments, {"i": 0, "j": 1})
        assert abs(entry - series) <= remainder_bound(gamma, 3, bound, 3, reach)


def test_the_constant_by_hand():
    # F(1/2) = 81; 81 - 1 - 4 - 8 = 68; times 8
    assert remainder_constant(3, F(1, 2)) == 544
    assert remainder_constant(3, F(1, 4)) > majorant(3)[3]
    assert lemma7_constant(2, F(1), F(1, 2)) == 2 * 544 * 8
    with pytest.raises(ValueError, match="reach"):
        remainder_constant(3, F(1))
    with pytest.raises(ValueError, match="above the reach"):
        remainder_bound(F(1), 2, F(1), 3)


def test_without_semidefiniteness_the_bound_may_fail():
    # M_ij = 3 is no inner product of unit vectors: already the constant term is above f_0 = 1
    assert value(coefficients(0)[0], [[1, F(3)], [F(3), 1]], {"i": 0, "j": 1}) > majorant(0)[0]


@given(st.data())
@settings(max_examples=10)
def test_the_bound_is_used_within_its_reach_only(data):
    reach = data.draw(st.fractions(F(1, 10), F(9, 10), max_denominator=10))
    assume(reach < 1)
    gamma = largest_strength(3, F(2), reach)
    assert remainder_bound(gamma, 3, F(2), 3, reach) == remainder_constant(3, reach) * reach**3
