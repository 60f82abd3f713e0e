"""Averages against the width: slopes by hand, criteria that can fail, chains that are shared."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from verify.core.claim import Kind
from verify.core.experiment import Setting
from verify.core.experiment_store import ExperimentStore
from verify.papers.dkbhl20 import width_averages
from verify.papers.dkbhl20.width_averages import FIG8, Arm, Averages, Sizes, averages
from verify.papers.dkbhl20.width_figures import (
    CLAIMS,
    frobenius_grows,
    regularity_below,
    regularity_decreasing,
    run,
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
def test_soft_ranks_of_made_up_powers(power, agrees):
    found = made(power)
    assert soft_rank_grows(found).agrees is agrees
    assert soft_rank_over_root(found).agrees is agrees


def test_constants_that_depend_on_gamma_are_not_one():
    found = made(0.5)
    factor = np.array([1.0, 3.0])[:, None, None]
    apart = replace(found, soft_rank=found.soft_rank * factor)
    assert soft_rank_over_root(found).agrees
    assert not soft_rank_over_root(apart).agrees


@pytest.mark.parametrize(
    ("alpha", "below", "falling"),
    [
        ((0.95, 0.85, 0.8), True, True),  # d = 4 may be above
        ((0.95, 0.8995, 0.8), False, True),  # within its error of 0.9
        ((0.95, 0.85, 0.8495), True, False),  # a step within its error
        ((0.85, 0.8, 0.88), True, False),
    ],
)
def test_regularity_constants_made_up(alpha, below, falling):
    found = made(alpha=alpha)
    assert regularity_below(found).agrees is below
    assert regularity_decreasing(found).agrees is falling


@pytest.mark.parametrize(("power", "agrees"), [(1.4, True), (1.6, False)])
def test_frobenius_norms_of_made_up_powers(power, agrees):
    assert frobenius_grows(made(frobenius=power)).agrees is agrees


def test_averages_lie_where_their_names_say():
    sizes = Sizes((2, 4), (400, 400), (0.1, inf), (Arm(), Arm("W-U3")), 2)
    found = averages(sizes, SETTING)
    assert found.alpha.shape == (2, 2, 2, 2)
    widths = np.array([2.0, 4.0])[:, None]
    assert (found.r <= widths).all()
    assert (found.frobenius >= widths - 1e-9).all()  # the diagonal alone
    assert (found.frobenius <= widths**2 + 1e-9).all()
    assert (found.soft_rank >= 1).all()
    # at small gamma neighbouring layers are alike, so batches are
    assert (found.alpha_error[:, 0] > found.alpha_error[:, 1]).mean() > 0.5
    alone = averages(replace(sizes, arms=(Arm("W-U3"),)), SETTING)
    assert np.array_equal(alone.alpha[0], found.alpha[1])


def test_chains_are_carried_once_for_all_parts(monkeypatch, tmp_path):
    sizes, carried, whole = Sizes((2, 12), (40, 40), (1.0,), seeds=2), [], width_averages._carried
    others = Sizes((2, 12), (40, 40), (1.0,), (Arm(start="X-ONE"),), 2)
    monkeypatch.setattr(
        width_averages, "_carried", lambda *given: carried.append(given[:2]) or whole(*given)
    )
    setting = replace(SETTING, kept=ExperimentStore(tmp_path))
    first = run(regularity_below, FIG8, setting, sizes, others)
    all_of_them = [(Arm(), 2), (Arm(), 12), (Arm(start="X-ONE"), 2), (Arm(start="X-ONE"), 12)]
    assert carried == all_of_them
    run(frobenius_grows, FIG8, setting, sizes, others)
    assert run(regularity_below, FIG8, setting, sizes, others) == first
    assert carried == all_of_them


def test_other_inputs_stand_beside_and_are_not_judged():
    """From rank one the rank stays one, alpha is 1 and |M|_F^2 is d^2."""
    sizes = Sizes((2, 4, 8), (200,) * 3, (1.0,), seeds=2)
    others = replace(sizes, arms=(Arm(start="X-ONE"), Arm("W-U3")))
    found = averages(others, SETTING)
    assert found.curves[0] == ("W-G, X-ONE, γ = 1", 0, 0)
    one = found.of_arm(0)
    assert one.soft_rank == pytest.approx(1)
    assert one.alpha == pytest.approx(1)
    assert one.frobenius[0, 0] == pytest.approx(np.array([[4.0] * 2, [16.0] * 2, [64.0] * 2]))
    assert np.array_equal(
        found.of_arm(1).r, averages(replace(sizes, arms=(Arm("W-U3"),)), SETTING).r
    )
    alone = soft_rank_grows(averages(sizes, SETTING))
    shown = run(soft_rank_grows, FIG8, SETTING, sizes, others)
    assert shown.agrees is alone.agrees
    assert shown.instances == alone.instances
    assert shown.summary.startswith(alone.summary)
    assert "not met with W-G, X-ONE" in shown.summary
    assert "X-ONE" in shown.scope[1]
    assert len(shown.plots) == 2 * len(alone.plots)
