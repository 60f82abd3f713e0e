"""Tasks on a Dask cluster: on the workers, on any machines, that see one scheduler.

A worker of Dask keeps processes of its own, one for each of its threads, and has them run the tasks
as a pool of processes on one machine does. So what brings such a process down is an error of that
task alone; where a whole worker is lost, Dask hands out its tasks again. Workers have the code and
the packages of who hands out the tasks, or are refused: a record does not tell who found what.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from verify.core.code_hashes import FLOORS, ROOT, of_the_house, versions, with_imports
from verify.core.evidence import Evidence, Outcome
from verify.runs.interrupts import noted_interrupts
from verify.runs.tasks import Finished, More, Task
from verify.runs.workers import Worker

LOG = logging.getLogger("lemmata")
PROTOCOLS = {"dask": "tcp", "tls": "tls"}
PATIENCE = 10.0  # seconds for a scheduler to answer
PARTING = 2.0  # seconds for a cluster to hear that a run is over
GLANCE = 0.2  # seconds between two looks at whether a task is still wanted
SAME = "give it the same, and start it anew"

Told = tuple[Evidence | None, BaseException | None]
"""What a task gave, or raised."""


class ClusterError(ValueError):
    """A cluster that cannot be used as it is: what it lacks, and what to do."""


class ClusterLostError(ConnectionError):
    """A cluster that went away during a run."""


@dataclass(frozen=True)
class Site:
    """Where tasks are run. needs: what is to be there as it is where they are handed out. kept: the
    folder where long experiments keep what they have so far, used where a worker sees it."""

    needs: tuple[tuple[str, str], ...]
    kept: Path | None


@dataclass(frozen=True)
class Errand:
    """A task on its way: who loads it runs it. Dask sees bytes alone, so its scheduler needs no
    Lemmata, and a worker without it can say so: of names it does not know in a message it dies."""

    task: Task
    site: Site

    def __reduce__(self) -> tuple[Callable[..., Told], tuple[Task, Site]]:
        return perform_there, (self.task, self.site)


# where tasks are handed out -----------------------------------------------------------------------
def on_cluster(
    tasks: Sequence[Task], executor: str, more: More, kept: Path | None
) -> Generator[Finished, None, None]:
    """Run the tasks, and those that come of them, on the cluster of an address, in the order in
    which they finish.

    On an interrupt, or when the caller takes no more, the unfinished tasks are given up at once.
    Raises ClusterError, ClusterLostError, and what a task raised.
    """
    site = Site(needs({task.file for task in tasks}), kept and kept.resolve())
    ended: SimpleQueue[Any] = SimpleQueue()
    under_way: dict[Any, Task] = {}
    with noted_interrupts() as check, _connected(executor, site) as client:

        def begin(some: Sequence[Task]) -> None:
            errands = [pickle.dumps(Errand(task, site)) for task in some]
            futures = client.map(pickle.loads, errands, key="lemmata", pure=False) if some else ()
            under_way.update(zip(futures, some, strict=True))
            for future in futures:
                future.add_done_callback(ended.put)

        begin(tasks)
        while under_way:
            check()
            try:
                future = ended.get(timeout=GLANCE)
            except Empty:
                continue
            outcome = _outcome(future)
            if isinstance(outcome, TimeoutError):  # lost with its worker, and on its way anew
                ended.put(future)
                continue
            task = under_way.pop(future)
            future.release()
            piece = _piece(task, outcome, executor)
            begin(more(task, piece))
            yield task, piece


def address(executor: str) -> str:
    """The address of a scheduler as Dask says it. Raises ClusterError, also where Dask is not
    installed."""
    kind, _, place = executor.partition("://")
    if kind not in PROTOCOLS or not place:
        raise ClusterError(
            f"--executor {executor}: it names no cluster: give dask://HOST:PORT, or tls://HOST:PORT"
        )
    try:
        import distributed  # noqa: F401 - whether it can be used
    except ImportError as error:
        raise ClusterError(
            f"--executor {executor}: Dask is not installed here: pip install 'lemmata[cluster]'"
        ) from error
    return f"{PROTOCOLS[kind]}://{place}"


@contextmanager
def _connected(executor: str, site: Site) -> Iterator[Any]:
    """A client of the scheduler. Raises ClusterError where none answers, or one of another Dask."""
    where = address(executor)
    from distributed import Client

    # of a scheduler that goes away it is told once, by us
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    told = ""
    try:
        client = Client(where, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # noqa: BLE001 - a port that is none, certificates, another protocol
        told = f"{executor}: no scheduler answers there ({error}): start one by `dask scheduler`, "
    if told:  # told of here, where nothing holds the client: it closes while it still can
        raise ClusterError(f"{told}and name its host and port")
    try:
        found = client.get_versions()
        dask = [found[who]["packages"] for who in ("client", "scheduler")]
        here, there = (
            {name: one[name] for name in ("python", "dask", "distributed")} for one in dask
        )
        if told := differing(here, there):
            raise ClusterError(f"{executor}: the scheduler is not as this process: {told}: {SAME}")
        if not client.nthreads():
            LOG.warning("%s has no workers: the run waits until one comes", executor)
        yield client
    finally:
        if client.status == "running":  # at most so long: a machine may hang
            parting = Thread(target=_part, args=(client, site), daemon=True)
            parting.start()
            parting.join(PARTING)
        client.close(timeout=PARTING)


def _part(client: Any, site: Site) -> None:
    """Tell the workers that a run is over."""
    with suppress(Exception):
        client.run(dismiss, site, on_error="ignore")


def _outcome(future: Any) -> Any:
    """What `perform_there` returned, or what Dask raised instead."""
    try:
        return future.result(timeout=PATIENCE)
    except Exception as error:  # noqa: BLE001 - judged where the tasks were handed out
        return error


def _piece(task: Task, outcome: Told | BaseException, executor: str) -> Evidence | None:
    """What a task gave. Raises what it raised, ClusterError or ClusterLostError."""
    from distributed import CancelledError, KilledWorker

    if isinstance(outcome, KilledWorker):
        summary = (
            f"workers were lost while they had this task, {outcome.allowed_failures + 1} of them, "
            f"the last one {outcome.last_worker.address}, as where memory runs out"
        )
        return Evidence(task.method, Outcome.ERROR, summary, seed=task.seed)
    if isinstance(outcome, CancelledError | OSError):
        raise ClusterLostError(
            f"the scheduler of {executor} is lost: run again when there is one; what has finished "
            "is in the journal"
        ) from outcome
    if isinstance(outcome, BaseException):
        raise ClusterError(
            f"{executor}: a worker cannot run a task ({type(outcome).__name__}: {outcome}): "
            "install Lemmata there as it is here, and start it anew"
        ) from outcome
    piece, error = outcome
    if isinstance(error, ClusterError):
        raise ClusterError(f"{executor}: {error}")
    if error is not None:
        raise error
    return piece


# what has to be the same --------------------------------------------------------------------------
def needs(files: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """What has to be the same where tasks are handed out and where they are run: packages, the code
    of Lemmata, and that of claims of one's own in these files and folders, with what it imports."""
    own = sorted({part for file in files if file for part in _parts(Path(file))})
    told = {"Lemmata": lemmata(), **versions(), "distributed": version("distributed")}
    return tuple({**told, **{part: content(part) for part in own}}.items())


