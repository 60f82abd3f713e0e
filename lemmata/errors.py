"""Exit codes, and which errors are the user's."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

FINE, DIFFERS, INTERRUPTED, INTERNAL, USAGE, NOTHING = range(6)
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))  # a disk, or one's share of it


@dataclass
class ExitCode:
    """The exit code of a command, set while it runs."""

    code: int = FINE


class UsageError(ValueError):
    """An argument that cannot be used. The message names it, its value, and what to try."""


@contextmanager
def user_errors(*, journal: bool = True) -> Iterator[ExitCode]:
    """Turn what goes wrong into one line on stderr and an exit code. journal: whether the command
    keeps what has finished."""
    outcome = ExitCode()
    try:
        yield outcome
    except KeyboardInterrupt:
        kept = ": what has finished is in the journal, run again to go on" if journal else ""
        print(f"interrupted{kept}", file=sys.stderr)
        # CPython notes an interrupt that passed through exec of a text (dataclasses are made so),
        # and would end the process by the signal whatever its exit code; an exec clears the note
        exec("")
        outcome.code = INTERRUPTED
    except BrokenPipeError:  # `lemmata list | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        outcome.code = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last resort: an internal error is reported as one
        outcome.code = _code(error)
        if outcome.code == INTERNAL and not isinstance(error, OSError):
            traceback.print_exc()
            print("lemmata: internal error, see above: please report it", file=sys.stderr)
        else:
            print(f"lemmata: {_printable(_message(error))}", file=sys.stderr)


def _message(error: Exception) -> str:
    if not isinstance(error, OSError) or error.filename is None:
        return str(error)
    if error.errno in FULL:
        return (
            f"{error.filename}: {error.strerror}: make room and run again; what has finished is in "
            "the journal"
        )
    return f"{error.filename}: {error.strerror}: check the path and its permissions"


def _printable(message: str) -> str:
    """The lines of a message, with what would steer a terminal written out."""
    from graphs.problems import printable

    return "\n".join(map(printable, message.split("\n")))


def _code(error: Exception) -> int:
    from graphs.errors import NetworkError
    from reports.history import HistoryError
    from reports.json_report import RecordError
    from verify.cases.tensors import CaseError
    from verify.core.budgets import UnknownBudgetError
    from verify.papers.registry import UnknownClaimError
    from verify.runs.baseline import BaselineError, VoidRunError
    from verify.runs.cluster import ClusterError, ClusterLostError
    from verify.runs.journal import JournalError
    from verify.runs.own_claims import ClaimFileError
    from verify.runs.selection import NothingSelectedError

    if isinstance(error, NothingSelectedError):
        return NOTHING
    if isinstance(error, VoidRunError):
        return DIFFERS
    if isinstance(error, ClusterLostError) or (isinstance(error, OSError) and error.errno in FULL):
        return INTERNAL
    users = (
        UsageError,
        NetworkError,
        CaseError,
        ClusterError,
        ClaimFileError,
        UnknownClaimError,
        UnknownBudgetError,
        JournalError,
        BaselineError,
        RecordError,
        HistoryError,
        OSError,
    )
    return USAGE if isinstance(error, users) else INTERNAL
