from math import sqrt

import pytest
import torch

from numerics.chains import counters, inputs, laws
from numerics.chains.observables import second_moments
from numerics.chains.ranks import numerical_rank
from numerics.chains.relu import BIASES, Architecture, depth_profile


def gaussian_inputs(count, d, n):
    return inputs.full(torch.Generator().manual_seed(1), count, d, n)


@pytest.mark.parametrize("relu", [True, False])
@pytest.mark.parametrize("normalisation", ["none", "plain", "centred"])
def test_a_network_against_torch_modules(relu, normalisation):
    X = gaussian_inputs(1, 6, 40)
    widths, keys = (5, 7), counters.tensor_keys([3])
    hidden, before = X[0].T, 6
    for number, width in enumerate(widths):
        layer = torch.nn.Linear(before, width).double()
        weight = counters.weights(
            laws.torch_default(before), counters.bases(keys, number), width, before
        )[0]
        layer.weight.data = weight
        share = counters.uniforms(counters.bases(keys, BIASES + number), width)[0]
        layer.bias.data = (2 * share - 1) / sqrt(before)
        hidden = layer(hidden).detach()
        if normalisation == "centred":
            hidden = torch.nn.BatchNorm1d(width).double()(hidden).detach()
        elif normalisation == "plain":
            hidden = hidden / hidden.square().mean(dim=0).sqrt()
        hidden, before = torch.relu(hidden) if relu else hidden, width
    network = Architecture(widths, None, relu, normalisation)
    found = depth_profile(X, network, [3], (1, 2))
    M = hidden.T @ hidden / 40
    assert found.r[0, 1].item() == pytest.approx(float(M.trace() ** 2 / M.square().sum()))
    assert found.footnote[0, 1] == numerical_rank(hidden.T)
    assert found.soft_rank[0, 1] == (torch.linalg.eigvalsh(M) >= 0.5).sum()


def test_vanilla_networks_collapse_and_normalised_ones_do_not():
    X, depth = gaussian_inputs(3, 16, 16), 400
    for law in (None, laws.gaussian()):
        vanilla = depth_profile(X, Architecture((16,) * depth, law), range(3), (1, depth))
        assert vanilla.footnote[:, 0].min() > 8
        assert vanilla.footnote[:, 1].max() == 1
    kept = depth_profile(X, Architecture((16,) * depth, None, True, "centred"), range(3), (depth,))
    assert kept.footnote.min() > 8
    assert kept.r.min() > 2


def test_precisions_differ_where_they_should():
    X = gaussian_inputs(3, 32, 32)
    network = Architecture((32,) * 16, laws.gaussian(), relu=False)
    found = depth_profile(X, network, range(3), (16,))
    assert bool((found.library > found.library_single).all())
    assert bool((found.footnote <= found.library).all())


def test_activations_without_biases_may_grow_beyond_floats():
    X = gaussian_inputs(2, 8, 8)
    network = Architecture((8,) * 1500, laws.gaussian(), relu=False)
    found = depth_profile(X, network, range(2), (1, 1500))
    assert found.footnote[:, 1].tolist() == [1, 1]
    assert found.r[:, 1].tolist() == pytest.approx([1, 1])
    assert bool((found.soft_rank[:, 1] >= 2).all())  # the scale is not forgotten


def test_dead_networks():
    X = gaussian_inputs(1, 4, 4)
    dead = depth_profile(X, Architecture((1,) * 30, laws.gaussian()), range(1), (30,))
    assert dead.dead.item()
    assert (dead.r.item(), dead.footnote.item(), dead.soft_rank.item()) == (0, 0, 0)


def test_wrong_requests_are_refused():
    with pytest.raises(ValueError, match="'batch'"):
        Architecture((3,), normalisation="batch")
    with pytest.raises(ValueError, match="all positive"):
        Architecture(())
    with pytest.raises(ValueError, match="from 1 to 2"):
        depth_profile(gaussian_inputs(1, 3, 3), Architecture((3, 3)), [0], (3,))


@pytest.mark.parametrize("scale", [2.0**-3, 1.0, 2.0**3])
def test_eigenvalues_are_counted_of_the_layer_itself_and_not_of_what_is_rescaled(scale):
    X = scale * gaussian_inputs(4, 8, 8)
    law = laws.gaussian()
    keys = counters.tensor_keys(range(4))
    hidden = counters.weights(law, counters.bases(keys, 0), 8, 8) @ X
    M = second_moments(hidden)
    found = depth_profile(X, Architecture((8,), law, relu=False), range(4), (1,))
    wanted = (torch.linalg.eigvalsh(M) >= 0.5).sum(dim=1)
    assert found.soft_rank[:, 0].tolist() == wanted.tolist()
