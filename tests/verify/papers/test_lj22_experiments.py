"""The experiments: closed forms, the same seed gives the same numbers, criteria that can fail."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from graphs.activations import LINEAR
from numerics.data import Dataset, separable
from numerics.layered.layers import Dense
from verify.core.budgets import budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.core.experiment import Measured, Setting
from verify.core.verdict import Verdict, decide
from verify.methods.context import Context
from verify.methods.experiment import experiment
from verify.papers.lj22.experiments import CLAIMS
from verify.papers.lj22.training import balance_drifts, follow_training, margin_direction
from verify.papers.registry import find

SMOKE = Context(budget_named("smoke"))
SETTING = Setting(seed=3, scale=0, device="cpu")


@pytest.fixture(scope="module")
def linear():
    layers = [Dense(4, LINEAR), Dense(3, LINEAR), Dense(1, LINEAR)]
    data = separable(Random(3), 4, 3)
    return follow_training((3,), layers, data, "logistic", SETTING, 300.0, deep=True)


def test_every_claim_is_an_experiment_with_a_run():
    assert CLAIMS
    assert all(claim.kind is Kind.EXPERIMENT and claim.experiment for claim in CLAIMS)


def test_the_distance_to_rank_one_falls_like_one_over_the_norm(linear):
    # W_1^T W_1 - W_2 W_2^T is constant, so what is not of rank one stays bounded
    assert linear.log_risks[-1] < -100
    assert linear.exponents(linear.distances[:, :-1]) == pytest.approx([-1, -1], abs=0.15)
    assert (linear.alignments[-1] > 0.99).all()


def test_the_last_layer_is_a_row_and_so_of_rank_one(linear):
    assert linear.distances[:, -1] == pytest.approx(0, abs=1e-12)
    assert linear.ratios[:, -1] == pytest.approx(1, abs=1e-12)


def test_the_predictor_of_linear_layers_is_their_product(linear):
    data = separable(Random(3), 4, 3)
    margins = (linear.predictors[-1] @ data.input_array.T) * data.label_array
    risk = np.log(np.mean(np.exp(-margins + margins.min()))) - margins.min()
    assert risk == pytest.approx(linear.log_risks[-1], rel=1e-6)  # the tail of the logistic loss


def test_the_same_seed_gives_the_same_history(linear):
    layers = [Dense(4, LINEAR), Dense(3, LINEAR), Dense(1, LINEAR)]
    again = follow_training(
        (3,), layers, separable(Random(3), 4, 3), "logistic", SETTING, 300.0, deep=True
    )
    assert np.array_equal(again.norms, linear.norms)


def test_the_hard_margin_of_two_points_by_hand():
    rows = ((Fraction(3, 5), Fraction(4, 5)), (Fraction(-3, 5), Fraction(4, 5)))
    data = Dataset("two", rows, (Fraction(1), Fraction(1)))
    assert margin_direction(data) == pytest.approx([0, 1], abs=1e-6)


def test_half_the_step_is_half_the_drift():
    coarse, fine = balance_drifts(LINEAR, [0.02, 0.01], SETTING, diagonal=False)
    assert coarse / fine == pytest.approx(2, rel=0.1)


def test_an_experiment_supports_or_leaves_open_and_never_refutes():
    claim = find("lj22.exp5")
    found = experiment(claim, SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.plots
    assert decide(claim, [found]).verdict is Verdict.SUPPORTED
    failing = replace(claim, experiment=lambda setting: Measured(False, "it did not.", ("one",)))
    disagreed = experiment(failing, SMOKE)
    assert disagreed.outcome is Outcome.INCONCLUSIVE
    assert decide(failing, [disagreed]).verdict is Verdict.OPEN


def test_what_is_no_experiment_is_not_run():
    assert experiment(find("lj22.lemma2a"), SMOKE) is None
