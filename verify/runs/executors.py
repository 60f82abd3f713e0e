"""Executors: how tasks are run. The result does not depend on which, or on how many workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import resource_tracker

from verify.evidence import Evidence
from verify.runs.tasks import Task, perform

Finished = tuple[Task, Evidence | None]


def in_process(tasks: Sequence[Task]) -> Iterator[Finished]:
    """Run the tasks one after another."""
    for task in tasks:
        yield task, perform(task)


def process_pool(tasks: Sequence[Task], workers: int) -> Iterator[Finished]:
    """Run the tasks in so many processes, in the order in which they finish.

    On an interrupt, or when the caller takes no more, the unfinished tasks are given up at once.
    """
    context = multiprocessing.get_context("spawn")  # a fork after torch has threads may hang
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker) as pool:
        with _interrupts_wait():  # the processes start here
            futures = {pool.submit(perform, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
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


def execute(tasks: Sequence[Task], workers: int) -> Iterator[Finished]:
    """Run the tasks in this process (workers = 1) or in a pool."""
    if workers == 1 or len(tasks) < 2:
        return in_process(tasks)
    return process_pool(tasks, workers)
