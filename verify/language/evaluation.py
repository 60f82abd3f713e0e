"""Evaluation of terms, for a batch of cases at once, in any arithmetic.

A frame is a set of rows: a case, and values for the variables that are bound so far. A term is
evaluated once in the outermost frame that binds what is free in it, and spread from there; a binder
makes a frame with a row for each element, evaluates its body there, and gathers what comes back.
So the sum over the edges into each vertex of many networks is one gather and one segment sum.

`verify.language.operations`, `linear`, `networks`, `descents` and `binding` have the operators one
by one.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from graphs.arithmetic import Arithmetic, as_fraction
from graphs.rationals import RATIONALS
from verify.language import binding, descents, linear, networks, operations, recursion  # noqa: F401 - they enter themselves
from verify.language.columns import (
    Column,
    Lists,
    Rows,
    joined,
    numbers_in,
    only_defined,
    taken,
)
from verify.language.frames import BINDERS, OPERATIONS, Frame
from verify.language.sizes import of_sizes
from verify.language.sorts import INT, MAT, NUM, VEC, Sort
from verify.language.terms import Term

INDEXED = frozenset(["entry", "coord", "row", "column"])
FEW = 64  # rows, of which no two are looked for that are alike
MOST_HELD = 1_000_000  # numbers that a scene keeps for the next statement


class Evaluation:
    """Terms on the cases of a scene, in its arithmetic.

    steps, before: of a scene that gradient descent has reached, after how many steps, and the
    evaluation at its beginning.
    """

    def __init__(self, scene: Any, steps: int = 0, before: Evaluation | None = None) -> None:
        self.scene: Any = scene
        self.arithmetic: Arithmetic = scene.arithmetic
        self.root = Frame(np.arange(len(scene.cases)))
        self.steps, self.beginning = steps, before or self
        self._reached: dict[int, Evaluation] = {0: self}  # by the number of steps
        self._kept: list[Term] = []  # so that no id is used again
        self._held = 0  # numbers in all frames that there were

    @staticmethod
    def of(scene: Any) -> Evaluation:
        """That of a scene, which keeps it: what several statements ask is worked out once. One that
        holds too much is given up."""
        kept = vars(scene)  # as by a cached property
        if "of_terms" not in kept or kept["of_terms"]._held > MOST_HELD:
            kept["of_terms"] = Evaluation(scene)
        return kept["of_terms"]  # type: ignore[no-any-return]  # what is put there is one

    def after(self, steps: int) -> Evaluation:
        """Terms on the same cases after so many steps of gradient descent."""
        if steps not in self._reached:
            self._reached[steps] = Evaluation(self.scene.descent.at(steps), steps, self)
        return self._reached[steps]

    @cached_property
    def graph(self) -> recursion.Graph:
        """The networks of the scene, for what goes along them."""
        return recursion.Graph.of(self.scene.union)

    def column(self, term: Term, frame: Frame | None = None) -> Column:
        """What a term is worth in the rows of a frame (the cases, if none is named)."""
        frame = self.root if frame is None else frame
        found = frame.known.get(id(term))
        if found is not None:
            return found
        if frame.parent is not None and term.free.isdisjoint(frame.bound):
            assert frame.up is not None
            above = self.column(term, frame.parent)
            found = Column(taken(above.values, term.sort, frame.up), above.defined[frame.up])
        elif term.op == "var":
            return frame.bound[term.args[0]]
        else:
            found = self._once(term, frame)
            if term.sort in (VEC, MAT) and not found.defined.all():
                found = only_defined(found)
        self._kept.append(term)
        self._held += numbers_in(found.values)
        frame.known[id(term)] = found
        return found

    def _once(self, term: Term, frame: Frame) -> Column:
        """What a term is worth, where a binder speaks of the same elements in many rows worked out
        once for all of these."""
        if term.op not in BINDERS or frame.parent is None:
            return self._worked_out(term, frame)
        together = self._distinct(frame, term.free)
        if together is None:
            return self._worked_out(term, frame)
        inner, places = together
        found = self.column(term, inner)
        return Column(taken(found.values, term.sort, places), found.defined[places])

    def _distinct(self, frame: Frame, free: frozenset[int]) -> tuple[Frame, Rows] | None:
        """A frame with one row for all rows of one case in which these variables have the same
        values, and the place there of each row. None where these are no elements of graphs or
        whole numbers, or there are few rows that are alike."""
        if free not in frame.distinct:
            frame.distinct[free] = self._alike(frame, free)
        return frame.distinct[free]

    def _alike(self, frame: Frame, free: frozenset[int]) -> tuple[Frame, Rows] | None:
        if len(frame) < FEW or frame.variables <= free:
            return None
        columns = {one: frame.bound_above(one) for one in free}
        keys = [frame.owner]
        for column in columns.values():
            values = column.values
            if not isinstance(values, np.ndarray) or not len(values):
                return None
            if values.dtype == object:
                try:
                    whole = values.astype(np.int64)
                except (OverflowError, TypeError):
                    return None
                if (whole != values).any():  # rationals are cut off
                    return None
                values = whole
            if values.dtype != np.int64:
                return None
            keys.append(values)
        code, size = keys[0], int(keys[0].max()) + 1
        for key in keys[1:]:
            many = int(key.max()) + 1
            if size * many > 2**62 or int(key.min()) < 0:
                return None
            code, size = code * many + key, size * many
        _, first, places = np.unique(code, return_index=True, return_inverse=True)
        if 2 * len(first) > len(frame):
            return None
        owner = frame.owner[first]
        bound = {
            one: Column(column.values[first], column.defined[first])
            for one, column in columns.items()
        }
        return Frame(owner, self.root, owner, bound), places

    def _worked_out(self, term: Term, frame: Frame) -> Column:
        made = term.op not in ("number", "field", "real") and term.sort in (NUM, INT)
        if made and self.arithmetic is not RATIONALS and of_sizes(term):
            return self._known_exactly(term)
        if term.op in BINDERS:
            return BINDERS[term.op](self, frame, term)
        if term.op in ("number", "truth", "field", "item", "unfold"):
            return OPERATIONS[term.op](self, frame, term)
        if term.op in INDEXED:
            one, up = self._above(term.args[0], frame)
            places = [self.column(part, frame) for part in term.args[1:]]
            return OPERATIONS[term.op](self, frame, term, one, up, *places)
        columns = [self.column(part, frame) for part in term.args]
        return OPERATIONS[term.op](self, frame, term, *columns)

    def _above(self, term: Term, frame: Frame) -> tuple[Column, Rows | None]:
        """What a term is worth in the outermost frame in which it has a value, and the row there of
        each row of this one (None: the same), so that no matrix is copied for each of its
        entries."""
        up: Rows | None = None
        while frame.parent is not None and term.free.isdisjoint(frame.bound):
            assert frame.up is not None
            up = frame.up if up is None else frame.up[up]
            frame = frame.parent
        return self.column(term, frame), up

    @cached_property
    def _exact(self) -> Evaluation:
        """The same cases in rationals."""
        cases = self.scene.cases
        return Evaluation(type(cases[0]).scene(cases, RATIONALS))

    def _known_exactly(self, term: Term) -> Column:
        """What a number is in the cases that asks them for sizes alone, by way of the rationals."""
        found = self._exact.column(term)
        if term.sort == INT:
            return found
        known = zip(found.values, found.defined, strict=True)
        numbers = [as_fraction(value) if defined else Fraction(0) for value, defined in known]
        return Column(self.arithmetic.array(numbers), found.defined)

    def elements(self, frame: Frame, lists: Column, term: Term) -> tuple[Frame, Lists]:
        """The frame with a row for each element of lists that have a value, bound to the variable
        of a binder; and the lists."""
        many, variable = term.args[0], term.args[-1].variables[0].args[0]
        if (id(many), variable) not in frame.within:
            made = self._elements(frame, lists, many, variable)
            if self._held > MOST_HELD:
                return made
            self._kept.append(many)
            frame.within[id(many), variable] = made
        return frame.within[id(many), variable]  # type: ignore[no-any-return]  # as it was made

    @staticmethod
    def _elements(frame: Frame, lists: Column, many: Term, variable: int) -> tuple[Frame, Lists]:
        values: Lists = lists.values
        if not lists.defined.all():
            counts = np.where(lists.defined, values.counts, 0)
            rows = np.repeat(lists.defined, values.counts)
            items = taken(values.items, many.sort.inner[0], np.flatnonzero(rows))
            values = Lists(counts, items)
        everywhere = np.ones(int(values.counts.sum()), dtype=bool)
        return frame.inside(values.owner, {variable: Column(values.items, everywhere)}), values

    def where(self, frame: Frame, test: Term, *, answer: bool) -> tuple[Rows, Frame]:
        """The rows in which a test has that answer, and the frame of these."""
        if (id(test), answer) not in frame.within:
            told = self.column(test, frame)
            rows = np.flatnonzero(told.defined & (told.values == answer))
            inner = frame if len(rows) == len(frame) else frame.inside(rows)
            if self._held > MOST_HELD:
                return rows, inner
            self._kept.append(test)
            frame.within[id(test), answer] = rows, inner
        return frame.within[id(test), answer]  # type: ignore[no-any-return]  # as it was made

    def merged(self, pieces: list[tuple[Rows, Column]], sort: Sort, count: int) -> Column:
        """One column of pieces in different rows, which together are all."""
        defined = np.zeros(count, dtype=bool)
        for rows, column in pieces:
            defined[rows] = column.defined
        some = [(column.values, rows) for rows, column in pieces if len(rows)]
        if not some:
            some = [(column.values, rows) for rows, column in pieces[:1]]
        return Column(joined(some, sort, self.arithmetic), defined)
