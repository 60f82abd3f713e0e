"""Binders, and what looks at some rows alone: `if`, `and`, `or`, `implies`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.arithmetic import Array
from verify.language.columns import Column, Lists, Rows, taken
from verify.language.frames import BINDERS, Frame
from verify.language.linear import sized
from verify.language.operations import filler, nothing, of_groups, repeated, whole_numbers
from verify.language.sorts import NUM
from verify.language.terms import Term

if TYPE_CHECKING:
    from verify.language.evaluation import Evaluation


def binder(*names: str) -> Callable[[Any], Any]:
    """Enter a function under the names of binders."""

    def enter(function: Any) -> Any:
        for name in names:
            BINDERS[name] = function
        return function

    return enter


# looking from the left ---------------------------------------------------------------------------
@binder("if")
def _if(by: Evaluation, frame: Frame, term: Term) -> Column:
    test = by.column(term.args[0], frame)
    pieces = []
    for answer, part in ((True, term.args[1]), (False, term.args[2])):
        rows, inner = by.where(frame, term.args[0], answer=answer)
        if len(rows):
            pieces.append((rows, by.column(part, inner)))
    rest = np.flatnonzero(~test.defined)
    if len(rest) or not pieces:
        pieces.append((rest, nothing(by, term.sort, len(rest))))
    return by.merged(pieces, term.sort, len(frame))


@binder("and", "or", "implies")
def _logic(by: Evaluation, frame: Frame, term: Term) -> Column:
    """The second is asked where the first leaves it open."""
    first = by.column(term.args[0], frame)
    decisive = term.op == "or"  # the first answer that settles it: true of `or`, else false
    settled = first.defined & (first.values == decisive)
    values, defined = np.full(len(frame), term.op != "and"), settled
    rows, inner = by.where(frame, term.args[0], answer=not decisive)
    if len(rows):
        second = by.column(term.args[1], inner)
        values[rows], defined[rows] = second.values, second.defined
    return Column(values, defined)


# over lists --------------------------------------------------------------------------------------
def _spread(by: Evaluation, frame: Frame, term: Term) -> tuple[Frame, Lists, Column, Column]:
    """The frame of the elements, the lists, what the body is worth there, and the lists as they
    are where they have no value."""
    lists = by.column(term.args[0], frame)
    inner, values = by.elements(frame, lists, term)
    return inner, values, by.column(term.args[-1].term, inner), lists


def _all_have_one(values: Lists, body: Column, count: int) -> np.ndarray:
    """(R,): where every element has a value."""
    if body.defined.all():
        return np.ones(count, dtype=bool)
    return np.asarray(_how_many(values, ~body.defined, count) == 0)


def _how_many(values: Lists, where: np.ndarray, count: int) -> np.ndarray:
    """(R,): for how many elements of each list something is true."""
    return np.bincount(values.owner[where], minlength=count)


@binder("sum")
def _sum(by: Evaluation, frame: Frame, term: Term) -> Column:
    _, values, body, lists = _spread(by, frame, term)
    defined = lists.defined & _all_have_one(values, body, len(frame))
    if term.sort == NUM:
        return Column(by.arithmetic.sum_at(body.values, values.owner, len(frame)), defined)
    pieces = []
    for rows, array in body.values.parts.values():
        owner = values.owner[rows]
        # of one shape alone: each element of the list is in this group
        whole = np.flatnonzero(
            (np.bincount(owner, minlength=len(frame)) == values.counts)
            & (values.counts > 0)
            & defined
        )
        total = by.arithmetic.sum_at(array, owner, len(frame))
        pieces.append((whole, total[whole]))
    return of_groups(by, frame, pieces)


def _one_by_one(
    by: Evaluation, frame: Frame, term: Term, start: Any, step: Callable[[Array, Array], Array]
) -> Column:
    """Elements taken in, in order: start is what there is before the first, or None where the
    first itself is."""
    _, values, body, lists = _spread(by, frame, term)
    defined = lists.defined & _all_have_one(values, body, len(frame))
    numbers = body.values
    if start is None:
        defined = defined & (values.counts > 0)
        found = filler(by, term.sort, len(frame))
        rows = np.flatnonzero(values.counts > 0)
        found[rows] = numbers[values.starts[rows]]
    else:
        found = repeated(by, start, len(frame))
    for place in range(0 if start is not None else 1, int(values.counts.max(initial=0))):
        rows = np.flatnonzero(values.counts > place)
        found[rows] = step(found[rows], numbers[values.starts[rows] + place])
    return Column(found, defined)


@binder("prod")
def _prod(by: Evaluation, frame: Frame, term: Term) -> Column:
    return _one_by_one(by, frame, term, 1, lambda a, b: a * b)


@binder("maximum", "minimum")
def _extreme(by: Evaluation, frame: Frame, term: Term) -> Column:
    larger = by.arithmetic.maximum
    if term.op == "maximum":
        return _one_by_one(by, frame, term, None, larger)
    return _one_by_one(by, frame, term, None, lambda a, b: -larger(-a, -b))


@binder("count")
def _count(by: Evaluation, frame: Frame, term: Term) -> Column:
    _, values, body, lists = _spread(by, frame, term)
    found = _how_many(values, body.values & body.defined, len(frame))
    defined = lists.defined & _all_have_one(values, body, len(frame))
    return Column(whole_numbers(found), defined)


@binder("each", "some")
def _each(by: Evaluation, frame: Frame, term: Term) -> Column:
    """From the left: what settles it first counts, an answer or that there is none."""
    _, values, body, lists = _spread(by, frame, term)
    decisive = term.op == "some"
    size, count = len(values.owner), len(frame)

    def first(where: np.ndarray) -> np.ndarray:
        found = np.full(count, size, dtype=np.int64)
        places = np.flatnonzero(where)[::-1]
        found[values.owner[places]] = places  # the last one to be written is the first
        return found

    answered = first(body.defined & (body.values == decisive))
    lost = first(~body.defined)
    settled = answered < lost
    return Column(
        np.where(settled, decisive, not decisive), lists.defined & (settled | (lost == size))
    )


@binder("filter")
def _filter(by: Evaluation, frame: Frame, term: Term) -> Column:
    _, values, body, lists = _spread(by, frame, term)
    kept = body.values & body.defined
    counts = _how_many(values, kept, len(frame))
    items = taken(values.items, term.sort.inner[0], np.flatnonzero(kept))
    return Column(Lists(counts, items), lists.defined & _all_have_one(values, body, len(frame)))


@binder("map")
def _map(by: Evaluation, frame: Frame, term: Term) -> Column:
    _, values, body, lists = _spread(by, frame, term)
    defined = lists.defined & _all_have_one(values, body, len(frame))
    return Column(Lists(values.counts, body.values), defined)


@binder("the")
def _the(by: Evaluation, frame: Frame, term: Term) -> Column:
    _, values, body, lists = _spread(by, frame, term)
    kept = body.values & body.defined
    counts = _how_many(values, kept, len(frame))
    defined = lists.defined & _all_have_one(values, body, len(frame)) & (counts == 1)
    return _picked(by, term, values, defined, np.flatnonzero(kept), values.owner[kept])


def _picked(
    by: Evaluation, term: Term, values: Lists, defined: np.ndarray, places: Rows, owner: Rows
) -> Column:
    """One element for each row that has one."""
    if not len(places):
        return nothing(by, term.sort, len(defined))
    at = np.full(len(defined), places[0])
    at[owner] = places
    return Column(taken(values.items, term.sort, at), defined)


@binder("argmax")
def _argmax(by: Evaluation, frame: Frame, term: Term) -> Column:
    _, values, body, lists = _spread(by, frame, term)
    defined = lists.defined & _all_have_one(values, body, len(frame)) & (values.counts > 0)
    places = []
    for row in np.flatnonzero(defined):
        start = int(values.starts[row])
        best = start
        for place in range(start + 1, start + int(values.counts[row])):
            if body.values[place] > body.values[best]:
                best = place
        places.append(best)
    return _picked(
        by, term, values, defined, np.array(places, dtype=np.int64), np.flatnonzero(defined)
    )


# making vectors and matrices ---------------------------------------------------------------------
@binder("vector", "matrix")
def _made(by: Evaluation, frame: Frame, term: Term) -> Column:
    """The entries of all rows in one frame, in the order of rows of the matrix."""
    sizes = [by.column(part, frame) for part in term.args[:-1]]
    shapes = sized(by, frame, lambda *shape: by.arithmetic.zeros(shape), *sizes)
    body, pieces = term.args[-1], []
    for rows, array in shapes.values.parts.values():
        shape = array.shape[1:]
        grids = np.indices(shape).reshape(len(shape), -1) + 1
        size = grids.shape[1]
        everywhere = np.ones(len(rows) * size, dtype=bool)
        bound = {
            variable.args[0]: Column(whole_numbers(np.tile(grid, len(rows))), everywhere)
            for variable, grid in zip(body.variables, grids, strict=True)
        }
        found = by.column(body.term, frame.inside(np.repeat(rows, size), bound))
        known = found.defined.reshape(len(rows), size).all(axis=1)
        entries = found.values.reshape(len(rows), *shape)
        pieces.append((rows[known], entries[known]))
    return of_groups(by, frame, pieces)


@binder("let")
def _let(by: Evaluation, frame: Frame, term: Term) -> Column:
    value = by.column(term.args[0], frame)
    rows = np.flatnonzero(value.defined)
    if not len(rows):
        return nothing(by, term.sort, len(frame))
    held = Column(taken(value.values, term.args[0].sort, rows), np.ones(len(rows), dtype=bool))
    body = term.args[1]
    inner = frame.inside(rows, {body.variables[0].args[0]: held})
    found = by.column(body.term, inner)
    rest = np.flatnonzero(~value.defined)
    return by.merged(
        [(rows, found), (rest, nothing(by, term.sort, len(rest)))], term.sort, len(frame)
    )


@binder("fold")
def _fold(by: Evaluation, frame: Frame, term: Term) -> Column:
    lists, found = by.column(term.args[0], frame), by.column(term.args[1], frame)
    values: Lists = lists.values
    body, element = term.args[2], term.args[0].sort.inner[0]
    defined = lists.defined & found.defined
    found = Column(found.values, defined)
    so_far, mine = (variable.args[0] for variable in body.variables)
    for place in range(int(values.counts[defined].max(initial=0))):
        rows = np.flatnonzero(found.defined & (values.counts > place))
        everywhere = np.ones(len(rows), dtype=bool)
        bound = {
            so_far: Column(taken(found.values, term.sort, rows), everywhere),
            mine: Column(taken(values.items, element, values.starts[rows] + place), everywhere),
        }
        step = by.column(body.term, frame.inside(rows, bound))
        rest = np.setdiff1d(np.arange(len(frame)), rows)
        left = Column(taken(found.values, term.sort, rest), found.defined[rest])
        found = by.merged([(rows, step), (rest, left)], term.sort, len(frame))
    return found
