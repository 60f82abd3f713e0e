"""An exact argument for a whole claim, in steps that are computed, not asserted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.language.terms import Term


@dataclass(frozen=True)
class Step:
    """One step: what it says, and whether the computation confirmed it."""

    text: str
    holds: bool


@dataclass(frozen=True)
class Argument:
    """Steps that together argue for a claim, and what they rest on that is not computed.

    A claim with an argument is *argued*, never proved: the goal is not made from the statement.
    summary: one sentence. trusted: all that is used without computation, in words, shown beside the
    verdict: cited facts, the passage from the cases that are computed to all cases, the step from
    the statement to what is computed. section: of docs/mathematics, where that is argued, as
    `docs/mathematics/lj22.md#rays`; empty where it is nowhere. cites: ids of claims that it uses;
    it holds as far as they do. uses: the hypotheses that it needs, by their names or statements;
    goal: what is argued for; it is no argument for a claim that lacks one of them, or that says
    something else. scope: where the steps cover but some of the instances, which; then it argues
    for the claim on that scope.
    """

    summary: str
    steps: tuple[Step, ...]
    trusted: tuple[str, ...]
    uses: tuple[str, ...]
    scope: tuple[str, ...] = ()
    section: str = ""
    cites: tuple[str, ...] = ()
    goal: Term | None = field(default=None, compare=False)  # terms have no equality of their own

    @property
    def holds(self) -> bool:
        """Whether every step was confirmed, and there is one."""
        return bool(self.steps) and all(step.holds for step in self.steps)
