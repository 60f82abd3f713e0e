"""Threads for the compiled kernels, which run without Python's global lock.

The calling thread works too. Whether helpers join is decided by what was faster of late: on a
machine with other work to do, a helper that is made to wait in the middle of its share makes the
caller wait. (Numba's own `prange` cannot stand back, and where it is built on GNU OpenMP it ends a
forked process.)
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from math import inf
from queue import Empty, SimpleQueue
from time import perf_counter

TRIAL = 16
"""Every so many calls the way that was slower is tried again."""

MEMORY = 0.75
"""How much of its former slowness a way keeps when it is slow again."""


class _Job:
    """One call, to be made by a helper."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call = call
        self.done = threading.Semaphore(0)
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.call()
        except BaseException as error:  # noqa: BLE001 - raised again in the calling thread
            self.error = error
        finally:
            self.done.release()


class Workers:
    """Helper threads, started when first needed; none is inherited by a forked process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._queue: SimpleQueue[_Job] = SimpleQueue()
        self._started_in = -1
        self._lock = threading.Lock()
        self._calls = 0
        self._pace = {True: inf, False: inf}  # seconds per unit of work, with and without help

    def run(self, call: Callable[[], object], work: float) -> None:
        """Make the call in this thread, and perhaps at the same time in the helpers.

        The calls must share out the work among themselves: whichever begins late finds less.
        work: how much there is, in any unit; it may differ from call to call.
        """
        if self.count == 0:
            call()
            return
        helped = self._choose()
        start = perf_counter()
        if helped:
            self.run_together(call)
        else:
            call()
        pace = (perf_counter() - start) / work
        self._pace[helped] = min(pace, MEMORY * self._pace[helped] + (1 - MEMORY) * pace)

    def run_together(self, call: Callable[[], object]) -> None:
        """Make the call in this thread and in all helpers that come before it is over."""
        self._start()
        jobs = [_Job(call) for _ in range(self.count)]
        for job in jobs:
            self._queue.put(job)
        try:
            call()
        finally:
            self._withdraw(jobs)
            for job in jobs:
                job.done.acquire()
        for job in jobs:
            if job.error is not None:
                raise job.error

    def _choose(self) -> bool:
        """Whether helpers should join: the faster way, now and then the other one."""
        self._calls += 1
        helped = self._pace[True] <= self._pace[False]
        untried = self._calls == 2
        return helped != (untried or self._calls % TRIAL == 0)

    def _withdraw(self, jobs: list[_Job]) -> None:
        """Take back what no helper has begun. Jobs of other callers go back into the queue."""
        others = []
        for _ in jobs:
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
            if job in jobs:
                job.done.release()
            else:
                others.append(job)
        for job in others:
            self._queue.put(job)

    def _start(self) -> None:
        if self._started_in == os.getpid():
            return
        with self._lock:
            if self._started_in == os.getpid():
                return
            self._queue = SimpleQueue()
            for _ in range(self.count):
                threading.Thread(target=_serve, args=(self._queue,), daemon=True).start()
            self._started_in = os.getpid()


def _serve(queue: SimpleQueue[_Job]) -> None:
    while True:
        queue.get().run()


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
