"""Depth 2 with one input: certificates and networks by hand, and against linear programmes."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from scipy.optimize import linprog, minimize_scalar

from graphs.arithmetic import RATIONALS, as_fraction, rational
from verify.costs.two_layers import (
    as_fraction_of,
    dual_value,
    find_certificate,
    is_certificate,
    network_cost,
    two_layer_values,
)

F = Fraction


def row(*values):
    return RATIONALS.array(list(values))


def holds(points, masses, slope=0):
    return is_certificate(row(*points), rational(F(slope)), RATIONALS.array(masses))


def basis(points, slope, count):
    """(count, N): sigma_a(w x_j + b) for unit (w, b) around the circle."""
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    z = np.outer(np.cos(angles), points) + np.sin(angles)[:, None]
    return np.where(z > 0, z, slope * z)


# certificates -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("points", "masses", "slope", "right"),
    [
        ([0], [[1]], 0, True),  # |mu sigma(b)| <= |b|
        ([0], [[F(1001, 1000)]], 0, False),
        ([0], [[F(3, 5), F(4, 5)]], 0, True),  # a vector of length 1
        ([0], [[F(3, 5), F(81, 100)]], 0, False),
        ([1], [[F(707, 1000)]], 0, True),  # 1 / sqrt(2)
        ([1], [[F(708, 1000)]], 0, False),
        ([1], [[F(-708, 1000)]], 0, False),
        ([1, 2], [[0], [0]], F(1, 2), True),
        # sigma(w + b) - sigma(-w + b) is 2 w, where neither is cut off
        ([1, -1], [[F(1, 2)], [F(-1, 2)]], 0, True),
        ([1, -1], [[F(2, 3)], [F(-2, 3)]], 0, True),  # the square root of 2 in between, cut off
        ([1, -1], [[F(3, 4)], [F(-3, 4)]], 0, False),
        # 3/2 w + 1/2 b between the kinks, of length sqrt(5/2)
        ([1, -1], [[F(63, 100)], [F(-63, 100)]], F(1, 2), True),
        ([1, -1], [[F(64, 100)], [F(-64, 100)]], F(1, 2), False),
    ],
)
def test_certificates_by_hand(points, masses, slope, right):
    assert holds(points, masses, slope) is right


@pytest.mark.parametrize("seed", range(40))
def test_certificates_are_what_a_fine_circle_says(seed):
    generator = np.random.default_rng(seed)
    count, outputs = generator.integers(1, 4), generator.integers(1, 3)
    points = generator.choice(np.arange(-4, 5), size=count, replace=False)
    masses = generator.integers(-10, 11, size=(count, outputs))
    masses[0, 0] = 7
    slope = generator.integers(-9, 10) / 10
    sums = basis(points, slope, 40_000) @ masses
    largest = float(np.sqrt((sums**2).sum(1)).max())
    for shrink in (0.999, 1.001):
        factor = F(shrink).limit_denominator(10**6) / F(largest).limit_denominator(10**9)
        scaled = [[F(int(v)) * factor for v in line] for line in masses]
        exact = holds([int(p) for p in points], scaled, F(round(slope * 10), 10))
        assert exact is (shrink < 1)


def test_the_value_of_a_certificate_by_hand():
    # 2 (2 * 1 + 3 * 1/2) - (3/2)^2
    found = dual_value(RATIONALS.array([[2], [3]]), RATIONALS.array([[1], [F(1, 2)]]))
    assert as_fraction(found) == F(19, 4)
    # of vectors: 2 (1 + 2) - (1 + 4)
    found = dual_value(RATIONALS.array([[1, 1]]), RATIONALS.array([[1, 2]]))
    assert as_fraction(found) == 1


# networks -----------------------------------------------------------------------------------------
def test_a_network_by_hand():
    network = [RATIONALS.array(v) for v in ([[3], [-1]], [4, 0], [[2, 5], [0, 0]], [1, -2])]
    # 2 * 2 * |(3, 4)| + 2 * 5 * |(-1, 0)| + 1 + 4
    assert network_cost(*network) == 35
    values = two_layer_values(RATIONALS.array([[1], [-2]]), rational(F(1, 2)), tuple(network))
    # at 1: 7 and -1/2; at -2: -1 and 2
    found = [[as_fraction(v) for v in line] for line in values]
    assert found == [[2 * 7 - F(5, 2) + 1, -2], [-2 + 10 + 1, -2]]


@pytest.mark.parametrize("seed", range(8))
def test_no_network_is_cheaper_than_a_certificate_of_its_values(seed):
    generator = np.random.default_rng(seed)
    count, width, outputs = generator.integers(1, 4, size=3)
    points = generator.choice(np.arange(-3, 4), size=count, replace=False).tolist()
    shapes = ((width, 1), (width,), (outputs, width), (outputs,))
    drawn = [RATIONALS.array(generator.integers(-3, 4, size=shape).tolist()) for shape in shapes]
    slope = rational(F(int(generator.integers(-9, 10)), 10))
    values = two_layer_values(RATIONALS.array([[p] for p in points]), slope, tuple(drawn))
    masses = find_certificate(row(*points), values, slope)
    assert is_certificate(row(*points), slope, masses)
    assert float(dual_value(values, masses)) <= float(network_cost(*drawn)) + 1e-12


def cheapest(points, values, slope):
    """The cost of one output by linear programmes over neurons around the circle and the bias."""
    neurons = basis(np.array(points, float), slope, 720).T  # (N, K)

    def cost(bias):
        columns = np.hstack([neurons, -neurons])
        solved = linprog(np.full(columns.shape[1], 2.0), A_eq=columns, b_eq=values - bias)
        return solved.fun + bias**2

    return minimize_scalar(cost, bounds=(-6, 6), method="bounded").fun


@pytest.mark.parametrize(
    ("points", "values", "slope"),
    [
        ([-1, 0, 1], [-1, 0, 1], 0),
        ([-1, 0, 1], [-1, 0, 1], F(1, 2)),
        ([0, 1, 2], [0, 1, 0], 0),
        ([-2, 1, 3], [1, 4, -2], F(-1, 5)),
        ([1], [3], 0),
    ],
)
def test_certificates_come_near_the_cost(points, values, slope):
    exact = RATIONALS.array([[v] for v in values])
    masses = find_certificate(row(*points), exact, rational(F(slope)))
    below = float(dual_value(exact, masses))
    above = cheapest(points, np.array(values, float), float(slope))
    assert below <= above + 1e-6
    assert below >= above * 0.99


def test_the_identity_folded_costs_twice_the_root_of_2():
    exact = RATIONALS.array([[-1], [0], [1]])
    masses = find_certificate(row(-1, 0, 1), exact, rational(0))
    # the bound of `affine`, which speaks of -1, 0 and 1 alone
    assert cheapest([-1, 0, 1], np.array([-1.0, 0, 1]), 0) >= 2 * sqrt(2) - 1e-9
    assert float(dual_value(exact, masses)) > 2.8


def test_a_search_that_fails_gives_zeros():
    masses = find_certificate(row(0), RATIONALS.array([[0]]), rational(0))
    assert not masses.any()
    assert dual_value(RATIONALS.array([[0]]), masses) == 0


def test_floats_become_plain():
    assert as_fraction_of(0.333333) == F(1, 3)
    assert as_fraction_of(-0.5) == F(-1, 2)
