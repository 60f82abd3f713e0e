"""Polynomials as an arithmetic: a formula written once is an identity if its normal form is 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphs.arithmetic import Indices, ObjectArithmetic, as_fraction
from graphs.errors import NotRationalError
from graphs.rings import Polynomial, Ring


class RingArithmetic(ObjectArithmetic):
    """The polynomials of one ring, with no order and no signs."""

    name = "polynomials"

    def __init__(self, ring: Ring) -> None:
        self.ring = ring

    def convert(self, value: Any) -> Polynomial:
        """A polynomial of the ring as it is, a rational as a constant."""
        return value if self.ring.owns(value) else self.ring.constant(as_fraction(value))

    def slopes(
        self, vertices: Indices, z: np.ndarray, left: np.ndarray, right: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Raises NotRationalError: a polynomial has no sign."""
        raise NotRationalError("a polynomial has no sign")

    def is_negative(self, values: np.ndarray) -> np.ndarray:
        """Raises NotRationalError: a polynomial has no sign."""
        raise NotRationalError("a polynomial has no sign")

    def may_be_zero(self, values: np.ndarray) -> np.ndarray:
        """Which are the zero polynomial."""
        return np.array([self.ring.is_zero(p) for p in values.flat]).reshape(values.shape)
