"""Which small cases are listed for a claim, size by size: by the pool that it draws from."""

from __future__ import annotations

from random import Random

from verify.cases.pool import Pool
from verify.cases.structured_pool import StructuredPool
from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim
from verify.kinds.deep.layered import LayeredPool
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.search.enumeration.arrays import array_ladder
from verify.search.enumeration.layered import layered_ladder
from verify.search.enumeration.networks import network_ladder
from verify.search.enumeration.pieces import structured_ladder
from verify.search.enumeration.scopes import Ladder
from verify.search.enumeration.solutions import solution_ladder


def ladder_of(claim: Claim, random: Random, budget: float) -> Ladder:
    """The scopes for a claim, by its pool; none where small cases cannot be listed."""
    pool = claim.pool
    if isinstance(pool, StructuredPool):
        return structured_ladder(claim, pool, random)
    if isinstance(pool, LayeredPool):
        return layered_ladder(claim, pool, random)
    if isinstance(pool, Pool):
        return network_ladder(claim, pool, random, budget)
    if isinstance(pool, SolutionPool):
        return solution_ladder(pool)
    if isinstance(pool, TensorPool):
        return array_ladder(claim, pool, random)
    return ()
