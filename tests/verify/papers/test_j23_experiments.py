"""The experiments of Jacot (2023): closed forms, seeds, and criteria that can fail."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from verify.core.claim import Kind
from verify.core.experiment import Setting
from verify.core.experiment_store import ExperimentStore
from verify.papers.j23 import depth_ladder, learned_symmetry, linear_minima, margins
from verify.papers.j23.depth_ladder import Run, best_runs, falling_share, ranges
from verify.papers.j23.experiments import (
    CLAIMS,
    bottleneck_through_depth,
    collapsed_orbits,
    linear_networks,
    norm_against_depth,
    paths_that_do_not_cross,
    two_outliers,
)

SETTING = Setting(seed=5, scale=0, device="cpu")
TINY = depth_ladder.Sizes((2, 3), 4, 10, 2, 5, 2, 0.01)
needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


def test_every_claim_is_an_experiment_with_a_run():
    wanted = {"j23.rem2", "j23.linlocal", "j23.fig1", "j23.fig2"}
    assert {claim.ledger_id for claim in CLAIMS} == wanted
    assert all(claim.kind is Kind.EXPERIMENT and claim.experiment for claim in CLAIMS)


# Figure 1 ----------------------------------------------------------------------------------------
def made(depth, rank, norm, cost=0.01, wide=2, number=0):
    """A run whose matrices have this rank, but for `wide` outer ones of rank 5."""
    inner, outer = (1.0,) * rank + (0.01,) * (5 - rank), (1.0,) * 5
    first = max(1, depth // 2 - (depth - wide) // 2)  # so that the middle layer is among them
    narrow = range(first, first + depth - wide)
    values = tuple(inner if layer in narrow else outer for layer in range(1, depth + 1))
    return Run(depth, number, cost, norm, 0.0, "budget", values)


GOOD = [
    *(made(depth, 3, 3 * depth + 10) for depth in (4, 5, 6)),
    *(made(depth, 2, 2 * depth + 15) for depth in (7, 8, 9)),
    made(10, 0, 0.0, cost=1.0),
]


def test_ranges_and_slopes_of_made_up_runs():
    runs = [*GOOD, made(8, 2, 99.0, number=1)]  # with a worse start
    found = ranges(runs)
    assert [(one.rank, one.depths) for one in found] == [(3, (4, 6)), (2, (7, 9))]
    assert [one.line.slope for one in found] == pytest.approx([3, 2])
    assert [one.growth for one in found] == pytest.approx([1, 1])
    assert falling_share(runs) == 1
    assert best_runs(runs)[-1].rank == 0
    assert falling_share([made(4, 2, 1.0), made(5, 3, 1.0)]) == 0


def test_the_criteria_of_figure_1_can_be_met_and_missed(monkeypatch):
    steep = [replace(run, norm=2 * run.norm) for run in GOOD]
    bent = [replace(run, norm=run.norm + 4 * (run.depth == 8)) for run in GOOD]
    outside = [made(run.depth, run.rank, run.norm, wide=run.depth - 2) for run in GOOD[:-1]]
    for runs, first, second in (
        (GOOD, True, True),
        (steep, False, True),
        (bent, False, True),
        (GOOD[3:], False, True),  # one rank alone
        (GOOD[:-1], False, True),
        (outside, False, False),
        (GOOD[-1:], False, False),
    ):
        monkeypatch.setattr(depth_ladder, "climb_depths", lambda *_, runs=runs, **__: tuple(runs))
        assert norm_against_depth(SETTING).agrees is first
        assert bottleneck_through_depth(SETTING).agrees is second


def test_the_data_have_variance_1_and_come_from_their_seed():
    x, y = depth_ladder.latent_data(400, 3)
    assert x.shape == y.shape == (400, 20)
    assert float(y.square().mean()) == pytest.approx(1)
    assert torch.equal(depth_ladder.latent_data(400, 3)[0], x)
    assert not torch.equal(depth_ladder.latent_data(400, 3, used=8)[1], y)


def test_the_same_seed_gives_the_same_runs():
    first = depth_ladder.climb_depths(TINY, 3, "cpu")
    assert first == depth_ladder.climb_depths(TINY, 3, "cpu")
    assert [run.depth for run in first] == [2, 2, 3, 3]
    assert first != depth_ladder.climb_depths(TINY, 4, "cpu")
    measured = norm_against_depth(SETTING, TINY)
    assert measured.instances == len(measured.figures) == 4


def test_lines_by_hand():
    line = depth_ladder.line_through([1, 2, 3], [2, 3, 7])  # residuals 1/2, -1, 1/2 from 5/2 x - 1
    assert (line.slope, line.at_zero, line.off) == pytest.approx((2.5, -1, 1 / 3))
    assert line.reach == pytest.approx(12.706 * 0.75**0.5, rel=1e-3)  # t at 1, sqrt(1.5 / 2)
    assert depth_ladder.line_through([1, 2], [3, 4]).reach is None


def test_ranks_that_take_turns_make_no_range():
    runs = [made(depth, 2 + depth % 2, 3.0 * depth) for depth in range(4, 12)]
    assert ranges(runs) == []


def test_what_is_kept_is_trained_once_whoever_comes_first(monkeypatch, tmp_path):
    kept, trained = ExperimentStore(tmp_path), []
    whole = depth_ladder._train
    monkeypatch.setattr(
        depth_ladder, "_train", lambda *given: trained.append(given[1]) or whole(*given)
    )
    first = depth_ladder.climb_depths(TINY, 3, "cpu", kept=kept, downwards=True)
    assert trained == [3, 2]
    assert depth_ladder.climb_depths(TINY, 3, "cpu", kept=kept) == first
    assert trained == [3, 2]
    assert depth_ladder.climb_depths(TINY, 3, "cpu") == first
    depth_ladder.climb_depths(TINY, 4, "cpu", kept=kept)
    assert trained == [3, 2, 2, 3, 2, 3]


def test_starts_of_the_second_figure_are_kept_one_by_one(monkeypatch, tmp_path):
    sizes = learned_symmetry.Sizes(3, 4, 3, 2, 10, 3, 3, 0, 0.01)
    kept, whole, trained = ExperimentStore(tmp_path), learned_symmetry._train, []
    monkeypatch.setattr(
        learned_symmetry, "_train", lambda *given: trained.append(given[2]) or whole(*given)
    )
    one = learned_symmetry.learn(sizes, 2, "cpu", kept=kept, first=1)
    two = learned_symmetry.learn(sizes, 2, "cpu", kept=kept)
    assert trained == [1, 2, 0]
    assert one.costs == two.costs
    assert torch.equal(one.weights, two.weights)
    assert len(set(one.costs)) == 3


@needs_cuda
def test_the_ladder_runs_on_a_device():
    there = depth_ladder.climb_depths(TINY, 3, "cuda")
    here = depth_ladder.climb_depths(TINY, 3, "cpu")
    assert [run.norm for run in there] == pytest.approx([run.norm for run in here], rel=1e-6)


# Figure 2 ----------------------------------------------------------------------------------------
def test_gradient_descent_is_that_of_autograd():
    draw = np.random.default_rng(0)
    task = learned_symmetry.random_task(4, draw, noise=1.0)
    path = task.descent(learned_symmetry.random_starts(3, 4, draw), 2)
    for n in range(3):
        v = torch.from_numpy(path[n, 0]).requires_grad_()
        cost = (torch.outer(v, v) - torch.from_numpy(task.target)).square().sum()
        (gradient,) = torch.autograd.grad(cost, v)
        assert float(cost.detach()) == pytest.approx(task.costs(path[n, :1])[0])
        assert path[n, 1] == pytest.approx(path[n, 0] - learned_symmetry.STEP * gradient.numpy())


def test_crossings_by_hand():
    cross = np.array([[[0, 0], [1, 1]], [[0, 1], [1, 0]], [[3, 0], [3, 1]]], dtype=float)
    assert learned_symmetry.crossings(cross) == 1
    own = [[[0, 0], [1, 1], [0, 1], [1, 0]], [[5, 5], [6, 6], [7, 7], [8, 8]]]
    assert learned_symmetry.crossings(np.array(own, dtype=float)) == 0


@pytest.fixture(scope="module")
def learned():
    sizes = learned_symmetry.Sizes(4, 6, 3, 2, 20, 1, 20, 2, 0.01)
    return learned_symmetry.learn(sizes, 2, "cpu")


def test_the_points_themselves_have_all_variance_within_orbits(learned):
    # circles around the axis: all have the same mean
    assert learned_symmetry.orbit_variance(learned, 0, layer=0).share == pytest.approx(1)


def test_a_network_that_reads_only_the_axis_sees_one_point(learned):
    axis = torch.from_numpy(learned.task.axis)
    weights = learned.weights.clone()
    weights[:, :18] = axis.repeat(6)  # six rows of the first matrix
    seeing = replace(learned, weights=weights)
    assert learned_symmetry.orbit_variance(seeing, 0).distances == pytest.approx(0, abs=1e-12)


def test_the_parts_of_figure_2_tell_their_numbers(monkeypatch, learned):
    monkeypatch.setattr(learned_symmetry, "learn", lambda *_, **__: learned)
    for part in (two_outliers, paths_that_do_not_cross, collapsed_orbits):
        measured = part(SETTING)
        assert measured.agrees is False
        assert measured.plots
        assert "start 1" in measured.figures
    monkeypatch.setattr(learned_symmetry, "weight_spectra", lambda *_: [[3.0, 2.0, 0.09]] * 4)
    assert two_outliers(SETTING).agrees


# linear networks, margins ------------------------------------------------------------------------
def test_descent_on_two_factors_has_one_end():
    # C + 2 lambda |A|_* is convex
    ended = linear_minima.descend(2, 2, 3, 6000, 0.05, 1, 0.1)
    assert all(end.gradient < 1e-8 and abs(end.excess) < 1e-10 for end in ended)
    assert all(min(end.inside, end.outside) > -1e-10 for end in ended)
    losses = [end.cost + 0.05 * end.norm for end in ended]
    assert losses == pytest.approx([losses[0]] * 3, rel=1e-6)


def test_the_cost_of_a_matrix_by_hand():
    assert linear_minima.cost_of_rank(np.diag([8.0, 1.0, 0.0]), 3) == pytest.approx(15)


def test_descents_that_stop_early_are_left_open(monkeypatch):
    whole = linear_minima.descend
    short = lambda *given: whole(*given[:3], 3, *given[4:])  # noqa: E731 (3 steps)
    monkeypatch.setattr(linear_minima, "descend", short)
    assert not linear_networks(SETTING).agrees


def test_a_linear_predictor_comes_near_the_largest_margin():
    found = margins.margins_of(1, 1, 4, 1500, 3)
    assert found.trained.min() / found.best < 1.02
    assert found.best <= found.trained.min() * (1 + 1e-12)
    assert found.course[0].min() >= found.course[-1].min()
