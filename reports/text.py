"""The verdicts of a run as plain text, for a terminal."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence

from latex2mathml.symbols_parser import convert_symbol

from reports.findings import in_short
from reports.mathml_core import BETTER_KNOWN
from reports.verdicts import LOOKS, Record, attention, closing_line

COLOURS = {  # ANSI; the words say the same without them
    "error": "1;31",
    "refuted": "31",
    "vacuous": "35",
    "inconclusive": "33",
    "unchecked": "2",
    "supported": "36",
    "proved on scope": "34",
    "proved": "34",
    "definition": "2",
}
FUNCTIONS = (r"\sup", r"\inf", r"\max", r"\min", r"\log", r"\exp", r"\lim", r"\det", r"\dim")
PLAINER = (  # what LaTeX needs and a line of text does not
    (r"\\tag\{([^{}]*)\}", r" (\1)"),
    (r"\\(math\w+|operatorname|text|displaystyle|big|Big|[,;! ])\*?\s*", ""),
    (r"\$", ""),
)
GAP = 2
LEAST_TITLE = 12  # characters; with less room the title is left out


def render(record: Record, *, width: int = 100, colour: bool = False) -> str:
    """What needs attention, the table of verdicts, and a closing line that sums the run up.

    record: a run's record. width: of the terminal, in characters; no line of the table is longer.
    colour: whether to write ANSI colours (only for a terminal).
    """
    paint = _painted if colour else _plain
    parts = []
    if record["run"]["void"]:
        reasons = "; ".join(record["run"]["void_reasons"])
        parts.append(paint("error", f"THIS RUN IS VOID: {reasons}"))
    for group in attention(record):
        heading = f"{LOOKS[group.verdict].sign} {group.title} ({len(group.items)})"
        lines = [paint(group.verdict, heading)]
        for item in group.items:
            name = item.claim_id or item.label
            told = f"{name}: {plain(item.text)}"
            lines += textwrap.wrap(
                told, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
            )
        parts.append("\n".join(lines))
    parts.append("\n".join(_table(record["claims"], width, colour)))
    short = in_short(record)
    parts += ["\n".join(line for told in short for line in textwrap.wrap(told, width))]
    parts.append(closing_line(record))
    return "\n\n".join(part for part in parts if part) + "\n"


def plain(text: str) -> str:
    r"""A text with formulas for a place that shows none: symbols as letters, all on one line.

    >>> plain(r"decomposition $\nu=\mu\circ h$, $\sup|\sigma|$")
    'decomposition ν=μ∘h, sup|σ|'
    """
    for pattern, replacement in PLAINER:
        text = re.sub(pattern, replacement, text)
    text = re.sub(r"(\\[A-Za-z]+)\s*", _letters, text)
    return re.sub(r"\s+", " ", re.sub(r"\{(\w+)\}|\\([{}])", r"\1\2", text)).strip()


def _letters(found: re.Match[str]) -> str:
    """A command as its symbol, or, of a function that has none, its name."""
    code = convert_symbol(found[1])
    if code:
        return chr(int(code, 16)).translate(BETTER_KNOWN)
    return found[0].lstrip("\\") if found[1] in FUNCTIONS else found[0]


def _table(claims: Sequence[Record], width: int, colour: bool) -> list[str]:
    """The lines of the table: verdict, id, title (as there is room), worst figure."""
    if not claims:
        return ["no claims"]
    rows = [
        (c["verdict"], c["id"], plain(f"{c['reference']}: {c['title']}"), _figure(c["worst"]))
        for c in claims
    ]
    verdicts = max(len(row[0]) for row in rows) + 2
    names = max(_width(row[1]) for row in rows)
    worst = max(_width(row[3]) for row in rows)
    room = width - verdicts - names - worst - 3 * GAP
    if room < LEAST_TITLE:
        worst, room = 0, width - verdicts - names - 2 * GAP
    lines = []
    for verdict, name, title, figure in rows:
        cells = [_padded(f"{LOOKS[verdict].sign} {verdict}", verdicts)]
        if colour:
            cells[0] = _painted(verdict, cells[0])
        if room < LEAST_TITLE:
            cells.append(_shortened(name, max(width - verdicts - GAP, 1)))
        else:
            cells += [_padded(name, names), _padded(_shortened(title, room), room)]
            cells += [" " * (worst - _width(figure)) + figure] if worst else []
        lines.append((" " * GAP).join(cells).rstrip())
    return lines


def _figure(worst: str | None) -> str:
    """The worst figure without what is added to it in brackets."""
    return (worst or "").partition(" (")[0]


def _painted(verdict: str, text: str) -> str:
    return f"\x1b[{COLOURS[verdict]}m{text}\x1b[0m"


def _plain(verdict: str, text: str) -> str:
    return text


def _width(text: str) -> int:
    """How many columns a terminal takes for a text."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _shortened(text: str, width: int) -> str:
    """The text cut to a width, with an ellipsis where something was cut."""
    if _width(text) <= width:
        return text
    kept = text
    while kept and _width(kept) > width - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"
