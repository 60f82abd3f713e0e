"""Real numbers by enclosures that are narrowed on demand: logarithms, powers, singular values,
smooth activations.

A `Real` is what a formula over the rationals becomes where it leaves them. It keeps how it is
computed, and is evaluated in Arb balls (graphs.arb) with as many bits as a comparison asks for. A
sign is told as soon as a ball excludes 0. A number that no precision up to `LAST` tells from 0
compares as 0: nothing is refuted by that, since a violation is a sign that was told.

What is rational stays rational: log 1, the square root of a square, a pseudo-determinant squared.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import total_ordering
from math import isqrt
from typing import Any

import numpy as np

from graphs.algebraic import Algebraic, Enclosure
from graphs.arb import SMOOTH, enclosure_of
from graphs.arithmetic import as_fraction, rational
from graphs.errors import NotRationalError, PrecisionError
from graphs.matrices import characteristic_polynomial, column_basis, inverse

try:
    import flint
except ImportError:  # not on every machine: then `Real` says so
    flint = None  # type: ignore[assignment]  # stands for "no module"

FIRST, LAST = 64, 2048  # bits
_RATIONALS = (int, Fraction) if flint is None else (int, Fraction, flint.fmpq)
Ball = Any  # flint.arb
Evaluate = Callable[[int], Ball]


@total_ordering
class Real:
    """A real number. evaluate: a ball that holds it, computed with so many bits. parts: the real
    numbers whose balls that asks for.

    Supports + - * / with its like and with rationals, abs, comparisons, float.
    """

    __hash__ = None  # type: ignore[assignment]  # equality is not decided by a hash
    __slots__ = ("_balls", "_evaluate", "_parts", "_sign")

    def __init__(self, evaluate: Evaluate, *parts: Real) -> None:
        if flint is None:
            raise PrecisionError(
                "python-flint is not installed, so there are no enclosures beyond float64: "
                "pip install python-flint"
            )
        self._evaluate, self._parts = evaluate, parts
        self._balls: dict[int, Ball] = {}
        self._sign: int | None = None

    def ball(self, bits: int) -> Ball:
        """A ball that holds the number, computed with so many bits: first those of its parts, which
        may be made of many others."""
        waiting = [self]
        while bits not in self._balls:
            missing = [part for part in waiting[-1]._parts if bits not in part._balls]
            if missing:
                waiting += missing
                continue
            ready = waiting.pop()
            with flint.ctx.workprec(bits):
                ready._balls[bits] = ready._evaluate(bits)
        return self._balls[bits]

    def sign(self) -> int:
        """-1 or 1 where a precision tells it, else 0."""
        if self._sign is None:
            self._sign = 0
            bits = FIRST
            while bits <= LAST:
                ball = self.ball(bits)
                if not ball.contains(0):  # so it is finite
                    self._sign = 1 if ball > 0 else -1
                    break
                bits *= 2
        return self._sign

    # arithmetic ----------------------------------------------------------------------------------
    def __add__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, _RATIONALS[1:]) and other == 0:
            return other
        return _combined(self, other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return _combined(self, other, lambda a, b: b / a)

    def __neg__(self) -> Real:
        return Real(lambda bits: -self.ball(bits), self)

    def __abs__(self) -> Real:
        return Real(lambda bits: abs(self.ball(bits)), self)

    def __pow__(self, exponent: int) -> Real:
        return Real(lambda bits: self.ball(bits) ** exponent, self)

    # comparison ----------------------------------------------------------------------------------
    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        difference = _combined(self, other, lambda a, b: a - b)
        return difference is not NotImplemented and difference.sign() == 0

    def __lt__(self, other: Any) -> bool:
        difference = _combined(self, other, lambda a, b: a - b)
        return NotImplemented if difference is NotImplemented else difference.sign() < 0

    def __bool__(self) -> bool:
        return self.sign() != 0

    def __float__(self) -> float:
        bits = FIRST
        while bits < LAST and self.ball(bits).rel_accuracy_bits() < 53:  # the sign, too, is right
            bits *= 2
        return float(self.ball(bits).mid())

    def __repr__(self) -> str:
        return f"Real(about {float(self):.12g})"

    def floor(self) -> int:
        """The largest whole number that is not above; one that no precision up to `LAST` tells
        from it counts as equal. Raises NotRationalError where the number is too large."""
        bits = FIRST
        while bits <= LAST:
            ball = self.ball(bits)
            with flint.ctx.workprec(bits):
                found = ball.floor().unique_fmpz()
            if found is not None:
                return int(found)
            bits *= 2
        with flint.ctx.workprec(LAST):
            nearest = (ball + flint.arb(0.5)).floor().unique_fmpz()
        if nearest is None:
            raise NotRationalError(f"the whole part of {self!r} is not told with {LAST} bits")
        return int(nearest)

    def narrow(self) -> Enclosure:
        """A narrow enclosure with decimal ends that excludes 0, where a precision tells it from 0;
        else an enclosure of 0."""
        bits = FIRST
        while bits <= LAST:
            ball = self.ball(bits)
            if not ball.contains(0) and ball.rel_accuracy_bits() > 50:
                return enclosure_of(ball)
            bits *= 2
        return enclosure_of(self.ball(LAST))


def _ball_of(value: Any) -> Evaluate | None:
    """How a number of any kind is evaluated; None for what is no number."""
    if isinstance(value, Real):
        return value.ball
    if isinstance(value, Algebraic):
        return lambda bits: _between(value.enclosure(bits))
    if not isinstance(value, _RATIONALS):
        return None
    number = rational(value)
    return lambda bits: flint.arb(number)


def _between(ends: Enclosure) -> Ball:
    low, high = (flint.arb(flint.fmpq(e.numerator, e.denominator)) for e in ends)
    return low.union(high)


def _combined(one: Real, other: object, operation: Callable[[Ball, Ball], Ball]) -> Any:
    theirs = _ball_of(other)
    if theirs is None:
        return NotImplemented
    parts = (one, other) if isinstance(other, Real) else (one,)
    return Real(lambda bits: operation(one.ball(bits), theirs(bits)), *parts)


def real(value: Any) -> Real:
    """A rational or algebraic number as a `Real`."""
    evaluate = _ball_of(value)
    if evaluate is None:
        raise NotRationalError(f"{value!r} is not a real number")
    return value if isinstance(value, Real) else Real(evaluate)


def _is_rational(value: Any) -> bool:
    return not isinstance(value, Real | Algebraic)


def told(value: Any) -> bool:
    """Whether it is known of a number if it is 0: no precision may tell."""
    return not isinstance(value, Real) or value.sign() != 0


def larger(one: Any, other: Any) -> Any:
    """The larger of two numbers, where nothing has to be told: an enclosure of the maximum."""
    if _is_rational(one) and _is_rational(other):
        return max(one, other)
    first, second = real(one), real(other)
    return Real(lambda bits: first.ball(bits).max(second.ball(bits)), first, second)


# functions --------------------------------------------------------------------------------------
AT_ZERO: dict[str, tuple[Fraction | None, Fraction]] = {
    "tanh": (Fraction(0), Fraction(1)),
    "sigmoid": (Fraction(1, 2), Fraction(1, 4)),
    "softplus": (None, Fraction(1, 2)),
}
"""Values and derivatives at 0; that of softplus is log 2."""


def log(value: Any) -> Any:
    """The natural logarithm; of 1 the rational 0. Not finite where the number may be 0 or less."""
    if _is_rational(value) and value == 1:
        return rational(0)
    number = real(value)
    return Real(lambda bits: number.ball(bits).log(), number)


def gamma_ratio(above: Any, below: Any) -> Any:
    """Gamma at one number over Gamma at another, both above 0."""
    one, other = real(above), real(below)
    return Real(
        lambda bits: (one.ball(bits).lgamma() - other.ball(bits).lgamma()).exp(), one, other
    )


def exp(value: Any) -> Any:
    """The exponential; of 0 the rational 1."""
    if _is_rational(value) and value == 0:
        return rational(1)
    number = real(value)
    return Real(lambda bits: number.ball(bits).exp(), number)


def erfc(value: Any) -> Any:
    """The complementary error function; of 0 the rational 1."""
    if _is_rational(value) and value == 0:
        return rational(1)
    number = real(value)
    return Real(lambda bits: number.ball(bits).erfc(), number)


def smooth(kind: str, value: Any) -> tuple[Any, Any]:
    """Value and derivative of a smooth activation, tanh, sigmoid or softplus, at a number; rational
    at 0 where they are."""
    if _is_rational(value) and value == 0:
        at_zero, slope = AT_ZERO[kind]
        return log(rational(2)) if at_zero is None else rational(at_zero), rational(slope)
    number = real(value)
    first, second = SMOOTH[kind]
    return (
        Real(lambda bits: first(number.ball(bits)), number),
        Real(lambda bits: second(number.ball(bits)), number),
    )


def sqrt(value: Any) -> Any:
    """The square root; rational where that is."""
    return power(value, Fraction(1, 2))


def power(value: Any, exponent: Fraction) -> Any:
    """A number of at least 0 to a rational power; rational where that is. 0 to the power 0 is 1."""
    exponent = Fraction(exponent)
    if exponent == 0:
        return rational(1)
    if _is_rational(value):
        fraction = as_fraction(value)
        if fraction == 0 and exponent > 0:
            return rational(0)
        plain = _exact_root(fraction, exponent.denominator) if fraction > 0 else None
        if plain is not None and abs(exponent.numerator) <= 64:
            return rational(plain**exponent.numerator)
    number = real(value)
    if exponent == Fraction(1, 2):
        return Real(lambda bits: number.ball(bits).sqrt(), number)
    share = flint.fmpq(exponent.numerator, exponent.denominator)
    return Real(lambda bits: (number.ball(bits).log() * share).exp(), number)


def _exact_root(value: Fraction, degree: int) -> Fraction | None:
    """The root of a positive rational, if it is rational."""
    parts = [_integer_root(part, degree) for part in (value.numerator, value.denominator)]
    if None in parts:
        return None
    return Fraction(parts[0] or 0, parts[1] or 1)


def _integer_root(value: int, degree: int) -> int | None:
    if degree == 1:
        return value
    if degree == 2:
        root = isqrt(value)
    elif value.bit_length() <= degree:
        root = 1
    else:
        root, last = 1 << -(-value.bit_length() // degree), 0
        while root != last:  # Newton's method from above
            last = root
            root = min(root, ((degree - 1) * root + value // root ** (degree - 1)) // degree)
    return root if root**degree == value else None


# matrices over the rationals ----------------------------------------------------------------------
def squared_singular_values(matrix: np.ndarray) -> list[Any]:
    """The squares of the non-zero singular values of a matrix of rationals, the largest first and
    with multiplicity; rational ones as rationals. There are as many as the exact rank."""
    return eigenvalues_of_gram(_small_gram(matrix))


def _small_gram(matrix: np.ndarray) -> np.ndarray:
    rows, columns = matrix.shape
    return np.asarray(matrix @ matrix.T if rows <= columns else matrix.T @ matrix)


def eigenvalues_of_gram(gram: np.ndarray) -> list[Any]:
    """The non-zero eigenvalues of a positive semidefinite matrix of rationals, likewise."""
    coefficients = characteristic_polynomial(gram)
    lowest = next(k for k, c in enumerate(coefficients) if c != 0)
    found: list[Any] = []
    polynomial = flint.fmpq_poly([rational(c) for c in coefficients[lowest:]])
    _, factors = polynomial.factor()
    for factor, multiplicity in factors:
        found += [root for root in _positive_roots(factor) for _ in range(multiplicity)]
    return sorted(found, key=lambda value: -float(value))


def _positive_roots(factor: Any) -> list[Any]:
    """The roots of an irreducible polynomial, all of them real and positive."""
    degree = factor.degree()
    if degree == 1:
        root = -factor[0] / factor[1]
        return [rational(Fraction(int(root.p), int(root.q)))]
    known: dict[int, list[Ball]] = {}

    def roots(bits: int) -> list[Ball]:
        if bits not in known:
            balls = [root.real for root, _ in factor.complex_roots()]
            known[bits] = sorted(balls, key=lambda ball: -float(ball.mid()))
        return known[bits]

    def one_of(place: int) -> Real:
        return Real(lambda bits: roots(bits)[place])

    return [one_of(place) for place in range(degree)]


def pseudo_determinant_squared(matrix: np.ndarray) -> Any:
    """The product of the squares of the non-zero singular values of a matrix of rationals, exactly:
    the sum of the squares of its minors of the size of its rank. Of a matrix 0 it is 1."""
    coefficients = characteristic_polynomial(_small_gram(matrix))
    lowest = next(c for c in coefficients if c != 0)
    return abs(lowest)


def singular_values(matrix: np.ndarray) -> list[Any]:
    """The non-zero singular values of a matrix of rationals, the largest first."""
    return [sqrt(value) for value in squared_singular_values(matrix)]


def largest_singular_value(matrix: np.ndarray) -> Any:
    """Of a matrix of rationals or other real numbers. The latter are rounded to rationals, which
    moves no singular value further than the norm of the difference (Weyl)."""
    if all(map(_is_rational, matrix.reshape(-1))):
        return next(iter(singular_values(matrix)), rational(0))
    entries = [real(entry) for entry in matrix.reshape(-1)]

    def enclosed(bits: int) -> Ball:
        balls = [entry.ball(bits) for entry in entries]
        rounded = np.array([ball.mid().fmpq() for ball in balls], dtype=object)
        found = real(largest_singular_value(rounded.reshape(matrix.shape))).ball(bits)
        return found + flint.arb(0, sum((ball.rad() for ball in balls), flint.arb(0)))

    return Real(enclosed, *entries)


def image_projection(matrix: np.ndarray) -> np.ndarray:
    """(n, n): the orthogonal projection to the image of a matrix (n, m) of rationals."""
    basis = column_basis(matrix)
    size = len(matrix)
    if basis.shape[1] == 0:
        return np.full((size, size), rational(0), dtype=object)
    return np.asarray(basis @ inverse(basis.T @ basis) @ basis.T)


def pseudo_inverse(matrix: np.ndarray) -> np.ndarray:
    """(m, n): the Moore-Penrose inverse of a matrix (n, m) of rationals.

    By a full-rank factorisation A = B C: A^+ = C^T (C C^T)^-1 (B^T B)^-1 B^T.
    """
    basis = column_basis(matrix)
    rows, columns = matrix.shape
    if basis.shape[1] == 0:
        return np.full((columns, rows), rational(0), dtype=object)
    left = inverse(basis.T @ basis) @ basis.T
    rest = left @ matrix
    return np.asarray(rest.T @ inverse(rest @ rest.T) @ left)
