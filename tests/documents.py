"""The code blocks of the Markdown pages, and a reader who does what a page says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from lemmata.main import main
from tests.repository import ROOT, texts
from verify.papers.registry import all_claims
from verify.runs import engine

BLOCK = re.compile(r"(?:`([\w./-]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FAILS = re.compile(r"\s+# exits with (\d+)$")
ALONE = re.compile(  # asks nothing of a shell
    r"((?:\w+=\S* )*)(?:\.venv/bin/)?(lemmata|pytest) ([^|;&<>$`]*)"
)
LEFT_OUT = (  # what .ci/run does: installing, and a run of all papers
    *("make ", "python -m venv ", ".venv/bin/python -m pip "),
    ".venv/bin/lemmata run --budget smoke --output",
)
TOOL = f"""#!{sys.executable}
import os
import sys
os.cpu_count = lambda: 1  # so there is one worker
import verify.runs.engine as engine
engine.CONTROLS = {{}}  # they have tests of their own, and take most of the time here
if __name__ == "__main__":  # workers import this file
"""
TOOLS = {
    "lemmata": f"{TOOL}    from lemmata.main import main\n    sys.exit(main())\n",
    "pytest": f"{TOOL}    import pytest\n    sys.exit(pytest.main())\n",
    "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n',
}


@dataclass(frozen=True)
class Block:
    """A block of code. file: which the line before it names, as in "`claims.py`:"."""

    file: str
    language: str
    code: str


def blocks(text: str) -> list[Block]:
    """Those of a page, in their order."""
    return [Block(*found) for found in BLOCK.findall(text)]


def code_in(text: str, language: str) -> list[str]:
    """The code of a page in one language, block by block."""
    return [block.code for block in blocks(text) if block.language == language]


def commands_in(text: str) -> list[str]:
    """The lines of the `sh` blocks."""
    return [line for code in code_in(text, "sh") for line in code.splitlines() if line.strip()]


class Reader:
    """Who does what a page says in a folder: writes its files, and types its commands.

    A command exits with 0, or as its comment says; of what the page shows below it, as `text`, each
    line is a line of what was printed, in this order. What is neither is a part of a workflow.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tools = folder / ".venv/bin"
        tools.mkdir(parents=True)
        for name, text in TOOLS.items():
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        (folder / "examples").symlink_to(ROOT / "examples")
        outer = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "PYTEST_"))}
        self.environment = {
            **outer,
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "100",
            "CUDA_VISIBLE_DEVICES": "",
        }
        self.environment.pop("CI", None)
        all_claims()  # loaded once, before there are forks of this process
        import_module("numerics.curvature.summary")

    def follow(self, page: str, instead: Mapping[str, str] | None = None) -> int:
        """Do it all; returns how many commands were typed. instead: words in place of others.

        Raises AssertionError with the command that is not as the page says.
        """
        printed, typed = "", 0
        for block in blocks(page):
            if block.file:
                path = self.folder / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.code, encoding="utf-8")
            elif block.language == "sh":
                lines = [x for x in block.code.splitlines() if not x.startswith(LEFT_OUT)]
                printed = "".join(self.type(line, instead or {}) for line in lines)
                typed += len(lines)
            elif block.language == "text":
                shown(block.code, printed)
            else:
                workflows = [text for path, text in texts().items() if path.suffix == ".yml"]
                assert any(block.code in text for text in workflows), f"of no file:\n{block.code}"
        return typed

    def type(self, line: str, instead: Mapping[str, str]) -> str:
        """What a command prints."""
        told = FAILS.search(line)
        for word, other in instead.items():
            line = line.replace(word, other)
        with TemporaryFile("w+", encoding="utf-8") as output:
            alone = ALONE.fullmatch(FAILS.sub("", line)) if hasattr(os, "fork") else None
            if alone:
                more = dict(word.split("=", 1) for word in alone[1].split())
                run = {"lemmata": main, "pytest": pytest.main}[alone[2]]
                code = self._forked(run, shlex.split(alone[3]), more, output.fileno())
            else:
                code = subprocess.run(
                    ("bash", "-c", line),
                    cwd=self.folder,
                    env=self.environment,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    check=False,
                ).returncode
            output.seek(0)
            printed = output.read()
        expected = int(told[1]) if told else 0
        assert code == expected, f"{line}: {code}\n{printed}"
        return printed

    def _forked(
        self,
        run: Callable[[list[str]], int],
        words: list[str],
        more: Mapping[str, str],
        output: int,
    ) -> int:
        """The exit code of `lemmata` or `pytest` with these words, and with more in the
        environment, in a fork of this process, which has loaded everything: as the tool of the
        same name otherwise."""
        if (child := os.fork()) == 0:
            code = 3
            try:
                os.dup2(output, 1)
                os.dup2(output, 2)
                sys.stdout = os.fdopen(1, "w", encoding="utf-8")
                sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8")
                os.environ.clear()
                os.environ.update(self.environment | more)
                os.chdir(self.folder)
                os.cpu_count = lambda: 1
                engine.CONTROLS.clear()
                code = run(words)
            except BaseException:  # noqa: BLE001 - as of a process
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def shown(text: str, printed: str) -> None:
    """Raises AssertionError with the first line of the text that is not printed in its place."""
    rest = iter([line.rstrip() for line in printed.splitlines()])
    for line in text.splitlines():
        assert line.rstrip() in rest, f"not printed here:\n{line}\nbut:\n{printed}"
