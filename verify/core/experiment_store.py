"""What a long experiment has computed so far, on disk: a run that stopped goes on from there.

Parts of one figure share what they train: each looks here first, and waits where another is at work
on it. A file is named by everything that its arrays depend on, the engine's code and the versions
among it, and is written atomically. It ends in a checksum of its name and of its arrays; whatever
does not fit that is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from verify.core.code_hashes import digest_of, versions

LOCKS = "locks"  # the folder of the files that are held while arrays are made
CHECKSUM = hashlib.sha256().digest_size  # bytes at the end of a file
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class ExperimentStore:
    """A folder of arrays by what they depend on; None keeps nothing."""

    folder: Path | None = None

    def once(self, code: str, parts: Mapping[str, Any], make: Callable[[], Arrays]) -> Arrays:
        """The arrays that `make` gives, from disk where they are there. code: the file of the code
        that `make` runs, outside the engine; parts: its arguments, as JSON can hold them.

        A file that cannot be read, or was changed, is made again; what cannot be written is not
        kept.
        """
        if self.folder is None:
            return make()
        path = self.folder / f"{_key(code, parts)}.npz"
        with _alone(path):
            found = _read(path)
            if found is not None:
                return found
            arrays = make()
            _keep(path, arrays)
        return arrays


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """While nobody else makes these arrays. The lock of a process that is killed is free again;
    where no file can be written there is none."""
    folder = path.parent / LOCKS
    lock = FileLock(folder / path.stem)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _read(path: Path) -> Arrays | None:
    """The arrays of a file; None where there is none, or it is not as it was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    data, checksum = content[:-CHECKSUM], content[-CHECKSUM:]
    if checksum != _checksum(path, data):
        return None
    with np.load(BytesIO(data), allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def _checksum(path: Path, data: bytes) -> bytes:
    return hashlib.sha256(path.stem.encode() + data).digest()


def _keep(path: Path, arrays: Arrays) -> None:
    """Write arrays whole or, where the disk is full, not at all."""
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    packed = BytesIO()
    np.savez_compressed(packed, **dict(arrays))  # type: ignore[arg-type]  # names are ours
    data = packed.getvalue()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data + _checksum(path, data))
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()


def _key(code: str, parts: Mapping[str, Any]) -> str:
    whole = {
        "parts": dict(parts),
        "code": digest_of(frozenset({code})),
        "versions": versions(),
    }
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
