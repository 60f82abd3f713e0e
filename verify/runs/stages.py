"""The course of a run: each claim goes through the stages, and leaves them when it is refuted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verify.core.evidence import Evidence, Outcome
from verify.runs.tasks import STAGES, Task

SMALL = "expanded"  # what proves a statement on listed networks alone


class Course:
    """What is done, and what may be begun.

    A claim's tasks of one stage are begun when all those of the stage before are done. What is
    refuted in a stage is not looked at in the later ones, which could only refute it once more. The
    arguments are in the first, so a contradiction is seen all the same. What is proved for all
    sizes is not expanded on small ones; that cases are drawn all the same puts the proof to a test.

    What was kept of an earlier run takes the place of a task's result, and changes nothing else:
    which tasks are done is a function of the results alone, and what was kept of a stage that a
    claim does not come to is left aside.

    done: what each task gave. skipped: the tasks that what was found leaves nothing to do.
    """

    def __init__(self, tasks: Iterable[Task], kept: Mapping[Task, Evidence | None]) -> None:
        self.done: dict[Task, Evidence | None] = {}
        self.skipped: set[Task] = set()
        self._kept = kept
        self.refuted: set[str] = set()
        self._proved: set[str] = set()
        self._later: dict[str, list[list[Task]]] = {}
        self._begun: dict[Task, None] = {}  # in the order in which they were begun
        self._open: dict[str, set[Task]] = {}
        self._count = 0
        for task in tasks:
            self._count += 1
            stages = self._later.setdefault(task.claim, [[] for _ in STAGES])
            stages[next(k for k, stage in enumerate(STAGES) if task.method in stage)].append(task)

    def begin(self) -> list[Task]:
        """The tasks to begin with."""
        return [task for claim in self._later for task in self._next(claim)]

    def finish(self, task: Task, piece: Evidence | None) -> list[Task]:
        """Note what a task has given. Returns the tasks that may now be begun."""
        self._note(task, piece)
        self._begun.pop(task, None)
        still = self._open[task.claim]
        still.discard(task)
        return [] if still else self._next(task.claim)

    def ahead(self) -> list[Task]:
        """What is not done: first what was begun, the longest ago first, then what may follow."""
        later = (task for stages in self._later.values() for stage in stages for task in stage)
        return [*self._begun, *(task for task in later if task not in self._kept)]

    @property
    def total(self) -> int:
        """How many tasks are done or may still be done: those skipped are not among them."""
        return self._count - len(self.skipped)

    def _next(self, claim: str) -> list[Task]:
        """The tasks of the claim's next stage in which there is something to do."""
        later = self._later[claim]
        while later:
            stage = later.pop(0)
            idle = [task for task in stage if self._idle(task)]
            self.skipped.update(idle)
            stage = [task for task in stage if task not in idle]
            for task in stage:
                if task in self._kept:
                    self._note(task, self._kept[task])
            if waiting := [task for task in stage if task not in self._kept]:
                self._open[claim] = set(waiting)
                self._begun |= dict.fromkeys(waiting)
                return waiting
        return []

    def _idle(self, task: Task) -> bool:
        """Whether nothing is left for a task to find."""
        return task.claim in self.refuted or (task.method == SMALL and task.claim in self._proved)

    def _note(self, task: Task, piece: Evidence | None) -> None:
        self.done[task] = piece
        if piece is not None and piece.outcome is Outcome.REFUTES:
            self.refuted.add(task.claim)
        if piece is not None and piece.outcome is Outcome.PROVES:
            self._proved.add(task.claim)
