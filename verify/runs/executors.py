"""Executors: how tasks are run. The result does not depend on which, or on how many workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path

from verify.evidence import Evidence
from verify.runs.tasks import Task, perform

Finished = tuple[Task, Evidence | None]
More = Callable[[Task, Evidence | None], Sequence[Task]]
"""What to run beside, now that a task has given this."""


def _nothing(task: Task, piece: Evidence | None) -> Sequence[Task]:
    return ()


def in_process(
    tasks: Sequence[Task], more: More = _nothing, kept: Path | None = None
) -> Iterator[Finished]:
    """Run the tasks one after another, and those that come of them after all the others."""
    waiting = deque(tasks)
    while waiting:
        task = waiting.popleft()
        piece = perform(task, kept)
        waiting += more(task, piece)
        yield task, piece


def process_pool(
    tasks: Sequence[Task], workers: int, more: More = _nothing, kept: Path | None = None
) -> Iterator[Finished]:
    """Run the tasks, and those that come of them, in so many processes, in the order in which they
    finish.

    On an interrupt, or when the caller takes no more, the unfinished tasks are given up at once.
    """
    context = multiprocessing.get_context("spawn")  # a fork after torch has threads may hang
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker) as pool:
        with _interrupts_wait():  # the processes start here
            futures: dict[Future[Evidence | None], Task] = {
                pool.submit(perform, task, kept): task for task in tasks
            }
        try:
            while futures:
                for future in wait(futures, return_when=FIRST_COMPLETED).done:
                    task, piece = futures.pop(future), future.result()
                    futures |= {pool.submit(perform, new, kept): new for new in more(task, piece)}
                    yield task, piece
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()  # a task may have an hour to go
                process.join()
            raise


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Hold back interrupts for a moment. A process that is started meanwhile never sees one, not
    even before `_begin_worker`; this one gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let them through again
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _begin_worker() -> None:
    """One thread in each worker: there are as many workers as the caller wants cores used. An
    interrupt at the keyboard reaches the whole group of processes; the first one deals with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["NUMBA_NUM_THREADS"] = "1"


def execute(
    tasks: Sequence[Task], workers: int, more: More = _nothing, kept: Path | None = None
) -> Iterator[Finished]:
    """Run the tasks, and those that come of them, in this process (workers = 1) or in a pool.
    kept: the folder where long experiments keep what they have so far."""
    if workers == 1 or len(tasks) < 2:
        return in_process(tasks, more, kept)
    return process_pool(tasks, workers, more, kept)
