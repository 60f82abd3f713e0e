from fractions import Fraction
from math import isqrt, log

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.numerics.chains.long_products import log_singular_values


@given(st.integers(1, 6), st.integers(1, 40), st.integers(0, 2**20))
def test_the_sum_is_that_of_the_determinants(size, depth, seed):
    generator = torch.Generator().manual_seed(seed)
    factors = [
        torch.randn(3, size, size, generator=generator, dtype=torch.float64) for _ in range(depth)
    ]
    found = log_singular_values(factors)
    wanted = sum(torch.linalg.slogdet(factor).logabsdet for factor in factors)
    assert (found.sum(dim=1) - wanted).abs().max() < 1e-8 * depth
    assert bool((found.diff(dim=1) <= 0).all())


@given(st.integers(1, 6), st.integers(0, 2**20))
def test_short_products_are_as_lapack_has_them(size, seed):
    generator = torch.Generator().manual_seed(seed)
    factors = [torch.randn(3, size, size, generator=generator).double() for _ in range(3)]
    wanted = torch.linalg.svdvals(factors[2] @ factors[1] @ factors[0])
    error = (log_singular_values(factors).exp() - wanted).abs()
    assert bool((error <= 1e-11 * wanted[:, :1]).all())


def test_a_small_value_of_a_long_product_against_exact_numbers():
    # 2 x 2: the larger from the trace of A A^T, the smaller from the determinant, both exact
    generator = np.random.default_rng(3)
    integers = generator.integers(-4, 5, size=(300, 2, 2))
    integers = integers[np.abs(np.linalg.det(integers)) > 0.5][:130]
    product = np.array([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])
    for matrix in integers:
        product = np.vectorize(Fraction)(matrix.astype(int)) @ product
    square = sum(entry**2 for entry in product.reshape(-1))
    determinant = abs(product[0, 0] * product[1, 1] - product[0, 1] * product[1, 0])
    assert determinant > 0
    top = (square + isqrt(int(square**2 - 4 * determinant**2))) / 2
    large = log(top) / 2
    small = log(int(determinant)) - large
    assert large - small > 40  # far below the rounding of a formed product
    factors = [torch.from_numpy(matrix.astype(float))[None] for matrix in integers]
    assert log_singular_values(factors)[0].tolist() == pytest.approx([large, small], abs=1e-10)
