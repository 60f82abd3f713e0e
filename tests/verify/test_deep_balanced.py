"""Balanced networks: exact, of every width, and broken by rescaling along the depth."""

from fractions import Fraction
from random import Random

import pytest

from verify.kinds.deep.balanced import (
    along_the_depth,
    balanced,
    imbalances,
    is_balanced,
    made_spread,
    spread_excess,
)
from verify.kinds.deep.families import chain_with_an_outlier, mixing_chains
from verify.kinds.deep.networks import deep, number
from verify.kinds.deep.pool import pool

POOL = pool()


@pytest.mark.parametrize("seed", range(4))
def test_drawn_networks_become_balanced_with_their_widths(seed):
    random = Random(seed)
    grown = 0
    for number_ in range(60):
        case = POOL.draw_deep(random) if number_ % 10 == 9 else POOL.draw(random)
        found = balanced(case, random)
        assert is_balanced(found)
        assert found.widths == case.widths
        assert found.arrays["X"] == case.arrays["X"]
        hidden = [f"b{layer}" for layer in range(1, found.depth)]
        grown += any(any(found.arrays[name].entries) for name in hidden)
        if found.depth > 1:
            assert found.arrays["W1"].held
            assert not found.arrays["X"].held
            assert len(found.numbers) < len(case.numbers)
    assert grown > 5  # biases are among them


def test_a_balanced_network_stays():
    case = deep([[[3], [4]], [[3, 4]]], [[4, 3], [0]], [[1]])
    assert list(imbalances(case)) == [16, 9]
    case = deep([[[3], [4]], [[5, 0], [0, 5]]], [[4, 3], [0, 0]], [[1]])
    assert not any(imbalances(case))
    assert balanced(case, Random(0)).arrays == case.arrays


def test_rescaling_keeps_the_function_and_breaks_the_balance():
    random = Random(1)
    for _ in range(20):
        case = balanced(POOL.draw(random), random)
        moved = along_the_depth(case, random)
        assert (moved.exact.outputs == case.exact.outputs).all()
    assert not is_balanced(along_the_depth(deep([[[1]], [[1]]], None, [[1]]), random))


def test_the_spread_of_the_norms():
    assert spread_excess(deep([[[2]], [[1]]], None, [[1]])) == Fraction(4, 1) / Fraction(5, 2) - 1
    assert spread_excess(deep([[[1]], [[2]]], None, [[1]])) == 0
    assert spread_excess(deep([[[0]], [[0]]], None, [[1]])) == 0
    random = Random(2)
    for _ in range(20):
        assert spread_excess(made_spread(POOL.draw(random), random)) == 0


def test_families_are_balanced():
    random = Random(3)
    case = pool(gaps=("gap",)).draw(random)
    for family in (mixing_chains, chain_with_an_outlier):
        found = family(case, random)
        assert is_balanced(found)
        assert found.number("gap") == case.number("gap")


def test_held_numbers_do_not_move():
    case = balanced(deep([[[1]], [[2]]], None, [[5]], gap=number(7)), Random(0))
    assert case.numbers == (0, 0, 5, 7)  # the last bias, the slope, the point, the gap
    moved = case.with_numbers([1, 0, 6, 8])
    assert moved.arrays["W1"] == case.arrays["W1"]
    assert moved.number("gap") == 8
