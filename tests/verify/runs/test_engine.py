"""A run: what is performed, what is taken from the journal, and what the record then says."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reports.json_report import dumps, validate
from tests.verify.certificates import STATED
from tests.verify.runs.cheap_methods import (
    CLAIMS,
    CONTROLS_ANSWER,
    NAMES,
    SMOKE,
    CheapMethods,
    Interrupt,
    install,
    settled,
)
from verify.core.evidence import Outcome
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.runs.engine import gather, run
from verify.runs.executors import in_process
from verify.runs.journal import JournalError
from verify.runs.tasks import METHODS, STAGES, tasks_for

EVERYTHING = [*CLAIMS, *(claim for claim, _ in CONTROLS.values())]
ALL = [(t.claim, t.method) for claim in EVERYTHING for t in tasks_for(claim, "smoke", 0, "cpu")]
STAGE = {method: number for number, stage in enumerate(STAGES) for method in stage}
FIRST = {name: min(STAGE[m] for n, m in ALL if n == name) for name, _ in ALL}
REFUTED = {name for name, outcome in CONTROLS_ANSWER.items() if outcome is Outcome.REFUTES}
TASKS = [(name, m) for name, m in ALL if name not in REFUTED or STAGE[m] == FIRST[name]]


@pytest.fixture
def cheap(monkeypatch) -> CheapMethods:
    return install(monkeypatch)


def verdict_of(record, name: str) -> str:
    return next(claim["verdict"] for claim in record["claims"] if claim["id"] == name)


# a whole run ---------------------------------------------------------------------------------
def test_a_run_performs_every_task_once_and_records_every_claim(cheap):
    record = run(CLAIMS, SMOKE)
    assert sorted(cheap.performed) == sorted(TASKS)
    assert [claim["id"] for claim in record["claims"]] == list(NAMES)
    assert [c["id"] for c in record["controls"]] == [
        *CONTROLS,
        "control.consistent",
        "control.tampered",
    ]
    assert all(control["ok"] for control in record["controls"])
    assert (record["run"]["void"], record["run"]["void_reasons"]) == (False, [])
    assert record["changes"] is None
    assert verdict_of(record, "lj22.risk") == "supported"
    assert verdict_of(record, "lj22.lemma4") == "proved"
    assert verdict_of(record, "lj22.def1") == "definition"


def test_what_is_refuted_is_not_looked_at_in_later_stages(cheap):
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    cheap.certificates["lj22.gflow"] = STATED["gflow"]
    run(CLAIMS, SMOKE)
    methods = [method for name, method in cheap.performed if name == "lj22.gflow"]
    assert methods
    assert {STAGE[method] for method in methods} == {FIRST["lj22.gflow"]}
    others = [method for name, method in cheap.performed if name == "lj22.pullback"]
    assert {STAGE[method] for method in others} > {FIRST["lj22.pullback"]}


def test_the_record_is_strict_json_that_meets_its_schema(cheap):
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    cheap.certificates["lj22.gflow"] = STATED["gflow"]
    record = run(CLAIMS, SMOKE)
    validate(record)
    assert json.loads(dumps(record)) == record


def test_the_record_says_how_the_run_was_made(cheap):
    record = run(CLAIMS[:1], replace(SMOKE, seed=5, command="lemmata run lj22.risk"))
    about = record["run"]
    assert (about["budget"], about["seed"], about["device"]) == ("smoke", 5, "cpu")
    assert about["command"] == "lemmata run lj22.risk"
    assert {"python", "torch"} <= set(about["versions"])
    (claim,) = record["claims"]
    assert claim["command"] == "lemmata run lj22.risk --budget smoke --seed 5"
    assert {piece["seed"] for piece in claim["evidence"]} == {5}


def test_evidence_is_in_the_order_of_the_methods_whatever_finishes_first(cheap, monkeypatch):
    def last_first(tasks, workers, more, kept, executor):
        def newest_first(task, piece):
            return list(reversed(more(task, piece)))

        return in_process(list(reversed(tasks)), newest_first, kept)

    monkeypatch.setattr("verify.runs.engine.execute", last_first)
    found, left = gather(CLAIMS, SMOKE)
    assert left == []
    assert list(found) == list(NAMES)
    for pieces in found.values():
        methods = [piece.method for piece in pieces]
        assert methods == [name for name in METHODS if name in methods]


def test_a_run_of_no_claim_runs_the_controls(cheap):
    record = run([], SMOKE)
    assert record["claims"] == []
    assert {name for name, _ in cheap.performed} == set(CONTROLS)
    validate(record)


def test_progress_counts_what_is_done_and_what_may_be(cheap, tmp_path):
    seen = []

    def note(done, total, task, ahead):
        seen.append((done, total, task, len(ahead())))

    setting = replace(SMOKE, journal=tmp_path, progress=note)
    run(CLAIMS, setting)
    assert [done for done, *_ in seen] == list(range(1, len(TASKS) + 1))
    totals = [total for _, total, *_ in seen]
    assert totals == sorted(totals, reverse=True)  # those that are left out leave it
    assert (totals[0], totals[-1]) == (len(ALL), len(TASKS))
    assert all(done + ahead == total for done, total, _, ahead in seen)
    assert [(task.claim, task.method) for _, _, task, _ in seen] == cheap.performed
    seen.clear()
    run([*CLAIMS, find("lj22.eq2")], setting)  # what is in the journal is done already
    new = len(tasks_for(find("lj22.eq2"), "smoke", 0, "cpu"))
    assert len(seen) == new
    assert seen[-1][:2] == (len(TASKS) + new, len(TASKS) + new)
    assert seen[-1][3] == 0


# the journal: what is done is not done again -----------------------------------------------------
@given(after=st.integers(1, len(TASKS)))
@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # a new folder for each example
)
def test_an_interrupted_run_goes_on_where_it_stopped(cheap, tmp_path_factory, after):
    cheap.forget()
    setting = replace(SMOKE, journal=tmp_path_factory.mktemp("journal"))
    with pytest.raises(KeyboardInterrupt):
        run(CLAIMS, replace(setting, progress=Interrupt(after)))
    first = cheap.forget()
    assert len(first) == after
    resumed = run(CLAIMS, setting)
    second = cheap.forget()
    assert sorted(first + second) == sorted(TASKS)
    assert settled(resumed) == settled(run(CLAIMS, SMOKE))


def test_an_interrupt_within_a_task_loses_only_that_task(cheap, tmp_path):
    setting = replace(SMOKE, journal=tmp_path)
    cheap.broken["lj22.pullback"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        run(CLAIMS, setting)
    first = cheap.forget()
    cut = first.pop()
    assert cut[0] == "lj22.pullback"
    cheap.broken.clear()
    run(CLAIMS, setting)
    assert sorted(first + cheap.forget()) == sorted(TASKS)


def test_a_second_run_performs_nothing_and_says_the_same(cheap, tmp_path):
    setting = replace(SMOKE, journal=tmp_path)
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    cheap.certificates["lj22.gflow"] = STATED["gflow"]
    first = run(CLAIMS, setting)
    cheap.forget()
    second = run(CLAIMS, setting)
    assert cheap.performed == []
    assert settled(second) == settled(first)
    assert second["claims"] == first["claims"]  # the times, too: those of the real work


def test_fresh_performs_everything_and_is_kept(cheap, tmp_path):
    setting = replace(SMOKE, journal=tmp_path)
    run(CLAIMS, setting)
    cheap.forget()
    cheap.outcomes["lj22.gflow"] = Outcome.INCONCLUSIVE
    record = run(CLAIMS, replace(setting, fresh=True))
    assert sorted(cheap.forget()) == sorted(TASKS)
    assert verdict_of(record, "lj22.gflow") == "open"
    assert verdict_of(run(CLAIMS, setting), "lj22.gflow") == "open"
    assert cheap.performed == []


@pytest.mark.parametrize("change", [{"seed": 1}, {"budget": "ci"}], ids=str)
def test_other_settings_do_not_take_it_from_the_journal(cheap, tmp_path, change):
    setting = replace(SMOKE, journal=tmp_path)
    run(CLAIMS, setting)
    cheap.forget()
    run(CLAIMS, replace(setting, **change))
    ci = [task for claim in EVERYTHING for task in tasks_for(claim, "ci", 0, "cpu")]
    whole = {(task.claim, task.method) for task in ci}
    assert set(cheap.forget()) <= (whole if "budget" in change else set(TASKS))
    run(CLAIMS, setting)  # and what was there still is
    assert cheap.performed == []


def test_only_a_changed_claim_is_run_again(cheap, tmp_path):
    setting = replace(SMOKE, journal=tmp_path)
    run(CLAIMS, setting)
    cheap.forget()
    changed = [replace(CLAIMS[0], statement="$1=1$"), *CLAIMS[1:]]
    run(changed, setting)
    assert {name for name, _ in cheap.performed} == {CLAIMS[0].id}


def test_without_a_journal_nothing_is_kept(cheap, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(CLAIMS, SMOKE)
    run(CLAIMS, SMOKE)
    assert len(cheap.performed) == 2 * len(TASKS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("journal", [False, True])
def test_tasks_of_a_run_share_a_folder_that_a_fresh_run_does_not_find(
    cheap, tmp_path, monkeypatch, fresh, journal
):
    folders = []

    def noting(tasks, workers, more, kept, executor):
        folders.append(kept)
        kept.mkdir(parents=True, exist_ok=True)
        (kept / "found").touch()
        return in_process(tasks, more, kept)

    monkeypatch.setattr("verify.runs.engine.execute", noting)
    setting = replace(SMOKE, journal=tmp_path / "j" if journal else None, fresh=fresh)
    run(CLAIMS, setting)
    lasting = journal and not fresh
    assert (folders[0] / "found").exists() is lasting
    assert folders[0].is_relative_to(tmp_path / "j") is lasting


def test_a_corrupt_record_stops_the_run_and_fresh_goes_past_it(cheap, tmp_path):
    setting = replace(SMOKE, journal=tmp_path)
    run(CLAIMS, setting)
    path = min(path for path in tmp_path.rglob("*.json"))
    path.write_text("{")
    with pytest.raises(JournalError, match=path.name):
        run(CLAIMS, setting)
    assert path.read_text() == "{"
    run(CLAIMS, replace(setting, fresh=True))
    cheap.forget()
    run(CLAIMS, setting)  # fresh has mended it
    assert cheap.performed == []


def test_a_journal_that_cannot_be_written_is_told_before_the_work(cheap, tmp_path):
    setting = replace(SMOKE, journal=tmp_path / "journal")
    (tmp_path / "journal").write_text("a file")
    with pytest.raises(OSError, match="journal"):
        run(CLAIMS, setting)
    assert cheap.performed == []


def test_a_journal_that_has_everything_need_not_be_written(cheap, tmp_path, monkeypatch):
    setting = replace(SMOKE, journal=tmp_path)
    whole = run(CLAIMS, setting)
    cheap.forget()

    def read_only(self):
        raise OSError("read-only")

    monkeypatch.setattr("verify.runs.journal.Journal.check_writable", read_only)
    assert settled(run(CLAIMS, setting)) == settled(whole)
    assert cheap.performed == []


# a check that breaks -----------------------------------------------------------------------------
def test_a_check_that_raises_is_an_error_and_the_run_goes_on(cheap, tmp_path):
    setting = replace(SMOKE, journal=tmp_path)
    cheap.broken["lj22.gflow"] = ZeroDivisionError("by nought")
    record = run(CLAIMS, setting)
    assert sorted(cheap.forget()) == sorted(TASKS)
    assert verdict_of(record, "lj22.gflow") == "error"
    reason = next(c["reason"] for c in record["claims"] if c["id"] == "lj22.gflow")
    assert "ZeroDivisionError: by nought" in reason
    assert "cheap_methods.py:" in reason
    assert verdict_of(record, "lj22.risk") == "supported"
    assert record["run"]["void"] is False
    validate(record)
    # an error is not kept: once the check is mended it runs, and the others do not
    cheap.broken.clear()
    record = run(CLAIMS, setting)
    assert {name for name, _ in cheap.performed} == {"lj22.gflow"}
    assert verdict_of(record, "lj22.gflow") == "supported"


# controls ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize("outcome", [Outcome.SUPPORTS, Outcome.REFUTES, Outcome.ERROR], ids=str)
def test_a_control_that_misbehaves_voids_the_run(cheap, name, outcome):
    cheap.outcomes[name] = outcome
    record = run(CLAIMS[:1], SMOKE)
    control = next(c for c in record["controls"] if c["id"] == name)
    told = {Outcome.SUPPORTS: "supported", Outcome.REFUTES: "refuted", Outcome.ERROR: "error"}
    assert control["observed"] == told[outcome]
    assert record["run"]["void"] is (control["observed"] not in CONTROLS[name][1])
    assert control["ok"] is not record["run"]["void"]
    if record["run"]["void"]:
        reason = next(r for r in record["run"]["void_reasons"] if r.startswith(name))
        assert name in reason
        assert control["observed"] in reason
        assert control["expected"] in reason
    validate(record)


def test_an_accepted_forgery_voids_the_run(cheap, monkeypatch):
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    cheap.certificates["lj22.gflow"] = STATED["gflow"]
    monkeypatch.setattr("verify.runs.record.answer", lambda c: {"exit": 0, "message": "accepted"})
    record = run(CLAIMS, SMOKE)
    assert record["run"]["void"] is True
    assert record["run"]["void_reasons"] == [
        "control.tampered: expected 1 rejected, observed 0 rejected"
    ]


def test_certificates_of_controls_are_tampered_with_too(cheap):
    cheap.certificates["control.false"] = STATED["risk"]
    record = run([], SMOKE)
    assert record["controls"][-1]["observed"] == "1 rejected"
    assert record["claims"] == []
