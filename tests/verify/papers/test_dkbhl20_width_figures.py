"""Averages against the width: slopes by hand, criteria that can fail, chains that are shared."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from verify.claim import Kind
from verify.experiment import Setting
from verify.kept import Kept
from verify.papers.dkbhl20 import width_figures
from verify.papers.dkbhl20.width_figures import (
    CLAIMS,
    Averages,
    Sizes,
    averages,
    frobenius_grows,
    regularity_below,
    regularity_decreasing,
    slope_of,
    soft_rank_grows,
    soft_rank_over_root,
)

SETTING = Setting(seed=5, scale=0, device="cpu")
WIDTHS = (4, 16, 64)
SIZES = Sizes(WIDTHS, (100,) * 3, (1.0, inf), seeds=2)


def made(power=0.5, alpha=(0.95, 0.85, 0.8), frobenius=1.5):
    """Averages that are exact powers of the width."""
    shape = (1, 2, 3, 2)
    width = np.array(WIDTHS, dtype=float)[:, None]
    whole = np.ones(shape)
    constants = np.array(alpha)[:, None] * whole
    return Averages(
        SIZES, whole * width**power, whole, whole * width**frobenius, constants, 1e-3 * whole
    )


def shown(monkeypatch, run, found):
    monkeypatch.setattr(width_figures, "averages", lambda *_: found)
    return run(SETTING, SIZES)


def test_every_claim_is_an_experiment_with_a_run():
    assert {claim.ledger_id for claim in CLAIMS} == {f"dkbhl20.fig{n}" for n in ("3a", "8", "9")}
    assert all(claim.kind is Kind.EXPERIMENT and claim.experiment for claim in CLAIMS)


def test_a_slope_by_hand():
    # logarithms 0, 2, 2 of base 2 at 1, 2, 3: slope 1, residuals -1/3, 2/3, -1/3
    found = slope_of((2, 4, 8), np.array([[1.0], [4.0], [4.0]]), 0.5)
    reach = 12.706 * (2 / 3 / 2) ** 0.5
    assert (found.value, found.low, found.high) == pytest.approx((1, 1 - reach, 1 + reach), 1e-3)
    assert found.ratios == pytest.approx([2**-0.5, 2, 4 / 8**0.5])


@pytest.mark.parametrize(("power", "agrees"), [(0.6, True), (0.4, False)])
def test_soft_ranks_of_made_up_powers(monkeypatch, power, agrees):
    found = made(power)
    assert shown(monkeypatch, soft_rank_grows, found).agrees is agrees
    assert shown(monkeypatch, soft_rank_over_root, found).agrees is agrees


def test_constants_that_depend_on_gamma_are_not_one(monkeypatch):
    found = made(0.5)
    factor = np.array([1.0, 3.0])[:, None, None]
    apart = replace(found, soft_rank=found.soft_rank * factor)
    assert shown(monkeypatch, soft_rank_over_root, found).agrees
    assert not shown(monkeypatch, soft_rank_over_root, apart).agrees


@pytest.mark.parametrize(
    ("alpha", "below", "falling"),
    [
        ((0.95, 0.85, 0.8), True, True),  # d = 4 may be above
        ((0.95, 0.8995, 0.8), False, True),  # within its error of 0.9
        ((0.95, 0.85, 0.8495), True, False),  # a step within its error
        ((0.85, 0.8, 0.88), True, False),
    ],
)
def test_regularity_constants_made_up(monkeypatch, alpha, below, falling):
    found = made(alpha=alpha)
    assert shown(monkeypatch, regularity_below, found).agrees is below
    assert shown(monkeypatch, regularity_decreasing, found).agrees is falling


@pytest.mark.parametrize(("power", "agrees"), [(1.4, True), (1.6, False)])
def test_frobenius_norms_of_made_up_powers(monkeypatch, power, agrees):
    assert shown(monkeypatch, frobenius_grows, made(frobenius=power)).agrees is agrees


def test_averages_lie_where_their_names_say():
    sizes = Sizes((2, 4), (400, 400), (0.1, inf), ("W-G", "W-U3"), 2)
    found = averages(sizes, SETTING)
    assert found.alpha.shape == (2, 2, 2, 2)
    widths = np.array([2.0, 4.0])[:, None]
    assert (found.r <= widths).all()
    assert (found.frobenius >= widths - 1e-9).all()  # the diagonal alone
    assert (found.frobenius <= widths**2 + 1e-9).all()
    assert (found.soft_rank >= 1).all()
    # at small gamma neighbouring layers are alike, so batches are
    assert (found.alpha_error[:, 0] > found.alpha_error[:, 1]).mean() > 0.5
    alone = averages(replace(sizes, laws=("W-U3",)), SETTING)
    assert np.array_equal(alone.alpha[0], found.alpha[1])


def test_chains_are_carried_once_for_all_parts(monkeypatch, tmp_path):
    sizes, carried, whole = Sizes((2, 12), (40, 40), (1.0,), seeds=2), [], width_figures._carried
    monkeypatch.setattr(
        width_figures, "_carried", lambda *given: carried.append(given[1]) or whole(*given)
    )
    setting = replace(SETTING, kept=Kept(tmp_path))
    first = regularity_below(setting, sizes)
    assert carried == [2, 12]
    frobenius_grows(setting, sizes)
    assert regularity_below(setting, sizes) == first
    assert carried == [2, 12]
