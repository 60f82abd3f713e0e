"""Calling the command line, in this process and in another."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from lemmata.main import main
from tests.repository import ROOT
from verify.papers.registry import all_claims


@dataclass(frozen=True)
class Called:
    """What a call of the command line gave."""

    code: int
    out: str
    err: str


class CommandLine:
    """`lemmata` with these words, in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: object) -> Called:
        self.capsys.readouterr()
        code = main([str(word) for word in words])
        captured = self.capsys.readouterr()
        return Called(code, captured.out, captured.err)

    def refused(self, *words: object, code: int = 4) -> str:
        """The one line that says what was wrong; nothing is on stdout."""
        called = self(*words)
        assert called.code == code, called
        assert called.out == ""
        assert len(called.err.splitlines()) == 1, called.err
        assert called.err.startswith("lemmata: ")
        return called.err


FEW = ("lj22.risk", "lj22.gflow", "lj22.pullback", "lj22.lemma3", "lj22.def1")


def few_claims(patch: pytest.MonkeyPatch) -> None:
    """Let a run of everything be one of a few statements: what is tested comes after it."""
    chosen = tuple(claim for claim in all_claims() if claim.ledger_id in FEW)
    patch.setattr("verify.runs.selection.all_claims", lambda: chosen)


def started(words: Sequence[object], **more) -> subprocess.Popen[str]:
    """`lemmata` with these words, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "lemmata", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,
    )
