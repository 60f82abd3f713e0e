"""The order of the mean gradient norm, against cases solved by hand and drawn networks."""

from fractions import Fraction
from math import gamma, pi, sqrt

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from tests.verify.arrays import worth_in
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.papers.zlb22.gradient_order import MEAN_OF_LAST, ORDER_BOUND

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def chain(depth, r, moment, inputs=1, weights=1):
    arrays = {"L": tensor((), depth, integer=True), "d0": tensor((), inputs, integer=True)}
    numbers = {"r": r, "C": moment, "t": weights, "q": 1}
    return Tensors(arrays | {name: tensor((), value) for name, value in numbers.items()})


def mean_of_last(case):
    return worth_in(MEAN_OF_LAST, case)


def order_bound(case):
    return worth_in(ORDER_BOUND, case)


def absolute(q: float) -> float:
    """E |g|^q."""
    return 2 ** (q / 2) * gamma((q + 1) / 2) / sqrt(pi)


def test_one_hidden_neuron_by_hand():
    """sigma(z) = s |z|, C = s^2: E |f_1| = s (E |g|)^2; K_1 = s 2^(-1/2) (E |g|)^2."""
    case = chain(2, 1, 4)
    assert float(mean_of_last(case)) == pytest.approx(2 * (2 / pi))
    assert float(order_bound(case)) == pytest.approx(sqrt(2 / pi))  # of the inputs
    case = chain(2, 1, Fraction(1, 4))
    assert float(order_bound(case)) == pytest.approx(0.5 * sqrt(0.5) * 2 / pi)


def test_every_layer_below_counts():
    """L = 3: K_1 of layer 2 is 2^(-1/2) s E |g| times the least of E |g| and that of layer 1."""
    once = 0.5 * sqrt(0.5) * absolute(1)
    assert float(order_bound(chain(3, 1, Fraction(1, 4)))) == pytest.approx(once**2 * absolute(1))


def test_the_last_neuron_scales_with_weights_and_inputs():
    """L = 2, r = 3: |f_1| = s |u x / sqrt(d_0)|^3; L = 3, r = 2: also the square of one weight."""
    assert float(mean_of_last(chain(2, 3, 15, inputs=2))) == pytest.approx(
        absolute(3) * 3 * sqrt(pi / 2) / 2**1.5
    )
    plain, larger = (float(mean_of_last(chain(3, 2, 3, weights=t))) for t in (1, 4))
    assert plain == pytest.approx(absolute(2) * absolute(4) * absolute(4))
    assert larger == pytest.approx(plain * 4 * 16)  # |w|^2 and |u|^4, of standard deviation 2


def test_moments_beyond_the_second_go_through_the_second():
    """r = 3: K_1 of one layer = 2^(-1/2) (C / 15)^(1/2) E |g|^3 K_2^(3/2), K_2 = 1."""
    expected = sqrt(0.5) * sqrt(1 / 15) * absolute(3)
    assert float(order_bound(chain(2, 3, 1))) == pytest.approx(expected)


def test_low_degrees_keep_their_moments():
    """r = 1/2: K_1 = 2^(-1/2) (C / E |g|)^(1/2) E |g|^(1/2) E |g|^(1/2)."""
    expected = sqrt(0.5) * sqrt(1 / absolute(1)) * absolute(0.5) ** 2
    assert float(order_bound(chain(2, Fraction(1, 2), 1))) == pytest.approx(expected)


@pytest.mark.parametrize("r", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("width", [1, 8])
def test_networks_of_one_sided_activations_are_above_the_bound(r, width):
    """Two hidden layers that read all before them, drawn: E |grad f| is at least E of the mean of
    |f_u|, that of the last layer's weights alone."""
    random = np.random.default_rng(0)
    count, inputs = 20_000, 2
    layers = [random.standard_normal((count, inputs))]
    for _ in range(2):
        below = np.concatenate(layers, axis=1)
        weights = random.standard_normal((count, width, below.shape[1]))
        z = np.einsum("sij,sj->si", weights, below) / sqrt(below.shape[1])
        layers.append(z.clip(0) ** r)
    last = np.linalg.norm(np.concatenate(layers, axis=1), axis=1)
    last = np.minimum(last / sqrt(inputs + 2 * width), 20)  # heavy tails; no more than the mean
    moment = Fraction(absolute(2 * r) / 2).limit_denominator(10**9)
    bound = float(order_bound(chain(3, Fraction(r), moment, inputs)))
    assert last.mean() - 5 * last.std() / sqrt(count) > bound > 0.05


def test_what_is_supposed_is_needed_or_the_bound_holds():
    claim = find("zlb22.prop4.4.order")
    small = Tensors.scene([chain(2, 2, 1, weights=Fraction(1, 10**4))], RATIONALS)
    assert float(claim.measure(small).values[0]) < 0
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    found = necessity(claim, SMOKE)
    needed = {need.hypothesis for need in found.needs if need.needed}
    assert {"standard normal weights", "standard normal inputs"} <= needed
