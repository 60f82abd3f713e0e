"""The grade of a false statement: how often it fails, whether only at corners, and what stands
near it.

It is computed by verify.methods.generic and verify.methods.nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

LEVEL = 0.95
HYPOTHESIS = "hypothesis"  # the rule of a statement with one hypothesis more
COMPUTED = ("corner_only", "nature")
ENOUGH = 200  # generic cases without a failure, before a statement may be called true off corners


@dataclass(frozen=True)
class Grade:
    """How often a statement that is false fails among generic cases.

    cases, failed: generic cases that were judged, and those at which it fails. low, high: an
    interval for the share, at 95 percent. corner: whether the counterexample that is shown is
    itself a corner. scope: what was drawn. near: the statements that differ in one place, or have
    one hypothesis more, and stand: `rule`, and `change` in words; None where none were tried.
    """

    cases: int
    failed: int
    low: float
    high: float
    corner: bool
    scope: str
    near: tuple[Mapping[str, str], ...] | None = None

    @property
    def nature(self) -> str:
        """How far the nearest statement that stands is, of those that were tried; "" where none
        were. What stands may be weaker than what was meant: whether it is a slip, a reader decides.
        """
        if self.near is None:
            return ""
        rules = {one["rule"] for one in self.near}
        if rules - {HYPOTHESIS}:
            return "one change away"
        return "one hypothesis away" if rules else "nothing near it stands"

    @property
    def corner_only(self) -> bool:
        """Whether it fails at corners alone, as far as is known."""
        return self.corner and self.failed == 0 and self.cases >= ENOUGH

    def to_json(self) -> dict[str, Any]:
        """As a record; `grade_from_json` reads it back."""
        near = None if self.near is None else [dict(one) for one in self.near]
        computed = {"corner_only": self.corner_only, "nature": self.nature}
        return {**asdict(self), "near": near, **computed}


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
    stored = {name: value for name, value in data.items() if name not in COMPUTED}
    near = stored.get("near")
    return Grade(**{**stored, "near": None if near is None else tuple(near)})
