"""Executors: how tasks are run. The result does not depend on which, or on how many workers."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from verify.evidence import Evidence
from verify.runs.tasks import Task, perform

Finished = tuple[Task, Evidence | None]


def in_process(tasks: Sequence[Task]) -> Iterator[Finished]:
    """Run the tasks one after another."""
    for task in tasks:
        yield task, perform(task)


def process_pool(tasks: Sequence[Task], workers: int) -> Iterator[Finished]:
    """Run the tasks in so many processes, in the order in which they finish."""
    context = multiprocessing.get_context("spawn")  # a fork after torch has threads may hang
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_one_thread) as pool:
        futures = {pool.submit(perform, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _one_thread() -> None:
    """One thread in each worker: there are as many workers as the caller wants cores used."""
    import os

    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["NUMBA_NUM_THREADS"] = "1"


def execute(tasks: Sequence[Task], workers: int) -> Iterator[Finished]:
    """Run the tasks in this process (workers = 1) or in a pool."""
    if workers == 1 or len(tasks) < 2:
        return in_process(tasks)
    return process_pool(tasks, workers)
