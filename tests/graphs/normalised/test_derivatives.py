"""The derivatives of g, against SymPy and against what is printed."""

from fractions import Fraction
from itertools import product

import pytest
import sympy

from graphs.normalised.derivatives import (
    ENTRIES,
    entry_ring,
    g_derivative,
    g_function,
    printed_first,
    printed_second,
    unit_derivatives,
)

SYMBOLS = sympy.symbols("ii ij jj", positive=True)
G = SYMBOLS[1] ** 2 / (SYMBOLS[0] * SYMBOLS[2])
CHOSEN = [(a,) for a in ENTRIES] + list(product(ENTRIES, repeat=2))


def equal(ring, one, other):
    """Whether two quotients are the same function."""
    return ring.is_zero(one.numerator * other.denominator - other.numerator * one.denominator)


@pytest.mark.parametrize("names", CHOSEN, ids="-".join)
def test_derivatives_agree_with_sympy(names):
    expected = sympy.diff(G, *(SYMBOLS[ENTRIES.index(n)] for n in names))
    half = {
        s: (sympy.Rational(1, 2) if n == "ij" else 1) for s, n in zip(SYMBOLS, ENTRIES, strict=True)
    }
    table = unit_derivatives()[names]
    assert str(expected.subs(half)) == str(sum(c * Fraction(1, 2) ** k for k, c in table.items()))


def test_the_print_is_met_and_a_wrong_print_is_not():
    table = unit_derivatives()
    assert all(table[name,] == printed for name, printed in printed_first().items())
    assert all(table[names] == printed for names, printed in printed_second().items())
    assert table["ii", "ii"] != {2: Fraction(1)}
    assert table["ij", "ii"] != {1: Fraction(2)}


def test_quotients_are_compared_as_functions():
    ring = entry_ring()
    g = g_function(ring)
    wider = type(g)(g.numerator * ring.generators[0], g.denominator * ring.generators[0])
    assert equal(ring, g, wider)
    assert not equal(ring, g, g_derivative(ring, "ij"))
    assert equal(ring, g_derivative(ring, "ii", "jj"), g_derivative(ring, "jj", "ii"))
