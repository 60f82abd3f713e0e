"""Replacing a baseline: by a person alone, with a reason that stays. And the history of runs."""

import json

import pytest

from verify.core.evidence import Outcome
from verify.runs import baseline

QUICK = ("--budget", "smoke", "--workers", "1", "--fresh")
FILE = "claims.lock.json"


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    """Not in CI, wherever these tests run."""
    for name in ("CI", "GITHUB_SHA", "CI_COMMIT_SHA"):
        monkeypatch.delenv(name, raising=False)


def test_an_update_tells_what_changes_and_keeps_the_reasons(lemmata, cheap, tmp_path):
    lemmata("baseline", *QUICK)
    assert "updates" not in json.loads((tmp_path / FILE).read_text())
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    called = lemmata("baseline", "--update", "--reason", " a sign was wrong ", *QUICK)
    assert called.code == 0, called
    lines = called.out.splitlines()
    assert lines[1].startswith("  lj22.gflow: nothing against it → false as printed")
    assert "  lj22.gflow: supported → refuted" in lines
    (row,) = baseline.read(tmp_path / FILE)["updates"]
    assert row["reason"] == "a sign was wrong"
    assert row["headlines"] == 1
    assert row["date"][:2] == "20"
    assert lemmata("run", "--baseline", FILE, *QUICK).code == 0
    lemmata("baseline", "--update", "--reason", "again", *QUICK)
    updates = baseline.read(tmp_path / FILE)["updates"]
    assert [row["reason"] for row in updates] == ["a sign was wrong", "again"]
    assert updates[1]["headlines"] == updates[1]["claims"] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "is there already: `lemmata baseline --update --reason WHY` replaces it"),
        (("--update",), "--update: say why the baseline changes, with --reason WHY"),
        (("--update", "--reason", "  "), "--update: say why"),
        (("--reason", "x"), "--reason goes with --update"),
        (("other.json", "--update", "--reason", "x"), "--update: there is no other.json"),
    ],
)
def test_a_baseline_is_not_replaced_in_passing(lemmata, cheap, tmp_path, words, told):
    (tmp_path / FILE).write_text("as it was")
    assert told in lemmata.refused("baseline", *words, *QUICK)
    assert (tmp_path / FILE).read_text() == "as it was"
    assert cheap.performed == []


@pytest.mark.parametrize(("value", "refused"), [("true", True), ("1", True), ("false", False)])
def test_ci_replaces_no_baseline(lemmata, cheap, tmp_path, monkeypatch, value, refused):
    (tmp_path / FILE).write_text("as it was")
    monkeypatch.setenv("CI", value)
    words = ("baseline", "--update", "--reason", "x", *QUICK)
    if refused:
        assert f"--update: not in CI (CI={value})" in lemmata.refused(*words)
        assert cheap.performed == []
    else:
        assert lemmata(*words).code == 0


def test_only_what_changed_is_looked_at_anew(lemmata, cheap, tmp_path):
    """One claim has another code, one is new, one is gone: their printed statements are looked at,
    and all other rows stay as they are, also where they would be found otherwise."""
    lemmata("baseline", *QUICK)
    before = baseline.read(tmp_path / FILE)
    old = json.loads(json.dumps(before))
    old["claims"]["lj22.gflow"]["code"] = "another"
    old["claims"]["lj22.risk"]["reason"] = "as it was found then"
    del old["claims"]["lj22.pullback"]
    old["claims"]["lj22.lemma3"] = old["claims"]["lj22.gflow"]
    old["statements"]["lj22.gone"] = old["statements"]["lj22.gflow"]
    (tmp_path / FILE).write_text(json.dumps(old))
    cheap.performed.clear()
    called = lemmata("baseline", "--update", "--changed", "--reason", "an edit", *QUICK)
    assert called.code == 0, called
    looked = {name for name, _ in cheap.performed if not name.startswith("control.")}
    assert {name.partition("@")[0] for name in looked} == {
        "lj22.gflow",
        "lj22.pullback",
        "lj22.lemma3",
    }
    after = baseline.read(tmp_path / FILE)
    before["claims"]["lj22.risk"]["reason"] = "as it was found then"
    assert after["claims"] == before["claims"]
    assert after["statements"] == before["statements"]
    assert "  lj22.gflow: another code" in called.out.splitlines()
    cheap.performed.clear()
    words = ("baseline", "--update", "--changed", "--reason", "again", *QUICK)
    again = lemmata(*words)
    assert (again.code, cheap.performed) == (0, [])
    assert "nothing was looked at" in again.out
    after["claims"]["lj22.other.gone"] = after["claims"]["lj22.gflow"]
    (tmp_path / FILE).write_text(json.dumps(after))
    assert lemmata(*words).code == 0
    assert baseline.read(tmp_path / FILE)["claims"] == before["claims"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--changed",), "--changed goes with --update"),
        (("--update", "--reason", "x", "--changed"), "claims.lock.json is no baseline of budget"),
    ],
)
def test_what_changed_is_told_by_a_baseline_of_the_same_budget(
    lemmata, cheap, tmp_path, words, told
):
    if "--update" in words:
        lemmata("baseline", *QUICK)
        changed = (tmp_path / FILE).read_text().replace('"budget": "smoke"', '"budget": "full"')
        (tmp_path / FILE).write_text(changed)
    cheap.performed.clear()
    assert told in lemmata.refused("baseline", *words, *QUICK)
    assert cheap.performed == []


# history -----------------------------------------------------------------------------------------
def test_each_run_adds_a_line(lemmata, cheap, tmp_path, monkeypatch):
    lemmata("baseline", *QUICK)
    words = ("run", "lj22.gflow", "--baseline", FILE, "--history", "h.jsonl", *QUICK)
    assert lemmata(*words).code == 0
    monkeypatch.setenv("GITHUB_SHA", "0123abc")
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    assert lemmata(*words).code == 1
    first, second = map(json.loads, (tmp_path / "h.jsonl").read_text().splitlines())
    assert (first["commit"], second["commit"]) == (None, "0123abc")
    assert (first["as_expected"], second["as_expected"]) == (True, False)
    assert first["headlines"] == {"nothing against it": 1}
    assert second["headlines"] == {"false as printed": 1}
    assert [row["id"] for row in second["changed"]["headlines"]] == ["lj22.gflow"]


def test_a_history_that_cannot_be_is_refused_before_the_work(lemmata, cheap, tmp_path):
    (tmp_path / "notes").write_text("notes\n")
    assert "is no history of runs" in lemmata.refused("run", "lj22.risk", "--history", "notes")
    assert "cannot be written there" in lemmata.refused("run", "lj22.risk", "--history", ".")
    assert cheap.performed == []
