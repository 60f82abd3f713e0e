"""Polynomials as an arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.errors import NotRationalError
from graphs.ring_arithmetic import RingArithmetic
from graphs.rings import ring_of


@pytest.fixture(params=["flint", "sympy"])
def arithmetic(request):
    if request.param == "flint":
        pytest.importorskip("flint", reason="python-flint is not installed")
    return RingArithmetic(ring_of(2, request.param))


def test_a_binomial_in_arrays(arithmetic):
    x, y = arithmetic.ring.generators
    row = arithmetic.array([x, y, Fraction(1, 2)])
    total = row[0] + row[1]
    zero = total * total - x * x - y * y - arithmetic.convert(2) * x * y
    assert arithmetic.may_be_zero(arithmetic.array([zero])).tolist() == [True]
    assert arithmetic.may_be_zero(row).tolist() == [False, False, False]
    assert arithmetic.ring.is_zero(arithmetic.zeros((2, 2))[1, 1])


def test_polynomials_have_no_sign(arithmetic):
    row = arithmetic.array([1, 2])
    with pytest.raises(NotRationalError):
        arithmetic.is_negative(row)
    with pytest.raises(NotRationalError):
        arithmetic.slopes(np.arange(2), row, row, row)
