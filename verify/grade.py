"""How a false statement is graded: how often it fails, and whether only at corners. Computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from verify.certificates import case_of
from verify.degeneracy import corners
from verify.evidence import Evidence
from verify.judging import judge_exactly
from verify.meetings import NO_CASE
from verify.methods.context import repair

if TYPE_CHECKING:
    from verify.claim import Claim

LEVEL = 0.95
BESIDE = 12  # cases beside a counterexample that are looked at
ENOUGH = 200  # generic cases without a failure, before a statement may be called true off corners


@dataclass(frozen=True)
class Grade:
    """How often a statement that is false fails among generic cases.

    cases, failed: generic cases that were judged, and those at which it fails. low, high: an
    interval for the share, at 95 percent. corner: whether the counterexample that is shown is
    itself a corner. scope: what was drawn.
    """

    cases: int
    failed: int
    low: float
    high: float
    corner: bool
    scope: str

    @property
    def corner_only(self) -> bool:
        """Whether it fails at corners alone, as far as is known."""
        return self.corner and self.failed == 0 and self.cases >= ENOUGH

    def to_json(self) -> dict[str, Any]:
        """As a record; `grade_from_json` reads it back."""
        return {**asdict(self), "corner_only": self.corner_only}


def grade_of(
    claim: Claim, evidence: Sequence[Evidence], certificate: Mapping[str, Any] | None
) -> Grade | None:
    """The grade by the evidence on a claim; None where generic cases were not looked at.
    certificate: of the counterexample that is shown."""
    pieces = [piece for piece in evidence if piece.method == "generic" and piece.instances]
    if not pieces:
        return None
    piece = pieces[0]
    shared = set(str(piece.figures.get("in every case", "")).split("; "))
    corner = is_corner(claim, certificate, shared)
    cases, failed = piece.instances, int(piece.figures["failed"])
    low, high = interval(failed, cases)
    return Grade(cases, failed, low, high, corner, "; ".join(piece.scope))


def is_corner(claim: Claim, certificate: Mapping[str, Any] | None, shared: set[str]) -> bool:
    """Whether the case of a certificate is a corner: something is degenerate about it beside what
    all cases share, and the claim holds in all cases beside it that have nothing of that kind."""
    data = None if certificate is None else certificate.get("case")
    if data is None:
        return False
    case = case_of(claim, data)
    if shared.issuperset(corners(claim, case)):
        return False
    random = Random(0)
    return not any(_fails(claim, _beside(claim, case, random), shared) for _ in range(BESIDE))


def _beside(claim: Claim, case: Any, random: Random) -> Any:
    """A case with all its numbers a little changed, and the hypotheses repaired."""
    steps = (Fraction(random.choice((-1, 1)) * random.randint(1, 9), 1000) for _ in case.numbers)
    moved = [number + step for number, step in zip(case.numbers, steps, strict=True)]
    return repair(claim, case.with_numbers(moved), random)


def _fails(claim: Claim, case: Any, shared: set[str]) -> bool:
    """Whether a case is no corner and violates the claim."""
    try:
        judged = judge_exactly(claim, case.exactly())
        return bool(judged.violations) and shared.issuperset(corners(claim, case))
    except NO_CASE:
        return False


def interval(failed: int, cases: int) -> tuple[float, float]:
    """The Clopper-Pearson interval for a share, at 95 percent.

    >>> interval(0, 1000)[0], round(interval(0, 1000)[1], 4)
    (0.0, 0.0037)
    """
    from scipy.stats import binomtest

    found = binomtest(failed, cases).proportion_ci(LEVEL)
    return round(float(found.low), 6), round(float(found.high), 6)


def grade_from_json(data: Mapping[str, Any] | None) -> Grade | None:
    """The grade that `to_json` wrote, if any."""
    if data is None:
        return None
    return Grade(**{name: value for name, value in data.items() if name != "corner_only"})
