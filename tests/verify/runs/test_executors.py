"""Executors: whichever runs the tasks, in this process or in others, the findings are the same."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial

import pytest

from tests.repository import ROOT
from tests.verify.runs.cheap_methods import SMOKE, install, settled
from verify.core.evidence import Outcome
from verify.papers.registry import find
from verify.runs.engine import run
from verify.runs.executors import execute, in_process, process_pool
from verify.runs.tasks import Task

CLAIMS = [find(name) for name in ("lj22.gflow", "lj22.pullback")]
QUICK = Task("lj22.pullback", "schema", "smoke", 0, "cpu")
ENDLESS = Task("lj22.lemma2a", "search", "endless", 0, "cpu")


@pytest.fixture
def no_controls(monkeypatch):
    """Controls have their own tests; here they would only take time."""
    monkeypatch.setattr("verify.runs.engine.CONTROLS", {})


def test_a_pool_finds_what_one_process_finds(no_controls, tmp_path):
    setting = replace(SMOKE, workers=1, journal=tmp_path / "one")
    alone = run(CLAIMS, setting)
    shared = run(CLAIMS, replace(SMOKE, workers=2, journal=tmp_path / "two"))
    assert settled(shared) == settled(alone)
    verdicts = {claim["id"]: claim["verdict"] for claim in alone["claims"]}
    assert verdicts == {"lj22.gflow": "refuted", "lj22.pullback": "proved"}
    # the journals hold the same tasks, so one may go on with the journal of the other
    names = [sorted(p.name for p in (tmp_path / j).rglob("*.json")) for j in ("one", "two")]
    assert names[0] == names[1] != []


def test_in_process_keeps_the_order_and_works_as_results_are_taken(monkeypatch):
    cheap = install(monkeypatch)
    tasks = [replace(QUICK, seed=seed) for seed in range(4)]
    results = in_process(tasks)
    assert cheap.performed == []
    task, piece = next(results)
    assert (task, piece.seed) == (tasks[0], 0)
    assert len(cheap.performed) == 1
    assert [task for task, _ in results] == tasks[1:]


@pytest.mark.parametrize(("count", "workers"), [(0, 1), (0, 4), (1, 4), (3, 1)])
def test_little_work_starts_no_process(monkeypatch, count, workers):
    cheap = install(monkeypatch)  # which another process would not have
    tasks = [replace(QUICK, seed=seed) for seed in range(count)]
    found = dict(execute(tasks, workers))
    assert list(found) == tasks
    assert len(cheap.performed) == count
    assert all(piece.outcome is Outcome.SUPPORTS for piece in found.values())


@pytest.mark.parametrize("run_all", [in_process, partial(process_pool, workers=2)])
def test_what_comes_of_a_task_is_run_too(run_all):
    tasks = [replace(QUICK, seed=seed) for seed in (0, 10)]

    def twice_more(task, piece):
        assert piece.outcome is Outcome.PROVES
        return [replace(task, seed=task.seed + 1)] if task.seed % 10 < 2 else []

    found = [task.seed for task, _ in run_all(tasks, more=twice_more)]
    assert sorted(found) == [0, 1, 2, 10, 11, 12]
    assert [seed for seed in found if seed < 10] == [0, 1, 2]


def no_worker_stays() -> bool:
    """Whether no process is left. The thread of a pool that has waited for one may still have to
    say so, hence the patience."""
    for _ in range(500):
        if not multiprocessing.active_children():
            return True
        time.sleep(0.01)
    return False


def test_what_a_worker_raises_arrives_and_no_worker_stays():
    with pytest.raises(ValueError, match="unknown budget 'endless'"):
        list(process_pool([QUICK, ENDLESS], 1))
    assert no_worker_stays()


def test_a_caller_that_stops_does_not_wait_for_what_is_unfinished():
    hours = [replace(ENDLESS, budget="full", seed=seed) for seed in range(3)]
    results = process_pool([QUICK, *hours], 2)
    task, piece = next(results)  # the others have begun, or are about to
    assert task == QUICK
    assert piece.outcome is Outcome.PROVES
    workers = [worker.pid for worker in multiprocessing.active_children()]
    assert len(workers) == 2
    results.close()  # as an interrupt does
    for pid in workers:  # gone, and waited for: not even a zombie is left
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert no_worker_stays()


def test_a_task_that_brings_its_process_down_is_an_error_of_that_task():
    hours = replace(ENDLESS, budget="full")
    results = process_pool([QUICK, hours, replace(QUICK, seed=1)], 1)
    assert next(results)[0] == QUICK  # the next one has been handed out by now
    (worker,) = multiprocessing.active_children()
    os.kill(worker.pid, signal.SIGKILL)  # as the system does where memory runs out
    task, piece = next(results)
    assert (task, piece.method, piece.outcome) == (hours, "search", Outcome.ERROR)
    assert "SIGKILL" in piece.summary
    ((task, piece),) = results
    assert (task.seed, piece.outcome) == (1, Outcome.PROVES)
    assert no_worker_stays()


def test_an_interrupt_waits_until_the_pool_can_stop():
    results = process_pool([QUICK, replace(ENDLESS, budget="full")], 1)
    next(results)
    os.kill(os.getpid(), signal.SIGTERM)  # noted: the caller is not disturbed at what it does
    with pytest.raises(KeyboardInterrupt):
        next(results)
    assert no_worker_stays()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


ELSEWHERE = """
import multiprocessing, os, sys, time
from verify.runs import workers

def serve(parent):
    sys.platform = "another"
    workers._end_with(parent)
    print("at work", flush=True)
    time.sleep(3600)

if __name__ == "__main__":
    multiprocessing.get_context("spawn").Process(target=serve, args=(os.getpid(),)).start()
"""


def test_workers_end_with_the_first_process_where_the_system_does_not_see_to_it(tmp_path):
    script = tmp_path / "elsewhere.py"
    script.write_text(ELSEWHERE)
    process = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        text=True,
    )
    assert process.stdout.readline() == "at work\n"
    process.kill()
    assert process.communicate(timeout=60)[0] == ""  # returns when nobody holds the pipe any more
