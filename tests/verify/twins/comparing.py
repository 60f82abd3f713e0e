"""Comparing a statement with its twin: a second term for what is printed, written from the print by
somebody who had not seen the first. Where a case tells the two apart, one of them is mistyped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    mine, twin = claim.terms, Statement(f"twin of {claim.id}", says, {}, claim.terms.flow)

    def ask(scene: Any) -> tuple[Any, ...]:
        met = np.ones(len(scene.cases), dtype=bool)
        for name in mine.given:
            met &= mine.hypothesis(name)(scene)
        failed = (failures(one, claim, scene) for one in (mine, twin))
        return met, *failed, *(sides(one, scene) for one in (mine, twin))

    cases, failing, apart, unlike = 0, 0, [], []
    for batch, (met, first, second, here, there) in answers(
        [*kept(claim), *batches(drawn_of(claim, share))], ask
    ):
        cases += int(met.sum())
        failing += int((met & first & second).sum())
        for k in np.flatnonzero(met & (first != second)):
            apart.append((batch[k], not first[k], not second[k]))
        for k in np.flatnonzero(met) if here and there else ():
            if here[k] != there[k]:
                unlike.append((batch[k], here[k], there[k]))
    return Comparison(cases, failing, apart, unlike)


def answers(
    many: Sequence[Sequence[Any]], ask: Callable[[Any], Any]
) -> Iterator[tuple[Sequence[Any], Any]]:
    """Batches of cases, and what is asked of the scene of each; where too much is spoken of for one
    scene, case by case."""
    for batch in many:
        try:
            yield batch, ask(type(batch[0]).scene(batch, RATIONALS))
        except TooManyPathsError:
            yield from answers([[case] for case in batch] if len(batch) > 1 else [], ask)


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


def kept(claim: Claim) -> list[list[Any]]:
    """The case that is kept, which may be larger than those that are drawn."""
    exhibit = exhibits(claim.source.paper).get(claim.id)
    whole = exhibit.certificate_of(claim) if exhibit else None
    return [] if whole is None else [[case_of(claim, whole["case"])]]


def drawn_of(claim: Claim, share: float = 1) -> list[Any]:
    """Cases: random ones, corners; of a limit exact solutions. Drawn once."""
    key = claim.id, share
    if key not in DRAWN:
        DRAWN[key] = list(_drawn_of(claim, share))
    return DRAWN[key]


DRAWN: dict[tuple[str, float], list[Any]] = {}


def _drawn_of(claim: Claim, share: float) -> Iterator[Any]:
    if isinstance(claim.pool, SolutionPool):
        yield from claim.pool.solutions_of(SEED, int(share * SOLUTIONS))
        return
    random = Random(SEED)
    for one in (
        *rounds(claim, random, int(share * DRAWS)),
        corners(claim, random, int(share * CORNERS)),
    ):
        yield from (case for batch in one for case in batch)


def broken(claim: Claim, hypothesis: Hypothesis, share: float = 1) -> list[Any]:
    """Drawn cases in which a hypothesis is broken."""
    assert hypothesis.break_ is not None
    random = Random(SEED)
    drawn = drawn_of(claim, share)[: int(share * DRAWS)]
    return [hypothesis.break_(case, random) for case in drawn]


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
    found = [case for one in kept(claim) for case in one] + drawn_of(claim, share)
    if hypothesis.break_ is not None:
        found += broken(claim, hypothesis, share)
    for other in others:
        found += drawn_of(other, share)
        for one in other.hypotheses:
            if one.break_ is not None:
                found += broken(other, one, share)
    both, neither, apart = 0, 0, []

    def ask(scene: Any) -> list[Any]:
        return [one.hypothesis(name)(scene) for one in (claim.terms, twin)]

    for batch, (first, second) in answers(list(batches(found)), ask):
        both += int((first & second).sum())
        neither += int((~first & ~second).sum())
        apart += [batch[k] for k in np.flatnonzero(first != second)]
    return both, neither, apart


Twins = Mapping[str, Term]
