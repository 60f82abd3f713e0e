"""A run in GitHub's terms: annotations as workflow commands, within what one step may show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reports.troubles import BREAKS, Trouble, asides, of_statements, troubles
from reports.verdicts import Record, counted

SHOWN = 10  # annotations of a kind in one step; what is beyond is dropped without a word
SUMMARY = 1024 * 1024  # bytes of a step's summary; a longer one is not shown at all
LONGEST = 1000  # characters of a message

Place = tuple[str, int]
"""A file and a line in it."""


def commands(record: Record, places: Mapping[str, Place] | None = None) -> list[str]:
    """The workflow commands of a run's record: an error for each statement that is not as it should
    be, a warning for what changed and does not count, a notice with the counts of headlines.

    places: by the id of a claim or a statement, where it is stated.
    """
    errors = [
        _command("error", _title(name, found), [t.line for t in found], _place(found, places))
        for name, found in of_statements(troubles(record)).items()
    ]
    warnings = [
        _command("warning", _title(name, found), [t.line for t in found], _place(found, places))
        for name, found in of_statements(asides(record)).items()
    ]
    said = [f"{len(record['statements'])} statements: {counted(record['statements'])}"]
    return [
        *_few("error", errors),
        *_few("warning", warnings),
        *([_command("notice", "Lemmata", said, None)] if record["statements"] else []),
    ]


def data(text: str) -> str:
    r"""A text as the message of a workflow command.

    >>> data("50% of\nthem")
    '50%25 of%0Athem'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text: str) -> str:
    """A text as the value of a property of a workflow command.

    >>> value("a: b, c")
    'a%3A b%2C c'
    """
    return data(text).replace(":", "%3A").replace(",", "%2C")


def _command(kind: str, title: str, lines: Sequence[str], place: Place | None) -> str:
    at = {} if place is None else {"file": place[0], "line": str(place[1])}
    properties = ",".join(f"{key}={value(text)}" for key, text in {**at, "title": title}.items())
    message = "\n".join(lines)
    message = message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"
    return f"::{kind} {properties}::{data(message)}"


def _few(kind: str, told: Sequence[str]) -> list[str]:
    """As many as one step may show, the last of which counts those that have no room."""
    if len(told) <= SHOWN:
        return list(told)
    left = len(told) - SHOWN + 1
    more = [f"{left} more statements: see the summary of this step and the reports"]
    return [*told[: SHOWN - 1], _command(kind, "Lemmata", more, None)]


def _title(name: str, found: Sequence[Trouble]) -> str:
    first = found[0].what
    if not name:
        return f"Lemmata: {first.value}"
    return f"{name}: {first.value if first in BREAKS else 'not as the baseline says'}"


def _place(found: Sequence[Trouble], places: Mapping[str, Place] | None) -> Place | None:
    names = [name for trouble in found for name in (trouble.about, trouble.statement)]
    return next((places[name] for name in names if places and name in places), None)
