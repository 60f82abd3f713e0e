"""Ranks against depth: made-up curves that criteria must tell apart, and small networks by hand."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from verify.core.claim import Kind
from verify.core.experiment import Setting
from verify.core.experiment_store import ExperimentStore
from verify.papers.dkbhl20 import depth_figures, depth_profiles, positive_weights_figure
from verify.papers.dkbhl20.depth_figures import (
    NORMALISED,
    VANILLA,
    above_root,
    exact_and_numerical,
    fig1_networks,
    normalised_rank_stays,
    on_all_data,
    rank_one_in_the_end,
    ranks_drop,
    vanilla_rank_collapses,
)
from verify.papers.dkbhl20.depth_profiles import FIELDS, Profile, Sizes, profiles
from verify.papers.dkbhl20.positive_weights_figure import (
    FIG5_NETWORKS,
    positive_weights_lose_rank,
    variances_agree,
)

CLAIMS = (*depth_figures.CLAIMS, *positive_weights_figure.CLAIMS)
FIG1_NETWORKS = fig1_networks("digits")
SETTING = Setting(seed=5, scale=0, device="cpu")
SIZES = Sizes(16, 16, (1, 32, 64), 3)


def made(network, double, single=None, r=1.0):
    """Three seeds whose ranks are one apart around these."""
    apart = np.array([-0.1, 0.0, 0.1])[:, None]
    arrays = {name: np.full((3, 3), r) for name in FIELDS}
    arrays["footnote"] = np.array(double) + apart
    arrays["footnote_single"] = np.array(single or double) + apart
    return Profile(network, SIZES.layers, arrays)


def agrees(monkeypatch, run, curves):
    for module in (depth_figures, positive_weights_figure):
        monkeypatch.setattr(module, "profiles", lambda *_: curves)
    return run(SETTING, SIZES).agrees


FALLS, STAYS, SLOW = (16, 4, 1), (16, 15, 14), (16, 12, 9)


def test_every_claim_is_an_experiment_with_a_run():
    assert {claim.ledger_id for claim in CLAIMS} == {f"dkbhl20.fig{n}" for n in (1, 2, 5)}
    assert all(claim.kind is Kind.EXPERIMENT and claim.experiment for claim in CLAIMS)


@pytest.mark.parametrize(
    ("double", "single", "collapses"),
    [
        (FALLS, FALLS, True),
        (STAYS, FALLS, False),  # seen in float32 only
        (FALLS, STAYS, False),
        ((16, 1, 1.5), FALLS, False),  # grows again
    ],
)
def test_collapse_counts_in_both_precisions(monkeypatch, double, single, collapses):
    curves = [made(FIG1_NETWORKS[0], double, single), made(FIG1_NETWORKS[1], STAYS)]
    assert agrees(monkeypatch, partial(vanilla_rank_collapses, data="digits"), curves) is collapses


@pytest.mark.parametrize(("rank", "stays"), [(STAYS, True), (FALLS, False), ((16, 7, 16), False)])
def test_high_ranks_at_every_depth(monkeypatch, rank, stays):
    curves = [made(FIG1_NETWORKS[0], FALLS), made(FIG1_NETWORKS[1], rank)]
    assert agrees(monkeypatch, partial(normalised_rank_stays, data="digits"), curves) is stays


def test_the_readings_of_figure_2_look_at_different_networks(monkeypatch):
    ranks = [FALLS, FALLS, STAYS, FALLS]
    curves = [made(network, r) for network, r in zip((*VANILLA, *NORMALISED), ranks, strict=True)]
    assert agrees(monkeypatch, partial(ranks_drop, VANILLA), curves)
    assert not agrees(monkeypatch, partial(ranks_drop, (*VANILLA, *NORMALISED)), curves)
    slow = [made(VANILLA[0], (16, 12, 1)), *curves[1:]]  # depth 2 d = 32 counts
    assert not agrees(monkeypatch, partial(ranks_drop, VANILLA), slow)


@pytest.mark.parametrize(("rank", "above"), [(SLOW, True), ((16, 4.1, 4.1), True), (FALLS, False)])
def test_the_root_of_the_width(monkeypatch, rank, above):
    curves = [made(network, FALLS) for network in VANILLA]
    curves += [made(network, rank) for network in NORMALISED]
    assert agrees(monkeypatch, above_root, curves) is above


@pytest.mark.parametrize(
    ("rank", "r", "one"), [(FALLS, 1.0, True), (FALLS, 1.2, False), ((16, 4, 2.5), 1.0, False)]
)
def test_rank_one_in_the_end(monkeypatch, rank, r, one):
    monkeypatch.setattr(depth_figures, "exact_and_numerical", lambda _: (8, 1))
    curves = [made(network, rank, r=r) for network in (*VANILLA, *NORMALISED)]
    assert agrees(monkeypatch, rank_one_in_the_end, curves) is one


def test_a_rank_that_rounding_loses_is_there():
    exact, numerical = exact_and_numerical(3)
    assert exact == 8 > 3 > numerical
    assert exact_and_numerical(3, depth=1) == (8, 8)


@pytest.mark.parametrize(("rank", "loses"), [(FALLS, True), (STAYS, False), (SLOW, False)])
def test_positive_weights_against_standard_ones(monkeypatch, rank, loses):
    curves = [made(network, STAYS) for network in FIG5_NETWORKS]
    curves[1] = made(FIG5_NETWORKS[1], rank)
    assert agrees(monkeypatch, positive_weights_lose_rank, curves) is loses


def test_both_variances_are_a_third(monkeypatch):
    measured = variances_agree(SETTING)
    assert measured.agrees
    assert set(measured.figures.values()) == {"1/3"}
    monkeypatch.setattr(
        positive_weights_figure, "variance_over", lambda low, high: high - low + high
    )
    assert not variances_agree(SETTING).agrees


def test_profiles_are_kept_and_their_intervals_are_those_of_student(tmp_path, monkeypatch):
    sizes = Sizes(4, 6, (1, 3), 3)
    setting = replace(SETTING, kept=ExperimentStore(tmp_path))
    first = profiles((VANILLA[0], FIG1_NETWORKS[1], FIG5_NETWORKS[1]), sizes, setting)
    assert [one.arrays["r"].shape for one in first] == [(3, 2)] * 3
    assert (first[0].mean("footnote") == 4).all()  # invertible weights, no time to decay
    monkeypatch.setattr(depth_profiles, "_profile", lambda *_: pytest.fail("computed again"))
    again = profiles((VANILLA[0],), sizes, setting)
    assert np.array_equal(again[0].arrays["r"], first[0].arrays["r"])
    low, high = made(VANILLA[0], (2.0, 3.0, 4.0)).interval("footnote")
    assert high - low == pytest.approx(2 * 4.303 * 0.1 / 3**0.5, rel=1e-3)


def test_figure_1_must_hold_on_digits_and_on_clusters(monkeypatch):
    def curves(networks, *_):
        rank = FALLS if networks[0].data == "digits" else STAYS
        return [made(networks[0], rank), made(networks[1], STAYS)]

    monkeypatch.setattr(depth_figures, "profiles", curves)
    assert vanilla_rank_collapses(SETTING, SIZES, "digits").agrees
    found = on_all_data(vanilla_rank_collapses, SETTING, SIZES)
    assert not found.agrees
    assert "Gaussian clusters" in found.scope[1]
    assert on_all_data(normalised_rank_stays, SETTING, SIZES).agrees


def test_clusters_are_drawn_without_repetition():
    import torch

    given = depth_profiles._clusters(torch.Generator().manual_seed(2), 2, 30)
    assert given.shape == (2, 64, 30)
    distances = torch.cdist(given[0].T, given[0].T) + 99 * torch.eye(30)
    assert distances.min() > 1
    assert not torch.equal(given[0], given[1])
