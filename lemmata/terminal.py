"""What a terminal, or a pipe, can show: its width, colours, and the signs that it has."""

from __future__ import annotations

import codecs
import os
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from reports.plain import visible

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


class Clean:
    """A stream on which nothing that is written steers the terminal: see reports.plain.visible."""

    def __init__(self, stream: TextIO) -> None:
        self.beneath = stream

    def write(self, text: str) -> int:
        """Write the text, signs that would steer the terminal as text."""
        self.beneath.write(visible(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


@contextmanager
def clean_streams() -> Iterator[None]:
    """Whatever name a file holds, it is shown and does not steer the terminal."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Clean(sys.stdout), Clean(sys.stderr)  # type: ignore[assignment]  # all that is asked of a stream
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def steered(stream: TextIO) -> TextIO:
    """The stream beneath, for colours and for going back on a line."""
    found: TextIO = getattr(stream, "beneath", stream)
    return found


def is_screen(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can go back on its line."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


COLOUR_OF_WINDOWS = ("WT_SESSION", "ANSICON", "ConEmuANSI", "TERM")  # an old console has none


def coloured(stream: TextIO) -> bool:
    """Whether to write colours: where they are seen, and NO_COLOR does not ask for none."""
    knows = os.name != "nt" or any(map(os.environ.get, COLOUR_OF_WINDOWS))
    return is_screen(stream) and knows and not os.environ.get("NO_COLOR")


def command_line(words: Sequence[str]) -> str:
    """The words as they are typed: in the shell of this system."""
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)


def columns() -> int:
    """How wide the terminal is."""
    return max(shutil.get_terminal_size((100, 24)).columns, 40)