def _parts(file: Path) -> Iterator[str]:
    """The files that hold claims of one's own."""
    found = [file] if file.is_file() else [*file.rglob("*.py"), *file.rglob("*.toml")]
    code = frozenset(str(part) for part in found if part.suffix == ".py")
    yield from map(str, found)
    yield from (part for part in with_imports(code) if not of_the_house(Path(part)))


def content(file: str) -> str:
    """What tells the content of a file from another."""
    path = Path(file)
    return sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else "absent"


@cache
def lemmata() -> str:
    """What tells this code of Lemmata from another. It stays as it was when it was first asked for,
    as the code does that is loaded."""
    files = (path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*")))
    told = [
        f"{path.relative_to(ROOT)} {content(str(path))}"
        for path in files
        if path.suffix in (".py", ".json", ".toml")
    ]
    return sha256("\n".join(told).encode()).hexdigest()[:12]


def differing(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """What is not the same, "" where all is."""
    pairs = ((name, value, there.get(name, "absent")) for name, value in here.items())
    return "; ".join(f"{name} is {a} here and {b} there" for name, a, b in pairs if a != b)


# where tasks are run ------------------------------------------------------------------------------
_idle: dict[Site, list[Worker]] = {}
"""Of a worker of Dask: its processes that have no task."""


def perform_there(task: Task, site: Site) -> Told:
    """Run a task in a process of this worker of Dask; what the task raises is returned, too."""
    from distributed import get_worker

    me = get_worker()
    key = me.get_current_task()
    try:
        hand = _taken(site) or hired(site, me.address)
    except ClusterError as error:
        return None, error
    hand.begin(task)
    while _wanted(me, key) and not hand.connection.poll(GLANCE):
        pass
    told: Told = None, None
    if _wanted(me, key):
        try:
            told = hand.answer(), None
        except EOFError:
            told = hand.died(), None
        except Exception as error:  # noqa: BLE001 - raised again where the task was handed out
            told = None, error
    if hand.task is None:
        _idle.setdefault(site, []).append(hand)
    else:  # its process is gone, or nobody waits for what it gives
        _end(hand)
    return told


def _wanted(me: Any, key: str) -> bool:
    """Whether anybody waits for what a task gives: not where its run has ended in whatever way, nor
    where this worker of Dask is about to end."""
    state = me.state.tasks.get(key)
    ending = me.status.name in ("closing", "closed")
    return not ending and state is not None and state.state != "cancelled"


def hired(site: Site, who: str) -> Worker:
    """A new process for a site; those of other ones end. Raises ClusterError where this worker of
    Dask is not as it needs to be."""
    if multiprocessing.current_process().daemon:
        raise ClusterError(
            f"the worker {who} has a nanny, and so may start no processes: start it anew with "
            "--no-nanny"
        )
    files = [name for name, _ in site.needs if Path(name).is_absolute()]
    there = {**dict(needs(())), **{file: content(file) for file in files}}
    if told := differing(dict(site.needs), there):
        raise ClusterError(f"the worker {who} is not as this process: {told}: {SAME}")
    for other in [other for other in _idle if other != site]:
        dismiss(other)
    try:
        return Worker(site.kept if site.kept and site.kept.parent.is_dir() else None)
    except OSError as error:
        reason = f"the worker {who} can start no process ({error})"
        raise ClusterError(f"{reason}: give it more memory, or fewer threads") from error


def _taken(site: Site) -> Worker | None:
    with suppress(IndexError):
        return _idle.setdefault(site, []).pop()
    return None


def dismiss(site: Site) -> None:
    """Let the processes go that have no task at a site."""
    while (hand := _taken(site)) is not None:
        _end(hand)
    _idle.pop(site, None)


def _end(hand: Worker) -> None:
    hand.end()
    hand.wait()
