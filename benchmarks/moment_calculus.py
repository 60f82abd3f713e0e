"""Expectations of polynomials in the entries of W, with symbolic moments, at a fixed small d.

The plain way, for every M: the entries of M off the diagonal, those of W and m_1 to m_4 are the
generators of one ring over Q, and a monomial in the entries of W has as its mean the product of
the moments of their exponents. graphs.normalised.index_sums does the same for every d.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from graphs.arithmetic import as_fraction
from graphs.rings import Polynomial, ring_of

HIGHEST = 4  # moments are symbols up to this order


class SymbolicStep:
    """The step on M at width d with symbols for M, W and the moments of a weight.

    moments, weights: (d, d) lists of polynomials; the diagonal of M is 1 where unit is true, else
    symbols too. The entries of W are i.i.d.
    """

    def __init__(self, width: int, *, unit: bool = True, backend: str = "auto") -> None:
        self.width = width
        pairs = [(i, j) for i in range(width) for j in range(i + int(unit), width)]
        first, last = len(pairs), len(pairs) + width * width
        self.ring = ring_of(last + HIGHEST, backend)
        one = self.ring.constant(Fraction(1))
        entries = dict(zip(pairs, self.ring.generators, strict=False))
        self.moments: list[list[Any]] = [
            [entries.get((min(i, j), max(i, j)), one) for j in range(width)] for i in range(width)
        ]
        self.weights = [
            list(self.ring.generators[first + i * width : first + (i + 1) * width])
            for i in range(width)
        ]
        self._pairs, self._weight_places = pairs, range(first, last)
        self._moment_place = last - 1  # m_n is the generator at this place + n

    def number(self, value: int | Fraction) -> Polynomial:
        """A rational as a polynomial."""
        return self.ring.constant(Fraction(value))

    def moment(self, order: int) -> Polynomial:
        """m_1 to m_4 as a symbol."""
        return self.ring.generators[self._moment_place + order]

    def _sum(self, terms: Any) -> Polynomial:
        total: Any = sum(terms, self.number(0))
        return total

    def linear_part(self, p: int, q: int) -> Polynomial:
        """[W M + M W^T]_pq."""
        w, m = self.weights, self.moments
        span = range(self.width)
        return self._sum(w[p][k] * m[k][q] + w[q][k] * m[k][p] for k in span)

    def quadratic_part(self, p: int, q: int) -> Polynomial:
        """[W M W^T]_pq."""
        w, m, span = self.weights, self.moments, range(self.width)
        return self._sum(w[p][k] * self._sum(m[k][n] * w[q][n] for n in span) for k in span)

    def mean(
        self, polynomial: Polynomial, known: Mapping[int, int | Fraction] | None = None
    ) -> Polynomial:
        """E over W: each power w^e of an entry becomes m_e, or the number known for it.

        Raises ValueError at a power above 4 without a number.
        """
        given = {order: Fraction(number) for order, number in (known or {}).items()}
        collected: dict[tuple[int, ...], Fraction] = {}
        for exponents, coefficient in self.ring.terms(polynomial).items():
            kept, factor = list(exponents), coefficient
            for place in self._weight_places:
                order, kept[place] = kept[place], 0
                if order in given:
                    factor *= given[order]
                elif order > HIGHEST:
                    raise ValueError(f"a weight occurs to the power {order}: give its moment")
                elif order:
                    kept[self._moment_place + order] += 1
            if factor:
                key = tuple(kept)
                collected[key] = collected.get(key, Fraction(0)) + factor
        return self._sum(self._monomial(e, c) for e, c in collected.items())

    def _monomial(self, exponents: Sequence[int], coefficient: Fraction) -> Polynomial:
        term = self.ring.constant(coefficient)
        for generator, power in zip(self.ring.generators, exponents, strict=True):
            if power:
                term = term * generator**power
        return term

    def series(self, i: int, j: int, order: int) -> list[Polynomial]:
        """g_ij(M_gamma) by power of gamma to an order, i != j, for unit diagonal M."""
        entry = [self.moments[i][j], self.linear_part(i, j), self.quadratic_part(i, j)]
        product = self._times(entry, entry, order)
        for row in (i, j):
            product = self._times(product, self._inverse(row, order), order)
        return product

    def _inverse(self, row: int, order: int) -> list[Polynomial]:
        twice, square = self.linear_part(row, row), self.quadratic_part(row, row)
        found = [self.number(1), -twice]
        for n in range(2, order + 1):
            found.append(-(twice * found[n - 1]) - square * found[n - 2])
        return found[: order + 1]

    def _times(
        self, one: Sequence[Polynomial], other: Sequence[Polynomial], order: int
    ) -> list[Polynomial]:
        found = [self.number(0)] * (order + 1)
        for a, left in enumerate(one[: order + 1]):
            for b, right in enumerate(other[: order + 1 - a]):
                found[a + b] = found[a + b] + left * right
        return found

    def mean_frobenius_series(
        self, order: int, known: Mapping[int, int | Fraction] | None = None
    ) -> list[Polynomial]:
        """E|M_+|_F^2 by power of gamma to an order, with numbers for the moments known."""
        total = [self.number(self.width)] + [self.number(0)] * order
        for i in range(self.width):
            for j in range(i):
                for n, part in enumerate(self.series(i, j, order)):
                    total[n] = total[n] + 2 * self.mean(part, known)
        return total

    def frobenius_change(self) -> Polynomial:
        """delta_F(M) in the symbols of M."""
        m, span = self.moments, range(self.width)
        square = [[self._sum(m[i][k] * m[k][j] for k in span) for j in span] for i in span]
        norm = self._sum(square[i][i] for i in span)
        cube = self._sum(square[i][k] * m[k][i] for i in span for k in span)
        spread = self._sum(square[i][i] * square[i][i] for i in span)
        return self.number(2 * self.width**2) - 2 * norm - 8 * cube + 8 * spread

    def at(
        self,
        polynomial: Polynomial,
        moments: Sequence[Sequence[Any]],
        weights: Sequence[Sequence[Any]] = (),
        orders: Sequence[int | Fraction] = (0, 0, 0, 0),
    ) -> Fraction:
        """The value at M (d, d), W (d, d) and m_1 to m_4."""
        point = [as_fraction(moments[i][j]) for i, j in self._pairs]
        entries = [as_fraction(w) for row in weights for w in row]
        point += entries or [Fraction(0)] * self.width**2
        return self.ring.evaluate(polynomial, [*point, *map(Fraction, orders)])
