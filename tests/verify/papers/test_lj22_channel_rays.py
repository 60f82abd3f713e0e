"""Rays of convolutions: exact solutions, whose matrices have a rank above one."""

from fractions import Fraction
from random import Random

import pytest

from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.kinds.solutions.rays import is_solution
from verify.kinds.solutions.tails import tail_of
from verify.papers.lj22.channel_rays import (
    before_a_matrix,
    onto_one_neuron,
    ray_of_convolutions,
)
from verify.papers.registry import find
from verify.search.judging import judge_exactly

BOUND, PRINTED, RANK_ONE = (
    find(f"lj22.thm2-{name}") for name in ("13.fix", "13@A", "15.rank-one@AA")
)


def convolutions(case):
    tail = tail_of(case)
    return [numbers(case, tail.matrix(j)) for j in range(1, tail.K + 1)]


def numbers(case, rows):
    weights = case.network.edge_weights(case.weights)
    return RATIONALS.array([[weights[e] for e in row] for row in rows])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("make", [onto_one_neuron, before_a_matrix])
def test_they_are_solutions(make, seed):
    case = make(Random(seed))
    assert is_solution(case)
    assert min(map(rank, convolutions(case))) > 1
    assert is_solution(case.with_weights([2 * weight for weight in case.weights]))
    shifted = [weight + (k == 0) for k, weight in enumerate(case.weights)]
    assert not is_solution(case.with_weights(shifted))


@pytest.mark.parametrize("seed", range(6))
def test_the_printed_bound_fails_on_them_and_the_repaired_one_says_something(seed):
    case = onto_one_neuron(Random(seed))
    assert judge_exactly(PRINTED, case).violations
    found = judge_exactly(BOUND, case)
    assert found.admitted == 2  # T_1, T_2
    assert not found.violations


def test_the_repaired_bound_can_be_an_equality():
    """||T_1||_F^2 = 1, ||T_1||_2^2 = 1/2, V_c = 2."""
    cases = [ray_of_convolutions(3, 2, (1,), Random(seed)) for seed in range(12)]
    grams = [T @ T.T for T, _ in map(convolutions, cases)]
    assert all(sum(square.diagonal()) == 1 for square in grams)
    half = RATIONALS.array([[Fraction(int(i == j), 2) for j in range(3)] for i in range(3)])
    assert 1 in [rank(square - half) for square in grams]  # twice 1/2, once 0
    assert all(tail_of(case).V_c_repaired(1) == 2 for case in cases)


@pytest.mark.parametrize("seed", range(6))
def test_behind_convolutions_the_dense_layer_alone_has_rank_one(seed):
    case = before_a_matrix(Random(seed))
    found = judge_exactly(RANK_ONE, case)
    assert found.admitted == 1
    assert not found.violations
    tail = tail_of(case)
    assert [tail.V_c(j) for j in (2, 3)] == [1, 1]  # the second convolution's, too
    assert rank(numbers(case, tail.matrix(2))) == 2


@pytest.mark.parametrize("claim", [BOUND, RANK_ONE], ids=lambda claim: claim.id)
def test_they_are_among_the_solutions_of_a_pool(claim):
    found = claim.pool.solutions_of(3, 24)
    assert len(found) == 26
    assert [case.family for case in found].count("ray of convolutions") == 2
    assert found == claim.pool.solutions_of(3, 24)
    assert claim.pool.convolved in claim.pool.functions().values()
