"""The table `[tool.lemmata]` of pyproject.toml: what holds where the command line is silent.

It is read from the nearest pyproject.toml that has one, in the working directory or above it. Files
are named as seen from its folder.
"""

from __future__ import annotations

import tomllib
from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from lemmata.arguments import seed, seen_from
from lemmata.errors import UsageError

FILE = "pyproject.toml"
CHECKS = ("run", "baseline")


@dataclass(frozen=True)
class Key:
    """A key: what kind of value it takes; of which commands it is which option; whether it names
    files."""

    kind: type
    options: Mapping[str, str]
    names_files: bool = False


KEYS = {
    "baseline": Key(str, {"run": "baseline", "baseline": "file"}, True),
    "budget": Key(str, dict.fromkeys(CHECKS, "budget")),
    "claims": Key(list, dict.fromkeys((*CHECKS, "list", "show"), "files"), True),
    "device": Key(str, dict.fromkeys(CHECKS, "device")),
    "executor": Key(str, dict.fromkeys(CHECKS, "executor")),
    "graded": Key(bool, dict.fromkeys(CHECKS, "graded")),
    "history": Key(str, {"run": "history"}, True),
    "journal": Key(str, dict.fromkeys(CHECKS, "journal"), True),
    "known": Key(str, dict.fromkeys(("run", "list", "show"), "known"), True),
    "output": Key(list, {"run": "output"}, True),
    "seed": Key(int, dict.fromkeys(CHECKS, "seed")),
    "workers": Key(int, dict.fromkeys(CHECKS, "workers")),
}
KINDS = {str: "a text", int: "a whole number", bool: "true or false", list: "a list of texts"}


def configured(folder: Path | None = None) -> dict[str, dict[str, Any]]:
    """The options that the table sets, by command. folder: the working directory, if not another.

    Raises UsageError for a key that there is not, and for a value of another kind.
    """
    start = Path.cwd() if folder is None else folder.resolve()
    for place in (start, *start.parents):
        table = _table(place / FILE)
        if table is not None:
            return _by_command(place, table)
    return {}


def _table(path: Path) -> dict[str, Any] | None:
    """The table of one file, None where it has none."""
    try:
        tools = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return None
    except (ValueError, RecursionError) as error:  # no TOML, no text, a number without end
        raise UsageError(f"{path} is not TOML ({error}): correct it") from error
    table = tools.get("lemmata") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{path}: lemmata is {table!r}, make it a table, [tool.lemmata]")
    return table


def _by_command(folder: Path, table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    where = f"{folder / FILE}, [tool.lemmata]"
    for name, value in table.items():
        if name not in KEYS:
            (nearest,) = get_close_matches(name, KEYS, n=1, cutoff=0)
            known = ", ".join(KEYS)
            raise UsageError(
                f"{where}: there is no key {name!r}, did you mean {nearest!r}? It has {known}"
            )
        key = KEYS[name]
        several = [value] if key.kind is list and isinstance(value, str) else value
        parts: Sequence[Any] = several if isinstance(several, list) else ()
        if type(several) is not key.kind or not all(isinstance(part, str) for part in parts):
            raise UsageError(f"{where}: {name} is {value!r} and needs to be {KINDS[key.kind]}")
        if any("\0" in part for part in (*parts, several) if isinstance(part, str)):
            raise UsageError(f"{where}: {name} is {value!r}: leave out the character of code 0")
        if name == "seed":
            _check_seed(where, value)
        if key.names_files:
            several = _seen(folder, several, key.options.get("run") == "output")
        for command, option in key.options.items():
            found.setdefault(command, {})[option] = several
    return found


def _check_seed(where: str, value: int) -> None:
    """Raises UsageError for what `--seed` would not take."""
    try:
        seed(str(value))
    except ArgumentTypeError as error:
        raise UsageError(f"{where}: seed: {error}") from error


def _seen(folder: Path, value: Any, many: bool) -> Any:
    """Files as seen from the working directory; of reports (many), which are like `html=FILE`, the
    file. A list as a tuple, which the command line replaces and does not add to."""
    if isinstance(value, list):
        parts = [one for part in value for one in (part.split(",") if many else [part])]
        return tuple(_seen(folder, part, many) for part in parts)
    kind, equals, file = value.partition("=") if many else ("", "", value)
    if folder == Path.cwd() or value == "github":
        return value
    return f"{kind}{equals}{seen_from(folder / file)}"
