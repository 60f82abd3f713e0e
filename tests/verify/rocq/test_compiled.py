"""What counts as accepted by the compiler, on a compiler that is played by a script."""

import os
from pathlib import Path

import pytest

from verify.rocq.compiled import ABSENT, compile_source, compiler

SOURCE = "Theorem a : True.\nPrint Assumptions a.\nPrint Assumptions b.\n"
CLOSED = "echo Closed under the global context"


@pytest.fixture
def played(tmp_path, monkeypatch):
    """A folder of programs, the only one."""

    def play(name: str, *lines: str) -> None:
        program = tmp_path / name
        program.write_text("\n".join(["#!/bin/sh", *lines, ""]), "utf-8")
        program.chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path))
    return play


def test_without_a_compiler_it_says_so(played):
    assert compiler() is None
    with pytest.raises(FileNotFoundError, match="apt install coq"):
        compile_source(SOURCE)
    assert "coqc" in ABSENT


@pytest.mark.parametrize(
    ("lines", "accepted"),
    [
        ([CLOSED, CLOSED], True),
        ([CLOSED], False),
        ([CLOSED, "echo Axioms:", "echo a"], False),
        ([CLOSED, CLOSED, "echo Axioms:"], False),
        ([CLOSED, CLOSED, "exit 1"], False),
        (["echo Error: wrong >&2", "exit 1"], False),
    ],
)
def test_every_theorem_must_be_without_axioms(played, lines, accepted):
    played("coqc", *lines)
    assert compile_source(SOURCE).accepted is accepted


def test_a_source_without_theorems_shows_nothing(played):
    played("coqc")
    assert not compile_source("").accepted


def test_the_newer_program_is_found(played):
    played("rocq", '[ "$1" = compile ] || exit 1', CLOSED, CLOSED)
    assert compiler() == ("rocq", "compile")
    assert compile_source(SOURCE).accepted


def test_what_takes_too_long_is_not_accepted(played):
    played("coqc", "while true; do :; done")
    answer = compile_source(SOURCE, seconds=0.2)
    assert not answer.accepted
    assert "not done in 0.2 seconds" in answer.message


def test_nothing_is_left_behind(played, monkeypatch, tmp_path):
    here = tmp_path / "empty"
    here.mkdir()
    monkeypatch.chdir(here)
    played("coqc", CLOSED, CLOSED)
    compile_source(SOURCE)
    assert os.listdir(here) == []
    assert isinstance(here, Path)
