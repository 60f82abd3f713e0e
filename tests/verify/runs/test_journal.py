"""The journal: what is put is got; what is broken is named and left alone."""

import errno
import hashlib
import json
import math
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.certificates import STATED
from verify.core.evidence import Evidence, Need, Outcome
from verify.runs.journal import Journal, JournalError, Unfinished

KEY = "ab" + "0" * 62
OTHER = "ab" + "1" * 62
EVIDENCE = Evidence("pointwise", Outcome.SUPPORTS, "no violation.", ("n = 1",), {"drawn": 3}, 3)

texts = st.text(max_size=20)
finite = st.floats(allow_nan=False, allow_infinity=False)
json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | finite | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
evidence = st.builds(
    Evidence,
    st.sampled_from(["expanded", "trials"]),
    st.sampled_from(Outcome),
    texts,
    st.lists(texts, max_size=3).map(tuple),
    st.dictionaries(texts, st.integers() | finite | texts, max_size=3),
    st.integers(0, 10**30),
    st.floats(0, 1e6),
    st.integers(),
    st.none() | st.dictionaries(texts, json_data, max_size=3),
    st.none() | st.dictionaries(texts, json_data, max_size=3),
)
keys = st.text("0123456789abcdef", min_size=64, max_size=64)


def record_file(journal: Journal, key: str = KEY) -> Path:
    """Where a record lies; the journal has one file for each key."""
    (path,) = [p for p in journal.folder.rglob("*") if p.name.startswith(key)]
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("journal")


@given(pairs=st.dictionaries(keys, st.none() | evidence, min_size=1, max_size=4), absent=keys)
def test_what_is_put_is_got(folder, pairs, absent):
    journal = Journal(folder / "-".join(key[:8] for key in pairs))
    for key, piece in pairs.items():
        journal.put(key, piece)
    again = Journal(journal.folder)  # as the next run opens it
    assert {key: again.get(key) for key in pairs} == pairs
    if absent not in pairs:
        with pytest.raises(Unfinished):
            again.get(absent)


def test_a_journal_without_a_folder_is_empty(tmp_path):
    with pytest.raises(Unfinished):
        Journal(tmp_path / "none").get(KEY)
    assert list(tmp_path.iterdir()) == []


def test_a_record_is_replaced_by_the_next(tmp_path):
    journal = Journal(tmp_path)
    journal.put(KEY, EVIDENCE)
    other = Evidence("search", Outcome.INCONCLUSIVE, "another")
    journal.put(KEY, other)
    assert journal.get(KEY) == other
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 1


def refuses(journal: Journal, path: Path) -> str:
    """The message of the refusal; what lies on disk stays as it is."""
    before = path.read_bytes()
    with pytest.raises(JournalError) as caught:
        journal.get(KEY)
    assert path.read_bytes() == before
    message = str(caught.value)
    assert str(path) in message
    assert "Delete that file" in message
    assert "--fresh" in message
    assert len(message.splitlines()) == 1
    return message


@given(data=st.data())
def test_a_record_cut_short_is_refused(folder, data):
    journal = Journal(folder / "cut")
    journal.put(KEY, EVIDENCE)
    path = record_file(journal)
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    refuses(journal, path)


