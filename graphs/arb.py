"""Arb balls: real numbers with a bound on their error, at any precision.

An arithmetic of graphs.arithmetic on FLINT's `arb`, so the formula that a float64 trial evaluates
is evaluated here with as many bits as it takes. Every operation encloses the exact result for all
numbers in the operands' balls (F. Johansson, Arb: efficient arbitrary-precision midpoint-radius
interval arithmetic, IEEE Transactions on Computers 66(8), 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.algebraic import Enclosure
from graphs.arithmetic import Indices, ObjectArithmetic, as_fraction
from graphs.errors import PrecisionError

try:
    import flint
except ImportError:  # not on every machine: then `arb_balls` says so
    flint = None  # type: ignore[assignment]  # stands for "no module"

DIGITS = 9  # of the ends of an enclosure that is written down
SMALLEST = -200  # power of 10: a number below it is not told from 0


@contextmanager
def arb_balls(bits: int) -> Iterator[ArbBalls]:
    """The arithmetic at a precision, for as long as the context lasts: the precision of FLINT is
    that of the thread.

    Raises PrecisionError where python-flint is not installed.
    """
    if flint is None:
        raise PrecisionError(
            "python-flint is not installed, so there is no arithmetic beyond float64: "
            "pip install python-flint"
        )
    with flint.ctx.workprec(bits):
        yield ArbBalls()


class ArbBalls(ObjectArithmetic):
    """Arb balls as an arithmetic, at the precision of the context; see `arb_balls`."""

    name = "arb"
    exact = False

    def convert(self, value: Any) -> Any:
        if isinstance(value, flint.arb):
            return value
        fraction = as_fraction(value)
        return flint.arb(flint.fmpq(fraction.numerator, fraction.denominator))

    def is_negative(self, values: np.ndarray) -> np.ndarray:
        """Which numbers are certainly below 0."""
        return np.asarray(values < 0, dtype=bool)

    def may_be_zero(self, values: np.ndarray) -> np.ndarray:
        """Which balls contain 0."""
        return _each(values, lambda ball: ball.contains(0)).astype(bool)

    def slopes(
        self, vertices: Indices, z: np.ndarray, left: np.ndarray, right: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where z cannot be told from 0 and the slopes differ, a ball that holds both."""
        kinks = np.asarray(left != right, dtype=bool) & self.may_be_zero(z)
        slope = np.where(self.is_negative(z), left, right)
        both = np.frompyfunc(lambda a, b: a.union(b), 2, 1)(left, right)
        return np.where(kinks, both, slope), kinks

    def smooth(self, kind: str, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Value and derivative of tanh, softplus or sigmoid."""
        value, derivative = SMOOTH[kind]
        return _each(z, value), _each(z, derivative)

    def square_roots(self, squares: Sequence[Fraction]) -> np.ndarray:
        return _each(self.array([[square] for square in squares]), lambda x: x.sqrt())

    def maximum(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return np.asarray(np.frompyfunc(lambda a, b: a.max(b), 2, 1)(one, other))

    def loss_derivative(self, loss: Any, margins: np.ndarray) -> np.ndarray:
        """The derivative of the logistic or exponential loss of `numerics.losses`.

        Raises ValueError for another one.
        """
        if loss.name == "logistic":
            return -_each(-margins, _sigmoid)
        if loss.name == "exponential":
            return -_each(-margins, lambda x: x.exp())
        raise ValueError(f"loss {loss.name!r} has no enclosure here: use logistic or exponential")


def _each(values: np.ndarray, function: Any) -> np.ndarray:
    """The function of each entry of an object array."""
    return np.asarray(np.frompyfunc(function, 1, 1)(values), dtype=object)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + (-x).exp())


SMOOTH: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "tanh": (lambda x: x.tanh(), lambda x: 1 / x.cosh() ** 2),
    "sigmoid": (_sigmoid, lambda x: _sigmoid(x) * _sigmoid(-x)),
    "softplus": (lambda x: (1 + x.exp()).log(), _sigmoid),
}
"""Value and derivative of the smooth activations on balls."""


def enclosure_of(ball: Any) -> Enclosure:
    """Rational ends, decimal ones with a few digits, between which the numbers of a ball lie.

    They exclude 0 where the ball is narrow beside its distance from 0.
    """
    low, high = (_fraction(end) for end in (ball.lower(), ball.upper()))
    scale = Fraction(10) ** (DIGITS - _power_of_ten(ball.mid()))
    return Enclosure(
        Fraction((low * scale).__floor__() - 1) / scale,
        Fraction((high * scale).__ceil__() + 1) / scale,
    )


def _fraction(exact: Any) -> Fraction:
    """The number of a ball of radius 0."""
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _power_of_ten(exact: Any) -> int:
    """About the power of 10 that a number is the size of."""
    mantissa, exponent = exact.man_exp()
    return int((int(mantissa).bit_length() + int(exponent)) * 0.30103)


def excludes_zero(ball: Any) -> bool:
    """Whether a ball is finite and 0 lies outside, by more than 10^SMALLEST about."""
    if not ball.is_finite() or ball.contains(0):
        return False
    return _power_of_ten(ball.mid()) > SMALLEST
