"""The cases that a claim and its mutants are put before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any

from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.core.instance import Instance
from verify.core.losses import PRESCRIBED
from verify.search.corners.corpus import corpus
from verify.search.drawing import draw, repair
from verify.search.enumeration.ladders import ladder_of
from verify.search.enumeration.scopes import fitting

LARGEST_ROUND = 8
EDGES = 10  # of a network; a larger one is drawn again
REDRAWS = 3


def rounds(claim: Claim, random: Random, draws: int) -> Iterator[list[Sequence[Instance]]]:
    """Random small cases of a claim in rounds of batches, twice as many each time: most mutants
    differ on the first, and what is left is looked at together."""
    pool = claim.pool
    assert pool is not None
    size, drawn = 1, 0
    while drawn < draws:
        cases = [
            [small(claim, random, n, large=k % 3 == 2) for k in range(size)] for n in pool.examples
        ]
        drawn += size * len(pool.examples)
        yield [batch for group in cases for batch in batches(group)]
        size = min(2 * size, LARGEST_ROUND)


def small(claim: Claim, random: Random, n: int, *, large: bool = False) -> Any:
    """A random case; the smallest of a few where they have many edges."""
    drawn = []
    for _ in range(REDRAWS):
        drawn.append(draw(claim, random, n=n, loss=PRESCRIBED, large=large))
        if _edges(drawn[-1]) <= EDGES:
            break
    return min(drawn, key=_edges)


def _edges(case: Any) -> int:
    return case.network.edge_count if isinstance(case, Case) else 0


def batches(cases: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Cases sorted into batches that make scenes."""
    alike: dict[Any, list[Any]] = {}
    for case in cases:
        alike.setdefault(case.scene_key, []).append(case)
    for group in alike.values():
        yield from (batch for batch in type(group[0]).batches(group) if batch)


def corners(claim: Claim, random: Random, most: int) -> Iterator[Sequence[Any]]:
    """Cases of the claim's standing corpus of corners."""
    if isinstance(claim.pool, Pool | TensorPool):
        found = (case for _, case in corpus(claim, random, most))
        yield from batches([case for case in found if _edges(case) <= EDGES])


def listed(claim: Claim, random: Random, most: int) -> Iterator[Sequence[Any]]:
    """All cases of the largest scopes of small ones that a budget allows."""
    for scope in fitting(ladder_of(claim, random, most), most, 1.0):
        for block in scope.blocks:
            yield from batches(list(block.slab(0, block.count).cases))


def larger(claim: Claim, random: Random, most: int) -> Iterator[Sequence[Any]]:
    """Larger cases than the rounds draw."""
    assert claim.pool is not None
    n = claim.pool.examples
    yield from batches([small(claim, random, n[k % len(n)], large=True) for k in range(most)])


def solutions(claim: Claim, seed: int, draws: int) -> list[list[Sequence[Instance]]]:
    """The exact solutions on which a claim about a limit is decided, in one round, one by one."""
    from verify.kinds.solutions.solution_pool import PER_DRAW, SolutionPool

    assert claim.kind is Kind.LIMIT
    assert isinstance(claim.pool, SolutionPool)
    found = claim.pool.solutions_of(seed, PER_DRAW * draws)
    return [[[case] for case in found]]


def neighbours(claim: Claim, case: Any, random: Random, count: int, *, zeros: bool) -> list[Any]:
    """Cases near one: so many with some numbers changed, and with a part of it 0 if asked for."""
    near = chain(_with_zeros(case) if zeros else (), (case.varied(random) for _ in range(count)))
    found = []
    for other in near:
        try:
            found.append(repair(claim, other, random))
        except ValueError:  # no case of this claim
            continue
    return found


def _with_zeros(case: Instance) -> Iterator[Any]:
    """The same case with an array of 0, or with all weights of a parameter 0."""
    zero = Fraction(0)
    if isinstance(case, Tensors):
        for name, array in case.arrays.items():
            if not array.integer:
                nothing = replace(array, entries=(zero,) * len(array.entries))
                yield case.changing(**{name: nothing})
    elif isinstance(case, Case):
        for k in range(len(case.weights)):
            yield case.with_weights((*case.weights[:k], zero, *case.weights[k + 1 :]))
