"""The real roots of a polynomial on an interval, counted by Sturm's theorem."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import Any

from .arithmetic import Arithmetic, rational
from .matrices import Vector, whole_rows
from .outcomes import Declined, defined

Polynomial = list[int]  # the coefficients, the constant one first, the last one not 0


def root_count(run: Arithmetic, coefficients: Vector, low: Any, high: Any) -> int:
    """How many different roots the polynomial with these coefficients has from low to high."""
    if not all(map(rational, (*coefficients, low, high))):
        raise Declined("the roots of a polynomial with numbers that are not known to be rational")
    defined(any(coefficients))
    (p,), _ = whole_rows(run, [coefficients])
    p = _plain(run, p)
    chain = _chain(run, p)
    if len(chain[-1]) > 1:  # the same roots, each of them once
        chain = _chain(run, _plain(run, _divided(run, p, chain[-1])[0]))
    if low > high:
        return 0
    changes = []
    for t in (Fraction(low), Fraction(high)):
        signs = [sign for q in chain if (sign := _sign(run, q, t))]
        changes.append(sum(one != other for one, other in pairwise(signs)))
    return changes[0] - changes[1] + (_sign(run, p, Fraction(low)) == 0)


def _chain(run: Arithmetic, p: Polynomial) -> list[Polynomial]:
    """p, its derivative, and each time minus what is left of a division; the last one divides all
    of them. Each may be multiplied by a positive number."""
    chain, following = [p], _plain(run, [k * c for k, c in enumerate(p)][1:])
    while following:
        chain.append(following)
        following = _plain(run, [-c for c in _divided(run, chain[-2], chain[-1])[1]])
    return chain


def _divided(run: Arithmetic, p: Polynomial, q: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and rest of p by q, both times one positive number."""
    left, quotient = list(p), [0] * (len(p) - len(q) + 1)
    sign = 1 if q[-1] > 0 else -1
    for shift in reversed(range(len(quotient))):
        bits = _longest(left) + _longest(q)
        run.budget.length(bits)
        run.budget.steps(len(p) + len(q), bits, 200)
        top = sign * left[shift + len(q) - 1]
        quotient = [abs(q[-1]) * c for c in quotient]
        quotient[shift] = top
        left = [abs(q[-1]) * c for c in left]
        for k, c in enumerate(q):
            left[shift + k] -= top * c
    return quotient, left[: len(q) - 1]


def _plain(run: Arithmetic, p: Polynomial) -> Polynomial:
    """Without zeros at the end, over the greatest common divisor of the coefficients."""
    while p and p[-1] == 0:
        p = p[:-1]
    run.budget.steps(len(p), _longest(p))
    divisor = gcd(*p)
    return [c // divisor for c in p]


def _sign(run: Arithmetic, p: Polynomial, t: Fraction) -> int:
    """Of the value at t, times a power of the denominator."""
    bits = _longest(p) + len(p) * (t.numerator.bit_length() + t.denominator.bit_length())
    run.budget.length(bits)
    run.budget.steps(2 * len(p), bits, 200)
    total, power = 0, 1
    for c in reversed(p):
        total = total * t.numerator + c * power
        power *= t.denominator
    return (total > 0) - (total < 0)


def _longest(p: Polynomial) -> int:
    """The bits of the longest coefficient."""
    return max((c.bit_length() for c in p), default=0)
