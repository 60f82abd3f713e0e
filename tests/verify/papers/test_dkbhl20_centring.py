"""Centring: means of entries and rows, chains and trainings with and without it."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.verify.papers.looking import looking
from verify.core.evidence import Outcome
from verify.core.experiment import Setting as Budgeted
from verify.kinds.statistics.sampling import FIRST
from verify.methods.pointwise import pointwise
from verify.methods.sampling import look
from verify.methods.schema import schema
from verify.papers.dkbhl20 import centring, centring_runs
from verify.papers.dkbhl20.long_runs import BASE, run_of
from verify.papers.registry import find

CI = looking("ci", 2)
SMALL = replace(BASE, width=4, gamma=1.0)


def test_a_unique_law_has_rows_of_mean_zero():
    claim = find("dkbhl20.bncentering.a")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    assert pointwise(claim, CI).outcome is Outcome.SUPPORTS


def test_entries_of_h_have_mean_zero_and_an_offset_that_stays_would_be_noticed():
    sampled = find("dkbhl20.bncentering.a.runs").sampled
    arm = sampled.arms(0)[-1]
    rng = np.random.default_rng(0)
    assert "X-MEAN(3)" in arm.name
    assert look(sampled, arm, rng, 16 * FIRST, 1).holds is True
    shifted = replace(arm, draw=lambda count, generator: arm.draw(count, generator) + 0.5)
    assert look(sampled, shifted, rng, FIRST, 1).holds is False


def test_averages_of_rows_by_hand():
    seen = run_of(SMALL, 1, np.random.default_rng(0), 0, depth=5)
    one = run_of(SMALL, 1, np.random.default_rng(0), 0, depth=5)
    assert (seen.states == one.states).all()
    found = centring.row_averages(4, 2, np.random.default_rng(0))
    assert set(found) == {said.name for said in centring.FALLING.claimed}
    assert all(values.shape == (2,) for values in found.values())
    assert all((values < 1).all() for values in found.values())


def test_centred_chains_have_rows_of_average_zero():
    seen = run_of(SMALL, 2, np.random.default_rng(0), 0, depth=20, centred=True)
    assert seen.states.mean(dim=2).abs().max() < 1e-12
    plain = run_of(SMALL, 2, np.random.default_rng(0), 0, depth=20)
    assert plain.states.mean(dim=2).abs().max() > 1e-3


def test_both_chains_compare_the_same_weights():
    pair = centring_runs.both_chains(SMALL, 4, 0, 2000)
    assert pair.apart < 0.1
    lost = replace(pair, centred=(pair.plain[0] / 2, pair.plain[1]))
    assert lost.apart == pytest.approx(1)
    found = centring.redundant_centring(Budgeted(0, 0, "cpu"))
    assert found.agrees
    assert len(found.figures) == 15


def test_normalised_columns_by_hand():
    values = torch.tensor([[1.0, 3.0], [3.0, 3.0]], dtype=torch.float64)
    plain = centring_runs.normalised(values, centred=False)
    assert plain[:, 1].tolist() == pytest.approx([1.0, 1.0], abs=1e-5)
    assert plain[0, 0] == pytest.approx(1 / np.sqrt(5 + 1e-5))
    centred = centring_runs.normalised(values, centred=True)
    assert centred[:, 0].tolist() == pytest.approx([-1.0, 1.0], abs=1e-4)
    assert centred[:, 1].tolist() == [0.0, 0.0]


def test_trainings_start_alike_and_learn():
    plain, centred = (centring_runs.trained(2, 16, 2, 0, centred=c) for c in (False, True))
    again = centring_runs.trained(2, 16, 2, 0, centred=False)
    assert plain == again
    assert plain != centred
    for course in (plain, centred):
        assert course.accuracies[-1] > course.accuracies[0] + 0.3
        assert all(1 <= r <= 16 for r in course.ranks)


def test_what_training_shows_is_told():
    found = centring.same_training(Budgeted(0, 0, "cpu"))
    assert "criterion: 0.05" in found.summary
    assert len(found.plots) == 2
