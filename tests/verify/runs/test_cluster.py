"""A Dask cluster of processes finds what one process finds; what is lost or wrong is told."""

import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest

from lemmata.errors import INTERNAL, USAGE, user_errors
from lemmata.main import main
from tests.repository import ROOT
from tests.verify.runs.cheap_methods import SMOKE, settled
from verify.core.evidence import Outcome
from verify.papers.registry import find
from verify.runs import cluster as clusters
from verify.runs import executors
from verify.runs.cluster import ClusterError, ClusterLostError, Site, differing, hired, needs
from verify.runs.engine import run
from verify.runs.executors import execute
from verify.runs.tasks import Task, perform

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
psutil = pytest.importorskip("psutil", reason="the extra `cluster` is not installed")

CLAIMS = [find(name) for name in ("lj22.gflow", "lj22.risk", "lj22.lemma3@A")]
QUICK = Task("lj22.pullback", "schema", "smoke", 0, "cpu")
HOURS = Task("lj22.lemma2a", "search", "full", 0, "cpu")


def dask(*words):
    """A command of Dask, in the background, that finds the Lemmata of this repository."""
    options = {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "dask", *words], **options)


def until(holds):
    """Wait for what is on its way, however busy the machine is."""
    while not holds():
        time.sleep(0.02)


class Processes:
    """A scheduler in this process, and workers that are processes."""

    def __init__(self, local, folder):
        self.scheduler = local.scheduler
        self.executor = local.scheduler_address.replace("tcp", "dask")
        self.workers = {}
        self._words = (local.scheduler_address, "--nthreads", "1", "--no-dashboard")
        self._words += ("--local-directory", str(folder))

    def start(self, *words):
        name = f"worker-{len(self.workers)}"
        self.workers[name] = dask("worker", *self._words, "--name", name, *words)
        until(lambda: name in {worker.name for worker in self.scheduler.workers.values()})

    def have(self, number):
        """See to it that there are at least so many."""
        alive = [one for one in self.workers.values() if one.poll() is None]
        for _ in range(number - len(alive)):
            self.start("--no-nanny")

    def busy(self):
        """The names of the workers that have a task."""
        tasks = self.scheduler.tasks.values()
        return {task.processing_on.name for task in tasks if task.processing_on}

    def kill(self, name):
        self.workers[name].kill()
        self.workers[name].wait()

    def hands(self):
        """The processes in which the workers run tasks."""
        alive = (psutil.Process(one.pid) for one in self.workers.values() if one.poll() is None)
        return [p for one in alive for p in one.children() if "spawn_main" in " ".join(p.cmdline())]


