"""What may come of a check, and how a computation says that it has no result."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, NoReturn

ACCEPTED, REJECTED, DECLINED = 0, 1, 2
LONGEST_MESSAGE = 1_000  # characters


class Outcome(NamedTuple):
    """The exit code, and one line that says why."""

    code: int
    message: str

    @staticmethod
    def of(code: int, message: str) -> Outcome:
        """An outcome whose message is one short line of plain ASCII, whatever goes into it."""
        word = ("accepted", "rejected", "declined")[code]
        line = f"{word}: {message}".encode("ascii", "backslashreplace").decode()
        line = "".join(letter if letter.isprintable() else " " for letter in line)
        cut = LONGEST_MESSAGE - 3
        return Outcome(code, line if len(line) <= LONGEST_MESSAGE else line[:cut] + "...")


class Rejected(Exception):
    """The certificate does not show what it says."""


class Declined(Exception):
    """The certificate is beyond this checker: of another version, or too large."""


class Undecided(Exception):
    """Enclosures of this precision do not tell; longer ones may."""


class Undefined(Exception):
    """The term has no value in this case."""


def require(condition: bool, message: str) -> None:
    """Reject with the message unless the condition holds."""
    if not condition:
        raise Rejected(message)


def defined(condition: bool) -> None:
    """There is no value unless the condition holds."""
    if not condition:
        raise Undefined


def reject(message: str) -> NoReturn:
    """Reject with the message."""
    raise Rejected(message)


def written(number: Fraction | int) -> str:
    """A rational as text."""
    try:
        return str(number)
    except ValueError:  # Python writes no more than some thousands of digits
        return "a very long number"
