"""Small pieces of HTML that every part of the report is made of."""

from __future__ import annotations

import html
import re
import urllib.parse
from collections.abc import Iterable

from reports import mathml
from reports.verdicts import LOOKS


def escape(text: object) -> str:
    """Text for HTML."""
    return html.escape(str(text))


def line(text: str) -> str:
    """A line of text with formulas. A formula that cannot be typeset is shown as its source."""
    try:
        return mathml.inline(text)
    except mathml.FormulaError:
        return f'<code class="latex">{escape(text)}</code>'


def sentence(text: str) -> str:
    """A line of text as a sentence: with a capital letter and a full stop."""
    text = text.strip()
    if re.match(r"[a-z]+[ ,]", text):
        text = text[0].upper() + text[1:]
    return line(text if text[-1:] in (".", "!", "?", "") else f"{text}.")


def blocks(text: str) -> str:
    """Paragraphs with formulas; if one cannot be typeset, the source with a note that says so."""
    try:
        return mathml.paragraphs(text)
    except mathml.FormulaError as error:
        note = f'<p class="note">Not typeset: {escape(error)}</p>'
        return f'<p><code class="latex">{escape(text)}</code></p>{note}'


def badge(verdict: str) -> str:
    """A verdict as a sign and a word."""
    kind = verdict.replace(" ", "-")
    sign = LOOKS[verdict].sign
    return f'<span class="verdict {kind}"><span class="sign">{sign}</span> {verdict}</span>'


def anchor(claim_id: str) -> str:
    """The id of a claim's section, to be written into an attribute."""
    return escape(f"claim-{claim_id}")


def link(claim_id: str, known: Iterable[str]) -> str:
    """The id of a claim, with a link to its section where the report has one."""
    name = f'<code class="id">{escape(claim_id).replace("@", "<wbr>@")}</code>'
    if claim_id not in known:
        return name
    target = urllib.parse.quote(f"claim-{claim_id}", safe="@+")
    return f'<a href="#{target}">{name}</a>'


def seconds(value: float) -> str:
    """A time with three figures, or as much as is worth reading."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.001 else "0"
