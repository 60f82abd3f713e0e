"""Polynomials over the rationals, in named atoms, as dictionaries: sums and products, asked for."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .budget import Budget

Monomial = tuple[str, ...]  # the names of its atoms in order, one for each factor
Polynomial = dict[Monomial, Fraction]  # no coefficient is 0
Size = tuple[tuple[Monomial, Fraction], ...]  # one that cannot be changed, in order

ONE: Monomial = ()
EACH = 3_000  # work of one product of terms, about


def constant(value: Fraction | int) -> Polynomial:
    """A number."""
    return {ONE: Fraction(value)} if value else {}


def number_in(polynomial: Polynomial) -> Fraction | None:
    """The number that it is; None if it is none."""
    if not polynomial:
        return Fraction(0)
    return polynomial[ONE] if list(polynomial) == [ONE] else None


def plus(
    budget: Budget, one: Polynomial, other: Polynomial, factor: Fraction | int = 1
) -> Polynomial:
    """One polynomial and a multiple of another."""
    budget.steps(len(one) + len(other), 0, EACH)
    total = dict(one)
    for monomial, coefficient in other.items():
        budget.length(_bits(coefficient) + _bits(Fraction(factor)))
        total[monomial] = total.get(monomial, Fraction(0)) + factor * coefficient
        budget.length(_bits(total[monomial]))
        if not total[monomial]:
            del total[monomial]
    return total


def times(budget: Budget, one: Polynomial, other: Polynomial) -> Polynomial:
    """The product of two."""
    budget.steps(len(one) * len(other), 0, EACH)
    budget.items(len(one) * len(other))
    product: Polynomial = {}
    for x, a in one.items():
        for y, b in other.items():
            budget.operation(_bits(a), _bits(b))
            budget.items(len(x) + len(y))
            monomial = tuple(sorted((*x, *y)))
            product[monomial] = product.get(monomial, Fraction(0)) + a * b
            budget.length(_bits(product[monomial]))
    return {monomial: value for monomial, value in product.items() if value}


def total_of(budget: Budget, parts: Iterable[Polynomial]) -> Polynomial:
    """The sum of some."""
    total: Polynomial = {}
    for part in parts:
        total = plus(budget, total, part)
    return total


def size_of(polynomial: Polynomial) -> Size:
    """The same, not to be changed."""
    return tuple(sorted(polynomial.items()))


def _bits(number: Fraction) -> int:
    return number.numerator.bit_length() + number.denominator.bit_length()
