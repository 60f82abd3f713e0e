"""A finished run that is asked for again: the same words, without the work."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lemmata.commands import UNCHANGED
from tests.repository import ROOT
from tests.verify.certificates import STATED
from tests.verify.own_claims import as_before
from verify.core.evidence import Outcome
from verify.runs import engine, finished
from verify.runs.journal import FINISHED, Journal

QUICK = ("--budget", "smoke", "--workers", "1")
OWN = """
from lemmata import Matrix, claim, rank

A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
claim("mine.lemma1", rank(A @ B) <= rank(A), "The rank of $AB$ is at most that of $A$.")
"""
OUTPUTS = ("html=a/report.html", "json=b/run.json", "junit=b/junit.xml", "md=b/run.md")
AGAIN = ("run", *QUICK, "--progress", "--output", ",".join(OUTPUTS))


@pytest.fixture
def runs(monkeypatch, tmp_path, cheap):
    """Finished runs are kept, of methods of which one refutes. Returns how many runs were put
    together since it was last asked."""
    cheap.outcomes["lj22.risk"] = Outcome.REFUTES
    cheap.certificates["lj22.risk"] = STATED["risk"]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    usual, count = engine.gather, 0

    def gather(*words):
        nonlocal count
        count += 1
        return usual(*words)

    def asked() -> int:
        nonlocal count
        count, before = 0, count
        return before

    monkeypatch.setattr("verify.runs.engine.gather", gather)
    with as_before():
        yield asked


def texts(folder: Path) -> dict[Path, str]:
    """The files that runs wrote below a folder."""
    return {p: p.read_text() for name in "ab" for p in (folder / name).rglob("*") if p.is_file()}


def test_what_is_served_is_what_the_run_gave(lemmata, runs, tmp_path, monkeypatch):
    for module in (engine, finished):
        monkeypatch.setattr(module, "now", lambda: "2026-01-02T03:04:05Z")
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: 7.0))
    lemmata(*AGAIN)
    assert runs() == 1
    shutil.rmtree(tmp_path / ".lemmata/journal/finished")
    told, written = lemmata(*AGAIN), texts(tmp_path)
    assert runs() == 1
    shutil.rmtree(tmp_path / "a")
    shutil.rmtree(tmp_path / "b")
    for slow in ("html.annex", "html._body", "json_report.dumps"):
        monkeypatch.setattr(f"reports.{slow}", None)  # what they made is kept as well
    served = lemmata(*AGAIN)
    assert (served.code, served.out, texts(tmp_path)) == (told.code, told.out, written)
    assert UNCHANGED in served.err
    assert UNCHANGED not in told.err + lemmata("run", *QUICK, "--quiet").err
    assert runs() == 0
    assert any(path.parent.name == "certificates" for path in written)


ELSE = (
    ("--fresh",),
    ("-x",),
    ("--lf",),
    ("--seed", "1"),
    ("--budget", "ci"),
    ("--graded",),
    ("lj22.risk",),
    ("-k", "risk"),
    ("--paper", "lj22"),
    ("--known", "other.json"),
    ("--baseline", "other.json"),
    ("--claims", "claims.py"),
    ("--journal", "another"),
)


def test_what_else_is_asked_for_is_put_together(lemmata, runs, tmp_path):
    lemmata("baseline", "other.json", *QUICK, "--journal", "third")
    (tmp_path / "claims.py").write_text(OWN)
    for more in ELSE:
        lemmata("run", *QUICK)
        runs()
        lemmata("run", *QUICK)
        assert runs() == 0, more
        lemmata("run", *QUICK, *more)
        assert runs() == 1, more


def test_how_it_is_done_is_no_matter_and_still_has_to_be_possible(lemmata, runs):
    lemmata("run", *QUICK)
    runs()
    for words in (("--workers", "2"), ("--executor", "dask://127.0.0.1:1"), ("--quiet",)):
        assert lemmata("run", "--budget", "smoke", *words).code == 0
    assert "--workers 0" in lemmata.refused("run", "--budget", "smoke", "--workers", "0")
    assert "--executor" in lemmata.refused("run", "--budget", "smoke", "--executor", "here")
    assert runs() == 0


def test_a_served_run_is_compared_with_its_baseline(lemmata, runs, tmp_path):
    words = ("run", *QUICK, "--baseline", "mine.json")
    lemmata("baseline", "mine.json", *QUICK)
    assert (lemmata(*words).code, runs()) == (0, 2)
    assert (lemmata(*words).code, runs()) == (0, 0)
    data = json.loads((tmp_path / "mine.json").read_text())
    data["claims"]["lj22.gflow"]["verdict"] = "refuted"
    (tmp_path / "mine.json").write_text(json.dumps(data))
    told = lemmata(*words)
    assert (told.code, runs()) == (1, 1)
    failed = tmp_path / ".lemmata/journal/failed.txt"
    failed.unlink()
    again = lemmata(*words)
    assert (again.code, again.out, runs()) == (told.code, told.out, 0)
    assert failed.read_text() == "lj22.gflow\n"


def test_a_served_run_of_ones_own_claims_is_compared_with_theirs(lemmata, runs, tmp_path):
    (tmp_path / "claims.py").write_text(OWN)
    words = (*QUICK, "--claims", "claims.py")
    lemmata("baseline", "mine.json", *words)
    data = json.loads((tmp_path / "mine.json").read_text())
    data["claims"]["theirs.lemma1"] = data["claims"]["mine.lemma1"]
    (tmp_path / "mine.json").write_text(json.dumps(data))
    told = lemmata("run", *words, "--baseline", "mine.json")
    assert "not looked at, of the baseline: theirs" in told.err
    runs()
    again = lemmata("run", *words, "--baseline", "mine.json")
    assert (again.code, again.out, runs()) == (told.code, told.out, 0)
    assert again.err == f"{UNCHANGED}\n{told.err}"
    lemmata("run", *words, "--baseline", "mine.json", "--output", "github")
    assert runs() == 1  # annotations need the claims


def test_what_did_not_finish_is_not_served(lemmata, runs, cheap):
    cheap.broken["lj22.gflow"] = ArithmeticError("gone wrong")
    assert lemmata("run", *QUICK).code == 1
    assert lemmata("run", *QUICK).code == 1
    assert runs() == 2
    cheap.broken["lj22.gflow"] = KeyboardInterrupt()
    assert lemmata("run", *QUICK).code == 2
    assert runs() == 1
    cheap.broken.clear()
    assert lemmata("run", *QUICK).code == 0
    assert lemmata("run", *QUICK).code == 0
    assert runs() == 1


def test_a_control_that_raises_is_asked_again(lemmata, runs, cheap):
    cheap.broken["control.true"] = ArithmeticError("gone wrong")
    assert lemmata("run", *QUICK).code == 1
    cheap.broken.clear()
    assert lemmata("run", *QUICK).code == 0
    assert runs() == 2


def test_an_altered_journal_is_seen_behind_a_finished_run(lemmata, runs, tmp_path):
    lemmata("run", *QUICK)
    records = Journal(tmp_path / ".lemmata/journal").records()
    path = next(p for p in records if b"lj22.gflow" in p.read_bytes() and p.parent.name != FINISHED)
    whole = path.read_text()
    path.write_text(whole.replace("lj22.gflow", "lj22.gflov"))
    assert "corrupt journal record" in lemmata.refused("run", *QUICK)
    path.unlink()
    runs()
    assert (lemmata("run", *QUICK).code, runs()) == (0, 1)
    assert (lemmata("run", *QUICK).code, runs()) == (0, 0)


def test_a_served_run_adds_to_the_history(lemmata, runs, tmp_path):
    words = ("run", *QUICK, "--history", "history.jsonl")
    for _ in range(3):
        assert lemmata(*words).code == 0
    assert runs() == 1
    rows = [json.loads(row) for row in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert len(rows) == 3


def test_a_served_run_loads_little(lemmata, runs, tmp_path):
    """In a process of its own: neither torch nor SymPy, nor the papers."""
    words = ("run", "lj22.risk", *QUICK, "--output", "json=run.json,junit=junit.xml,md=run.md")
    told = lemmata(*words)
    shipped = str(tmp_path / "claims.lock.json")
    script = (
        "import sys\nfrom pathlib import Path\nfrom lemmata.main import main\n"
        f"import verify.runs.baseline as b\nb.SHIPPED = Path({shipped!r})\n"
        f"code = main({list(words)!r})\n"
        "heavy = ('torch', 'sympy', 'numpy', 'verify.runs.engine', 'verify.papers.lj22')\n"
        "print(code, [name for name in heavy if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{told.out}{told.code} []\n"


def changes_shown(folder: Path) -> str:
    """What the report says of changes."""
    text = (folder / "a/report.html").read_text()
    return text.partition('<section id="changes"')[2].partition("</section>")[0]


def test_pages_tell_of_a_baseline_that_changed(lemmata, runs, tmp_path):
    """What is kept of pages is of one record, whatever the run that it was of."""
    lemmata("baseline", "mine.json", *QUICK)
    words = (*AGAIN, "--baseline", "mine.json")
    lemmata(*words)
    assert json.loads((tmp_path / "b/run.json").read_text())["changes"]["claims"] == []
    data = json.loads((tmp_path / "mine.json").read_text())
    data["claims"]["lj22.gflow"]["verdict"] = "refuted"
    (tmp_path / "mine.json").write_text(json.dumps(data))
    before = changes_shown(tmp_path)
    lemmata(*words)
    (change,) = json.loads((tmp_path / "b/run.json").read_text())["changes"]["claims"]
    assert change["id"] == "lj22.gflow"
    assert "lj22.gflow" in changes_shown(tmp_path)
    assert "lj22.gflow" not in before
