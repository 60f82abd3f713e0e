"""Index sums: normal forms, and their values against sums written out."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.normalised.index_means import cumulants, mean, partitions
from graphs.normalised.index_sums import (
    Sums,
    assuming,
    coefficient_ring,
    constant,
    m_entry,
    occurring,
    over_distinct,
    renamed,
    summed_over,
    symbol,
    value,
    w_entry,
    zero,
)
from graphs.normalised.laws import asymmetric, finite_law, rademacher
from tests.graphs.normalised.drawn import matrices, second_moments

F = Fraction


def row(*letters):
    """sum over k of the product of M_k."""
    return summed_over(prod((m_entry("k", a) for a in letters), start=zero() + 1), "k")


def test_names_of_summed_indices_do_not_matter():
    one = summed_over(m_entry("a", "b") * m_entry("b", "i") * m_entry("a", "j"), "a", "b")
    other = summed_over(m_entry("b", "a") * m_entry("j", "b") * m_entry("i", "a"), "b", "a")
    assert one == other
    assert one - other == zero()
    assert one != summed_over(m_entry("a", "b") * m_entry("b", "i") * m_entry("a", "i"), "a", "b")


def test_unit_diagonal_and_width():
    assert summed_over(m_entry("k", "k"), "k") == constant(symbol("d"))
    assert summed_over(m_entry("k", "k", unit=False), "k") != constant(symbol("d"), unit=False)
    assert summed_over(zero() + 1, "k", "n") == constant(symbol("d") * symbol("d"))
    assert renamed(m_entry("i", "j"), j="i") == zero() + 1
    with pytest.raises(ValueError, match="diagonal"):
        m_entry("i", "j") + m_entry("i", "j", unit=False)


def test_numbers_and_signs():
    m = m_entry("i", "j")
    assert (1 - m) * (1 + m) == 1 - m * m
    assert not (m - m).terms
    assert m != zero()
    assert (m == "M_ij") is False


@given(st.data())
@settings(max_examples=20)
def test_values_are_those_of_the_sums_written_out(data):
    d = data.draw(st.integers(1, 3))
    m, w = data.draw(second_moments(d)), data.draw(matrices(d))
    at = {"i": 0, "j": d - 1}
    found = value(row("i", "j") * row("i", "i") - 3 * m_entry("i", "j"), m, at)
    direct = sum(m[k][0] * m[k][-1] for k in range(d)) * sum(m[k][0] ** 2 for k in range(d))
    assert found == direct - 3 * m[0][-1]
    quadratic = summed_over(w_entry("i", "k") * m_entry("k", "n") * w_entry("j", "n"), "k", "n")
    product_of = sum(w[0][k] * m[k][n] * w[-1][n] for k in range(d) for n in range(d))
    assert value(quadratic, m, at, weights=w) == product_of
    over = value(over_distinct(m_entry("i", "j") * row("i", "i")), m, {})
    pairs = [(a, b) for a in range(d) for b in range(d) if a != b]
    assert over == sum(m[a][b] * sum(m[k][a] ** 2 for k in range(d)) for a, b in pairs)


def test_partitions_are_counted_by_bell_numbers():
    assert [len(partitions(range(n))) for n in range(5)] == [1, 1, 2, 5, 15]


@pytest.mark.parametrize("law", [asymmetric(), rademacher().shifted("1/3")], ids=lambda x: x.name)
def test_cumulants_give_the_moments_back(law):
    ring = coefficient_ring()
    point = [F(0), F(0), *law.moments]
    known = [ring.evaluate(c, point) for c in cumulants()]
    for order, moment in enumerate(law.moments, 1):
        total = sum(prod(known[len(b) - 1] for b in p) for p in partitions(range(order)))
        assert total == moment


LAWS = [asymmetric(), finite_law("three", [(0, "1/2"), (1, "1/3"), (3, "1/6")])]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("d", [2, 3])
def test_means_are_those_over_all_weights(law, d):
    # sums that coincide in every way: the same weight to the powers 1 to 4, two rows, shared
    # summed indices
    a, b, m = w_entry("i", "k"), w_entry("j", "k"), m_entry("k", "j")
    linear = summed_over(a * m, "k")
    sums = [
        linear * linear * linear * linear if d == 2 else linear * linear * linear,
        summed_over(a * a * b * m, "k") * linear,
        summed_over(a * b, "k") * summed_over(a * b * m, "k"),
    ]
    matrix = [[F(1) if i == j else F(1, 2 + i + j) for j in range(d)] for i in range(d)]
    at = {"i": 0, "j": 1}
    masses = list(zip(law.atoms, law.probabilities, strict=True))
    orders = {f"m{n}": moment for n, moment in enumerate(law.moments, 1)}
    for one in sums:
        direct = F(0)
        for chosen in product(masses, repeat=2 * d):
            weights = [[x for x, _ in chosen[:d]], [x for x, _ in chosen[d:]]]
            mass = prod(p for _, p in chosen)
            direct += mass * value(one, matrix, at, weights=weights)
        assert value(mean(one), matrix, at, **orders) == direct


def test_distinct_columns_are_distinct_weights():
    pair = w_entry("i", "i") * w_entry("i", "j")
    assert mean(pair) == constant(symbol("m1") * symbol("m1"))
    assert mean(w_entry("i", "j") * w_entry("i", "j")) == constant(symbol("m2"))


def test_what_has_no_mean_here_is_refused():
    with pytest.raises(ValueError, match="rows"):
        mean(summed_over(w_entry("k", "k"), "k"))
    fifth = prod((w_entry("i", "i") for _ in range(4)), start=w_entry("i", "i"))
    with pytest.raises(ValueError, match="5 times"):
        mean(fifth)


def test_assuming_and_occurring():
    one = mean(summed_over(w_entry("i", "k") * m_entry("k", "j"), "k"))
    assert occurring(one) == {"m1"}
    assert assuming(one, m1=0) == zero()
    assert assuming(one, m1=2) == 2 * row("j")
    with pytest.raises(ValueError, match="m1"):
        value(one, [[F(1)]], {"i": 0, "j": 0})


def test_text():
    assert repr(zero()) == "0"
    assert repr(row("j", "j") * F(-1, 2)) == "-1/2 sum_0 M_0j^2"
    assert isinstance(row("i"), Sums)
