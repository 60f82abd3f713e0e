"""Averages from several starts, and soft ranks along paths."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from verify.core.experiment import Setting as Budgeted
from verify.kinds.statistics.sampling import FIRST
from verify.methods.sampling import look
from verify.papers.dkbhl20 import long_averages
from verify.papers.dkbhl20.long_runs import BASE, run_of
from verify.papers.registry import find


def test_estimates_from_two_starts_agree():
    sampled = find("dkbhl20.def3.c").sampled
    found = look(sampled, sampled.arms(0)[0], np.random.default_rng(0), 16 * FIRST, 1)
    assert found.holds is True


def test_a_start_of_low_rank_would_be_noticed(monkeypatch):
    monkeypatch.setattr(long_averages, "OTHERS", ("X-LOW(2)", "X-ONE"))
    for name in ("def3.c", "ergodic.b.runs"):
        sampled = find(f"dkbhl20.{name}").sampled
        for arm in sampled.arms(0)[:2]:
            assert look(sampled, arm, np.random.default_rng(0), FIRST, 1).holds is False


def test_the_functions_have_about_the_size_that_is_named():
    seen = run_of(BASE, 4, np.random.default_rng(0), 0, thresholds=(0.5,))
    for name, size in long_averages.SIZES.items():
        assert float(seen.mean(name).mean()) == pytest.approx(size, rel=0.3)


def test_soft_ranks_rise_on_every_path():
    found = long_averages.soft_ranks_along_paths(Budgeted(1, 0, "cpu"))
    assert not found.agrees
    assert not found.excluded  # the statement is about paths that there hardly are
    assert found.instances == 32 * 2 * len(long_averages.LEVELS)
    assert all("paths never rise" in text for text in found.figures.values())


@pytest.mark.parametrize(("low", "excluded"), [(1, True), (4, False)])
def test_paths_that_never_rise_and_fall_below_would_exclude_it(monkeypatch, low, excluded):
    class Path:
        def __init__(self, setting, count):
            self.width, self.count = setting.width, count

        def regularity(self):
            return SimpleNamespace(value=np.zeros(self.count))

        def rises(self, name):
            return np.zeros(self.count)

        def least(self, name):
            return np.full(self.count, low if name == "rank[0.1]" else self.width)

    monkeypatch.setattr(
        long_averages, "run_of", lambda setting, count, *_, **__: Path(setting, count)
    )
    found = long_averages.soft_ranks_along_paths(Budgeted(1, 1, "cpu"))
    assert found.excluded is excluded  # 0.81 sqrt(d) is above 1 from d = 4 on, and at most 4
    assert not (found.agrees and found.excluded)


def test_a_chain_of_rank_one_has_a_soft_rank_that_never_rises():
    setting = replace(BASE, width=4, start="X-ONE")
    seen = run_of(setting, 3, np.random.default_rng(0), 0, thresholds=(0.5,), depth=100)
    assert (seen.rises("rank[0.5]") == 0).all()
    assert (seen.least("rank[0.5]") == 1).all()
