"""Vacuity: an exact instance that meets all hypotheses of a claim, or why there is none.

The instance is the first random one away from corners, made small; where all that were found are
corners, the text says of what kind. Where none was found, hypotheses are left out one after
another, as long as none is found without them: what remains conflicts, and each part of it that
lacks one has an instance. Of draws that found nothing no more is said than that. All small networks
with small numbers are then looked at, and what that shows is said with its scope. Where a claim
names others that exclude one of its hypotheses, these are checked, see verify.core.exclusion.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from verify.cases.degeneracy import corners, corners_of, degeneracies
from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim
from verify.core.evidence import Evidence, JointCase, Outcome
from verify.core.exclusion import Exclusion
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.methods.context import REDRAWS, Context, Inquiry
from verify.search.exclusion import looked_at
from verify.search.joint_hypotheses import (
    conflict,
    drawn_cases,
    enumerated,
    growing,
    meeting,
    meets,
)


def vacuity(claim: Claim, context: Context) -> Evidence | None:
    """Look for an instance that meets all hypotheses of a claim that is judged."""
    if not claim.judged or claim.pool is None:
        return None
    inquiry = Inquiry("vacuity", context)
    random = context.random(claim, "vacuity")
    drawn, met = _sample(claim, context, random)
    inquiry.figures = {"drawn": drawn, "met all hypotheses": len(met)}
    inquiry.scope = ("random rational cases, every hypothesis repaired", *claim.pool.scope())
    inquiry.instances = len(met)
    if claim.excluded is not None:
        return _excluded(claim, claim.excluded, context, inquiry)
    if not met:
        return _none(claim, context, random, inquiry)
    least = min(met, key=lambda case: (len(corners(claim, case)), case.size()))
    small = smaller(claim, least, context.budget.vacuity_steps)
    left = corners(claim, small)
    common = [word for word in left if all(word in degeneracies(case) for case in met)]
    text = f"met by an exact case: {small.described()}"
    if left:
        text += f"; no case away from corners among the {len(met)} found"
        text += f": in each of them {', '.join(common)}" if common else ""
        inquiry.figures["corners only"] = ", ".join(common) or "of several kinds"
    names = tuple(h.name for h in claim.hypotheses)
    joint = JointCase(names, text, claim.record_of(small))
    return inquiry.finds(Outcome.SUPPORTS, f"The hypotheses are {text}.", joint_cases=(joint,))


def _sample(claim: Claim, context: Context, random: Random) -> tuple[int, list[Any]]:
    """How many cases were drawn until one away from corners met all hypotheses, and all that
    did. Where none does more are drawn, as in the other methods."""
    met: list[Any] = []
    drawn = 0
    most = context.budget.vacuity_draws
    if isinstance(claim.pool, TensorPool):  # quick to look at
        most *= REDRAWS
    count = most if isinstance(claim.pool, SolutionPool) else REDRAWS * context.budget.vacuity_draws
    for cases in growing(drawn_cases(claim, claim.hypotheses, random, count, context.seed)):
        for case, meets_all in zip(cases, meeting(claim, cases), strict=True):
            drawn += 1
            if meets_all:
                met.append(case)
            if met and (drawn >= most or not corners(claim, met[-1])):
                return drawn, met
    return drawn, met


def smaller(claim: Claim, case: Any, steps: int) -> Any:
    """A smaller case that meets all hypotheses and is no more of a corner, after so many tries."""
    best, known = case.exactly(), set(degeneracies(case))
    left, improved = steps, best.admissible
    while improved and left > 0:
        improved, size = False, best.size()
        fitting = (
            one
            for one in best.changes()
            if one.size() < size
            and one.admissible
            and _within(claim, one)
            and known.issuperset(corners_of(one))
        )
        for candidates in growing(islice(fitting, left)):
            met = meeting(claim, candidates)
            if any(met):
                best, improved = candidates[met.index(True)], True
                left -= met.index(True) + 1
                break
            left -= len(candidates)
    plain = best.plain()
    return plain if meets(claim, plain) else best


def _within(claim: Claim, case: Any) -> bool:
    """Whether the integers of a case are in the range that the claim's pool names."""
    ranges = getattr(claim.pool, "integers", ())
    return all(low <= case.whole(name) <= high for name, low, high in ranges)


def _none(claim: Claim, context: Context, random: Random, inquiry: Inquiry) -> Evidence:
    """Which hypotheses conflict, as far as the draws show, and what all small cases say."""
    core, parts = conflict(claim, random, REDRAWS * context.budget.vacuity_draws)
    names = tuple(h.name for h in core)
    what = " and ".join(f"'{name}'" for name in names) or "nothing but the claim's own scope"
    text = f"none found in {inquiry.figures['drawn']} draws"
    looked = enumerated(claim, core, context.budget.hidden)
    if looked is not None:
        inquiry.scope = (*inquiry.scope, looked.scope)
        inquiry.figures["enumerated"] = looked.count
        if looked.case is not None:
            text += f", but one among all small networks: {looked.case.described()}"
        else:
            text = f"none among {looked.scope}: enumerated; {text}"
    joint = JointCase(names, f"meeting {what}: {text}", _json(looked and looked.case))
    summary = f"No case was found that meets {what}: {text}."
    return inquiry.finds(Outcome.INCONCLUSIVE, summary, joint_cases=(joint, *parts))


def _excluded(claim: Claim, exclusion: Exclusion, context: Context, inquiry: Inquiry) -> Evidence:
    """Whether the claims that are cited leave no case that meets all hypotheses."""
    random = context.random(claim, "vacuity: excluded")
    found = looked_at(claim, exclusion, random, REDRAWS * context.budget.vacuity_draws)
    what, cites = f"'{exclusion.hypothesis}'", " and ".join(exclusion.cites)
    faults = list(found.faults)
    if inquiry.instances:
        faults.append("a case met all hypotheses")
    if faults:
        summary = f"{what} is said to be excluded by {cites}: {faults[0]}."
        return inquiry.finds(Outcome.ERROR, summary)
    inquiry.figures["cases that meet the others"] = found.cases
    text = (
        f"excluded by {cites}, argued for in computed steps: {exclusion.because}; in each of "
        f"{found.cases} cases that meet the others it fails, as cited"
    )
    joint = JointCase((exclusion.hypothesis,), text)
    summary = f"No case meets {what} and the other hypotheses. It is {text}."
    return inquiry.finds(
        Outcome.ARGUES,
        summary,
        joint_cases=(joint,),
        rests_on=found.trusted,
        cites=exclusion.cites,
    )


def _json(case: Any | None) -> dict[str, Any] | None:
    return None if case is None else case.to_json()
