"""The record of a run as a file: strict JSON that its schema accepts."""

from __future__ import annotations

import json
import math
import os
import re
from functools import cache, reduce
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.made import Made, afresh
from reports.verdicts import Record
from verify.runs.written import written_whole

if TYPE_CHECKING:
    from jsonschema import ValidationError

LONGEST = 200  # characters of a complaint
FIRST = ("format", "version", "run")


class RecordError(ValueError):
    """A run's record is not what the schema says. The message names the place and the value."""


@cache
def schema() -> Record:
    """The JSON schema of a run's record (draft 2020-12). Do not change what it returns."""
    text = resources.files(__package__).joinpath("run.schema.json").read_text(encoding="utf-8")
    found: Record = json.loads(text)
    return found


def validate(record: Any) -> None:
    """Raises RecordError at a place where the record breaks its schema."""
    from jsonschema import Draft202012Validator

    for found in Draft202012Validator(schema()).iter_errors(record):
        error = _furthest(found)
        place = reduce(_within, error.absolute_path, "") or "the run record"
        raise RecordError(f"{place}: {_short(error.message)}")


def dumps(record: Record) -> str:
    """The record as strict JSON. Raises RecordError for what JSON or the schema cannot hold."""
    _refuse_loose(record, "")
    validate(record)
    return _spread(record) + "\n"


def dump(record: Record, path: str | os.PathLike[str], made: Made = afresh) -> None:
    """Writes the record to a file, at once or not at all. Raises RecordError and OSError."""
    written_whole(Path(path), _text(record, made))


def _text(record: Record, made: Made) -> str:
    """What dumps gives; what comes after the run may have been made before."""
    if tuple(record)[: len(FIRST)] != FIRST:
        return dumps(record)

    def head() -> str:
        return _spread({name: record[name] for name in FIRST}).removesuffix("\n}")

    rest = made("JSON", record, lambda: {"rest": dumps(record).removeprefix(head())})["rest"]
    return head() + rest


def _spread(value: Record) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)


def load(path: str | os.PathLike[str]) -> Record:
    """Reads a record and validates it. Raises RecordError and OSError."""

    def refuse(constant: str) -> float:
        raise RecordError(f"{path} holds {constant}, which is not JSON: write the run again")

    content = Path(path).read_bytes()
    try:
        record: Record = json.loads(content.decode("utf-8"), parse_constant=refuse)
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path} is not JSON ({error}): is it a run's record?") from error
    try:
        _refuse_loose(record, "")  # a number too large for a float is read as infinity
        validate(record)
    except RecordError as error:
        raise RecordError(f"{path} is not a run's record: {error}") from error
    return record


_flat = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def pretty(value: Any, *, width: int = 88, indent: int = 0) -> str:
    """JSON to be read by people: whatever fits on a line stays on one."""
    if not isinstance(value, dict | list) or not value:
        return _flat(value)
    step = indent + 2
    if isinstance(value, dict):
        start, end = "{", "}"
        parts = [
            f"{_flat(str(name))}: {pretty(item, width=width, indent=step)}"
            for name, item in value.items()
        ]
    else:
        start, end = "[", "]"
        parts = [pretty(item, width=width, indent=step) for item in value]
    flat = f"{start}{', '.join(parts)}{end}"
    if len(flat) + indent <= width:  # never where a part did not fit on its line
        return flat
    margin = " " * step
    body = f",\n{margin}".join(parts)
    return f"{start}\n{margin}{body}\n{' ' * indent}{end}"


def _refuse_loose(value: Any, place: str) -> None:
    """Raises RecordError for values that strict JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        raise RecordError(f"{place} is {value}, which JSON cannot hold: write it as text or null")
    if isinstance(value, str) and not _is_text(value):
        raise RecordError(f"{place} is {_short(ascii(value))}, which holds half a character")
    if isinstance(value, dict):
        for name, item in value.items():
            if not isinstance(name, str) or not _is_text(name):
                raise RecordError(f"{place} has the key {_short(ascii(name))}: JSON keys are texts")
            _refuse_loose(item, _within(place, name))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _refuse_loose(item, _within(place, number))
    elif value is not None and not isinstance(value, str | int | float):
        kind = type(value).__name__
        raise RecordError(f"{place} is a {kind} ({value!r}): use strings, numbers, lists, dicts")


def _is_text(value: str) -> bool:
    """Whether a file can hold it: one half of a pair of surrogates it cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _short(told: str) -> str:
    return told if len(told) <= LONGEST else told[:LONGEST] + "..."


def _furthest(error: ValidationError) -> ValidationError:
    """Of the complaints about several readings the one of the reading that fits furthest."""
    inner = map(_furthest, error.context or ())
    return max([error, *inner], key=lambda one: len(one.absolute_path))


def _within(place: str, key: str | int) -> str:
    """The place of a member of an object, or of an item of an array."""
    if isinstance(key, str) and re.fullmatch(r"[A-Za-z_]\w*", key):
        return f"{place}.{key}".lstrip(".")
    return f"{place}[{key!r}]"
