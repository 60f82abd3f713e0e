"""The command `journal`."""

import os

from reports import json_report
from tests.reports.sample_run import sample
from verify.runs.journal import Journal

QUICK = ("lj22.gflow", "--budget", "smoke", "--workers", "1")


def test_a_journal_is_told_and_cleaned_of_its_own_files_alone(lemmata, cheap, tmp_path):
    lemmata("run", *QUICK)
    folder = tmp_path / ".lemmata/journal"
    own = folder / "00" / "notes.json"
    own.parent.mkdir(exist_ok=True)
    own.write_text("not a record")
    (folder / "parts").mkdir()
    (folder / "parts" / f"{'0' * 64}.npz").write_bytes(b"arrays")
    kept = Journal(folder)
    count = len(kept.records())
    assert count > 10
    assert lemmata("journal").out.startswith(f"{count} records, ")
    for path in kept.records():
        os.utime(path, (0, 0))
    lemmata("run", *QUICK)  # which uses the records, and no arrays
    assert lemmata("journal", "clean", "--days", "1").out.startswith("1 records deleted, ")
    assert lemmata("journal", "clean").out.startswith(f"{count - 1} records deleted, ")
    assert kept.records() == []
    assert own.read_text() == "not a record"
    cheap.forget()
    lemmata("run", *QUICK)
    assert cheap.performed


def test_a_journal_that_is_not_there_is_empty(lemmata):
    assert lemmata("journal", "clean", "--journal", "none").out == "0 records deleted, 0.0 MB\n"
    assert "--days -1: give 0 or more" in lemmata.refused("journal", "clean", "--days=-1")


def test_a_report_of_one_paper(lemmata):
    json_report.dump(sample(), "r.json")
    both = lemmata("report", "r.json").out
    told = lemmata("report", "r.json", "--paper", "lj22", "--output", "json=one.json")
    assert told.code == 0
    assert "j23" in both
    assert "j23" not in told.out
    assert "(lj22)" in told.out
    assert "--paper lj23: the run is about lj22, j23" in lemmata.refused(
        "report", "r.json", "--paper", "lj23"
    )
