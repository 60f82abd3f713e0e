"""The report of a run: one light HTML file, and a folder beside it with everything else."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from reports import overview
from reports.annex import annex, whole_run
from reports.index import Index
from reports.json_report import validate
from reports.made import Made, afresh
from reports.page import asset, page
from reports.pieces import MATHEMATICS, escape, line, seconds, section
from reports.runs_so_far import runs_so_far
from reports.verdicts import Record, joined

FOLDER = "report-data"


def render(record: Record, folder: str = FOLDER) -> str:
    """The main file as text. record: a run's record; folder: the name of that with the details,
    beside it. Raises RecordError where the record breaks its schema."""
    validate(record)
    return _main(record, folder)


def _main(record: Record, folder: str, made: Made = afresh) -> str:
    """The main file of a record that is valid."""
    texts = made(f"the page beside {folder}", record, lambda: _body(record, folder))
    body = f"{texts['head']}{runs_so_far(record)}{texts['rest']}{_facts(record, folder)}</footer>\n"
    text = page(_title(record), body, script=asset("page.js"))
    return text.replace(f'href="{MATHEMATICS}#', f'href="{folder}/{MATHEMATICS}#')


def _body(record: Record, folder: str) -> dict[str, str]:
    """The main page, what comes before the runs so far and what comes after them."""
    index = Index.of(record, folder)
    head = f"{overview.summary(record)}{overview.search(record)}"
    before = [
        overview.void(record["run"]),
        f'<header><p class="mark">Lemmata</p><h1>{escape(_title(record))}</h1>{head}</header>\n',
        f'<main id="main">{overview.papers(record, index)}',
        overview.changes(record, index),
    ]
    after = [
        overview.findings(record, index),
        overview.looked(record, index),
        overview.others(record, index),
        overview.standing(record, index),
        "</main>\n<footer>",
        overview.controls(record),
        overview.words(),
    ]
    return {"head": "".join(before), "rest": "".join(after)}


def write(record: Record, path: str | os.PathLike[str], made: Made = afresh) -> None:
    """Writes the main file and its folder: first all of it under temporary names, then each file
    into its place, the main file last. Raises RecordError and OSError; then nothing is replaced."""
    target = Path(path)
    record = _from(target.parent, record)
    folder = target.with_name(f"{target.stem}-data")
    texts = made(f"pages beside {target.name}", record, lambda: _valid_annex(record, target.name))
    texts |= whole_run(record, target.name)
    files = {folder / name: text for name, text in texts.items()}
    files[target] = _main(record, folder.name, made)
    drafts = {place: place.with_name(place.name + ".part") for place in files}
    folder.mkdir(exist_ok=True)
    try:
        for place, text in files.items():
            drafts[place].write_text(text, encoding="utf-8")
        for place, draft in drafts.items():
            draft.replace(place)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


def _valid_annex(record: Record, main: str) -> dict[str, str]:
    """What stands beside the main file. Raises RecordError."""
    validate(record)
    return annex(record, main)


def _from(folder: Path, record: Record) -> Record:
    """The record with commands for a reader in this folder: where they name a file elsewhere, on
    whatever machine it was written, the way to it from here."""

    def told(claim: Record) -> Record:
        inside = claim["certificate_file"]
        try:
            *words, file = shlex.split(claim["command"])
        except ValueError:  # it is empty, or no command
            return claim
        if not inside or file == inside or not file.endswith(inside):
            return claim
        way = Path(os.path.relpath(file, folder)).as_posix()
        return claim | {"command": shlex.join([*words, way])}

    return record | {"claims": list(map(told, record["claims"]))}


def _title(record: Record) -> str:
    names = [paper["id"].upper() for paper in record["papers"]]
    if len(names) == 1:
        return str(record["papers"][0]["title"])
    return f"What is known of {joined(names)}" if names else "No statements"


def _facts(record: Record, folder: str) -> str:
    """When and how it was run, how the papers are cited, and where the rest is."""
    run = record["run"]
    versions = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    facts = [
        ("Run", run["id"]),
        ("Started", run["started"].replace("T", " ").replace("Z", " UTC")),
        ("Took", f"{seconds(run['seconds'])} s"),
        ("Budget", f"{run['budget']}, seed {run['seed']}"),
        ("Device", run["device"]),
        ("Versions", versions),
        ("Command", run["command"]),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    cited = "".join(
        f"<dt>{escape(paper['id'].upper())}</dt><dd>{line(paper['citation'])}</dd>"
        for paper in record["papers"]
    )
    more = (
        f'<p>Tables of the whole run: <a href="{Index.of(record, folder).page("_run")}">laws, '
        "controls and conflicts</a>.</p>"
    )
    return section("This run", "", f"<dl>{rows}{cited}</dl>{more}", "run")
