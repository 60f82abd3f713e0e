"""The benchmark of Hessians of DAG networks: both ways and SymPy agree, and a slip is noticed."""

from fractions import Fraction
from random import Random

import pytest

from benchmarks import blocks
from benchmarks.second_order import SecondOrder, edges_of


def test_it_runs(capsys):
    assert blocks.main(["--quick", "--repeats", "1"]) == 0
    assert "False" not in capsys.readouterr().out


@pytest.mark.parametrize("manner", ["numbers", "symbols"])
def test_a_wrong_hessian_fails_the_benchmark(manner, monkeypatch):
    monkeypatch.setattr(SecondOrder, "_at_pre", lambda self, v: {})
    assert not blocks.compared(manner, 4, 2, 1, seed=0).agree


@pytest.mark.parametrize("manner", ["numbers", "symbols"])
def test_a_slip_in_both_ways_is_seen_by_sympy(manner, monkeypatch):
    monkeypatch.setattr(SecondOrder, "_bent", lambda self, v: {})
    assert not blocks.compared(manner, 4, 9, 1, seed=0).agree
    assert blocks.compared(manner, 4, 0, 1, seed=0).agree  # where it is not asked


def test_graphs_lead_to_one_output():
    for seed in range(20):
        parents = blocks.random_dag(8, Random(seed))
        taken = {u for _, u in edges_of(parents)}
        assert len(parents) == 10
        assert taken == set(range(9))
        assert parents[0] == parents[1] == []
        assert all(parents[2:])


def test_plain_numbers_by_hand():
    # sigma(z) = 1/2 - z + z^2/3 at z = w0 x, and the output w1 sigma: twice by w0 it is 2/3 w1 x^2
    parents = [[], [0], [1]]
    found = blocks.plain_numbers(parents, [Fraction(3), Fraction(5)], [Fraction(2)] * 3, [(0, 0)])
    assert found == {(0, 0): Fraction(2, 3) * 5 * 4}
