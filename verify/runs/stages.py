"""The course of a run: each claim goes through the stages, and leaves them when it is refuted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verify.evidence import Evidence, Outcome
from verify.runs.tasks import STAGES, Task


class Course:
    """What is done, and what may be begun.

    A claim's tasks of one stage are begun when all those of the stage before are done. What is
    refuted is not looked at in the later stages, which could only refute it once more. The
    arguments are in the first, so a contradiction is seen all the same.
    """

    def __init__(self, tasks: Iterable[Task], kept: Mapping[Task, Evidence | None]) -> None:
        self.done: dict[Task, Evidence | None] = {}
        self._refuted: set[str] = set()
        for task, piece in kept.items():
            self._note(task, piece)
        self._ahead: dict[str, list[list[Task]]] = {}
        self._open: dict[str, set[Task]] = {}
        for task in tasks:
            stages = self._ahead.setdefault(task.claim, [[] for _ in STAGES])
            stages[next(k for k, stage in enumerate(STAGES) if task.method in stage)].append(task)

    def begin(self) -> list[Task]:
        """The tasks to begin with."""
        return [task for claim in self._ahead for task in self._next(claim)]

    def finish(self, task: Task, piece: Evidence | None) -> list[Task]:
        """Note what a task has given. Returns the tasks that may now be begun."""
        self._note(task, piece)
        still = self._open[task.claim]
        still.discard(task)
        return [] if still else self._next(task.claim)

    def _next(self, claim: str) -> list[Task]:
        """The tasks of the claim's next stage in which there is something to do."""
        ahead = self._ahead[claim]
        while ahead:
            waiting = [task for task in ahead.pop(0) if task not in self.done]
            if claim in self._refuted:
                self.done |= dict.fromkeys(waiting)
            elif waiting:
                self._open[claim] = set(waiting)
                return waiting
        return []

    def _note(self, task: Task, piece: Evidence | None) -> None:
        self.done[task] = piece
        if piece is not None and piece.outcome is Outcome.REFUTES:
            self._refuted.add(task.claim)
