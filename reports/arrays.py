"""The arrays of a certificate that speaks of matrices and numbers, as formulas."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from reports import mathml
from reports.pieces import escape
from reports.verdicts import Record

LONGEST = 8  # rows or columns that are written out


def arrays(case: Record) -> str:
    """Each array by name: a number, a row, a matrix, or a tensor slice by slice."""
    matrices = {name: array for name, array in case["arrays"].items() if array["axes"]}
    numbers = {name: array for name, array in case["arrays"].items() if not array["axes"]}
    written = [_written(name, array) for name, array in matrices.items()]
    if numbers:
        written.append(", ".join(_written(name, array) for name, array in numbers.items()))
    items = "".join(f"<li>{item}</li>" for item in written)
    return f'<ul class="arrays">{items}</ul>'


def _written(name: str, array: Record) -> str:
    axes, entries = array["axes"], array["entries"]
    symbol = _symbol(name)
    shape = " × ".join(map(str, lengths(entries, len(axes))))
    if any(length > LONGEST for length in lengths(entries, len(axes))) or len(axes) > 3:
        return f"{mathml.formula(symbol)}: {escape(shape)}, in the certificate"
    if len(axes) == 3:
        parts = [
            mathml.formula(f"{symbol}_{{{k + 1}\\cdot\\cdot}}={_matrix(matrix)}")
            for k, matrix in enumerate(entries)
        ]
        return " ".join(parts)
    if len(axes) == 2:
        return mathml.formula(f"{symbol}={_matrix(entries)}")
    if len(axes) == 1:
        return mathml.formula(f"{symbol}={_matrix([entries])}")
    return mathml.formula(f"{symbol}={_number(entries)}")


def lengths(entries: Any, rank: int) -> tuple[int, ...]:
    """The length of nested lists along each of `rank` axes.

    >>> lengths([["1", "2"]], 2)
    (1, 2)
    """
    found = []
    for _ in range(rank):
        found.append(len(entries))
        entries = entries[0]
    return tuple(found)


def _symbol(name: str) -> str:
    """A letter with the rest of the name as its index; a longer word upright."""
    if len(name) == 1:
        return name
    if name[1:].isdigit():
        return f"{name[0]}_{{{name[1:]}}}"
    return rf"\mathrm{{{name}}}"


def _matrix(rows: list[list[str]]) -> str:
    body = r"\\".join("&".join(map(_number, row)) for row in rows)
    return rf"\left(\begin{{matrix}}{body}\end{{matrix}}\right)"


def _number(text: str) -> str:
    number = Fraction(text)
    sign = "-" if number < 0 else ""
    if number.denominator == 1:
        return f"{sign}{abs(number.numerator)}"
    return rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
