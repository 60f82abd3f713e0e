"""Unit vectors, and singular vectors of the Jacobian: how the arrays u, v and s of a case are made
such ones, and how they stop being it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from verify.kinds.deep.layered import lifted
from verify.kinds.deep.networks import Deep, Matrix


def near_unit(vector: Sequence[Fraction]) -> list[Fraction]:
    """A rational vector of length 1 near the direction of a vector: stereographic projection.

    >>> near_unit([Fraction(3), Fraction(4)])
    [Fraction(3, 5), Fraction(4, 5)]
    """
    *others, last = vector
    if not any(vector):
        return [Fraction(0)] * len(others) + [Fraction(1)]
    length = Fraction(float(sum(entry * entry for entry in vector)) ** 0.5).limit_denominator(64)
    sign = -1 if last < 0 else 1
    slopes = [entry / (length + abs(last)) for entry in others]
    square = sum((slope * slope for slope in slopes), Fraction(0))
    unit = [2 * slope / (1 + square) for slope in slopes]
    return [*unit, sign * (1 - square) / (1 + square)]


def _with_vector(case: Deep, name: str, vector: Sequence[Fraction]) -> Deep:
    return case.changing(**{name: replace(case.arrays[name], entries=tuple(vector))})


def _unit(case: Deep) -> bool:
    return all(sum(x * x for x in case.arrays[name].entries) == 1 for name in "uv")


def _to_unit(case: Deep, random: Random) -> Deep:
    for name in "uv":
        entries = case.arrays[name].entries
        if sum(x * x for x in entries) != 1:
            plain = [entry.limit_denominator(8) for entry in entries]
            case = _with_vector(case, name, near_unit(plain))
    return case


def _other_lengths(case: Deep, random: Random) -> Deep:
    factor = random.choice((Fraction(1, 2), Fraction(2), Fraction(3)))
    name = random.choice("uv")
    return _with_vector(case, name, [entry * factor for entry in case.arrays[name].entries])


def _singular(case: Deep) -> bool:
    if not (_unit(case) and case.number("s") > 0):
        return False
    jacobian, u, v = case.exact.jacobian(0), case.matrix("u"), case.matrix("v")
    s = rational(case.number("s"))
    return not (jacobian @ u - v * s).any() and not (jacobian.T @ v - u * s).any()


def _to_singular(case: Deep, random: Random) -> Deep:
    """W_1 becomes such that u and v are singular vectors of the Jacobian at the first point, which
    sees the pre-activations that it saw.

    With Jf(x) = K W_1: W_1' = s K^+ v u^T + (I - k k^+) W_1 (I - u u^T) for k = K^T v, where v must
    lie in the image of K; then Jf(x) u = s v and Jf(x)^T v = s u.
    """
    if _singular(case):
        return case
    case = _to_unit(case, random)
    above = case.exact.from_pre(1, 0)
    if not above.any():
        return case
    if not _in_image(case, above):
        entries = [as_fraction(x) for x in above[:, _largest_column(above)]]
        case = _with_vector(case, "v", near_unit(entries))
        if not _in_image(case, above):
            return case
    u, v = case.matrix("u"), case.matrix("v")
    size = Fraction(random.randint(1, 8), random.randint(1, 4))
    old, pulled = case.matrix("W1"), (above.T @ v).reshape(-1, 1)
    rest = old - reals.image_projection(pulled) @ old
    rest = rest - np.outer(rest @ u, u)
    weight = np.outer(reals.pseudo_inverse(above) @ v, u) * rational(size) + rest
    bias = case.exact.pre(1)[0] - weight @ case.matrix("X")[0]
    case = case.with_array("W1", weight).with_array("b1", bias)
    return case.changing(s=replace(case.arrays["s"], entries=(size,)))


def _in_image(case: Deep, above: Matrix) -> bool:
    v = case.matrix("v")
    return not (reals.image_projection(above) @ v - v).any()


def _largest_column(matrix: np.ndarray) -> int:
    return max(range(matrix.shape[1]), key=lambda j: sum(x * x for x in matrix[:, j]))


def _other_value(case: Deep, random: Random) -> Deep:
    value = case.number("s") + random.choice((Fraction(1), Fraction(1, 2)))
    return case.changing(s=replace(case.arrays["s"], entries=(value,)))


to_unit, other_lengths = lifted(_to_unit), lifted(_other_lengths)
to_singular, other_value = lifted(_to_singular), lifted(_other_value)
