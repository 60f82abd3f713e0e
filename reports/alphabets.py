"""The fonts of mathematics as letters of Unicode: ℝ and 𝒫 are characters, not styles."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress

# names of the Unicode blocks for the fonts, and the letters that were in Unicode before them
ALPHABETS = {
    "double-struck": "DOUBLE-STRUCK",
    "script": "SCRIPT",
    "fraktur": "FRAKTUR",
    "bold": "BOLD",
    "italic": "ITALIC",
    "bold-italic": "BOLD ITALIC",
    "sans-serif": "SANS-SERIF",
    "sans-serif-italic": "SANS-SERIF ITALIC",
    "monospace": "MONOSPACE",
}


def letter(character: str, font: str) -> str:
    """The letter in a mathematical font, or itself where Unicode has none.

    >>> letter("R", "double-struck"), letter("P", "script")
    ('ℝ', '𝒫')
    """
    alphabet = ALPHABETS[font]
    kind = re.sub(r"^LATIN |LETTER |^GREEK ", "", unicodedata.name(character, ""))
    # the few letters of Unicode's first version, such as ℛ and ℂ (black-letter for fraktur)
    older = alphabet.replace("FRAKTUR", "BLACK-LETTER")
    for name in (f"MATHEMATICAL {alphabet} {kind}", f"{alphabet} {kind}", f"{older} {kind}"):
        with suppress(KeyError):
            return unicodedata.lookup(name)
    return character
