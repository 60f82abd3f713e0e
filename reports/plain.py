"""Texts with formulas as plain text on one line, and how wide such a text is."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

FUNCTIONS = (r"\sup", r"\inf", r"\max", r"\min", r"\log", r"\exp", r"\lim", r"\det", r"\dim")
OPENING, CLOSING = (
    [rf"\{side}{kind}" for kind in ("vert", "Vert", "floor", "ceil", "angle")] for side in "lr"
)
GROUP = r"\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}"
"""What stands in braces, which may hold braces three deep."""
PLAINER = (  # what LaTeX needs and a line of text does not
    (r"\\tag\{([^{}]*)\}", r" (\1)"),
    (r"\\(?:left|right)(?![A-Za-z])", ""),
    (r"\s+\\r(vert|Vert|floor|ceil|angle)(?![A-Za-z])", r"\\r\1"),
    (r"\\bmod\b", "mod"),
    (r"\\dot(?![A-Za-z])\s*\{?(\w)\}?", r"d\1/dt"),
    (r"\\mathbin\{\+\\!\\!\+\}", "++"),
    (r"\\begin\{(?:cases|bmatrix)\}\s*", "["),
    (r"\s*\\end\{(?:cases|bmatrix)\}", "]"),
    (r"\s*\\\\\s*", "; "),
    (r"\s*&\s*", "\0"),
    (r"(\\[A-Za-z]+)(?=\\(?:math|operatorname|text))", r"\1 "),
    (r"\\text\{([^{}]*)\}", r"\1"),
    (r"\{\\mathrm\{(\w+)\}\}", r"{\1}"),
    (r"\\(math\w+|operatorname|text|displaystyle|big|Big|[,;! ])\*?\s*", ""),
    (r"\$", ""),
)


CONTROLS = {
    **{code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))},
    **{code: f"\\u{code:04x}" for code in (0x200E, 0x200F, 0x2028, 0x2029)},
    **{code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))},
}
"""Signs that steer a terminal or turn the direction of writing, as they are shown instead."""


def visible(text: str) -> str:
    r"""The text with the signs that would steer a terminal written out; lines and tabs stay.

    >>> visible("a\x1b[2Jb\n")
    'a\\x1b[2Jb\n'
    """
    return text.translate(CONTROLS)


def plain(text: str) -> str:
    r"""A text with formulas for a place that shows none: symbols as letters, all on one line.

    >>> plain(r"decomposition $\nu=\mu\circ h$, $\sup|\sigma|$")
    'decomposition ν=μ∘h, sup|σ|'
    >>> plain(r"$V\in\mathbb R^k$")
    'V∈R^k'
    """
    for pattern, replacement in PLAINER:
        text = re.sub(pattern, replacement, text)
    while r"\frac" in text and (shorter := re.sub(rf"\\frac{GROUP}{GROUP}", _over, text)) != text:
        text = shorter
    text = re.sub(r"((?<![^ ({]))?(\\[A-Za-z]+)(\s*)", _letters, text)
    text = re.sub(r"[\s\0]+", " ", re.sub(r"\{(\w+)\}|\\([{}])", r"\1\2", text))
    return visible(text.strip())


def _over(found: re.Match[str]) -> str:
    """A fraction on one line."""
    above, below = (part if re.fullmatch(r"\w+", part) else f"({part})" for part in found.groups())
    return f"{above}/{below}"


def _letters(found: re.Match[str]) -> str:
    """A command as its symbol, or, of a function that has none, its name. One that stands between
    two spaces keeps both, and one that closes brackets the space behind it."""
    from latex2mathml.symbols_parser import convert_symbol

    from reports.mathml_core import BETTER_KNOWN

    between, command, space = found.groups()
    code = convert_symbol(command)
    if code:
        keeps = command in CLOSING or (between is not None and command not in OPENING)
        behind = " " if space and keeps else ""
        return chr(int(code, 16)).translate(BETTER_KNOWN) + behind
    return found[0].lstrip("\\") if command in FUNCTIONS else found[0]


def shown_width(text: str) -> int:
    """How many columns a terminal takes for a text."""
    return sum(map(_columns, text))


def _columns(letter: str) -> int:
    """How many it takes."""
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def padded(text: str, width: int) -> str:
    """The text with blanks up to a width."""
    return text + " " * (width - shown_width(text))


def cut(text: str, width: int) -> str:
    """The text cut to a width, with an ellipsis where something was cut.

    >>> cut("decomposition", 6), cut("short", 6)
    ('decom…', 'short')
    """
    text = visible(text)
    ends = list(accumulate(map(_columns, text)))
    if not ends or ends[-1] <= width:
        return text
    kept = text[: bisect_right(ends, width - 1)]
    return kept.rstrip() + "…" if width > 0 else ""
