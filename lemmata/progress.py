"""How far a run is, on stderr: what is done, what runs now, and about how long is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from lemmata.terminal import columns, is_screen, steered
from reports.plain import cut, padded, visible

if TYPE_CHECKING:
    from verify.runs.tasks import Task

TYPICAL = {  # seconds of a task by its method, where that is far from USUAL
    "conflicts": 7.0,
    "exponents": 6.0,
    "experiment": 4.0,
    "flow": 1.8,
    "sampling": 1.7,
    "constants": 1.1,
    "rates": 1.0,
    "mutation": 0.7,
    "rays": 0.6,
    "extremes": 0.5,
    "ascent": 0.5,
    "pointwise": 0.1,
    "corners": 0.07,
    "schema": 0.05,
    "exhibit": 0.02,
}
USUAL = 0.25
EVERY = (0.1, 5.0)  # seconds between two lines, on a screen and elsewhere
SURE = 3.0  # seconds of work before it is told how long is left
ENOUGH = 0.02  # of all that is to be done, likewise


class Progress:
    """Told after each task; writes a line now and then, on a screen in the place of the last one.

    workers: how many tasks run at once. clock: seconds, from any start.
    """

    def __init__(
        self,
        workers: int,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._workers = workers
        self._stream = steered(sys.stderr) if stream is None else stream
        self._screen = is_screen(self._stream)
        self._clock = clock
        self._start = clock()
        self._last = -EVERY[1] if self._screen else self._start
        self._worked = 0.0  # what was done so far should have taken

    def __call__(
        self, done: int, total: int, task: Task, ahead: Callable[[], Sequence[Task]]
    ) -> None:
        """Note a task that is done."""
        self._worked += typical(task)
        now = self._clock()
        if done < total and now - self._last < EVERY[not self._screen]:
            return
        self._last = now
        self._write(self.line(done, total, now - self._start, ahead()), last=done >= total)

    def gathered(self) -> None:
        """Note that no task is left."""
        self._write("putting together what is known", last=True)

    def line(self, done: int, total: int, elapsed: float, ahead: Sequence[Task]) -> str:
        """For example `412 of 5,210 tasks, 3 min, about 21 min left: lj22.thm1 search`."""
        parts = [f"{done:,} of {total:,} tasks", spoken(elapsed)]
        to_do = sum(map(typical, ahead))
        if ahead and elapsed >= SURE and self._worked >= ENOUGH * (self._worked + to_do):
            parts.append(f"about {spoken(elapsed * to_do / self._worked)} left")
        running = ", ".join(f"{task.claim} {task.method}" for task in ahead[: self._workers])
        return ", ".join(parts) + (f": {running}" if running else "")

    def _write(self, text: str, *, last: bool) -> None:
        if not self._screen:
            print(visible(text), file=self._stream, flush=True)
            return
        width = columns() - 1
        end = "\n" if last else ""
        print(f"\r{padded(cut(text, width), width)}", end=end, file=self._stream, flush=True)


def typical(task: Task) -> float:
    """How long a task like this one takes, in seconds of some machine."""
    return TYPICAL.get(task.method, USUAL)


def spoken(seconds: float) -> str:
    """A time in words, in the unit that fits.

    >>> spoken(7.4), spoken(200), spoken(9000)
    ('7 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
