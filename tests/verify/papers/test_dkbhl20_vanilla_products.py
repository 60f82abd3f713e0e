"""Lemmas 3 and 18 of Daneshmand et al. (2020): signs at width one by hand, products drawn."""

from fractions import Fraction
from math import erf, exp, inf, log, sqrt

import numpy as np
import pytest
import torch

from tests.verify.papers.dkbhl20_cases import real_of, says
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.sampling import sampling
from verify.papers.dkbhl20 import product_samples, sign_changes, vanilla_products
from verify.papers.dkbhl20.product_samples import Product, gaps, moves, named, states
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = Context(budget_named("ci"), 0, "cpu")
F = Fraction
CLAIMS = {claim.id.removeprefix("dkbhl20."): claim for claim in vanilla_products.CLAIMS}
EXACT = sorted(name for name, claim in CLAIMS.items() if claim.measure is not None)


def case(x, gamma=None):
    arrays = {"x": tensor(("N",), x)}
    return Tensors(arrays if gamma is None else arrays | {"gamma": tensor((), gamma)})


def chance_of(term, gamma):
    return float(real_of(term, case([1], gamma)))


@pytest.mark.parametrize("gamma", [F(1, 2), F(9, 10), F(1, 10)])
def test_the_bound_on_gaussian_sign_changes(gamma):
    bound = exp(-((1 + 1 / float(gamma)) ** 2) / 2) / 3
    assert chance_of(sign_changes.GAUSSIAN, gamma) == pytest.approx(bound, rel=1e-12)
    chance = (1 - erf(1 / float(gamma) / sqrt(2))) / 2  # P(1 + gamma W < 0)
    assert 0 < bound < chance or chance < 1e-20  # below it, as far as erf tells


def test_uniform_sign_changes_by_hand():
    # gamma = 9/10: W < -10/9 on [-sqrt 3, sqrt 3] with probability (sqrt 3 - 10/9)/(2 sqrt 3)
    chance = (sqrt(3) - 10 / 9) / (2 * sqrt(3))
    assert chance_of(sign_changes.UNIFORM, F(9, 10)) == pytest.approx(chance, rel=1e-12)
    for gamma in (F(1, 2), F(57, 100)):  # below 1/sqrt 3 no sign changes
        assert chance_of(sign_changes.UNIFORM, gamma) == 0


def test_steps_of_size_0():
    assert says(CLAIMS["lem3.d.limit"], case([0, 0]))
    assert says(CLAIMS["lem3.d.limit"], case([2, 0])) is False
    assert says(CLAIMS["lem3.c@AAA"], case([1], F(1, 2)))


def test_the_chances_are_those_of_drawn_numbers():
    generator = np.random.default_rng(1)
    for law, gamma, term in (
        ("Gaussian", F(9, 10), sign_changes.GAUSSIAN),
        ("uniform", F(9, 10), sign_changes.UNIFORM),
    ):
        source = torch.Generator().manual_seed(int(generator.integers(2**31)))
        drawn = product_samples.law_of(law).draw(source, 40000)
        share = float((1 + float(gamma) * drawn < 0).double().mean())
        bound = chance_of(term, gamma)
        assert bound <= share + 0.01
        if law == "uniform":
            assert bound == pytest.approx(share, abs=0.01)


def test_only_width_one_and_inside_the_interval():
    assert not judge_exactly(CLAIMS["lem3.a@AAA"], case([1], 1)).violations
    assert judge_exactly(CLAIMS["lem3.a@AAA"], case([1], F(1, 2))).violations
    assert not judge_exactly(CLAIMS["lem3.c@AAA"], case([1], F(1, 2))).violations
    assert judge_exactly(CLAIMS["lem3.c@AAA"], case([1], F(3, 4))).violations


@pytest.mark.parametrize("name", EXACT)
def test_almost_sure_convergence_is_refuted_with_a_certificate(name):
    evidence = pointwise(CLAIMS[name], CI)
    assert evidence.outcome is Outcome.REFUTES
    assert answer(dict(evidence.certificate))["exit"] == 0


# products -----------------------------------------------------------------------------------------
def test_states_have_norm_one_and_are_products(monkeypatch):
    factors = []
    plain = product_samples.law_of

    class Kept:
        def draw(self, source, *shape):
            factors.append(plain("Gaussian").draw(source, *shape))
            return factors[-1]

    monkeypatch.setattr(product_samples, "law_of", lambda name: Kept())
    setting = Product("Gaussian", 2, 0.5)
    first, second = states(setting, 2, 3, np.random.default_rng(0))
    whole = torch.eye(2, dtype=torch.float64).expand(3, 2, 2)
    for k, drawn in enumerate(factors):
        factor = torch.eye(2, dtype=torch.float64) + 0.5 * drawn
        whole = factor @ whole
        if k in (1, 3):
            sizes = torch.linalg.matrix_norm(whole, 2, keepdim=True)
            assert torch.allclose(whole / sizes, first if k == 1 else second, atol=1e-12)
    assert len(factors) == 4


def test_gaussian_gaps_have_their_closed_form():
    # d = 2: (psi(1) - psi(1/2))/2 = log 2
    settings = named([Product("Gaussian", 2, inf)])
    (found,) = gaps(settings)(400, 48, np.random.default_rng(3)).values()
    assert found.mean() / 400 == pytest.approx(log(2), abs=0.05)


def test_matrices_that_meet_no_hypothesis_of_lemma_18_are_told_apart(monkeypatch):
    class Diagonal:  # every union of coordinate planes is invariant; both exponents are equal
        def draw(self, source, *shape):
            drawn = torch.randn(*shape, generator=source, dtype=torch.float64)
            return torch.diag_embed(drawn.diagonal(dim1=-2, dim2=-1))

    class Rotations:  # not contracting
        def draw(self, source, *shape):
            drawn = torch.randn(*shape, generator=source, dtype=torch.float64)
            return torch.linalg.qr(drawn)[0]

    def ratio(law, length):
        monkeypatch.setattr(product_samples, "law_of", lambda name: law)
        found = states(Product("", 2, inf), length, 64, np.random.default_rng(2))[1]
        pair = torch.linalg.svdvals(found)
        return torch.log(pair[:, 0] / pair[:, 1])

    assert ratio(Rotations(), 50).abs().max() < 1e-10
    spread = ratio(Diagonal(), 50)
    assert spread.min() < 3 < spread.max()  # a random walk, which comes back
    monkeypatch.undo()
    met = states(Product("Gaussian", 2, inf), 50, 64, np.random.default_rng(2))[1]
    assert (torch.linalg.svdvals(met)[:, 1] < 1e-6).all()


def test_a_shrinking_branch_keeps_its_ratio_and_a_fixed_one_does_not():
    settings = {"fixed": Product("Gaussian", 3, 0.5), "shrinking": Product("Gaussian", 3, 1.0)}
    found = gaps(settings, shrinking=("shrinking",))(200, 8, np.random.default_rng(0))
    assert found["fixed"].mean() > 20
    assert found["shrinking"].mean() < 1


def test_products_keep_moving():
    moved = sampling(CLAIMS["lem3.a@AAA"], CI)
    assert moved.outcome is Outcome.INCONCLUSIVE  # a limit may be further off
    assert "not 0, to within 0.2 in 4 of 4" in moved.summary
    assert "stands for a limit" in moved.summary


def test_an_arm_at_rest_is_seen_at_rest():
    (arm,) = moves([Product("uniform", 1, 0.5)], 0)  # no sign changes
    assert np.abs(arm.draw(16, np.random.default_rng(0))).max() == 0
