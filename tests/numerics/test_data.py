"""Data sets: rows of norm at most 1, exactly; digits as they are; separability as it is said."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.datasets import load_digits

from numerics.data import digits, separable

seeds = st.integers(0, 10**6)
sizes = st.tuples(st.integers(3, 12), st.integers(1, 5))


def margin(data, affine: bool) -> float:
    """The largest m with y (u . x + b) >= m for some u, b of entries at most 1; b = 0 if linear."""
    signed = data.label_array[:, None] * np.column_stack([data.input_array, np.ones(data.count)])
    matrix = np.column_stack([-signed, np.ones(data.count)])
    bounds = [(-1, 1)] * data.dimension + [(-1, 1) if affine else (0, 0), (None, None)]
    objective = np.eye(data.dimension + 2)[-1]
    return -linprog(-objective, A_ub=matrix, b_ub=np.zeros(data.count), bounds=bounds).fun


def check(data, count, dimension):
    assert (data.count, data.dimension) == (count, dimension)
    assert all(len(row) == dimension for row in data.inputs)
    assert all(sum(number * number for number in row) <= 1 for row in data.inputs)
    assert any(map(any, data.inputs))
    assert set(data.labels) <= {1, -1}
    assert all(type(number) is Fraction for row in data.inputs for number in row)
    assert data.input_array.tolist() == [[float(number) for number in row] for row in data.inputs]
    assert data.label_array.tolist() == [float(label) for label in data.labels]


@given(seed=seeds, size=sizes)
def test_separable_data_is_separated_by_a_hyperplane_through_the_origin(seed, size):
    data = separable(Random(seed), *size)
    check(data, *size)
    assert margin(data, affine=False) > 1e-6
    assert set(data.labels) == {1, -1}
    assert separable(Random(seed), *size) == data


@pytest.mark.parametrize("side", [8, 4, 2, 1])
@pytest.mark.parametrize("classes", [(0, 1), (8, 3)])
def test_digits_are_the_bundled_images_over_one_integer(classes, side):
    data = digits(classes, side=side)
    bundled = load_digits()
    chosen = np.isin(bundled.target, classes)
    check(data, int(chosen.sum()), side * side)
    # sums over blocks of pixels, one block at a time
    block = 8 // side
    corners = [(block * i, block * j) for i in range(side) for j in range(side)]
    sums = np.array(
        [
            [image[i : i + block, j : j + block].sum() for i, j in corners]
            for image in bundled.images[chosen]
        ]
    )
    norm = np.sqrt((sums**2).sum(axis=1).max())
    scale = int(np.ceil(norm))
    expected = {
        (1 if digit == classes[0] else -1, tuple(Fraction(int(p), scale) for p in row))
        for digit, row in zip(bundled.target[chosen], sums, strict=True)
    }
    assert set(zip(data.labels, data.inputs, strict=True)) == expected


def test_digits_alternate_and_a_count_takes_the_first():
    data = digits()
    assert data.labels[:6] == (1, -1, 1, -1, 1, -1)
    few = digits(count=5)
    assert few.inputs == data.inputs[:5]
    assert few.labels == data.labels[:5]
    assert few.head(2).count == 2


def test_what_there_is_not_is_refused():
    with pytest.raises(ValueError, match=r"classes \(1, 1\): give two different digits"):
        digits((1, 1))
    with pytest.raises(ValueError, match="side 3 does not divide 8"):
        digits(side=3)
    with pytest.raises(ValueError, match=r"count = 1000: digits 0 and 1.* has 360 examples"):
        digits(count=1000)
    with pytest.raises(ValueError, match="1 examples in 0 dimensions"):
        separable(Random(0), 1, 0)
