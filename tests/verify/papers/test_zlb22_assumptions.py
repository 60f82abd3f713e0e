"""Assumptions on activations: suprema against grids, readings of named ones by hand."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from verify.claim import Kind
from verify.papers.zlb22 import assumptions
from verify.papers.zlb22.activation_bounds import NAMES, bounds, homogeneous, meets

GRID = np.linspace(-12, 12, 24_001)
FUNCTIONS = {
    "tanh": np.tanh,
    "softplus": lambda z: np.logaddexp(z, 0),
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "sin": np.sin,
    "log cosh": lambda z: np.logaddexp(z, -z) - log(2),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_suprema_of_smooth_activations(name):
    step = GRID[1] - GRID[0]
    found = bounds(name)
    assert float(found.at_zero) == pytest.approx(abs(float(FUNCTIONS[name](np.zeros(1))[0])))
    values = FUNCTIONS[name](GRID)
    for order, supremum in ((1, found.first), (2, found.second), (3, found.third)):
        values = np.gradient(values, step)
        inner = np.abs(values[2 * order : -2 * order]).max()
        assert inner == pytest.approx(float(supremum), abs=1e-4)


def test_suprema_by_hand():
    assert float(bounds("tanh").second) == pytest.approx(4 / (3 * sqrt(3)))
    assert bounds("tanh").third == 2
    assert bounds("softplus").second == Fraction(1, 4)
    assert bounds("z^2").second == 2


def test_readings_of_the_smoothness_assumption():
    both = {"tanh", "softplus", "sigmoid", "sin", "log cosh", "z"}
    assert {name for name in NAMES if meets(name, "A")} == both | {"z^2"}
    assert {name for name in NAMES if meets(name, "B")} == both


def test_homogeneity_for_every_factor():
    one, none = Fraction(1), Fraction(0)
    table = [  # left of 0, right of 0, r, whether it holds in reading A
        (none, one, Fraction(1), False),  # ReLU
        (one, one, Fraction(1), False),  # |z|
        (-one, one, Fraction(1), True),  # z
        (one, one, Fraction(2), True),  # z^2
        (-one, one, Fraction(3), True),  # z^3
        (none, one, Fraction(2), False),  # ReLU^2
        (one, one, Fraction(1, 2), True),  # (-1)^(1/2) is not real, so nothing is asked there
        (one, one, Fraction(2, 3), True),  # (-1)^(2/3) = 1
        (one, one, Fraction(1, 3), False),
    ]
    for left, right, r, holds in table:
        assert homogeneous(left, right, r, "A") is holds
        assert homogeneous(left, right, r, "B")
        for z in (-2.0, 3.0):  # and so it is for a = -1, where the power is real
            if r.denominator % 2:
                sigma = [float(right if x > 0 else left) * abs(x) ** float(r) for x in (-z, z)]
                assert (abs(sigma[0] - (-1) ** r.numerator * sigma[1]) < 1e-9) is holds
    with pytest.raises(ValueError, match="above 0"):
        homogeneous(one, one, none, "A")


def test_assumptions_are_not_judged():
    assert len(assumptions.CLAIMS) == 7
    assert all(c.kind is Kind.ASSUMPTION and not c.judged for c in assumptions.CLAIMS)
