"""Plain floats as an arithmetic: the numbers that balls enclose, and their derivatives."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, TANH
from graphs.evaluation import Union, evaluate
from graphs.families import fully_connected
from graphs.strategies import ALL_KINDS, activations, inputs_for, networks, weights_for
from numerics.enclosures import Balls
from numerics.floats import FloatArray, Floats
from numerics.losses import LOSSES

FLOATS, BALLS = Floats(), Balls()
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def leaf(numbers):
    return FloatArray(torch.tensor(numbers, dtype=torch.float64, requires_grad=True))


def close(floats, balls):
    """Whether floats are the balls' midpoints, to rounding."""
    middle, radius = balls.to_numpy()
    return np.all(np.abs(floats.to_numpy() - middle) <= 4 * radius + 1e-300)


@st.composite
def networks_with_numbers(draw, kinds):
    net = draw(networks(activations=activations(kinds), sharing=True, constants=True, scaling=True))
    rows = [draw(inputs_for(net)) for _ in range(2)]
    return net, draw(weights_for(net)), rows


# values -------------------------------------------------------------------------------------
def evaluated(arithmetic, net, weights, rows):
    columns = [list(column) for column in zip(*rows, strict=True)]
    edge_weights = arithmetic.array(net.edge_weights(weights))
    return evaluate(Union.of([net]), arithmetic, edge_weights, arithmetic.array(columns))


@pytest.mark.parametrize("device", DEVICES)
@settings(max_examples=30)
@given(networks_with_numbers(ALL_KINDS))
def test_networks_have_the_values_that_balls_enclose(device, data):
    ours, balls = (evaluated(a, *data) for a in (Floats(device), Balls(device)))
    for name in ("pre", "post", "outputs", "output_sensitivities", "edge_gradients"):
        if not balls.kinks.any():  # at a kink a ball has both slopes
            assert close(getattr(ours, name), getattr(balls, name)), name


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(0, 2**32))
def test_matrices_have_the_eigenvalues_that_balls_enclose(size, seed):
    random = Random(seed)
    rows = [[Fraction(random.randint(-9, 9), 4) for _ in range(size)] for _ in range(3 * size)]
    ours, balls = (a.array(rows).reshape(3, size, size) for a in (FLOATS, BALLS))
    ours, balls = (m.swapaxes(1, 2) @ m for m in (ours, balls))
    assert close(FLOATS.largest_eigenvalues(ours), BALLS.largest_eigenvalues(balls))
    assert close(FLOATS.maximum(ours, -ours), BALLS.maximum(balls, -balls))
    assert close(FLOATS.join([ours, ours], 2), BALLS.join([balls, balls], 2))
    assert close(abs(ours - 2 * ours / 3).sum(1), abs(balls - 2 * balls / 3).sum(1))


def test_an_eigenvalue_of_no_number_is_none():
    matrices = FloatArray(torch.tensor([[[torch.nan]], [[3.0]]], dtype=torch.float64))
    assert np.isnan(FLOATS.largest_eigenvalues(matrices).to_numpy()).tolist() == [True, False]


@pytest.mark.parametrize("loss", ["logistic", "exponential", "squared", "hinge"])
def test_losses_have_the_slopes_that_balls_enclose(loss):
    margins = [Fraction(k, 3) for k in (-40, -2, 1, 5, 40)]
    ours, balls = (a.loss_derivative(LOSSES[loss], a.array(margins)) for a in (FLOATS, BALLS))
    assert close(ours, balls)


def test_scattered_sums_change_the_array_itself_also_in_a_view():
    target = FLOATS.array([[1, 2], [3, 4]])
    FLOATS.add_at(target[0:1], np.array([0, 0]), FLOATS.array([[10, 20], [100, 200]]))
    assert target.to_numpy().tolist() == [[111, 222], [3, 4]]


