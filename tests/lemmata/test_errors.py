"""From what goes wrong to an exit code and a line on stderr."""

import errno
import os
import subprocess
import sys

import pytest

from graphs.errors import NetworkError
from lemmata import errors
from lemmata.errors import UsageError, user_errors
from reports.json_report import RecordError
from tests.repository import ROOT
from verify.cases.tensors import CaseError
from verify.core.budgets import UnknownBudgetError
from verify.papers.registry import UnknownClaimError
from verify.runs.baseline import BaselineError, VoidRunError
from verify.runs.journal import JournalError
from verify.runs.selection import NothingSelectedError

CODES = {
    UsageError: 4,
    NetworkError: 4,
    CaseError: 4,
    UnknownClaimError: 4,
    UnknownBudgetError: 4,
    JournalError: 4,
    BaselineError: 4,
    RecordError: 4,
    PermissionError: 4,
    VoidRunError: 1,
    NothingSelectedError: 5,
}


def test_the_codes_are_those_of_the_help():
    assert errors.FINE == 0
    assert errors.DIFFERS == 1
    assert errors.INTERRUPTED == 2
    assert errors.INTERNAL == 3
    assert errors.USAGE == 4
    assert errors.NOTHING == 5


def test_nothing_wrong_is_fine(capsys):
    with user_errors() as outcome:
        pass
    assert outcome.code == 0
    with user_errors() as outcome:
        outcome.code = 1  # what a command answered stays
    assert outcome.code == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("kind", CODES, ids=lambda kind: kind.__name__)
def test_what_the_user_can_mend_is_one_line(capsys, kind):
    with user_errors() as outcome:
        raise kind("--this value: try that")
    assert outcome.code == CODES[kind]
    assert capsys.readouterr() == ("", "lemmata: --this value: try that\n")


def test_a_file_that_cannot_be_opened_is_named(capsys, tmp_path):
    with user_errors() as outcome:
        (tmp_path / "none.json").read_text()
    assert outcome.code == 4
    err = capsys.readouterr().err
    assert (
        err == f"lemmata: {tmp_path / 'none.json'}: No such file or directory: check the path "
        "and its permissions\n"
    )


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_no_wrong_usage_and_names_the_file(capsys, number):
    with user_errors() as outcome:
        raise OSError(number, os.strerror(number), "build/report.html")
    assert outcome.code == 3
    err = capsys.readouterr().err
    assert err.startswith(f"lemmata: build/report.html: {os.strerror(number)}: make room and run")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("kind", [RuntimeError, KeyError, AssertionError, ValueError, MemoryError])
def test_anything_else_is_ours_and_shows_where_it_was(capsys, kind):
    with user_errors() as outcome:
        raise kind("impossible")
    assert outcome.code == 3
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "test_errors.py" in err
    assert "impossible" in err
    assert err.endswith("lemmata: internal error, see above: please report it\n")


def test_an_interrupt_says_how_to_go_on(capsys):
    with user_errors() as outcome:
        raise KeyboardInterrupt
    assert outcome.code == 2
    err = capsys.readouterr().err
    assert "interrupted" in err
    assert "run again to go on" in err
    assert "Traceback" not in err


def test_a_request_to_exit_is_not_swallowed():
    with pytest.raises(SystemExit), user_errors():
        raise SystemExit(0)


# interrupts ------------------------------------------------------------------------------------
def test_the_journal_is_told_of_where_there_is_one(capsys):
    with user_errors():
        raise KeyboardInterrupt
    assert "what has finished is in the journal" in capsys.readouterr().err
    with user_errors(journal=False) as outcome:
        raise KeyboardInterrupt
    assert (outcome.code, capsys.readouterr().err) == (2, "interrupted\n")


def test_an_interrupt_inside_of_exec_has_its_exit_code_too(tmp_path):
    (tmp_path / "interrupted.py").write_text(
        "import sys\n"
        "from lemmata.errors import user_errors\n"
        "with user_errors() as outcome:\n"
        "    exec('raise KeyboardInterrupt')\n"
        "sys.exit(outcome.code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done
    assert done.stderr.startswith("interrupted: ")
