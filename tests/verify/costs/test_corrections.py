"""R^(0) and R^(1) of affine functions: by hand, and as limits of costs."""

from fractions import Fraction
from math import log

import pytest

from tests.verify.costs.test_affine import affine, drawn, floats
from verify.kinds.costs.affine import cost
from verify.kinds.costs.corrections import corrections

F = Fraction
SQUARE = [[0, 0], [1, 0], [0, 1]]
PLANE = [[0, 0], [1, 1], [-1, -1]]


def found(function):
    one = corrections(function)
    return None if one is None else (one.rank, *floats(one.lower, one.upper))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (affine([[0], [1]], [[1]], [0]), (1, 0, 0)),
        (affine([[0], [1]], [[3]], [0]), (1, log(9), log(9))),
        (affine([[0], [1]], [[-3]], [0]), (1, log(9), log(9))),
        (affine([[-1], [1]], [[1]], [0]), (1, log(2), log(2) + 1)),
        (affine([[-1], [1]], [[1]], [0], F(1, 2)), (1, log(4 / 3), log(2) + 1)),
        (affine([[-1], [1]], [[1]], [0], free_end=True), (1, log(2), log(2))),
        (affine([[0]], [[7]], [F(1, 2)]), (0, 1 / 4, 1 / 4)),
        (affine([[1]], [[7]], [0]), (0, 0, 49)),
        (affine([[0]], [[7]], [2]), (0, 3, 4)),
        (affine([[0, 0], [1, 1]], [[1, 0]], [0]), (1, -log(2), -log(2))),
        (affine(SQUARE, [[2, 0], [0, 5]], [0, 0]), (2, log(100), log(100))),
        # by kernels; chains give log 6 + 1, and log 6 where an angle of the images is obtuse
        (affine(SQUARE, [[1, 1], [1, -1]], [0, 0]), (2, log(4), log(4))),
        (affine(SQUARE, [[1, 1], [1, -2]], [0, 0]), (2, log(9), log(10))),
    ],
)
def test_by_hand(function, expected):
    assert found(function) == pytest.approx(expected, abs=1e-12)


def test_what_no_network_shows():
    assert found(affine(PLANE, [[1, 1], [-1, -1]], [0, 0])) is None


@pytest.mark.parametrize("seed", range(40))
def test_they_are_limits_of_costs(seed):
    function, depth = drawn(seed), 300
    one = corrections(function)
    if one is None:
        return
    at_depth = cost(function, depth)
    for limit, bound in ((one.lower, at_depth.lower), (one.upper, at_depth.upper)):
        assert float(bound) - depth * one.rank == pytest.approx(float(limit), abs=0.25)


def test_most_of_them_are_known():
    known = [corrections(drawn(seed)) for seed in range(40)]
    assert sum(one is not None and one.rank > 0 for one in known) >= 10
    assert sum(one is None for one in known) >= 1