def test_numpy_arrays_and_rationals_on_either_side():
    ours = FLOATS.array([Fraction(1, 2), Fraction(1, 4)])
    thirds = np.array([Fraction(1, 3), Fraction(2, 3)], dtype=object)
    for result in (ours * thirds, thirds * ours):
        assert result.to_numpy().tolist() == [1 / 6, 1 / 6]
    assert (thirds - ours).to_numpy().tolist() == [1 / 3 - 1 / 2, 2 / 3 - 1 / 4]
    assert (1 - ours).to_numpy().tolist() == [0.5, 0.75]
    assert (ours / 2).to_numpy().tolist() == [0.25, 0.125]


def test_an_unknown_activation_is_refused():
    with pytest.raises(ValueError, match="use tanh"):
        FLOATS.smooth("sine", FLOATS.array([1]))


# derivatives --------------------------------------------------------------------------------
@settings(max_examples=30)
@given(networks_with_numbers(("linear", "relu", "leaky_relu", "abs", "tanh", "softplus")))
def test_torch_and_the_backward_pass_agree(data):
    """d nu(x_1) / dw of torch, through the forward pass, and of the backward pass itself."""
    net, weights, rows = data
    numbers = leaf([float(w) for w in net.edge_weights(weights)])
    columns = FLOATS.array([list(column) for column in zip(*rows, strict=True)])
    found = evaluate(Union.of([net]), FLOATS, numbers, columns)
    if found.outputs.values.requires_grad:
        (slopes,) = torch.autograd.grad(found.outputs.values[0, 0], numbers.values)
        ours = found.edge_gradients.to_numpy()[:, 0]
        assert np.allclose(slopes.numpy(), ours, rtol=1e-12, atol=1e-12)


def second_derivatives(numbers):
    """The sum of squares of d nu(x) / dw of o = tanh(a h), h = b x: it goes through both passes."""
    net = fully_connected([1, 1, 1], LINEAR, TANH)
    found = evaluate(Union.of([net]), FLOATS, numbers, FLOATS.array([[1]]))
    return (found.edge_gradients * found.edge_gradients).sum()


def test_derivatives_of_gradients_are_difference_quotients():
    point, step = np.array([0.7, -1.3]), 1e-6
    numbers = leaf(point.tolist())
    (slopes,) = torch.autograd.grad(second_derivatives(numbers).values, numbers.values)
    for k in range(2):
        sides = [
            second_derivatives(leaf((point + sign * step * np.eye(2)[k]).tolist())).to_numpy()
            for sign in (1, -1)
        ]
        assert slopes[k] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=1e-8)


def test_the_derivative_of_an_eigenvalue_by_hand():
    """lambda of [[3, 1], [1, 3]] is 4 with eigenvector (1, 1)/sqrt 2; at a double one, some
    eigenvector's."""
    matrices = leaf([[[3.0, 1.0], [1.0, 3.0]], [[2.0, 0.0], [0.0, 2.0]]])
    values = FLOATS.largest_eigenvalues(matrices)
    assert values.to_numpy().tolist() == pytest.approx([4, 2])
    (slopes,) = torch.autograd.grad(values.values.sum(), matrices.values)
    assert slopes[0].numpy() == pytest.approx(np.full((2, 2), 0.5))
    assert float(slopes[1].trace()) == pytest.approx(1.0)


def test_derivatives_pass_through_what_is_written_in_place():
    numbers = leaf([2.0, 3.0])
    total = FLOATS.zeros(3)
    total[[0, 2]] = numbers * numbers
    FLOATS.add_at(total, np.array([2, 2]), numbers)
    summed = FLOATS.sum_at(total * total, np.array([0, 0, 1]), 2)  # a^4, (b^2 + a + b)^2
    (slopes,) = torch.autograd.grad(summed.values.sum(), numbers.values)
    assert slopes.tolist() == pytest.approx([4 * 8 + 2 * 14, 2 * 14 * 7])
