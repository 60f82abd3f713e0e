"""Numbers that are polynomials over the rationals in symbols, in normal form, asked for.

A polynomial that is a number is an `int` or a `Fraction`, so a `Polynomial` is none: whatever would
have to be decided about it (its order, whether it is 0, what 1 divided by it is) raises `Open`.

With signs a weight is s a, where s is its sign, -1, 0 or 1, and a its absolute value. So s s s = s
and s s a = a; where no weight is 0, s s = 1. Products of such symbols have absolute values and
signs, of the same kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from .arithmetic import Arithmetic, rational, size
from .budget import Budget
from .outcomes import Declined
from .rates import Moving

Symbol = tuple[Any, ...]  # its kind, and the numbers of what it is of
Monomial = tuple[tuple[Symbol, int], ...]  # symbols in order, with exponents above 0
Terms = dict[Monomial, Fraction]

ONE: Monomial = ()
SIGN, SIZE = "sign", "size"  # the kinds of the two factors of a weight
MOST_DEGREE = 1_000
FACTOR = 2_500  # work for each symbol of a product of two terms, about


class Open(Declined):
    """Symbols do not tell: in one case it may be so, in another one not."""

    def __init__(self, asked: str) -> None:
        super().__init__(f"{asked} depends on the numbers for which the symbols stand")


@dataclass(frozen=True)
class Ring:
    """What polynomials are computed with. nonzero: whether no weight is 0."""

    budget: Budget
    nonzero: bool = False

    def symbol(self, kind: str, *of: int) -> Any:
        """A symbol as a number."""
        return Polynomial({(((kind, *of), 1),): Fraction(1)}, self)

    def made(self, terms: Mapping[Monomial, Fraction]) -> Any:
        """The number with these terms."""
        kept = {monomial: value for monomial, value in terms.items() if value}
        if kept.keys() <= {ONE}:
            number = kept.get(ONE, Fraction(0))
            return int(number) if number.denominator == 1 else number  # it may be an index
        return Polynomial(kept, self)

    def plus(self, one: Terms, other: Terms, factor: int = 1) -> Any:
        """One and a multiple of another."""
        self.budget.steps(len(one) + len(other), 0, FACTOR)
        self.budget.items(len(one) + len(other))
        total = dict(one)
        for monomial, value in other.items():
            found = total.get(monomial, Fraction(0))
            self.budget.operation(size(found), size(value))
            total[monomial] = found + factor * value
            self.budget.length(size(total[monomial]))
        return self.made(total)

    def times(self, one: Terms, other: Terms) -> Any:
        """The product."""
        self.budget.items(len(one) * len(other))
        product: Terms = {}
        for x, a in one.items():
            for y, b in other.items():
                self.budget.steps(1 + len(x) + len(y), 0, FACTOR)
                self.budget.length(size(a) + size(b))
                self.budget.operation(size(a), size(b))
                monomial = self._product(x, y)
                product[monomial] = product.get(monomial, Fraction(0)) + a * b
                self.budget.length(size(product[monomial]))
        return self.made(product)

    def _product(self, one: Monomial, other: Monomial) -> Monomial:
        exponents = dict(one)
        for symbol, exponent in other:
            exponents[symbol] = exponents.get(symbol, 0) + exponent
        if sum(exponents.values()) > MOST_DEGREE:
            raise Declined(f"a polynomial of a degree above {MOST_DEGREE}")
        return self._reduced(exponents)

    def _reduced(self, exponents: Mapping[Symbol, int]) -> Monomial:
        kept = dict(exponents)
        for symbol, exponent in exponents.items():
            if symbol[0] == SIGN:
                odd = exponent % 2
                free = self.nonzero or (SIZE, *symbol[1:]) in exponents  # s s counts as 1
                kept[symbol] = odd if odd or free else 2
        return tuple(sorted((symbol, exponent) for symbol, exponent in kept.items() if exponent))

    def over(self, one: Any, other: Any) -> Any:
        """What one number is of another, if that is above 0 and a product of absolute values, or a
        rational: tried with what a first term of the other may have become."""
        terms, others = _terms(one) or {}, _terms(other) or {}
        if len(terms) != len(others) or not others:
            return None
        first, value = min(others.items())
        for monomial, found in terms.items():
            apart = dict(monomial)
            for symbol, exponent in first:
                apart[symbol] = apart.get(symbol, 0) - exponent
            self.budget.steps(1 + len(apart), 0, FACTOR)
            sizes = all(e == 0 or (e > 0 and s[0] == SIZE) for s, e in apart.items())
            if found / value > 0 and sizes:
                part = {self._reduced({s: e for s, e in apart.items() if e}): found / value}
                if self.plus(_terms(self.times(part, others)) or {}, terms, -1) == 0:
                    return self.made(part)
        return None

    def sign(self, terms: Terms) -> Any:
        """-1, 0 or 1: of a product of weights, their signs and absolute values."""
        monomial, value = _of_weights(terms, "a sign")
        signs: dict[Symbol, int] = {}
        for (kind, *of), exponent in monomial:  # that of a is s s
            s = (SIGN, *of)
            signs[s] = signs.get(s, 0) + (exponent if kind == SIGN else 2)
        return self.made({self._reduced(signs): Fraction(1 if value > 0 else -1)})

    def size(self, terms: Terms) -> Any:
        """The absolute value, of the same."""
        monomial, value = _of_weights(terms, "an absolute value")
        sizes = {s: 2 if s[0] == SIGN else exponent for s, exponent in monomial}
        return self.made({self._reduced(sizes): abs(value)})


def _of_weights(terms: Terms, asked: str) -> tuple[Monomial, Fraction]:
    [(monomial, value), *more] = terms.items()
    if more or any(symbol[0] not in (SIGN, SIZE) for symbol, _ in monomial):
        raise Open(asked)
    return monomial, value


class Polynomial:
    """One that is no number; terms: the coefficients other than 0, by monomial."""

    __slots__ = ("ring", "terms")

    def __init__(self, terms: Terms, ring: Ring) -> None:
        self.terms, self.ring = terms, ring

    def __add__(self, other: Any) -> Any:
        terms = _terms(other)
        return NotImplemented if terms is None else self.ring.plus(self.terms, terms)

    def __sub__(self, other: Any) -> Any:
        terms = _terms(other)
        return NotImplemented if terms is None else self.ring.plus(self.terms, terms, -1)

    def __rsub__(self, other: Any) -> Any:
        terms = _terms(other)
        return NotImplemented if terms is None else self.ring.plus(terms, self.terms, -1)

    def __mul__(self, other: Any) -> Any:
        terms = _terms(other)
        return NotImplemented if terms is None else self.ring.times(self.terms, terms)

    def __neg__(self) -> Any:
        return self.ring.plus({}, self.terms, -1)

    def __truediv__(self, other: Any) -> Any:
        if not rational(other):
            raise Open("a quotient")
        return self.ring.times(self.terms, {ONE: 1 / Fraction(other)})

    def __abs__(self) -> Any:
        return self.ring.size(self.terms)

    __radd__ = __add__
    __rmul__ = __mul__
    __hash__ = None  # type: ignore[assignment]  # two of them are not told apart without a decision

    def _open(self, *others: Any) -> NoReturn:
        raise Open("a comparison or a function of numbers")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _open
    __bool__ = __mod__ = __rmod__ = __rtruediv__ = __pow__ = __rpow__ = _open
    __int__ = __index__ = __floor__ = __ceil__ = _open


def _terms(value: Any) -> Terms | None:
    """Those of a number; None of what is none."""
    if isinstance(value, Polynomial):
        return value.terms
    return {ONE: Fraction(value)} if rational(value) and value else {} if rational(value) else None


class Symbolic(Arithmetic):
    """Arithmetic on rationals and polynomials; nothing else is a number here."""

    def _spend(self, x: Any, y: Any) -> None:
        """Polynomials ask for themselves."""
        super()._spend(_numbers(x), _numbers(y))

    def sign(self, x: Any) -> Any:
        """-1, 0 or 1, or the symbols of it."""
        return x.ring.sign(x.terms) if isinstance(x, Polynomial) else super().sign(x)

    def compare(self, x: Any, y: Any) -> int:
        """The sign of x - y, where that is a number."""
        if not isinstance(x, Polynomial) and not isinstance(y, Polynomial):
            return super().compare(x, y)
        difference = x - y
        if not rational(difference):
            raise Open("a comparison")
        return super().sign(difference)

    def power(self, x: Any, exponent: Any) -> Any:
        """x to a power that is a whole number; from 0 on where x is a polynomial."""
        if not rational(exponent) or exponent.denominator != 1:
            raise Open("such a power")
        return super().power(x, exponent)

    def rising_factorial(self, x: Any, a: Any) -> Any:
        """x (x + 1) ... (x + a - 1), of a whole number a."""
        if not rational(a) or a.denominator != 1:
            raise Open("such a factorial")
        return super().rising_factorial(x, a)

    def _whole_power(self, x: Any, n: int) -> Any:
        if not isinstance(x, Polynomial):
            return super()._whole_power(x, n)
        if n < 0:
            raise Open("a quotient")
        if n > MOST_DEGREE:
            raise Declined(f"a polynomial of a degree above {MOST_DEGREE}")
        result: Any = x
        for _ in range(n - 1):
            result = self.mul(result, x)
        return result

    def _none(self, x: Any) -> NoReturn:
        raise Open("such a function of numbers")

    sqrt = log = exp = erfc = floor = ceil = _none


def _numbers(x: Any) -> Any:
    """What of a number has a size to be asked for."""
    if isinstance(x, Moving):
        return Moving(_numbers(x.value), _numbers(x.speed))
    return 0 if isinstance(x, Polynomial) else x
