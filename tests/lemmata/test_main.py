"""The command line as a whole: every exit code, what goes to stdout and what to stderr."""

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from lemmata import __version__
from lemmata.commands import COMMANDS
from lemmata.main import main
from reports import json_report
from tests.lemmata.command_line import started
from tests.verify.certificates import STATED
from verify.core.evidence import Outcome
from verify.methods import pointwise
from verify.runs.baseline import OF_CLAIMS
from verify.runs.conclusions import concluded

QUICK = ("--budget", "smoke", "--workers", "1")


# 0 and 1 -----------------------------------------------------------------------------------------
def test_a_run_that_found_things_is_fine_without_a_baseline(lemmata, cheap, tmp_path):
    cheap.outcomes["lj22.risk"] = Outcome.REFUTES
    called = lemmata("run", "lj22.risk", "lj22.gflow", *QUICK)
    assert called.code == 0
    assert "refuted" in called.out
    assert "lj22.gflow" in called.out
    assert (tmp_path / ".lemmata/journal").is_dir()


def test_a_run_as_the_baseline_says_is_fine(lemmata, cheap):
    assert lemmata("baseline", *QUICK).code == 0
    for words in ((), ("--paper", "lj22"), ("lj22.risk",)):
        called = lemmata("run", *words, "--baseline", "claims.lock.json", *QUICK)
        assert called.code == 0, called
        assert "Against the baseline: nothing changed." in called.out


@pytest.mark.parametrize("outcome", [Outcome.REFUTES, Outcome.PROVES, Outcome.ERROR], ids=str)
def test_a_run_that_differs_in_either_direction_is_1(lemmata, cheap, outcome):
    lemmata("baseline", *QUICK)
    cheap.outcomes["lj22.gflow"] = outcome
    called = lemmata("run", "lj22.gflow", "--baseline", "claims.lock.json", "--fresh", *QUICK)
    assert called.code == 1
    assert re.search(r"Against the baseline: \d changes?\.", called.out)
    assert re.search(r"lj22\.gflow: supported → \w+", called.out)


def edited(path, change):
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def test_a_claim_that_is_new_or_gone_differs(lemmata, cheap, tmp_path):
    lemmata("baseline", *QUICK)
    path = tmp_path / "claims.lock.json"
    whole = path.read_text()
    edited(path, lambda data: data["claims"].pop("lj22.gflow"))
    called = lemmata("run", "lj22.gflow", "--baseline", path, *QUICK)
    assert called.code == 1
    assert "lj22.gflow: not in the baseline → supported" in called.out
    path.write_text(whole)
    old = dict.fromkeys(OF_CLAIMS, "") | {"verdict": "proved", "grade": None, "power": None}
    edited(path, lambda data: data["claims"].update({"lj22.old": old}))
    called = lemmata("run", "--baseline", path, *QUICK)
    assert called.code == 1
    assert "lj22.old: proved → gone" in called.out
    assert lemmata("run", "--paper", "lj22", "--baseline", path, *QUICK).code == 1
    assert lemmata("run", "lj22.gflow", "--baseline", path, *QUICK).code == 0  # only a part


def test_a_void_run_is_1_and_says_so(lemmata, cheap):
    cheap.outcomes["control.planted.lj22"] = Outcome.SUPPORTS
    called = lemmata("run", "lj22.gflow", "--output", "html=r.html,json=r.json", *QUICK)
    assert called.code == 1
    assert called.out.startswith("THIS RUN IS VOID: control.planted.lj22: expected refuted")
    assert "control.planted.lj22" in Path("r.html").read_text(encoding="utf-8")
    record = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert record["run"]["void"] is True


def test_a_void_run_gives_no_baseline(lemmata, cheap, tmp_path):
    cheap.outcomes["control.true"] = Outcome.REFUTES
    called = lemmata("baseline", *QUICK)
    assert called.code == 1
    assert "control.true: expected proved on scope" in called.err
    assert "no baseline written to claims.lock.json" in called.err
    assert not (tmp_path / "claims.lock.json").exists()


# 2 -----------------------------------------------------------------------------------------------
def test_an_interrupted_run_is_2_and_the_next_goes_on(lemmata, cheap):
    cheap.broken["lj22.pullback"] = KeyboardInterrupt()
    outputs = ("--output", "json=r.json,html=r.html")
    called = lemmata("run", "lj22.risk", "lj22.pullback", *outputs, *QUICK)
    assert called.code == 2
    assert called.out.startswith("STOPPED with ")
    assert called.err.splitlines()[-1].startswith("interrupted: ")
    record = json_report.load("r.json")  # holds it against its schema
    assert [claim["id"] for claim in record["claims"]] == ["lj22.risk", "lj22.risk.fix"]
    assert record["claims"][0]["not_run"]
    assert record["run"]["left"] > 0
    assert record["run"]["void"] is False
    assert "lj22.risk" in Path("r.html").read_text(encoding="utf-8")
    first = set(cheap.forget())
    cheap.broken.clear()
    assert lemmata("run", "lj22.risk", "lj22.pullback", *QUICK).code == 0
    second = set(cheap.forget())
    assert {task for task in first & second if task[0] != "lj22.pullback"} == set()
    assert {name for name, _ in second} >= {"lj22.pullback", "control.true"}


