"""The plain calculus at d = 2, 3, 4 against index sums and enumeration."""

from fractions import Fraction
from importlib.util import find_spec

import pytest

from benchmarks.moment_calculus import SymbolicStep
from graphs.arithmetic import as_fraction
from graphs.normalised import increments
from graphs.normalised.index_sums import value
from graphs.normalised.laws import asymmetric, three_points
from graphs.normalised.series import mean_coefficients
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.expectations import mean_square_series
from tests.graphs.normalised.steps import increment

F = Fraction
BACKENDS = ("flint", "sympy") if find_spec("flint") else ("sympy",)
M4 = [[F(1) if i == j else F((-1) ** i, 2 + i + j) for j in range(4)] for i in range(4)]
M4 = [[M4[min(i, j)][max(i, j)] for j in range(4)] for i in range(4)]


def minor(d):
    return [row[:d] for row in M4[:d]]


@pytest.mark.parametrize("d", [2, 3, 4])
def test_lemma_7_for_all_matrices_of_a_width(d):
    plain = SymbolicStep(d)
    series = plain.mean_frobenius_series(2, {1: 0, 2: 1})
    assert plain.ring.is_zero(series[1])
    assert plain.ring.is_zero(series[2] - plain.frobenius_change())
    wrong = plain.frobenius_change() + plain.moments[0][1]
    assert not plain.ring.is_zero(series[2] - wrong)


@pytest.mark.parametrize("backend", BACKENDS)
def test_both_backends(backend):
    plain = SymbolicStep(2, backend=backend)
    m, m1, m2 = plain.moments[0][1], plain.moment(1), plain.moment(2)
    found = plain.mean(plain.linear_part(0, 0) * plain.linear_part(0, 0))
    expected = 4 * m2 * (plain.number(1) + m * m) + 8 * m1 * m1 * m
    assert plain.ring.is_zero(found - expected)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_index_sums_agree(d):
    """(68), (71) and their like with all moments free."""
    plain, orders = SymbolicStep(d), (F(1, 3), F(2), F(-1), F(5))
    known = dict(zip(("m1", "m2", "m3", "m4"), orders, strict=True))
    at, moments = {"i": 0, "j": 1}, minor(d)
    spots = {"ii": (0, 0), "ij": (0, 1), "jj": (1, 1)}
    for one, spot in spots.items():
        parts = (plain.linear_part(*spot), plain.quadratic_part(*spot))
        gamma = F(1, 7)
        direct = sum(
            plain.at(plain.mean(part), moments, orders=orders) * gamma**n
            for n, part in enumerate(parts, 1)
        )
        letters = increments.PLACES[one]
        sums = increments.mean_increment(*letters)
        assert value(sums, moments, at, gamma=gamma, **known) == direct
        for other, place in spots.items():
            squared = plain.mean(plain.linear_part(*spot) * plain.linear_part(*place))
            sums = increments.second_moment(letters, increments.PLACES[other])
            assert value(sums, moments, at, **known) == plain.at(squared, moments, orders=orders)


@pytest.mark.parametrize("d", [2, 3])
def test_the_series_agrees_with_index_sums(d):
    plain, orders = SymbolicStep(d), (F(1, 3), F(2), F(-1), F(5))
    known = dict(zip(("m1", "m2", "m3", "m4"), orders, strict=True))
    series = plain.series(0, 1, 3)
    for part, sums in zip(series, mean_coefficients(3), strict=True):
        direct = plain.at(plain.mean(part), minor(d), orders=orders)
        assert value(sums, minor(d), {"i": 0, "j": 1}, **known) == direct


@pytest.mark.parametrize("law", [asymmetric(), three_points(2)], ids=lambda law: law.name)
def test_enumeration_agrees(law):
    plain = SymbolicStep(3)
    direct = mean_square_series(minor(3), independent_entries(law, 3), 4)
    for n, part in enumerate(plain.series(0, 2, 4)):
        found = plain.at(plain.mean(part), minor(3), orders=law.moments)
        assert found == as_fraction(direct[n][0, 2])


def test_the_parts_are_those_of_the_increment():
    plain, gamma = SymbolicStep(3, unit=False), F(2, 5)
    weights = [[1, F(1, 2), -1], [0, 3, 1], [F(-2, 3), 1, 1]]
    moments = [[F(2), F(1, 3), F(0)], [F(1, 3), F(1), F(1)], [F(0), F(1), F(5)]]
    direct = increment(moments, weights, gamma)
    for p in range(3):
        for q in range(3):
            linear = plain.at(plain.linear_part(p, q), moments, weights)
            quadratic = plain.at(plain.quadratic_part(p, q), moments, weights)
            assert gamma * linear + gamma**2 * quadratic == as_fraction(direct[p, q])


def test_powers_without_a_moment_are_refused():
    plain = SymbolicStep(2)
    w = plain.weights[0][0]
    with pytest.raises(ValueError, match="power 5"):
        plain.mean(w**5)
    assert plain.ring.is_zero(plain.mean(w**5, {5: 3}) - plain.number(3))
