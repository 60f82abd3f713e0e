"""Check one certificate: `python -m verify.checker FILE`.

Exit 0: accepted, 1: rejected, 2: declined. One line says why.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from . import statements
from .outcomes import DECLINED, REJECTED, Outcome, Rejected
from .records import LARGEST_FILE, read_json

OLDER = "lemmata-certificate"


def main(arguments: Sequence[str]) -> int:
    """Check the one file that is named, print one line, and return the exit code."""
    outcome = _checked(arguments)
    print(outcome.message)  # noqa: T201  # it is a program
    return outcome.code


def _checked(arguments: Sequence[str]) -> Outcome:
    if len(arguments) != 1:
        return Outcome.of(DECLINED, "name one file")
    try:
        with Path(arguments[0]).open("rb") as file:
            return of_either_format(file.read(LARGEST_FILE + 1))
    except (OSError, ValueError) as error:
        return Outcome.of(DECLINED, f"{arguments[0]!r} cannot be read: {error}")
    except Exception as error:  # noqa: BLE001  # a defect here must not look like a verdict
        return Outcome.of(DECLINED, f"the checker fails: {type(error).__name__}")


def of_either_format(content: bytes) -> Outcome:
    """What the checker of its format says of a certificate."""
    if len(content) > LARGEST_FILE or OLDER.encode() not in content:
        return statements.check_content(content)
    try:
        certificate = read_json(content)
    except Rejected as refusal:
        return Outcome.of(REJECTED, str(refusal))
    if not isinstance(certificate, dict) or certificate.get("format") != OLDER:
        return statements.check(certificate)
    try:
        restated = import_module(".restated", __package__)
    except ImportError:
        return Outcome.of(DECLINED, f"the format {OLDER!r} is not known here")
    return Outcome(*restated.check_content(content))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
