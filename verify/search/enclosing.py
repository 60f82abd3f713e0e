"""Judging what is not rational: enclosures of growing precision, until the sign is decided.

A suspicion from float64 is looked at again with twice, four and eight times as many bits. One that
is real shows at some precision, as an entry whose enclosure excludes 0; one that is an artefact of
rounding never does: its enclosures shrink around 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphs.errors import NotRationalError, TooManyPathsError
from verify.cases.case import Case
from verify.core.claim import Claim, Kind
from verify.core.instance import Instance
from verify.core.losses import RATIONAL
from verify.search.judging import NOTHING, Judgement, Violation, view

PRECISIONS = (106, 212, 424)  # bits: twice, four and eight times those of float64
MOST_SHOWN = 4  # violations of one case


def needs_enclosing(case: Instance) -> bool:
    """Whether exact arithmetic does not know the slopes of the loss of a case: it has a name."""
    return isinstance(case, Case) and case.loss not in RATIONAL


@dataclass(frozen=True)
class CloserLook:
    """What enclosures say of a suspicion.

    judgement: at the last precision tried. bits: of that precision. widest: the largest number in
    size that an entry which meets the hypotheses may be, where none excludes 0.
    """

    judgement: Judgement
    bits: int
    widest: float = 0.0

    @property
    def words(self) -> str:
        """What was seen, in a sentence."""
        if self.judgement.violations:
            return f"it stays at {self.bits} bits"
        if not self.judgement.admitted:
            return f"at {self.bits} bits no entry is seen to meet the hypotheses"
        tried = ", ".join(str(bits) for bits in PRECISIONS if bits <= self.bits)
        return (
            f"it vanishes at {PRECISIONS[0]} bits: with {tried} bits no entry that meets the "
            f"hypotheses is told from 0, and none is larger than {self.widest:.2g}; a numerical "
            "artefact"
        )


def look_closer(claim: Claim, case: Instance) -> CloserLook:
    """Judge a case at growing precision, until an entry violates the claim or the last precision
    is reached. Raises PrecisionError where python-flint is not installed."""
    look = CloserLook(NOTHING, 0)
    for bits in PRECISIONS:
        judgement, widest = _enclosed(claim, case, bits)
        look = CloserLook(judgement, bits, widest)
        if judgement.violations or not judgement.admitted:
            break
    return look


def judge_closely(claim: Claim, case: Instance, bits: int = PRECISIONS[0]) -> Judgement:
    """Judge one case in enclosures: a violation is an entry whose enclosure excludes 0 (of an
    inequality: lies below 0), where every hypothesis certainly holds.

    Raises NotRationalError for a claim that is judged exactly or not at all, PrecisionError where
    python-flint is not installed.
    """
    if claim.exact_only:
        raise NotRationalError(f"{claim.id} is judged exactly or not at all")
    return _enclosed(claim, case, bits)[0]


def _enclosed(claim: Claim, case: Instance, bits: int) -> tuple[Judgement, float]:
    """The judgement, and the largest size of an entry that may be as the claim says."""
    from graphs.arb import arb_balls, enclosure_of, excludes_zero

    if claim.exact_only:
        return NOTHING, 0.0
    with arb_balls(bits) as balls:
        try:
            seen = view(claim, [case], balls)
        except (NotRationalError, TooManyPathsError):
            return NOTHING, 0.0
        chosen = np.flatnonzero(seen.admitted)
        values = seen.entries.values
        below = claim.kind is Kind.INEQUALITY
        broken = [
            int(k) for k in chosen if excludes_zero(values[k]) and (values[k] < 0 or not below)
        ]
        sizes = [float(values[k].abs_upper()) for k in chosen if int(k) not in broken]
        violations = tuple(
            Violation(case, seen.entries.label(k), enclosure_of(values[k]))
            for k in broken[:MOST_SHOWN]
        )
    return Judgement(len(chosen), violations), max(sizes, default=0.0)
