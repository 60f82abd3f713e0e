"""Executors: how tasks are run. The result does not depend on which, or on how many workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from multiprocessing.connection import wait
from pathlib import Path

from verify.core.evidence import Evidence
from verify.runs.interrupts import noted_interrupts
from verify.runs.tasks import Finished, More, Task, perform
from verify.runs.workers import Worker

GLANCE = 0.2  # seconds between two looks at whether there has been an interrupt


def _nothing(task: Task, piece: Evidence | None) -> Sequence[Task]:
    return ()


def in_process(
    tasks: Sequence[Task], more: More = _nothing, kept: Path | None = None
) -> Generator[Finished, None, None]:
    """Run the tasks one after another, and those that come of them after all the others."""
    waiting = deque(tasks)
    while waiting:
        task = waiting.popleft()
        piece = perform(task, kept)
        waiting += more(task, piece)
        yield task, piece


def process_pool(
    tasks: Sequence[Task], workers: int, more: More = _nothing, kept: Path | None = None
) -> Generator[Finished, None, None]:
    """Run the tasks, and those that come of them, in so many processes, in the order in which they
    finish.

    On an interrupt, or when the caller takes no more, the unfinished tasks are given up at once. A
    task that brings its process down is an error of that task; a new process takes the next one.
    """
    waiting = deque(tasks)
    crew: list[Worker] = []
    with noted_interrupts() as check:
        try:
            while busy := _hand_out(waiting, crew, workers, kept):
                ready = wait([worker.connection for worker in busy.values()], GLANCE)
                check()
                for worker in [busy[connection] for connection in ready]:
                    task, piece = _taken(worker)
                    check()
                    if worker.task is not None:  # its process is gone
                        crew.remove(worker)
                        worker.end()
                        worker.wait()
                    waiting += more(task, piece)
                    _hand_out(waiting, crew, workers, kept)  # before the caller takes its time
                    yield task, piece
        finally:
            for worker in crew:
                worker.end()
            for worker in crew:
                worker.wait()


def _hand_out(
    waiting: deque[Task], crew: list[Worker], most: int, kept: Path | None
) -> dict[object, Worker]:
    """Give those who have none a task, and hire where tasks still wait. Returns those who have one,
    by their connections."""
    for worker in crew:
        if worker.task is None and waiting:
            worker.begin(waiting.popleft())
    while waiting and len(crew) < most:
        crew.append(Worker(kept))
        crew[-1].begin(waiting.popleft())
    return {worker.connection: worker for worker in crew if worker.task is not None}


def _taken(worker: Worker) -> Finished:
    """The task of a worker and what it gave; of a process that has ended, that it did."""
    task = worker.task
    assert task is not None
    try:
        return task, worker.answer()
    except EOFError:
        return task, worker.died()


def execute(
    tasks: Sequence[Task],
    workers: int,
    more: More = _nothing,
    kept: Path | None = None,
    executor: str = "",
) -> Generator[Finished, None, None]:
    """Run the tasks, and those that come of them, in this process (workers = 1), in a pool, or on
    the cluster of an address (executor). kept: the folder where long experiments keep what they
    have so far."""
    if executor and tasks:
        from verify.runs.cluster import on_cluster

        return on_cluster(tasks, executor, more, kept)
    if workers == 1 or len(tasks) < 2:
        return in_process(tasks, more, kept)
    return process_pool(tasks, workers, more, kept)
