"""The order of |H_f| from above: by hand, beside the count from below, beside measured norms."""

from random import Random

import numpy as np
import pytest

from verify.kinds.profiles.group_orders import (
    matrix_variance,
    operator_norm,
    squared_norm_from_above,
)
from verify.kinds.profiles.group_shapes import Shape
from verify.kinds.profiles.profile_pool import profile_pool


def layered(*sizes):
    sizes = (0, *sizes, 0)
    return Shape(((), *((g,) for g in range(len(sizes) - 1))), sizes)


@pytest.mark.parametrize(
    ("sizes", "norm"),
    [  # from the first of these groups to the last: |B|^2 = n_k / min n_i
        ((2, 2), 0),
        ((2, 1), 0),
        ((1, 2), 1),
        ((2, 0, 2), 2),
        ((0, 2, 0), 0),
        ((1, 3, 2), 1),
        ((3, 1, 2, 1), 0),
    ],
)
def test_products_of_gaussian_matrices(sizes, norm):
    shape = layered(*sizes)
    assert operator_norm(shape, 1, len(sizes)) == (norm, sizes[-1])
    assert operator_norm(shape, 2, 1) is None


def test_norms_of_products_are_of_that_order():
    # |W2 W1|^2 / (a b) for sizes a, b, c: c / min(a, b, c) up to a constant
    random = np.random.default_rng(5)
    for a, b, c in ((4, 256, 4), (256, 4, 256), (64, 64, 4), (4, 64, 64)):
        low, high = random.standard_normal((b, a)), random.standard_normal((c, b))
        found = np.linalg.norm(high @ low, 2) ** 2 / (a * b)
        assert 0.3 < found / (c / min(a, b, c)) < 12


def test_skips_choose_rows():
    # M rows of the M^3 x M^2 matrix over M: |.|^2 is M^3 / M^2 for all rows, 1 for M of them
    shape = Shape(((), (0,), (1,), (0,), (2, 3)), (0, 2, 3, 1, 0), (None, 0, 0, 2, None))
    assert operator_norm(shape, 1, 2) == (1, 3)
    assert operator_norm(shape, 1, 3) == (0, 1)


@pytest.mark.parametrize("skips", [False, True])
def test_from_above_as_from_below(skips):
    random, pool, told = Random(8), profile_pool(skips=skips), 0
    for _ in range(600):
        shape = pool.draw(random).shape
        sources = enumerate(shape.skips or ())
        if any(s and shape.sizes[g] > shape.sizes[s] for g, s in sources):
            continue  # a neuron is the source of many skips
        if skips and shape.skips[-1] is not None:
            continue  # what is constant in a derivative bends nothing, and counts from above
        assert squared_norm_from_above(shape) == shape.squared_norm
        if not skips and (variance := matrix_variance(shape)) is not None:
            assert squared_norm_from_above(shape, inner=True) == variance
        told += 1
    assert told > 200


def test_the_variance_leaves_out_the_last_step():
    # the incoming neurons of f are wide, f itself is not in their Hessians
    assert (layered(1, 2).squared_norm, matrix_variance(layered(1, 2))) == (-1, -1)
    assert (layered(2, 1).squared_norm, matrix_variance(layered(2, 1))) == (-1, -2)
    assert matrix_variance(layered(2)) is None