@given(junk=st.binary(max_size=40) | json_data.map(lambda value: json.dumps(value).encode()))
def test_other_files_are_refused(folder, junk):
    journal = Journal(folder / "junk")
    journal.put(KEY, EVIDENCE)
    path = record_file(journal)
    path.write_bytes(junk)
    refuses(journal, path)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 1},
        {"key": OTHER},
        {"evidence": "nothing"},
        {"evidence": {}},
        {"evidence": {**EVIDENCE.to_json(), "outcome": "perhaps"}},
        {"evidence": {**EVIDENCE.to_json(), "colour": "red"}},
        {"evidence": {k: v for k, v in EVIDENCE.to_json().items() if k != "scope"}},
        {"checksum": "0" * 64},
    ],
    ids=["format", "version", "key", "nothing", "empty", "outcome", "more", "less", "checksum"],
)
@pytest.mark.parametrize("signed", [False, True])
def test_a_record_of_another_kind_is_refused(tmp_path, change, signed):
    """Also where whoever changed it wrote a checksum that fits."""
    journal = Journal(tmp_path)
    journal.put(KEY, EVIDENCE)
    path = record_file(journal)
    data = json.loads(path.read_text()) | change
    if signed and "checksum" not in change:
        del data["checksum"]
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        data["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(data, separators=(",", ":")))
    refuses(journal, path)


def test_every_byte_counts(tmp_path):
    journal = Journal(tmp_path)
    small = Evidence("search", Outcome.SUPPORTS, "é", (), {"x": 1e-30}, certificate={"Ab": [1.5]})
    journal.put(KEY, small)
    path = record_file(journal)
    whole = path.read_bytes()
    for place in range(len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            path.write_bytes(changed)
            with pytest.raises(JournalError, match=KEY):
                journal.get(KEY)
        path.write_bytes(whole[:place])
        with pytest.raises(JournalError, match="Delete that file"):
            journal.get(KEY)
    for more in (whole + b"\n", whole + whole, b" " + whole):
        path.write_bytes(more)
        with pytest.raises(JournalError, match="--fresh"):
            journal.get(KEY)
    path.write_bytes(whole)
    assert journal.get(KEY) == small


# certificates ------------------------------------------------------------------------------------
CERTIFIED = Evidence("search", Outcome.REFUTES, "", certificate=STATED["risk"])


@pytest.mark.parametrize("outcome", [Outcome.REFUTES, Outcome.PROVES, Outcome.PROVES_ON_SCOPE])
def test_a_certificate_is_given_to_the_checker_again(tmp_path, outcome):
    journal = Journal(tmp_path)
    journal.put(KEY, replace(CERTIFIED, outcome=outcome))
    assert journal.accepted(KEY, "lj22.risk").certificate == STATED["risk"]
    forged = {**STATED["risk"], "value": "0"}
    journal.put(KEY, replace(CERTIFIED, outcome=outcome, certificate=forged))  # checksum and all
    with pytest.raises(JournalError, match="the checker does not accept its certificate") as caught:
        journal.accepted(KEY, "lj22.risk")
    assert "Delete that file" in str(caught.value)


def test_a_certificate_of_another_claim_is_not_accepted(tmp_path):
    journal = Journal(tmp_path)
    journal.put(KEY, CERTIFIED)
    with pytest.raises(JournalError, match=r"its certificate is of lj22\.risk, not of lj22\.eq2"):
        journal.accepted(KEY, "lj22.eq2")


def test_certificates_of_needed_hypotheses_are_checked_too(tmp_path):
    journal = Journal(tmp_path)
    need = Need("bias-free", True, "a case", certificate=STATED["risk"])
    piece = replace(EVIDENCE, method="necessity", needs=(need,))
    journal.put(KEY, piece)
    assert journal.accepted(KEY, "lj22.risk") == piece
    forged = replace(need, certificate={**STATED["risk"], "value": "0"})
    journal.put(KEY, replace(piece, needs=(need, forged)))
    with pytest.raises(JournalError, match="the checker does not accept its certificate"):
        journal.accepted(KEY, "lj22.risk")


def test_what_needs_no_certificate_is_not_checked(tmp_path):
    journal = Journal(tmp_path)
    with pytest.raises(Unfinished):
        journal.accepted(KEY, "lj22.risk")
    for piece in (None, EVIDENCE, replace(CERTIFIED, outcome=Outcome.VIOLATES)):
        journal.put(KEY, piece)
        assert journal.accepted(KEY, "another") == piece


def test_a_record_under_another_name_is_refused(tmp_path):
    journal = Journal(tmp_path)
    journal.put(OTHER, EVIDENCE)
    path = record_file(journal, OTHER)
    path.rename(path.with_name(path.name.replace(OTHER, KEY)))
    refuses(journal, record_file(journal))


def test_one_bad_record_hides_no_other(tmp_path):
    journal = Journal(tmp_path)
    journal.put(KEY, EVIDENCE)
    journal.put(OTHER, EVIDENCE)
    record_file(journal).write_text("{")
    assert journal.get(OTHER) == EVIDENCE


def test_a_full_disk_leaves_the_record_as_it_was_and_names_the_file(tmp_path, monkeypatch):
    journal = Journal(tmp_path)
    journal.put(KEY, EVIDENCE)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        for key in (KEY, OTHER):
            with pytest.raises(OSError, match="No space") as caught:
                journal.put(key, Evidence("search", Outcome.PROVES, "newer"))
            assert key in caught.value.filename
    assert journal.get(KEY) == EVIDENCE
    with pytest.raises(Unfinished):
        journal.get(OTHER)
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_json_cannot_hold_is_not_kept(tmp_path, value):
    journal = Journal(tmp_path)
    with pytest.raises(ValueError, match="JSON"):
        journal.put(KEY, Evidence("trials", Outcome.SUPPORTS, "", figures={"worst": value}))
    with pytest.raises(Unfinished):
        journal.get(KEY)


# cleaning ----------------------------------------------------------------------------------------
def test_what_killed_runs_had_begun_to_write_is_cleaned_away(tmp_path, monkeypatch):
    journal = Journal(tmp_path)

    def killed(*_):
        raise SystemExit  # and what follows does not come to pass

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(SystemExit):
            journal.put(KEY, EVIDENCE)
    (draft,) = (path for path in tmp_path.rglob("*") if path.is_file())
    part = tmp_path / "parts" / f"{OTHER}.77.tmp"
    part.parent.mkdir()
    part.write_bytes(b"half")
    foreign = draft.with_name("notes.tmp")
    foreign.write_text("not ours")
    assert journal.clean() == (0, 0)  # whoever writes them may be at it still
    assert part.exists()
    for path in (draft, part, foreign):
        os.utime(path, (0, 0))
    assert journal.clean() == (0, 0)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [foreign]


def test_a_record_is_kept_while_another_cleans(tmp_path, monkeypatch):
    """The folder that a record goes to, and one that is cleaned by two, are looked at twice."""
    journal, other = Journal(tmp_path), Journal(tmp_path)
    journal.put(OTHER, EVIDENCE)
    mkdir = Path.mkdir

    def cleaned_meanwhile(self, *words, **more):
        mkdir(self, *words, **more)
        other.clean()

    with monkeypatch.context() as patch:
        patch.setattr(Path, "mkdir", cleaned_meanwhile)
        journal.put(KEY, EVIDENCE)
    assert journal.get(KEY) == EVIDENCE
    records = journal.records()
    monkeypatch.setattr(Journal, "_found", lambda self, name: records)
    assert other.clean()[0] == 1
    assert journal.clean() == (0, 0)
