"""Whether the tests notice a slip: planted breaks of the code, and who sees them.

Each place of broken_places.toml is changed by itself in a copy of the tree in a temporary folder,
never here, and the tests that are named beside it run there, up to the first failure. A break is
seen where a test fails; one that is not seen needs a test. First the same tests run on the copy as
it is, and have to pass: otherwise everything would count as seen. Each run is a fork of this
process, which has loaded the libraries and nothing of ours.

Run: python -m benchmarks.broken_places [--only N ...] [--as-it-is]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTED = Path(__file__).with_suffix(".toml")
OPTIONS = ("-x", "-q", "-n0", "-p", "no:cacheprovider", "--hypothesis-profile=ci")
SEEN, NOT_SEEN = 1, 0  # what pytest answers
LIBRARIES = ("pytest", "hypothesis", "numpy", "networkx", "sympy", "flint", "torch", "numba")


@dataclass(frozen=True)
class Place:
    """One break: in which file what is replaced by what, what slip that is, and the tests (files or
    folders) that should see it."""

    file: str
    slip: str
    old: str
    new: str
    tests: tuple[str, ...]


def places() -> list[Place]:
    """All that are listed."""
    rows = tomllib.loads(LISTED.read_text(encoding="utf-8"))["place"]
    return [Place(**{**row, "tests": tuple(row["tests"])}) for row in rows]


def copied(folder: Path) -> None:
    """The files of the tree that git knows of, in a folder."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def ran(folder: Path, tests: tuple[str, ...]) -> tuple[int, float, str]:
    """What pytest answers to tests in the copy, the CPU seconds, and its last lines."""
    with tempfile.TemporaryFile() as output:
        if (child := os.fork()) == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            code = 3
            with suppress(BaseException):
                code = _in_child(folder, tests)
            sys.stdout.flush()
            os._exit(code)
        _, status, used = os.wait4(child, 0)
        output.seek(0)
        told = output.read().decode(errors="replace")[-2000:]
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, told


def _in_child(folder: Path, tests: tuple[str, ...]) -> int:
    import pytest

    os.chdir(folder)
    os.environ["PYTHONPATH"] = str(folder)
    sys.path[:] = [str(folder), *(p for p in sys.path if p and Path(p).resolve() != ROOT)]
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        del sys.modules[name]
    return int(pytest.main([*OPTIONS, *tests]))


def broken(folder: Path, place: Place) -> tuple[int, float, str]:
    """The same with one place changed, which then is as it was."""
    file = folder / place.file
    text = file.read_text(encoding="utf-8")
    if text.count(place.old) != 1:
        raise ValueError(f"{place.file}: not there exactly once: {place.old!r}")
    file.write_text(text.replace(place.old, place.new), encoding="utf-8")
    try:
        return ran(folder, place.tests)
    finally:
        file.write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", type=int, nargs="+", help="places by their numbers, from 1")
    parser.add_argument("--as-it-is", action="store_true", help="only run the tests unbroken")
    options = parser.parse_args(arguments)
    numbered = [
        (number, place)
        for number, place in enumerate(places(), 1)
        if not options.only or number in options.only
    ]
    for name in LIBRARIES:
        with suppress(ImportError):
            import_module(name)
    unseen, total = 0, 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        tests = tuple(dict.fromkeys(test for _, place in numbered for test in place.tests))
        code, seconds, told = ran(folder, tests)
        if code != 0:
            print(told)
            print("the tests fail as it is: nothing can be said of breaks")
            return 2
        print(f"as it is: passes, {seconds:.0f} CPU s", flush=True)
        for number, place in () if options.as_it_is else numbered:
            code, seconds, told = broken(folder, place)
            total += seconds
            word = {SEEN: "seen", NOT_SEEN: "NOT SEEN"}.get(code, f"pytest answered {code}")
            unseen += code != SEEN
            print(f"{number:3} {word:8} {seconds:6.1f} s  {place.file}: {place.slip}", flush=True)
            if code not in (SEEN, NOT_SEEN):
                print(told)
    if not options.as_it_is:
        print(f"{len(numbered) - unseen} of {len(numbered)} seen, {total:.0f} CPU s")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
