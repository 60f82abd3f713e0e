"""Rings: both backends keep the same normal forms, and the normal form is the polynomial."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.rings import FlintRing, SympyRing, ring_of
from tests.graphs.drawn_points import BACKENDS

SIZE = 3
terms = st.dictionaries(
    st.tuples(*[st.integers(0, 3)] * SIZE),
    st.builds(Fraction, st.integers(-5, 5), st.integers(1, 4)),
    max_size=5,
)
coordinates = st.tuples(*[st.builds(Fraction, st.integers(-3, 3), st.integers(1, 3))] * SIZE)


def polynomial(ring, table):
    total = ring.constant(Fraction(0))
    for exponents, coefficient in table.items():
        term = ring.constant(coefficient)
        for generator, exponent in zip(ring.generators, exponents, strict=True):
            term = term * generator**exponent
        total = total + term
    return total


def value(table, point):
    total = Fraction(0)
    for exponents, coefficient in table.items():
        for number, exponent in zip(point, exponents, strict=True):
            coefficient *= number**exponent
        total += coefficient
    return total


@pytest.mark.parametrize("backend", BACKENDS)
@given(terms, terms, coordinates)
def test_a_polynomial_is_its_terms(backend, first, second, point):
    ring = ring_of(SIZE, backend)
    left, right = polynomial(ring, first), polynomial(ring, second)
    assert ring.terms(left) == {e: c for e, c in first.items() if c}
    assert ring.term_count(left) == len(ring.terms(left))
    assert ring.is_zero(left) == (not any(first.values()))
    assert ring.is_zero(left - left)
    for result, expected in (
        (left + right, value(first, point) + value(second, point)),
        (left - right, value(first, point) - value(second, point)),
        (left * right, value(first, point) * value(second, point)),
        (-left, -value(first, point)),
    ):
        assert ring.evaluate(result, point) == expected
        assert 0 not in ring.terms(result).values()


@pytest.mark.parametrize("backend", BACKENDS)
@given(terms)
def test_the_derivative_lowers_exponents(backend, table):
    ring = ring_of(SIZE, backend)
    expected = {(e[0], e[1] - 1, e[2]): c * e[1] for e, c in table.items() if e[1] > 0 and c != 0}
    assert ring.terms(ring.derivative(polynomial(ring, table), 1)) == expected


@pytest.mark.skipif(len(BACKENDS) < 2, reason="needs python-flint to compare with")
@given(terms, terms)
def test_the_backends_agree(first, second):
    rings = [ring_of(SIZE, backend) for backend in BACKENDS]
    results = [ring.terms(polynomial(ring, first) * polynomial(ring, second)) for ring in rings]
    assert results[0] == results[1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_ring_knows_its_own(backend):
    ring = ring_of(2, backend)
    assert ring.owns(ring.generators[0])
    assert not ring.owns(Fraction(1))
    assert not ring.owns(ring_of(3, backend).generators[0])
    assert ring.backend == backend


def test_the_automatic_backend_is_flint_where_it_is_installed(monkeypatch):
    assert isinstance(ring_of(1), FlintRing if "flint" in BACKENDS else SympyRing)
    monkeypatch.setitem(__import__("sys").modules, "flint", None)
    assert isinstance(ring_of(1), SympyRing)
    with pytest.raises(ImportError):
        ring_of(1, "flint")


def test_a_ring_without_generators_has_constants():
    for backend in BACKENDS:
        ring = ring_of(0, backend)
        assert ring.terms(ring.constant(Fraction(2, 3))) == {(0,): Fraction(2, 3)}


def test_errors_name_what_is_wrong():
    with pytest.raises(ValueError, match=r"'gmp' is unknown: use one of auto, flint, sympy"):
        ring_of(1, "gmp")
    ring = ring_of(2)
    with pytest.raises(ValueError, match="1 coordinates in a ring with 2 generators"):
        ring.evaluate(ring.generators[0], [Fraction(1)])
