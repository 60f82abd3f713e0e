"""Hypothesis looks for a violation among small structurally drawn cases; the gate shrinks it.

Half of the budget is drawn; then, where the budget climbs at all, Hypothesis climbs from the best
case so far (its `target`), by changing one drawn number at a time. How good a case is: of an
inequality how small its slack is, relative to the larger side; before that, and of other claims
where the first draws meet none of their hypotheses, how few hypotheses are left unmet. An identity
has no slope to climb: its residual is 0 wherever it is not violated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings, target
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from graphs.strategies import (
    generators,
)
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.instance import Instance
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, admit
from verify.search.drawing import repair
from verify.search.judging import BATCH, Judgement, judge_all

BARREN = 20  # after so many first draws that meet no hypotheses it climbs towards them
TOGETHER = 10  # cases that are judged at once while it may still turn out that it has to climb
STEEPEST = 2.0  # no slack is larger, relative to the larger side


@st.composite
def cases(draw: st.DrawFn, claim: Claim) -> Any:
    """Small cases of the claim's pool, every hypothesis repaired."""
    assert claim.pool is not None
    case = draw(claim.pool.drawn())
    return repair(claim, case, draw(generators()))


@dataclass
class Tally:
    """What the search has seen of a claim so far, and whether it climbs.

    may_climb: whether the budget climbs. climbs: for an inequality from the start, for other claims
    once many draws met no hypotheses. waiting: cases that are not judged yet. violating: the first
    case that violates the claim.
    """

    claim: Claim
    may_climb: bool
    drawn: int = 0
    met: int = 0
    touches: int = 0
    largest: Instance | None = None  # of the cases that met the hypotheses
    climbs: bool = field(init=False)
    waiting: list[Instance] = field(default_factory=list)
    violating: Instance | None = None

    def __post_init__(self) -> None:
        self.climbs = self.may_climb and self.claim.kind is Kind.INEQUALITY

    @property
    def together(self) -> int:
        """How many cases are judged at once."""
        if self.climbs:
            return 1
        return TOGETHER if self.may_climb and self.drawn < BARREN else BATCH

    def stops_at(self, case: Instance) -> bool:
        """Take in a case; tell Hypothesis how good it is, if that matters. Whether a violation is
        known, of this case or of one before it."""
        if self.violating is None:
            self.waiting.append(case)
            if len(self.waiting) == self.together:
                score = self.judge()
                if self.climbs and isfinite(score):
                    target(score)
        return self.violating is not None

    def judge(self) -> float:
        """Judge the cases that wait, up to the first violation. How good the last one was."""
        score = -inf
        judgements = judge_all(self.claim, self.waiting)
        for case, judgement in zip(self.waiting, judgements, strict=True):
            self.drawn += 1
            self.met += bool(judgement.admitted)
            self.touches += judgement.touches
            if judgement.admitted and (self.largest is None or case.size() > self.largest.size()):
                self.largest = case
            self.climbs |= self.may_climb and not self.met and self.drawn >= BARREN
            score = _score(judgement)
            if judgement.violations:
                self.violating = case
                break
        self.waiting = []
        return score


def _score(judgement: Judgement) -> float:
    """How near a case is to a violation: the larger, the nearer; minus infinity: nothing known."""
    if judgement.admitted:
        return -min(judgement.slack, STEEPEST)
    return -STEEPEST - judgement.unmet if judgement.unmet else -inf


def search(claim: Claim, context: Context) -> Evidence | None:
    """Look for a violation (for existence: a witness) with Hypothesis, exactly."""
    if not claim.judged:
        return None
    inquiry = Inquiry("search", context)
    tally = Tally(claim, may_climb=context.budget.climbs)
    _draw(claim, context, tally)
    inquiry.figures = {"drawn": tally.drawn, "met all hypotheses": tally.met}
    inquiry.instances = tally.met
    if claim.kind is Kind.INEQUALITY:
        inquiry.figures["slack 0"] = tally.touches
    if tally.largest is not None:
        size = tally.largest.described()
        inquiry.scope = (f"cases drawn structurally, the largest with {size}",)
    if tally.violating is not None:
        found = admit(claim, tally.violating, context.budget.shrink_steps)
        if isinstance(found, Admitted):
            return refutation(inquiry, claim, found, tally.drawn)
        why = f"a violation could not be certified: {found.reason}"
        return inquiry.finds(found.outcome, why)
    if claim.kind is Kind.EXISTENCE:
        return inquiry.finds(Outcome.INCONCLUSIVE, f"no witness in {tally.met} cases.")
    return inquiry.finds(Outcome.SUPPORTS, f"no violation in {tally.met} cases drawn structurally.")


def _draw(claim: Claim, context: Context, tally: Tally) -> None:
    """Have Hypothesis draw cases, up to the first violation."""
    chosen = settings(
        max_examples=context.budget.examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.target),  # the gate shrinks, many times faster
        suppress_health_check=list(HealthCheck),  # slow draws are budgeted for
    )
    random = context.random(claim, "search")
    with _no_constants_of_modules(), suppress(NoSuchExample):
        find(cases(claim), tally.stops_at, settings=chosen, random=random)
    tally.judge()


@contextmanager
def _no_constants_of_modules() -> Iterator[None]:
    """Hypothesis now and then draws a constant out of the source of the modules that are loaded.
    Which ones are depends on what the process did before: what is drawn would, too."""
    kept = providers._get_local_constants
    providers._get_local_constants = Constants
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = kept
        providers.CONSTANTS_CACHE.cache.clear()
