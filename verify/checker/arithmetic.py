"""Arithmetic that asks its budget first: on rationals exact, on all else in enclosures.

A number is an `int`, a `Fraction`, an `Enclosure`, or a `Moving` one of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from .budget import Budget
from .enclosures import (
    LARGEST_EXPONENT,
    Enclosure,
    Number,
    Rational,
    exact_root,
    exponential,
    logarithm,
    square_root,
)
from .error_function import complementary_error, root_of_pi
from .factorials import ratio_of_gammas
from .outcomes import Declined, Undecided, defined
from .rates import Moving

GUARD = 32  # bits of an enclosure beyond the precision asked for
EXACT_POWER = 64  # numerator and denominator of an exponent up to which a power is tried exactly


def size(x: Any) -> int:
    """The bits of a number: of a rational those of numerator and denominator."""
    if isinstance(x, int):
        return x.bit_length() + 1
    if isinstance(x, Fraction):
        return x.numerator.bit_length() + x.denominator.bit_length()
    return 4 * x.bits if isinstance(x, Enclosure) else size(x.value) + size(x.speed)


def rational(x: Any) -> bool:
    """Whether a number is known to be rational."""
    return isinstance(x, (int, Fraction))


class Arithmetic:
    """Operations on numbers, in enclosures of one precision where they are not rational."""

    def __init__(self, budget: Budget, precision: int) -> None:
        self.budget, self.bits = budget, precision + GUARD

    def _spend(self, x: Any, y: Any) -> None:
        one = x.bit_length() + 1 if type(x) is int else size(x)
        other = y.bit_length() + 1 if type(y) is int else size(y)
        self.budget.operation(one, other)

    # the field
    def add(self, x: Any, y: Any) -> Any:
        """x + y."""
        self._spend(x, y)
        return x + y

    def sub(self, x: Any, y: Any) -> Any:
        """x - y."""
        self._spend(x, y)
        return x - y

    def mul(self, x: Any, y: Any) -> Any:
        """x y."""
        self._spend(x, y)
        return x * y

    def neg(self, x: Any) -> Any:
        """-x."""
        self._spend(x, 0)
        return -x

    def div(self, x: Any, y: Any) -> Any:
        """x / y."""
        if isinstance(x, Moving) or isinstance(y, Moving):
            return self.mul(x, self.power(y, -1))
        defined(bool(y))
        self._spend(x, y)
        return (Fraction(x) if isinstance(x, int) else x) / y

    def total(self, numbers: Iterable[Any]) -> Any:
        """Their sum."""
        result: Any = 0
        for number in numbers:
            result = self.add(result, number)
        return result

    def dot(self, xs: Iterable[Any], ys: Iterable[Any]) -> Any:
        """The sum of the products."""
        return self.total(self.mul(x, y) for x, y in zip(xs, ys, strict=True))

    def squares(self, numbers: Iterable[Any]) -> Any:
        """The sum of their squares."""
        return self.total(self.power(x, 2) for x in numbers)

    # order
    def sign(self, x: Any) -> int:
        """-1, 0 or 1."""
        found: int = x.sign() if isinstance(x, Enclosure) else (x > 0) - (x < 0)
        return found

    def compare(self, x: Any, y: Any) -> int:
        """The sign of x - y."""
        self.budget.steps(1, size(x) + size(y), 200)
        if x is y:
            return 0
        if isinstance(x, Enclosure) or isinstance(y, Enclosure):
            return self.sign(x - y)
        return int(x > y) - int(x < y)

    def extreme(self, x: Any, y: Any, wanted: int) -> Any:
        """The larger (1) or smaller (-1) of two, the first of equal ones; it has a value where they
        are not told apart as well."""
        try:
            return x if self.compare(x, y) * wanted >= 0 else y
        except Undecided:
            return x.extreme(y, wanted) if isinstance(x, Enclosure) else y.extreme(x, wanted)

    def floor(self, x: Any) -> int:
        """The largest whole number that is at most x."""
        return x.whole(floor) if isinstance(x, Enclosure) else floor(x)

    def ceil(self, x: Any) -> int:
        """The least whole number that is at least x."""
        return x.whole(ceil) if isinstance(x, Enclosure) else ceil(x)

    # functions
    def _function(self) -> None:
        """One more value of a function by its series."""
        self.budget.steps(self.bits // 2, 2 * self.bits)

    def sqrt(self, x: Any) -> Any:
        """The square root, defined from 0 on."""
        self._function()
        if isinstance(x, Enclosure):
            if x.high >= 0 > x.low:
                raise Undecided
            defined(x.low >= 0)
            return x.rising(lambda end, e: square_root(end, e, self.bits))
        defined(x >= 0)
        self.budget.steps(2, size(x))
        root = exact_root(x, 2)
        return square_root(x, 0, self.bits) if root is None else root

    def log(self, x: Any) -> Any:
        """The natural logarithm, defined above 0."""
        self._function()
        defined(self.sign(x) > 0)
        if isinstance(x, Enclosure):
            return x.rising(lambda end, e: logarithm(end, e, self.bits))
        self.budget.steps(8, size(x))
        return 0 if x == 1 else logarithm(x, 0, self.bits)

    def exp(self, x: Any) -> Any:
        """The exponential function."""
        self._function()
        self.budget.steps(2, size(x))
        return 1 if rational(x) and x == 0 else exponential(x, self.bits)

    def erfc(self, x: Any) -> Any:
        """The complementary error function."""
        self.budget.steps(4 * self.bits, 8 * self.bits)
        self.budget.steps(2, size(x))
        return 1 if rational(x) and x == 0 else complementary_error(x, self.bits)

    def rising_factorial(self, x: Any, a: Any) -> Any:
        """Gamma(x + a) / Gamma(x), defined where x and x + a are above 0."""
        end = self.add(x, a)
        defined(self.sign(x) > 0 and self.sign(end) > 0)
        if not rational(a) or a.denominator > 1:
            self.budget.steps(4 * self.bits, 4 * self.bits)
            return ratio_of_gammas(end, x, self.bits)
        result: Any = 1
        for k in range(abs(int(a))):
            result = self.mul(result, self.add(x if a > 0 else end, k))
        return result if a >= 0 else self.div(1, result)

    def power(self, x: Any, exponent: Any) -> Any:
        """x to a power, as the page defines it."""
        if isinstance(x, Moving):
            return self._moving_power(x, int(exponent))
        if rational(exponent):
            if exponent == 0:
                return 1
            if exponent.denominator == 1:
                return self._whole_power(x, int(exponent))
        sign = self.sign(x)
        if sign < 0 and not rational(exponent):
            exponent.whole(_no_whole)  # a whole number or not: that must be decided
        defined(sign >= 0)
        if sign == 0:
            defined(self.sign(exponent) > 0)
            return 0
        if rational(x) and rational(exponent):
            exact = self._exact_power(x, exponent)
            if exact is not None:
                return exact
        return self.exp(self.mul(self.log(x), exponent))

    def _whole_power(self, x: Any, n: int) -> Any:
        if n < 0:
            defined(self.sign(x) != 0)
            return self.div(1, self._whole_power(x, -n))
        if isinstance(x, Enclosure):
            if n.bit_length() > LARGEST_EXPONENT:
                raise Declined(f"a power with an exponent above 2^{LARGEST_EXPONENT}")
            self.budget.steps(2 * n.bit_length(), 4 * size(x))
            return x**n
        if x in (0, 1):
            return x
        if x == -1:
            return 1 if n % 2 == 0 else -1
        self.budget.length(n * size(x))
        self.budget.steps(2, n * size(x))
        return x**n

    def _exact_power(self, x: Rational, exponent: Fraction) -> Rational | None:
        """A power that is rational, if the exponent is short."""
        if max(abs(exponent.numerator), exponent.denominator) > EXACT_POWER:
            return None
        self.budget.steps(8 + size(x) // exponent.denominator, 3 * size(x))
        root = exact_root(x, exponent.denominator)
        power = None if root is None else self._whole_power(root, exponent.numerator)
        return power if power is None or isinstance(power, int | Fraction) else None

    def _moving_power(self, x: Moving, n: int) -> Moving:
        if n == 0:
            return Moving(1, 0)
        slope = self.mul(n, self.power(x.value, n - 1))
        return Moving(self.power(x.value, n), self.mul(slope, x.speed))

    # what is made of them
    def rising(self, name: str, x: Any) -> Any:
        """exp, log, erfc or a smooth activation, of a number that may move."""
        z = x.value if isinstance(x, Moving) else x
        if name in ("exp", "log"):
            found = self.exp(z) if name == "exp" else self.log(z)
            slope = found if name == "exp" else self.div(1, z)
        elif name == "erfc":
            found = self.erfc(z)
            below = self.exp(self.neg(self.power(z, 2)))
            slope = self.div(self.mul(-2, below), root_of_pi(self.bits))
        else:
            found, slope = self.smooth(name, z)
        return Moving(found, self.mul(slope, x.speed)) if isinstance(x, Moving) else found

    def smooth(self, kind: str, z: Number) -> tuple[Any, Any]:
        """tanh, sigmoid or softplus of a number, and the slope there."""
        scale = 2 if kind == "tanh" else 1  # tanh(z) is 2 sigmoid(2 z) - 1
        value, other = self._sigmoid(self.mul(scale, z)), self._sigmoid(self.mul(-scale, z))
        if kind == "softplus":
            return self.log(self.add(1, self.exp(z))), value
        slope = self.mul(scale * scale, self.mul(value, other))
        return self.sub(self.mul(scale, value), scale - 1), slope

    def _sigmoid(self, z: Number) -> Any:
        return self.div(1, self.add(1, self.exp(self.neg(z))))


def _no_whole(x: Fraction) -> int:
    """What only numbers between the same two whole ones have in common."""
    if x.denominator == 1:
        raise Undecided
    return floor(x)