def test_an_interrupt_that_python_dropped_stops_the_run_after_the_task(lemmata, cheap):
    def swallow(claim):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        except KeyboardInterrupt:
            return ValueError("as if a hook of the garbage collector had dropped it")

    class Dropping(dict):
        def __contains__(self, name):
            return name == "lj22.pullback"

        def __getitem__(self, name):
            return swallow(name)

    cheap.broken = Dropping()
    called = lemmata("run", "lj22.pullback", "--quiet", *QUICK)
    assert called.code == 2
    assert len(cheap.performed) == 1


@pytest.fixture(autouse=True)
def signals_are_not_ignored():
    """As hangups are under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def at_work(journal: Path, workers: int):
    """A run with hours before it, of which something is finished."""
    words = ["run", "lj22.pullback", "lj22.lemma2a", "--budget", "full"]  # one is soon proved
    process = started([*words, "--workers", workers, "--journal", journal])
    deadline = time.monotonic() + 600
    while process.poll() is None and not list(journal.rglob("*.json")):
        assert time.monotonic() < deadline, "nothing was finished"
        time.sleep(0.02)
    return process


def test_a_real_interrupt(tmp_path):
    process = at_work(tmp_path / "journal", 2)
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2, err
    assert out == "" or out.startswith("STOPPED with ")  # "": of no claim anything was known
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("interrupted: ")


@pytest.mark.parametrize(("workers", "number"), [(1, signal.SIGHUP), (2, signal.SIGTERM)])
def test_whoever_ends_the_run_ends_its_workers(tmp_path, workers, number):
    process = at_work(tmp_path / "journal", workers)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)  # returns when nobody holds the pipes any more
    assert process.returncode == 2, err
    assert out == "" or out.startswith("STOPPED with ")  # "": of no claim anything was known
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("interrupted: ")


def test_workers_end_with_a_run_that_is_killed(tmp_path):
    process = at_work(tmp_path / "journal", 2)
    process.kill()
    _, err = process.communicate(timeout=60)  # likewise
    assert process.returncode == -signal.SIGKILL
    assert "Traceback" not in err


def test_an_interrupted_baseline_is_not_written(lemmata, cheap, tmp_path):
    cheap.broken["lj22.pullback"] = KeyboardInterrupt()
    called = lemmata("baseline", *QUICK)
    assert (called.code, called.out) == (2, "")
    assert not (tmp_path / "claims.lock.json").exists()


# -x and --lf -------------------------------------------------------------------------------------
def test_a_run_stops_at_the_first_failure_and_goes_on_with_what_failed(lemmata, cheap):
    lemmata("baseline", *QUICK)
    cheap.outcomes["lj22.lemma3@A"] = Outcome.ERROR
    words = ("run", "--baseline", "claims.lock.json", "--fresh", *QUICK)
    whole = len(cheap.forget())
    called = lemmata(*words, "-x")
    assert called.code == 1
    assert "1 check broke:" in called.out
    assert called.out.startswith("STOPPED with ")
    assert cheap.performed[-1][0] == "lj22.lemma3@A"
    assert len(cheap.forget()) < whole
    assert lemmata(*words, "--lf").code == 1
    assert {name for name, _ in cheap.forget() if "control" not in name} == {"lj22.lemma3@A"}
    cheap.outcomes.clear()
    assert lemmata(*words, "--lf").code == 0
    cheap.forget()
    called = lemmata(*words, "--lf", "-x")
    assert (called.code, called.err) == (0, "none of these failed last time: all are looked at\n")
    assert "lj22.risk" in {name for name, _ in cheap.forget()}


def test_a_contradiction_of_the_baseline_stops_a_run(lemmata, cheap):
    lemmata("baseline", *QUICK)
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    called = lemmata("run", "--baseline", "claims.lock.json", "--fresh", "-x", *QUICK)
    assert called.code == 1
    assert "lj22.gflow: supported → " in called.out
    assert called.out.startswith("STOPPED with ")
    assert lemmata("run", "--fresh", "-x", *QUICK).code == 0  # without one nothing speaks against


# 3 -----------------------------------------------------------------------------------------------
def test_a_bug_of_ours_is_3(lemmata, monkeypatch):
    def broken(options):
        raise RuntimeError("impossible")

    monkeypatch.setitem(COMMANDS, "list", broken)
    called = lemmata("list")
    assert called.code == 3
    assert called.out == ""
    assert "RuntimeError: impossible" in called.err
    assert "please report it" in called.err


# 4 -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "COMMAND"),
        (["nonsense"], "'nonsense'"),
        (["run", "--nonsense"], "--nonsense"),
        (["lst"], "no command 'lst': did you mean list?"),
        (["run", "--seed", "x"], "'x'"),
        (["run", "--seed", "-1"], "'-1' is no seed, give 0 or a larger whole number"),
        (["laws", "net.json", "--seed=-1"], "'-1' is no seed"),
        (["curvature", "net.json", "--at", "1", "--seed", "1.5"], "'1.5' is no seed"),
        (["show"], "id"),
        (["derive", "net.json", "--format", "word"], "'word'"),
        (["derive", "net.json", "--at", "1", "--slopes", "h=1"], "--at"),
        (["repro"], "certificate"),
        (["report"], "record"),
        (["derive", "net.json", "--at=--"], "--at=--: give a value"),
        (["run", "-k--"], "-k--: give a value"),
        (["journal", "--journal=--"], "--journal=--: give a value"),
    ],
)
def test_words_that_do_not_parse_are_4(lemmata, words, told):
    called = lemmata(*words)
    assert called.code == 4
    assert called.out == ""
    assert called.err.startswith("usage: lemmata")
    assert told in called.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "lj22.lema2a"], "no claim 'lj22.lema2a': did you mean lj22.lemma2a"),
        (["run", "%%"], "no claim '%%': `lemmata list` shows all ids"),
        (["run", "lj22.def1", "--budget", "big"], "unknown budget 'big': use one of smoke, ci"),
        (["run", "lj22.def1", "--workers", "0"], "--workers 0: give at least 1"),
        (["run", "lj22.def1", "--workers", "-3"], "--workers -3: give at least 1"),
        (["run", "lj22.def1", "--workers", "99999"], "--workers 99999: give at least 1, and at"),
        (["journal", "clean", "--days", "9" * 400], "give 0 or more, up to 100000"),
        (
            ["run", "lj22.def1", "--device", "abacus"],
            "--device abacus: not available here, use cpu",
        ),
        (["run", "lj22.def1", "--output", "pdf=x"], "--output 'pdf=x': use html=FILE, json=FILE"),
        (["run", "lj22.def1", "--baseline", "none.json"], "no baseline at none.json: write one"),
        (["baseline", "--budget", "big"], "unknown budget 'big'"),
        (["show", "lj22.lema2a"], "no claim 'lj22.lema2a': did you mean lj22.lemma2a"),
        (["derive", "none.json"], "none.json: No such file or directory: check the path"),
        (["repro", "none.json"], "no certificate none.json: `lemmata run --output json=FILE`"),
        (["report", "none.json"], "none.json: No such file or directory: check the path"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_arguments_that_cannot_be_used_are_4_with_name_value_and_remedy(lemmata, words, told):
    assert told in lemmata.refused(*words)


def test_what_cannot_be_used_is_refused_before_the_work(lemmata, cheap):
    for words in (["--output", "pdf=x"], ["--baseline", "none"], ["--workers", "0"]):
        lemmata.refused("run", "lj22.gflow", *words, "--budget", "smoke")
    assert cheap.performed == []


def test_a_corrupt_journal_is_4_and_fresh_helps(lemmata, cheap, tmp_path):
    lemmata("run", "lj22.gflow", *QUICK)
    path = min((tmp_path / ".lemmata/journal").rglob("*.json"))
    path.write_text("")
    message = lemmata.refused("run", "lj22.gflow", *QUICK)
    assert path.name in message
    assert "Delete that file" in message
    assert path.read_text() == ""
    assert lemmata("run", "lj22.gflow", "--fresh", *QUICK).code == 0
    assert lemmata("run", "lj22.gflow", *QUICK).code == 0


# 5 -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "--paper", "zz99"], "no claim matches paper 'zz99'"),
        (["run", "-k", "zz99"], "no claim matches keyword 'zz99'"),
        (["run", "lj22.risk", "-k", "zz99"], "no claim matches 'lj22.risk' and keyword 'zz99'"),
        (["list", "--paper", "zz99"], "no statement matches paper 'zz99'"),
        (["list", "--claims", "-k", "zz99"], "no claim matches keyword 'zz99'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_selection_of_nothing_is_5(lemmata, words, told):
    assert told in lemmata.refused(*words, code=5)


# stdout, stderr, help ----------------------------------------------------------------------------
def test_findings_are_on_stdout_and_progress_on_stderr(lemmata, cheap):
    noisy = lemmata("run", "lj22.gflow", "--output", "json=r.json", "--progress", *QUICK)
    assert "lj22.gflow: supported" in noisy.out
    assert re.search(r"^(\d+) of \1 tasks, \d+ s$", noisy.err, re.MULTILINE)
    assert noisy.err.splitlines()[-1].startswith("json: ")  # where the report is comes last
    assert " tasks" not in noisy.out
    quiet = lemmata("run", "lj22.gflow", "--fresh", *QUICK)  # stderr is no terminal
    assert quiet.err == ""
    assert quiet.out == noisy.out


def test_no_colour_and_no_control_characters_where_nobody_looks(lemmata, cheap):
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    called = lemmata("run", "lj22.gflow", *QUICK)
    assert "\x1b" not in called.out + called.err
    assert "\r" not in called.out + called.err


@pytest.mark.parametrize("words", [["--help"], *([name, "--help"] for name in COMMANDS)], ids=str)
def test_help_is_no_error(lemmata, words):
    called = lemmata(*words)
    assert called.code == 0
    assert called.err == ""
    assert called.out.startswith(f"usage: lemmata {words[0] if len(words) > 1 else ''}".strip())


def test_help_names_every_command_and_exit_code(lemmata):
    words = " ".join(lemmata("--help").out.split())
    assert [name for name in COMMANDS if f" {name} " not in words] == []
    assert "exit codes: 0 as expected, 1 findings differ" in words
    assert "2 interrupted, 3 internal error, 4 usage, 5 nothing selected" in words


def test_version(lemmata):
    called = lemmata("--version")
    assert (called.code, called.out, called.err) == (0, f"lemmata {__version__}\n", "")


def test_the_words_typed_are_recorded(lemmata, cheap, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["pytest", "something", "else"])
    lemmata("run", "lj22.gflow", "--output", "json=a file.json", *QUICK)
    record = json.loads(Path("a file.json").read_text(encoding="utf-8"))
    assert record["run"]["command"] == (
        "lemmata run lj22.gflow --output 'json=a file.json' --budget smoke --workers 1"
    )


def test_without_words_it_takes_those_of_the_process(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["lemmata", "show", "lj22.gflow"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("lj22.gflow: ")


# the same as a process -------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "code"),
    [(["--version"], 0), (["list", "-k", "zz99"], 5), (["show"], 4)],
)
def test_the_exit_code_reaches_the_shell(words, code):
    process = started(words)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert bool(out) is (code == 0)
    assert bool(err) is (code != 0)


def test_certificates_answer_the_shell(tmp_path):
    (tmp_path / "risk.json").write_text(json.dumps(STATED["risk"]))
    process = started(["repro", tmp_path / "risk.json"])
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("accepted: counterexample to the registered statement lj22.risk")


@pytest.mark.parametrize("words", [["list", "--claims"], ["list", "-k", "layer"]], ids=str)
def test_a_reader_that_goes_away_is_no_error(words):  # whether it is written at once or at the end
    process = started(words)
    process.stdout.close()  # as `head` does when it has enough
    err = process.stderr.read()
    process.wait(timeout=60)
    assert err == ""
    assert process.returncode == 2


@pytest.mark.parametrize("interrupts", [1, 2])
def test_an_interrupt_after_the_last_task_waits_for_the_reports(
    lemmata, cheap, monkeypatch, interrupts
):
    """A second one ends the run; either way the next run finds every task done."""

    def told(*given):
        for _ in range(interrupts):
            os.kill(os.getpid(), signal.SIGINT)
        return concluded(*given)

    with monkeypatch.context() as patched:
        patched.setattr("verify.runs.engine.concluded", told)
        called = lemmata("run", "lj22.risk", "--output", "json=r.json", *QUICK)
    assert called.code == (0 if interrupts == 1 else 2)
    assert Path("r.json").exists() is (interrupts == 1)
    assert cheap.forget()
    assert lemmata("run", "lj22.risk", *QUICK).code == 0
    assert not cheap.forget()


def test_a_broken_check_is_no_success(monkeypatch, tmp_path, capsys):
    """A check that raises gives the verdict error, and the run does not exit with 0."""

    def breaks(claim, context):
        raise RuntimeError("planted")

    monkeypatch.setattr(pointwise, "pointwise", breaks)
    monkeypatch.setattr("verify.runs.engine.CONTROLS", {})  # so the run is not void
    chosen = ["run", "lj22.pullback", "--budget", "smoke", "--workers", "1", "--quiet"]
    assert main([*chosen, "--journal", str(tmp_path)]) == 1
    assert "planted" in capsys.readouterr().out


def test_a_report_that_cannot_be_written_is_refused_before_the_run(lemmata, tmp_path):
    (tmp_path / "taken").write_text("a file, not a folder")
    for place in (tmp_path / "taken" / "report.html", tmp_path):
        message = lemmata.refused("run", "lj22.gflow", "--output", f"html={place}", *QUICK)
        assert str(place) in message
        assert "choose another file" in message
