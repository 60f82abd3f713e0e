"""Certificates as source for Rocq: one by `lemmata repro`, those of a run by `lemmata rocq`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path

from lemmata.errors import DIFFERS, FINE, NOTHING, UsageError


def write_rocq(content: bytes, target: Path) -> None:
    """Write a certificate that the checker accepts as Rocq source.

    Raises UsageError where there is no such form or the file cannot be written.
    """
    from verify.rocq import NotExported, export_statement

    try:
        source = export_statement(json.loads(content))
    except NotExported as refusal:
        raise UsageError(f"--rocq {target}: {refusal}") from refusal
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source, encoding="ascii")
    except OSError as error:
        raise UsageError(f"--rocq {target}: {error.strerror}; choose another file") from error
    print(f"rocq: {target.resolve()}", file=sys.stderr)


def rocq(options: Namespace) -> int:
    """Export the certificates of a run, and have Rocq check them where it is installed."""
    from verify.rocq.batch import Batch, export_folder

    folder = Path(options.certificates)
    if not folder.is_dir():
        raise UsageError(
            f"no folder {folder}: `lemmata run --output json=FILE` writes certificates beside FILE"
        )
    if not any(folder.glob("*.json")):
        print(f"no certificates in {folder}: nothing is exported", file=sys.stderr)
        return NOTHING
    batch = Batch()
    for name in export_folder(folder, Path(options.folder), batch):
        if name in batch.rejected:
            print(f"FAILED    {name}: {batch.rejected[name]}")
            continue
        answer = batch.answers[name]
        state = "exported" if answer is None else "ok" if answer.accepted else "FAILED"
        print(f"{state:9} {name}" + (f": {answer.message}" if answer else ""))
    exported = len(batch.answers)
    print(f"{exported} certificate{'s' * (exported != 1)} exported to {options.folder}")
    for reason, count in sorted(batch.reasons.items()):
        print(f"{count} not exported: {reason}")
    for reason, count in sorted(batch.lacking.items()):
        print(f"{count} not compiled: {reason}")
    if batch.failed or exported > batch.lacking.total():
        print(f"{batch.failed} failed")
    return DIFFERS if batch.failed else FINE
