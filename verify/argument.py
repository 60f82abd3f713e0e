"""An exact argument for a whole claim, in steps that are computed, not asserted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One step: what it says, and whether the computation confirmed it."""

    text: str
    holds: bool


@dataclass(frozen=True)
class Argument:
    """Steps that together prove a claim, and the known facts that they rest on.

    summary: one sentence. trusted: facts used without computation, shown beside the verdict.
    measure, uses: the measure and the hypotheses that the argument is about, these by their names
    or statements; it proves no claim that measures something else or lacks one of them. A measure
    that is partial is named with what it was given: `f(part='a')`. scope: where the steps cover but
    some of the instances, which; then it proves the claim on that scope.
    """

    summary: str
    steps: tuple[Step, ...]
    trusted: tuple[str, ...]
    measure: str
    uses: tuple[str, ...]
    scope: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every step was confirmed, and there is one."""
        return bool(self.steps) and all(step.holds for step in self.steps)
