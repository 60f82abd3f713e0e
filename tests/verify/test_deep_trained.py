"""Trained networks as instances."""

from random import Random

from verify.kinds.deep.changes import jacobian_ranks
from verify.kinds.deep.pool import pool
from verify.kinds.deep.trained import SHAPES, SLOPES, trained_networks


def test_they_are_the_same_every_time_and_fit_better_than_zero():
    first = trained_networks()
    trained_networks.cache_clear()
    assert trained_networks() == first
    assert len(first) == len(SLOPES) * len(SHAPES)
    sizes = [sum(x * x for weight in one.weights for row in weight for x in row) for one in first]
    assert sum(size > 1 for size in sizes) >= 3 * len(sizes) // 4


def test_training_balances_the_layers():
    """The squared norms of layers come near each other, but for biases and what is left."""
    near = 0
    for seed in range(30):
        case = pool().draw_trained(Random(seed))
        weights = [case.arrays[f"W{layer}"].entries for layer in range(1, case.depth + 1)]
        squares = [float(sum(x * x for x in weight)) for weight in weights]
        near += max(squares) < 3 * min(squares) + 1
    assert near >= 15


def test_points_are_data_and_ranks_are_small():
    drawn = [pool(biases=False).draw_trained(Random(seed)) for seed in range(20)]
    assert {case.family for case in drawn} == {"trained"}
    assert any(1 in jacobian_ranks(case) for case in drawn)
    assert not any(any(case.arrays[f"b{k}"].entries) for case in drawn for k in (1, 2))
