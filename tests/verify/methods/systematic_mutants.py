"""Slips that can be made in any claim whose entries have sides, or in the source of its measure."""

from dataclasses import replace
from random import Random

import numpy as np

from graphs.errors import NotRationalError
from graphs.rationals import RATIONALS
from verify.claim import Claim, Kind
from verify.constants.constant import BROKEN
from verify.drawing import draw
from verify.judging import view
from verify.mutants.candidates import built, candidates, chosen

SAMPLE = 6  # cases that tell whether entries have sides
SOURCES = 24  # changes of the source of one measure


def slips(claim: Claim) -> list[Claim]:
    """The claim with the inequality turned round (with the right side twice where the sides are
    equal in every case), or with the right side forgotten, or twice; none where the entries have
    no sides, or a left side that is 0."""
    measure = claim.measure
    assert measure is not None

    def with_values(change):
        def mutant(scene):
            entries = measure(scene)
            return replace(entries, values=change(entries.values, entries.left))

        return replace(claim, measure=mutant)

    values, left = _sides(claim)
    if claim.kind is Kind.INEQUALITY:
        if left is not None and left.any() and not values.any():
            return [with_values(lambda slack, left: slack - (left - slack))]
        return [with_values(lambda slack, left: -slack)]
    if left is None or not left.any():
        return []
    return [
        with_values(lambda value, left: left),
        with_values(lambda value, left: value - (left - value)),
    ]


def _sides(claim: Claim) -> tuple[np.ndarray, np.ndarray | None]:
    """The values and left sides of the entries that are admitted in some cases."""
    random, sizes = Random(1), claim.pool.examples
    values, left = [], []
    for k in range(SAMPLE):
        case = draw(claim, random, n=sizes[k % len(sizes)], loss="prescribed", large=False)
        seen = view(claim, [case], RATIONALS)
        values.append(seen.entries.values[seen.admitted])
        if seen.entries.left is not None:
            left.append(seen.entries.left[seen.admitted])
    return np.concatenate(values), np.concatenate(left) if left else None


def changed_sources(claim: Claim) -> list[Claim]:
    """The claim with its measure changed in one place of the source, in several ways."""
    assert claim.measure is not None
    made = (built(candidate) for candidate in chosen(candidates(claim.measure), SOURCES))
    return [replace(claim, measure=_undefined(measure)) for measure in made if measure is not None]


def _undefined(measure):
    """A changed measure; where it makes no sense, the case is not for it."""

    def mutant(scene):
        try:
            entries = measure(scene)
        except BROKEN as error:
            raise NotRationalError(f"makes no sense: {error}") from error
        if not isinstance(entries.values, np.ndarray) or len(entries.values) != len(entries):
            raise NotRationalError("makes no sense: not a value for each entry")
        return entries

    return mutant
