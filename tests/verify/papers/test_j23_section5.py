"""Section 5: by hand, against autograd, and what the engine says."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
import torch

from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import Rate, dot
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import section5, section5_task
from verify.papers.j23.section5_notation import across, along, cost, gradient, stepped, v
from verify.papers.j23.section5_proofs import evolution
from verify.papers.registry import find
from verify.search.judging import judge_exactly
from verify.statements.stated import proved

CONTEXT = Context(budget_named("smoke"), 2, "cpu")
PROVED = [c for c in (*section5.CLAIMS, *section5_task.CLAIMS) if c.derivation is not None]


def case_of(w, v, eta, **steps):
    size = len(w)
    zero = [[0] * size for _ in w]
    return Tensors(
        {
            "w": tensor(("d",), w),
            "v": tensor(("d",), v),
            "E": tensor(("d", "d"), zero),
            "Q": tensor(("d", "d"), zero),
            "eta": tensor((), eta),
            **{name: tensor((), count, integer=True) for name, count in steps.items()},
        }
    )


def value(term, case, flow=None):
    """What a term is worth in a case: a number, or the numbers of an array."""
    column = Evaluation(Tensors.scene([case], RATIONALS)).column(lowered(term, flow or {}))
    found = plain(column.values, term.sort, 0)
    return list(found[1:]) if isinstance(found, tuple) else found


@pytest.mark.parametrize("seed", range(4))
def test_gradient_and_hessian_agree_with_autograd(seed):
    case = section5.POOL.draw(Random(seed))
    d = case.lengths["d"]
    arrays = {name: [float(x) for x in case.arrays[name].entries] for name in "wvE"}
    w, here, noise = (torch.tensor(arrays[name]).double() for name in "wvE")

    def loss(x):
        return ((torch.outer(x, x) - torch.outer(w, w) - noise.reshape(d, d)) ** 2).sum()

    assert float(value(cost(v), case)) == pytest.approx(float(loss(here)))
    slope = torch.autograd.functional.jacobian(loss, here)
    found = [float(x) for x in value(gradient(v), case)]
    np.testing.assert_allclose(found, slope.numpy(), atol=1e-9)
    bend = torch.autograd.functional.hessian(loss, here)
    found = [float(x) for x in value(section5_task.hessian(v), case)]
    np.testing.assert_allclose(found, bend.numpy().reshape(-1), atol=1e-9)


def test_one_dimension_by_hand():
    # d = 1, w = 1, E = 0: C(v) = (v^2 - 1)^2, C' = 4 v (v^2 - 1); v = 2, eta = 1/24: v' = 1
    case = case_of([1], [2], Fraction(1, 24))
    assert value(cost(v), case) == 9
    assert value(stepped(v), case) == [1]
    assert value(along(v), case) == 4
    assert value(across(v), case) == 0
    assert value(Rate(along(v)), case, section5.FLOW) == -2 * 2 * 24


def test_the_jacobian_of_the_task_by_hand():
    # C(v(1)) as above: v(1) = v - eta C'(v), of derivative 1 - 4 eta (3 v^2 - 1), and C'(1) = 0
    case = case_of([1], [2], Fraction(1, 24), T=1)
    assert value(section5_task.jacobian(), case) == [0]
    case = case_of([1], [2], Fraction(1, 48), T=1)  # v(1) = 3/2, (1 - 11/12) 4 (3/2) (5/4)
    assert value(section5_task.jacobian(), case) == [Fraction(5, 8)]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_proofs_are_accepted(claim):
    assert check(claim.derivation().record).code == 0


def test_a_wrong_factor_has_no_proof():
    wrong = Statement(
        "mine",
        Rate(along(v)) == -4 * (dot(v, v) - 1) * along(v),
        {given.name: given.holds for given in (section5.UNIT, section5.NOISELESS)},
        section5.FLOW,
    )
    assert check(proved(wrong, evolution("along")).record).code == 1


@pytest.mark.parametrize("name", ["inv.rotation", "ode.across@A", "loss.exact"])
def test_every_hypothesis_is_needed_and_certified(name):
    claim = find(f"j23.sym.{name}")
    found = necessity(claim, Context(replace(budget_named("ci"), necessity_draws=40), 1, "cpu"))
    needed = [need for need in found.needs if need.needed]
    assert len(needed) == len(claim.hypotheses)
    assert all(check(need.certificate).code == 0 for need in needed)


def test_the_argument_for_the_task_holds():
    assert section5_task.factor().holds


def test_a_single_output_refutes_rank_two():
    found = pointwise(find("j23.sym.rank2@A"), CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


@pytest.mark.parametrize("name", ["inv.noise", "ode.along.noise", "loss.noise"])
def test_bounds_for_noise_are_met_and_not_idle(name):
    """A hundredth of the constant would be violated."""
    claim = find(f"j23.sym.{name}")
    least = 1.0
    for seed in range(40):
        random = Random(seed)
        case = claim.pool.draw(random)
        for hypothesis in claim.hypotheses:
            case = hypothesis.repair(case, random)
        judged = judge_exactly(claim, case)
        assert not judged.violations
        least = min(least, judged.slack)
    assert least < 0.99
