"""Claims as tests: `pytest --lemmata my_claims.py` has one item for each statement.

With a baseline an item fails where the statement is not as the baseline says. Without one it fails
where the statement is false as printed, true off corner cases alone, or vacuous, and is skipped
where it is open. It always fails where a check broke or the run is void. Nothing of Lemmata is
loaded without `--lemmata`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

CLAIMS = re.compile(r"^\s*(from|import)\s+lemmata\b", re.MULTILINE)
TESTS = re.compile(r"^\s*(async\s+)?(def test|class Test)", re.MULTILINE)
FAILS = ("error", "false as printed", "true off corner cases", "vacuous")
RECORD = pytest.StashKey[dict[str, Any]]()


class NotAsStatedError(Exception):
    """What is wrong with a statement, in words."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; all others are those of `[tool.lemmata]`."""
    group = parser.getgroup("lemmata", "claims of papers")
    group.addoption(
        "--lemmata", action="store_true", help="files of claims have one item for each statement"
    )
    group.addoption("--lemmata-budget", metavar="BUDGET", help="smoke, ci or full")
    group.addoption("--lemmata-baseline", metavar="FILE", help="compare with this file")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse what cannot be used before anything is collected."""
    if not config.option.lemmata:
        return
    from lemmata.errors import UsageError
    from verify.core.budgets import UnknownBudgetError, budget_named
    from verify.runs.baseline import BaselineError, read

    try:
        options = _options(config, (), ())
        budget_named(options.budget)
        if options.baseline is not None:
            read(Path(options.baseline))
    except (UsageError, UnknownBudgetError, BaselineError) as error:
        raise pytest.UsageError(f"lemmata: {error}") from error


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ClaimFile | None:
    """A file that states claims."""
    if not parent.config.option.lemmata:
        return None
    text = _text(file_path)
    if _within(file_path) is not None:  # of a package its first file stands for all
        stated = _within(file_path) == file_path and re.search(r"\bpaper\(", text) is not None
    else:
        stated = _states_claims(text)
    if stated:
        return ClaimFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Aside | None:
    """A file of claims that has no tests is not imported as a module besides."""
    text = _text(module_path) if parent.config.option.lemmata else ""
    if _states_claims(text) and not TESTS.search(text):
        return Aside.from_parent(parent, path=module_path)
    return None


class Aside(pytest.Module):
    """A module without tests."""

    def collect(self) -> Iterable[pytest.Item]:
        """Nothing."""
        return ()


class ClaimFile(pytest.File):
    """A file of claims, or the first one of a package that states some."""

    statements = 0

    def collect(self) -> Iterable[pytest.Item]:
        """An item for each statement, in the order of the file."""
        from lemmata.own import loaded
        from lemmata.writing import places
        from verify.runs.own_claims import ClaimFileError

        try:
            package = self.path.name == "__init__.py"
            claims = loaded([str(self.path.parent if package else self.path)])
        except ClaimFileError as error:
            raise self.CollectError(str(error)) from error
        lines = places(claims)
        first: dict[str, str] = {}
        for claim in claims:
            first.setdefault(claim.ledger_id, claim.id)
        self.statements = len(first)
        for name, claim_id in first.items():
            yield Stated.from_parent(self, name=name, line=lines[claim_id][1])


class Stated(pytest.Item):
    """A statement."""

    def __init__(self, *, line: int, **more: Any) -> None:
        super().__init__(**more)
        self.line = line

    def runtest(self) -> None:
        """Raises NotAsStatedError."""
        from reports.troubles import troubles

        record = _checked(self.session)
        items = _statements(self.session)
        own = {item.name for item in items}
        found = troubles(record)
        told = [trouble for trouble in found if trouble.statement in (self.name, "")]
        if self is items[0]:  # it tells what has no item, having gone since the baseline
            told += [trouble for trouble in found if trouble.statement not in (*own, "")]
        row = next((row for row in record["statements"] if row["id"] == self.name), None)
        word = row["headline"]["word"] if row else "error"
        if told or (record["changes"] is None and word in FAILS):
            lines = [trouble.line for trouble in told]
            raise NotAsStatedError("\n".join([*lines, *_known(record, self.name, self.path)]))
        if record["changes"] is None and word == "open":
            pytest.skip(_known(record, self.name, self.path)[0])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any) -> Any:
        """What is wrong, without a traceback."""
        if isinstance(excinfo.value, NotAsStatedError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *more)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the statement stands."""
        return self.path, self.line - 1, self.name


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.suffix == ".py" else ""


def _within(path: Path) -> Path | None:
    """The first file of the package that a file is in, if it is in one."""
    first = None
    while (path.parent / "__init__.py").is_file():
        path = first = path.parent / "__init__.py"
        path = path.parent
    return first


def _states_claims(text: str) -> bool:
    return CLAIMS.search(text) is not None and re.search(r"\bclaim\(", text) is not None


def _statements(session: pytest.Session) -> list[Stated]:
    return [item for item in session.items if isinstance(item, Stated)]


def _options(config: pytest.Config, ids: Sequence[str], files: Sequence[str]) -> Any:
    """The options of `lemmata run`: those of the table, but for what was given to pytest."""
    from lemmata.config import configured
    from lemmata.main import parser

    words = ["run", *ids, "--quiet", *(word for file in files for word in ("--claims", file))]
    for name in ("budget", "baseline"):
        value = getattr(config.option, f"lemmata_{name}")
        words += [] if value is None else [f"--{name}", value]
    options = parser(configured()).parse_args(words)
    options.typed = "pytest --lemmata"
    if "PYTEST_XDIST_WORKER" in os.environ:
        options.workers = 1
    return options


def _checked(session: pytest.Session) -> dict[str, Any]:
    """The record of one run of all statements that were selected, made when it is first asked for.
    Where some of their file were not, it is no run of everything."""
    if RECORD not in session.stash:
        from lemmata.commands import checked

        items = _statements(session)
        files = dict.fromkeys(str(item.path) for item in items)
        stated = {item.parent for item in items if isinstance(item.parent, ClaimFile)}
        every = sum(file.statements for file in stated)
        ids = [item.name for item in items] if len(items) < every else []
        session.stash[RECORD] = checked(_options(session.config, ids, list(files)))[0]
    return session.stash[RECORD]


def _known(record: dict[str, Any], name: str, path: Path) -> list[str]:
    """The headline, the verdicts, what stands near, and how to look closer."""
    from lemmata.arguments import seen_from
    from reports.plain import plain
    from reports.verdicts import detail

    lines = []
    for row in (row for row in record["statements"] if row["id"] == name):
        told = filter(None, (row["headline"]["word"], plain(detail(row["headline"]))))
        lines.append(f"{name}: {'; '.join(told)}")
    for claim in (claim for claim in record["claims"] if claim["statement_id"] == name):
        lines.append(f"  {claim['id']}: {claim['verdict']}: {plain(claim['reason'])}")
        near = (claim["grade"] or {}).get("near") or ()
        lines += [f"    stands: {plain(one['change'])}" for one in near]
    return [*lines, f"  look closer: lemmata show --claims {seen_from(path)} {name}"]
