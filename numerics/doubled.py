"""Sums and products of float64 tensors with their rounding errors kept: numbers in twice the
precision, each an unevaluated sum of a high and a low part.

T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18
(1971); D. E. Knuth, The Art of Computer Programming, vol. 2, section 4.2.2. Each operation is a
torch operation of its own, so nothing is contracted into a fused one, on CPU or CUDA.
"""

from __future__ import annotations

from math import fsum

import torch

SPLITTER = 134217729.0  # 2^27 + 1
Doubled = tuple[torch.Tensor, torch.Tensor]


def split_sum(a: torch.Tensor, b: torch.Tensor) -> Doubled:
    """a + b as the rounded sum and its error, exactly."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def split_product(a: torch.Tensor, b: torch.Tensor) -> Doubled:
    """a * b as the rounded product and its error, exactly while nothing overflows (below 2^996)
    and the error does not underflow (products above 2^-969)."""
    product = a * b
    high_a, low_a = _halves(a)
    high_b, low_b = _halves(b)
    rest = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return product, rest


def _halves(a: torch.Tensor) -> Doubled:
    large = SPLITTER * a
    high = large - (large - a)
    return high, a - high


def product(a: Doubled, b: Doubled) -> Doubled:
    """a * b, with a relative error of a few 2^-104."""
    high, low = split_product(a[0], b[0])
    return split_sum(high, low + (a[0] * b[1] + a[1] * b[0]))


def scaled(a: Doubled, factor: torch.Tensor) -> Doubled:
    """a * factor, with a relative error of a few 2^-104."""
    high, low = split_product(a[0], factor)
    return split_sum(high, low + a[1] * factor)


def added(a: Doubled, b: Doubled) -> Doubled:
    """a + b, with an error of a few 2^-104 times |a| + |b|."""
    high, low = split_sum(a[0], b[0])
    return split_sum(high, low + (a[1] + b[1]))


def whole(a: torch.Tensor) -> Doubled:
    """Float64 numbers."""
    return a, torch.zeros_like(a)


def total(parts: list[Doubled]) -> float:
    """The sum of all entries of all parts, rounded once. On the CPU."""
    return fsum(value for pair in parts for half in pair for value in half.reshape(-1).tolist())
