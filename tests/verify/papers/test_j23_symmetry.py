"""Section 5: by hand, against autograd, and what the engine says."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch

from graphs.arithmetic import RATIONALS, as_fraction
from verify.checker.restated import check
from verify.deep_scene import RealTensors
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import symmetry, symmetry_cases, symmetry_task
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import Tensor

CONTEXT = Context(budget_named("smoke"), 2, "cpu")
PROVED = [claim for claim in (*symmetry.CLAIMS, *symmetry_task.CLAIMS) if claim.proof is not None]


def drawn(seed, pool=symmetry_cases.POOL, *repairs):
    random = Random(seed)
    case = pool.draw(random)
    for hypothesis in repairs:
        case = hypothesis.repair(case, random)
    return case


def numbers(array):
    return np.array([float(as_fraction(x)) for x in np.asarray(array, dtype=object).reshape(-1)])


@pytest.mark.parametrize("seed", range(6))
def test_gradient_and_hessian_agree_with_autograd(seed):
    case = drawn(seed)
    scene = RealTensors.scene([case], RATIONALS)
    d = case.lengths["d"]
    w, v, noise = (torch.tensor(numbers(scene[name]).tolist()).double() for name in "wvE")

    def cost(x):
        target = torch.outer(w, w) + noise.reshape(d, d)
        return ((torch.outer(x, x) - target) ** 2).sum()

    found = numbers(symmetry_cases.cost(scene, scene["v"]))[0]
    assert found == pytest.approx(float(cost(v)))
    slope = torch.autograd.functional.jacobian(cost, v)
    np.testing.assert_allclose(numbers(symmetry_cases.gradient(scene, scene["v"])), slope.numpy())
    bend = torch.autograd.functional.hessian(cost, v)
    found = numbers(symmetry_cases.hessian(scene, scene["v"]))
    np.testing.assert_allclose(found, bend.numpy().reshape(-1), atol=1e-9)


def test_one_dimension_by_hand():
    # d = 1, w = 1, E = 0: C(v) = (v^2 - 1)^2, C' = 4 v (v^2 - 1); v = 2, eta = 1/24: v' = 1
    parts = {
        name: Tensor(axes, (1,) * len(axes), (Fraction(value),))
        for name, axes, value in (
            ("w", ("d",), 1),
            ("v", ("d",), 2),
            ("E", ("d", "d"), 0),
            ("Q", ("d", "d"), -1),
            ("eta", (), Fraction(1, 24)),
        )
    }
    scene = RealTensors.scene([RealTensors(parts)], RATIONALS)
    assert numbers(symmetry_cases.cost(scene, scene["v"])).tolist() == [9]
    assert numbers(symmetry_cases.stepped(scene, scene["v"])).tolist() == [1]
    assert numbers(symmetry.rate(scene, "along")).tolist() == [-2 * 2 * 24]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_arguments_hold_and_use_hypotheses_of_the_claim(claim):
    argument = claim.proof()
    assert argument.holds
    assert {h.name for h in claim.hypotheses} >= set(argument.uses)


def test_an_argument_notices_a_wrong_exponent(monkeypatch):
    from verify.papers.j23 import symmetry_proofs as proofs

    right = proofs.Plane.gradient
    monkeypatch.setattr(proofs.Plane, "gradient", lambda self, v: right(self, v).times(2))
    assert not proofs.evolution("along").holds
    assert not proofs.statistics().holds


@pytest.mark.parametrize("name", ["inv.rotation", "ode.across@A", "loss.exact"])
def test_every_hypothesis_is_needed_and_certified(name):
    claim = find(f"j23.sym.{name}")
    found = necessity(claim, Context(replace(budget_named("ci"), necessity_draws=40), 1, "cpu"))
    needed = [need for need in found.needs if need.needed]
    assert len(needed) == len(claim.hypotheses)
    assert all(check(need.certificate).code == 0 for need in needed)


def test_a_single_output_refutes_rank_two():
    found = pointwise(find("j23.sym.rank2@A"), CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


def test_with_two_outputs_the_rank_is_two_almost_everywhere():
    claim = find("j23.sym.rank2@A.fix")
    seen = sum(
        judge_exactly(claim, drawn(seed, symmetry_cases.STEPS, *claim.hypotheses)).admitted
        for seed in range(20)
    )
    assert seen >= 10


@pytest.mark.parametrize("name", ["inv.noise", "ode.along.noise", "loss.noise"])
def test_bounds_for_noise_are_met_and_not_idle(name):
    """A hundredth of the constant would be violated."""
    claim = find(f"j23.sym.{name}")
    least = 1.0
    for seed in range(40):
        judged = judge_exactly(claim, drawn(seed, symmetry_cases.POOL, *claim.hypotheses))
        assert not judged.violations
        least = min(least, judged.slack)
    assert least < 0.99
