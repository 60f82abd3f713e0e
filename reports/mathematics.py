"""The page of the mathematics: what verdicts use without computing it, section by section."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from importlib.resources import files

from reports.page import page
from reports.pieces import section_anchor

TITLE = "The mathematics that is not computed"
HEADING = re.compile(r"## (\d+)\. (.*)")
LEAD = re.compile(r"\*([^*]+\.)\*")  # what a paragraph is about, at its beginning


@cache
def source() -> str:
    """The text, in Markdown: headings, paragraphs, indented displays."""
    return files("reports").joinpath("mathematics.md").read_text(encoding="utf-8")


def mathematics() -> str:
    """The page, with an anchor at each section."""
    body, is_open = [], False
    for block in re.split(r"\n\s*\n", _apart(source())):
        found = HEADING.match(block)
        if found:
            body.append("</section>\n" * is_open)
            number, name = found.groups()
            body.append(f'<section id="{section_anchor(number)}"><h2>{number}. {_line(name)}</h2>')
            is_open = True
        elif block.startswith("# "):
            body.append(f'<header><h1>{TITLE}</h1></header>\n<main id="main">')
        elif block.startswith("    "):
            body.append(f"<pre>{escape(block)}</pre>")
        elif block.strip():
            body.append(f"<p>{_line(block)}</p>")
    return page(TITLE, "".join(body) + "</section></main>\n")


def _apart(text: str) -> str:
    """With an empty line after each heading."""
    return re.sub(r"^(#+ .*)$", r"\1\n", text, flags=re.MULTILINE)


def _line(text: str) -> str:
    return LEAD.sub(r"<em>\1</em>", escape(text, quote=False).replace("`", ""), count=1)
