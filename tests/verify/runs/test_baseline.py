"""The baseline: what is written is read, and a difference in either direction is found."""

import errno
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repository import ROOT
from verify.core.headline import Word
from verify.core.power import Power
from verify.core.verdict import FALSE, STANDS, Verdict
from verify.runs import baseline
from verify.runs.baseline import (
    BaselineError,
    VoidRunError,
    contradict,
    differences,
    known,
    lock,
)

VERDICTS = [verdict.value for verdict in Verdict]
WORDS = [word.value for word in Word]
NAMES = ("lj22.risk", "lj22.gflow", "lj22.lemma3@A", "lj22.lemma3@B", "lj22.def1")
POWER = Power(True, "told apart", 2, 2, 9, 9)
NOTHING = {"statements": [], "claims": []}

verdict_maps = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VERDICTS))
word_maps = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(WORDS))


def record_of(verdicts=(), words=(), *, void_reasons=(), budget="ci", worst=None, code="0a"):
    """As much of a run's record as the baseline reads."""
    return {
        "run": {"budget": budget, "void": bool(void_reasons), "void_reasons": list(void_reasons)},
        "statements": [
            {"id": name, "headline": {"word": word, "detail": "2 of 3 parts", "mended": []}}
            for name, word in dict(words).items()
        ],
        "claims": [
            {
                "id": name,
                "verdict": verdict,
                "scope": f"ν of {name}",
                "worst": worst,
                "code": code,
                "reason": "why",
                "grade": None,
                "power": POWER.to_json(),
                "evidence": ["not of the baseline"],
            }
            for name, verdict in dict(verdicts).items()
        ],
    }


def differs(changes) -> bool:
    """Whether something counts of what a run found otherwise."""
    return any(row.get("counts", True) for rows in changes.values() for row in rows)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("baselines")


@given(verdicts=verdict_maps, words=word_maps, worst=st.none() | st.text(max_size=9))
def test_what_is_written_is_read(folder, verdicts, words, worst):
    record = record_of(verdicts, words, worst=worst)
    path = folder / "claims.lock.json"
    baseline.write(record, path)
    found = baseline.read(path)
    assert found == lock(record) == known(path)
    assert found["claims"] == {
        name: {
            "verdict": verdict,
            "scope": f"ν of {name}",
            "worst": worst,
            "code": "0a",
            "reason": "why",
            "grade": None,
            "power": POWER.to_json(),
        }
        for name, verdict in verdicts.items()
    }
    assert found["statements"] == {
        name: {"headline": word, "detail": "2 of 3 parts"} for name, word in words.items()
    }
    assert found["budget"] == "ci"


@given(verdicts=verdict_maps, words=word_maps)
def test_the_file_does_not_depend_on_the_order_of_the_run(folder, verdicts, words):
    one, other = folder / "one.json", folder / "other.json"
    baseline.write(record_of(verdicts, words), one)
    baseline.write(
        record_of(dict(reversed(verdicts.items())), dict(reversed(words.items()))), other
    )
    text = one.read_text(encoding="utf-8")
    assert text == other.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert len(text.splitlines()) > 4 * len(verdicts)  # one fact a line: a change is one line


# what differs ------------------------------------------------------------------------------------
@given(verdict_maps, word_maps, st.booleans())
def test_a_run_does_not_differ_from_its_own_baseline(verdicts, words, whole):
    record = record_of(verdicts, words)
    found = differences(record, lock(record), whole=whole)
    assert found == NOTHING
    assert not differs(found)


@given(before=verdict_maps, after=verdict_maps, whole=st.booleans())
def test_verdicts_that_differ_are_found_in_both_directions(before, after, whole):
    record, known_ = record_of(after), lock(record_of(before))
    found = differences(record, known_, whole=whole)
    wanted = [
        {
            "id": name,
            "what": "verdict" if name in before else "new",
            "before": before.get(name, ""),
            "after": verdict,
        }
        for name, verdict in after.items()
        if before.get(name) != verdict
    ]
    if whole:
        wanted += [
            {"id": name, "what": "gone", "before": verdict, "after": ""}
            for name, verdict in before.items()
            if name not in after
        ]
    assert sorted(found["claims"], key=str) == sorted(wanted, key=str)
    assert differs(found) is bool(wanted)


