"""The report of a run: one HTML file that needs nothing else, no network and no script."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from reports.findings import findings
from reports.json_report import validate
from reports.laws import laws
from reports.overview import by_paper, contents, overview, table
from reports.pieces import badge, escape, line, seconds
from reports.sections import section
from reports.verdicts import LOOKS, Record, closing_line

# The browser itself is told to fetch nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(record: Record) -> str:
    """The report as text. record: a run's record. Raises RecordError where it breaks its schema."""
    validate(record)
    known = {claim["id"]: claim for claim in record["claims"]}
    title = _title(record)
    parts = [
        _banner(record["run"]),
        _header(record, title),
        contents(record),
        overview(record, known),
        findings(record, known),
        laws(record),
        table(record, known),
        _claims(record, known),
        _controls(record["controls"]),
        _footer(record),
    ]
    style = resources.files("reports").joinpath("style.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)} · Lemmata</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"{''.join(parts)}\n</body>\n</html>\n"
    )


def write(record: Record, path: str | os.PathLike[str]) -> None:
    """Writes the report to a file, at once or not at all. Raises RecordError and OSError."""
    target = Path(path)
    draft = target.with_name(target.name + ".part")
    draft.write_text(render(record), encoding="utf-8")
    draft.replace(target)


def _title(record: Record) -> str:
    papers = list(dict.fromkeys(claim["paper"] for claim in record["claims"]))
    return f"What is known of {', '.join(papers)}" if papers else "No claims"


def _header(record: Record, title: str) -> str:
    run = record["run"]
    versions = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    facts = [
        ("Run", f"<code>{escape(run['id'])}</code>"),
        ("Started", escape(run["started"].replace("T", " ").replace("Z", " UTC"))),
        ("Took", f"{seconds(run['seconds'])} s"),
        ("Budget", escape(run["budget"])),
        ("Seed", escape(run["seed"])),
        ("Device", escape(run["device"])),
        ("Versions", escape(versions)),
        ("Command", f'<code class="command">{escape(run["command"])}</code>'),
    ]
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    cited = "".join(
        f"<p><b>{escape(paper)}</b> {line(citation)}</p>"
        for paper, citation in record.get("papers", {}).items()
    )
    return (
        f'<header><p class="wordmark">Lemmata</p><h1>{escape(title)}</h1>'
        f'<div class="papers">{cited}</div>'
        f'<p class="closing">{escape(closing_line(record))}</p>'
        f'<dl class="facts">{rows}</dl></header>\n'
    )


def _banner(run: Record) -> str:
    if not run["void"]:
        return ""
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in run["void_reasons"])
    return (
        '<section class="banner" role="alert"><h2>! This run is void</h2>'
        "<p>Its controls did not behave, so no verdict below counts.</p>"
        f"<ul>{reasons}</ul></section>\n"
    )


def _claims(record: Record, known: dict[str, Record]) -> str:
    """The section of every claim, paper by paper."""
    parts = []
    for paper, claims in by_paper(record["claims"]).items():
        parts.append(f'<h2 class="paper" id="{escape(paper)}">{escape(paper)}</h2>\n')
        parts += [section(claim, known) for claim in claims]
    heading = '<section id="claims"><h2>The claims, one by one</h2>\n'
    return f"{heading}{''.join(parts)}</section>"


def _controls(controls: list[Record]) -> str:
    rows = "".join(
        f"<tr{'' if c['ok'] else ' class=bad'}><td>{'as expected' if c['ok'] else '! void'}</td>"
        f"<td><code>{escape(c['id'])}</code></td><td>{line(c['title'])}</td>"
        f"<td>{escape(c['expected'])}</td><td>{escape(c['observed'])}</td></tr>"
        for c in controls
    )
    names = ("", "Control", "What it is", "Expected", "Observed")
    heads = "".join(f"<th>{name}</th>" for name in names)
    return (
        '<section id="controls"><h2>Controls</h2><p>Claims whose verdict is known beforehand. '
        "If one misbehaves, the run is void.</p>"
        f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        "</div></section>\n"
    )


def _footer(record: Record) -> str:
    rows = "".join(
        f"<dt>{badge(verdict)}</dt><dd>{escape(look.meaning)}</dd>"
        for verdict, look in LOOKS.items()
    )
    return (
        f'<footer><h2>How to read a verdict</h2><dl class="meanings">{rows}</dl>'
        "<p>No verdict is wider than the scope of its evidence, and none is typed by hand.</p>"
        f"<p>{escape(closing_line(record))}</p></footer>"
    )
