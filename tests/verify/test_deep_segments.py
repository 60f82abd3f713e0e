"""Networks along segments: breakpoints by hand, and the image as the network computes it."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from graphs.arithmetic import as_fraction, rational
from verify.kinds.deep.networks import deep
from verify.kinds.deep.pool import pool
from verify.kinds.deep.segments import (
    at_points,
    breakpoints,
    distance_to_piece,
    nearest_on_segment,
    steepest_piece,
)

HAT = deep([[[1], [1]], [[1, -2]]], [[0, -1], [0]], points=[[-1], [3]])  # x to 1, then 2 - x


def test_a_hat_bends_at_its_kinks():
    times = breakpoints(HAT, [Fraction(-1)], [Fraction(3)])
    assert [as_fraction(t) for t in times] == [0, Fraction(1, 4), Fraction(1, 2), 1]
    assert steepest_piece(HAT, 0, 1) == 1


def test_the_image_of_a_segment_comes_near_to_the_outputs():
    case = HAT.with_array("X", [[-1], [3], [1]])  # outputs 0, -1, 1; f(3) = 3 - 4
    assert nearest_on_segment(case, 0, 1) == [0, 0, 0]
    assert nearest_on_segment(case, 0, 0) == [0, 1, 1]
    assert nearest_on_segment(case, 2, 1) == [0, 0, 0]
    assert nearest_on_segment(case, 0, 2) == [0, 1, 0]


@pytest.mark.parametrize(("y", "distance"), [([3, 4], 16), ([0, 0], 0), ([-1, 1], 2), ([8, 0], 9)])
def test_the_distance_from_a_piece(y, distance):
    ends = [Fraction(0), Fraction(0)], [Fraction(5), Fraction(0)]
    assert distance_to_piece(list(map(Fraction, y)), *ends) == distance


def test_between_breakpoints_networks_are_linear():
    random, networks = Random(3), pool(depths=(2, 3, 4), points=(2,))
    for _ in range(25):
        case = networks.draw(random)
        start, end = case.matrix("X")
        times = breakpoints(case, start, end)
        assert times == sorted(times)
        for low, high in pairwise(times):
            places = [low + (high - low) * rational(Fraction(k, 3)) for k in range(4)]
            points = [start + (end - start) * t for t in places]
            values = at_points(case, points).outputs[0]
            first, second, third = (values[k + 1] - values[k] for k in range(3))
            assert (first == second).all()
            assert (second == third).all()


def test_no_point_of_the_segment_is_steeper():
    random, networks = Random(5), pool(depths=(2, 3), points=(2,))
    for _ in range(10):
        case = networks.draw(random)
        start, end = (np.array([as_fraction(v) for v in row]) for row in case.matrix("X"))
        steepest = float(steepest_piece(case, 0, 1))
        points = [list(start + (end - start) * Fraction(k, 37)) for k in range(1, 37)]
        scene = at_points(case, points)
        norms = [float(scene.norm_squared(scene.jacobian(k))[0]) for k in range(len(points))]
        assert max(norms) <= steepest + 1e-9