@contextmanager
def local(folder):
    options = {"n_workers": 0, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    with distributed.LocalCluster(**options) as found:
        cluster = Processes(found, folder)
        try:
            yield cluster
        finally:
            for name in cluster.workers:
                cluster.kill(name)


@pytest.fixture
def empty(tmp_path):
    """A cluster without workers."""
    with local(tmp_path / "workers") as cluster:
        yield cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster whose workers stay for the next test."""
    with local(tmp_path_factory.mktemp("workers")) as cluster:
        yield cluster


@pytest.fixture
def no_controls(monkeypatch):
    monkeypatch.setattr("verify.runs.engine.CONTROLS", {})


def refused(executor, task=QUICK):
    """Why a task is not run there."""
    with pytest.raises(ClusterError) as caught:
        list(execute([task], 1, executor=executor))
    return str(caught.value)


def test_records_are_those_of_one_process_for_any_number_of_workers_and_so_are_errors(
    empty, no_controls, monkeypatch, tmp_path
):
    here = run(CLAIMS, SMOKE)
    setting = replace(SMOKE, executor=empty.executor, journal=tmp_path / "journal")
    monkeypatch.setattr(executors, "perform", None)  # nothing more is run here
    monkeypatch.setattr(clusters, "_part", lambda *told: None)  # one start serves all three
    for number in (1, 2, 4):
        empty.have(number)
        shutil.rmtree(tmp_path / "journal", ignore_errors=True)
        assert settled(run(CLAIMS, setting)) == settled(here)
    wrong, kept = replace(QUICK, budget="endless"), tmp_path / "journal/parts"
    with pytest.raises(ValueError, match="unknown budget 'endless'"):
        list(execute([wrong], 1, kept=kept, executor=empty.executor))


def test_a_process_that_is_killed_costs_its_task_and_a_caller_that_stops_leaves_none(cluster):
    cluster.have(1)
    results = execute([HOURS, QUICK, replace(HOURS, seed=1)], 1, executor=cluster.executor)
    threading.Thread(target=lambda: (until(cluster.hands), cluster.hands()[0].kill())).start()
    task, piece = next(results)
    assert (task, piece.method, piece.outcome) == (HOURS, "search", Outcome.ERROR)
    assert "SIGKILL, as where memory runs out" in piece.summary
    task, piece = next(results)
    assert (task, piece.outcome) == (QUICK, Outcome.PROVES)
    until(cluster.busy)
    results.close()
    until(lambda: not cluster.hands())


def test_a_task_of_a_worker_that_is_lost_is_tried_again_elsewhere_and_then_an_error(cluster):
    cluster.have(2)
    cluster.scheduler.allowed_failures = 1
    results = execute([HOURS, QUICK], 1, executor=cluster.executor)
    assert next(results)[0] == QUICK
    (first,) = cluster.busy()
    cluster.kill(first)
    until(lambda: cluster.busy() - {first})
    (second,) = cluster.busy()
    cluster.kill(second)
    ((task, piece),) = results
    assert (task, piece.method, piece.outcome) == (HOURS, "search", Outcome.ERROR)
    assert "workers were lost while they had this task, 2 of them, the last one" in piece.summary


def test_a_scheduler_that_is_lost_is_told_and_the_run_goes_on_from_its_journal(
    no_controls, monkeypatch, tmp_path
):
    words = ("--no-dashboard", "--scheduler-file", str(tmp_path / "address.json"))
    scheduler = dask("scheduler", "--port", "0", *words)
    worker = dask("worker", "--nthreads", "1", "--no-nanny", *words)
    journal, done = tmp_path / "journal", []

    def and_hours(tasks, *others):
        return execute([*tasks, HOURS], *others)

    def note(count, total, task, ahead):
        done.append(task)
        if list(journal.rglob("*.json")):
            scheduler.kill()

    try:
        until((tmp_path / "address.json").exists)
        where = json.loads((tmp_path / "address.json").read_text())["address"]
        executor = where.replace("tcp", "dask")
        setting = replace(SMOKE, executor=executor, journal=journal, progress=note)
        monkeypatch.setattr("verify.runs.engine.execute", and_hours)
        with pytest.raises(ClusterLostError, match=f"scheduler of {executor} is lost.*journal"):
            run(CLAIMS, setting)
        worker.wait()  # it ends with its scheduler
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
    monkeypatch.setattr("verify.runs.engine.execute", execute)
    later = []
    monkeypatch.setattr(
        executors, "perform", lambda task, kept: later.append(task) or perform(task, kept)
    )
    setting = replace(SMOKE, journal=journal)
    assert settled(run(CLAIMS, setting)) == settled(run(CLAIMS, SMOKE))
    assert later.count(done[-1]) == 1  # of two runs


def test_workers_that_are_not_as_this_process_are_refused(cluster, monkeypatch, tmp_path):
    cluster.have(1)
    there = clusters.lemmata()
    monkeypatch.setattr(clusters, "lemmata", lambda: "another")
    told = f"is not as this process: Lemmata is another here and {there} there: give it the same"
    assert told in refused(cluster.executor)
    monkeypatch.undo()
    file = tmp_path / "mine.py"
    file.write_text("import beside\n")
    (tmp_path / "beside.py").write_text("x = 1\n")
    monkeypatch.setattr(clusters, "content", lambda file: "as it was")
    told = refused(cluster.executor, replace(QUICK, file=str(file)))
    for name in ("mine.py", "beside.py"):
        assert f"{tmp_path / name} is as it was here and " in told


def test_a_worker_without_lemmata_is_refused(empty):
    empty.start("--no-nanny", "--preload", "import sys; sys.modules['verify'] = None")
    told = refused(empty.executor)
    assert "a worker cannot run a task (ModuleNotFoundError: " in told
    assert "install Lemmata there as it is here" in told


def test_a_cluster_without_workers_is_told_of_and_waited_for(empty, caplog):
    told = f"{empty.executor} has no workers: the run waits until one comes"

    def come():
        until(lambda: told in caplog.messages)
        empty.start("--no-nanny")

    coming = threading.Thread(target=come)
    coming.start()
    [(task, piece)] = execute([QUICK], 1, executor=empty.executor)
    coming.join()
    assert task == QUICK
    assert piece is not None
    assert caplog.messages.count(told) == 1


def test_a_worker_that_can_start_no_process_is_refused(monkeypatch):
    site, nanny = Site(needs(()), None), SimpleNamespace(daemon=True)

    def full(kept):
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(clusters, "Worker", full)
    with pytest.raises(
        ClusterError, match=r"worker w can start no process .Cannot allocate memory"
    ):
        hired(site, "w")
    monkeypatch.setattr("multiprocessing.current_process", lambda: nanny)
    with pytest.raises(ClusterError, match=r"worker w has a nanny.*start it anew with --no-nanny"):
        hired(site, "w")


def test_a_scheduler_of_another_dask_is_refused(empty, monkeypatch):
    real = distributed.Client.get_versions

    def versions(client):
        found = real(client)
        found["scheduler"]["packages"]["dask"] = "1.0"
        return found

    monkeypatch.setattr(distributed.Client, "get_versions", versions)
    told = f"the scheduler is not as this process: dask is {distributed.__version__} here and 1.0"
    assert told in refused(empty.executor)


def test_what_differs_is_named():
    here = dict(needs(()))
    assert {"python", "torch", "distributed", "Lemmata"} <= here.keys()
    assert differing(here, here) == ""
    assert (
        differing({"a": "1", "b": "2"}, {"b": "3"})
        == "a is 1 here and absent there; b is 2 here and 3 there"
    )


@pytest.mark.parametrize(
    "executor", ["dask://127.0.0.1:1", "dask://127.0.0.1:port", "dask://127.0.0.1"]
)
def test_a_scheduler_that_does_not_answer_is_told(monkeypatch, executor):
    monkeypatch.setattr(clusters, "PATIENCE", 0.2)
    told = refused(executor)
    assert f"{executor}: no scheduler answers there" in told
    assert "start one by `dask scheduler`" in told


@pytest.mark.parametrize("executor", ["dask://", "dask:", "local", "tcp://127.0.0.1:1"])
def test_what_names_no_cluster_is_wrong_usage(capsys, executor):
    assert main(["run", "lj22.pullback", "--executor", executor]) == USAGE
    told = f"lemmata: --executor {executor}: it names no cluster: give dask://HOST:PORT"
    assert capsys.readouterr().err.startswith(told)


def test_without_dask_the_extra_is_named(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["run", "lj22.pullback", "--executor", "dask://127.0.0.1:1"]) == USAGE
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "pip install 'lemmata[cluster]'" in told


def test_a_cluster_that_is_lost_is_one_line_and_an_exit_code(capsys):
    with user_errors() as outcome:
        raise ClusterLostError("the scheduler is lost")
    assert outcome.code == INTERNAL
    assert capsys.readouterr().err == "lemmata: the scheduler is lost\n"
