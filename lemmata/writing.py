"""What a run writes: reports, and the certificates beside the first of them."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from lemmata.errors import UsageError

CERTIFICATE = re.compile(r"certificates/[\w@.+-]+\.json", re.ASCII)


def parse_outputs(text: str) -> dict[str, Path]:
    """`html=a.html,json=b.json` as a mapping. Raises UsageError for another kind or a second."""
    outputs: dict[str, Path] = {}
    for part in filter(None, text.split(",")):
        kind, _, file = part.partition("=")
        if kind not in ("html", "json") or not file:
            raise UsageError(f"--output {part!r}: use html=FILE or json=FILE")
        if kind in outputs or Path(file) in outputs.values():
            raise UsageError(f"--output {text!r}: give one file for each kind, each its own")
        outputs[kind] = Path(file)
    return outputs


def writable_outputs(text: str) -> dict[str, Path]:
    """The outputs, each of which can be written: better to know before the run than after it."""
    outputs = parse_outputs(text)
    for path in outputs.values():
        check_writable(path)
    return outputs


def check_writable(path: Path) -> None:
    """Make the folder of a report. Raises UsageError where the report could not be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--output {path}: {error.strerror}; choose another file") from error
    targets = [path.parent, path] if path.exists() else [path.parent]
    if path.is_dir() or not all(os.access(target, os.W_OK) for target in targets):
        raise UsageError(f"--output {path}: it cannot be written there, choose another file")


def write_outputs(record: dict[str, Any], outputs: dict[str, Path]) -> list[OSError]:
    """Write the certificates in a folder beside the first of the reports, and the reports, with
    commands that find the certificates from here. Returns what could not be written, each error
    with its file; the rest is written all the same.

    Raises RecordError for a certificate that would not be in that folder.
    """
    from reports import html, json_report

    failed: list[OSError] = []
    if outputs:
        folder = next(iter(outputs.values())).parent
        failed += _write_certificates(record, folder)
    for kind, path in outputs.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            (html.write if kind == "html" else json_report.dump)(record, path)
        except OSError as error:
            error.filename = error.filename or str(path)
            failed.append(error)
    return failed


def _write_certificates(record: dict[str, Any], folder: Path) -> list[OSError]:
    from verify.runs.written import written_whole

    files = {claim["id"]: _inside(claim) for claim in record["claims"] if claim["certificate"]}
    for claim in record["claims"]:
        if claim["id"] in files:
            file = folder / files[claim["id"]]
            claim["command"] = shlex.join(["lemmata", "repro", str(file)])
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                written_whole(file, json.dumps(claim["certificate"], indent=1))
            except OSError as error:
                return [error]  # the others would meet the same
    return []


def _inside(claim: dict[str, Any]) -> str:
    """Where a claim's certificate goes, within the folder of the report. Raises RecordError."""
    from reports.json_report import RecordError

    file = claim["certificate_file"]
    if not isinstance(file, str) or not CERTIFICATE.fullmatch(file) or ".." in file:
        raise RecordError(
            f"claim {claim['id']} has the certificate_file {file!r}: it needs to be "
            "certificates/NAME.json, without ..; write the run again"
        )
    return file


def tell_outputs(outputs: dict[str, Path], failed: list[OSError]) -> None:
    """Say where the reports are. Raises the first error, if one could not be written."""
    missing = {error.filename for error in failed}
    for kind, path in outputs.items():
        if str(path) not in missing:
            print(f"{kind}: {path.resolve()}", file=sys.stderr)
    for error in failed:
        raise error
