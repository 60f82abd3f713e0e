"""How the integration of one network ended."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """How the integration of one network ended; `text` says it to people.

    With every status comes what was computed until then: a partial solution, all of whose steps
    met the tolerance.
    """

    FINISHED = 0
    SLIDING = 1
    LOSS_REACHED = 2
    UNRESOLVED = 3
    NOT_UNIQUE = 4
    STEP_TOO_SMALL = 5
    EVALUATIONS_SPENT = 6
    EVENTS_SPENT = 7
    STIFF = 8
    NOT_FINITE = 9

    @property
    def text(self) -> str:
        """What happened, and what to try."""
        return _TEXTS[self]

    @property
    def complete(self) -> bool:
        """Whether the flow was followed to where it was asked for."""
        return self <= Status.LOSS_REACHED


_TEXTS = {
    Status.FINISHED: "the end was reached",
    Status.SLIDING: "the end was reached, and there the flow slides along a kink",
    Status.LOSS_REACHED: "the risk fell to the level at which to stop",
    Status.UNRESOLVED: (
        "several kinks meet, and no slopes, or not only one choice of them, keep the flow in the "
        "Clarke subdifferential: move the starting point a little"
    ),
    Status.NOT_UNIQUE: (
        "the flow stands on a kink that pushes it away to both sides, so more than one flow goes "
        "on from here: move the starting point to one side"
    ),
    Status.STEP_TOO_SMALL: (
        "no step that can be told from 0 meets the tolerance: loosen rtol and atol, or stop earlier"
    ),
    Status.EVALUATIONS_SPENT: (
        "the limit of evaluations was reached: raise `evaluations`, loosen rtol, or stop earlier"
    ),
    Status.EVENTS_SPENT: "the limit of events was reached: raise `events`, or stop earlier",
    Status.STIFF: (
        "the limit of evaluations was reached while stability, not accuracy, held the steps down: "
        "the flow is stiff here; raise `evaluations`, or stop earlier"
    ),
    Status.NOT_FINITE: (
        "the velocity is not finite: start with smaller weights, or take the loss as the clock"
    ),
}
