"""What is wrong with a file, gathered, so that all of it is told at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphs.errors import NetworkError

TOLD = 30


class Problems:
    """The errors of one file, in the order in which they were found."""

    def __init__(self) -> None:
        self.errors: list[NetworkError] = []

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Keep the error that the block raises, and go on after it."""
        try:
            yield
        except NetworkError as error:
            self.errors.append(error)

    def add(self, error: NetworkError) -> None:
        """Keep an error."""
        self.errors.append(error)

    def settle(self) -> None:
        """Raises what was gathered: one error as it is, several as one, a line for each."""
        told = {printable(str(error)): type(error) for error in self.errors}
        if len(told) == 1:
            ((message, kind),) = told.items()
            raise kind(message)
        if told:
            more = len(told) - TOLD
            lines = [*list(told)[:TOLD], *([f"and {more} more"] if more > 0 else [])]
            raise NetworkError("\n  ".join([f"{len(told)} things to mend", *lines]))


def printable(text: str) -> str:
    r"""The text with what would steer a terminal written out.

    >>> print(printable("a\x1b[2Jb"))
    a\x1b[2Jb
    """
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
