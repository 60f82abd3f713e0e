"""Theorem 2 and Lemma 11 on exact solutions of the gradient flow: how they break them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial

from verify.breaches import (
    Breach,
    Breaches,
    excess,
    grows,
    misaligned,
    of_cases,
    outgrown,
    shortfall,
)
from verify.case import Case
from verify.layer_pieces import Mismatch, chosen_pieces, flat, leaving
from verify.tails import Tail, tail_of
from verify.vocabulary import Entries, Scene

Measure = Callable[[Scene], Entries]


def on_tail(breaches: Callable[[Tail, Case], Iterable[Breach]], case: Case) -> list[Breach]:
    """The breaches on the layers behind eta; none where the case has no such layers."""
    try:
        return list(breaches(tail_of(case, linear=False), case))
    except Mismatch:
        return []


# measures -----------------------------------------------------------------------------------------
def _divided(found: Tail, *, repaired: bool) -> Iterable[tuple[int, int]]:
    """The layers with their 8^N_r V_c, where that is less than the smaller dimension: else
    ||W||_F^2 <= rank(W) ||W||_2^2 says all that (13) and (14) do."""
    for j in found.layers:
        factor = found.V_c_repaired(j) if repaired else found.V_c(j)
        divisor = 8 ** found.blocks_behind(j) * factor
        if divisor < min(found.shape(j)):
            yield j, divisor


def _bound(found: Tail, case: Case, *, absolute: bool, repaired: bool) -> Iterable[Breach]:
    for j, divisor in _divided(found, repaired=repaired):
        name = {"layer": j}
        matrix = found.matrix(j, absolute=absolute)
        yield excess(matrix, divisor, name) if grows(case) else (name, Fraction(0))


def _ratio(found: Tail, case: Case, *, repaired: bool) -> Iterable[Breach]:
    for j, divisor in _divided(found, repaired=repaired):
        if any(map(any, found.matrix(j))):  # else it does not diverge
            yield shortfall(found.matrix(j), divisor, {"layer": j})


def _rank_one(found: Tail, case: Case) -> Iterable[Breach]:
    for j in found.aligned_layers():
        if min(found.shape(j)) > 1 and any(map(any, found.matrix(j))):
            yield shortfall(found.matrix(j), 1, {"layer": j})


def _alignment(found: Tail, case: Case) -> Iterable[Breach]:
    for j in found.aligned_layers():
        matrix, following = (found.matrix(i) for i in (j, j + 1))
        if len(matrix) > 1 and any(map(any, matrix)) and any(map(any, following)):
            yield misaligned(matrix, following, {"numbers": [j, j + 1]})


def block_breaches(case: Case) -> list[Breach]:
    """Lemma 11 along the flow: is ||A||_2^2 / 8 - ||B||_2^2 bounded, for every ResNetFree block."""
    try:
        pieces = chosen_pieces(case)
    except Mismatch:
        return []
    reader = Tail(tuple(pieces), case.network.edge_weights(case.weights))
    found = []
    for number, piece in enumerate(pieces):
        if piece.kind != "block" or piece.variant != "free":
            continue
        name = {"block": number}
        large, small = reader.numbers(flat(piece)), reader.numbers(leaving(piece))
        share = Fraction(1, 8)
        found.append(outgrown(large, small, share, name) if grows(case) else (name, Fraction(0)))
    return found


# as measures ------------------------------------------------------------------------------------
def bound(*, absolute: bool = False, repaired: bool = False) -> Measure:
    """(13): one entry for each layer of which it says more than its rank does."""
    return _measure(partial(_bound, absolute=absolute, repaired=repaired))


def ratio(*, repaired: bool = False) -> Measure:
    """(14) for k = j: one entry for each layer of which it says more than its rank does."""
    return _measure(partial(_ratio, repaired=repaired))


def _measure(breaches: Callable[[Tail, Case], Iterable[Breach]]) -> Measure:
    found: Breaches = partial(on_tail, breaches)
    return of_cases(found)


rank_one = _measure(_rank_one)
"""(15), first limit: one entry for each layer that is no vector."""
alignment = _measure(_alignment)
"""(15), second limit: one entry for each two layers with more than one neuron between them."""
block_norms = of_cases(block_breaches)
