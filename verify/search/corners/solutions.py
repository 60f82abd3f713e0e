"""Corners of exact solutions of the gradient flow: with zeros, of any scale, on examples twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from verify.cases.case import Case
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.search.corners.numbers import COINCIDENT, EXTREMES, HUGE, RANK, SIZE, TIES, TINY, ZEROS
from verify.search.enumeration.networks import SIGNS, SMALL
from verify.search.enumeration.solutions import architectures, block_of

SLAB = 2000  # cases among which solutions are looked for
EACH = 6  # solutions of a kind on one architecture
ARCHITECTURES = 6


def corners_of_solutions(pool: SolutionPool) -> Iterator[tuple[str, Case]]:
    """Solutions among small cases, and what becomes of them at corners."""
    for base in () if pool.obtuse else architectures(pool)[:ARCHITECTURES]:
        for kind in pool.solutions:
            for weights in (SIGNS,) if pool.nonzero else (SMALL, SIGNS):
                block = block_of(pool, base, kind, weights, SIGNS, min(pool.examples))
                found = block.slab(0, min(block.count, SLAB)).cases
                for case in found[:: max(1, len(found) // EACH)][:EACH]:
                    yield from _corners(case)


def _corners(case: Case) -> Iterator[tuple[str, Case]]:
    net = case.network
    zero, narrow = 0 in case.weights, net.vertex_count == 1 + max(net.depths)
    yield ZEROS if zero else SIZE if narrow else TIES, case
    for scale in (HUGE, TINY):
        yield EXTREMES, case.with_weights([scale * weight for weight in case.weights])
    yield (
        COINCIDENT,
        replace(
            case,
            inputs=(*case.inputs, case.inputs[0]),
            labels=(*case.labels, case.labels[0]),
            slopes=(*case.slopes, case.slopes[0]),
        ),
    )
    yield RANK, case.with_weights([abs(weight) for weight in case.weights])
