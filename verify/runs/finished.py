"""Finished runs: the record of a run is kept whole, so that the same run need not be put together.

It is served where nothing that it depends on has changed: code and data of Lemmata, versions, what
is asked for, files of claims, the baseline, and each record of the journal that it rests on. Nor is
it believed: it is signed with a secret that lies elsewhere, with the user. What somebody altered,
or brought along, is left aside; then the checker looks at the certificates once more.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import hmac
import json
import os
import secrets
import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from verify.core.code_hashes import ROOT, WITHIN, versions
from verify.runs.journal import FINISHED, Journal
from verify.runs.written import written_whole

FORMAT = "lemmata-finished 1"
HOUSE = ("graphs", "lemmata", "numerics", "reports", "verify", "statements.lock.json")
SHOWN = ("latex2mathml", "matplotlib")
"""Packages that pages depend on."""
OF_A_RUN = ("id", "started", "seconds", "command")
"""What a record says of one run, and not of the same run at another time."""
PURE = {"__future__", "fractions", "itertools", "lemmata", "math"}
"""Modules that tell nothing of files, times or the machine."""
READS = {"__file__", "__import__", "eval", "exec", "ledger", "open"}
"""Names by which a file of claims could come to depend on others."""


@dataclass(frozen=True)
class Finished:
    """Where the record of a run is kept that asks for this.

    asked: the options that the record depends on. files: those of claims. known: the baseline.
    key: what all that it depends on gives at the start of the run, but for the journal.
    """

    journal: Journal
    asked: Mapping[str, Any]
    files: Sequence[str]
    known: Mapping[str, Any] | None
    key: str

    @classmethod
    def of(
        cls,
        journal: Journal,
        asked: Mapping[str, Any],
        files: Sequence[str],
        known: Mapping[str, Any] | None,
    ) -> Finished | None:
        """Where such a run is kept; None where its claims may depend on more than is seen."""
        with suppress(OSError):
            if all(map(stands_alone, files)):
                return cls(journal, asked, files, known, _key(asked, files, known))
        return None

    def record(self, command: str) -> dict[str, Any] | None:
        """The record of such a run, as one that was begun now by this command; None where there is
        none that can be served."""
        start, started = time.perf_counter(), now()
        with suppress(OSError, RuntimeError, ValueError, KeyError), _no_collection():
            told, found = _read(self._path("record"), self.key)
            if told["journal"] != self.journal.digest(told["rests_on"]):
                return None
            run = found["run"]
            name = run["id"].replace(run["started"], started)
            run |= {"id": name, "started": started, "command": command}
            run["seconds"] = round(time.perf_counter() - start, 3)
            return found
        return None

    def keep(self, record: Mapping[str, Any], rests_on: Collection[str]) -> None:
        """Keep the record of a run that rests on these records of the journal, if code and all else
        stayed as it was at the start. Where nothing can be written, nothing is kept."""
        with suppress(OSError, RuntimeError):
            if not rests_on or _key(self.asked, self.files, self.known) != self.key:
                return
            told = {"journal": self.journal.digest(rests_on), "rests_on": sorted(rests_on)}
            _write(self._path("record"), self.key, told, record)

    def made(
        self, what: str, record: Mapping[str, Any], make: Callable[[], dict[str, str]]
    ) -> dict[str, str]:
        """The texts that are made of a record, but for what tells one run from the next: as they
        were made before, if it says the same, and all else is the same."""
        path = self._path(what)
        run = {name: one for name, one in record.get("run", {}).items() if name not in OF_A_RUN}
        content = json.dumps({**record, "run": run})
        key = _digest([self.key, what, hashlib.sha256(content.encode()).hexdigest()])
        with suppress(OSError, RuntimeError, ValueError, KeyError), _no_collection():
            found: dict[str, str] = _read(path, key)[1]
            return found
        texts = make()
        with suppress(OSError, RuntimeError):
            _write(path, key, {}, texts)
        return texts

    def _path(self, what: str) -> Path:
        """One for what is asked: that of other code takes its place."""
        name = _digest([self.asked, *self.files, what])
        return self.journal.folder / FINISHED / f"{name}.json"


def now() -> str:
    """The time, as records tell it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stands_alone(file: str) -> bool:
    """Whether what a file of claims says depends on its text and on Lemmata alone."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):  # a folder, say
        return False
    for node in ast.walk(tree):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        names = {getattr(node, part, None) for part in ("id", "attr", "arg", "name")}
        if not PURE.issuperset(modules) or READS & names:
            return False
    return True


def _key(asked: Mapping[str, Any], files: Sequence[str], known: Mapping[str, Any] | None) -> str:
    """SHA-256 of all that a record depends on, but for the journal."""
    own = [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files]
    shown = [version(name) for name in SHOWN]
    return _digest([asked, files, own, known, versions(), shown, _house()])


def _house() -> str:
    """SHA-256 of the code and the data of Lemmata, byte by byte."""
    digest = hashlib.sha256()
    places = [ROOT] if WITHIN else [ROOT / name for name in HOUSE]
    for file in sorted(file for place in places for file in _files(place)):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"{file.relative_to(ROOT).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def _files(place: Path) -> Iterator[Path]:
    """The files in a folder and below, but for what Python keeps there; a file itself."""
    if place.is_file():
        yield place
    for folder, inner, names in os.walk(place):
        inner[:] = [name for name in inner if name != "__pycache__"]
        yield from (Path(folder, name) for name in names)


def _read(path: Path, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is told of what is kept, and that itself. Raises OSError, RuntimeError, ValueError or
    KeyError where it is not there, or not of this key, or not as it was written."""
    sign, _, packed = path.read_bytes().partition(b"\n")
    if not hmac.compare_digest(sign, _sign(packed)):
        raise ValueError("signed by nobody here")
    head, _, body = zlib.decompress(b64decode(packed)).partition(b"\n")
    told = json.loads(head)
    if (told["format"], told["key"]) != (FORMAT, key):
        raise ValueError("of something else")
    os.utime(path)  # used now
    return told, json.loads(body)


def _write(path: Path, key: str, told: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Keep something, signed. Raises OSError or RuntimeError."""
    head = {"format": FORMAT, "key": key, **told}
    content = "\n".join(json.dumps(part, allow_nan=False) for part in (head, data))
    packed = b64encode(zlib.compress(content.encode(), 1))
    path.parent.mkdir(parents=True, exist_ok=True)
    written_whole(path, f"{_sign(packed).decode()}\n{packed.decode()}", lasting=False)


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _sign(content: bytes) -> bytes:
    """The keyed digest of a content. Raises OSError or RuntimeError where there is no secret."""
    return hmac.new(_secret(), content, "sha256").hexdigest().encode()


def _secret() -> bytes:
    """The user's secret, which is made where there is none."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    path = Path(state, "lemmata", "secret")
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        number, draft = mkstemp(dir=path.parent)  # which its owner alone can read
        with os.fdopen(number, "wb") as file:
            file.write(secrets.token_bytes(32))
        Path(draft).replace(path)
    return path.read_bytes()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing that is read is garbage, now or later: looking for it takes longer than reading."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if before:
            gc.enable()
