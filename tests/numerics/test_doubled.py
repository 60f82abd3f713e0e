"""Twice the precision: against rationals."""

from fractions import Fraction

import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics.doubled import added, product, scaled, split_product, split_sum, total, whole

NUMBERS = st.floats(-(2.0**60), 2.0**60).map(lambda x: x if abs(x) > 2.0**-60 else 0.0)
DOUBLED = st.tuples(NUMBERS, NUMBERS).map(
    lambda pair: split_sum(tensor(pair[0]), tensor(pair[1] * 2.0**-50))
)
TINY = Fraction(1, 2**100)


def tensor(value):
    return torch.tensor([value], dtype=torch.float64)


def exact(pair):
    return sum((Fraction(float(part)) for part in pair), Fraction(0))


@given(NUMBERS, NUMBERS)
def test_errors_of_sums_and_products_are_exact(a, b):
    assert exact(split_sum(tensor(a), tensor(b))) == Fraction(a) + Fraction(b)
    assert exact(split_product(tensor(a), tensor(b))) == Fraction(a) * Fraction(b)
    assert float(split_sum(tensor(a), tensor(b))[0]) == a + b
    assert float(split_product(tensor(a), tensor(b))[0]) == a * b


@given(DOUBLED, DOUBLED, NUMBERS)
def test_doubled_numbers_err_by_little(a, b, factor):
    x, y = exact(a), exact(b)
    assert abs(exact(product(a, b)) - x * y) <= TINY * abs(x * y)
    assert abs(exact(scaled(a, tensor(factor))) - x * Fraction(factor)) <= TINY * abs(
        x * Fraction(factor)
    )
    assert abs(exact(added(a, b)) - (x + y)) <= TINY * (abs(x) + abs(y))


@given(st.lists(NUMBERS, max_size=6))
def test_sums_are_rounded_once(values):
    expected = float(sum(map(Fraction, values), Fraction(0)))
    assert total([whole(torch.tensor(values, dtype=torch.float64))]) == expected
