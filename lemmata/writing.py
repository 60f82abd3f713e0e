"""What a run writes: reports, and the certificates beside the first of them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lemmata.arguments import seen_from
from lemmata.errors import UsageError
from lemmata.terminal import command_line
from reports.made import Made, afresh

if TYPE_CHECKING:
    from verify.core.claim import Claim

SUMMARY = "GITHUB_STEP_SUMMARY"
CERTIFICATE = re.compile(r"certificates/[\w@.+-]+\.json", re.ASCII)
STATED = re.compile(r"""claim\(\s*["']([\w@.+-]+)["']""")
QUOTED = re.compile(r"""["']([\w@.+-]+)["']""")

KINDS = ("html", "json", "junit", "md")
USAGE = "use html=FILE, json=FILE, junit=FILE, md=FILE or github"
Outputs = dict[str, Path | None]
"""The file of each kind of report; of `github` that of the step's summary, where there is one."""


def parse_outputs(text: str) -> Outputs:
    """`html=a.html,json=b.json,github` as a mapping. Raises UsageError for another kind or a
    second."""
    outputs: Outputs = {}
    for part in filter(None, text.split(",")):
        kind, _, file = part.partition("=")
        if part != "github" and (kind not in KINDS or not file):
            raise UsageError(f"--output {part!r}: {USAGE}")
        if kind in outputs or (file and Path(file) in outputs.values()):
            raise UsageError(f"--output {text!r}: give one file for each kind, each its own")
        outputs[kind] = Path(file) if file else None
    return outputs


def writable_outputs(words: Sequence[str]) -> Outputs:
    """The outputs, each of which can be written: better to know before the run than after it."""
    outputs = parse_outputs(",".join(words))
    for path in outputs.values():
        if path is not None:
            check_writable(path)
    summary = os.environ.get(SUMMARY)
    if "github" in outputs and summary:
        outputs["github"] = Path(summary)
    return outputs


def writable_history(path: Path) -> Path:
    """The file to which a run adds a line. Raises UsageError where that cannot be done, and
    HistoryError for another kind of file."""
    from reports.history import check

    check_writable(path, "--history")
    check(path)
    return path


def check_writable(path: Path, option: str = "--output") -> None:
    """Make the folder of a file. Raises UsageError where the file could not be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{option} {path}: {error.strerror}; choose another file") from error
    targets = [path.parent, path] if path.exists() else [path.parent]
    if path.is_dir() or not all(os.access(target, os.W_OK) for target in targets):
        raise UsageError(f"{option} {path}: it cannot be written there, choose another file")


def write_outputs(record: dict[str, Any], outputs: Outputs, made: Made = afresh) -> list[OSError]:
    """Write the certificates in a folder beside the first of the reports, and the reports, with
    commands that find the certificates from here. made: what gives what takes long to make. Returns
    what could not be written, each error with its file; the rest is written all the same.

    Raises RecordError for a certificate that would not be in that folder.
    """
    failed: list[OSError] = []
    files = {kind: path for kind, path in outputs.items() if path is not None}
    if beside := [path.parent for kind, path in files.items() if kind != "github"]:
        failed += _write_certificates(record, beside[0], made)
    for kind, path in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _writer(kind, made)(record, path)
        except OSError as error:
            error.filename = error.filename or str(path)
            failed.append(error)
    return failed


def _writer(kind: str, made: Made) -> Callable[[dict[str, Any], Path], None]:
    """What writes a kind of report; loads nothing else."""
    if kind == "html":
        from reports import html

        return partial(html.write, made=made)
    if kind == "json":
        from reports import json_report

        return partial(json_report.dump, made=made)
    if kind == "junit":
        from reports.junit import write
    elif kind == "md":
        from reports.markdown import write
    else:
        return _add_summary
    return write


def _add_summary(record: dict[str, Any], path: Path) -> None:
    """Add what was found to the summary of a step, as far as there is room."""
    from reports import github, markdown

    used = path.stat().st_size if path.exists() else 0
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(markdown.render(record, limit=github.SUMMARY - used))


def annotate(record: dict[str, Any], claims: Sequence[Claim]) -> None:
    """Print annotations for GitHub. claims: of one's own, which are told with their lines."""
    from reports import github

    for line in github.commands(record, places(claims)):
        print(line)
    if not os.environ.get(SUMMARY):
        print(f"github: {SUMMARY} is not set, so there is no summary of the step", file=sys.stderr)


def places(claims: Sequence[Claim]) -> dict[str, tuple[str, int]]:
    """Where each claim stands: its file, as seen from the repository, and the line that states it,
    or has its id; of a package the first file that has it. The file or the folder itself where none
    has."""
    root = os.environ.get("GITHUB_WORKSPACE") or "."
    ids = {claim.id for claim in claims}
    found: dict[str, tuple[str, int]] = {}
    for stated in dict.fromkeys(Path(claim.source.file) for claim in claims):
        for file in [stated] if stated.is_file() else sorted(stated.rglob("*.py")):
            place = Path(seen_from(file, root)).as_posix()
            text = file.read_text(encoding="utf-8", errors="replace")
            for match in (*STATED.finditer(text), *QUOTED.finditer(text)):
                if match[1] in ids:
                    found.setdefault(match[1], (place, text.count("\n", 0, match.start(1)) + 1))
    elsewhere = ((c.id, Path(seen_from(c.source.file, root)).as_posix()) for c in claims)
    return {name: (place, 1) for name, place in elsewhere} | found


def _write_certificates(record: dict[str, Any], folder: Path, made: Made) -> list[OSError]:
    from verify.runs.written import written_whole

    files = {claim["id"]: _inside(claim) for claim in record["claims"] if claim["certificate"]}
    held = {c["id"]: c["certificate"] for c in record["claims"] if c["id"] in files}
    texts = made(
        "certificates", held, lambda: {name: json.dumps(held[name], indent=1) for name in held}
    )
    for claim in record["claims"]:
        if claim["id"] in files:
            file = folder / files[claim["id"]]
            claim["command"] = command_line(["lemmata", "repro", str(file)])
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                written_whole(file, texts[claim["id"]])
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


def tell_outputs(outputs: Outputs, failed: list[OSError]) -> None:
    """Say where the reports are. Raises the first error, if one could not be written."""
    missing = {error.filename for error in failed}
    for kind, path in outputs.items():
        if path is not None and str(path) not in missing:
            print(f"{kind}: {path.resolve()}", file=sys.stderr)
    for error in failed:
        raise error
