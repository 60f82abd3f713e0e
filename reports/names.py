"""Numbers and the names of vertices as they are written: `-2/3` as −2/3, `x1` as x with index 1."""

from __future__ import annotations

import html
import math
import re
from fractions import Fraction
from typing import Any

NARROW = {" ": 0.25, "/": 0.28, ".": 0.25, ",": 0.25, "|": 0.2, "i": 0.28, "l": 0.28}


def number_text(value: Any, *, limit: int = 9) -> str:
    """A number of a certificate as text; one longer than `limit` is rounded and says so.

    >>> number_text("-2/3"), number_text("123456789/987654321")
    ('−2/3', '≈ 0.125')
    """
    text = str(value)
    try:
        exact = Fraction(float.fromhex(text) if "0x" in text else text)
        number = float(exact)
    except (ValueError, OverflowError, ZeroDivisionError):
        return minus(text) if len(text) <= limit else text[: limit - 1] + "…"
    if "0x" in text and Fraction(repr(number)) == exact:
        text = repr(number).removesuffix(".0")  # the same number, as people write it
    if len(text) <= limit and "0x" not in text:
        return minus(text)
    return f"≈ {minus(f'{number:.4g}')}"


def minus(text: str) -> str:
    """A number as text with a true minus sign, and any other text as it is."""
    return "−" + text[1:] if re.match(r"-[\d.]", text) else text


def minuses(text: str) -> str:
    """A text with a true minus sign before each negative number in it.

    >>> minuses("-0.43 (-0.48 to -0.39), m^(-1/2)")
    '−0.43 (−0.48 to −0.39), m^(−1/2)'
    """
    return re.sub(r"(?<![\w.)])-(?=[\d.])", "−", text)


def square_root(square: Any) -> str:
    """The root of a rational number as text: itself rational, or with a root sign.

    >>> square_root("1/4"), square_root("1/3")
    ('1/2', '√(1/3)')
    """
    try:
        value = Fraction(square)
        top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    except (ValueError, ZeroDivisionError):
        return f"√({square})"
    exact = top * top == value.numerator and bottom * bottom == value.denominator
    return str(Fraction(top, bottom)) if exact else f"√({value})"


SUPERSCRIPTS = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def power_text(base: str, exponent: int) -> str:
    """A power with a whole exponent.

    >>> power_text("M", 2), power_text("M", 1), power_text("M", 0), power_text("10", -3)
    ('M²', 'M', '1', '10⁻³')
    """
    if exponent == 0:
        return "1"
    return base if exponent == 1 else base + str(exponent).translate(SUPERSCRIPTS)


def split_name(name: str) -> tuple[str, str]:
    """A short name with a number at its end as (letters, digits), any other as (name, "")."""
    found = re.fullmatch(r"([^\W\d_]{1,2})_?(\d{1,3})", name)
    return (found[1], found[2]) if found else (name, "")


def name_html(name: str) -> str:
    """The name as HTML: short ones in italics, their number as a subscript."""
    letters, digits = split_name(name)
    if len(letters) > 2:
        return html.escape(name)
    return f"<i>{html.escape(letters)}</i>" + (f"<sub>{digits}</sub>" if digits else "")


def name_svg(name: str) -> str:
    """The name as the content of an SVG text whose style is italic for letters alone."""
    letters, digits = split_name(name)
    if len(letters) > 2:
        return f'<tspan class="up">{html.escape(name)}</tspan>'
    lowered = f'<tspan class="up">{digits.translate(SUBSCRIPTS)}</tspan>' if digits else ""
    return html.escape(letters) + lowered


def text_width(text: str) -> float:
    """About how wide a text is, in ems."""
    return sum(NARROW.get(letter, 0.52) for letter in text)


def name_width(name: str) -> float:
    """About how wide `name_svg` is drawn, in ems."""
    letters, digits = split_name(name)
    return text_width(letters) + 0.36 * len(digits)
