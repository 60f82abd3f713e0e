"""How the command line is read: points, slopes, files that are brought along, lists of reports."""

from __future__ import annotations

import os
import re
import sys
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lemmata.errors import UsageError

if TYPE_CHECKING:
    from graphs.network import Network


LONGEST_SEED = 30  # digits


def seed(text: str) -> int:
    """A seed: 0 or a larger whole number. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_SEED):
        raise ArgumentTypeError(f"{text[:60]!r} is no seed, give 0 or a larger whole number")
    return int(text)


BROUGHT = ("claims.lock.json", "examples")
"""What comes with Lemmata, by the first word of its path."""


def brought(path: str) -> str:
    """The path, or where nothing is there, that of the file which Lemmata brings under this name:
    an example, or the baseline. What stands behind a colon is an object of the file."""
    file, colon, name = path.partition(".py:")
    file += colon[:-1]
    if Path(file).parts[:1] and Path(file).parts[0] in BROUGHT and not Path(file).exists():
        from verify.core.code_hashes import ROOT

        if (ROOT / file).exists():
            print(f"{file}: the one that Lemmata brings", file=sys.stderr)
            return str(ROOT / file) + colon[-1:] + name
    return path


def seen_from(path: str | Path, folder: str | Path = os.curdir) -> str:
    """The path as seen from a folder; in full where it is on another drive of Windows, to which no
    way leads."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:
        return os.path.abspath(path)


def parse_point(text: str) -> list[Fraction]:
    """`1/2,-3` as numbers. Raises UsageError."""
    return [_number("--at", text, part, "numbers like 1/2,-3") for part in text.split(",")]


def parse_slopes(text: str) -> dict[str, Fraction]:
    """`h1=0,h2=1/10` as a mapping. Raises UsageError."""
    slopes = {}
    for part in text.split(","):
        name, _, slope = part.rpartition("=")
        remedy = "VERTEX=SLOPE, separated by commas, like h1=0,h2=1/10"
        if not name:
            raise UsageError(f"--slopes {part!r}: give {remedy}")
        slopes[name] = _number("--slopes", part, slope, remedy)
    return slopes


def _number(option: str, text: str, number: str, remedy: str) -> Fraction:
    from graphs.errors import NetworkError
    from graphs.numerals import parse_number, shown

    try:
        return parse_number(number, option)
    except NetworkError as error:
        raise UsageError(
            f"{option} {shown(text)}: {shown(number)} is no number, give {remedy}"
        ) from error


def check_size(text: str, network: Network, x: Sequence[Fraction]) -> None:
    """Raises UsageError where --at does not fit the network."""
    if len(x) != len(network.free_inputs):
        names = ", ".join(network.names[v] for v in network.free_inputs)
        raise UsageError(f"--at {text}: give one number for each of the inputs {names}")


def check_point(
    text: str | None,
    path: str,
    network: Network,
    weights: Sequence[Fraction] | None,
    x: Sequence[Fraction] | None,
) -> None:
    """Raises UsageError where --at does not fit the network, or the file has no weights."""
    if x is None or text is None:
        return
    if weights is None:
        raise UsageError(f"--at {text}: {path} has no weights, add them")
    check_size(text, network, x)


OUTPUT_GIVEN = "--output="
REPORT = re.compile(r"github|(html|json|junit|md)=.*")


class Several(Action):
    """An option that may be given again: a list of what was given. Its default is a tuple, of
    which nothing is left once it is given."""

    def __init__(self, option_strings: Sequence[str], dest: str, **more: Any) -> None:
        super().__init__(option_strings, dest, **{"default": (), **more})

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Add one more."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [*(before if isinstance(before, list) else ()), values])


def together(words: Sequence[str]) -> list[str]:
    """The words with reports after `--output` joined by commas, as `--output` takes them.

    >>> together(["run", "--output", "html=a.html", "md=b.md", "github", "lj22.risk"])
    ['run', '--output', 'html=a.html,md=b.md,github', 'lj22.risk']
    """
    found: list[str] = []
    for word in words:
        after = found[-2:-1] == ["--output"] or "".join(found[-1:]).startswith(OUTPUT_GIVEN)
        if after and REPORT.fullmatch(word):
            found[-1] += f",{word}"
        else:
            found.append(word)
    return found
