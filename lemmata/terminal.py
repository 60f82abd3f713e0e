"""What a terminal, or a pipe, can show: its width, colours, and the signs that it has."""

from __future__ import annotations

import codecs
import os
import shutil
import sys
import unicodedata
from typing import TextIO

FALLBACK = "lemmata-words"
"""The name of the way in which signs that an encoding lacks are written."""

WORDS = {
    "×": "x",
    "◐": "~",
    "∅": "0",
    "○": "o",
    "■": "#",
    "≔": ":=",
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "→": "->",
    "←": "<-",
    "↦": "|->",
    "⇒": "=>",
    "⇔": "<=>",
    "∞": "infinity",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "≡": "==",
    "∼": "~",
    "⋅": "*",
    "·": "*",
    "∘": " o ",
    "±": "+-",
    "√": "sqrt",
    "∑": "sum",
    "∏": "prod",
    "∫": "int",
    "∂": "d",
    "∇": "grad",
    "∈": " in ",
    "∉": " not in ",
    "⊂": " subset ",
    "⊆": " subset ",
    "∪": " u ",
    "∩": " n ",
    "∖": "\\",
    "∀": "for all ",
    "∃": "there is ",
    "∥": "||",
    "‖": "||",
    "∣": "|",
    "⊤": "T",
    "⊥": "_|_",
    "⟨": "<",
    "⟩": ">",
    "′": "'",
    "″": "''",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
}


def in_words(text: str) -> str:
    """The text in ASCII: signs as words, letters without accents, the rest as question marks.

    >>> in_words("ν = μ ∘ h ≤ ∅, naïve²")
    'nu = mu  o  h <= 0, naive2'
    """
    return "".join(sign if sign.isascii() else _word(sign) for sign in text)


def _word(sign: str) -> str:
    if sign in WORDS:
        return WORDS[sign]
    kind, _, name = unicodedata.name(sign, "").partition(" LETTER ")
    if kind.startswith("GREEK") and name.isalpha():
        return name.lower() if "SMALL" in kind else name.capitalize()
    plain = unicodedata.normalize("NFKD", sign)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    if plain and plain.isascii():
        return plain
    return in_words(plain) if plain and plain != sign else "?" * bool(plain)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return in_words(error.object[error.start : error.end]), error.end


def prepare() -> None:
    """Let stdout and stderr take any text, whatever their encoding."""
    codecs.register_error(FALLBACK, _replace)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=FALLBACK)


def is_screen(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can go back on its line and knows colours."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(stream: TextIO) -> bool:
    """Whether to write colours: where they are seen, and NO_COLOR does not ask for none."""
    return is_screen(stream) and not os.environ.get("NO_COLOR")


def columns() -> int:
    """How wide the terminal is."""
    return max(shutil.get_terminal_size((100, 24)).columns, 40)
