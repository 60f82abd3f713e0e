"""The journal: evidence on disk by the key of its task, so that a run resumes where it stopped."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from verify.evidence import Evidence, evidence_from_json

FORMAT = "lemmata-evidence"
VERSION = 1


class JournalError(ValueError):
    """A record of the journal cannot be read."""


@dataclass(frozen=True)
class Journal:
    """A folder with one file for each finished task. Written atomically, never changed."""

    folder: Path

    def get(self, key: str) -> Evidence | None:
        """The evidence of a task, None if it has not finished.

        Raises JournalError for a corrupt record; nothing is deleted.
        """
        path = self._path(key)
        if not path.exists():
            return None
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if (data["format"], data["version"], data["key"]) != (FORMAT, VERSION, key):
                raise ValueError("another format, version or key")
            return evidence_from_json(data["evidence"])
        except (ValueError, KeyError, TypeError) as error:
            reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise JournalError(
                f"corrupt journal record {path}: {reason}. Delete that file to run its task again, "
                "or run with --fresh to ignore the journal"
            ) from error

    def put(self, key: str, evidence: Evidence) -> None:
        """Keep the evidence of a finished task."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = {"format": FORMAT, "version": VERSION, "key": key, "evidence": evidence.to_json()}
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_text(json.dumps(data, allow_nan=False), encoding="utf-8")
        temporary.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
