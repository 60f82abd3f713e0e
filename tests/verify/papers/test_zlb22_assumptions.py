"""Assumptions on activations: suprema against grids, readings of named ones by hand."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from verify.core.claim import Kind
from verify.papers.zlb22 import assumptions
from verify.papers.zlb22.activation_bounds import NAMES, bounds, meets

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


def test_assumptions_are_not_judged():
    assert len(assumptions.CLAIMS) == 5
    assert all(c.kind is Kind.ASSUMPTION and not c.judged for c in assumptions.CLAIMS)
