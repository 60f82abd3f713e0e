"""Finished runs: what is kept is served as it was, and only where nothing at all has changed."""

import errno
import json
import os
import zlib
from base64 import b64decode, b64encode
from dataclasses import replace
from pathlib import Path

import pytest

from verify.core.evidence import Evidence, Outcome
from verify.runs import finished
from verify.runs.finished import Finished, stands_alone
from verify.runs.journal import Journal

KEYS = ("ab" + "0" * 62, "cd" + "1" * 62)
OTHER = "ef" + "2" * 62
PIECE = Evidence("search", Outcome.SUPPORTS, "no violation.")
ASKED = {"ids": ["lj22.risk"], "budget": "smoke", "seed": 0}
KNOWN = {"claims": {"lj22.risk": {"verdict": "refuted"}}}
LONG_AGO = "2020-02-03T04:05:06Z"
RUN = {
    "id": f"{LONG_AGO}-smoke-0",
    "started": LONG_AGO,
    "seconds": 77.5,
    "command": "lemmata run",
    "budget": "smoke",
}
RECORD = {"format": "lemmata-run", "run": RUN, "claims": [{"id": "lj22.risk", "é": [1e-30, None]}]}


@pytest.fixture(autouse=True)
def house(tmp_path, monkeypatch) -> Path:
    """A secret, and a house of two files in place of the real one."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "house"
    for name in ("verify/core/a.py", "lemmata/b.py"):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(f"x = {name!r}\n")
    monkeypatch.setattr(finished, "ROOT", root)
    return root


@pytest.fixture
def journal(tmp_path) -> Journal:
    made = Journal(tmp_path / "journal")
    for key in KEYS:
        made.put(key, PIECE)
    return made


def past(journal: Journal, asked=ASKED, files=(), known=KNOWN) -> Finished:
    found = Finished.of(journal, asked, files, known)
    assert found is not None
    return found


def served(journal: Journal) -> bool:
    return past(journal).record("again") is not None


@pytest.fixture
def file(journal) -> Path:
    """Where the record lies, which is served as yet."""
    past(journal).keep(RECORD, KEYS)
    assert served(journal)
    (path,) = (journal.folder / "finished").iterdir()
    return path


def test_what_is_kept_is_served_as_of_now(journal, file):
    found = past(journal).record("lemmata run again")
    assert found is not None
    run = found["run"]
    assert run["command"] == "lemmata run again"
    assert run["started"] > "2026"
    assert run["id"] == f"{run['started']}-smoke-0"
    assert 0 <= run["seconds"] < 77
    assert run.keys() == RUN.keys()
    assert {**found, "run": RUN} == RECORD
    assert list(found) == list(RECORD)


def test_nothing_is_served_before_it_is_kept(journal):
    assert not served(journal)


def test_what_is_asked_for_counts(journal, file):
    assert past(journal, ASKED | {"seed": 1}).record("") is None
    assert past(journal, known=None).record("") is None
    other = {"claims": {"lj22.risk": {"verdict": "open"}}}
    assert past(journal, known=other).record("") is None
    assert served(journal)


def test_a_record_under_another_name_is_not_served(journal, file):
    asked = ASKED | {"seed": 1}
    past(journal, asked).keep(RECORD, KEYS)
    (other,) = set(file.parent.iterdir()) - {file}
    file.rename(other)
    assert past(journal, asked).record("") is None


def test_versions_count(journal, file, monkeypatch):
    usual = finished.versions()
    monkeypatch.setattr(finished, "versions", lambda: usual | {"torch": "0.1"})
    assert not served(journal)


def test_every_file_of_the_house_counts(journal, file, house):
    for name in ("verify/core/a.py", "lemmata/b.py"):
        before = (house / name).read_bytes()
        (house / name).write_text('"""A docstring."""\nx = 1\n')
        assert not served(journal)
        (house / name).write_bytes(before)
        assert served(journal)
    for name in ("verify/core/data.toml", "statements.lock.json"):
        (house / name).write_text("")
        assert not served(journal)
        (house / name).rename(house / "elsewhere")  # beside what is Lemmata's
        assert served(journal)
    one, other = (house / name for name in ("verify/core/a.py", "lemmata/b.py"))
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert not served(journal)
    one.write_bytes(first)
    other.write_bytes(second)
    one.rename(one.with_name("aa.py"))
    assert not served(journal)
    one.with_name("aa.py").rename(one)
    (house / "verify/core/__pycache__").mkdir()
    (house / "verify/core/__pycache__/a.pyc").write_bytes(b"x")
    assert served(journal)


def test_claims_of_ones_own_count(journal, tmp_path):
    own = tmp_path / "claims.py"
    own.write_text("from lemmata import claim\n")
    past(journal, files=[str(own)]).keep(RECORD, KEYS)
    assert past(journal, files=[str(own)]).record("") is not None
    own.write_text("from lemmata import claim, rank\n")
    assert past(journal, files=[str(own)]).record("") is None
    assert not served(journal)
    own.write_text("import os\n")
    assert Finished.of(journal, ASKED, [str(own)], KNOWN) is None


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("from lemmata import Matrix, claim\nimport math\nfrom fractions import Fraction\n", True),
        ("import lemmata, os\n", False),
        ("from helper import lemma\n", False),
        ("from . import lemma\n", False),
        ("import lemmata.commands\n", False),
        ("def f():\n    import random\n", False),
        ("text = open('data.json')\n", False),
        ("from lemmata import paper\npaper('a', ledger='ledger.toml')\n", False),
        ("__import__('os')\n", False),
        ("x = (\n", False),
    ],
)
def test_files_that_depend_on_others_are_told(tmp_path, text, alone):
    (tmp_path / "claims.py").write_text(text)
    assert stands_alone(str(tmp_path / "claims.py")) is alone
    assert not stands_alone(str(tmp_path))
    assert not stands_alone(str(tmp_path / "none.py"))


# the journal --------------------------------------------------------------------------------------
def test_a_record_that_is_altered_is_seen_though_its_checksum_fits(journal, file):
    journal.put(KEYS[1], replace(PIECE, summary="no violation!"))
    assert not served(journal)
    journal.put(KEYS[1], PIECE)
    assert served(journal)


def test_a_record_that_is_gone_or_torn_is_seen(journal, file):
    for path in [path for path in journal.records() if path != file]:
        whole = path.read_bytes()
        path.unlink()
        assert not served(journal)
        path.write_bytes(whole[:-1])
        assert not served(journal)
        path.write_bytes(whole)
        assert served(journal)


def test_records_that_change_places_are_seen(journal, file):
    one, other = (path for path in journal.records() if path != file)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert not served(journal)


def test_what_other_runs_add_is_no_matter(journal, file):
    journal.put(OTHER, PIECE)
    assert served(journal)


def test_what_is_served_is_used_now(journal, file):
    for path in journal.records():
        os.utime(path, (0, 0))
    assert served(journal)
    assert journal.clean(1) == (0, 0)
    assert served(journal)
    assert journal.clean()[0] == len(KEYS) + 1
    assert not file.exists()


# what is kept -------------------------------------------------------------------------------------
def test_every_byte_counts(journal, file):
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert not served(journal), place
        file.write_bytes(whole[:place])
        assert not served(journal), place
    file.write_bytes(whole + b"\n")
    assert not served(journal)
    file.write_bytes(whole)
    assert served(journal)


def made(past: Finished, record=RECORD, what="pages") -> bool:
    """Whether something has to be made."""
    count = 0

    def make():
        nonlocal count
        count += 1
        return {"é.html": "<p>é</p>\r\n"}

    assert past.made(what, record, make) == make()
    return count > 1


def test_what_was_made_of_a_record_is_made_once(journal, house):
    assert made(past(journal))
    again = {name: f"another {name}" for name in ("id", "started", "seconds", "command")}
    assert not made(past(journal), RECORD | {"run": RUN | again})
    assert made(past(journal), RECORD | {"run": RUN | {"budget": "ci"}})
    assert made(past(journal), RECORD | {"claims": []})
    assert made(past(journal), what="JSON")
    assert made(past(journal))
    (house / "verify/core/a.py").write_text("x = 2\n")
    assert made(past(journal))
    assert not made(past(journal))
    for path in (journal.folder / "finished").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    assert made(past(journal))


def test_what_is_made_is_not_kept_without_a_secret(journal, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    assert made(past(journal))
    assert made(past(journal))


def test_packages_that_pages_depend_on_count(journal, file, monkeypatch):
    assert made(past(journal))
    monkeypatch.setattr(finished, "version", lambda name: "0.1")
    assert made(past(journal))
    assert not served(journal)


def test_what_another_secret_signed_is_not_served(journal, file, monkeypatch, tmp_path):
    whole = file.read_bytes()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert not served(journal)
    past(journal).keep(RECORD, KEYS)
    assert served(journal)
    assert file.read_bytes() != whole
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert not served(journal)


def test_the_secret_is_its_owners_alone(file, tmp_path):
    path = tmp_path / "state/lemmata/secret"
    assert len(path.read_bytes()) == 32
    assert list(path.parent.iterdir()) == [path]
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0


def test_without_a_secret_nothing_is_kept_or_served(journal, file, monkeypatch, tmp_path):
    whole = file.read_bytes()
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    assert not served(journal)
    past(journal).keep(RECORD | {"claims": []}, KEYS)
    assert file.read_bytes() == whole


def test_what_rests_on_more_than_the_journal_is_not_kept(journal):
    past(journal).keep(RECORD, ())
    past(journal).keep(RECORD, (*KEYS, OTHER))  # of which there is no record
    assert not (journal.folder / "finished").exists()


def test_a_run_during_which_code_changed_is_not_kept(journal, house):
    begun = past(journal)
    (house / "verify/core/a.py").write_text("x = 2\n")
    begun.keep(RECORD, KEYS)
    assert not (journal.folder / "finished").exists()


def test_other_code_takes_the_place_of_what_was_kept(journal, file, house):
    (house / "verify/core/a.py").write_text("x = 2\n")
    past(journal).keep(RECORD, KEYS)
    assert served(journal)
    assert list(file.parent.iterdir()) == [file]


def test_a_full_disk_leaves_what_was_kept(journal, file, monkeypatch):
    whole = file.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        past(journal).keep(RECORD | {"claims": []}, KEYS)
    assert file.read_bytes() == whole
    assert list(file.parent.iterdir()) == [file]


def test_all_that_is_kept_is_signed(journal, file):
    """What tells for which code it is, and on which records it rests, too."""
    sign, packed = file.read_bytes().split(b"\n")
    head, body = zlib.decompress(b64decode(packed)).split(b"\n")
    told = json.loads(head)
    assert told["rests_on"] == sorted(KEYS)
    for changed in (told | {"rests_on": KEYS[:1]}, told | {"key": "0" * 64}, told):
        content = json.dumps(changed).encode() + b"\n" + body + b" "
        file.write_bytes(sign + b"\n" + b64encode(zlib.compress(content, 1)))
        assert not served(journal)
