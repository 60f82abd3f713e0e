"""Eigenvalues and singular values.

They are roots of a polynomial of whole numbers whose roots are all real, so the number of its roots
above t is the number of changes of sign among the coefficients of p(x + t): Descartes' rule is
exact then. Its rational roots are whole, and found exactly. A matrix that is not rational is
rounded to one that is: no value moves further than the norm of the difference (Weyl).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from .arithmetic import Arithmetic, rational, size
from .enclosures import Enclosure
from .matrices import Matrix, Vector, characteristic, exact, gram, matrix, product, symmetric
from .outcomes import Declined, defined

EVEN_POWER = 64  # up to which the sum of the powers of the singular values is a trace


class Roots:
    """The positive roots of a polynomial with whole coefficients, from the constant one up to 1,
    whose roots are all real and not 0. Roots are numbered from 1, the largest first."""

    def __init__(self, run: Arithmetic, polynomial: list[int]) -> None:
        self._run, self._polynomial, self._degree = run, polynomial, len(polynomial) - 1
        self._known: dict[tuple[int, int], tuple[int, int]] = {}
        self.count = self._above(0, 0)[0]

    def root(self, number: int) -> Any:
        """Exactly if it is whole, else enclosed."""
        low, high = 0, 1 << self._length_bound()
        while high - low > 1:  # low < root <= high
            middle = (low + high) // 2
            low, high = (middle, high) if self._above(middle, 0)[0] >= number else (low, middle)
        above, equal = self._above(high, 0)
        if above < number <= above + equal:
            return high
        m, places, alone = low, 0, False  # between m and m + 1 in units of 2^-places, and not whole
        while m.bit_length() < self._run.bits:
            alone = alone or self._above(m, places)[0] - self._above(m + 1, places)[0] == 1
            places, m = places + 1, 2 * m
            if alone:
                m += self._sign(m + 1, places) == (-1) ** number
            else:
                m += self._above(m + 1, places)[0] >= number
        return Enclosure(m, m + 1, -places, self._run.bits)

    def _length_bound(self) -> int:
        """The roots lie below 2 to this power: |x| < 2 max |c_(n-k)|^(1/k)."""
        pairs = list(enumerate(reversed(self._polynomial)))[1:]
        return 2 + max((-(-c.bit_length() // k) for k, c in pairs), default=0)

    def _scaled(self, places: int, t: int, steps: int) -> list[int]:
        """The polynomial of 2^places times the roots."""
        top = self._degree
        scaled = [c << places * (top - k) for k, c in enumerate(self._polynomial)]
        longest = max(c.bit_length() for c in scaled) + top * (t.bit_length() + 1)
        self._run.budget.length(longest)
        self._run.budget.steps(steps * (1 + t.bit_length() // 500), longest // 8, 200)
        return scaled

    def _above(self, t: int, places: int) -> tuple[int, int]:
        """How many roots are larger than t 2^-places, and how many are equal to it."""
        if (t, places) not in self._known:
            top = self._degree
            shifted = self._scaled(places, t, top * top)
            for k in range(top):
                for j in range(top - 1, k - 1, -1):
                    shifted[j] += t * shifted[j + 1]
            equal = next(k for k, c in enumerate(shifted) if c)
            self._known[t, places] = _changes(shifted), equal
        return self._known[t, places]

    def _sign(self, t: int, places: int) -> int:
        """Of the polynomial at t 2^-places: that of (-1) to the number of roots above."""
        value = 0
        for c in reversed(self._scaled(places, t, self._degree + 1)):
            value = value * t + c
        return (value > 0) - (value < 0)


def _whole_eigenvalues(run: Arithmetic, a: Any, most: int) -> list[Any]:
    """The largest eigenvalues of a symmetric matrix of whole numbers, at most so many."""
    coefficients, _ = characteristic(run, a)
    zeros = next(k for k, c in enumerate(coefficients) if c)
    polynomial = coefficients[zeros:]
    rank = len(polynomial) - 1
    mirrored = [c if (rank - k) % 2 == 0 else -c for k, c in enumerate(polynomial)]
    above, below = Roots(run, polynomial), Roots(run, mirrored)
    values = [above.root(k) for k in range(1, min(above.count, most) + 1)]
    values += [0] * zeros
    if len(values) < most:
        values += [-below.root(k) for k in range(below.count, 0, -1)]
    return values[:most]


def _over_one_denominator(run: Arithmetic, a: Matrix) -> tuple[list[list[int]], int]:
    """The matrix times a whole number, and that number."""
    denominators = {x.denominator for x in a.entries}
    bits = sum(map(size, denominators))
    run.budget.length(bits)
    run.budget.steps(1, bits)
    run.budget.steps(2 * len(a.entries), 0)
    d = lcm(*denominators)
    return [[x.numerator * (d // x.denominator) for x in row] for row in a], d


def _units(run: Arithmetic, a: Matrix) -> tuple[Matrix, Any, Any]:
    """A matrix of whole numbers; what to multiply its values by; what to add to them, an enclosure
    of 0 as wide as they may move when it is put in place of the matrix."""
    if exact(a):
        rows, d = _over_one_denominator(run, a)
        return matrix(rows), Fraction(1, d), 0
    lifted = [[x if isinstance(x, Enclosure) else Enclosure.of(x, run.bits) for x in r] for r in a]
    lengths = (x.length for row in lifted for x in row if x.low or x.high)
    exponent = max(lengths, default=0) - run.bits
    ends = [[x.units(-exponent) for x in row] for row in lifted]
    error = sum((high - low) // 2 + 1 for row in ends for low, high in row)
    unit = Enclosure(1, 1, exponent, run.bits)
    moved = Enclosure(-error, error, exponent, run.bits)
    return matrix([(low + high) // 2 for low, high in row] for row in ends), unit, moved


def eigenvalues(run: Arithmetic, a: Matrix) -> list[Any]:
    """All of a symmetric matrix, from the largest to the least."""
    defined(symmetric(run, a))
    whole, unit, error = _units(run, a)
    run.budget.items(len(a))
    return [run.add(run.mul(x, unit), error) for x in _whole_eigenvalues(run, whole, len(a))]


def singular(run: Arithmetic, a: Matrix, most: int | None = None) -> list[Any]:
    """The min(m, n) singular values, or the first of them, from the largest to the least."""
    whole, unit, error = _units(run, a)
    squares = _whole_eigenvalues(run, gram(run, whole), most or min(a.shape))
    run.budget.items(len(squares))
    values = [run.add(run.mul(run.sqrt(x), unit), error) for x in squares]
    return [x.not_negative() if isinstance(x, Enclosure) else x for x in values]


def definite(run: Arithmetic, a: Matrix) -> bool:
    """Whether no eigenvalue is below 0: the signs of the characteristic polynomial alternate."""
    defined(symmetric(run, a))
    if exact(a):
        rows, _ = _over_one_denominator(run, a)
        coefficients, _ = characteristic(run, rows)
        return all(c * (-1) ** (len(a) - k) >= 0 for k, c in enumerate(coefficients))
    least = eigenvalues(run, a)[-1]
    if isinstance(least, Enclosure):
        return least.low >= 0 or least.sign() >= 0
    return bool(least >= 0)


def pseudo_determinant(run: Arithmetic, a: Matrix) -> Any:
    """The product of the squares of the singular values that are not 0: the lowest coefficient of a
    characteristic polynomial that is not 0."""
    if not exact(a):
        coefficients, _ = characteristic(run, gram(run, a))
        return abs(next(c for c in coefficients if c))
    rows, d = _over_one_denominator(run, a)
    coefficients, _ = characteristic(run, gram(run, matrix(rows)))
    zeros = next(k for k, c in enumerate(coefficients) if c)
    return run.div(abs(coefficients[zeros]), run.power(d, 2 * (len(coefficients) - 1 - zeros)))


def norm(run: Arithmetic, a: Any) -> Any:
    """The 2-norm of a vector, the largest singular value of a matrix."""
    return singular(run, a, 1)[0] if isinstance(a, Matrix) else run.sqrt(run.squares(a))


def schatten(run: Arithmetic, a: Matrix, q: Any) -> Any:
    """The sum of the q-th powers of the singular values that are not 0."""
    defined(run.sign(q) > 0)
    if exact(a) and rational(q) and q.denominator == 1 and q % 2 == 0 and q <= EVEN_POWER:
        square = power = gram(run, a)
        for _ in range(int(q) // 2 - 1):
            power = product(run, power, square)
        return run.total(power[i][i] for i in range(len(power)))
    if exact(a):
        rows, d = _over_one_denominator(run, a)
        squares = _whole_eigenvalues(run, gram(run, matrix(rows)), min(a.shape))
        half = run.div(q, 2)
        found = (x for x in squares if not rational(x) or x != 0)
        return run.total(run.power(run.div(x, d * d), half) for x in found)
    return run.total(_raised(run, x, q) for x in singular(run, a))


def _raised(run: Arithmetic, x: Any, q: Any) -> Any:
    """A power above 0 of a number of at least 0 that may be 0."""
    if not isinstance(x, Enclosure) or x.low > 0:
        return run.power(x, q)
    if x.high <= 0:
        return 0
    top = run.power(Enclosure(x.high, x.high, x.exponent, x.bits), q)
    return Enclosure(0, top.high, top.exponent, top.bits)


# roots of polynomials -----------------------------------------------------------------------------
def root_count(run: Arithmetic, coefficients: Vector, low: Any, high: Any) -> int:
    """How many different real roots the polynomial with these coefficients has from low to high.

    The sum of q(x) (u_1 + u_2 x + ... + u_n x^(n-1))^2 over all n roots x, also those that are not
    real, is a quadratic form in u, whose signature is how many different real roots have q > 0 less
    how many have q < 0 (Hermite): q = 1, (x - low) (high - x) and its square count those outside.
    """
    if not all(map(rational, (*coefficients, low, high))):
        raise Declined("the roots of a polynomial with numbers that are not known to be rational")
    defined(any(coefficients))
    if low > high:
        return 0
    degree = max(k for k, c in enumerate(coefficients) if c)
    run.budget.items(4 * (degree + 1) ** 2)
    monic = [run.div(c, coefficients[degree]) for c in coefficients[degree::-1]]
    sums: list[Any] = [degree]  # of the powers of the roots, by Newton's identities
    for k in range(1, 2 * degree + 3):
        before = run.dot(monic[1:k], sums[k - 1 : 0 : -1][:degree])
        sums.append(run.neg(run.add(before, run.mul(k, monic[k]) if k <= degree else 0)))

    def signature(q: list[Any]) -> int:
        places = range(degree)
        form = matrix([run.dot(q, sums[i + j : i + j + len(q)]) for j in places] for i in places)
        found, _ = characteristic(run, _over_one_denominator(run, form)[0])
        return _changes(found) - _changes([c * (-1) ** k for k, c in enumerate(found)])

    inside = [run.neg(run.mul(low, high)), run.add(low, high), -1]
    a, b, _ = inside
    square = [a * a, 2 * a * b, b * b - 2 * a, -2 * b, 1]
    return signature([1]) + (signature(inside) - signature(square)) // 2 if degree else 0


def _changes(coefficients: list[int]) -> int:
    """Of signs, without zeros."""
    signs = [c > 0 for c in coefficients if c]
    return sum(one != other for one, other in pairwise(signs))
