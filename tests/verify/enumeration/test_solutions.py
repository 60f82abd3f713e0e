"""Small exact solutions: none is left out, and what is left out is none."""

import pytest

from verify.kinds.solutions.rays import RAY, REST, is_solution
from verify.papers.registry import find
from verify.search.corners.numbers import COINCIDENT, EXTREMES, KINDS
from verify.search.corners.solutions import corners_of_solutions
from verify.search.enumeration.blocks import NetworkBlock
from verify.search.enumeration.networks import SIGNS, SMALL
from verify.search.enumeration.solutions import architectures, block_of

RAYS = find("lj22.thm2-14@AB").pool


@pytest.mark.parametrize("kind", [RAY, REST])
@pytest.mark.parametrize("n", [1, 2])
def test_every_solution_of_a_block_is_kept(kind, n):
    solutions = 0
    for base in architectures(RAYS)[:2]:
        weights = SMALL if base.network.parameter_count <= 3 and n == 1 else SIGNS
        block = block_of(RAYS, base, kind, weights, SIGNS, n)
        stop = min(block.count, 600)
        whole = NetworkBlock.slab(block, 0, stop).cases
        right = [case for case in whole if is_solution(case)]
        kept = block.slab(0, stop).cases
        assert [case for case in kept if is_solution(case)] == right
        assert len(kept) <= len(whole)
        solutions += len(right)
    assert solutions or (kind, n) == (REST, 1)


def test_rays_are_scaled_and_stay_rays():
    corners = list(corners_of_solutions(RAYS))
    assert {kind for kind, _ in corners} <= set(KINDS)
    rays = [case for kind, case in corners if kind == EXTREMES and case.choice["solution"] == RAY]
    assert rays
    assert all(map(is_solution, rays))
    twice = [case for kind, case in corners if kind == COINCIDENT]
    assert all(case.inputs[0] == case.inputs[-1] for case in twice)
    assert any(map(is_solution, twice))
