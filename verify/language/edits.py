"""Edits: statements that differ in one place from a given one.

A sign, a constant, an exponent, an index, a transpose, a factor, the bound of a sum, strictness, a
dropped term. They serve as mutants, of which the checks of a statement have to tell some apart, and
as candidates for what the print may have meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from verify.language.lowering import one_term
from verify.language.sorts import BOOL, INT, MAT, NUM, VEC
from verify.language.statements import leaves
from verify.language.terms import Body, Term, TermError, make, number, unfold, with_argument

SWAPPED = {
    "add": ("sub",),
    "sub": ("add",),
    "larger": ("smaller",),
    "smaller": ("larger",),
    "maximum": ("minimum",),
    "minimum": ("maximum",),
    "le": ("lt", "ge"),
    "ge": ("gt", "le"),
    "lt": ("le", "gt"),
    "gt": ("ge", "lt"),
    "eq": ("ne",),
    "into": ("out_of",),
    "out_of": ("into",),
    "rows": ("cols",),
    "cols": ("rows",),
    "slope_left": ("slope_right",),
    "slope_right": ("slope_left",),
    "head": ("tail",),
    "tail": ("head",),
    "nuclear": ("norm",),
    "some": ("each",),
}
RULES = {"add": "sign", "sub": "sign"} | dict.fromkeys(("eq", "le", "ge", "lt", "gt"), "relation")
LESS_STRICT = (("lt", "le"), ("gt", "ge"))

SIZES = ("norm", "nuclear", "abs", "trace", "det", "rank")  # of which a square may be meant


@dataclass(frozen=True, eq=False)
class Edit:
    """One changed statement. rule: what kind of change. old, new: the part, before and after.
    keeps_leaves: whether all that is said stands there as before, so that what differs is where it
    is asked. whole: writes the statement with another part in that place."""

    rule: str
    old: Term
    new: Term
    keeps_leaves: bool
    whole: Callable[[Term], Term]

    @cached_property
    def says(self) -> Term:
        """The whole, changed. Raises TermError where the sorts do not fit."""
        return self.whole(self.new)


Arranged = Callable[[Iterable[Edit]], Iterable[Edit]]


def edits(says: Term, arranged: Arranged = iter) -> Iterator[Edit]:
    """All statements that differ in one place, each once, and written as it is asked for: in the
    order of their places, where what is said comes before its condition. arranged: another order,
    or some of them alone."""
    made: dict[Any, Term] = {}  # what the statements share is looked at once
    seen = {one_term(says, {}, made)}
    for edit in arranged(_edits(says, lambda new: new, said=True, keeps_leaves=False)):
        try:
            found = one_term(edit.says, {}, made)
        except TermError:
            continue
        if found not in seen:
            seen.add(found)
            yield edit


def _edits(
    term: Term, whole: Callable[[Term], Term], *, said: bool, keeps_leaves: bool
) -> Iterator[Edit]:
    """A change for each rule and each place of a term, whether or not it makes a statement.

    said: whether the term is what is said, or leads there. keeps_leaves: whether it is part of a
    condition, or of a list that is walked on the way.
    """
    leads = said and term.op in ("each", "implies", "and")

    def edit(rule: str, old: Term, new: Term, write: Callable[[Term], Term]) -> Edit:
        kept = set(map(id, leaves(term))).issubset(map(id, leaves(new))) if leads else keeps_leaves
        return Edit(rule, old, new, kept, write)

    for rule, new in _changes(term):
        yield edit(rule, term, new, whole)
    for rule, new in _right_sides(term):
        yield edit(rule, term.args[1], new, _within(term, 1, term.args[1], whole))
    places = list(enumerate(term.args))
    for place, part in reversed(places) if term.op == "implies" else places:
        inner = part.term if isinstance(part, Body) else part
        if isinstance(inner, Term):
            on_the_way = leads and place == 0 and term.op != "and"
            write = _within(term, place, part, whole)
            yield from _edits(
                inner,
                write,
                said=leads and not on_the_way,
                keeps_leaves=keeps_leaves or on_the_way,
            )


def _within(
    term: Term, place: int, part: Term | Body, whole: Callable[[Term], Term]
) -> Callable[[Term], Term]:
    """What writes the whole with another term for an argument, or for the body of a binder."""

    def write(new: Term) -> Term:
        other = replace(part, term=new) if isinstance(part, Body) else new
        return whole(with_argument(term, place, other))

    return write


def _changes(part: Term) -> Iterator[tuple[str, Term]]:
    """What may stand in the place of a term."""
    for other in SWAPPED.get(part.op, ()):
        rule = RULES.get(part.op, "operator")
        yield "strictness" if (part.op, other) in LESS_STRICT else rule, make(other, *part.args)
    if part.op == "in":
        yield "relation", make("not", part)
    if part.op == "number" and part.sort in (INT, NUM):
        yield from _constants(part)
    elif part.op == "pow":
        yield "exponent", part.args[0]
    elif part.op in SIZES:
        yield "exponent", make("pow", part, 2)
    elif part.op == "transpose":
        yield "transpose", part.args[0]
    elif part.op == "field" and part.sort == MAT:
        yield "transpose", make("transpose", part)
    elif part.op == "unfold":
        array, mode = part.args
        for axis in range(1, len(array.args[0].axes) + 1):
            if axis != mode:
                yield "index", unfold(array, axis)
    elif part.op in ("entry", "sub", "matmul", "div") and _alike(part):
        one, other = part.args[-2:]
        yield "index" if part.op == "entry" else "order", make(part.op, *part.args[:-2], other, one)
    if part.op in ("sum", "each") and part.args[0].op == "range":
        body: Body = part.args[1]
        first, last = part.args[0].args
        yield "bound", make(part.op, make("range", first, last - 1), body)
        yield "bound", make(part.op, make("range", first + 1, last), body)
    if part.op in ("add", "sub", "mul", "union", "minus", "and") and part.sort not in (VEC, MAT):
        for kept in part.args:
            if kept.sort == part.sort:
                yield "dropped", kept


def _right_sides(relation: Term) -> Iterator[tuple[str, Term]]:
    """What may stand on the right of a relation between numbers: minus that, twice, half of it and,
    where there are examples, a sum over them in place of a mean or the other way round."""
    if relation.op not in ("eq", "le", "ge") or relation.args[1].sort not in (NUM, INT):
        return
    right = relation.args[1]
    if right.op != "number":
        yield "sign", make("neg", right)
    factors: list[Term] = [number(2), number(Fraction(1, 2))]
    if "examples" in relation.operators:
        count = make("card", make("examples"))
        factors += [count, make("div", 1, count)]
    for factor in factors:
        yield "factor", make("mul", factor, right)


def _alike(part: Term) -> bool:
    one, other = part.args[-2:]
    return bool(one.sort == other.sort) and part.sort != BOOL


def _constants(part: Term) -> Iterator[tuple[str, Term]]:
    value = part.args[0]
    for other in (value + 1, value - 1, -value):
        if other != value:
            whole = int(other) if part.sort == INT else other
            yield "constant", number(whole)


# constants ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Place:
    """A number that a statement is written with. words: where it stands. whole: whether it is an
    exponent, of which whole numbers alone make sense. changed: the statement with another one."""

    words: str
    value: Fraction
    whole: bool
    changed: Callable[[Fraction | int], Term]


def constants_in(says: Term) -> list[Place]:
    """The numbers in a statement that are no indices, sizes or ends of ranges, but for 0."""
    found = list(_constants_in(says, lambda new: new))
    return [replace(one, words=f"{one.words}, {k}") for k, one in enumerate(found, start=1)]


def _constants_in(term: Term, whole: Callable[[Term], Term]) -> Iterator[Place]:
    for k, part in enumerate(term.args):
        inner = part.term if isinstance(part, Body) else part
        if not isinstance(inner, Term) or (term.op in BY_INDEX and k >= BY_INDEX[term.op]):
            continue
        put = _within(term, k, part, whole)
        literal = inner.args[0] if inner.op == "real" else inner
        if literal.op != "number":
            yield from _constants_in(inner, put)
        elif literal.args[0]:
            power = term.op == "pow" and k == 1
            words = f"{'exponent' if power else 'number'} {literal.args[0]}"

            def changed(value: Fraction | int, put: Callable[[Term], Term] = put) -> Term:
                return put(number(value))

            yield Place(words, literal.args[0], power, changed)


BY_INDEX = {
    "at": 1,
    "entry": 1,
    "coord": 1,
    "row": 1,
    "column": 1,
    "input": 1,
    "pre": 1,
    "post": 1,
    "slope": 1,
    "gradient": 1,
    "sensitivity": 1,
    "range": 0,
    "eye": 0,
    "zeros": 0,
    "label": 0,
    "loss_slope": 0,
    "output": 0,
    "mod": 0,
    "list": 0,
}
"""The arguments from which on an operator has indices, sizes and the like."""
