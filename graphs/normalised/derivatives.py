"""(65) to (67), (72): g(M) = M_ij^2 / (M_ii M_jj) and its derivatives up to the second.

A quotient is the pair (numerator, denominator) of polynomials in M_ii, M_ij, M_jj. The derivative
of a/b is (a' b - a b')/b^2, and two quotients are equal where a d - b c is the zero polynomial.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from graphs.rings import Polynomial, Ring, ring_of

ENTRIES = ("ii", "ij", "jj")  # S of (66): the entries on which g depends, as generators 0, 1, 2


class RationalFunction(NamedTuple):
    """numerator/denominator in one ring."""

    numerator: Polynomial
    denominator: Polynomial


def entry_ring() -> Ring:
    """The polynomials in M_ii, M_ij, M_jj."""
    return ring_of(len(ENTRIES))


def g_function(ring: Ring) -> RationalFunction:
    """(65) in the ring of the entries."""
    ii, ij, jj = ring.generators[:3]
    return RationalFunction(ij * ij, ii * jj)


def derived(ring: Ring, quotient: RationalFunction, entry: str) -> RationalFunction:
    """The partial derivative in one of ENTRIES."""
    place = ENTRIES.index(entry)
    up, down = quotient
    change = ring.derivative(up, place) * down - up * ring.derivative(down, place)
    return RationalFunction(change, down * down)


def g_derivative(ring: Ring, *entries: str) -> RationalFunction:
    """The derivative of g in these of ENTRIES, one after the other."""
    found = g_function(ring)
    for entry in entries:
        found = derived(ring, found, entry)
    return found


def at_unit_diagonal(ring: Ring, quotient: RationalFunction) -> dict[int, Fraction]:
    """The value at M_ii = M_jj = 1 as a polynomial in M_ij: coefficient by exponent.

    Raises ValueError where the denominator is not 1 there.
    """
    up, down = (_powers(ring, part) for part in quotient)
    if down != {0: Fraction(1)}:
        raise ValueError("the denominator is not a product of powers of M_ii and M_jj")
    return up


def _powers(ring: Ring, polynomial: Polynomial) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for (_, exponent, _), coefficient in ring.terms(polynomial).items():
        found[exponent] = found.get(exponent, Fraction(0)) + coefficient
    return {k: c for k, c in found.items() if c}


def unit_derivatives() -> dict[tuple[str, ...], dict[int, Fraction]]:
    """All first and second derivatives of g at unit diagonal, as polynomials in M_ij.

    >>> table = unit_derivatives()
    >>> table["ij",], table["ii", "jj"]
    ({1: Fraction(2, 1)}, {2: Fraction(1, 1)})
    """
    ring = entry_ring()
    chosen = [(one,) for one in ENTRIES] + [(one, other) for one in ENTRIES for other in ENTRIES]
    return {names: at_unit_diagonal(ring, g_derivative(ring, *names)) for names in chosen}


# as printed --------------------------------------------------------------------------------------
def printed_first() -> dict[str, dict[int, Fraction]]:
    """(67) at unit diagonal."""
    minus_g = {2: Fraction(-1)}
    return {"ii": minus_g, "ij": {1: Fraction(2)}, "jj": minus_g}


def printed_second() -> dict[tuple[str, str], dict[int, Fraction]]:
    """(72)."""
    return {
        ("ij", "ij"): {0: Fraction(2)},
        ("ij", "ii"): {1: Fraction(-2)},
        ("ii", "ii"): {2: Fraction(2)},
        ("jj", "ii"): {2: Fraction(1)},
    }
