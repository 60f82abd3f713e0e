"""Small exact solutions of the gradient flow: all weights and data on small architectures.

Whether weights start a solution (verify.kinds.solutions.rays) is asked first in float64 that is
exact, of many cases at once; those that cannot are left out, since the claims suppose a solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

import numpy as np

from graphs.dyadic import DYADICS
from graphs.errors import NetworkError
from verify.cases.case import Case
from verify.cases.networks_of_pieces import build
from verify.cases.structured import Structured
from verify.cases.structured_pool import structured
from verify.core.losses import PRESCRIBED
from verify.kinds.solutions.rays import RAY, SLOPE
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.search.enumeration.blocks import NetworkBlock, NetworkSlab, Numbers
from verify.search.enumeration.networks import ONE, SIGNS, SMALL, ZERO, grid_points
from verify.search.enumeration.scenes import CopiesScene
from verify.search.enumeration.scopes import Scope, listed

PLANS = 40
MOST = 6  # architectures
UNIT = 0.5
VERSIONS = (
    (SMALL, SMALL, 2),
    (SMALL, SMALL, 1),
    (SIGNS, SMALL, 2),
    (SIGNS, SMALL, 1),
    (SIGNS, SIGNS, 2),
    (SIGNS, SIGNS, 1),
    (SIGNS, (ONE,), 1),
)


@dataclass(frozen=True, eq=False)
class SolutionBlock(NetworkBlock):
    """Cases of which only those that may start a solution are made."""

    def slab(self, start: int, stop: int) -> NetworkSlab:
        """Those of the cases with these numbers that may start a solution."""
        whole = super().slab(start, stop)
        kept = np.flatnonzero(may_solve(whole.scene(DYADICS), self.bases[0].choice["solution"]))
        return NetworkSlab(self, tuple(place[kept] for place in whole.places))


def may_solve(scene: CopiesScene, kind: str) -> np.ndarray:
    """(C,) boolean: false where the weights start no solution of this kind.

    Margins: on a ray equal and positive. The gradient of their sum: on a ray a multiple of the
    weights, at rest 0.
    """
    count = len(scene.cases)
    margins = (scene.labels * scene.value).values
    signed = scene.labels[scene.union.edge_owner] * scene.gradients
    parts = signed.sum(1).reshape(count, -1)
    network = scene.union.networks[0]
    same = np.array([[p == q for q in network.parameter_of] for p in network.parameter_of])
    pull = (parts @ DYADICS.array(same.astype(np.int64))).values
    if kind != RAY:
        return np.asarray((pull == 0).all(axis=1) & (margins != 0).any(axis=1))
    weights = scene.weights.values.reshape(count, -1)
    largest = np.abs(weights).argmax(axis=1)[:, None]
    rate = np.take_along_axis(pull, largest, 1) * np.take_along_axis(weights, largest, 1)
    crossed = pull * np.take_along_axis(weights, largest, 1) - weights * np.take_along_axis(
        pull, largest, 1
    )
    along = (crossed == 0).all(axis=1) & (rate[:, 0] > 0)
    return np.asarray(along & (margins[:, :1] > 0).all(axis=1) & (margins == margins[:, :1]).all(1))


def solution_ladder(pool: SolutionPool) -> Iterator[Iterator[Scope]]:
    """For each of some small architectures and each kind of solution all weights and data."""
    for case in () if pool.obtuse else architectures(pool)[:MOST]:
        for kind in pool.solutions:
            yield (
                _scope(pool, case, kind, weights, inputs, n)
                for weights, inputs, n in VERSIONS
                if n in pool.examples and (all(weights) or not pool.nonzero)
            )


@lru_cache(maxsize=16)
def architectures(pool: SolutionPool) -> list[Structured]:
    """Different small architectures of a pool's planner, by their size; in every run the same."""
    random = Random(PLANS)
    found: dict[str, Structured] = {}
    for _ in range(PLANS):
        try:
            plan = pool.planner(random, False)
            net, choice = build(plan)
        except NetworkError:
            continue
        row = (ZERO,) * len(net.free_inputs)
        ones = (ONE,) * net.parameter_count
        case = Case(net, ones, (row,), (ONE,), PRESCRIBED, (ONE,), choice, "enumerated")
        found.setdefault(repr((net, choice)), structured(case, plan))
    return sorted(found.values(), key=lambda case: case.network.parameter_count)


def block_of(
    pool: SolutionPool, case: Structured, kind: str, weights: Numbers, inputs: Numbers, n: int
) -> SolutionBlock:
    """All weights and n examples from grids, for a kind of solution on an architecture."""
    width = len(case.network.free_inputs)
    choice = {**case.choice, "solution": kind}
    if pool.separable:
        choice["theta"] = [str(k + 1) for k in range(width)]
    base = replace(
        case,
        inputs=case.inputs * n,
        labels=case.labels * n,
        slopes=(SLOPE[kind],) * n,
        choice=choice,
    )
    parameters = (weights,) * case.network.parameter_count
    points = grid_points(width, inputs)
    return SolutionBlock((base,), parameters, points, SIGNS, (SLOPE[kind],), UNIT)


def _scope(
    pool: SolutionPool, case: Structured, kind: str, weights: Numbers, inputs: Numbers, n: int
) -> Scope:
    block = block_of(pool, case, kind, weights, inputs, n)
    separated = ", separated by (1, 2, ...)" * pool.separable
    words = (
        f"solutions of the kind {kind} on {case.network}: all weights in {listed(weights)}, all "
        f"inputs in {listed(inputs)} (halved until the norm is at most 1){separated}, labels 1 "
        f"and -1; n = {n}"
    )
    return Scope(words, (block,), drawn=True)
