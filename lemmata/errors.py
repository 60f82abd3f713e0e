"""Exit codes, and which errors are the user's."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
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
        outcome.code = INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last resort: an internal error is reported as one
        outcome.code = _code(error)
        if outcome.code == INTERNAL:
            traceback.print_exc()
            print("lemmata: internal error, see above: please report it", file=sys.stderr)
        else:
            print(f"lemmata: {error}", file=sys.stderr)


def _code(error: Exception) -> int:
    from graphs.errors import NetworkError
    from verify.case import CaseError
    from verify.registry import UnknownClaimError
    from verify.runs.baseline import BaselineError
    from verify.runs.budgets import UnknownBudgetError
    from verify.runs.journal import JournalError
    from verify.runs.selection import NothingSelectedError

    if isinstance(error, NothingSelectedError):
        return NOTHING
    users = (
        UsageError,
        NetworkError,
        CaseError,
        UnknownClaimError,
        UnknownBudgetError,
        JournalError,
        BaselineError,
        OSError,
    )
    return USAGE if isinstance(error, users) else INTERNAL
