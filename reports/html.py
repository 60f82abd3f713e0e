"""The report of a run: one HTML file that needs nothing else, no network and no script."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from reports.findings import findings
from reports.json_report import validate
from reports.laws import laws
from reports.pieces import badge, escape, line, link, seconds, sentence
from reports.sections import section
from reports.verdicts import LOOKS, Group, Record, attention, closing_line, counts

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
        _attention(record, known),
        findings(record, known),
        laws(record),
        _table(record, known),
        '<section id="claims"><h2>The claims, one by one</h2>\n',
        *(section(claim, known) for claim in record["claims"]),
        "</section>",
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


def _attention(record: Record, known: dict[str, Record]) -> str:
    groups = attention(record)
    body = "".join(_group(group, known) for group in groups)
    if not groups:
        body = "<p>Nothing: no errors, no changes, no void controls, nothing refuted.</p>"
    rows = "".join(
        f'<tr><td>{badge(verdict)}</td><td class="number">{number:,}</td>'
        f"<td>{escape(LOOKS[verdict].meaning)}</td></tr>"
        for verdict, number in counts(record).items()
    )
    total = len(record["claims"])
    bar = "".join(
        f'<span class="{verdict.replace(" ", "-")}" style="flex-grow:{number}"></span>'
        for verdict, number in counts(record).items()
    )
    return (
        f'<section id="attention"><h2>What needs attention</h2>{body}</section>\n'
        f'<section id="counts"><h2>Counts</h2><div class="bar" aria-hidden="true">{bar}</div>'
        f'<table class="counts"><tbody>{rows}</tbody><tfoot><tr><td>claims</td>'
        f'<td class="number">{total:,}</td><td>{_baseline(record)}</td></tr></tfoot>'
        "</table></section>\n"
    )


def _baseline(record: Record) -> str:
    changes = record["changes"]
    if changes is None:
        return "no baseline to compare with"
    return f"{len(changes) or 'no'} changed against the baseline"


def _group(group: Group, known: dict[str, Record]) -> str:
    items = ""
    for item in group.items:
        name = link(item.claim_id, known) if item.claim_id else f"<code>{escape(item.label)}</code>"
        label = f"<i>{line(item.label)}.</i> " if item.claim_id and item.label else ""
        told = sentence(item.text) if label else line(item.text)
        items += f"<li><span>{name}</span><span>{label}{told}</span></li>"
    sign = LOOKS[group.verdict].sign
    return (
        f'<section class="group {group.verdict}"><h3><span class="sign">{sign}</span> '
        f'{group.title} <span class="count">{len(group.items)}</span></h3>'
        f"<ul>{items}</ul></section>"
    )


def _table(record: Record, known: dict[str, Record]) -> str:
    names = ("Verdict", "Claim", "Reference", "Title", "Kind", "Scope", "Worst", "Ancestors")
    heads = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = "".join(_row(claim, known) for claim in record["claims"])
    return (
        '<section id="table"><h2>All claims</h2><table class="claims"><thead><tr>'
        f"{heads}</tr></thead><tbody>{rows}</tbody></table></section>\n"
    )


def _row(claim: Record, known: dict[str, Record]) -> str:
    ancestors = {True: "supported", False: "not all", None: "–"}[claim["ancestors_supported"]]
    cells = [
        ("verdict", badge(claim["verdict"])),
        ("claim", link(claim["id"], known)),
        ("reference", line(claim["reference"])),
        ("title", line(claim["title"])),
        ("kind", escape(claim["kind"])),
        ("scope", f'<span class="clamp">{line(claim["scope"])}</span>' if claim["scope"] else ""),
        ("worst", escape(claim["worst"] or "")),
        ("ancestors", ancestors),
    ]
    inner = "".join(f'<td class="cell-{name}">{value}</td>' for name, value in cells)
    return f"<tr>{inner}</tr>\n"


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
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></section>\n"
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
