"""Claims as tests: one item a statement, which fails when it should."""

import subprocess
import sys
from importlib import import_module
from importlib.metadata import entry_points

import pytest

from lemmata.main import main
from tests.repository import ROOT
from tests.verify.own_claims import as_before
from tests.verify.runs.cheap_methods import CheapMethods, install
from verify.core.evidence import Outcome

pytest_plugins = "pytester"

INSTALLED = any(point.name == "lemmata" for point in entry_points(group="pytest11"))
PLUGIN = () if INSTALLED else ("-p", "lemmata.pytest_plugin")
QUICK = ("--lemmata", "--lemmata-budget", "smoke")
LOADED = [  # here, as pytester forgets what is loaded first in a run of its own
    import_module(name)
    for name in (
        *("lemmata.commands", "lemmata.pytest_plugin", "reports.text", "reports.troubles"),
        *("verify.runs.engine", "verify.runs.own_claims", "verify.runs.selection"),
    )
]
CLAIMS = """
from lemmata import Matrix, claim, rank
A = Matrix("A", "m", "n")
claim("mine.a", rank(A) >= 0)
claim("mine.b", rank(A) > 0)
claim("mine.b.fix", rank(A) >= 0, repairs="mine.b")
claim("mine.c", rank(A) >= 1)
"""


@pytest.fixture
def cheap(monkeypatch) -> CheapMethods:
    """Cheap methods, and no claims of one's own afterwards."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.setattr("verify.runs.engine._afterwards", lambda false, settings: {})
    with as_before():
        yield install(monkeypatch)


@pytest.fixture
def ran(pytester, cheap):
    """pytest in a folder with claims, whose runs take one process and keep nothing."""
    pytester.makepyprojecttoml("[tool.lemmata]\nworkers = 1\n")
    pytester.makepyfile(claims=CLAIMS)

    def run(*words: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(*PLUGIN, "-p", "no:cacheprovider", *words)

    return run


def test_each_statement_is_an_item_with_its_place(ran):
    lines = ran(*QUICK, "--collect-only", "-q", "claims.py").outlines
    assert lines[:3] == ["claims.py::mine.a", "claims.py::mine.b", "claims.py::mine.c"]


def test_without_a_baseline_what_is_false_fails_and_what_is_open_is_skipped(ran, cheap):
    cheap.outcomes |= {"mine.b": Outcome.REFUTES, "mine.c": Outcome.INCONCLUSIVE}
    result = ran(*QUICK, "-rs", "claims.py")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["mine.b: false as printed*", "  mine.b: refuted: *"])
    result.stdout.fnmatch_lines(["SKIPPED *: mine.c: open*"])
    assert not any("Traceback" in line for line in result.outlines)
    checked = {name for name, _ in cheap.forget()}
    assert {"mine.a", "mine.b", "mine.b.fix", "mine.c"} <= checked


def test_what_is_not_selected_is_not_checked(ran, cheap):
    ran(*QUICK, "claims.py", "-k", "mine.b").assert_outcomes(passed=1, deselected=2)
    own = {name for name, _ in cheap.forget() if name.startswith("mine")}
    assert own == {"mine.b", "mine.b.fix"}


def test_with_a_baseline_what_differs_fails_in_either_direction(ran, cheap, pytester):
    from lemmata.main import main

    cheap.outcomes["mine.b"] = Outcome.REFUTES
    words = ("--budget", "smoke", "--fresh", "--journal", "other")
    assert main(["baseline", "--claims", "claims.py", "own.json", *words]) == 0
    compare = (*QUICK, "--lemmata-baseline", "own.json", "claims.py")
    ran(*compare).assert_outcomes(passed=3)
    cheap.outcomes["mine.b"] = Outcome.SUPPORTS
    result = ran(*compare)
    assert result.ret == 0  # the journal knows it
    pytester.makepyprojecttoml('[tool.lemmata]\nworkers = 1\njournal = "fresh"\n')
    result = ran(*compare)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["mine.b: false as printed → nothing against it"])
    pytester.makepyfile(claims=CLAIMS.replace('claim("mine.c", rank(A) >= 1)', ""))
    result = ran(*compare)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["mine.c: nothing against it → gone"])


def test_a_void_run_and_a_check_that_broke_are_never_green(ran, cheap, pytester):
    cheap.broken["mine.a"] = ValueError("no luck")
    ran(*QUICK, "claims.py").assert_outcomes(passed=2, failed=1)
    cheap.broken.clear()
    cheap.outcomes["control.true"] = Outcome.REFUTES
    pytester.makepyprojecttoml('[tool.lemmata]\nworkers = 1\njournal = "fresh"\n')
    result = ran(*QUICK, "claims.py")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["control.true: expected *, observed refuted"])


def test_nothing_selected_is_not_green(ran):
    assert ran(*QUICK, "claims.py", "-k", "zz99").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_file_that_is_wrong_and_a_wrong_option_are_one_line(ran, pytester):
    pytester.makepyfile(claims="from lemmata import claim, rank\nclaim('a.b', rank(1))\n")
    result = ran(*QUICK, "claims.py")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*claims.py, line 2: rank(int): it takes (mat)"])
    assert ran("--lemmata", "--lemmata-budget", "big").ret == pytest.ExitCode.USAGE_ERROR
    pytester.makepyprojecttoml("[tool.lemmata]\nbugdet = 'ci'\n")
    result = ran("--lemmata", "claims.py")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*did you mean 'budget'?*"])


def test_tests_stay_tests(ran, pytester):
    pytester.makepyfile(test_both=CLAIMS.replace("mine", "both") + "\ndef test_it(): pass\n")
    lines = ran(*QUICK, "--collect-only", "-q").outlines
    assert "test_both.py::test_it" in lines
    assert "test_both.py::both.a" in lines
    assert ran("--collect-only", "-q").outlines[0] == "test_both.py::test_it"


def test_without_its_option_nothing_heavy_is_loaded():
    code = (
        f"import sys, pytest; pytest.main([*{PLUGIN}, '-q', '--collect-only', 'LICENSE']);"
        "assert 'lemmata.pytest_plugin' in sys.modules;"
        "assert not {'torch', 'sympy', 'verify', 'reports'} & set(sys.modules)"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_part_of_a_file_is_no_run_of_everything(ran, pytester, cheap):
    words = ("--claims", "claims.py", "known.lock.json", "--budget", "smoke", "--workers", "1")
    assert main(["baseline", *words]) == 0
    found = ran(*QUICK, "--lemmata-baseline", "known.lock.json", "claims.py::mine.a")
    found.assert_outcomes(passed=1)


def test_a_package_is_collected_as_one(pytester, cheap):
    folder = pytester.mkpydir("several")
    (folder / "more.py").write_text(CLAIMS)
    states = 'from lemmata import paper\npaper("mine", "A paper")\nfrom several import more\n'
    (folder / "__init__.py").write_text(states)
    words = (*PLUGIN, "-p", "no:cacheprovider", *QUICK, "--collect-only", "-q", "several")
    lines = pytester.runpytest_inprocess(*words).outlines
    stated = [line for line in lines if "::mine." in line]
    assert stated == [f"several/__init__.py::mine.{name}" for name in "abc"]
