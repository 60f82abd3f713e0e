"""Interrupts: from the keyboard, from whoever ends the process, from a terminal that goes away."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def noted_interrupts(
    *, at_once: Callable[[int], bool] = lambda count: False
) -> Iterator[Callable[[], None]]:
    """Yields a function that raises KeyboardInterrupt if there has been an interrupt.

    at_once: from how many there have been, whether the last one is raised when it comes, too,
    wherever the work stands; otherwise only where the work asks. (That alone is not enough: Python
    drops what is raised while a hook of the garbage collector runs, and Hypothesis has such a hook;
    so long work asks now and then.)
    """
    seen: list[int] = []

    def note(number: int, frame: object) -> None:
        seen.append(number)
        if at_once(len(seen)):
            raise KeyboardInterrupt

    def check() -> None:
        if seen:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield check
        return
    heard = [number for number in INTERRUPTS if not _outlived(number)]
    before = {number: signal.signal(number, note) for number in heard}
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    check()


def _outlived(number: int) -> bool:
    """Whether a process is to outlive this signal: under nohup its terminal."""
    hangs_up = number == getattr(signal, "SIGHUP", None)
    return hangs_up and signal.getsignal(number) is signal.SIG_IGN
