"""One network drawn in a file of its own: SVG, or a page."""

from __future__ import annotations

from reports.exhibit import picture
from reports.figures import draw
from reports.marks import Marks
from reports.page import asset, page
from reports.pieces import escape
from reports.verdicts import Record

MOST = (60, 150)
"""The vertices and edges of a network that has a file to itself."""


def as_svg(network: Record) -> str:
    """An SVG document with the report's style. Raises DrawingError."""
    start, end, rest = draw(network, Marks(), MOST).partition(">")
    start = start.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    paper = "svg { background: var(--paper); font-family: serif; }"
    return f"{start}{end}<style>{asset('style.css')}{paper}</style>{rest}\n"


def as_html(network: Record, title: str) -> str:
    """A page with the drawing and its legend."""
    body = f'<main id="main"><h1>{escape(title)}</h1>{picture(network, Marks(), MOST)}</main>\n'
    return page(title, body)
