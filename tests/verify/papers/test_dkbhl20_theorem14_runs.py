"""Theorem 14 along long runs: settings, values, slopes; and that rank one would be noticed."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace

import numpy as np
import pytest

from verify.core.claim import Kind
from verify.kinds.statistics.sampling import FIRST
from verify.methods.sampling import look
from verify.papers.dkbhl20 import long_runs, theorem14_runs
from verify.papers.dkbhl20.long_runs import BASE, Setting, run_of
from verify.papers.registry import find

SMALL = replace(BASE, width=4, gamma=1.0)


def generator(seed=0):
    return np.random.default_rng(seed)


def test_runs_are_longer_for_a_smaller_gamma():
    assert long_runs.depth_of(replace(BASE, gamma=inf), 1) == long_runs.DEPTHS[1]
    assert long_runs.depth_of(replace(BASE, gamma=0.5), 1) == 4 * long_runs.DEPTHS[1]
    assert long_runs.depth_of(replace(BASE, gamma=0.001), 1) == long_runs.LONGEST[1]


def test_the_settings_differ_in_one_thing():
    for setting in long_runs.small(2):
        changed = [
            getattr(setting, name) != getattr(BASE, name) for name in BASE.__dataclass_fields__
        ]
        assert sum(changed) <= 1
    assert any(setting.gamma == inf for setting in long_runs.at_large_gamma(0))
    assert "gamma = inf" in Setting(gamma=inf).name


@pytest.mark.parametrize(
    "start", ["X-LOW(2)", "X-ONE", "X-MEAN(3)", "X-DIGITS", "X-COLL(1/1000)", "orthonormal rows"]
)
def test_inputs_have_their_rank_and_seeds_decide(start):
    setting = replace(SMALL, start=start, samples=2)
    seen = run_of(setting, 2, generator(), 0, depth=10)
    assert seen.states.shape == (2, 4, 8)
    rank = {"X-LOW(2)": 2, "X-ONE": 1}.get(start, 4)
    assert np.linalg.matrix_rank(seen.states.numpy()).tolist() == [rank] * 2
    again = run_of(setting, 2, generator(), 0, depth=10)
    assert (seen.mean("r") == again.mean("r")).all()


def test_rank_one_has_r_1_and_alpha_1():
    seen = run_of(replace(SMALL, start="X-ONE"), 3, generator(), 0, depth=50)
    assert seen.mean("r") == pytest.approx(1)
    assert theorem14_runs.below_one(seen, SMALL) == pytest.approx(0, abs=1e-12)
    assert theorem14_runs.above_root(seen, SMALL) == pytest.approx(1, abs=1e-5)


def test_values_by_their_definitions():
    seen = run_of(SMALL, 3, generator(), 0, depth=200, thresholds=(0.5,))
    alpha = seen.mean("squares") / seen.mean("cube")
    assert theorem14_runs.below_one(seen, SMALL) == pytest.approx(1 - alpha)
    bound = np.sqrt((1 - alpha) * 4)
    assert theorem14_runs.above_root(seen, SMALL) == pytest.approx(seen.mean("r") - bound)
    soft = seen.mean("rank[0.5]") - bound / 4
    assert theorem14_runs.soft_above_root(seen, SMALL) == pytest.approx(soft)
    change = abs(seen.mean("r") / seen.first_half("r") - 1)
    assert theorem14_runs.settled(seen, "r") == pytest.approx(0.05 - change)


@pytest.mark.parametrize("part", ["a.fix", "b.fix", "d.fix", "k", "l"])
def test_arms_draw_independent_values(part):
    sampled = find(f"dkbhl20.thm14.{part}").sampled
    arm = sampled.arms(0)[-1]
    values = arm.draw(3, generator())
    assert values.shape == (3,)
    assert len(set(values.tolist())) == 3


def test_r_is_above_its_bound_and_a_wrong_bound_would_be_noticed():
    sampled = find("dkbhl20.thm14.l").sampled
    arm = sampled.arms(0)[0]
    assert look(sampled, arm, generator(), FIRST, 1).holds is True
    shifted = replace(arm, draw=lambda count, rng: arm.draw(count, rng) - 3)
    assert look(sampled, shifted, generator(), FIRST, 1).holds is False


def test_alpha_falls_from_4_to_8():
    sampled = find("dkbhl20.thm14.k").sampled
    assert look(sampled, sampled.arms(0)[1], generator(), 2 * FIRST, 1).holds is True


@pytest.mark.parametrize("name", ["thm14.e", "thm14.f", "lem13.c"])
def test_rates_name_what_they_sample(name):
    claim = find(f"dkbhl20.{name}")
    assert claim.kind is Kind.RATE
    found = claim.rate.samples(4, 2, generator())
    assert set(found) == {said.name for said in claim.rate.claimed}
    assert all(values.shape == (2,) and (values > 0).all() for values in found.values())


def test_without_symmetry_the_rank_is_kept_and_without_mean_zero_it_is_lost():
    sampled = find("dkbhl20.thm14.j").sampled
    arms = {arm.name.split(", ")[3]: arm for arm in sampled.arms(0)}
    assert list(arms) == ["W-U3", "W-POS", "W-TRI"]  # the first with an input of rank one
    for name, holds in (("W-U3", True), ("W-POS", True), ("W-TRI", False)):
        seen = look(sampled, arms[name], generator(3), 2 * FIRST, 1)
        assert seen.holds is holds, name


def test_the_border_is_half_of_the_way_from_rank_one(monkeypatch):
    values = {"W-U3": 3.0, "W-POS": 1.5}

    def run(setting, count, *_):
        return SimpleNamespace(mean=lambda name: np.full(count, values[setting.law]))

    monkeypatch.setattr(theorem14_runs, "run_of", run)
    arm = theorem14_runs.dropped_arms(0)[1]
    assert arm.draw(2, generator()).tolist() == [2 - 1.5] * 2
