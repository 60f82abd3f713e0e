"""What the benchmark would see: faults of a store, and runs that end or are ended."""

import random
import signal
import subprocess
import time

import pytest

from benchmarks import killed_runs
from benchmarks.killed_runs import Fork, altered, killed_keeps, killed_writes, looked_at
from verify.core.evidence import Evidence, Outcome
from verify.runs.journal import Journal

KEYS = [f"{number:02x}" + "0" * 62 for number in range(3)]


def journal(folder) -> Journal:
    made = Journal(folder)
    for key in KEYS:
        made.put(key, Evidence("search", Outcome.SUPPORTS, "no violation."))
    return made


def test_faults_of_a_store_are_seen(tmp_path):
    made, kept = journal(tmp_path), {}
    assert not looked_at(made, kept)
    assert sorted(kept) == KEYS
    made.put(KEYS[0], None)
    assert looked_at(made, kept) == {"a record was changed": 1}
    made.records()[1].unlink()
    assert looked_at(made, dict(kept)) == {"a record was lost": 1}
    made.records()[1].write_text("{")
    assert looked_at(made, {}) == {"a record is torn": 1}


def test_what_is_altered_is_another(tmp_path):
    made, draw, told = journal(tmp_path), random.Random(1), set()
    for _ in range(30):
        journal(tmp_path)
        before = {path: path.read_bytes() for path in made.records()}
        told.add(altered(tmp_path, draw).partition(",")[0])
        after = {path: path.read_bytes() for path in made.records()}
        assert len(before.items() - after.items()) == 1
    assert told == {"one bit is another", "it is cut", "it is gone"}


def test_a_fork_ends_by_itself_or_is_ended():
    assert Fork(lambda: 3).wait() == 3
    sleeping = Fork(lambda: time.sleep(60) or 0)
    with pytest.raises(subprocess.TimeoutExpired):
        sleeping.wait(0.01)
    assert sleeping.poll() is None
    sleeping.send_signal(signal.SIGKILL)
    assert sleeping.wait() == -signal.SIGKILL


def test_killed_writers_leave_no_fault(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    draw = random.Random(2)
    assert not killed_writes(tmp_path / "writes", 3, draw)
    assert not killed_keeps(tmp_path / "keeps", 1, draw)
    monkeypatch.setattr(killed_runs.Finished, "record", lambda *_: {"text": "1", "count": 1})
    assert killed_keeps(tmp_path / "more", 1, draw)