@given(before=word_maps, after=word_maps, whole=st.booleans())
def test_headlines_that_differ_are_found_in_both_directions(before, after, whole):
    record, known_ = record_of(words=after), lock(record_of(words=before))
    found = differences(record, known_, whole=whole)
    names = before.keys() | after.keys() if whole else after.keys()
    wanted = [
        {"id": name, "before": before.get(name, ""), "after": after.get(name, "")}
        for name in names
        if before.get(name) != after.get(name)
    ]
    assert sorted(found["statements"], key=str) == sorted(wanted, key=str)
    assert differs(found) is bool(wanted)


def test_scope_and_code_differ_and_figures_do_not():
    known_ = lock(record_of({"lj22.risk": "supported"}, worst="1e-16"))
    record = record_of({"lj22.risk": "supported"}, worst="2e-16")
    assert differences(record, known_, whole=True) == NOTHING
    record["claims"][0] |= {"code": "ff", "scope": "n = 1"}
    found = differences(record, known_, whole=True)
    assert found["claims"] == [
        {"id": "lj22.risk", "what": "scope", "before": "ν of lj22.risk", "after": "n = 1"},
        {"id": "lj22.risk", "what": "code", "before": "0a", "after": "ff"},
    ]
    assert differs(found)


# a run at another budget -------------------------------------------------------------------------
FALSE_WORDS = [*(verdict.value for verdict in FALSE), "false as printed", "true off corner cases"]
TRUE_WORDS = [*(verdict.value for verdict in STANDS), "true", "nothing against it"]


@given(st.sampled_from(VERDICTS + WORDS), st.sampled_from(VERDICTS + WORDS))
def test_only_false_and_what_stands_contradict(before, after):
    wanted = (before in FALSE_WORDS and after in TRUE_WORDS) or (
        before in TRUE_WORDS and after in FALSE_WORDS
    )
    assert contradict(before, after) is wanted


@given(before=verdict_maps, after=verdict_maps, words=st.tuples(word_maps, word_maps))
def test_at_another_budget_only_contradictions_count(before, after, words):
    record = record_of(after, words[1], budget="smoke")
    known_ = lock(record_of(before, words[0]))
    found = differences(record, known_, whole=True)
    verdicts = [row["id"] for row in found["claims"] if row["what"] == "verdict"]
    assert verdicts == [n for n in after if n in before and contradict(before[n], after[n])]
    named = [row["id"] for row in found["statements"]]
    assert named == [n for n in words[1] if contradict(words[0].get(n, ""), words[1][n])]
    assert differs(found) is bool(verdicts or named)


def test_code_that_changed_is_told_at_another_budget_and_does_not_count():
    known_ = lock(record_of({"lj22.risk": "supported"}))
    record = record_of({"lj22.risk": "open"}, budget="smoke", code="ff")
    found = differences(record, known_, whole=True)
    assert [row["what"] for row in found["claims"]] == ["code"]
    assert not differs(found)
    known_["budget"] = "smoke"
    assert differs(differences(record, known_, whole=True))


# what is refused -------------------------------------------------------------------------------
def test_a_void_run_gives_no_baseline(tmp_path):
    record = record_of({"lj22.risk": "refuted"}, void_reasons=["control.true failed", "another"])
    path = tmp_path / "claims.lock.json"
    with pytest.raises(VoidRunError) as caught:
        baseline.write(record, path)
    assert "control.true failed; another" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_void_run_leaves_the_old_baseline(tmp_path):
    path = tmp_path / "claims.lock.json"
    baseline.write(record_of({"lj22.risk": "refuted"}), path)
    before = path.read_bytes()
    with pytest.raises(VoidRunError):
        baseline.write(record_of({"lj22.risk": "proved"}, void_reasons=["x"]), path)
    assert path.read_bytes() == before


ROW = {**dict.fromkeys(baseline.OF_CLAIMS, "x"), "verdict": "proved", "power": None, "grade": None}


