"""The proof of Lemma 7 for every d: all facts hold, changed ones fail, hypotheses are needed."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from graphs.arithmetic import as_fraction
from graphs.normalised import increments
from graphs.normalised.increments import (
    PLACES,
    derivative_facts,
    first_term,
    frobenius_change,
    mean_increment,
    mean_product,
    moment_facts,
    moments_needed,
    printed_change,
    printed_first_term,
    printed_mean,
    second_moment,
    second_term,
    term_facts,
    total_change,
)
from graphs.normalised.index_sums import assuming, m_entry, value, zero
from tests.graphs.normalised.drawn import second_moments
from tests.graphs.normalised.steps import entry_change
from tests.graphs.normalised.steps import frobenius_change as numeric_change


@pytest.mark.parametrize("facts", [derivative_facts, moment_facts, term_facts])
def test_every_fact_holds(facts):
    found = facts()
    assert len(found) >= 4
    assert [text for text, holds in found if not holds] == []
    assert len({text for text, _ in found}) == len(found)


@pytest.mark.parametrize("factor", [7, 9])
def test_a_wrong_coefficient_is_noticed(monkeypatch, factor):
    m = m_entry("i", "j")
    right = increments.printed_second_term()
    wrong = right + (8 - factor) * m * increments.printed_second_moments()["ij", "ii"]
    monkeypatch.setattr(increments, "printed_second_term", lambda: wrong)
    failed = [text for text, holds in term_facts() if not holds]
    assert len(failed) == 3  # (73), (74) and the sum


def test_the_mean_must_be_zero():
    assert mean_increment("i", "j") != printed_mean("ij")
    assert assuming(mean_increment("i", "j"), m1=0) == printed_mean("ij")
    assert second_moment(PLACES["ii"], PLACES["jj"]) != zero()
    assert assuming(second_moment(PLACES["ii"], PLACES["jj"]), m1=0) == zero()


def test_the_variance_must_be_one():
    assert assuming(mean_increment("i", "i"), m1=0, m2=2) != printed_mean("ii")
    assert assuming(first_term(), m1=0, m2=2) != printed_first_term()


def test_higher_moments_do_not_occur():
    for one in PLACES.values():
        assert moments_needed(mean_increment(*one)) <= {"m1", "m2"}
        for other in PLACES.values():
            assert moments_needed(second_moment(one, other)) <= {"m1", "m2"}
    assert moments_needed(second_term()) == {"m1", "m2"}
    # beyond gamma^2 they do
    assert "m3" in moments_needed(mean_product(PLACES["ii"], PLACES["ii"]))


def test_the_unit_diagonal_is_used():
    for name in ("ii", "jj"):
        loose = assuming(mean_increment(*PLACES[name], unit=False), m1=0, m2=1)
        assert loose == printed_mean(name, unit=False)
        assert len(loose.terms) == 1


@given(second_moments(3))
@settings(max_examples=10)
def test_the_printed_sums_are_the_numbers(moments):
    at = {"i": 0, "j": 2}
    assert value(printed_change(), moments, at) == as_fraction(entry_change(moments, 0, 2))
    assert value(frobenius_change(), moments, {}) == as_fraction(numeric_change(moments))
    assert value(total_change(), moments, {}) == as_fraction(numeric_change(moments))


def test_another_change_of_the_norm_is_told_apart():
    assert total_change() != frobenius_change() + Fraction(1, 1000)
