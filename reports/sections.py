"""The section of one claim in the HTML report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports.details import details
from reports.exhibit import exhibit, picture
from reports.figures import drawable
from reports.json_report import pretty
from reports.names import minuses, number_text
from reports.pieces import anchor, badge, blocks, escape, line, link, seconds, sentence
from reports.plots import plot
from reports.verdicts import LOOKS, Record

LONGEST_CERTIFICATE = 40_000  # characters; a longer one stays in its file
CHECKER_ANSWERS = {0: "accepted", 1: "rejected", 2: "declined"}


def section(claim: Record, known: Mapping[str, Record]) -> str:
    """Everything that is known of one claim. known: all claims of the run by id."""
    parts = [
        _margin(claim, known),
        '<div class="body">',
        f"<h3>{line(claim['reference'])}",
        f'<span class="title">{line(claim["title"])}</span></h3>',
        f'<div class="statement">{blocks(claim["statement"])}</div>',
        _reading(claim, known),
        _hypotheses(claim["hypotheses"]),
        _judgement(claim),
        exhibit(claim),
        _plots(claim["evidence"]),
        details(claim),
        _evidence(claim["evidence"]),
        _trusted(claim["trusted"]),
        _reproduce(claim["command"]),
        _certificate(claim),
        "</div>",
    ]
    kind = claim["verdict"].replace(" ", "-")
    name = anchor(claim["id"])
    return f'<article class="claim {kind}" id="{name}">{"".join(parts)}</article>\n'


def _margin(claim: Record, known: Mapping[str, Record]) -> str:
    facts = [("kind", escape(claim["kind"])), ("source", escape(_source(claim)))]
    if claim["depends"]:
        facts.append(("depends on", ", ".join(link(d, known) for d in claim["depends"])))
    marks = {True: "all at least supported", False: "not all supported"}
    if claim["ancestors_supported"] is not None:
        facts.append(("ancestors", marks[claim["ancestors_supported"]]))
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return (
        f'<div class="margin"><p>{badge(claim["verdict"])}</p>'
        f'<p><code class="id">{escape(claim["id"])}</code></p><dl>{rows}</dl></div>'
    )


def _source(claim: Record) -> str:
    version = claim["version"]
    return f"{claim['paper']}, {version} {'versions' if version == 'both' else 'version'}"


def _reading(claim: Record, known: Mapping[str, Record]) -> str:
    parts = []
    if claim["reading"] is not None:
        text = f": {line(claim['reading_text'])}" if claim["reading_text"] else ""
        parts.append(f"<p><b>Reading {escape(claim['reading'])}</b>{text}.</p>")
    if claim["repairs"] is not None:
        parts.append(f"<p><b>Repairs</b> {link(claim['repairs'], known)}.</p>")
    return "".join(parts)


def _hypotheses(hypotheses: list[Record]) -> str:
    if not hypotheses:
        return ""
    rows = "".join(
        f"<li><b>{escape(h['id'])}</b> "
        f"<span><i>{line(h['name'])}</i> {line(h['statement'])}</span></li>"
        for h in hypotheses
    )
    return f'<h4>Hypotheses</h4><ul class="hypotheses">{rows}</ul>'


def _judgement(claim: Record) -> str:
    verdict = claim["verdict"]
    scope = f' <span class="scope">Scope: {line(claim["scope"])}.</span>' if claim["scope"] else ""
    word = f"<b>{LOOKS[verdict].sign} {verdict.capitalize()}.</b>"
    against = "" if verdict == "refuted" else line(claim.get("negation") or "")
    below = f'<p class="negation">{against}</p>' if against else ""
    return f'<p class="judgement">{word} {sentence(claim["reason"])}{scope}</p>{below}'


def _plots(pieces: list[Record]) -> str:
    drawn = "".join(plot(data) for piece in pieces for data in piece.get("plots", ()))
    return f'<div class="plots">{drawn}</div>' if drawn else ""


def _evidence(pieces: list[Record]) -> str:
    if not pieces:
        return ""
    rows = "".join(map(_evidence_row, pieces))
    heads = "".join(f"<th>{name}</th>" for name in ("Method", "Outcome", "Found"))
    heads += '<th class="number">Seconds</th>'
    return (
        '<h4>Evidence</h4><table class="evidence"><thead><tr>'
        f"{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _evidence_row(piece: Record) -> str:
    named = dict(piece["figures"])
    if piece.get("instances"):
        named = {"instances": piece["instances"]} | named
    figures = [f"{escape(name)} {_figure(value)}" for name, value in named.items()]
    figures += [f"seed {piece['seed']}"] if piece["seed"] is not None else []
    scope = "; ".join(piece["scope"])
    small = f'<p class="small">{line(scope)}.</p>' if scope else ""
    small += f'<p class="small figures">{" · ".join(figures)}</p>' if figures else ""
    return (
        f'<tr><td>{escape(piece["method"])}</td><td class="{piece["outcome"].split()[0]}">'
        f"{escape(piece['outcome'])}</td><td><p>{sentence(piece['summary'])}</p>{small}</td>"
        f'<td class="number">{seconds(piece["seconds"])}</td></tr>'
    )


def _figure(value: Any) -> str:
    """A number, or words with numbers in them, which are not cut."""
    if isinstance(value, str) and " " in value:
        return f'<span class="figure words">{line(minuses(value))}</span>'
    text = f"{value:,}" if isinstance(value, int) else number_text(value, limit=24)
    return f'<span class="figure">{escape(text)}</span>'


def _trusted(results: list[str]) -> str:
    if not results:
        return ""
    items = "".join(f"<li>{line(result)}</li>" for result in results)
    return f'<h4>Trusted</h4><ul class="trusted">{items}</ul>'


def _reproduce(command: str) -> str:
    return f'<h4>Reproduce</h4><p><code class="command">{escape(command)}</code></p>'


def _certificate(claim: Record) -> str:
    certificate, checker = claim["certificate"], claim["checker"]
    if certificate is None:
        return ""
    answer, message = "not checked", ""
    if checker is not None:
        answer = f"{CHECKER_ANSWERS.get(checker['exit'], 'not answered')} by the checker"
        message = f'<p class="small">Checker: {escape(checker["message"])}</p>'
    file = claim["certificate_file"]
    where = f'<p class="small">File: <code>{escape(file)}</code></p>' if file else ""
    network = certificate.get("network")
    figure = picture(network, {}) if network and drawable(network) else ""
    text = pretty(certificate)
    body = f"<pre>{escape(text)}</pre>"
    if len(text) > LONGEST_CERTIFICATE:
        body = f'<p class="small">{len(text):,} characters of JSON: read them in the file.</p>'
    return (
        f"<details><summary>Certificate ({escape(certificate['kind'])}), {answer}</summary>"
        f"{message}{where}{figure}{body}</details>"
    )
