"""Statements spelled out for readers: what a case holds, what is said line by line, and parts that
come more than once under letters of their own.

The formula of a long statement on one line is read by nobody; what is shown beside the print has to
be readable, since nothing else tells that the term says what the paper prints.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from verify.language.building import pattern, words
from verify.language.domains import Array, Domain
from verify.language.latex import (
    Names,
    arrays_in,
    bound,
    conjuncts,
    entered,
    entries,
    formula,
    letter,
    names_in,
    part_of,
    unused,
)
from verify.language.operators import OPERATORS
from verify.language.sorts import BOOL, INT, Sort
from verify.language.terms import Body, Term, rebuilt, to_json

LETTERS = ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Upsilon", "Phi", "Psi", "Omega")
"""For parts that come more than once: no name of an array or a variable is a capital Greek one."""
WORTH = 9
"""Operators and literals of a part that gets a letter, at least."""
WIDE = 240
"""Characters of the conditions on one line, at most."""
OPENING = {"each": "for all", "some": "for some", "let": "with"}
MANY = {"vertex": "vertices", "edge": "edges", "path": "paths", "int": "whole numbers"}
SHAPES = {"mat": "a matrix", "vec": "a vector", "num": "a number", "tensor": "an array"}


@dataclass(frozen=True)
class Spelled:
    """A statement or a hypothesis for readers, in words with formulas. lines: what is said, each
    line with how far it is indented. where: what letters stand for."""

    lines: tuple[tuple[int, str], ...]
    where: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[Any]]:
        """As in a record."""
        return {"lines": [list(line) for line in self.lines], "where": list(self.where)}


@lru_cache(maxsize=1_000)
def spelled(term: Term) -> Spelled:
    """What a statement says, or a hypothesis, spelled out."""
    whole, parts = shortened(term)
    names = names_in(term)
    for left, right in parts:
        names |= names_in(right)
        if left.notion is not None:
            numbers = (one.args[0] for one in left.notion.arguments)
            names |= zip(numbers, left.notion.names, strict=True)
    where = []
    for left, right in parts:
        free = arrays_in(term)
        for one in left.args[1:] if left.notion is None else left.notion.arguments:
            free[one.args[0]] = unused(names[one.args[0]], free)
        means = r"\iff" if left.sort == BOOL else "="
        where.append(f"${formula(left, free)} {means} {formula(right, free)}$")
    return Spelled(tuple(lines(whole)), tuple(where))


# what a case holds --------------------------------------------------------------------------------
def held(domain: Domain) -> Iterator[str]:
    """What a case holds, item by item, in words with formulas."""
    if domain.network:
        kinds = " or ".join(kind.replace("_", " ") for kind in domain.activations)
        told = f" with activations {kinds}" if kinds else ""
        yield f"a network{told}, its weights, and examples $x_1,\\dots,x_n$ with labels"
    for array in domain.arrays.values():
        meaning = f": {array.meaning}" if array.meaning else ""
        yield f"${letter(array.name)}$, {_shape(array)}{meaning}"


def _shape(array: Array) -> str:
    """What an array is, in words."""
    if array.sort == INT:
        return f"a whole number from {array.least} to {array.largest}"
    if array.sort.name == "seq":
        return f"a list of {_many(array.sort.inner[0])}"
    axes = r" \times ".join(map(letter, array.axes))
    return SHAPES[array.sort.name] + (f", ${axes}$" if axes else "")


def _many(sort: Sort) -> str:
    if sort.name == "seq":
        return f"lists of {_many(sort.inner[0])}"
    return MANY.get(sort.name, "numbers")


# line by line -------------------------------------------------------------------------------------
def lines(term: Term, names: Names | None = None, depth: int = 0) -> Iterator[tuple[int, str]]:
    """What a term says, taken apart as a statement is: over elements, under conditions, into parts.
    Each line with how far it is indented."""
    names = arrays_in(term) if names is None else names
    if term.op == "and":
        for part in term.args:
            yield from lines(part, names, depth)
    elif term.op == "implies":
        condition, said = term.args
        written = formula if condition.op != "and" else part_of
        told = [f"${written(part, names)}$" for part in conjuncts(condition)]
        if sum(map(len, told)) <= WIDE:
            yield depth, f"if {', '.join(told[:-1])}{' and ' * (len(told) > 1)}{told[-1]}:"
        else:
            yield depth, "if"
            yield from ((depth + 1, part) for part in told)
            yield depth, "then"
        yield from lines(said, names, depth + 1)
    elif term.op in OPENING:
        elements, first = [], term.op
        while term.op == first:
            elements.append(f"${bound(term, names)}$")
            _, names = entered(term.args[1], names)
            term = term.args[1].term
        yield depth, f"{OPENING[first]} {', '.join(elements)}:"
        yield from lines(term, names, depth + 1)
    else:
        yield depth, f"${formula(term, names)}$"


# notation -----------------------------------------------------------------------------------------
_EVERYDAY = """
    add sub neg mul div pow abs eq ne le lt ge gt and or not implies if in sum prod each some
    maximum minimum let range list tuple log exp sqrt transpose matmul
