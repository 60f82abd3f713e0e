"""The journal: evidence on disk by the key of its task, so that a run resumes where it stopped.

It is not believed: a record holds a checksum, and is the very text that its content gives.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from verify.core.evidence import Evidence, Outcome, evidence_from_json
from verify.runs.written import written_whole

FORMAT = "lemmata-evidence"
VERSION = 2
DAY = 86400  # seconds
PARTS = "parts"  # the folder of what long experiments have so far
FINISHED = "finished"  # that of whole records: verify.runs.finished
RECORD = re.compile(r"[0-9a-f]{64}\.(json|npz)")
DRAFT = re.compile(r"\.?[0-9a-f]{60,64}\.[0-9a-f]+\.tmp")  # of a record
CERTIFIED = (Outcome.REFUTES, Outcome.PROVES, Outcome.PROVES_ON_SCOPE)
"""What evidence with a certificate may say only if the checker accepts the certificate."""


class JournalError(ValueError):
    """A record of the journal cannot be read, or what it says cannot be believed."""


class Unfinished(LookupError):
    """A task of which the journal has no record."""


@dataclass(frozen=True)
class Journal:
    """A folder with one file for each finished task. Written whole or not at all, never changed."""

    folder: Path

    def get(self, key: str) -> Evidence | None:
        """What a task gave, None where its method had nothing to say.

        Raises Unfinished where there is no record, JournalError for a corrupt record; nothing is
        deleted.
        """
        path = self._path(key)
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            raise Unfinished(key) from None
        try:
            piece = _read(content, key)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise self._corrupt(path, reason) from error
        _note_use(path)
        return piece

    def accepted(self, key: str, claim_id: str) -> Evidence | None:
        """What a task on a claim gave, each certificate in it accepted by the checker once more.

        Raises Unfinished where there is no record, JournalError for a corrupt record, and for a
        certificate that is not accepted.
        """
        piece = self.get(key)
        for certificate in () if piece is None else _certificates(piece):
            if fault := _fault(certificate, claim_id):
                raise self._corrupt(self._path(key), fault)
        return piece

    def digest(self, keys: Collection[str]) -> str:
        """SHA-256 of these records, byte by byte. Raises OSError where one is missing."""
        digest = hashlib.sha256()
        for key in sorted(keys):
            path = self._path(key)
            digest.update(f"{key} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
            _note_use(path)
        return digest.hexdigest()

    def put(self, key: str, evidence: Evidence | None) -> None:
        """Keep what a finished task gave. Raises OSError, which names the file."""
        path = self._path(key)
        content = None if evidence is None else evidence.to_json()
        data = {"format": FORMAT, "version": VERSION, "key": key, "evidence": content}
        text = _text(data | {"checksum": _checksum(data)})
        path.parent.mkdir(parents=True, exist_ok=True)
        written_whole(path, text, lasting=False)  # there are many, and a torn one is seen

    def check_writable(self) -> None:
        """Raises OSError where nothing can be kept: better to know before the work."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self.folder):
            pass

    def records(self) -> list[Path]:
        """The files of the journal: records, what long experiments have so far, and finished runs.
        Whatever else lies in its folder is none of them."""
        return self._found(RECORD)

    def clean(self, days: int = 0) -> tuple[int, int]:
        """Delete the records that no run has used for so many days, and what runs that were killed
        had begun to write. Returns how many records those were, and their size in bytes. Raises
        OSError."""
        count = size = 0
        for path in self.records():  # their folders stay: a run may be about to write there
            with suppress(FileNotFoundError):  # somebody else cleans it too
                status = path.stat()
                if status.st_mtime <= time.time() - days * DAY:
                    path.unlink()
                    count, size = count + 1, size + status.st_size
        for draft in self._found(DRAFT):
            with suppress(FileNotFoundError):
                if draft.stat().st_mtime <= time.time() - max(days, 1) * DAY:
                    draft.unlink()
        return count, size

    def _found(self, name: re.Pattern[str]) -> list[Path]:
        """The files with such a name, where the journal writes."""
        places = ("[0-9a-f][0-9a-f]", PARTS, FINISHED)
        found = [path for place in places for path in self.folder.glob(f"{place}/*")]
        return sorted(path for path in found if name.fullmatch(path.name) and path.is_file())

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    @staticmethod
    def _corrupt(path: Path, reason: str) -> JournalError:
        return JournalError(
            f"corrupt journal record {path}: {reason}. Delete that file to run its task again, "
            "or run with --fresh to ignore the journal"
        )


def _note_use(path: Path) -> None:
    """Note that a record was used now, so that what is old can be told."""
    with suppress(OSError):  # a journal that is only read keeps its times
        os.utime(path)


def _certificates(piece: Evidence) -> list[Mapping[str, Any]]:
    """What evidence says only because the checker has accepted it."""
    found = [piece.certificate] if piece.outcome in CERTIFIED else []
    found += [need.certificate for need in piece.needs if need.needed]
    return [certificate for certificate in found if certificate is not None]


def _fault(certificate: Mapping[str, Any], claim_id: str) -> str:
    """Why a certificate is not one of this claim; "" where it is."""
    from verify.search.certificates import answer, claim_of

    if claim_of(certificate) != claim_id:
        return f"its certificate is of {claim_of(certificate)}, not of {claim_id}"
    reply = answer(dict(certificate))
    if reply["exit"] != 0:
        return f"the checker does not accept its certificate ({reply['message']})"
    return ""


def _read(content: bytes, key: str) -> Evidence | None:
    """What a record says that its task gave. Raises ValueError, KeyError or TypeError."""
    data = json.loads(content.decode("utf-8"))
    if (data["format"], data["version"], data["key"]) != (FORMAT, VERSION, key):
        raise ValueError("another format, version or key")
    rest = {name: value for name, value in data.items() if name != "checksum"}
    # the text too: 1E5 and 1e5 are one number, and a bit apart
    if data["checksum"] != _checksum(rest) or content != _text(data).encode():
        raise ValueError("its checksum is that of another record, so it was changed")
    return None if data["evidence"] is None else evidence_from_json(data["evidence"])


def _checksum(data: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON of this data, whatever the order of its names."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _text(data: Mapping[str, Any]) -> str:
    """The one text that stands for this data, its names in their order."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False)
