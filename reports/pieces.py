"""Small pieces of HTML that every part of the report is made of."""

from __future__ import annotations

import html
import re
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from reports import mathml
from reports.mathematics import REFERENCE, titles
from reports.verdicts import HEADLINES, LOOKS, Look

PLACES = re.compile(
    r"( in \w+)?, verify\.[\w.]+ line \d+"
)  # of code, which no reader of a paper has
GLUED = re.compile(r"\\(ge|le|ell)(?!q|ft|ss|ad|ts)(?=[A-Za-z])")
MATHEMATICS = "mathematics.html"  # a page of the folder with the details


def escape(text: object) -> str:
    """Text for HTML."""
    return html.escape(str(text))


def line(text: str) -> str:
    """A line of text with formulas. Of these one that cannot be typeset is shown as its source."""
    words, *rest = REFERENCE.split(PLACES.sub("", text))
    found = _typeset(words)
    for name, place, more in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        found += mathematics(name, place) + _typeset(more)
    return found


def _typeset(text: str) -> str:
    try:
        return mathml.inline(text)
    except mathml.FormulaError:
        return "".join(map(_one_by_one, mathml.CUT.split(text)))


def mathematics(name: str, place: str) -> str:
    """A link to a section of the mathematics by its title, from a page of the folder with the
    details. name: of the page of docs/mathematics. place: the anchor there."""
    title = _typeset(titles().get((name, place), place))
    return (
        f'<small><a href="{MATHEMATICS}{target(section_anchor(name, place))}">{title}</a></small>'
    )


def section_anchor(name: str, place: str) -> str:
    """Of a section of the mathematics."""
    return f"{name}-{place}"


def _one_by_one(part: str) -> str:
    """A formula or the words between two, typeset if that is possible."""
    for source in (part, unglued(part)):
        try:
            return mathml.inline(source)
        except mathml.FormulaError:
            continue
    return f'<code class="latex">{escape(part)}</code>'


def unglued(latex: str) -> str:
    r"""LaTeX with a space after a command that runs into the letters after it, as it does where
    texts of formulas were joined without one.

    >>> print(unglued(r"a\gek\left(b\right)\leq c"))
    a\ge k\left(b\right)\leq c
    """
    return GLUED.sub(r"\\\1 ", latex)


def sentence(text: str) -> str:
    """A line of text as a sentence: with a capital letter and a full stop."""
    text = text.strip()
    if re.match(r"[a-z]+[ ,]", text):
        text = text[0].upper() + text[1:]
    return line(text if re.search(r"[.!?][)”]?$|^$", text) else f"{text}.")


def blocks(text: str) -> str:
    """Paragraphs with formulas. Of these one that cannot be typeset is shown as its source."""
    for source in (text, unglued(text)):
        try:
            return mathml.paragraphs(source)
        except mathml.FormulaError:
            continue
    return "".join(f"<p>{line(part)}</p>" for part in re.split(r"\n\s*\n", text))


def headline(word: str) -> str:
    """The headline of a statement as a sign and a word."""
    return f"<b{_tone(HEADLINES[word])}>{HEADLINES[word].sign} {word}</b>"


def verdict(word: str, claim_id: str = "") -> str:
    """The verdict on a claim as a sign and a word. claim_id: where this is the place of the claim,
    for links."""
    anchor = f' id="claim-{escape(claim_id)}"' if claim_id else ""
    return f"<b{_tone(LOOKS[word])}{anchor}>{LOOKS[word].sign} {word}</b>"


def _tone(look: Look) -> str:
    return ' class="bad"' if look.sign in "×!" else ""


def handle(claim_id: str) -> str:
    """The id of a statement or claim, small."""
    return f"<code>{escape(claim_id)}</code>"


def target(name: str) -> str:
    """A fragment that leads to an anchor of this name."""
    return f"#{urllib.parse.quote(name, safe='@+')}"


def table(
    caption: str, columns: Mapping[str, Callable[[Any], str]], rows: Iterable[Any], name: str = ""
) -> str:
    """A table with a line for each of the rows. columns: from its head to the HTML of a cell."""
    head = "".join(f'<th scope="col">{text}</th>' for text in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{cell(row)}</td>' for cell in columns.values())}</tr>\n"
        for row in rows
    )
    return (
        f'<div class="wide"><table class="{name}"><caption>{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n"
    )


def of(key: str, show: Callable[[str], str] = escape) -> Callable[[Any], str]:
    """A column of a table: one field of a record, shown."""
    return lambda row: show(row[key])


def section(title: str, told: str, inner: str, name: str = "") -> str:
    """A section of a page with its heading and a paragraph. name: its anchor."""
    words = f"<p>{told}</p>" if told else ""
    anchor = f' id="{name}"' if name else ""
    return f"<section{anchor}><h2>{title}</h2>{words}{inner}</section>\n"


def listed(name: str, items: Iterable[str]) -> str:
    """Lines that are HTML already as a list, or one alone as a paragraph."""
    several = list(items)
    if len(several) == 1:
        return f'<p class="{name}">{several[0]}</p>'
    inner = "".join(f"<li>{item}</li>" for item in several)
    return f'<ul class="{name}">{inner}</ul>' if inner else ""


def seconds(value: float) -> str:
    """A time with three figures, or as much as is worth reading."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.001 else "0"
