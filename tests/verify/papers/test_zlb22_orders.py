"""zlb22, Theorem 3.8, ReLU and several outputs: orders, by hand and measured."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch

from numerics.curvature.architectures import fully_connected
from numerics.curvature.balls import Vertex
from numerics.curvature.networks import draw
from numerics.curvature.products import hessians
from numerics.curvature.remainders import kink_moves, linearisation
from numerics.curvature.wirings import generator_of
from tests.verify.arrays import entries_of
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.kinds.statistics.exponents import vanishing
from verify.kinds.statistics.slopes import slopes_of
from verify.methods.context import Context
from verify.methods.exponents import exponents
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.zlb22 import ladders, pre_activations, relu, several_outputs
from verify.papers.zlb22.settings import Setting

F = Fraction
CI, SMOKE = (Context(BUDGETS[name]) for name in ("ci", "smoke"))
MODULES = (pre_activations, relu, several_outputs)
CLAIMS = {claim.id.removeprefix("zlb22."): claim for module in MODULES for claim in module.CLAIMS}


# by hand -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("s", "printed", "mended"),
    [("1/3", F(-1, 3), 0), ("1/2", 0, F(1, 3)), ("5/12", F(-1, 6), F(1, 6)), ("1/4", None, None)],
)
def test_crossing_kinks(s, printed, mended):
    case = Tensors({"s": tensor((), s)})
    for name, left in (("remReLU@B", printed), ("remReLU@B.fix", mended)):
        found = [value for _, value in entries_of(CLAIMS[name], case)]
        assert found == ([] if left is None else [left])  # with 1/4 it leaves the ball


def test_the_tensor_by_hand():
    # |s| |u| |v| (|H_1| + |H_2|) = 5 sqrt(2) 3 (2 + 1) against 3 (1, 1).(6, 0) + 4 (1, 1).(0, 3)
    one = tensor(("k", "p", "q"), [[[2, 0], [0, 0]], [[0, 0], [1, 0]]])
    case = Tensors(
        {
            "H": one,
            "u": tensor(("p",), [1, 1]),
            "v": tensor(("q",), [3, 0]),
            "s": tensor(("k",), [3, 4]),
        }
    )
    ((_, found),) = entries_of(CLAIMS["corC.1.norm"], case)
    assert float(found.low) == pytest.approx(45 * 2**0.5 - 30)


# verdicts ----------------------------------------------------------------------------------------
def test_what_is_false_is_refuted_with_a_certificate():
    found = pointwise(CLAIMS["remReLU@B"], CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


@pytest.mark.parametrize("name", ["remReLU@B.fix", "corC.1.norm"])
def test_what_is_mended_or_true_is_not(name):
    assert pointwise(CLAIMS[name], CI).outcome is Outcome.SUPPORTS


def test_the_ball_is_needed():
    needs = {need.hypothesis: need for need in necessity(CLAIMS["remReLU@B.fix"], CI).needs}
    assert needs["the move in the ball"].certificate is not None


def test_the_sum_over_outputs_is_proved():
    assert schema(CLAIMS["corC.1.norm"], CI).outcome is Outcome.ARGUES
    assert all(step.holds for step in CLAIMS["corC.1.norm"].proof().steps)


# measured ----------------------------------------------------------------------------------------
def torch_generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_neurons_of_each_inner_layer_are_measured():
    found = pre_activations.of_neurons(Setting("fcn", 4, "tanh"), 8, 2, np.random.default_rng(0))
    assert set(found) == {pre_activations.layer_name(2), pre_activations.layer_name(3)}
    assert all((array > 0).all() for array in found.values())


def test_the_remainder_of_relu_falls_like_the_sixth_root():
    widths, logs = (300, 1800, 10_800), []
    x = torch.ones(1, 1, dtype=torch.float64)
    for width in widths:
        networks = draw(fully_connected([1, width, 1], "relu"), 6, torch_generator(width))
        linear = linearisation(networks, Vertex(x))
        found = [linear.remainder(move)[0].abs() for move in kink_moves(linear, 1.0)]
        logs.append(torch.stack(found).amax(dim=0).log().numpy())
    slope = slopes_of(widths, np.stack(logs, axis=1)).mean()
    assert -0.25 < slope < -0.1  # m^(-1/6), and not m^(-1/2)


def test_the_norm_of_the_tensor_is_that_of_all_mixtures():
    own = generator_of(np.random.default_rng(0))
    architecture = fully_connected([ladders.INPUTS, 5, 4, 2], "tanh")
    networks = draw(architecture, 3, own)
    found, place = several_outputs.tensor_norms(networks, own)
    target = ladders.target_of()
    dense = [hessians(replace(target, vertex=k).at(networks))[:, 0] for k in range(2)]
    angles = torch.linspace(0, torch.pi, 400, dtype=torch.float64)
    mixed = [a.cos() * dense[0] + a.sin() * dense[1] for a in angles]
    largest = torch.stack([torch.linalg.matrix_norm(m, ord=2) for m in mixed]).amax(dim=0)
    single = torch.stack([torch.linalg.matrix_norm(m, ord=2) for m in dense])
    assert bool((found <= largest * (1 + 1e-4)).all())
    assert bool((found >= 0.97 * largest).all())
    assert bool((found >= single.amax(dim=0) * 0.98).all())
    forms = [torch.einsum("sp,spq,sq->s", place, m, place) for m in dense]
    torch.testing.assert_close(torch.stack(forms).norm(dim=0), found, rtol=0.05, atol=0)


def test_ladders_of_relu_and_outputs_run():
    for name in ("remReLU@A", "remReLU@C", "corC.1.rate", "thm3.8@A"):
        for family in CLAIMS[name].exponents.families(0)[:1]:
            found = family.values(8, 2, np.random.default_rng(1))
            wanted = {p.quantity for p in CLAIMS[name].exponents.predicted}
            assert wanted & set(found), name


def test_that_it_tends_to_0_is_not_said_of_what_does_not():
    kept = replace(
        CLAIMS["remReLU@C"].exponents,
        families=lambda scale: tuple(
            replace(f, values=lambda m, s, g: {ladders.REST: g.uniform(1, 2, s)}, shared="")
            for f in relu.with_relu(0)[:1]
        ),
        predicted=(vanishing(ladders.REST),),
    )
    found = exponents(replace(CLAIMS["remReLU@C"], exponents=kept), SMOKE)
    assert found.outcome is Outcome.INCONCLUSIVE
