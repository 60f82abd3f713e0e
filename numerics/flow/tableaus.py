"""Embedded Runge-Kutta methods as tables of exact numbers, and as float64 arrays for the steppers.

Every method here ends with the velocity at the end of the step (its last ordinary stage), which is
the first of the next step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from numerics.flow.dop853 import (
    ERROR_OF_ORDER_5,
    INTERPOLANT,
    NODES,
    STAGES,
    WEIGHTS_OF_ORDER_3,
)

Row = tuple[Fraction, ...]

METHODS = ("dopri5", "dop853")
"""The names of the methods; the first is the default."""


class TableauArrays(NamedTuple):
    """A tableau in float64. S stages, E with those of the interpolant, degree D.

    a: (E, E); b, error, second_error: (E,), 0 behind the stages; c: (E,); balance: (S, S), the
    numbers b_i b_j - b_i a_ij - b_j a_ji, each rounded once; interpolant: (E, D), stage i weighs
    h * sum_p interpolant[i, p] x^(p + 1) at the place x of the step.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    error: np.ndarray
    second_error: np.ndarray
    balance: np.ndarray
    interpolant: np.ndarray
    stages: int
    extended: int
    order: int
    error_order: int


@dataclass(frozen=True)
class Tableau:
    """An embedded Runge-Kutta method.

    order: of the step; error_order: of the weaker solution that it is compared with, so that the
    error estimate falls as h^(error_order + 1); dense_order: of the interpolant. stages: those of
    a step, the velocity at its end included. a: rows by stage, those of the interpolant last; b:
    the weights; c: the nodes; error: b minus the weights of the weaker solution; second_error: the
    same for a still weaker one, where the method has two (the estimate then combines them), else
    empty; interpolant: for each stage the coefficients of x, x^2, ... in its weight.
    """

    name: str
    order: int
    error_order: int
    dense_order: int
    stages: int
    a: tuple[Row, ...]
    b: Row
    c: Row
    error: Row
    second_error: Row
    interpolant: tuple[Row, ...]

    def balance(self) -> tuple[Row, ...]:
        """(S, S): b_i b_j - b_i a_ij - b_j a_ji. In a step with stages w_i and velocities k_i a
        quadratic form Q changes by 2h sum_i b_i w_i^T Q k_i plus h^2 times the sum over i and j of
        this number times k_i^T Q k_j.
        """
        a, b, rows = self.a, self.b, range(self.stages)
        return tuple(
            tuple(b[i] * b[j] - b[i] * a[i][j] - b[j] * a[j][i] for j in rows) for i in rows
        )

    def arrays(self) -> TableauArrays:
        """The numbers, rounded to float64."""
        none = [Fraction(0)] * len(self.a)
        return TableauArrays(
            a=_floats(self.a),
            b=_floats(self.b),
            c=_floats(self.c),
            error=_floats(self.error),
            second_error=_floats(self.second_error or none),
            balance=_floats(self.balance()),
            interpolant=_floats(self.interpolant),
            stages=self.stages,
            extended=len(self.a),
            order=self.order,
            error_order=self.error_order,
        )


def _floats(numbers: Sequence) -> np.ndarray:
    return np.array(
        [[float(x) for x in row] if isinstance(row, tuple) else float(row) for row in numbers],
        dtype=np.float64,
    )


def _row(text: str, length: int) -> Row:
    numbers = [Fraction(word) for word in text.split()]
    return tuple(numbers + [Fraction(0)] * (length - len(numbers)))


def _sparse(entries: Mapping[int, str], length: int) -> Row:
    return tuple(Fraction(entries.get(i, "0")) for i in range(length))


@cache
def tableau(name: str) -> Tableau:
    """The method of that name.

    Raises ValueError for a name that is not in METHODS.
    """
    if name == "dopri5":
        return _dopri5()
    if name == "dop853":
        return _dop853()
    raise ValueError(f"method {name!r}: use one of {', '.join(METHODS)}")


@cache
def arrays_of(name: str) -> TableauArrays:
    """The arrays of the method of that name, made once."""
    return tableau(name).arrays()


def _dopri5() -> Tableau:
    """J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math.
    6 (1980); the interpolant of order 4 is that of L. F. Shampine, Some practical Runge-Kutta
    formulas, Math. Comp. 46 (1986).
    """
    rows = (
        "",
        "1/5",
        "3/40 9/40",
        "44/45 -56/15 32/9",
        "19372/6561 -25360/2187 64448/6561 -212/729",
        "9017/3168 -355/33 46732/5247 49/176 -5103/18656",
        "35/384 0 500/1113 125/192 -2187/6784 11/84",
    )
    interpolant = (
        "1 -8048581381/2820520608 8663915743/2820520608 -12715105075/11282082432",
        "0 0 0 0",
        "0 131558114200/32700410799 -68118460800/10900136933 87487479700/32700410799",
        "0 -1754552775/470086768 14199869525/1410260304 -10690763975/1880347072",
        "0 127303824393/49829197408 -318862633887/49829197408 701980252875/199316789632",
        "0 -282668133/205662961 2019193451/616988883 -1453857185/822651844",
        "0 40617522/29380423 -110615467/29380423 69997945/29380423",
    )
    return Tableau(
        name="dopri5",
        order=5,
        error_order=4,
        dense_order=4,
        stages=7,
        a=tuple(_row(text, 7) for text in rows),
        b=_row(rows[-1], 7),
        c=_row("0 1/5 3/10 4/5 8/9 1 1", 7),
        error=_row("71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40", 7),
        second_error=(),
        interpolant=tuple(_row(text, 4) for text in interpolant),
    )


def _dop853() -> Tableau:
    size = len(STAGES)
    a = tuple(_sparse(entries, size) for entries in STAGES)
    b, end = a[12], _sparse({12: "1"}, size)
    weaker = _sparse(WEIGHTS_OF_ORDER_3, size)
    upper = [_sparse(entries, size) for entries in INTERPOLANT]
    first = _sparse({0: "1"}, size)
    factors = [
        b,
        tuple(f - x for f, x in zip(first, b, strict=True)),
        tuple(2 * x - e - f for x, e, f in zip(b, end, first, strict=True)),
        *upper,
    ]
    return Tableau(
        name="dop853",
        order=8,
        error_order=7,
        dense_order=7,
        stages=13,
        a=a,
        b=b,
        c=tuple(Fraction(text) for text in NODES),
        error=_sparse(ERROR_OF_ORDER_5, size),
        second_error=tuple(x - y for x, y in zip(b, weaker, strict=True)),
        interpolant=tuple(_expanded([f[i] for f in factors]) for i in range(size)),
    )


def _expanded(nested: Sequence[Fraction]) -> Row:
    """The coefficients of x, x^2, ... in x (f_0 + (1 - x) (f_1 + x (f_2 + (1 - x) (f_3 + ...)))."""
    total = [Fraction(0)] * (len(nested) + 1)
    for depth in reversed(range(len(nested))):
        total[0] += nested[depth]
        shifted = [Fraction(0), *total[:-1]]
        if depth % 2 == 0:
            total = shifted
        else:
            total = [one - other for one, other in zip(total, shifted, strict=True)]
    return tuple(total[1:])
