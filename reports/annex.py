"""The folder beside a report: everything about every claim, a page a paper, and JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from reports.argued import mathematics
from reports.checked import anchors, asked
from reports.details import claim_details, facts, proof_page
from reports.findings import constants, matrix, weak_checks
from reports.page import page
from reports.pieces import MATHEMATICS, blocks, escape, handle, headline, line, listed, target
from reports.tables import conflicts, controls, laws, versions
from reports.verdicts import Record

PARTS = ("mutants", "needs", "bounds", "joint_cases")  # of evidence, each with a file of its own


def annex(record: Record, main: str) -> dict[str, str]:
    """The files of the folder by name. main: the name of the report's main file."""
    files = {f"{paper['id']}.html": _paper(paper, record, main) for paper in record["papers"]}
    files |= {proof_page(one): _proof(one) for one in record["claims"] if facts(one)}
    files |= whole_run(record, main)
    files[MATHEMATICS] = mathematics(record)
    for name, rows in _lines(record).items():
        files[f"{name}.jsonl"] = "".join(
            json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows
        )
    return files


def _lines(record: Record) -> dict[str, Iterable[dict[str, Any]]]:
    """The rows of each file of JSON lines; each row names its claim."""
    claims = record["claims"]
    pieces = [(claim["id"], piece) for claim in claims for piece in claim["evidence"]]
    return {
        "evidence": (
            {"claim": name} | {key: piece[key] for key in piece if key not in PARTS}
            for name, piece in pieces
        ),
        "certificates": (c["certificate"] for c in claims if c["certificate"] is not None),
    } | {
        part: [{"claim": name} | item for name, piece in pieces for item in piece.get(part, ())]
        for part in PARTS
    }


def _head(title: str, main: str, words: str) -> str:
    return (
        f'<header><p class="mark"><a href="../{target(main)[1:]}">Lemmata, the report</a></p>'
        f"<h1>{line(title)}</h1><p>{words}</p></header>\n"
    )


def _paper(paper: Record, record: Record, main: str) -> str:
    """Everything about the claims of one paper."""
    claims = {claim["id"]: claim for claim in record["claims"] if claim["paper"] == paper["id"]}
    own = [s for s in record["statements"] if s["paper"] == paper["id"]]
    conditions = anchors(claims.values())
    beside = versions(record, paper["id"])
    parts = [beside, constants(claims), matrix(claims), weak_checks(claims)]
    for statement in own:
        back = f'<a href="../{target(main)[1:]}{target(statement["id"])}">in the report</a>'
        parts.append(
            f'<section id="{escape(statement["id"])}">'
            f"<h2>{line(statement['place'])} <i>{line(statement['title'])}</i></h2>"
            f'<p class="where">{headline(statement["headline"]["word"])} '
            f"{handle(statement['id'])} {back}</p>"
            f"<blockquote>{blocks(statement['printed'])}</blockquote>"
        )
        shown = (claims[name] for name in statement["claims"] if name in claims)
        parts += [claim_details(claim, paper["letters"], conditions) for claim in shown]
        parts.append("</section>\n")
    parts.append(asked(conditions, record["notation"]))
    head = _head(f"{paper['id'].upper()}, claim by claim", main, line(paper["citation"]))
    body = f'{head}<main id="main">{"".join(parts)}</main>\n'
    return page(f"{paper['id'].upper()}, claim by claim", body)


def _proof(claim: Record) -> str:
    """The proof of a claim, fact by fact, on a page of its own: some have a thousand facts."""
    back = f"{claim['paper']}.html{target('claim-' + claim['id'])}"
    listing = "".join(f"<li>{line(fact)}</li>" for fact in facts(claim))
    head = (
        f'<header><p class="mark"><a href="{back}">{escape(claim["id"])}</a></p>'
        f"<h1>The proof of: {line(claim['title'])}</h1></header>\n"
    )
    body = f'{head}<main id="main"><ol class="proof">{listing}</ol></main>\n'
    return page(f"The proof of {claim['id']}", body)


def whole_run(record: Record, main: str) -> dict[str, str]:
    """The tables of the whole run, the one page that tells when it was."""
    names = [*_lines(record)]
    files = [f'<a href="{name}.jsonl">{name}.jsonl</a>' for name in names]
    parts = [controls(record), laws(record), conflicts(record)]
    told = f"<p>A JSON object a line.</p>{listed('claims', files)}"
    parts.append(f"<section><h2>The same as data</h2>{told}</section>\n")
    head = _head("The whole run", main, escape(record["run"]["id"]))
    text = page("The whole run", f'{head}<main id="main">{"".join(parts)}</main>\n')
    return {"_run.html": text}
