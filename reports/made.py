"""What a report is made of that takes long to make: made anew, or as it was made before."""

from __future__ import annotations

from collections.abc import Callable

from reports.verdicts import Record

Texts = dict[str, str]
"""Texts by their names."""

Made = Callable[[str, Record, Callable[[], Texts]], Texts]
"""From what is made, the record that it is made of, and what makes it, to the texts. They depend on
no more, and not on the id, the time and the command of the run."""


def afresh(what: str, record: Record, make: Callable[[], Texts]) -> Texts:
    """What is made now."""
    return make()
