"""Second corrections of linear maps: by hand, against numpy, and what the engine says."""

from fractions import Fraction
from math import log
from random import Random

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from verify.cases.real_arrays import RealTensors
from verify.cases.tensors import Tensors, tensor
from verify.checker.restated import check
from verify.core.budgets import budget_named
from verify.kinds.deep.networks import number, tensor_of
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.papers.j23 import operator_norm
from verify.papers.j23 import second_correction as linear
from verify.papers.j23 import second_correction_proofs as proofs
from verify.papers.registry import find
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

CI = Context(budget_named("ci"), 2, "cpu")
AXES = {"A": ("m", "n"), "B": ("n", "d")}


def case(axes=AXES, **arrays):
    matrices = {name: tensor_of(axes[name], rows) for name, rows in arrays.items() if name in axes}
    numbers = {name: number(value) for name, value in arrays.items() if name not in axes}
    return RealTensors({**matrices, **numbers})


def entry(sides):
    ((_, left, right),) = sides
    return float(left - right)


def test_logarithms_by_hand():
    # eigenvalues 4 and 1/9: (log 4)^2 + (log 9)^2, halved
    found = linear.second(RATIONALS.array([[2, 0], [0, Fraction(-1, 3)]]))
    assert float(found) == pytest.approx((log(4) ** 2 + log(9) ** 2) / 2)
    assert linear.second(RATIONALS.array([[0, 0]])) == 0


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_coefficient_of_the_expansion(seed):
    random = Random(seed)
    rows = [[Fraction(random.randint(-9, 9), 4) for _ in range(3)] for _ in range(2)]
    sizes = np.linalg.svd(np.array(rows, dtype=float), compute_uv=False)
    sizes, depth = sizes[sizes > 1e-9], 1e4
    rest = depth * np.expm1(2 / depth * np.log(sizes)).sum() - 2 * np.log(sizes).sum()
    found = float(linear.second(RATIONALS.array(rows)))
    assert found == pytest.approx(depth * rest, rel=1e-2)


def test_compositions_by_hand():
    # 2 after 3: sqrt 2 (log 2 + log 3 - log 6); 2 after 1/2: sqrt 2 (2 log 2)
    assert entry(linear.root_slack(case(A=[[2]], B=[[3]]))) == pytest.approx(0, abs=1e-12)
    found = entry(linear.root_slack(case(A=[[2]], B=[[Fraction(1, 2)]])))
    assert found == pytest.approx(8**0.5 * log(2))
    # at p = 1/4: 2 (log 3)^2 / (1/4) + 2 (log 2)^2 / (3/4) - 2 (log 6)^2
    found = entry(linear.shared_slack(case(A=[[2]], B=[[3]], p=Fraction(1, 4))))
    assert found == pytest.approx(8 * log(3) ** 2 + 8 / 3 * log(2) ** 2 - 2 * log(6) ** 2)


def test_sums_by_hand():
    axes = {"A": ("m", "n"), "B": ("m", "n")}
    found = entry(linear.sum_slack(case(axes, A=[[2]], B=[[2]])))
    assert found == pytest.approx(4 * log(2) ** 2 - 2 * log(4) ** 2)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["prop4.1.linear", "prop4.2.linear", "prop4.eq1.linear"])
def test_repairs_reach_all_shapes(name, seed):
    claim, random = find(f"j23.{name}"), Random(seed)
    made = repair(claim, claim.pool.draw(random), random)
    judged = judge_exactly(claim, made)
    assert judged.admitted
    assert not judged.violations


@pytest.mark.parametrize(
    "name",
    [
        "prop4.1.linear",
        "prop4.2.linear",
        "prop4.eq1.linear",
        "prop4.tail.second",
    ],
)
def test_what_can_be_broken_is_needed_and_certified(name):
    claim = find(f"j23.{name}")
    found = necessity(claim, CI)
    needed = {need.hypothesis for need in found.needs if need.needed}
    assert needed == {h.name for h in claim.hypotheses if h.break_ is not None}
    assert all(check(n.certificate).code == 0 for n in found.needs if n.needed)


@pytest.mark.parametrize(
    ("rows", "told"), [([[3]], log(9) ** 2 / 2), ([[0, 0], [0, 5]], log(25) ** 2 / 2)]
)
def test_the_second_correction_by_hand(rows, told):
    scene = Tensors.scene([Tensors({"A": tensor(("m", "n"), rows)})], RATIONALS)
    second = operator_norm.second_correction(operator_norm.A)
    (found,) = Evaluation(scene).column(lowered(second, {})).values
    assert float(found) == pytest.approx(told)


PROVED = [claim for claim in (*linear.CLAIMS, *operator_norm.CLAIMS) if claim.proof is not None]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_arguments_hold_and_are_about_the_claim(claim):
    from verify.search.arguments import beside_the_point

    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_an_argument_notices_a_wrong_transpose(monkeypatch):
    right = proofs.SymbolScene.transpose
    assert proofs.sums().holds
    monkeypatch.setattr(proofs.SymbolScene, "transpose", lambda s, m: 2 * right(s, m))
    assert not proofs.sums().holds
