"""The arrays of a certificate that speaks of matrices and numbers, as formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from reports.pieces import escape, line, listed
from reports.verdicts import Record

LONGEST = 8  # rows or columns that are written out


def arrays(case: Record, letters: Mapping[str, str]) -> str:
    """Each array under the letter that its paper gives it: a matrix, or a tensor slice by slice, a
    line each; then all numbers and rows. Arrays without a letter are counted, not named."""
    named = {name: symbol for name in case["arrays"] if (symbol := letter_of(name, letters))}
    shown = {name: case["arrays"][name] for name in named}
    high = {name for name, array in shown.items() if _is_high(array)}
    items = [_written(named[name], shown[name]) for name in shown if name in high]
    flat = [_written(named[name], shown[name]) for name in shown if name not in high]
    items += [", ".join(flat)] if flat else []
    left = len(case["arrays"]) - len(shown)
    if left:
        items.append(f"{left} further {'array' if left == 1 else 'arrays'} in the certificate")
    return listed("arrays", items)


def _is_high(array: Record) -> bool:
    """Whether an array takes more than one line: it has several rows."""
    rank = len(array["axes"])
    return rank > 2 or (rank == 2 and len(array["entries"]) > 1)


def letter_of(name: str, letters: Mapping[str, str]) -> str:
    """What a paper calls an array, entry or choice, as text with LaTeX; "" where nobody knows.

    >>> letter_of("gap2", {"gap2": "$s_2$"}), letter_of("W1", {}), letter_of("gap2", {})
    ('$s_2$', '$W_{1}$', '')
    """
    if name in letters:
        return letters[name]
    if name[:1].isalpha() and (len(name) == 1 or name[1:].isdigit()):
        return f"${name[0]}_{{{name[1:]}}}$" if name[1:] else f"${name}$"
    return ""


def _written(symbol: str, array: Record) -> str:
    """An array with its letter; words in the place of a letter stand before it."""
    axes, entries = array["axes"], array["entries"]
    bare = symbol[1:-1] if re.fullmatch(r"\$[^$]+\$", symbol) else ""
    if len(axes) > 3 or any(length > LONGEST for length in lengths(entries, len(axes))):
        shape = " × ".join(map(str, lengths(entries, len(axes))))
        return f"{line(symbol)}: {escape(shape)}, in the certificate"
    if len(axes) == 3:
        slices = enumerate(map(_matrix, entries), start=1)
        if bare:
            return line(" ".join(rf"${bare}_{{{k}\cdot\cdot}}={m}$" for k, m in slices))
        return line(", ".join(f"{symbol}, slice {k}: ${m}$" for k, m in slices))
    value = _matrix(entries if len(axes) == 2 else [entries]) if axes else _number(entries)
    return line(f"${bare}={value}$" if bare else f"{symbol}: ${value}$")


def lengths(entries: Any, rank: int) -> tuple[int, ...]:
    """The length of nested lists along each of `rank` axes.

    >>> lengths([["1", "2"]], 2)
    (1, 2)
    """
    found = []
    for _ in range(rank):
        found.append(len(entries))
        entries = entries[0] if entries else []
    return tuple(found)


def _matrix(rows: list[list[str]]) -> str:
    if len(rows) == 1:
        row = ",".join(map(_number, rows[0]))
        return row if len(rows[0]) == 1 else f"({row})"
    body = r"\\".join("&".join(map(_number, row)) for row in rows)
    return rf"\left(\begin{{matrix}}{body}\end{{matrix}}\right)"


def _number(text: str) -> str:
    number = Fraction(text)
    sign = "-" if number < 0 else ""
    if number.denominator == 1:
        return f"{sign}{abs(number.numerator)}"
    return rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
