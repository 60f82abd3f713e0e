"""The record of a run as a file: strict JSON that its schema accepts."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from reports.verdicts import Record
from verify.runs.written import written_whole

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
ANNOTATIONS = frozenset(("$schema", "$defs", "title", "description"))


class RecordError(ValueError):
    """A run's record is not what the schema says. The message names the place and the value."""


@cache
def schema() -> Record:
    """The JSON schema of a run's record (draft 2020-12). Do not change what it returns."""
    text = resources.files("reports").joinpath("run.schema.json").read_text(encoding="utf-8")
    found: Record = json.loads(text)
    return found


def validate(record: Any) -> None:
    """Raises RecordError at the first place where the record breaks its schema."""
    for place, complaint in _complaints(record, schema(), ""):
        raise RecordError(f"{place or 'the run record'} {complaint}")


def dumps(record: Record) -> str:
    """The record as strict JSON. Raises RecordError for what JSON or the schema cannot hold."""
    _refuse_loose(record, "")
    validate(record)
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def dump(record: Record, path: str | os.PathLike[str]) -> None:
    """Writes the record to a file, at once or not at all. Raises RecordError and OSError."""
    written_whole(Path(path), dumps(record))


def load(path: str | os.PathLike[str]) -> Record:
    """Reads a record and validates it. Raises RecordError and OSError."""

    def refuse(constant: str) -> float:
        raise RecordError(f"{path} holds {constant}, which is not JSON: write the run again")

    text = Path(path).read_text(encoding="utf-8")
    try:
        record: Record = json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise RecordError(f"{path} is not JSON ({error}): is it a run's record?") from error
    try:
        _refuse_loose(record, "")  # a number too large for a float is read as infinity
        validate(record)
    except RecordError as error:
        raise RecordError(f"{path} is not a run's record: {error}") from error
    return record


def pretty(value: Any, *, width: int = 88, indent: int = 0) -> str:
    """JSON to be read by people: whatever fits on a line stays on one."""
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if len(flat) + indent <= width or not isinstance(value, dict | list) or not value:
        return flat
    step = indent + 2
    if isinstance(value, dict):
        lines = [
            f"{json.dumps(str(name), ensure_ascii=False)}: {pretty(item, width=width, indent=step)}"
            for name, item in value.items()
        ]
        start, end = "{", "}"
    else:
        lines = [pretty(item, width=width, indent=step) for item in value]
        start, end = "[", "]"
    margin = " " * step
    body = f",\n{margin}".join(lines)
    return f"{start}\n{margin}{body}\n{' ' * indent}{end}"


def _refuse_loose(value: Any, place: str) -> None:
    """Raises RecordError for values that strict JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        raise RecordError(f"{place} is {value}, which JSON cannot hold: write it as text or null")
    if isinstance(value, dict):
        for name, item in value.items():
            if not isinstance(name, str):
                raise RecordError(f"{place} has the key {name!r}: JSON keys are strings")
            _refuse_loose(item, _member(place, name))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            _refuse_loose(item, f"{place}[{number}]")
    elif value is not None and not isinstance(value, str | int | float):
        kind = type(value).__name__
        raise RecordError(f"{place} is a {kind} ({value!r}): use strings, numbers, lists, dicts")


def _member(place: str, name: str) -> str:
    simple = re.fullmatch(r"[A-Za-z_]\w*", name)
    return f"{place}.{name}".lstrip(".") if simple else f"{place}[{name!r}]"


def _has_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[name])


def _complaints(value: Any, rule: Record, place: str) -> Iterator[tuple[str, str]]:
    """Every (place, complaint) of a value against one rule of the schema.

    Raises NotImplementedError for a keyword that the schema does not use so far, so that no rule
    is passed over in silence.
    """
    for keyword, wanted in rule.items():
        if keyword in ANNOTATIONS:
            continue
        match keyword:
            case "$ref":
                yield from _complaints(value, schema()["$defs"][wanted.rpartition("/")[2]], place)
            case "anyOf":
                tried = [list(_complaints(value, option, place)) for option in wanted]
                if all(tried):
                    yield max((min(t, key=_depth) for t in tried), key=_depth)
            case "type":
                names = [wanted] if isinstance(wanted, str) else wanted
                if not any(_has_type(value, name) for name in names):
                    yield place, f"is {_shown(value)} and needs to be of type {' or '.join(names)}"
            case "const" | "enum":
                allowed = [wanted] if keyword == "const" else wanted
                if not any(value == a and _bool(value) == _bool(a) for a in allowed):
                    yield place, f"is {_shown(value)} and needs to be {_either(allowed)}"
            case "minimum":
                if _has_type(value, "number") and not value >= wanted:
                    yield place, f"is {_shown(value)} and needs to be at least {wanted}"
            case "minLength":
                if isinstance(value, str) and len(value) < wanted:
                    yield place, f"is {_shown(value)} and needs {wanted} or more characters"
            case "minItems" | "maxItems":
                size = len(value) if isinstance(value, list) else wanted
                if size < wanted if keyword == "minItems" else size > wanted:
                    bound = "at least" if keyword == "minItems" else "at most"
                    yield place, f"has {size} items and needs {bound} {wanted}"
            case "pattern":
                if isinstance(value, str) and not re.search(wanted, value):
                    yield place, f"is {_shown(value)} and needs to match {wanted}"
            case "required":
                missing = [n for n in wanted if n not in value] if isinstance(value, dict) else []
                if missing:
                    yield place, f"lacks {', '.join(missing)}"
            case "properties" | "additionalProperties" | "items":
                yield from _inside(value, rule, keyword, place)
            case _:
                raise NotImplementedError(f"keyword {keyword!r} in run.schema.json")


def _inside(value: Any, rule: Record, keyword: str, place: str) -> Iterator[tuple[str, str]]:
    """The complaints about the members of an object or the items of an array."""
    if keyword == "items" and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _complaints(item, rule["items"], f"{place}[{number}]")
    elif keyword == "properties" and isinstance(value, dict):
        for name, inner in rule["properties"].items():
            if name in value:
                yield from _complaints(value[name], inner, _member(place, name))
    elif keyword == "additionalProperties" and isinstance(value, dict):
        for name in value:
            if name not in rule.get("properties", {}):
                yield from _complaints(value[name], rule[keyword], _member(place, name))


def _depth(complaint: tuple[str, str]) -> int:
    """How far inside the record a complaint is: of several readings the one that fits furthest."""
    return len(complaint[0])


def _bool(value: Any) -> bool:
    return isinstance(value, bool)


def _either(allowed: list[Any]) -> str:
    return ", ".join(map(repr, allowed[:-1])) + (" or " if allowed[1:] else "") + repr(allowed[-1])


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 90 else text[:87] + "..."
