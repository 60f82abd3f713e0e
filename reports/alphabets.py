"""The fonts of mathematics as letters of Unicode: ℝ and 𝒫 are characters, not styles."""

from __future__ import annotations

import re
import unicodedata

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
    try:
        name = unicodedata.name(character)
    except ValueError:
        return character
    kind = re.sub(r"^LATIN |LETTER |^GREEK ", "", name)
    for candidate in (f"MATHEMATICAL {alphabet} {kind}", f"{alphabet} {kind}"):
        try:
            return unicodedata.lookup(candidate)
        except KeyError:
            continue
    # the few letters of Unicode's first version, such as ℛ and ℂ (black-letter for fraktur)
    older = alphabet.replace("FRAKTUR", "BLACK-LETTER")
    try:
        return unicodedata.lookup(f"{older} {kind}")
    except KeyError:
        return character
