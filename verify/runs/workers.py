"""Workers: processes that run one task after another, and end with the process that hired them."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path

from verify.core.evidence import Evidence, Outcome
from verify.runs.tasks import Task, perform

PATIENCE = 5.0  # seconds for a worker without work to end by itself
COLLECT = (50_000, 20, 50)  # the libraries' objects are many and stay: look at them seldom
DEATH_OF_THE_PARENT = 1  # PR_SET_PDEATHSIG of Linux's prctl


class Worker:
    """A process and the task that it has. connection: where its answers come from. kept: the
    folder where long experiments keep what they have so far."""

    def __init__(self, kept: Path | None) -> None:
        context = multiprocessing.get_context("spawn")  # a fork after torch has threads may hang
        self.task: Task | None = None
        self.connection, theirs = context.Pipe()
        told = (theirs, kept, os.getpid())
        self._process = context.Process(target=_serve, args=told, daemon=True)  # none stays behind
        try:
            with _interrupts_wait():
                self._process.start()
        finally:
            theirs.close()  # the process has its own: when it ends, that is seen here

    def begin(self, task: Task) -> None:
        """Hand it a task."""
        self.task = task
        with suppress(BrokenPipeError):  # a process that is gone is seen when its answer is taken
            self.connection.send(task)

    def answer(self) -> Evidence | None:
        """What its task gave; waits for it. Raises EOFError where the process has ended without an
        answer, and what the task raised."""
        try:
            piece, error = self.connection.recv()
        except OSError as gone:
            raise EOFError from gone
        self.task = None
        if error is not None:
            raise error
        answer: Evidence | None = piece
        return answer

    def died(self) -> Evidence:
        """The evidence of a task that brought its process down."""
        assert self.task is not None
        self._process.join(PATIENCE)
        code = self._process.exitcode
        how = f"code {code}"
        if code is not None and code < 0:
            how = signal.Signals(-code).name
            how += ", as where memory runs out" if how == "SIGKILL" else ""
        summary = f"the process of this task ended without an answer ({how})"
        return Evidence(self.task.method, Outcome.ERROR, summary, seed=self.task.seed)

    def end(self) -> None:
        """Let it go; what it has not finished is given up at once."""
        if self.task is not None:
            self._process.kill()  # a task may have an hour to go
        self.connection.close()

    def wait(self) -> None:
        """Wait until its process is gone."""
        self._process.join(PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Hold back interrupts for a moment. A process that is started meanwhile never sees one, not
    even before `_serve`; this one gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let them through again
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _serve(connection: Connection, kept: Path | None, parent: int) -> None:
    """Run tasks as they come. One thread in each worker: there are as many workers as the caller
    wants cores used. An interrupt at the keyboard reaches the whole group of processes; the first
    one deals with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(parent)
    os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["NUMBA_NUM_THREADS"] = "1"
    gc.set_threshold(*COLLECT)
    with suppress(EOFError, ConnectionError):  # there is no more to do, or nobody who waits for it
        while True:
            task = connection.recv()
            try:
                told: tuple[Evidence | None, BaseException | None] = (perform(task, kept), None)
            except BaseException as error:  # noqa: BLE001 - raised again where the task was handed out
                error.add_note("".join(traceback.format_exception(error)))
                told = (None, error)
            connection.send(told)


def _end_with(parent: int) -> None:
    """Have this process end with the one that started it, even where that one is killed."""
    if sys.platform == "linux":
        import ctypes

        if ctypes.CDLL(None).prctl(DEATH_OF_THE_PARENT, signal.SIGKILL) == 0:
            if os.getppid() != parent:  # it was quicker
                os._exit(1)
            return
    threading.Thread(target=_end_after, daemon=True).start()


def _end_after() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
