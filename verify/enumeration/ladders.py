"""Which small cases are listed for a claim, size by size: by the pool that it draws from."""

from __future__ import annotations

from random import Random

from verify.claim import Claim
from verify.enumeration.arrays import array_ladder
from verify.enumeration.networks import network_ladder
from verify.enumeration.pieces import structured_ladder
from verify.enumeration.scopes import Ladder
from verify.enumeration.solutions import solution_ladder
from verify.pool import Pool
from verify.solution_pool import SolutionPool
from verify.structured_pool import StructuredPool
from verify.tensor_pool import TensorPool


def ladder_of(claim: Claim, random: Random, budget: float) -> Ladder:
    """The scopes for a claim, by its pool; none where small cases cannot be listed."""
    pool = claim.pool
    if isinstance(pool, StructuredPool):
        return structured_ladder(claim, pool, random)
    if isinstance(pool, Pool):
        return network_ladder(claim, pool, random, budget)
    if isinstance(pool, SolutionPool):
        return solution_ladder(pool)
    if isinstance(pool, TensorPool):
        return array_ladder(claim, pool, random)
    return ()