"""
EVERYDAY = frozenset(_EVERYDAY.split())
"""Operators whose formulas every reader knows."""
BY_NUMBER = {
    "item": ("(t)_{k}", "an item of a tuple"),
    "unfold": (r"\mathrm{T}_{(k)}", "the matrix with a row for each index of an axis of an array"),
}


def legend(terms: Iterable[Term]) -> dict[str, str]:
    """What the formulas of terms mean: of each operator that is no everyday one its formula, and
    what it is, in words."""
    used = frozenset().union(*(term.operators for term in terms)) - EVERYDAY
    found = {pattern(row): words()[name] for name, row in OPERATORS.items() if name in used}
    return found | {latex: told for name, (latex, told) in BY_NUMBER.items() if name in used}


# definitions, and letters ------------------------------------------------------------------------
def shortened(term: Term) -> tuple[Term, tuple[tuple[Term, Term], ...]]:
    """The term with letters for what it has more than once, and what each notion of the paper and
    each letter stands for, those first that use others of their kind. A letter has as arguments the
    variables that are free in its part."""
    parts = [*_notions(term)]
    for name in LETTERS:
        whole = [term, *(right for _, right in parts)]
        again = _again(whole)
        if not again:
            break
        best = max(again, key=lambda key: (len(again[key]) - 1) * _size(again[key][0]))
        first = again[best][0]

        def short(part: Term, key: str = best, name: str = name, first: Term = first) -> Term:
            if part.notion is not None:
                given = tuple(map(short, part.notion.arguments))
                return replace(part, notion=replace(part.notion, arguments=given))
            if _size(part) < WORTH:
                return part
            same = _outline(part) == _outline(first) and _key(part) == key
            return _letter(name, part) if same else rebuilt(part, short)

        term, *others = map(short, whole)
        lefts = [left for left, _ in parts]
        parts = [*zip(lefts, others, strict=True)]
        parts.append((_letter(name, first), first))
    return term, tuple(parts)


def _notions(term: Term) -> Iterator[tuple[Term, Term]]:
    """The notions that a term and their own definitions use, each in general with what it is."""
    seen, waiting = set(), [term]
    for whole in waiting:
        for part in _shown(whole):
            if part.notion is not None and (about := part.notion.latex) not in seen:
                seen.add(about)
                left = part.notion.in_general()
                assert left.notion is not None, "it is made by its definition"
                waiting.append(left.notion.of)
                yield left, left.notion.of


def _again(whole: Sequence[Term]) -> dict[str, list[Term]]:
    """The parts of terms that are worth a letter and come more than once, by their key."""
    parts = [
        part
        for one in whole
        for part in _shown(one)
        if part is not one and part.notion is None and _size(part) >= WORTH
    ]
    outlines = Counter(map(_outline, parts))
    found: dict[str, list[Term]] = {}
    for part in parts:
        if outlines[_outline(part)] > 1:
            found.setdefault(_key(part), []).append(part)
    return {key: some for key, some in found.items() if len(some) > 1}


def _parts(term: Term) -> Sequence[Term]:
    """What stands right below in its formula."""
    if term.notion is not None:
        return term.notion.arguments
    return [entry for row in entries(term) for entry in row] or term.children


def _shown(term: Term) -> Iterator[Term]:
    """It and all terms below whose formulas stand in its own."""
    waiting = [term]
    while waiting:
        yield (part := waiting.pop())
        waiting += reversed(_parts(part))


@lru_cache(maxsize=100_000)
def _size(term: Term) -> int:
    """How many operators, notions and literals its formula has."""
    return 1 + sum(map(_size, _parts(term)))


@lru_cache(maxsize=100_000)
def _variables(term: Term) -> tuple[Term, ...]:
    """All variables in a term, in the order in which it has them."""
    if term.op == "var":
        return (term,)
    return tuple(dict.fromkeys(one for part in term.children for one in _variables(part)))


def _free(part: Term) -> tuple[Term, ...]:
    """The variables that are free in a part, in the order in which it has them."""
    return tuple(one for one in _variables(part) if one.args[0] in part.free)


@lru_cache(maxsize=100_000)
def _outline(part: Term) -> int:
    """A number that is the same for two parts which differ in names of variables alone."""
    if part.op == "var":
        return 0
    if part.op == "real":  # a key does not tell it either
        return _outline(part.args[0])
    literals = (one for one in part.args if not isinstance(one, Term | Body))
    named = tuple(str(getattr(one, "name", one)) for one in literals)
    return hash((part.op, named, tuple(map(_outline, part.children))))


@lru_cache(maxsize=100_000)
def _key(part: Term) -> str:
    """The same text for two parts exactly where they differ in names alone, of free variables
    too."""
    levels = {one.args[0]: -1 - k for k, one in enumerate(_free(part))}
    return json.dumps(to_json(part, levels))


def _letter(name: str, part: Term) -> Term:
    return Term("letter", (name, *_free(part)), part.sort)
