"""Families of spectra for d = n^m, n = 1, 2, 3, ...: counts and sums are polynomials in n.

One eigenvalue a n^p, n^c eigenvalues b n^q, all others equal and such that the sum is d.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

Powers = Mapping[int, Fraction]
"""A polynomial in n: the coefficient of each exponent; no coefficient is 0."""


def plus(*parts: Powers) -> Powers:
    """Their sum."""
    total: dict[int, Fraction] = {}
    for part in parts:
        for exponent, coefficient in part.items():
            total[exponent] = total.get(exponent, Fraction(0)) + coefficient
    return {exponent: coefficient for exponent, coefficient in total.items() if coefficient}


def times(one: Powers, other: Powers) -> Powers:
    """Their product."""
    return plus(*({i + j: a * b} for i, a in one.items() for j, b in other.items()))


def monomial(coefficient: Fraction | int, exponent: int) -> Powers:
    """c n^k."""
    return {exponent: Fraction(coefficient)} if coefficient else {}


def leading(polynomial: Powers) -> tuple[int, Fraction]:
    """Degree and leading coefficient of a polynomial that is not 0."""
    degree = max(polynomial)
    return degree, polynomial[degree]


@dataclass(frozen=True)
class Family:
    """m, p, c, q and a, b; counts and sums as polynomials in n."""

    m: int
    p: int
    c: int
    q: int
    a: Fraction
    b: Fraction

    @property
    def others(self) -> Powers:
        """How many eigenvalues there are beside the one and the n^c."""
        return plus(monomial(1, self.m), monomial(-1, 0), monomial(-1, self.c))

    @property
    def rest(self) -> Powers:
        """What is left of the sum d for these."""
        named = monomial(-self.a, self.p), monomial(-self.b, self.c + self.q)
        return plus(monomial(1, self.m), *named)

    def power_sum(self, k: int) -> Powers:
        """The sum of the k-th powers, times `others`^(k - 1)."""
        named = plus(monomial(self.a**k, k * self.p), monomial(self.b**k, self.c + k * self.q))
        total = self.rest
        for _ in range(k - 1):
            named, total = times(named, self.others), times(total, self.rest)
        return plus(named, total)

    def degree(self, k: int) -> int:
        """The order of growth of the sum of the k-th powers, as a power of n."""
        return leading(self.power_sum(k))[0] - (k - 1) * self.m

    @property
    def alpha(self) -> tuple[Powers, Powers]:
        """Numerator and denominator of |l|_2^4 / (d |l|_3^3)."""
        square = self.power_sum(2)
        return times(square, square), times(monomial(1, self.m), self.power_sum(3))

    @property
    def is_one(self) -> bool:
        """Whether for every large n these are numbers of eigenvalues, which are at least 0."""
        counts = self.m >= 1 and 0 <= self.c < self.m and self.p >= 0 and self.q >= 0
        if not counts or self.a <= 0 or self.b < 0:
            return False
        return not self.rest or leading(self.rest)[1] > 0

    @property
    def fills_a_hadamard_matrix(self) -> bool:
        """Whether for n = 4 there are d = n^m eigenvalues of sum d.

        With a Hadamard matrix Q of that size, as there is one for every power of 2, M =
        Q diag(lambda) Q^T/d then has ones on its diagonal, and all rows the squared norm sum l^2/d.
        """
        if not self.is_one:
            return False
        width = 4**self.m
        others, rest = (sum(c * 4**k for k, c in part.items()) for part in (self.others, self.rest))
        total = self.a * 4**self.p + self.b * 4 ** (self.c + self.q) + rest
        return bool(others >= 0 and 1 + 4**self.c + others == width == total)

    @property
    def others_are_smaller(self) -> bool:
        """Whether all but the first eigenvalue are o(n^p)."""
        second = self.b == 0 or self.q < self.p
        return second and (not self.rest or leading(self.rest)[0] - self.m < self.p)
