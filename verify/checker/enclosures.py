"""Real numbers that are not known to be rational: two ends between which they lie, and the
elementary functions. Every operation rounds the lower end down and the upper end up."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import isqrt, ldexp

from .outcomes import Declined, Undecided

LARGEST_EXPONENT = 64  # exp and powers are taken of numbers below 2 to this power

BEYOND = 2**80  # exponents of 2

Rational = int | Fraction


class Enclosure:
    """A number between low and high, both in units of 2^exponent, kept to about so many bits.

    A comparison holds of the number itself, or is Undecided.
    """

    __slots__ = ("bits", "exponent", "high", "low")

    def __init__(self, low: int, high: int, exponent: int, bits: int) -> None:
        excess = max(low.bit_length(), high.bit_length()) - bits
        if excess > 0:
            low, high, exponent = low >> excess, -(-high >> excess), exponent + excess
        if not -BEYOND < exponent < BEYOND:
            raise Declined("a number is too large or too close to 0")
        self.low, self.high, self.exponent, self.bits = low, high, exponent, bits

    @staticmethod
    def of(x: Rational, bits: int) -> Enclosure:
        """A rational."""
        shift = bits + x.denominator.bit_length() - x.numerator.bit_length()
        above, below = x.numerator << max(shift, 0), x.denominator << max(-shift, 0)
        return Enclosure(above // below, -(-above // below), -shift, bits)

    # arithmetic
    def __add__(self, other: Number) -> Enclosure:
        if not isinstance(other, Enclosure | Rational):
            return NotImplemented
        low, high, low2, high2, exponent = self._aligned(self._lift(other))
        return Enclosure(low + low2, high + high2, exponent, self.bits)

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.high, -self.low, self.exponent, self.bits)

    def __sub__(self, other: Number) -> Enclosure:
        return self + -other

    def __rsub__(self, other: Rational) -> Enclosure:
        return -self + other

    def __mul__(self, other: Number) -> Number:
        if not isinstance(other, Enclosure | Rational):
            return NotImplemented
        if isinstance(other, Rational) and other == 0:
            return 0
        second = self._lift(other)
        ends = [a * b for a in (self.low, self.high) for b in (second.low, second.high)]
        return Enclosure(min(ends), max(ends), self.exponent + second.exponent, self.bits)

    def __truediv__(self, other: Number) -> Number:
        """Of a divisor that is not 0."""
        return self * self._lift(other)._inverse()

    def __rtruediv__(self, other: Rational) -> Number:
        return self._inverse() * other

    __radd__ = __add__
    __rmul__ = __mul__

    def _inverse(self) -> Enclosure:
        if self.sign() < 0:
            return -(-self)._inverse()
        size = self.bits + self.high.bit_length()
        unit = 1 << size
        return Enclosure(unit // self.high, -(-unit // self.low), -size - self.exponent, self.bits)

    def __abs__(self) -> Enclosure:
        if self.low < 0 < self.high:
            return Enclosure(0, max(-self.low, self.high), self.exponent, self.bits)
        return -self if self.high <= 0 else self

    def __pow__(self, power: int) -> Enclosure:
        """To a power above 0, by repeated squaring."""
        result: Enclosure | None = None
        for digit in bin(power)[2:]:
            if result is not None:
                size = abs(result)
                result = Enclosure(size.low**2, size.high**2, 2 * size.exponent, self.bits)
            if digit == "1":
                product = self if result is None else result * self
                assert isinstance(product, Enclosure)
                result = product
        assert result is not None
        return result

    # order
    def sign(self) -> int:
        """-1, 0 or 1."""
        if self.low <= 0 <= self.high and (self.low or self.high):
            raise Undecided
        return (self.low > 0) - (self.high < 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Enclosure | Rational):
            return NotImplemented
        return self is other or (self - other).sign() == 0

    def __lt__(self, other: Number) -> bool:
        return (self - other).sign() < 0

    def __gt__(self, other: Number) -> bool:
        return (self - other).sign() > 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    __hash__ = None  # type: ignore[assignment]  # equal numbers may have different enclosures

    # ends
    def _lift(self, other: Number) -> Enclosure:
        return other if isinstance(other, Enclosure) else Enclosure.of(other, self.bits)

    @property
    def length(self) -> int:
        """The number lies below 2^length in size."""
        return self.exponent + max(self.low.bit_length(), self.high.bit_length())

    def _at(self, exponent: int) -> tuple[int, int]:
        """The ends in units of 2^exponent."""
        shift = self.exponent - exponent
        if shift >= 0:
            return self.low << shift, self.high << shift
        return self.low >> -shift, -(-self.high >> -shift)

    def _aligned(self, other: Enclosure) -> tuple[int, int, int, int, int]:
        """The ends of both in one unit, and its exponent."""
        tops = [number.length for number in (self, other) if number.low or number.high]
        least = max(tops, default=0) - 2 * self.bits
        exponent = max(min(self.exponent, other.exponent), least)
        return *self._at(exponent), *other._at(exponent), exponent

    def hull(self, other: Enclosure) -> Enclosure:
        """From the lower end of this one to the upper end of the other."""
        low, _, _, high, exponent = self._aligned(other)
        return Enclosure(low, high, exponent, self.bits)

    def extreme(self, other: Number, wanted: int) -> Enclosure:
        """What holds the larger (1) or smaller (-1) of two numbers, whichever that is."""
        pick = max if wanted > 0 else min
        low, high, other_low, other_high, exponent = self._aligned(self._lift(other))
        return Enclosure(pick(low, other_low), pick(high, other_high), exponent, self.bits)

    def rising(self, function: Callable[[Rational, int], Enclosure]) -> Enclosure:
        """The values of an increasing function of a rational times a power of 2."""
        return function(self.low, self.exponent).hull(function(self.high, self.exponent))

    def not_negative(self) -> Enclosure:
        """The same number, which is known to be at least 0."""
        return Enclosure(max(self.low, 0), self.high, self.exponent, self.bits)

    def units(self, places: int) -> tuple[int, int]:
        """The ends in units of 2^-places, as whole numbers that may be long."""
        return self._at(-places)

    def whole(self, rounded: Callable[[Fraction], int]) -> int:
        """The number rounded to a whole one."""
        if self.length > LONGEST:
            raise Declined("a number is rounded that is too large")
        low, high = self.units(self.bits)
        ends = {rounded(Fraction(end, 1 << self.bits)) for end in (low, high)}
        if len(ends) > 1:
            raise Undecided
        return ends.pop()

    def within(self, low: Rational, high: Rational) -> bool:
        """Whether the number lies between two rationals."""
        return (self - low).sign() >= 0 and (self - high).sign() <= 0

    def __str__(self) -> str:
        middle, length = self.low + self.high, max(self.low.bit_length(), self.high.bit_length())
        if abs(self.exponent + length) > 900:
            return f"about 2^{self.exponent + length}"
        cut = max(0, middle.bit_length() - 100)
        return f"about {ldexp(float(middle >> cut), self.exponent + cut - 1):.10g}"


Number = int | Fraction | Enclosure
LONGEST = 200_000  # bits


def square_root(x: Rational, exponent: int, bits: int) -> Enclosure:
    """The root of x 2^exponent, of at least 0."""
    shift = 2 * bits + x.denominator.bit_length() - x.numerator.bit_length()
    shift += (exponent - shift) % 2
    root = isqrt((x.numerator << max(shift, 0)) // (x.denominator << max(-shift, 0)))
    return Enclosure(root, root + 1 if x else 0, (exponent - shift) // 2, bits)


def exact_root(x: Rational, degree: int) -> Rational | None:
    """The root of a rational that is not negative, if it is rational."""
    top, bottom = _integer_root(x.numerator, degree), _integer_root(x.denominator, degree)
    exact = top**degree == x.numerator and bottom**degree == x.denominator
    return Fraction(top, bottom) if exact else None


def _integer_root(number: int, degree: int) -> int:
    """The largest integer whose power of that degree is at most the number."""
    if degree == 1 or number == 0:
        return number
    if number.bit_length() <= degree:
        return 1
    if degree == 2:
        return isqrt(number)
    root = 1 << -(-number.bit_length() // degree)  # above the root; Newton's method falls to it
    while True:
        following = ((degree - 1) * root + number // root ** (degree - 1)) // degree
        if following >= root:
            return root
        root = following


def logarithm(x: Rational, exponent: int, bits: int) -> Enclosure:
    """The logarithm of x 2^exponent, above 0: k log 2 + log m with m in [2/3, 4/3]."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    m = Fraction(x) / Fraction(2) ** k
    if 3 * m > 4:
        m, k = m / 2, k + 1
    elif 3 * m < 2:
        m, k = m * 2, k - 1
    y = (m - 1) / (m + 1)  # at most 1/5 in size
    part: Enclosure | int = _atanh(abs(y), bits) if y else 0
    part = -part if y < 0 else part
    result = _log2(bits) * (k + exponent) + part * 2
    return result if isinstance(result, Enclosure) else Enclosure.of(result, bits)


