"""How far each constant of an inequality can go, and the extremal cases.

The best value that search supports, an extremal case made plain and replayed exactly, and, where
its slack is exactly 0 as printed and below 0 at better values, the word "tight" (an affine slack is
below 0 at all of them; another one is looked at from near to far, at a few). Where a better
constant seems to hold, the repaired statement is proposed in words. This method judges constants,
not the claim: it makes no verdict, except by a counterexample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from verify.core.claim import Claim, Kind
from verify.core.evidence import Bound, Evidence, Outcome
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, admit
from verify.search.constants.constant import (
    Constant,
    UnusableValueError,
    factor,
    written,
)
from verify.search.constants.criticals import TooLongError, distances
from verify.search.constants.growth import slopes
from verify.search.constants.limits import REACHES, Effort, Limit, limits, settle, tried
from verify.search.constants.moves import corners
from verify.search.constants.slacks import Sample, exact_view

SHAPES = 12
LONG = 60  # steps from which on a search is taken to settle for each size
AGREEING = 3
EXACT_STEPS, EXACT_WIDTH, EXACT_CORNERS = 4, 8, 24  # where each case is looked at exactly
EXACT_SHARE = 6  # and all constants together may look at so many times fewer cases


def constants(claim: Claim, context: Context) -> Evidence | None:
    """Look how far the factor between the sides, and every written constant, can go."""
    if claim.kind is not Kind.INEQUALITY or claim.measure is None or claim.pool is None:
        return None
    inquiry = Inquiry("constants", context)
    random = context.random(claim, "constants")
    effort = effort_for(claim, context)
    seeds = corners(claim, random, effort.corners, SHAPES)
    found: list[Limit] = []
    tried = unreached = 0
    most = context.budget.constant_steps * context.budget.constant_width // EXACT_SHARE
    for constant in _constants(claim, seeds):
        looked = sum(one.archive.looked for one in found)
        if (claim.exact_only and looked > most) or inquiry.overdue:
            unreached += 1
            continue
        starts = Sample(claim, [*seeds, *_extremal(found)], context.device)
        tried += 1
        found += limits(claim, constant, starts, random, effort)
    found = [_held_against(claim, one, found, random, effort) for one in found]
    limited = len({id(one.constant) for one in found})
    left_out = list(dict.fromkeys(one.left_out for one in found if one.left_out))
    found = [one for one in found if not one.left_out]
    for one in found:
        if one.violation is not None:
            admitted = admit(claim, one.violation, context.budget.shrink_steps)
            if isinstance(admitted, Admitted):
                return refutation(inquiry, claim, admitted, one.archive.looked)
            why = f"a suspected violation was not admitted: {admitted.reason}"
            return inquiry.finds(admitted.outcome, why)
    bounds = tuple(bound(claim, one) for one in found)
    inquiry.figures = {
        "looked at": sum(one.archive.looked for one in found),
        "constants": tried,
        "constants that no case limits": tried - limited,
        "touches with both sides 0": sum(one.trivial for each in found for one in each.touches),
    }
    if unreached:
        inquiry.figures["constants not reached"] = unreached
    if left_out:
        inquiry.figures["constants left out"] = len(left_out)
    inquiry.figures |= _growth(claim, random, effort)
    inquiry.instances = len(seeds)
    return inquiry.finds(Outcome.SUPPORTS, _summary(bounds, left_out), bounds=bounds)


def effort_for(claim: Claim, context: Context) -> Effort:
    """How much to look for; less where every case is looked at exactly."""
    steps, width = context.budget.constant_steps, context.budget.constant_width
    if claim.exact_only:
        return Effort(steps // EXACT_STEPS, EXACT_WIDTH, EXACT_CORNERS, context.device)
    return Effort(steps, width, 3 * width, context.device)


def _constants(claim: Claim, seeds: Sequence[Any]) -> list[Constant]:
    """What there is to move: nothing where no case has exact entries."""
    for case in seeds:
        seen = exact_view(claim, case)
        if seen is not None and seen.admitted.any():
            return [factor(claim), *written(claim)]
    return []


def _extremal(found: Sequence[Limit]) -> list[Any]:
    """The extremal cases so far: good starts for the next constant."""
    return [one.extremal.case for one in found if one.extremal is not None]


def _held_against(
    claim: Claim, found: Limit, others: Sequence[Limit], random: Random, effort: Effort
) -> Limit:
    """The limit again where an extremal case of another constant contradicts it."""
    if found.tight or found.violation is not None or found.left_out:
        return found
    look = distances(claim, found.constant, found.far, effort.device)
    before = found.archive.least
    found.archive.add(look, _extremal(others))
    if found.archive.least >= before:
        return found
    try:
        return settle(claim, replace(found, proposed=None), random, effort)
    except (UnusableValueError, TooLongError) as error:
        return replace(found, left_out=str(error))


def _growth(claim: Claim, random: Random, effort: Effort) -> dict[str, str]:
    """The exponents of the best factor in the sizes, as figures; nothing where the search is too
    short to settle for each size by itself."""
    if effort.steps < LONG or claim.exact_only:
        return {}
    constant = factor(claim)
    look = distances(claim, constant, tried(constant, True, REACHES[-1]), effort.device)
    found = slopes(claim, look, random, effort).items()
    return {f"exponent of the best factor in {name}": f"{slope:.2f}" for name, slope in found}


def bound(claim: Claim, found: Limit) -> Bound:
    """A limit as a record."""
    extremal = found.extremal
    return Bound(
        f"{found.constant.place}, {'from above' if found.up else 'from below'}",
        str(found.constant.printed),
        best_value(found),
        found.tight,
        len(found.touches),
        None if extremal is None else claim.record_of(extremal.case),
        proposal(claim, found),
    )


def best_value(found: Limit) -> str:
    """The best value: a fraction where it is exact, else decimal digits."""
    if found.plain or found.constant.whole:
        return str(found.value)
    return f"about {float(found.value):.6g}"


def proposal(claim: Claim, found: Limit) -> str:
    """The repaired statement, where a better constant seems to hold, or "".

    Where every case is looked at exactly, few are looked at: several must agree.
    """
    if found.proposed is None or (claim.exact_only and found.agreeing < AGREEING):
        return ""
    attained = "slack exactly 0 at the extremal case" if found.plain else "not attained"
    return (
        f"{claim.id} with {found.proposed} in place of {found.constant.printed} "
        f"({found.constant.place}), all else as printed: no violation in {found.archive.looked} "
        f"cases, {attained}."
    )


def _summary(bounds: Sequence[Bound], left_out: Sequence[str]) -> str:
    """A sentence on the limits, and one on each constant that is left out."""
    tight = sum(one.tight for one in bounds)
    better = sum(bool(one.proposal) for one in bounds)
    lines = [f"{len(bounds)} limits of constants: {tight} tight, {better} can be improved."]
    return " ".join([*lines, *(f"Left out: {why}." for why in left_out)])
