"""Rising factorials Gamma(x + a) / Gamma(x), by Stirling's series."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from .enclosures import Enclosure, Number, exponential, logarithm


def ratio_of_gammas(above: Number, below: Number, bits: int) -> Number:
    """Gamma(above) / Gamma(below), of numbers above 0: both are moved up until the series serves,
    by Gamma(z) = Gamma(z + 1) / z."""
    exact = 2 * bits
    one, other = (x if isinstance(x, Enclosure) else Enclosure.of(x, exact) for x in (above, below))
    product: Number = Enclosure.of(1, exact)
    least = 20 + bits // 4
    while not (_reaches(one, least) and _reaches(other, least)):
        product = product * other / one
        one, other = one + 1, other + 1
    return product * exponential(_stirling(one, exact) - _stirling(other, exact), bits)


def _reaches(x: Enclosure, least: int) -> bool:
    """Whether the lower end is at least a number of few bits."""
    low = x.low >> -x.exponent if x.exponent < 0 else x.low << min(x.exponent, 64)
    return low >= least


def _stirling(z: Enclosure, bits: int) -> Enclosure:
    """log Gamma(z) - log(2 pi) / 2, which lies between any two sums of its series in a row."""
    log = z.rising(lambda end, exponent: logarithm(end, exponent, bits))
    total = log * (z - Fraction(1, 2)) - z
    power: Number = 1 / z
    square: Number = power * power
    k = 1
    while True:
        term = power * (_bernoulli(2 * k) / (2 * k * (2 * k - 1)))
        assert isinstance(term, Enclosure)
        following = total + term
        if term.length < -bits // 2:
            return total.hull(following) if k % 2 else following.hull(total)
        total, k = following, k + 1
        power = power * square


@cache
def _bernoulli(n: int) -> Fraction:
    """B_n, by sum over k <= n of comb(n + 1, k) B_k = 0."""
    if n == 0:
        return Fraction(1)
    if n > 1 and n % 2:
        return Fraction(0)
    return -sum((comb(n + 1, k) * _bernoulli(k) for k in range(n)), Fraction(0)) / (n + 1)
