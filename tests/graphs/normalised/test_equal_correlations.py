"""Index sums at M = (1 - c) I + c 1 1^T, and the series near rank one."""

from fractions import Fraction
from itertools import product

import pytest

from graphs.arithmetic import as_fraction
from graphs.normalised.equal_correlations import (
    GENERATORS,
    at_equal_correlations,
    correlation_ring,
    near_one_facts,
)
from graphs.normalised.increments import frobenius_change
from graphs.normalised.index_sums import m_entry, over_distinct, summed_over, value, w_entry
from graphs.normalised.laws import asymmetric, rademacher
from graphs.normalised.series import (
    coefficients,
    majorant,
    standard_coefficients,
)
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.expectations import mean_frobenius
from tests.graphs.normalised.remainders import largest_strength, near_one_constant
from tests.graphs.normalised.steps import frobenius_change as numeric_change

F = Fraction


def value_at(polynomial, width, c, **numbers):
    """The value of a polynomial in GENERATORS; gamma, m1, ... by name, 0 where not given."""
    known = {**numbers, "d": Fraction(width), "c": c}
    point = [Fraction(known.get(name, 0)) for name in GENERATORS]
    return correlation_ring().evaluate(polynomial, point)


def equal(d, c):
    return [[F(1) if i == j else c for j in range(d)] for i in range(d)]


def test_the_facts_hold():
    assert all(holds for _, holds in near_one_facts())


def test_norms_by_hand():
    ring = correlation_ring()
    d, c = (ring.generators[GENERATORS.index(name)] for name in ("d", "c"))
    norm = summed_over(m_entry("a", "b") * m_entry("a", "b"), "a", "b")
    expected = d + d * (d - ring.constant(F(1))) * c * c
    assert ring.is_zero(at_equal_correlations(norm) - expected)
    assert not ring.is_zero(at_equal_correlations(norm) - expected * c)


@pytest.mark.parametrize("d", [1, 2, 3, 5])
@pytest.mark.parametrize("c", [F(0), F(1), F(1, 3), F(-1, 4)])
def test_values_are_those_of_the_matrix(d, c):
    for sums in (frobenius_change(), over_distinct(standard_coefficients(3)[3])):
        polynomial = at_equal_correlations(sums)
        assert value_at(polynomial, d, c, m3=F(2)) == value(sums, equal(d, c), {}, m3=F(2))
    change = at_equal_correlations(frobenius_change())
    assert value_at(change, d, c) == as_fraction(numeric_change(equal(d, c)))


def test_all_coefficients_vanish_at_rank_one():
    # rank one: [M_+]_ij^2 = 1 for every W
    for part in map(over_distinct, standard_coefficients(4)[1:]):
        polynomial = at_equal_correlations(part)
        for d in (2, 3, 7):
            assert value_at(polynomial, d, F(1), m3=F(1), m4=F(5)) == 0


def test_the_remainder_near_rank_one():
    reach = F(1, 4)
    for law in (rademacher(), asymmetric()):
        rows = independent_entries(law, 3)
        order = 4 if law.symmetric else 3
        for k in (1, 3):
            gamma = largest_strength(3, law.bound, reach) / k
            moments = equal(3, 1 - gamma**2)
            after = as_fraction(mean_frobenius(moments, rows, gamma))
            before = 3 + 6 * (1 - gamma**2) ** 2
            rest = after - before - gamma**2 * as_fraction(numeric_change(moments))
            size = near_one_constant(order, reach) * gamma**2 * (3 * law.bound * gamma) ** order
            assert 0 < abs(rest) <= 6 * size


def test_each_coefficient_near_rank_one_is_below_its_bound():
    # of 1 - g_ij at c: at most 4 (1 - c) f_n D^n, for each W at the corners
    c, bound = F(9, 10), F(1)
    assert near_one_constant(3, F(1, 2)) == 4 * 544
    for corner in product((-bound, bound), repeat=4):
        weights = [corner[:2], corner[2:]]
        for n, (part, largest) in enumerate(zip(coefficients(4), majorant(4), strict=True)):
            found = value(part, equal(2, c), {"i": 0, "j": 1}, weights=weights)
            assert abs(found - (n == 0)) <= 4 * (1 - c) * largest * (2 * bound) ** n


def test_free_letters_are_refused():
    for sums in (m_entry("i", "j"), summed_over(w_entry("k", "n"), "k", "n")):
        with pytest.raises(ValueError, match="sum over them"):
            at_equal_correlations(sums)
