"""Statements as they are checked: what a case holds, what is said of it, line by line."""

from __future__ import annotations

from collections.abc import Iterable

from reports.pieces import escape, line, listed
from reports.verdicts import Record

DEEPEST = 6  # steps to the right
SHORT, LONGEST = 400, 3_000  # characters of LaTeX: shown at once, and on the page of a statement

Hypothesis = tuple[str, str]


def checked(claim: Record) -> str:
    """The statement of a claim as it is checked; nothing where it is not in the language."""
    found = claim["checked"]
    if found is None:
        return ""
    held = listed("rests", map(line, found["case"]))
    return f'<p class="where">Given</p>{held}<p class="where">it is said that</p>{_said(found)}'


def folded_in(claim: Record, place: str) -> str:
    """The same beside the print: at once if it is short, or below a fold; of a very long one a link
    to its place."""
    found = claim["checked"]
    if found is None:
        return ""
    title, size = "As it is checked", len(str(found))
    if size > LONGEST:
        return f'<p class="note"><a href="{place}">{title}</a>: a long formula.</p>'
    if size <= SHORT:
        return f'<p class="where">{title}</p>{_said(found)}'
    return f"<details><summary>{title}</summary>{checked(claim)}</details>"


def _said(found: Record) -> str:
    lines = "".join(
        f'<p class="in{min(depth, DEEPEST)}">{line(text)}</p>' for depth, text in found["lines"]
    )
    where = [f"where {line(text)}" for text in found["where"]]
    return f'<div class="said">{lines}</div>{listed("hyp", where)}'


def anchors(claims: Iterable[Record]) -> dict[Hypothesis, tuple[str, Record]]:
    """Of the hypotheses that are in the language: an anchor of each, by its name and words."""
    found: dict[Hypothesis, tuple[str, Record]] = {}
    for claim in claims:
        for one in claim["hypotheses"]:
            if one["checked"] is not None:
                anchor = f"asked-{len(found) + 1}"
                found.setdefault((one["name"], one["statement"]), (anchor, one["checked"]))
    return found


def asked(conditions: dict[Hypothesis, tuple[str, Record]], notation: dict[str, str]) -> str:
    """The hypotheses of a paper's claims as they are asked of each case, and what the formulas
    mean, as sections."""
    if not conditions:
        return ""
    parts = [
        f'<article class="claim" id="{anchor}"><h3>{line(name)}</h3>'
        f"<p>{line(words)}</p>{_said(found)}</article>\n"
        for (name, words), (anchor, found) in conditions.items()
    ]
    title = "Hypotheses as they are asked of each case"
    words = "".join(
        f"<dt>{line(f'${latex}$')}</dt><dd>{line(told)}</dd>" for latex, told in notation.items()
    )
    return (
        f'<section id="asked"><h2>{escape(title)}</h2>{"".join(parts)}</section>\n'
        f'<section id="notation"><h2>What the formulas mean</h2><dl>{words}</dl></section>\n'
    )
