"""The grade of a false statement: how often it fails, and whether only at corners.

It is computed by verify.methods.generic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

LEVEL = 0.95
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
