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
def _bound(found: Tail, case: Case, *, absolute: bool, repaired: bool) -> Iterable[Breach]:
    for j in found.layers:
        factor = found.V_c_repaired(j) if repaired else found.V_c(j)
        divisor = 8 ** found.blocks_behind(j) * factor
        name = {"layer": j}
        matrix = found.matrix(j, absolute=absolute)
        yield excess(matrix, divisor, name) if grows(case) else (name, Fraction(0))


def _ratio(
    found: Tail, case: Case, *, index: str, absolute: bool, repaired: bool
) -> Iterable[Breach]:
    for j in found.layers:
        factor = found.V_c_repaired(j) if repaired else found.V_c(j)
        divisor = 8 ** found.blocks_behind(j) * factor
        if not any(map(any, found.matrix(j))):
            continue  # it does not diverge
        for k in [j] if index == "A" else found.layers:
            matrix = found.matrix(k, absolute=absolute)
            if any(map(any, matrix)):
                yield shortfall(matrix, divisor, {"numbers": [j, k]})


def _layers(found: Tail, quantifier: str) -> list[int]:
    return [j for j in found.aligned_layers() if quantifier == "A" or j <= found.M]


def _rank_one(found: Tail, case: Case, *, quantifier: str, absolute: bool) -> Iterable[Breach]:
    for j in _layers(found, quantifier):
        matrix = found.matrix(j, absolute=absolute)
        if any(map(any, matrix)):
            yield shortfall(matrix, 1, {"layer": j})


def _alignment(found: Tail, case: Case, *, quantifier: str, absolute: bool) -> Iterable[Breach]:
    for j in _layers(found, quantifier):
        matrix, following = (found.matrix(i, absolute=absolute) for i in (j, j + 1))
        if any(map(any, matrix)) and any(map(any, following)):
            yield misaligned(matrix, following, {"numbers": [j, j + 1]})


def _both_limits(found: Tail, case: Case, *, quantifier: str) -> Iterable[Breach]:
    yield from _rank_one(found, case, quantifier=quantifier, absolute=False)
    yield from _alignment(found, case, quantifier=quantifier, absolute=False)


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
    """(13): one entry for each layer."""
    return _measure(partial(_bound, absolute=absolute, repaired=repaired))


def ratio(index: str, *, absolute: bool = False, repaired: bool = False) -> Measure:
    """(14): one entry for each pair of layers that the reading of the indices speaks of."""
    return _measure(partial(_ratio, index=index, absolute=absolute, repaired=repaired))


def rank_one(quantifier: str, *, absolute: bool = False) -> Measure:
    """(15), first limit."""
    return _measure(partial(_rank_one, quantifier=quantifier, absolute=absolute))


def alignment(quantifier: str, *, absolute: bool = False) -> Measure:
    """(15), second limit."""
    return _measure(partial(_alignment, quantifier=quantifier, absolute=absolute))


def both_limits(quantifier: str) -> Measure:
    """(15)."""
    return _measure(partial(_both_limits, quantifier=quantifier))


def _measure(breaches: Callable[[Tail, Case], Iterable[Breach]]) -> Measure:
    found: Breaches = partial(on_tail, breaches)
    return of_cases(found)


block_norms = of_cases(block_breaches)
