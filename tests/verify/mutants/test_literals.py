"""The numbers of a measure, and the measure with another one."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.mutants import samples
from verify.papers.registry import all_claims
from verify.search.mutants.literals import literals, with_literal

RATIONALS = st.fractions(-3, 3, max_denominator=5)


def texts(measure):
    """What the places read, and their roles."""
    return [(found.text, found.role) for found in literals(measure)]


def test_roles():
    assert texts(samples.given) == [
        ("2", "operand"),
        ("1", "operand"),
        ("HALF", "operand"),
        ("shift=1", "parameter"),
    ]
    assert texts(samples.falling) == [
        ("1", "operand"),
        ("1", "alone"),
        ("1", "operand"),
    ]
    assert texts(samples.on_line) == [("5", "operand"), ("4", "operand")]


@given(RATIONALS, RATIONALS)
def test_a_number_is_changed_and_nothing_else(x, value):
    factor, one, half, shift = literals(samples.given)
    assert with_literal(samples.given, factor, value)(x) == value * x**3 + Fraction(1, 2) - x - 1
    assert with_literal(samples.given, one, value)(x) == 2 * x**3 + Fraction(1, 2) - x - value
    assert with_literal(samples.given, half, value)(x) == 2 * x**3 + value - x - 1
    assert with_literal(samples.given, shift, 0)(x) == 2 * x**3 + Fraction(1, 2) - x
    assert samples.given(x) == 2 * x**3 + Fraction(1, 2) - x - 1


def test_functions_that_call_themselves():
    at_least, _, less = literals(samples.falling)
    assert samples.falling(5) == 120
    assert with_literal(samples.falling, at_least, 2)(5) == 60
    assert with_literal(samples.falling, less, 2)(5) == 15


def test_caches_methods_and_lambdas_are_their_own():
    two, seven = literals(samples.through_cache)
    samples.through_cache(1)
    assert with_literal(samples.through_cache, seven, 8)(1) == 18
    assert with_literal(samples.through_cache, two, 3)(1) == 24
    assert samples.through_cache(1) == 16
    five, four = literals(samples.on_line)
    assert with_literal(samples.on_line, four, 0)(1) == 8
    assert with_literal(samples.on_line, five, 0)(1) == -1
    assert [texts(samples.first), texts(samples.second)] == [[("1", "operand")], [("3", "operand")]]


def test_a_place_of_another_measure_is_refused():
    (place,) = literals(samples.first)
    with pytest.raises(ValueError, match="no number at 1 in"):
        with_literal(samples.second, place, 2)


def test_every_number_of_the_papers_can_be_changed():
    changed = 0
    for claim in all_claims():
        in_code = claim.measure is not None and claim.terms is None
        for place in literals(claim.measure) if in_code else ():
            assert with_literal(claim.measure, place, place.value + 1) is not claim.measure
            changed += 1
    assert changed > 500
