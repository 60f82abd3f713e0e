"""Increments of one step as polynomials in the weights, (64), and g along the step, (65).

Everything is a power series in gamma whose coefficients are polynomials in the entries of W, for
one rational symmetric M: nothing is taken from the paper but the definitions of Delta M and g.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from graphs.normalised.derivatives import derivative_at
from verify.kinds.normalised.pool import Rows
from verify.papers.dkbhl20.weight_laws import Monomial, Polynomial, Weights

Series = list[Polynomial]  # by power of gamma
ENTRIES = ("ii", "ij", "jj")


# polynomials and series ---------------------------------------------------------------------------
def collected(*parts: tuple[Fraction | int, Mapping[Monomial, Fraction]]) -> Polynomial:
    """The sum of polynomials times numbers."""
    total: Polynomial = {}
    for factor, polynomial in parts:
        for monomial, coefficient in polynomial.items():
            total[monomial] = total.get(monomial, Fraction(0)) + factor * coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def times(one: Polynomial, other: Polynomial) -> Polynomial:
    """Their product."""
    total: Polynomial = {}
    for left, a in one.items():
        for right, b in other.items():
            monomial = tuple(sorted((*left, *right)))
            total[monomial] = total.get(monomial, Fraction(0)) + a * b
    return total


def number(value: Fraction | int) -> Polynomial:
    """A constant."""
    return {(): Fraction(value)} if value else {}


def series_product(one: Series, other: Series, order: int) -> Series:
    """Their product up to a power of gamma."""
    found: Series = [{} for _ in range(order + 1)]
    for i, left in enumerate(one[: order + 1]):
        for j, right in enumerate(other[: order + 1 - i]):
            found[i + j] = collected((1, found[i + j]), (1, times(left, right)))
    return found


def series_inverse(series: Series, order: int) -> Series:
    """1 over a series whose constant term is a number; ZeroDivisionError where that is 0."""
    first = 1 / series[0].get((), Fraction(0))
    found: Series = [number(first)]
    for n in range(1, order + 1):
        terms = (
            (-first, times(series[k], found[n - k])) for k in range(1, min(n, len(series) - 1) + 1)
        )
        found.append(collected(*terms))
    return found


# one step -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Increments:
    """Delta M at one M (d, d), and means over the weights."""

    moments: Rows
    weights: Weights

    @property
    def width(self) -> int:
        """d."""
        return len(self.moments)

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """All i != j."""
        return permutations(range(self.width), 2)

    def linear(self, p: int, q: int) -> Polynomial:
        """[W M + M W^T]_pq."""
        m, every = self.moments, range(self.width)
        left: Polynomial = {((p, k),): m[k][q] for k in every}
        right: Polynomial = {((q, k),): m[p][k] for k in every}
        return collected((1, left), (1, right))

    def quadratic(self, p: int, q: int) -> Polynomial:
        """[W M W^T]_pq."""
        m, every = self.moments, range(self.width)
        terms = [
            (m[k][n], {tuple(sorted(((p, k), (q, n)))): Fraction(1)}) for k in every for n in every
        ]
        return collected(*terms)

    def series(self, p: int, q: int) -> Series:
        """Delta M_pq, (64)."""
        return [{}, self.linear(p, q), self.quadratic(p, q)]

    def after(self, p: int, q: int) -> Series:
        """[M_gamma]_pq."""
        return [number(self.moments[p][q]), *self.series(p, q)[1:]]

    def mean_increment(self, p: int, q: int, gamma: Fraction) -> Fraction:
        """E Delta M_pq."""
        first, second = (self.weights.mean(part) for part in self.series(p, q)[1:])
        return gamma * first + gamma * gamma * second

    def mean_products(self, one: tuple[int, int], other: tuple[int, int]) -> list[Fraction]:
        """E Delta M_pq Delta M_km by power of gamma, 0 to 2."""
        product = series_product(self.series(*one), self.series(*other), 2)
        return [self.weights.mean(part) for part in product]

    def second_moment(self, one: tuple[int, int], other: tuple[int, int]) -> Fraction:
        """K_pq,km."""
        return self.weights.mean(times(self.linear(*one), self.linear(*other)))

    def mean_squares(self, i: int, j: int) -> list[Fraction]:
        """E g_ij(M_gamma) by power of gamma, 0 to 2. ZeroDivisionError where M_ii M_jj = 0."""
        entry = self.after(i, j)
        below = series_product(
            series_inverse(self.after(i, i), 2), series_inverse(self.after(j, j), 2), 2
        )
        product = series_product(series_product(entry, entry, 2), below, 2)
        return [self.weights.mean(part) for part in product]

    # (66) -----------------------------------------------------------------------------------------
    def g(self, i: int, j: int) -> Fraction:
        """M_ij^2 / (M_ii M_jj)."""
        m = self.moments
        return m[i][j] ** 2 / (m[i][i] * m[j][j])

    def _places(self, i: int, j: int) -> dict[str, tuple[int, int]]:
        return {"ii": (i, i), "ij": (i, j), "jj": (j, j)}

    def derivative(self, i: int, j: int, *entries: str) -> Fraction:
        """Of g in entries of S, at M. ZeroDivisionError where M_ii M_jj = 0."""
        point = {name: self.moments[p][q] for name, (p, q) in self._places(i, j).items()}
        if not point["ii"] * point["jj"]:
            raise ZeroDivisionError("g is not defined")
        return derivative_at(entries, point)

    def first_term(self, i: int, j: int) -> list[Fraction]:
        """T_1 by power of gamma, 0 to 2."""
        total = [Fraction(0)] * 3
        for name, place in self._places(i, j).items():
            factor = self.derivative(i, j, name)
            for n, part in enumerate(self.series(*place)):
                total[n] += factor * self.weights.mean(part)
        return total

    def second_term(self, i: int, j: int) -> Fraction:
        """The coefficient of gamma^2 of T_2: half the second derivatives times K, by (70)."""
        places, total = self._places(i, j), Fraction(0)
        for one in ENTRIES:
            for other in ENTRIES:
                factor = self.derivative(i, j, one, other) / 2
                total += factor * self.second_moment(places[one], places[other])
        return total


# as printed ---------------------------------------------------------------------------------------
def row_product(moments: Sequence[Sequence[Fraction]], i: int, j: int) -> Fraction:
    """sum over k of M_ki M_kj."""
    return sum((row[i] * row[j] for row in moments), Fraction(0))


def printed_second_term(moments: Rows, i: int, j: int) -> Fraction:
    """The right side of (73)."""
    entry = moments[i][j]
    across = row_product(moments, i, i), row_product(moments, j, j)
    mixed = 8 * entry * row_product(moments, i, j)
    return across[1] + across[0] - mixed + 4 * entry**2 * (across[0] + across[1])


def frobenius_change(moments: Rows) -> Fraction:
    """delta_F(M), (43)."""
    every = range(len(moments))
    square = [[row_product(moments, i, j) for j in every] for i in every]  # M^2, as M = M^T
    norm = sum((square[i][i] for i in every), Fraction(0))
    cube = sum((square[i][j] * moments[j][i] for i in every for j in every), Fraction(0))
    spread = sum((square[i][i] ** 2 for i in every), Fraction(0))
    return 2 * len(moments) ** 2 - 2 * norm - 8 * cube + 8 * spread