@cache
def _log2(bits: int) -> Enclosure:
    half = _atanh(Fraction(1, 3), bits)
    return half + half


def _atanh(y: Fraction, bits: int) -> Enclosure:
    """log((1 + y) / (1 - y)) / 2 for y in (0, 1/3]: the sum of y^k / k over odd k.

    Each term is at most 1/9 of the one before, so those left out are together at most twice the
    first of them.
    """
    places = bits + 16 + y.denominator.bit_length() - y.numerator.bit_length()
    ends = []
    for up in (False, True):
        t = _over(y.numerator << places, y.denominator, up)
        power, total, k = t, 0, 1
        while power > 1:
            total += _over(power, k, up)
            power = _over(power * t * t, 1 << 2 * places, up)
            k += 2
        ends.append(total + 2 * power if up else total)
    return Enclosure(ends[0], ends[1], -places, bits)


def exponential(x: Number, bits: int) -> Enclosure:
    """exp(x) = 2^k exp(r) with x = k log 2 + r."""
    whole = x.length if isinstance(x, Enclosure) else _length(x)
    if whole > LARGEST_EXPONENT:
        raise Declined(f"exp of a number above 2^{LARGEST_EXPONENT} in size")
    places = bits + 32 + max(0, whole)
    if isinstance(x, Enclosure):
        low, high = x.units(places)
    else:
        shifted = x.numerator << places
        low, high = shifted // x.denominator, -(-shifted // x.denominator)
    unit = _log2(places + 8).units(places)
    return _exp_end(low, places, unit, bits).hull(_exp_end(high, places, unit, bits))


def _exp_end(x: int, places: int, log2: tuple[int, int], bits: int) -> Enclosure:
    """exp of x 2^-places, by the series of exp(r) for r between 0 and 3/2.

    From the third on each term is at most half of the one before, so those left out are together
    at most twice the first of them.
    """
    k = x // log2[0]
    ends = sorted((x - k * log2[0], x - k * log2[1]))
    if ends[0] < 0:
        k -= 1
        ends = sorted((x - k * log2[0], x - k * log2[1]))
    sums = []
    for up, r in zip((False, True), ends, strict=True):
        term, total, n = 1 << places, 0, 0
        while term > 1 or n < 3:
            total += term
            n += 1
            term = _over(term * r, n << places, up)
        sums.append(total + 2 * term if up else total)
    return Enclosure(sums[0], sums[1], k - places, bits)


def _length(x: Rational) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length() + 1


def _over(numerator: int, denominator: int, up: bool) -> int:
    """The quotient, rounded up or down."""
    return -(-numerator // denominator) if up else numerator // denominator
