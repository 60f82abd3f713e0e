"""Why nothing meets all hypotheses of a claim: other claims, argued for, exclude one of them.

What is written down is which hypothesis, by which claims, and how it follows. What is computed: the
arguments of the claims that are cited; and on cases that meet all the other hypotheses, that the
cited claims speak of them and hold, and that the excluded hypothesis fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from verify.core.claim import Claim
from verify.core.exclusion import Exclusion
from verify.papers.registry import find
from verify.search.arguments import faults_of
from verify.search.joint_hypotheses import drawn_cases, meets
from verify.search.judging import judge_exactly

CASES = 24  # on which the cited claims are looked at


@dataclass(frozen=True)
class Finding:
    """What a look at an exclusion has given.

    faults: what speaks against it; without any it stands. cases: how many were looked at.
    trusted: what the cited arguments rest on.
    """

    faults: tuple[str, ...]
    cases: int
    trusted: tuple[str, ...]


def looked_at(claim: Claim, exclusion: Exclusion, random: Random, draws: int) -> Finding:
    """Check an exclusion of the claim's: its cited claims, and up to CASES of that many draws."""
    names = [h.name for h in claim.hypotheses]
    if exclusion.hypothesis not in names:
        return Finding((f"the claim has no hypothesis {exclusion.hypothesis!r}",), 0, ())
    if not exclusion.cites:
        return Finding(("it cites no claim",), 0, ())
    cited = [find(name) for name in exclusion.cites]
    faults = [fault for one in cited for fault in without_argument(one)]
    cases = _cases_of_the_others(claim, exclusion, random, draws)
    if not cases:
        faults.append("no case was found that meets the other hypotheses")
    faults += [fault for one in cited for fault in _silent(one, cases)]
    faults += _met(claim, cases)
    trusted = [fact for one in cited if one.proof is not None for fact in one.proof().trusted]
    return Finding(tuple(faults), len(cases), tuple(dict.fromkeys(trusted)))


def without_argument(claim: Claim) -> list[str]:
    """What a cited claim lacks of an argument that holds."""
    if claim.proof is None:
        return [f"{claim.id} has no argument"]
    return [
        f"the argument of {claim.id} fails: {fault}" for fault in faults_of(claim, claim.proof())
    ]


def _cases_of_the_others(
    claim: Claim, exclusion: Exclusion, random: Random, draws: int
) -> list[Any]:
    """Exact cases that meet all other hypotheses; the excluded one is repaired first in half of
    them, so that they come as near to it as they can."""
    others = [h for h in claim.hypotheses if h.name != exclusion.hypothesis]
    (excluded,) = (h for h in claim.hypotheses if h.name == exclusion.hypothesis)
    found: list[Any] = []
    for first in ([], [excluded]):
        wanted = len(found) + CASES // 2
        for case in drawn_cases(claim, [*first, *others], random, draws):
            if len(found) < wanted and meets(claim, case, others):
                found.append(case if case.rational else case.exactly())
    return found


def _silent(cited: Claim, cases: Sequence[Any]) -> list[str]:
    """Whether a cited claim says nothing of some case, or fails there."""
    for case in cases:
        judged = judge_exactly(cited, case)
        if not judged.admitted:
            return [f"{cited.id} does not speak of {case.described()}"]
        if judged.violations:
            return [f"{cited.id} fails on {case.described()}"]
    return []


def _met(claim: Claim, cases: Sequence[Any]) -> list[str]:
    """Whether some case meets all hypotheses after all."""
    return [f"all are met by {case.described()}" for case in cases if meets(claim, case)][:1]
