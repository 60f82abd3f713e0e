"""Injectivity of hidden layers: by hand, against enumerated cells of the plane, and its shares."""

from fractions import Fraction

import numpy as np
import pytest

from verify.core.experiment import Setting
from verify.papers.j23 import injectivity
from verify.papers.j23.injectivity import (
    GRID,
    Rows,
    covers,
    decided,
    draw_rows,
    has_thin_point,
    null_vector,
    seven_are_exceeded,
    share_of_injective,
)

SETTING = Setting(2, 0, "cpu")


def rows(u, b=None, box=False):
    u = np.array(u, dtype=np.int64) * GRID
    shift = np.zeros(len(u)) if b is None else np.array(b) * GRID
    return Rows(u, shift.astype(np.int64), box)


def test_null_vectors_by_hand():
    f = Fraction
    assert null_vector([[f(1), f(0)], [f(0), f(2)], [f(-1), f(-2)]]) == [1, 1, 1]
    assert null_vector([[f(1), f(0)], [f(0), f(1)]]) is None
    assert null_vector([[f(1)], [f(1)], [f(1)]]) is None


def test_covers_by_hand():
    triangle = [[1, 0], [0, 1], [-1, -1]]
    assert covers(rows(triangle), [0, 1, 2], [1, 1, 1])
    assert not covers(rows([[1, 0], [-1, 0], [0, 1]]), [0, 1], [1, 1])  # z on the axis has none
    assert covers(rows(triangle, [1, 1, -1]), [0, 1, 2], [1, 1, 1])
    assert not covers(rows(triangle, [1, 1, -3]), [0, 1, 2], [1, 1, 1])
    assert covers(rows([[1, 1]], [3], box=True), [0], [1.0])  # 3 - 2 above 0 on the box
    assert not covers(rows([[1, 1]], [2], box=True), [0], [1.0])


def least_above(of):
    """The least number of rows above 0 over the cells of an arrangement through 0 in the plane."""
    normals = np.arctan2(of.u[:, 1], of.u[:, 0])
    edges = np.sort(np.concatenate([normals + np.pi / 2, normals - np.pi / 2]) % (2 * np.pi))
    middles = (edges + np.append(edges[1:], edges[0] + 2 * np.pi)) / 2
    return min(int((of.u @ [np.cos(t), np.sin(t)] > 0).sum()) for t in middles)


@pytest.mark.parametrize("count", [3, 6, 16])
def test_in_the_plane_both_answers_are_those_of_all_cells(monkeypatch, count):
    monkeypatch.setattr(injectivity, "LATENT", 2)
    monkeypatch.setattr(injectivity, "ROUNDS", 8)
    for seed in range(4):
        draw = np.random.default_rng([seed, count])
        case = draw_rows(count, biases=False, box=False, draw=draw)
        found, least = decided(case, draw), least_above(case)
        assert found is not True or least >= 2
        assert found is not False or least < 2
        assert found is not None or count == 6


def test_few_neurons_are_not_injective_and_many_are(monkeypatch):
    monkeypatch.setattr(injectivity, "ROUNDS", 40)
    draw = np.random.default_rng(1)
    few, many = (draw_rows(m, biases=True, box=True, draw=draw) for m in (12, 150))
    assert has_thin_point(few, draw)
    assert not seven_are_exceeded(few, draw)
    assert seven_are_exceeded(many, draw)
    assert not has_thin_point(many, draw)


def test_the_shares_are_told(monkeypatch):
    found = share_of_injective(SETTING)
    assert found.agrees
    assert len(found.plots[0].curves) == 3
    assert found.figures["R^8, without biases, 16 neurons"] == "0 injective, 1 not, 0 undecided"
    monkeypatch.setattr(injectivity, "seven_are_exceeded", lambda *_: False)
    assert not share_of_injective(SETTING).agrees
