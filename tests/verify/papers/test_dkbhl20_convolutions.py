"""Convolutional networks: PyTorch's layers as the other implementation, and what they judge."""

from dataclasses import replace

import pytest
import torch

from verify.core.experiment import Measured, Setting
from verify.core.experiment_store import ExperimentStore
from verify.papers.dkbhl20 import centring
from verify.papers.dkbhl20.convolution_training import Convolutions, initial, pooled_after
from verify.papers.dkbhl20.designs import Design, Training
from verify.papers.dkbhl20.perceptron_training import data, surrogate, train
from verify.papers.dkbhl20.perceptrons import trained
from verify.papers.dkbhl20.training_figures import CONVOLUTIONS, Sizes, with_convolutions

SETTING = Setting(seed=5, scale=0, device="cpu")


def design(depth=3, width=4, normalisation="centred", law="standard"):
    return Design(depth, width, normalisation, law, kind="convolution")


@pytest.mark.parametrize("normalisation", ["none", "centred", "plain"])
def test_a_stack_is_the_network_of_pytorch(normalisation):
    stack = initial(design(normalisation=normalisation), 2, 1, "cpu")
    inputs = torch.randn(2, 64, 5, generator=torch.Generator().manual_seed(0))
    found = stack.last(inputs)
    for k in range(2):
        hidden = inputs[k].T.reshape(5, 1, 8, 8)
        for number, (weight, bias) in enumerate(
            zip(stack.weights[:-1], stack.biases[:-1], strict=True)
        ):
            layer = torch.nn.Conv2d(hidden.shape[1], 4, 3, padding=1)
            layer.weight.data = weight[k].reshape(4, -1, 3, 3)
            layer.bias.data = bias[k, :, 0]
            hidden = layer(hidden)
            if normalisation == "centred":
                hidden = torch.nn.BatchNorm2d(4, affine=False)(hidden)
            if normalisation == "plain":
                square = hidden.square().mean(dim=(0, 2, 3), keepdim=True)
                hidden = hidden / (square + 1e-5).sqrt()
            hidden = torch.nn.functional.relu(hidden)
            if number < 2:
                hidden = torch.nn.functional.avg_pool2d(hidden, 2)
        expected = hidden.mean(dim=(2, 3)).T
        assert torch.allclose(found[k], expected, atol=1e-5)
    assert found.shape == (2, 4, 5)


def test_where_places_are_averaged():
    assert [sorted(pooled_after(depth)) for depth in (1, 2, 3, 8)] == [[], [1], [1, 2], [2, 5]]


def test_both_laws_have_their_ranges_and_one_start():
    standard, positive = (initial(design(law=law), 2, 3, "cpu") for law in ("standard", "positive"))
    for one, other in zip(standard.weights[:-1], positive.weights[:-1], strict=True):
        scale = one.shape[2] ** -0.5
        assert one.abs().max() <= scale
        assert torch.allclose(other, one + scale)
    assert torch.equal(standard.weights[-1], positive.weights[-1])


def test_networks_are_chosen_and_stay_what_they_are():
    stack = initial(design(), 3, 3, "cpu")
    chosen = stack.at([2, 2, 0])
    assert isinstance(chosen, Convolutions)
    assert torch.equal(chosen.weights[1][1], stack.weights[1][2])


def test_training_learns_and_is_that_of_each_network_alone():
    training = Training((0.05, 0.3), 60, 32, 2, 2)
    inputs, labels = data("digits", 1, "cpu")
    begun = initial(design(2, 8), 2, 1, "cpu")
    found = train(begun, training, inputs, labels, 4, probe=256)
    assert found.accuracy[-1].max() > 0.5 > 0.3 > found.accuracy[0].max()
    alone = replace(training, rates=(0.3,))
    other = train(begun, alone, inputs, labels, 4, probe=256)
    assert other.loss[-1, :, 0] == pytest.approx(found.loss[-1, :, 1], rel=1e-2)
    hidden = begun.last(inputs[:, :256].expand(2, -1, -1))
    assert surrogate(hidden).numpy() == pytest.approx(found.r[0, :, 0], rel=1e-4)


def test_a_design_says_what_is_trained(tmp_path):
    training = Training((0.1,), 2, 8, 1, 2)
    setting = replace(SETTING, kept=ExperimentStore(tmp_path))
    one = trained(design(2, 4), training, "digits", setting)
    two = trained(Design(2, 4, "centred"), training, "digits", setting)
    again = trained(design(2, 4), training, "digits", setting)
    assert (one.arrays["loss"] == again.arrays["loss"]).all()
    assert (one.arrays["loss"] != two.arrays["loss"]).all()


def test_both_kinds_must_agree_at_full_size():
    def seen(setting, sizes=None):
        return Measured(sizes is None, "said.", ("scope",), {"kind": sizes is None})

    full = replace(SETTING, scale=2)
    found = with_convolutions(seen, full)
    assert not found.agrees
    assert found.summary == "On perceptrons: said. On convolutional networks: said."
    assert with_convolutions(seen, SETTING) == seen(SETTING)
    assert CONVOLUTIONS.kind == "convolution"


def test_centring_is_compared_at_every_depth(tmp_path, monkeypatch):
    sizes = Sizes(6, (1, 2), Training((0.1, 0.5), 40, 32, 2, 2), kind="convolution")
    setting = replace(SETTING, kept=ExperimentStore(tmp_path))
    found = centring.same_convolutions(setting, sizes)
    assert "convolutional networks (3 x 3) with channels: 6" in found.scope[0]
    assert not found.agrees  # forty steps are too few
    monkeypatch.setattr(centring, "LEARNT", 0.1)
    monkeypatch.setattr(centring, "ALIKE", 1.0)
    assert centring.same_convolutions(setting, sizes).agrees
    monkeypatch.setattr(centring, "ALIKE", 0.0)
    assert not centring.same_convolutions(setting, sizes).agrees
