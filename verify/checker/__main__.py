"""Check one certificate: `python -m verify.checker FILE [--registered LOCK]`.

Exit 0: accepted, 1: rejected, 2: declined. One line says why. LOCK: JSON, the hashes of statements
by their names: by it the line tells a registered statement from another one of its name.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from . import statements
from .outcomes import DECLINED, Outcome, Rejected
from .records import LARGEST_FILE, read_json

REGISTERED = "--registered"


def main(arguments: Sequence[str]) -> int:
    """Check the one file that is named, print one line, and return the exit code."""
    outcome = _checked(arguments)
    print(outcome.message)  # noqa: T201  # it is a program
    return outcome.code


def _checked(arguments: Sequence[str]) -> Outcome:
    if len(arguments) not in (1, 3) or arguments[1:2] not in ([], [REGISTERED]):
        return Outcome.of(DECLINED, f"name one file, and after it perhaps {REGISTERED} and a lock")
    name = arguments[-1]
    try:
        registered = _registered(name) if len(arguments) == 3 else {}
        name = arguments[0]
        with Path(name).open("rb") as file:
            return statements.check_content(file.read(LARGEST_FILE + 1), registered)
    except (OSError, ValueError, Rejected) as error:
        return Outcome.of(DECLINED, f"{name!r} cannot be read: {error}")
    except Exception as error:  # noqa: BLE001  # a defect here must not look like a verdict
        return Outcome.of(DECLINED, f"the checker fails: {type(error).__name__}")


def _registered(name: str) -> dict[str, str]:
    """The hashes in a lock. Raises Rejected for what is none."""
    with Path(name).open("rb") as file:
        found = read_json(file.read(LARGEST_FILE + 1))
    texts = isinstance(found, dict) and all(isinstance(value, str) for value in found.values())
    if not isinstance(found, dict) or not texts:
        raise Rejected("a lock has a hash for each name")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
