"""zlb22, families without one hypothesis: which one each violates, and norms in closed form."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from numerics.curvature.balls import Vertex
from numerics.curvature.passes import forward
from numerics.curvature.products import gradient, hessians
from numerics.curvature.wirings import generator_of, points
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.exponents import contrasted
from verify.papers.registry import find
from verify.papers.zlb22 import contrasts, ladders, layer_rates, several_outputs, shared_weights
from verify.papers.zlb22 import width_hypotheses as asked
from verify.papers.zlb22.contrasts import Dropped
from verify.papers.zlb22.settings import Setting
from verify.papers.zlb22.width_hypotheses import Looked

SEEDS = 16
X = ladders.target_of().points[0]
RHO = float(X.square().mean().sqrt())
WITHOUT = {
    "thm3.6@A": contrasts.OF_THEOREM,
    "corC.1.rate": contrasts.OF_OUTPUTS,
    "lemB.1.spectral@A": contrasts.OF_LEMMA,
    "lemB.1.frobenius@A": contrasts.OF_LEMMA,
    "thmE.1": (contrasts.SHARED,),
}
ALL = [(name, one) for name, table in WITHOUT.items() for one in table]
SETTINGS = [
    Setting(kind, depth, activation)
    for kind, depth, activation, _ in (*ladders.FULL, *ladders.PLAIN)
]


def own(seed=0):
    return generator_of(np.random.default_rng(seed))


def drawn(setting, width, seeds=SEEDS):
    return setting.wiring(width, seeds, generator := own(width)).draw(seeds, generator)


def looked(one, width, seeds=SEEDS):
    return one.looked(width, drawn(one.at(width), width, seeds))


def violated(claim, along):
    """The hypotheses of a claim that fail of what is looked at along a ladder."""
    return {h.name for h in claim.hypotheses if not asked_of(h, along)}


def asked_of(hypothesis, along):
    return hypothesis.test.asks_case(along)


# which hypothesis is dropped ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "one"), ALL, ids=[f"{name} {one.how} {one.setting.depth}" for name, one in ALL]
)
def test_a_family_violates_the_hypothesis_that_is_dropped_and_no_other(name, one):
    claim = find(f"zlb22.{name}")
    along = tuple(looked(one, width) for width in one.ladders[0])
    assert violated(claim, along) == {one.dropped.name}


def test_many_places_violate_the_constant_alone():
    target = Vertex(points(4, 1, "uniform"))
    arm = shared_weights.AS_MANY
    along = tuple(
        Looked(width, arm.wiring(width, 1, own()).draw(SEEDS, own()), target, 1.0)
        for width in (4, 8, 16)
    )
    assert [asked.places(at) for at in along] == [4, 8, 16]
    assert violated(find("zlb22.thmE.1"), along) == {asked.CONSTANT_SHARING.name}
    assert violated(find("zlb22.thm3.6@A"), along) == {asked.OWN_WEIGHTS.name}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_the_families_of_the_theorem_meet_all_its_hypotheses(setting):
    along = tuple(
        Looked(width, drawn(setting, width), ladders.target_of(), setting.radius)
        for width in (8, 16)
    )
    for name in ("thm3.6@A", "corC.1.rate", "lemB.1.spectral@A"):
        assert violated(find(f"zlb22.{name}"), along) == set()


@pytest.mark.parametrize("arm", shared_weights.CONSTANT, ids=lambda arm: arm.name)
def test_the_families_of_shared_weights_meet_all_hypotheses(arm):
    target = Vertex(points(arm.inputs, 1, "uniform"))
    along = tuple(
        Looked(width, arm.wiring(width, 1, own()).draw(SEEDS, own()), target, 1.0)
        for width in (6, 12)
    )
    assert violated(find("zlb22.thmE.1"), along) == set()


def test_activations_and_in_degrees_are_asked_too():
    ladder = [
        Looked(width, drawn(Setting("fcn", 3, "relu"), width), ladders.target_of(), 1.0)
        for width in (8, 16)
    ]
    claim = find("zlb22.thm3.6@A")
    assert violated(claim, tuple(ladder)) == {asked.SMOOTH.name}
    narrow = [replace(at, width=2) for at in ladder]
    assert asked.POLYNOMIAL_DEGREES.name in violated(claim, tuple(narrow))


# what they must give -----------------------------------------------------------------------------
LINEAR = Setting("fcn", 2, "linear")


def norm(one, width):
    """|H| at the centre, from the dense Hessians."""
    at = looked(one, width)
    return torch.linalg.matrix_norm(hessians(at.target.at(at.networks))[:, 0], ord=2)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (contrasts.nothing, lambda m: RHO / m**0.5),
        (contrasts.larger_input, lambda m: RHO * m ** (0.25 - 0.5)),
        (contrasts.without_factors, lambda m: float(X.norm())),
        (contrasts.factors_in_weights, lambda m: float(X.norm())),
        (contrasts.equal_at_each, lambda m: RHO / m**0.5),
    ],
)
def test_one_linear_layer_has_one_norm_everywhere(change, expected):
    # f = v u x: the Hessian does not depend on the weights
    one = Dropped(asked.AS_DEFINED, "", LINEAR, contrasts.FLAT, change)
    for width in (5, 9):
        torch.testing.assert_close(norm(one, width), torch.full((SEEDS,), expected(width)).double())


def test_factors_in_weights_leave_the_function_as_it_is():
    one = Dropped(asked.AS_DEFINED, "", LINEAR, contrasts.FLAT, contrasts.factors_in_weights)
    before, after = drawn(LINEAR, 6), looked(one, 6).networks
    for networks in (before, after):
        value = forward(networks, X[None]).preactivations[-1]
        torch.testing.assert_close(value, forward(before, X[None]).preactivations[-1])


def test_equal_weights_into_neurons_of_two_layers_bound_the_norm_below():
    # the block of the output weights v and layer 1 has the rows sigma'(z_k) h_k q / sqrt m
    (one,) = (d for d in contrasts.OF_THEOREM if d.how.endswith("equal (L = 3)"))
    at = looked(one, 12)
    seen = forward(at.networks, at.target.points)
    first, second = (seen.slopes[layer][:, 0, 0] for layer in (0, 1))
    h = at.networks.weights[1][:, :, 0]
    q = RHO * first.square().mean(dim=1).sqrt()
    bound = q * (second * h).square().mean(dim=1).sqrt()
    assert bool((norm(one, 12) >= bound * (1 - 1e-9)).all())
    assert bool((bound > 0.05).all())


def test_one_vector_for_a_layer_bounds_the_norm_below():
    # the block of v and the vector: m^(-1/2) sigma'(z) times ones times f / sqrt m
    (one,) = (d for d in contrasts.OF_THEOREM if d.change is contrasts.one_vector)
    at = looked(one, 12)
    assert at.networks.distinct == (48, 12, 12)
    seen = forward(at.networks, at.target.points)
    z = seen.preactivations[1][:, 0, 0]
    assert bool((z == z[:, :1]).all())
    size = seen.neurons[1][:, 0, 0].square().mean(dim=1).sqrt()
    bound = seen.slopes[1][:, 0, 0, 0] * size
    assert bool((norm(one, 12) >= bound * (1 - 1e-9)).all())


def test_a_bent_output_adds_the_square_of_the_gradient():
    (one,) = (d for d in contrasts.OF_THEOREM if d.change is contrasts.bent_output)
    at = looked(one, 6)
    plain = drawn(one.setting, 6)
    value = forward(plain, X[None]).preactivations[-1][:, 0, 0, 0]
    dense = hessians(ladders.target_of().at(plain))[:, 0]
    slope = gradient(ladders.target_of().at(plain))[:, 0]
    first = 1 - value.tanh().square()
    second = -2 * value.tanh() * first
    expected = first[:, None, None] * dense + second[:, None, None] * (
        slope[:, :, None] * slope[:, None, :]
    )
    torch.testing.assert_close(hessians(at.target.at(at.networks))[:, 0], expected)


def test_the_tensor_of_one_hidden_layer_is_that_of_all_mixtures():
    one = Dropped(asked.FEW_OUTPUTS, "", Setting("fcn", 2, "tanh"), contrasts.SQUARES, outputs=1)
    at = looked(one, 2)
    assert at.networks.architecture.widths == (ladders.INPUTS, 2, 2)
    found = several_outputs.tensor_of_one_layer(at, own())[several_outputs.TENSOR]
    dense = [hessians(replace(at.target, vertex=k).at(at.networks))[:, 0] for k in range(2)]
    angles = torch.linspace(0, torch.pi, 2000, dtype=torch.float64)
    mixed = [a.cos() * dense[0] + a.sin() * dense[1] for a in angles]
    largest = torch.stack([torch.linalg.matrix_norm(m, ord=2) for m in mixed]).amax(dim=0)
    torch.testing.assert_close(torch.from_numpy(found), largest, rtol=1e-5, atol=0)


def test_outputs_are_as_many_as_a_power_of_the_width():
    few, many = contrasts.OF_OUTPUTS
    assert (few.at(6).outputs, many.at(6).outputs) == (6, 36)


def test_equal_weight_vectors_align_the_jacobian():
    # all rows of dz_2/dz_1 are w^T sigma'(z_1) / sqrt m: the norm is sqrt m times that of one
    one = contrasts.OF_LEMMA[0]
    ratios = []
    for width in (16, 64):
        found = layer_rates.along(looked(one, width, 8), own())
        ratios.append(np.log(found["|df_S/dw| over its bound"]).mean())
    assert np.diff(ratios)[0] / np.log(4) > 0.3


def test_lemmas_are_measured_at_the_input_that_is_looked_at():
    at = looked(contrasts.OF_LEMMA[0], 8)
    at = replace(at, radius=0.0)
    twice = replace(at, target=replace(at.target, points=2 * at.target.points))
    first = twice.networks.weights[0] @ twice.target.points[0] / ladders.INPUTS**0.5
    second = twice.networks.weights[1] @ first.tanh()[..., None] / 8**0.5
    largest = torch.cat([first.tanh(), second[..., 0].tanh()], dim=1).abs().amax(dim=1)
    found = layer_rates.along(twice, own())["largest neuron"]
    assert found == pytest.approx(largest.numpy())
    assert (found > layer_rates.along(at, own())["largest neuron"]).any()


# what the engine says ----------------------------------------------------------------------------
def test_the_number_of_outputs_is_needed_at_small_widths():
    seen = contrasted(find("zlb22.corC.1.rate"), Context(budget_named("smoke")))
    (few, _), (many, told) = seen
    assert (few.how, many.how) == ("m outputs", "m^2 outputs")
    assert told[0].holds is False
    assert told[0].slope == pytest.approx(0.5, abs=0.15)  # m^(-1/2) sqrt(m^2)


def test_every_contrast_of_a_claim_names_one_of_its_hypotheses():
    for name in WITHOUT:
        claim = find(f"zlb22.{name}")
        names = {h.name for h in claim.hypotheses}
        for scale in range(3):
            found = claim.exponents.contrasts(scale)
            assert {one.hypothesis for one in found} <= names
            keys = [one.family.shared for one in found]
            assert len(set(keys)) == len(keys)
            assert all(keys)


def test_a_family_is_measured_at_the_centre_and_in_the_ball():
    values = partial(contrasts.values_of, contrasts.OF_THEOREM[0], contrasts.in_the_ball)
    found = values(8, 3, np.random.default_rng(0))
    assert set(found) == {ladders.CENTRE, ladders.BALL}
    assert all(array.shape == (3,) for array in found.values())
