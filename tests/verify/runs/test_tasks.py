"""Tasks: which there are, what their keys depend on, what becomes of a check that breaks."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.errors import PrecisionError
from tests.repository import ROOT
from tests.verify.runs.cheap_methods import install
from verify.core import budgets
from verify.core.budgets import UnknownBudgetError, budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.papers.registry import all_claims, find
from verify.runs import tasks
from verify.runs.controls import CONTROLS
from verify.runs.tasks import METHODS, Task, keys_of, method_named, perform, tasks_for

EVERY_CLAIM = [*all_claims(), *(claim for claim, _ in CONTROLS.values())]
CLAIM = find("lj22.gflow")
TASK = Task("lj22.gflow", "pointwise", "smoke", 0, "cpu")

KEYS = """
import json
from verify.papers.registry import all_claims
from verify.runs import tasks
from verify.runs.tasks import tasks_for
from verify.runs.controls import CONTROLS
tasks.digest_of = lambda files: repr(sorted(files))
claims = [*all_claims(), *(claim for claim, _ in CONTROLS.values())]
print(json.dumps([task.key(c) for c in claims for task in tasks_for(c, "ci", 0, "cpu")[:1]]))
"""


def keys_elsewhere(directory, hash_seed: str) -> list[str]:
    """The key of the first task of every claim, as another process finds it."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", KEYS],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


# keys ------------------------------------------------------------------------------------------
def test_keys_are_the_same_in_every_process(tmp_path, monkeypatch):
    # the digest of code has its own test; it changes whenever somebody saves a file
    monkeypatch.setattr(tasks, "digest_of", lambda files: repr(sorted(files)))
    here = [[*keys_of(c, tasks_for(c, "ci", 0, "cpu")).values()] for c in EVERY_CLAIM]
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    assert keys_elsewhere(tmp_path, seed) == [few[0] for few in here if few]
    every = [key for few in here for key in few]
    assert len(set(every)) == len(every) > len(EVERY_CLAIM)


def test_a_key_depends_on_everything_that_matters(monkeypatch):
    seen = {"itself": TASK.key(CLAIM)}
    for field, value in {
        "claim": "lj22.risk",
        "method": "search",
        "budget": "ci",
        "seed": 1,
        "device": "cuda",
    }.items():
        seen[field] = replace(TASK, **{field: value}).key(CLAIM)
    seen["statement"] = TASK.key(replace(CLAIM, statement="another"))
    seen["code"] = TASK.key(replace(CLAIM, terms=find("lj22.eq3").terms))
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "digest_of", lambda files: "other code")
        seen["files"] = TASK.key(CLAIM)
    with monkeypatch.context() as patch:
        versions = tasks.versions()
        patch.setattr(tasks, "versions", lambda: versions | {"numpy": "1.0"})
        seen["versions"] = TASK.key(CLAIM)
    with monkeypatch.context() as patch:
        patch.setitem(budgets.BUDGETS, "smoke", replace(budget_named("smoke"), draws=13))
        seen["what the budget holds"] = TASK.key(CLAIM)
    same = [(a, b) for a, b in combinations(seen, 2) if seen[a] == seen[b]]
    assert same == []
    assert TASK.key(CLAIM) == seen["itself"]


def test_a_key_depends_on_nothing_that_is_only_shown():
    for change in ({"title": "another"}, {"reading_text": "another"}, {"repairs": "lj22.risk"}):
        assert TASK.key(replace(CLAIM, **change)) == TASK.key(CLAIM)


tasks_drawn = st.builds(
    Task,
    st.sampled_from(["lj22.risk", "lj22.gflow"]),
    st.sampled_from(METHODS),
    st.sampled_from(list(budgets.BUDGETS)),
    st.integers(0, 3),
    st.sampled_from(["cpu", "cuda"]),
)


@given(tasks_drawn, tasks_drawn)
def test_keys_agree_when_tasks_do(first, second):
    assert (first.key(CLAIM) == second.key(CLAIM)) is (first == second)


# which tasks -------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", EVERY_CLAIM[::30], ids=lambda claim: claim.id)
def test_tasks_of_a_claim(claim):
    found = tasks_for(claim, "smoke", 3, "cpu")
    assert {(t.claim, t.budget, t.seed, t.device) for t in found} <= {(claim.id, "smoke", 3, "cpu")}
    methods = [task.method for task in found]
    assert methods == [name for name in METHODS if name in methods]
    of_limits = claim.kind is Kind.LIMIT
    assert ("search" in methods) is (claim.judged and not of_limits)
    assert ("rays" in methods) is of_limits
    argued = claim.proof is not None or claim.derivation is not None
    assert ("schema" in methods) is argued
    if claim.kind is Kind.EXISTENCE:  # a random case that is no witness says nothing
        assert "trials" not in methods
        assert "pointwise" not in methods
    if claim.exact_only:
        assert "trials" not in methods


def test_every_method_has_its_function():
    for name in METHODS:
        function = method_named(name)
        assert function.__name__ == name
        assert function.__module__ == f"verify.methods.{name}"
    used = {task.method for claim in EVERY_CLAIM for task in tasks_for(claim, "ci", 0, "cpu")}
    assert used == set(METHODS)


# what becomes of them ------------------------------------------------------------------------
def test_a_task_is_performed_with_its_budget_seed_and_claim(monkeypatch):
    cheap = install(monkeypatch)
    piece = perform(replace(TASK, seed=4))
    assert cheap.performed == [("lj22.gflow", "pointwise")]
    assert (piece.method, piece.seed, piece.scope) == ("pointwise", 4, ("budget smoke",))


def test_a_check_that_raises_is_evidence_that_says_where(monkeypatch):
    cheap = install(monkeypatch)
    cheap.broken["lj22.gflow"] = ZeroDivisionError("division by zero")
    piece = perform(replace(TASK, seed=4))
    assert piece.outcome is Outcome.ERROR
    assert piece.method == "pointwise"
    assert piece.seed == 4
    assert piece.summary.startswith("ZeroDivisionError: division by zero (cheap_methods.py:")
    assert piece.certificate is None


def test_a_library_that_is_missing_breaks_no_check(monkeypatch):
    cheap = install(monkeypatch)
    cheap.broken["lj22.gflow"] = PrecisionError("python-flint is not installed")
    evidence = perform(Task("lj22.gflow", "trials", "smoke", 0, "cpu"))
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.summary == "python-flint is not installed"


def test_an_interrupt_is_no_evidence(monkeypatch):
    cheap = install(monkeypatch)
    cheap.broken["lj22.gflow"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        perform(TASK)


def test_controls_are_performed_by_their_ids(monkeypatch):
    cheap = install(monkeypatch)
    perform(replace(TASK, claim="control.true"))
    assert cheap.performed == [("control.true", "pointwise")]


def test_an_unknown_budget_is_not_taken_for_a_broken_check():
    with pytest.raises(UnknownBudgetError):
        perform(replace(TASK, budget="enormous"))
