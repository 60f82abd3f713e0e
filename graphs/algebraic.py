"""Real algebraic numbers, exactly: polynomials over Q in largest roots of real-rooted polynomials.

Eigenvalues of symmetric rational matrices are such roots. A number is kept as a polynomial in its
roots; its sign is decided by enclosures of the roots that are narrowed on demand, and a tie by a
separation bound, so every comparison is exact.

The separation bound. Let E be a polynomial in roots r_1, ..., r_m of integer polynomials f_i with
leading coefficients l_i and degrees d_i, and let L be the common denominator of its coefficients
times the product of l_i^(degree of E in r_i). Then L E is an algebraic integer, and each of its at
most D = d_1 ... d_m conjugates is the same polynomial in other roots of the f_i, so at most U in
size, if all roots of f_i lie within R_i and U is the sum of the sizes of the terms of L E at the
R_i. The product of the conjugates is an integer. So E = 0 or |E| >= max(1, U)^(1 - D) / L.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, total_ordering
from math import gcd, lcm
from typing import Any, NamedTuple

from graphs.arithmetic import as_fraction, rational
from graphs.errors import NotRationalError
from graphs.univariate import common_divisor, derivative, divided, univariate

try:
    import flint
except ImportError:  # not on every machine: the answers are the same
    flint = None  # type: ignore[assignment]  # stands for "no module"

FIRST_BITS = 60
Monomial = tuple[tuple["Root", int], ...]


class Enclosure(NamedTuple):
    """Two rationals between which a number lies."""

    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"


class Root:
    """The largest root of an integer polynomial without multiple roots, all of them real.

    coefficients: from the constant one up; the last is positive. The enclosure is found by
    Newton's method from above: for such f and x at or above the largest root r, both
    x - f(x)/f'(x) >= r and x - deg(f) f(x)/f'(x) <= r, since f'/f is the sum of 1/(x - r_i).
    """

    def __init__(self, coefficients: tuple[int, ...]) -> None:
        self.coefficients = coefficients
        self.degree = len(coefficients) - 1
        self.bound = _root_bound(coefficients)
        self._high = self.bound
        self._low = -self.bound
        self._rational: Fraction | None = None
        self._asked = False

    def enclosure(self, bits: int) -> Enclosure:
        """An enclosure of width at most 2^-bits."""
        target = Fraction(1, 1 << bits)
        working = bits + 8 + self.degree.bit_length()
        while self._high - self._low > target:
            value, slope = self._at(self._high)
            if value == 0:
                self._low = self._high
                break
            step = Fraction(value, slope * self._high.denominator)
            lower = _rounded(self._high - self.degree * step, working, up=False)
            self._low = max(self._low, lower)
            self._high = _rounded(self._high - step, working, up=True)
        return Enclosure(self._low, self._high)

    def _at(self, x: Fraction) -> tuple[int, int]:
        """The value and the derivative of the polynomial at x = p / q, times q^degree and
        q^(degree - 1)."""
        p, q = x.numerator, x.denominator
        value, slope, power = self.coefficients[-1], 0, 1
        for coefficient in reversed(self.coefficients[:-1]):
            power *= q
            slope = slope * p + value
            value = value * p + coefficient * power
        return value, slope

    def rational(self) -> Fraction | None:
        """The root, if it is a rational number; found once."""
        if not self._asked:
            self._asked, self._rational = True, self._if_rational()
        return self._rational

    def _if_rational(self) -> Fraction | None:
        lead = self.coefficients[-1]  # lead times the root is then an integer
        low, high = self.enclosure(lead.bit_length() + 1)
        candidate = Fraction(-((-low * lead).__floor__()), lead)  # the least multiple of 1/lead
        if candidate <= high and self._at(candidate)[0] == 0:
            return candidate
        return None


def _rounded(x: Fraction, bits: int, *, up: bool) -> Fraction:
    scaled = x * (1 << bits)
    return Fraction(-((-scaled).__floor__()) if up else scaled.__floor__(), 1 << bits)


def _root_bound(coefficients: Sequence[int]) -> Fraction:
    """A power of 2 that no root exceeds in size: 2 max |c_(d-i) / c_d|^(1/i) or more (Fujiwara)."""
    lead = coefficients[-1]
    best = -(10**9)
    for i, c in enumerate(reversed(coefficients[:-1]), start=1):
        if c:
            quotient = abs(c).bit_length() - lead.bit_length() + 1  # |c / lead| < 2^quotient
            best = max(best, -(-quotient // i))
    return Fraction(2) ** (best + 1) if best > -(10**9) else Fraction(1)


@lru_cache(maxsize=4096)
def _root(coefficients: tuple[int, ...]) -> Root:
    """One object for each polynomial, so that equal roots are the same symbol."""
    return Root(coefficients)


def largest_root(polynomial: Sequence[Any]) -> Any:
    """The largest root of a polynomial over Q whose roots are all real.

    polynomial: coefficients from the constant one up, the last not 0, degree at least 1. Returns a
    rational of graphs.arithmetic where the root is one, else an `Algebraic`.
    """
    coefficients = squarefree(integers(polynomial))
    root = _root(coefficients)
    value = root.rational()
    if value is None and coefficients[0] == 0:  # 0 is not the largest root, or not irrational
        root = _root(integers(coefficients[1:]))
    return Algebraic({((root, 1),): Fraction(1)}) if value is None else rational(value)


def integers(polynomial: Sequence[Any]) -> tuple[int, ...]:
    """The coefficients times a number, so that they are integers without a common factor, the last
    one positive."""
    if flint is not None:
        whole = list(map(int, flint.fmpq_poly([rational(c) for c in polynomial]).numer().coeffs()))
    else:
        coefficients = [as_fraction(c) for c in polynomial]
        scale = lcm(*(c.denominator for c in coefficients))
        whole = [int(c * scale) for c in coefficients]
    common = gcd(*whole) * (1 if whole[-1] > 0 else -1)
    return tuple(c // common for c in whole)


@lru_cache(maxsize=4096)
def squarefree(f: tuple[int, ...]) -> tuple[int, ...]:
    """f without its multiple roots, f / gcd(f, f'), without common factors."""
    if flint is not None:
        exact = flint.fmpz_poly(list(f))
        return tuple(map(int, (exact / exact.gcd(exact.derivative())).coeffs()))
    whole = univariate(f)
    return integers(divided(whole, common_divisor(whole, derivative(whole)))[0])


@total_ordering
class Algebraic:
    """A polynomial over Q in largest roots; never a constant (that is a rational).

    Supports + - * with rationals and others of its kind, division by rationals, exact comparisons.
    """

    __hash__ = None  # type: ignore[assignment]  # equal numbers may be different polynomials

    def __init__(self, terms: dict[Monomial, Fraction]) -> None:
        self.terms = terms

    def __add__(self, other: Any) -> Any:
        theirs = _terms(other)
        if theirs is None:
            return NotImplemented
        total = dict(self.terms)
        for monomial, coefficient in theirs.items():
            total[monomial] = total.get(monomial, Fraction(0)) + coefficient
        return _simplest(total)

    __radd__ = __add__

    def __neg__(self) -> Algebraic:
        return Algebraic({monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if _terms(other) is None else self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        theirs = _terms(other)
        if theirs is None:
            return NotImplemented
        total: dict[Monomial, Fraction] = {}
        for one, c in self.terms.items():
            for two, d in theirs.items():
                for both, e in _reduced(_product(one, two)).items():
                    total[both] = total.get(both, Fraction(0)) + c * d * e
        return _simplest(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self * (1 / as_fraction(other))

    def __abs__(self) -> Any:
        return -self if self.sign() < 0 else self

    def __eq__(self, other: object) -> bool:
        if _terms(other) is None:
            return NotImplemented
        return _sign(self - other) == 0

    def __lt__(self, other: Any) -> bool:
        if _terms(other) is None:
            return NotImplemented
        return _sign(self - other) < 0

    def __float__(self) -> float:
        low, high = self._close()
        return float((low + high) / 2)

    def __repr__(self) -> str:
        return f"Algebraic(about {float(self):.12g})"

    def enclosure(self, bits: int) -> Enclosure:
        """An enclosure from enclosures of the roots of width at most 2^-bits each."""
        low, high = Fraction(0), Fraction(0)
        for monomial, coefficient in self.terms.items():
            a = b = coefficient
            for root, power in monomial:
                ends = root.enclosure(bits)
                for _ in range(power):
                    products = [x * y for x in (a, b) for y in ends]
                    a, b = min(products), max(products)
            low, high = low + min(a, b), high + max(a, b)
        return Enclosure(low, high)

    def narrow(self) -> Enclosure:
        """An enclosure that excludes 0, if the number is not 0, and is narrow beside it; with
        decimal ends, so that it is short to write."""
        low, high = self._close()
        if low == high == 0:
            return Enclosure(low, high)
        scale = 1
        while scale * min(abs(low), abs(high)) < 10**9:
            scale *= 10
        return Enclosure(
            Fraction((low * scale).__floor__(), scale),
            Fraction(-((-high * scale).__floor__()), scale),
        )

    def _close(self) -> Enclosure:
        """An enclosure narrower than the last place of a float; [0, 0] of 0."""
        if self.sign() == 0:
            return Enclosure(Fraction(0), Fraction(0))
        bits = FIRST_BITS
        low, high = self.enclosure(bits)
        while low * high <= 0 or (high - low) * 2**60 > min(abs(low), abs(high)):
            bits *= 2
            low, high = self.enclosure(bits)
        return Enclosure(low, high)

    def sign(self) -> int:
        """-1, 0 or 1."""
        bits, least = FIRST_BITS, None
        while True:
            low, high = self.enclosure(bits)
            if low > 0:
                return 1
            if high < 0:
                return -1
            if bits >= 4 * FIRST_BITS:
                least = self._separation() if least is None else least
                if high - low < least:
                    return 0
            bits *= 2

    def _separation(self) -> Fraction:
        """A number that is at most |self|, unless that is 0: see the module."""
        roots = {root for monomial in self.terms for root, _ in monomial}
        whole = lcm(*(c.denominator for c in self.terms.values()))
        conjugates = 1
        for root in roots:
            power = max(p for monomial in self.terms for r, p in monomial if r is root)
            whole *= root.coefficients[-1] ** power
            conjugates *= root.degree
        size = Fraction(0)
        for monomial, coefficient in self.terms.items():
            term = abs(coefficient)
            for root, power in monomial:
                term *= root.bound**power
            size += term
        largest = max(1, -((-size * whole).__floor__()))
        return Fraction(1, largest ** (conjugates - 1) * whole)


def _terms(value: Any) -> dict[Monomial, Fraction] | None:
    if isinstance(value, Algebraic):
        return value.terms
    try:
        number = as_fraction(value)
    except NotRationalError:
        return None
    return {(): number} if number else {}


def _simplest(terms: dict[Monomial, Fraction]) -> Any:
    """A rational where no root is left, else an `Algebraic`."""
    left = {monomial: c for monomial, c in terms.items() if c}
    if left.keys() <= {()}:
        return rational(left.get((), Fraction(0)))
    return Algebraic(left)


def _product(one: Monomial, two: Monomial) -> Monomial:
    powers: dict[Root, int] = dict(one)
    for root, power in two:
        powers[root] = powers.get(root, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: item[0].coefficients))


def _reduced(monomial: Monomial) -> dict[Monomial, Fraction]:
    """The monomial with powers below the degree of each root's polynomial f, since f(r) = 0."""
    for root, power in monomial:
        if power >= root.degree:
            rest = tuple(pair for pair in monomial if pair[0] is not root)
            total: dict[Monomial, Fraction] = {}
            for k, c in enumerate(root.coefficients[:-1]):
                left = power - root.degree + k
                lower = _product(rest, ((root, left),) if left else ())
                for reduced, d in _reduced(lower).items():
                    share = d * Fraction(-c, root.coefficients[-1])
                    total[reduced] = total.get(reduced, Fraction(0)) + share
            return total
    return {monomial: Fraction(1)}


def _sign(value: Any) -> int:
    if isinstance(value, Algebraic):
        return value.sign()
    return int(value > 0) - int(value < 0)


def exact_value(value: Any) -> Fraction | Enclosure:
    """A rational as a Fraction; an algebraic number, or a real one of graphs.reals, as a narrow
    enclosure."""
    return value.narrow() if hasattr(value, "narrow") else as_fraction(value)


def value_to_json(value: Fraction | Enclosure) -> str | list[str]:
    """A rational as "p/q", an enclosure as its two ends."""
    return [str(end) for end in value] if isinstance(value, Enclosure) else str(value)
