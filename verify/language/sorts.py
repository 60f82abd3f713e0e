"""Sorts: what kinds of values a term has, and the signatures of operators.

A signature is text: `num num: num`, `seq[S] T: T`. A capital letter stands for any sort, the same
one wherever it stands. A whole number is a number: `int` fits where `num` is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

BASIC = ("int", "num", "bool", "vec", "mat", "tensor", "vertex", "edge", "path")


_made: dict[tuple[str, tuple[Sort, ...]], Sort] = {}


@dataclass(frozen=True, eq=False)
class Sort:
    """A sort: its name, and of lists and tuples the sorts of the elements. Equal ones are one
    object, as they are compared with every step of an evaluation."""

    name: str
    inner: tuple[Sort, ...] = ()

    def __new__(cls, name: str, inner: tuple[Sort, ...] = ()) -> Sort:
        return _made.setdefault((name, inner), super().__new__(cls))

    def __reduce__(self) -> tuple[type[Sort], tuple[str, tuple[Sort, ...]]]:
        return Sort, (self.name, self.inner)

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(str, self.inner))}]" if self.inner else self.name


INT, NUM, BOOL, VEC, MAT, TENSOR, VERTEX, EDGE, PATH = map(Sort, BASIC)


def seq(element: Sort) -> Sort:
    """Lists of elements of one sort."""
    return Sort("seq", (element,))


def tuple_of(parts: Sequence[Sort]) -> Sort:
    """Tuples with these parts."""
    return Sort("tuple", tuple(parts))


def fits(given: Sort, asked: Sort) -> bool:
    """Whether a value of the one sort may stand where the other is asked for."""
    return given == asked or (
        (
            given.name == asked.name
            and len(given.inner) == len(asked.inner)
            and all(map(fits, given.inner, asked.inner))
        )
        or (given, asked) == (INT, NUM)
    )


def joined(one: Sort, other: Sort) -> Sort | None:
    """The least sort that both fit; None where there is none."""
    if fits(one, other):
        return other
    return one if fits(other, one) else None


@dataclass(frozen=True)
class Signature:
    """What sorts of arguments an operator takes, and the sort of its value."""

    arguments: tuple[Sort, ...]
    value: Sort

    def of(self, given: Sequence[Sort]) -> tuple[tuple[Sort, ...], Sort] | None:
        """For arguments of these sorts: the sorts they are taken as, and the sort of the value;
        None where they do not fit."""
        bound: dict[str, Sort] = {}
        if len(given) != len(self.arguments):
            return None
        if not all(
            _bind(asked, sort, bound) for asked, sort in zip(self.arguments, given, strict=True)
        ):
            return None
        return tuple(_filled(asked, bound) for asked in self.arguments), _filled(self.value, bound)


def _is_letter(sort: Sort) -> bool:
    return len(sort.name) == 1


def _bind(asked: Sort, given: Sort, bound: dict[str, Sort]) -> bool:
    """Whether a sort fits a pattern, the letters of which are bound on the way."""
    if _is_letter(asked):
        common = joined(bound.get(asked.name, given), given)
        if common is None:
            return False
        bound[asked.name] = common
        return True
    if asked.inner:
        same = given.name == asked.name and len(given.inner) == len(asked.inner)
        return same and all(
            _bind(a, g, bound) for a, g in zip(asked.inner, given.inner, strict=False)
        )
    return fits(given, asked)


def _filled(sort: Sort, bound: dict[str, Sort]) -> Sort:
    if _is_letter(sort):
        return bound[sort.name]
    return Sort(sort.name, tuple(_filled(part, bound) for part in sort.inner))


@cache
def signature(text: str) -> Signature:
    """The signature that a text says."""
    before, _, behind = text.partition(":")
    return Signature(tuple(map(sort_of, before.split())), sort_of(behind.strip()))


@cache
def sort_of(text: str) -> Sort:
    """The sort that a text names: `seq[seq[vertex]]`."""
    found = re.fullmatch(r"(\w+)(?:\[(.+)\])?", text)
    assert found is not None, text
    return Sort(found[1], (sort_of(found[2]),) if found[2] else ())
