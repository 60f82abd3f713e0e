"""Looking at blocks of cases: each case is judged exactly, most of them many at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphs.arithmetic import Arithmetic
from graphs.dyadic import DYADICS, Dyadic
from graphs.errors import NotRationalError, TooManyPathsError
from graphs.rationals import RATIONALS
from verify.cases.sliding import SELECTION
from verify.core.claim import Claim, Kind
from verify.search.enumeration.blocks import Block, Slab
from verify.search.judging import judge_exactly, violates

CHUNK = 1024  # cases in one scene


@dataclass
class Count:
    """What was seen of a claim. met: cases that meet all hypotheses; entries: of these, that do;
    touches: entries of an inequality that are 0. broken: the first case that is not as the claim
    says (of an existence: a witness)."""

    looked: int = 0
    met: int = 0
    entries: int = 0
    touches: int = 0
    broken: Any = None


def look_at(claim: Claim, block: Block, count: Count) -> None:
    """Judge every case of a block, up to the first slab that holds a violation."""
    for start in range(0, block.count, CHUNK):
        stop = min(start + CHUNK, block.count)
        slab = block.slab(start, stop)
        count.looked += stop - start
        if len(slab.cases):  # a block may know that some meet no hypotheses
            _look(claim, slab, count)
        if count.broken is not None:
            return


def _look(claim: Claim, slab: Slab, count: Count) -> None:
    """Judge the cases of a slab all at once; where exact arithmetic cannot, one by one."""
    for arithmetic in _arithmetics(claim, slab):
        try:
            owner, broken, touches = _seen(claim, slab, arithmetic)
        except (NotRationalError, TooManyPathsError):
            continue
        count.met += len(np.unique(owner))
        count.entries += len(owner)
        count.touches += touches
        if len(broken):
            count.broken = slab.cases[int(broken.min())]
        return
    for case in slab.cases:
        judgement = judge_exactly(claim, case)
        count.met += bool(judgement.admitted)
        count.entries += judgement.admitted
        count.touches += judgement.touches
        if judgement.violations and count.broken is None:
            count.broken = case


def _arithmetics(claim: Claim, slab: Slab) -> Iterator[Arithmetic]:
    """Float64 where it serves, then the rationals. A slide is worked out over the rationals alone,
    and a claim that is for exact numbers may ask for them."""
    slides = any(case.choice.get("selection") == SELECTION for case in slab.cases[:1])
    if not claim.exact_only and not slides:
        yield DYADICS
    yield RATIONALS


def _seen(claim: Claim, slab: Slab, arithmetic: Arithmetic) -> tuple[np.ndarray, np.ndarray, int]:
    """The cases of the entries that meet all hypotheses, those of the ones that are not as the
    claim says, and how many are 0."""
    assert claim.measure is not None
    scene = slab.scene(arithmetic)
    entries = claim.measure(scene)
    admitted = np.ones(len(entries), dtype=bool)
    for hypothesis in claim.hypotheses:
        if admitted.any():
            admitted &= hypothesis.test(scene, entries)
    values, owner = entries.values, entries.owner
    if isinstance(values, Dyadic):
        numbers = values.values
        bad = numbers < 0 if claim.kind is Kind.INEQUALITY else numbers != 0
        broken = admitted & bad
        zero = numbers == 0
    else:
        broken, zero = np.zeros(len(entries), dtype=bool), np.zeros(len(entries), dtype=bool)
        for k in np.flatnonzero(admitted):
            broken[k] = violates(claim.kind, values[k])
            zero[k] = claim.kind is Kind.INEQUALITY and bool(values[k] == 0)
    touches = int((admitted & zero).sum()) if claim.kind is Kind.INEQUALITY else 0
    return owner[admitted], owner[broken], touches
