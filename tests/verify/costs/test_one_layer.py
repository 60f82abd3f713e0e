"""The least norm of an affine map through values: by hand, and against least squares."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.kinds.costs.one_layer import extended, least_norm


def least(points, values):
    found = least_norm(RATIONALS.array(points), RATIONALS.array(values))
    return None if found is None else as_fraction(found)


@pytest.mark.parametrize(
    ("points", "values", "norm"),
    [
        ([[0], [1]], [[0], [1]], 1),  # x
        ([[0], [1]], [[1], [3]], 5),  # 2 x + 1
        ([[1]], [[2]], 2),  # x + 1: shared between weight and bias
        ([[0]], [[3]], 9),  # the bias alone
        ([[2, 1]], [[6]], 6),  # 6 over 1 + |x|^2, squared, times that
        ([[0], [1]], [[0, 1], [1, 1]], 2),  # outputs add
        ([[0], [1], [2]], [[1], [2], [3]], 2),
        ([[1], [1]], [[2], [2]], 2),  # a point twice
    ],
)
def test_by_hand(points, values, norm):
    assert least(points, values) == norm


@pytest.mark.parametrize(
    ("points", "values"), [([[0], [1], [2]], [[0], [1], [0]]), ([[1], [1]], [[0], [1]])]
)
def test_what_no_affine_map_does(points, values):
    assert least(points, values) is None


def test_points_get_a_last_coordinate_1():
    assert extended(RATIONALS.array([[2, 3]])).tolist() == [[2, 3, 1]]


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_least_solution_of_numpy(seed):
    generator = np.random.default_rng(seed)
    count, width, outputs = generator.integers(1, 4, size=3)
    points = generator.integers(-3, 4, size=(count, width))
    values = points @ generator.integers(-3, 4, size=(width, outputs)) + 1
    rows = np.hstack([points, np.ones((count, 1))])
    solution = np.linalg.lstsq(rows, values.astype(float), rcond=None)[0]
    found = least(points.tolist(), values.tolist())
    assert float(found) == pytest.approx(float((solution**2).sum()))


def test_it_grows_with_the_square_of_the_values():
    points, values = [[1, 2], [0, 1]], [[1], [4]]
    third = [[Fraction(v[0], 3)] for v in values]
    assert least(points, values) == 9 * least(points, third) > 0
