"""The complementary error function, to so many bits whatever its size, by its series."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from .enclosures import Enclosure, Number, Rational, exponential
from .factorials import ratio_of_gammas


def complementary_error(x: Number, bits: int) -> Enclosure:
    """erfc(x), which falls."""
    if isinstance(x, Enclosure):
        return -x.rising(lambda end, exponent: -_at(end, exponent, bits))
    return _at(x, 0, bits)


@cache
def root_of_pi(bits: int) -> Enclosure:
    """Gamma(1/2)."""
    root = ratio_of_gammas(Fraction(1, 2), 1, bits)
    assert isinstance(root, Enclosure)
    return root


def _at(x: Rational, exponent: int, bits: int) -> Enclosure:
    """Of x 2^exponent; erfc(-z) = 2 - erfc(z)."""
    if x < 0:
        return 2 - _at(-x, exponent, bits)
    if x == 0:
        return Enclosure.of(1, bits)
    exact = 3 * bits  # 1 - erf(z) loses at most 3/2 z^2 bits
    z = Enclosure.of(x, exact)
    z = Enclosure(z.low, z.high, z.exponent + exponent, exact)
    square = z**2
    result = _far_out(z, square, bits) if square > bits else 1 - _error(z, square, bits)
    return Enclosure(result.low, result.high, result.exponent, bits)


def _error(z: Enclosure, square: Enclosure, bits: int) -> Enclosure:
    """erf(z): 2 / sqrt(pi) exp(-z^2) times the sum of 2^n z^(2n+1) / (1 3 ... (2n+1)). From 2n + 3
    >= 4 z^2 on each term is at most half of the one before."""
    most = square.units(0)[1]
    total, term, n = z, z, 0
    while term.length > -3 * bits or 2 * n + 3 < 4 * most:
        n += 1
        term = _scaled(term, square * Fraction(2, 2 * n + 1))
        total = total + term
    total = total.hull(total + term)
    return _scaled(exponential(-square, z.bits) / root_of_pi(z.bits), total * 2)


def _far_out(z: Enclosure, square: Enclosure, bits: int) -> Enclosure:
    """exp(-z^2) / (z sqrt(pi)) times 1 - 1/(2 z^2) + (1 3)/(2 z^2)^2 - ..., which lies between any
    two sums in a row. For z^2 above the bits its terms fall below 2^-bits before they grow."""
    total = term = Enclosure.of(1, z.bits)
    k = 0
    while True:
        k += 1
        term = _scaled(term, Fraction(2 * k - 1, 2) / square)
        following = total - term if k % 2 else total + term
        if term.length < -bits:
            break
        total = following
    between = following.hull(total) if k % 2 else total.hull(following)
    return _scaled(exponential(-square, z.bits), between / (z * root_of_pi(z.bits)))


def _scaled(x: Number, factor: Number) -> Enclosure:
    product = x * factor
    assert isinstance(product, Enclosure)
    return product
