import torch
from hypothesis import given

from numerics.deep.balance import balanced, differences, pruned, rescaled
from numerics.deep.families import gaussian
from numerics.deep.passes import layers
from tests.numerics.deep.drawn import drawn_networks


def assert_same_function(one, other, points):
    a, b = layers(one, points).outputs, layers(other, points).outputs
    assert bool(((a - b).abs() <= 1e-10 * (1 + a.abs().amax())).all())


@given(drawn_networks())
def test_balancing_keeps_the_function_and_lowers_the_norm(case):
    networks, points = case
    found = balanced(networks)
    assert_same_function(networks, found.networks, points)
    assert bool((found.defects < 1e-11).all())
    before, after = (n.squared_norms().sum(dim=1) for n in (networks, found.networks))
    assert bool((after <= before * (1 + 1e-12)).all())


@given(drawn_networks())
def test_a_rescaled_network_has_the_same_balanced_one(case):
    networks, points = case
    logarithms = [torch.randn(networks.count, n).double() for n in networks.widths[1:-1]]
    moved = rescaled(networks, logarithms)
    assert_same_function(networks, moved, points)
    a, b = (balanced(n).networks.squared_norms() for n in (networks, moved))
    torch.testing.assert_close(a, b, rtol=1e-6, atol=1e-9)


@given(drawn_networks())
def test_pruning_keeps_the_function(case):
    networks, points = case
    assert_same_function(networks, pruned(networks), points)


def test_one_neuron_by_hand():
    # 3, 4 (with the bias) enter, 10 leaves: balanced at sqrt(5 * 10) each
    generator = torch.Generator().manual_seed(0)
    networks = gaussian([1, 1, 1], 1, generator)
    networks.weights[0][:], networks.biases[0][:], networks.weights[1][:] = 3.0, 4.0, 10.0
    found = balanced(networks).networks
    assert abs(float(found.squared_norms().sum()) - 100) < 1e-9
    assert abs(float(found.weights[0]) - 3 * 2**0.5) < 1e-9
    assert float(differences(found)[0].abs()) < 1e-9


def test_fifty_layers_are_balanced_in_few_steps():
    generator = torch.Generator().manual_seed(0)
    found = balanced(gaussian([3, *[8] * 49, 2], 4, generator, biases=0.2))
    assert found.steps < 40
    assert bool((found.defects < 1e-12).all())
