"""Mean gradient norms at larger widths, against the closed form."""

from fractions import Fraction

import numpy as np
import pytest

from tests.verify.arrays import worth_in
from verify.cases.tensors import Tensors, tensor
from verify.papers.registry import find
from verify.papers.zlb22.gradient_ladders import (
    DEGREES,
    INPUTS,
    MEAN,
    SETTINGS,
    families,
    mean_gradient_norm,
)
from verify.papers.zlb22.gradient_norms import MEAN_NORM


@pytest.mark.parametrize("width", [2, 16])
def test_relu_networks_have_the_closed_mean(width):
    whole = {"d0": INPUTS, "n": width}
    arrays = {name: tensor((), value, integer=True) for name, value in whole.items()}
    arrays |= {"a": tensor((), 0), "b": tensor((), 1)}
    expected = float(worth_in(MEAN_NORM, Tensors(arrays)))
    found = mean_gradient_norm("fcn", "relu", 2, width, 100, np.random.default_rng(0))[MEAN]
    assert abs(found.mean() - expected) < 5 * found.std() / 10


def test_squares_by_hand():
    # f = (1/sqrt n) sum v_i z_i^2: E |grad f|^2 = E z^4 + 4 E (v z)^2 rho^2 = 7 E rho^4, d0 = 4
    values = mean_gradient_norm("fcn", "quadratic", 2, 64, 200, np.random.default_rng(1))[MEAN]
    rho_4 = Fraction(6, 4)  # E (chi^2_4 / 4)^2
    assert values.mean() < float(7 * rho_4) ** 0.5  # Jensen
    assert values.mean() > 0.6 * float(7 * rho_4) ** 0.5


def test_the_arms_and_what_is_predicted():
    assert [len(families(scale)) for scale in range(3)] == [2, 5, 5]
    assert {activation for _, activation, _ in SETTINGS} == set(DEGREES)
    (said,) = find("zlb22.prop4.4.order").exponents.predicted
    assert said.holds(-0.1, 0.1)
    assert said.holds(0.4, 0.6)  # a lower bound
    assert said.holds(-0.6, -0.4) is False
