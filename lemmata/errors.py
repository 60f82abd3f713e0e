"""Exit codes, and which errors are the user's."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

FINE, DIFFERS, INTERRUPTED, INTERNAL, USAGE, NOTHING = range(6)


@dataclass
class ExitCode:
    """The exit code of a command, set while it runs."""

    code: int = FINE


class UsageError(ValueError):
    """An argument that cannot be used. The message names it, its value, and what to try."""


@contextmanager
def user_errors() -> Iterator[ExitCode]:
    """Turn what goes wrong into one line on stderr and an exit code."""
    outcome = ExitCode()
    try:
        yield outcome
    except KeyboardInterrupt:
        print(
            "interrupted: what has finished is in the journal, run again to go on", file=sys.stderr
        )
        # CPython notes an interrupt that passed through exec of a text (dataclasses are made so),
        # and would end the process by the signal whatever its exit code; an exec clears the note
        exec("")
        outcome.code = INTERRUPTED
    except BrokenPipeError:  # `lemmata list | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        outcome.code = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last resort: an internal error is reported as one
        outcome.code = _code(error)
        if outcome.code == INTERNAL:
            traceback.print_exc()
            print("lemmata: internal error, see above: please report it", file=sys.stderr)
        else:
            print(f"lemmata: {_message(error)}", file=sys.stderr)


@contextmanager
def remembered_interrupts() -> Iterator[Callable[[], None]]:
    """Yields a function that raises KeyboardInterrupt if there has been an interrupt.

    Python drops one that comes while a hook of the garbage collector runs (Hypothesis has such a
    hook), so long work asks now and then.
    """
    seen: list[int] = []

    def remember(number: int, frame: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if seen:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield check
        return
    before = signal.signal(signal.SIGINT, remember)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}: check the path and its permissions"
    return str(error)


def _code(error: Exception) -> int:
    from graphs.errors import NetworkError
    from reports.json_report import RecordError
    from verify.case import CaseError
    from verify.registry import UnknownClaimError
    from verify.runs.baseline import BaselineError, VoidRunError
    from verify.runs.budgets import UnknownBudgetError
    from verify.runs.journal import JournalError
    from verify.runs.selection import NothingSelectedError

    if isinstance(error, NothingSelectedError):
        return NOTHING
    if isinstance(error, VoidRunError):
        return DIFFERS
    users = (
        UsageError,
        NetworkError,
        CaseError,
        UnknownClaimError,
        UnknownBudgetError,
        JournalError,
        BaselineError,
        RecordError,
        OSError,
    )
    return USAGE if isinstance(error, users) else INTERNAL
