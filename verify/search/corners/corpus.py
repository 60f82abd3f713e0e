"""The standing corpus of corners of a claim, the kinds in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.structured_pool import StructuredPool
from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim
from verify.kinds.deep.layered import LayeredPool, as_network
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.search.corners.networks import case_on, corners_on, dressed
from verify.search.corners.numbers import KINDS
from verify.search.drawing import repair
from verify.search.enumeration.blocks import changed
from verify.search.enumeration.choices import choices_on, is_listed, what_is_chosen

Corner = tuple[str, Any]
PIECES = 12  # architectures that are built of pieces


def corpus(claim: Claim, random: Random, most: int) -> list[Corner]:
    """Cases at corners with their kinds, as they are and as the claim's pool and hypotheses mend
    them.

    most: how many; the kinds come in turn, so that none is left out while there is room.
    """
    found: list[Corner] = []
    for kind, case in _raw(claim, random):
        shaped = _shaped(claim, case, random)
        mended = repair(claim, shaped, random)
        found.append((kind, _with_numbers(shaped, case)))
        if mended != found[-1][1]:
            found.append((kind, mended))
        if len(found) >= most:
            break
    return found[:most]


def _with_numbers(shaped: Any, case: Any) -> Any:
    """The case with what was chosen when the pool shaped it; the shaped one where it has another
    network."""
    if not isinstance(case, Case):
        return case
    if shaped.network is not case.network or shaped.example_count != case.example_count:
        return shaped
    return replace(case, choice={**shaped.choice, **case.choice})


def in_turn(corners: Iterable[Corner]) -> Iterator[Corner]:
    """The same corners, the first of each kind, then the second of each, and so on."""
    waiting: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    for kind, case in corners:
        waiting[kind].append(case)
    for number in range(max(map(len, waiting.values()))):
        for kind, cases in waiting.items():
            if number < len(cases):
                yield kind, cases[number]


def _raw(claim: Claim, random: Random) -> Iterable[Corner]:
    pool = claim.pool
    if isinstance(pool, TensorPool):
        from verify.search.corners.arrays import corners_of_arrays

        return in_turn(corners_of_arrays(pool, random))
    if isinstance(pool, LayeredPool):
        from verify.search.corners.arrays import corners_of_arrays

        arrays = in_turn(corners_of_arrays(pool.of, random))
        return ((kind, as_network(case)) for kind, case in arrays)
    if isinstance(pool, SolutionPool):
        from verify.search.corners.solutions import corners_of_solutions

        return in_turn(corners_of_solutions(pool))
    assert isinstance(pool, Pool)
    chosen = what_is_chosen(claim, random)
    if isinstance(pool, StructuredPool):
        return _choosing(_of_pieces(pool), chosen)
    return _choosing(_of_networks(replace(pool, adapt=None)), chosen)


@lru_cache(maxsize=16)
def _of_networks(pool: Pool) -> list[Corner]:
    """The corners of a pool's networks, the kinds and the networks in turn."""
    counts = [n for n in pool.examples if n <= 2] or [min(pool.examples)]
    nets = dressed(pool)
    bases = [
        case_on(net, counts[(k + shift) % len(counts)])
        for shift in range(len(counts))
        for k, net in enumerate(nets)
    ]
    return _of(bases, pool)


@lru_cache(maxsize=16)
def _of_pieces(pool: StructuredPool) -> list[Corner]:
    """The same for networks that are built of pieces."""
    from verify.search.enumeration.pieces import architectures

    bases = []
    for case in architectures(pool)[:PIECES]:
        plain = case_on(case.network)
        numbers = {"weights": plain.weights, "inputs": plain.inputs, "slopes": plain.slopes}
        bases.append(changed(case, {**numbers, "labels": plain.labels, "family": "corner"}))
    return _of(bases, pool)


def _of(bases: Sequence[Case], pool: Pool) -> list[Corner]:
    """The corners of some cases: of each kind first every corner once, each on another case."""
    random = Random(len(bases))
    of_kind: dict[str, list[list[Case]]] = {kind: [[] for _ in bases] for kind in KINDS}
    for number, base in enumerate(bases):
        for kind, case in corners_on(base, random, kinks=pool.kinks):
            of_kind[kind][number].append(case)
    return list(
        in_turn((kind, case) for kind, rows in of_kind.items() for case in diagonally(rows))
    )


def diagonally(rows: Sequence[Sequence[Case]]) -> Iterator[Case]:
    """All entries of a table: the first of the first row, the second of the second row, ...; then
    the first of the second row, and so on."""
    width = max(map(len, rows), default=0)
    for shift, place in product(range(len(rows)), range(width)):
        row = rows[(place + shift) % len(rows)]
        if place < len(row):
            yield row[place]


def _choosing(corners: Iterable[Corner], chosen: frozenset[str]) -> Iterator[Corner]:
    """The corners with one of the ways to choose what the claim lets one choose, in turn."""
    plain = chosen - {"selection"}  # a kind of corner of its own
    for number, (kind, case) in enumerate(corners):
        if not plain or not is_listed(plain):
            yield kind, case
            continue
        ways = list(choices_on(case.network, plain, case.example_count))
        yield kind, case.choosing(**ways[number % len(ways)]) if ways else case


def _shaped(claim: Claim, case: Any, random: Random) -> Any:
    """The case as the claim's pool shapes it."""
    adapt = getattr(claim.pool, "adapt", None)
    return case if adapt is None else adapt(case, random)