def file_of(**parts) -> str:
    data = {"format": "lemmata-baseline", "version": 2, "budget": "ci"}
    data |= {"claims": {}, "statements": {}}
    return json.dumps(data | parts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no baseline at .*: write one with `lemmata baseline "),
        ("{", "is not JSON .*restore it from version control"),
        ("[" * 10**5, "is not JSON .*restore it from version control"),
        ("[]", "is not a baseline of version 2: write it with `lemmata baseline "),
        (file_of(format="lemmata-run"), "not a baseline"),
        (file_of(version=1), "not a baseline of version 2"),
        (file_of(claims=None), "claims are missing"),
        (file_of(claims=[]), "claims are missing"),
        (file_of(statements=None), "statements are missing"),
        (file_of(claims={"a": 1}), "claims 'a' lacks verdict, scope"),
        (file_of(claims={"a": {"verdict": "proved"}}), "claims 'a' lacks scope, worst"),
        (file_of(claims={"a": {**ROW, "verdict": 3}}), "claims 'a' has 3 as verdict: restore"),
        (file_of(claims={"a": {**ROW, "verdict": "certain"}}), "claims 'a' has 'certain' as verd"),
        (file_of(claims={"a": {**ROW, "power": {"tested": True}}}), "claims 'a' has .* as power"),
        (file_of(claims={"a": {**ROW, "grade": [1]}}), r"claims 'a' has \[1\] as grade: restore"),
        (file_of(statements={"a": {"headline": "true"}}), "statements 'a' lacks detail"),
        (file_of(statements={"a": {"headline": "so", "detail": ""}}), "has 'so' as headline"),
        (file_of(budget="huge"), "unknown budget 'huge'"),
        (file_of(budget=None), "unknown budget None"),
        (file_of(budget=["ci"]), "budget: "),
    ],
)
def test_another_file_is_refused_by_name(tmp_path, text, said):
    path = tmp_path / "claims.lock.json"
    if text is not None:
        path.write_text(text)
    for reader in (baseline.read, known):
        with pytest.raises(BaselineError, match=said) as caught:
            reader(path)
        assert str(path) in str(caught.value)


def test_without_a_name_it_is_the_one_in_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(baseline, "SHIPPED", tmp_path / "none.json")
    assert known(None) is None
    path = Path("claims.lock.json")
    for text in ("{", file_of(version=1)):  # one of an older version is as none
        path.write_text(text)
        assert known(None) is None
    baseline.write(record_of({"lj22.risk": "refuted"}), path)
    assert known(None)["claims"]["lj22.risk"]["verdict"] == "refuted"


def test_one_that_knows_other_papers_hides_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(baseline, "SHIPPED", tmp_path / "brought.json")
    brought = record_of({"lj22.risk": "refuted", "lj22.lemma2a": "proved", "j23.cor8": "refuted"})
    baseline.write(brought, baseline.SHIPPED)
    baseline.write(record_of({"lj22.risk": "open"}), Path("claims.lock.json"))
    found = {name: row["verdict"] for name, row in known(None)["claims"].items()}
    assert found == {"lj22.risk": "open", "j23.cor8": "refuted"}
    baseline.SHIPPED.unlink()
    assert set(known(None)["claims"]) == {"lj22.risk"}


def test_a_full_disk_leaves_the_old_baseline(tmp_path, monkeypatch):
    path = tmp_path / "claims.lock.json"
    baseline.write(record_of({"lj22.risk": "refuted"}), path)
    before = path.read_bytes()

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space") as caught:
        baseline.write(record_of({"lj22.risk": "proved"}), path)
    assert caught.value.filename == str(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@given(junk=st.binary(max_size=60))
def test_junk_is_refused(folder, junk):
    path = folder / "junk.json"
    path.write_bytes(junk)
    with pytest.raises(BaselineError):
        baseline.read(path)


def test_it_is_strict_json(tmp_path):
    record = record_of({"lj22.risk": "supported"}, worst=float("nan"))
    path = tmp_path / "claims.lock.json"
    with pytest.raises(ValueError, match="JSON"):
        baseline.write(record, path)
    assert not path.exists()
    baseline.write(record_of({"lj22.risk": "supported"}), path)
    assert json.loads(path.read_bytes().decode("utf-8"))["format"] == "lemmata-baseline"


def test_the_committed_hashes_are_those_of_the_statements(tmp_path):
    written = tmp_path / baseline.HASHES
    baseline.write_hashes(written)
    committed = ROOT / baseline.HASHES
    assert committed.read_text() == written.read_text(), "write the baseline again"
