"""Quadratic laws as matrices: the form Q with d/dt Q(w) = the measure of a law, read off exactly.

The measure of a quadratic law is bilinear in weights and velocities, B(w, v) = sum C_ab w_a v_b.
One exact evaluation at w_a = N^a and v_b = N^(P b), for P parameters and a large N, has all
coefficients of an entry as the digits of one number (Kronecker's substitution). Where C is
symmetric, B is the rate of change of Q(w) = 1/2 sum C_ab w_a w_b.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.network import FIXED
from verify.cases.case import Case
from verify.cases.scenes import FreeScene
from verify.core.claim import Claim
from verify.core.losses import PRESCRIBED
from verify.language.expanding import expansion
from verify.language.statements import Statement

DIGIT = np.dtype("<i4")
BITS = 8 * DIGIT.itemsize
LARGEST = 2 ** (BITS - 2)  # a coefficient of this size or more could carry into the next digit


class NotQuadraticError(ValueError):
    """A measure is not the rate of change of a quadratic form with integer coefficients."""


@dataclass(frozen=True)
class Form:
    """The form Q(w) = 1/2 sum_k coefficients[k] w[rows[k]] w[columns[k]], symmetric, of one entry.

    label: the entry's, as in certificates. rows, columns: (K,) int64 parameter numbers.
    coefficients: (K,) float64, integers.
    """

    label: dict[str, Any]
    rows: np.ndarray
    columns: np.ndarray
    coefficients: np.ndarray

    def at(self, weights: np.ndarray) -> np.ndarray:
        """(...,): Q at weights (..., P)."""
        terms = weights[..., self.rows] * weights[..., self.columns] * self.coefficients
        return np.asarray(terms.sum(axis=-1) / 2)


def unconditioned(statement: Statement) -> Statement:
    """The statement without the conditions that decide about numbers, where it can do without."""
    return expansion(statement) or statement


def quadratic_forms(claim: Claim, case: Case) -> list[Form]:
    """The form of every entry of a law on the network of a case; what the case chooses counts.

    Raises NotQuadraticError where the measure is not bilinear, not symmetric, or its coefficients
    are no integers of moderate size.
    """
    assert claim.terms is not None, f"{claim.id} is no statement"
    measure = unconditioned(claim.terms).measure
    entries = measure(_encoded(case))
    stretched = [measure(_encoded(case, w, v)).values for w, v in ((1, 2), (2, 1))]
    forms = []
    for k in range(len(entries)):
        value = as_fraction(entries.values[k])
        if any(as_fraction(values[k]) != 2 * value for values in stretched):
            raise NotQuadraticError(f"{claim.id}: the measure is not bilinear")
        matrix = _coefficients(claim, value, case.network.parameter_count)
        if not np.array_equal(matrix, matrix.T):
            raise NotQuadraticError(f"{claim.id}: the measure is no rate of a quadratic form")
        rows, columns = np.nonzero(matrix)
        forms.append(
            Form(entries.label(k), rows, columns, matrix[rows, columns].astype(np.float64))
        )
    return forms


def _encoded(case: Case, of_weights: int = 1, of_velocity: int = 1) -> FreeScene:
    """The scene with w_a = N^a and v_b = N^(P b), N = 2^BITS, each times a factor; all inputs
    positive."""
    net = case.network
    p = net.parameter_count
    weights = tuple(Fraction(of_weights << (BITS * a)) for a in range(p))
    width = len(net.free_inputs)
    plain = replace(
        case,
        weights=weights,
        inputs=tuple((Fraction(1, width),) * width for _ in case.inputs),
        loss=PRESCRIBED,
        slopes=(Fraction(1),) * case.example_count,
    )
    free = [
        Fraction(0) if parameter == FIXED else Fraction(of_velocity << (BITS * p * parameter))
        for parameter in net.parameter_of
    ]
    return FreeScene(plain, free)


def _coefficients(claim: Claim, value: Fraction, p: int) -> np.ndarray:
    """(P, P): C_ab from its digits: a the weight's number, b the velocity's."""
    ones = ((1 << (BITS * p * p)) - 1) // ((1 << BITS) - 1)  # the last bit of every digit
    half = ones << (BITS - 1)
    shifted = value.numerator + half  # every digit moved to where none is negative
    if value.denominator != 1 or not 0 <= shifted < 1 << (BITS * p * p):
        raise NotQuadraticError(f"{claim.id}: the coefficients are no small integers")
    raw = shifted.to_bytes(BITS // 8 * p * p, "little")
    digits = np.frombuffer(raw, dtype="<u4").astype(np.int64) - 2 ** (BITS - 1)
    if np.abs(digits).max(initial=0) >= LARGEST:
        raise NotQuadraticError(f"{claim.id}: the coefficients are no small integers")
    return np.asarray(digits.reshape(p, p).T)


def triples(form: Form) -> Iterator[tuple[int, int, float]]:
    """Its entries as (parameter a, parameter b, coefficient of w_a w_b in Q)."""
    for a, b, c in zip(form.rows, form.columns, form.coefficients, strict=True):
        yield int(a), int(b), float(c) / 2
