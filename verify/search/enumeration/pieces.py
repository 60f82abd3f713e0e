"""Small networks that are built of pieces: all weights on the smallest architectures of a pool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from graphs.errors import NetworkError
from verify.cases.case import Case
from verify.cases.hypotheses import asks_network
from verify.cases.networks_of_pieces import build
from verify.cases.structured import Structured
from verify.cases.structured_pool import StructuredPool, structured
from verify.core.claim import Claim
from verify.core.losses import PRESCRIBED
from verify.search.enumeration.blocks import NetworkBlock, Numbers
from verify.search.enumeration.networks import EXACT_UNIT, ONE, SIGNS, SMALL, ZERO, grid_points
from verify.search.enumeration.scopes import Scope, listed

PLANS = 80
UNIT = 2.0
MOST = 6  # architectures
VERSIONS = ((SMALL, SMALL), (SIGNS, SMALL), (SIGNS, SIGNS), (SIGNS, (ONE,)))


def structured_ladder(
    claim: Claim, pool: StructuredPool, random: Random
) -> Iterator[Iterator[Scope]]:
    """For each of some small architectures, the smallest first, all weights and inputs."""
    questions = [asked for asked in map(asks_network, claim.hypotheses) if asked is not None]
    listed_ones = [case for case in architectures(pool) if all(asked(case) for asked in questions)]
    for base in listed_ones[:MOST]:
        yield (_scope(claim, base, weights, inputs) for weights, inputs in VERSIONS)


@lru_cache(maxsize=16)
def architectures(pool: StructuredPool) -> list[Structured]:
    """Different small architectures of a pool's planners and of its list, by their size: the same
    ones for all claims with such a pool, and in every run."""
    found: dict[str, Structured] = {}
    random = Random(PLANS)
    for number in range(PLANS):
        name, planner = pool.planners[number % len(pool.planners)]
        plan = planner(random, False, pool)
        try:
            net, choice = build(plan)
        except NetworkError:
            continue
        row = (ZERO,) * len(net.free_inputs)
        ones = (ONE,) * net.parameter_count
        chosen = {**choice, "item": name}
        case = Case(net, ones, (row,), (ONE,), PRESCRIBED, (ONE,), chosen, "enumerated")
        found.setdefault(repr((net, choice)), structured(case, plan))
    for one in pool.symbolic():
        if isinstance(one, Structured):
            case = replace(one, family="enumerated")
            found.setdefault(repr((case.network, case.choice)), case)
    return sorted(
        found.values(), key=lambda case: (case.network.parameter_count, case.network.edge_count)
    )


def _scope(claim: Claim, base: Structured, weights: Numbers, inputs: Numbers) -> Scope:
    net = base.network
    unit = EXACT_UNIT if claim.exact_only else UNIT
    points = grid_points(len(net.free_inputs), inputs)
    block = NetworkBlock((base,), (weights,) * net.parameter_count, points, SIGNS, (-ONE,), unit)
    words = (
        f"on {net} all weights in {listed(weights)}, all inputs in {listed(inputs)} (halved until "
        "the norm is at most 1), labels 1 and -1, slope of the loss -1; n = 1"
    )
    return Scope(words, (block,), drawn=True)
