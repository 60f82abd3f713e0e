"""Comparing a statement with its twin: a second term for what is printed, written from the print by
somebody who had not seen the first. Where a case tells the two apart, one of them is mistyped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Any

import numpy as np

from graphs.errors import TooManyPathsError
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis
from verify.core.claim import Claim, Kind
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.language.frames import TooManyRowsError
from verify.language.statements import Statement
from verify.language.terms import Term
from verify.search.certificates import case_of
from verify.search.exhibits import exhibits
from verify.search.mutants.draws import batches, corners, rounds

Sides = list[list[Any]]

DRAWS, CORNERS, SOLUTIONS = 40, 12, 12
FEW = 1 / 4  # of these, which do for most
SEED = 20


@dataclass(frozen=True)
class Comparison:
    """cases: in how many the statement meets its hypotheses. failing: in how many of these both
    fail. apart: those that tell the two apart, with what the statement and the twin say there.
    unlike: those in which both compare numbers, but not the same ones, with the sides of both."""

    cases: int
    failing: int
    apart: Sequence[tuple[Any, bool, bool]]
    unlike: Sequence[tuple[Any, Sides, Sides]]


def compared(claim: Claim, says: Term, share: float = 1) -> Comparison:
    """A claim against its twin, in the cases that meet the claim's hypotheses. share: of the cases
    that are drawn."""
    assert claim.terms is not None
    twin = Statement(f"twin of {claim.id}", says, {}, claim.terms.flow)
    cases, failing, apart, unlike = 0, 0, [], []
    for batch in cases_of(claim, share):
        scene = type(batch[0]).scene(batch, RATIONALS)
        try:
            met = np.ones(len(batch), dtype=bool)
            for name in claim.terms.given:
                met &= claim.terms.hypothesis(name)(scene)
            mine, other = (failures(one, claim, scene) for one in (claim.terms, twin))
            both = [sides(one, scene) for one in (claim.terms, twin)]
        except (TooManyPathsError, TooManyRowsError):
            continue
        cases += int(met.sum())
        failing += int((met & mine & other).sum())
        for k in np.flatnonzero(met & (mine != other)):
            apart.append((batch[k], not mine[k], not other[k]))
        for k in np.flatnonzero(met) if all(both) else ():
            if both[0][k] != both[1][k]:
                unlike.append((batch[k], both[0][k], both[1][k]))
    return Comparison(cases, failing, apart, unlike)


def failures(statement: Statement, claim: Claim, scene: Any) -> np.ndarray:
    """(C,): the cases of a scene in which what a statement says is false somewhere."""
    exists = claim.kind is Kind.EXISTENCE
    entries = statement.witnesses(scene) if exists else statement.truths(scene)
    failed = np.zeros(len(scene.cases), dtype=bool)
    for owner, value in zip(entries.owner, entries.values, strict=True):
        failed[owner] |= bool(value == 0) if exists else bool(value != 0)
    return failed


def sides(statement: Statement, scene: Any) -> list[Sides]:
    """By case the numbers that are compared there, each two once, whatever their order; nothing of
    a statement that compares anything else."""
    if not statement.compares:
        return []
    found = statement.measure(scene)
    assert found.left is not None
    pairs: list[Sides] = [[] for _ in scene.cases]
    for owner, left, value in zip(found.owner, found.left, found.values, strict=True):
        pairs[owner].append(sorted([left, left - value]))
    return [[pair for pair, _ in groupby(sorted(some))] for some in pairs]


def cases_of(claim: Claim, share: float = 1) -> Iterator[Sequence[Any]]:
    """Batches of cases: the one that is kept, and drawn ones."""
    kept = exhibits(claim.source.paper).get(claim.id)
    whole = kept.certificate_of(claim) if kept else None
    if whole is not None:
        yield [case_of(claim, whole["case"])]
    yield from drawn_of(claim, share)


def drawn_of(claim: Claim, share: float = 1) -> Iterator[Sequence[Any]]:
    """Batches of cases: random ones, corners; of a limit exact solutions."""
    if isinstance(claim.pool, SolutionPool):
        yield from ([case] for case in claim.pool.solutions_of(SEED, int(share * SOLUTIONS)))
        return
    random = Random(SEED)
    for one in rounds(claim, random, int(share * DRAWS)):
        yield from one
    yield from corners(claim, random, int(share * CORNERS))


def broken(claim: Claim, hypothesis: Hypothesis, share: float = 1) -> list[Any]:
    """Drawn cases in which a hypothesis is broken."""
    assert hypothesis.break_ is not None
    random = Random(SEED)
    drawn = [case for batch in drawn_of(claim, share) for case in batch]
    return [hypothesis.break_(case, random) for case in drawn[: int(share * DRAWS)]]


# hypotheses --------------------------------------------------------------------------------------
def hypothesis_compared(
    claim: Claim, name: str, holds: Term, others: Sequence[Claim] = (), share: float = 1
) -> tuple[int, int, list[Any]]:
    """A hypothesis of a claim against its twin, in the claim's cases, in those that break it, and
    in cases of other claims: in how many both are met, in how many neither is, and the cases that
    tell them apart."""
    assert claim.terms is not None
    hypothesis = next(one for one in claim.hypotheses if one.name == name)
    twin = Statement("twin of a hypothesis", holds, {name: holds}, claim.terms.flow)
    found = [case for batch in cases_of(claim, share) for case in batch]
    if hypothesis.break_ is not None:
        found += broken(claim, hypothesis, share)
    for other in others:
        found += [case for batch in drawn_of(other, share) for case in batch]
        for one in other.hypotheses:
            if one.break_ is not None:
                found += broken(other, one, share)
    both, neither, apart = 0, 0, []
    for batch in batches(found):
        scene = type(batch[0]).scene(batch, RATIONALS)
        try:
            first, second = (one.hypothesis(name)(scene) for one in (claim.terms, twin))
        except (TooManyPathsError, TooManyRowsError):
            continue
        both += int((first & second).sum())
        neither += int((~first & ~second).sum())
        apart += [batch[k] for k in np.flatnonzero(first != second)]
    return both, neither, apart


Twins = Mapping[str, Term]
