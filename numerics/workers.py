"""Threads for the compiled kernels, which run without Python's global lock.

The calling thread works too. A helper thread that does not get a processor in time has its share
done by the others, so a busy machine slows a sweep by what it takes away and no more. (Numba's own
`prange` waits at a barrier: on two busy cores it was ten times slower. Its pool also ends a process
that was forked while it existed.)
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue


class _Job:
    """One call, made by as many helpers as take it up."""

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

    def run(self, call: Callable[[], object]) -> None:
        """Make the call in this thread and, at the same time, in the helpers.

        The calls must share out the work among themselves: whichever begins late finds less.
        """
        self._start()
        jobs = [_Job(call) for _ in range(self.count)]
        for job in jobs:
            self._queue.put(job)
        call()
        self._withdraw(jobs)
        for job in jobs:
            job.done.acquire()
            if job.error is not None:
                raise job.error

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
