"""Training of perceptrons: PyTorch as the other implementation, and criteria that can fail."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from verify.core.claim import Kind
from verify.core.experiment import Measured, Setting
from verify.core.experiment_store import ExperimentStore
from verify.papers.dkbhl20 import (
    aligned_gradients_figure,
    perceptron_training,
    perceptrons,
    training_figures,
)
from verify.papers.dkbhl20.aligned_gradients_figure import (
    FIG10,
    gradients_align,
    large_rates_do_not_help,
    noise_takes_the_same_path,
)
from verify.papers.dkbhl20.designs import Design, Training
from verify.papers.dkbhl20.perceptron_training import Stack, alignment, data, initial, surrogate
from verify.papers.dkbhl20.perceptrons import Trained, trained
from verify.papers.dkbhl20.training_figures import (
    FIG1,
    FIG5,
    Sizes,
    centring_does_not_matter,
    deep_vanilla_learns_nothing,
    interval,
    normalised_drops_mildly,
    positive_weights_learn_slowly,
    with_clusters,
)

CLAIMS = (*training_figures.CLAIMS, *aligned_gradients_figure.CLAIMS)

SETTING = Setting(seed=5, scale=0, device="cpu")
RATES = (0.01, 0.1, 1.0, 10.0)
SIZES = Sizes(4, (2, 12), Training(RATES, 10, 8, 2, 3))


# networks ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("normalisation", ["none", "centred"])
def test_a_stack_is_the_network_of_pytorch(normalisation):
    stack = initial(Design(3, 5, normalisation), 2, 1, "cpu")
    inputs = torch.randn(64, 7)
    for k in range(2):
        hidden = inputs.T
        for weight, bias in zip(stack.weights[:-1], stack.biases[:-1], strict=True):
            hidden = torch.nn.functional.linear(hidden, weight[k], bias[k, :, 0])
            if normalisation == "centred":
                hidden = torch.nn.BatchNorm1d(5, affine=False)(hidden)
            hidden = torch.nn.functional.relu(hidden)
        expected = torch.nn.functional.linear(
            hidden, stack.weights[-1][k], stack.biases[-1][k, :, 0]
        )
        found = stack.logits(stack.last(inputs.expand(2, -1, -1)))[k].T
        assert torch.allclose(found, expected, atol=1e-5)


def test_rows_without_centring_have_unit_mean_square():
    stack = Stack([3 * torch.eye(2)[None]] * 2, [torch.zeros(1, 2, 1)] * 2, "plain")
    hidden = stack.layer(0, torch.tensor([[[1.0, 2.0], [3.0, 3.0]]]))
    assert hidden.square().mean(dim=2).tolist() == [pytest.approx([1, 1], rel=1e-4)]
    assert hidden[0, 1].tolist() == pytest.approx([1, 1], rel=1e-4)  # centred it would be 0


def test_one_step_of_sgd_is_that_of_torch_optim(monkeypatch):
    inputs, labels = data("digits", 0, "cpu")
    training = Training((0.1, 0.5), 3, 16, 1, 2)
    begun = initial(Design(1, 6), 2, 4, "cpu")
    course = perceptron_training.train(begun, training, inputs, labels, 9, keep_places=True)
    generator = torch.Generator().manual_seed(9)
    parameters = [p[1].clone().requires_grad_() for p in begun.parameters()]  # of the second seed
    optimiser = torch.optim.SGD(parameters, lr=0.5)
    for _ in range(3):
        index = torch.randint(inputs.shape[1], (2, 16), generator=generator)[1]
        first, last, bias, offset = parameters
        logits = last @ (first @ inputs[:, index] + bias).relu() + offset
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(logits.T, labels[index]).backward()
        optimiser.step()
    flat = torch.cat([p.detach().flatten() for p in parameters])
    assert torch.allclose(course.places[-1][3], flat, atol=1e-6)  # seed 1, rate 1
    assert not torch.allclose(course.places[-1][2], flat, atol=1e-3)
    assert course.loss.shape == (2, 2, 2)


def test_positive_weights_have_the_standard_variance():
    inputs = [
        initial(Design(2, 64, law=law), 1, 0, "cpu").weights[1] for law in ("standard", "positive")
    ]
    assert inputs[1].min() >= 0
    assert [float(w.var() * 64) for w in inputs] == pytest.approx([1 / 3, 1 / 3], rel=0.05)


def test_surrogate_and_alignment_by_hand():
    hidden = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [1.0, 2.0]], [[0.0, 0], [0, 0]]])
    assert surrogate(hidden).tolist() == pytest.approx([2, 1, 0])
    assert surrogate(1e-30 * hidden).tolist() == pytest.approx([2, 1, 0])
    columns = torch.tensor([[[1.0, 1.0, -2.0], [0.0, 1.0, 0.0]]])  # |cos|: 1/sqrt 2, 1, 1/sqrt 2
    assert float(alignment(columns)) == pytest.approx((1 + 2**0.5) / 3)


def test_alignment_is_that_of_gradients():
    stack = initial(Design(2, 6), 1, 3, "cpu")
    inputs, labels = data("clusters", 0, "cpu")
    rows = []
    for n in range(4):
        weight = stack.weights[-1].requires_grad_()
        logits = stack.logits(stack.last(inputs[None, :, n : n + 1]))
        loss = torch.nn.functional.cross_entropy(logits, labels[None, n : n + 1])
        rows.append(torch.autograd.grad(loss, weight)[0][0, 7])
    rows = torch.nn.functional.normalize(torch.stack(rows), dim=1)
    expected = float(((rows @ rows.T).abs().sum() - 4) / 12)
    found = float(alignment(stack.last(inputs[None, :, :4])))
    assert found == pytest.approx(expected, abs=1e-5)


def test_data_have_ten_classes_and_unit_variance():
    for name in ("digits", "clusters", "noise"):
        inputs, labels = data(name, 1, "cpu")
        assert inputs.shape == (64, len(labels))
        assert len(labels.unique()) == 10
        assert 0.9 < float(inputs.var()) < 1.1


def test_overflow_counts_as_chance():
    stack = initial(Design(1, 3), 1, 0, "cpu")
    stack.weights[0][:] = float("inf")
    loss, accuracy, r, cosine = perceptron_training.measured(stack, *data("digits", 0, "cpu"))
    assert [float(v) for v in (loss, accuracy, r, cosine)] == pytest.approx([np.log(10), 0.1, 1, 1])


def test_trainings_are_kept_with_their_paths(tmp_path, monkeypatch):
    setting = replace(SETTING, kept=ExperimentStore(tmp_path))
    training = Training((0.1, 0.2), 4, 8, 2, 2)
    one = trained(Design(2, 4), training, "digits", setting, noise=True)
    assert {"apart", "moved", "noise_loss"} <= set(one.arrays)
    assert (one.arrays["apart"][0] == 0).all()
    assert (one.arrays["apart"][-1] > 0).all()
    assert (one.arrays["moved"][-1] > 0).all()
    monkeypatch.setattr(perceptrons, "_arrays", lambda *_: pytest.fail("trained again"))
    again = trained(Design(2, 4), training, "digits", setting, noise=True)
    assert all(np.array_equal(again.arrays[name], one.arrays[name]) for name in one.arrays)


# criteria ----------------------------------------------------------------------------------------
def made(design, accuracy, *, cosine=0.3, apart=1.0, gap=0.0):
    """Three seeds, 0.002 apart in accuracy, and the same at both records and all rates."""
    whole = np.ones((3, 3, 4))
    values = whole * (accuracy + np.array([-0.002, 0, 0.002])[:, None])
    arrays = {"steps": np.array([0, 5, 10]), "accuracy": values, "loss": whole, "r": whole}
    arrays |= {"cosine": cosine * whole, "apart": apart * whole, "moved": whole}
    return Trained(design, SIZES.training, arrays | {"noise_loss": whole + gap})


def agrees(monkeypatch, run, accuracies, **more):
    """accuracies: by normalisation, law and depth."""

    def of(design, *_, **__):
        accuracy = accuracies[design.normalisation, design.law, design.depth]
        return made(design, accuracy, **(more if design.normalisation == "none" else {}))

    monkeypatch.setattr(training_figures, "trained", of)
    return run(SETTING, SIZES).agrees


STANDARD = {
    ("none", "standard", 2): 0.9,
    ("none", "standard", 12): 0.1,
    ("centred", "standard", 2): 0.95,
    ("centred", "standard", 12): 0.9,
    ("centred", "positive", 2): 0.9,
    ("centred", "positive", 12): 0.3,
    ("plain", "standard", 2): 0.9,
    ("plain", "standard", 12): 0.85,
}
PARTS = (
    deep_vanilla_learns_nothing,
    normalised_drops_mildly,
    positive_weights_learn_slowly,
    centring_does_not_matter,
)


@pytest.mark.parametrize("run", PARTS)
def test_numbers_as_the_paper_says(monkeypatch, run):
    assert agrees(monkeypatch, run, STANDARD)


@pytest.mark.parametrize(
    ("run", "change"),
    [
        (PARTS[0], {("none", "standard", 12): 0.4}),
        (PARTS[0], {("none", "standard", 2): 0.1}),
        (PARTS[1], {("centred", "standard", 12): 0.8}),
        (PARTS[2], {("centred", "positive", 12): 0.75}),
        (PARTS[3], {("plain", "standard", 2): 0.8}),
    ],
)
def test_other_numbers(monkeypatch, run, change):
    assert not agrees(monkeypatch, run, STANDARD | change)


GOOD = {"cosine": 0.9999, "apart": 0.01}


@pytest.mark.parametrize(
    ("run", "more", "change"),
    [
        (gradients_align, {"cosine": 0.9}, {}),
        (gradients_align, {}, {("none", "standard", 12): 0.5}),
        (noise_takes_the_same_path, {"apart": 0.2}, {}),
        (noise_takes_the_same_path, {"gap": 0.3}, {}),
        (large_rates_do_not_help, {}, {("none", "standard", 12): 0.5}),
    ],
)
def test_figure_10(monkeypatch, run, more, change):
    assert agrees(monkeypatch, run, STANDARD, **GOOD)
    assert not agrees(monkeypatch, run, STANDARD | change, **(GOOD | more))


def test_the_best_rate_is_that_of_the_final_accuracy():
    accuracy = np.zeros((2, 2, 3))
    accuracy[0, :, 0], accuracy[1, :, 1] = 0.9, (0.4, 0.6)
    one = Trained(Design(1, 2), Training((1, 2, 3), 1, 1, 1, 2), {"accuracy": accuracy})
    assert one.best == 1
    assert one.final().tolist() == [0.4, 0.6]
    assert one.along().tolist() == [0.4, 0.6]
    assert interval(one.final())[0] == pytest.approx(0.5 - 12.706 * 0.1, rel=1e-3)


def test_sizes_have_depths_on_both_sides_of_ten_and_rates_to_multiply():
    for sizes in FIG1:
        assert min(sizes.depths) <= 10 < max(sizes.depths)
    for sizes in FIG10:
        rates = sizes.training.rates
        assert [100 * rate for rate in rates[:2]] == pytest.approx(list(rates[2:]))
    assert all(sizes.training.seeds > 1 for sizes in (*FIG1, *FIG5, *FIG10))


def test_every_claim_is_an_experiment_with_a_run():
    assert {claim.ledger_id for claim in CLAIMS} == {f"dkbhl20.fig{n}" for n in (1, 5, 10)}
    assert all(claim.kind is Kind.EXPERIMENT and claim.experiment for claim in CLAIMS)


def test_clusters_stand_beside_the_digits_in_between():
    def seen(setting, sizes=None):
        data = "digits" if sizes is None else sizes.data[0]
        return Measured(data == "digits", f"{data}.", (data,), {data: 1})

    found = with_clusters(seen, replace(SETTING, scale=1))
    assert found.agrees
    assert found.scope == ("digits", "beside it, not judged: clusters")
    assert found.figures == {"digits": 1, "clusters": 1}
    assert "not met with Gaussian clusters" in found.summary
    assert with_clusters(seen, SETTING) == seen(SETTING)


@pytest.mark.parametrize(("width", "threads"), [(4, 1), (512, 2)])
def test_small_networks_are_trained_on_one_thread(monkeypatch, width, threads):
    seen = []
    monkeypatch.setattr(perceptrons, "_arrays", lambda *_: seen.append(torch.get_num_threads()))
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        trained(Design(2, width), Training((0.1,), 2, 64, 1, 2), "digits", SETTING)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert seen == [threads]
