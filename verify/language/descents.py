"""Operators of gradient descent, on columns: the steps that a case makes, and values after some.

After k steps the rows are evaluated at w(k), where all else is as in the case
(verify.cases.descent). What is bound around stays what it is: an edge is the same one, a number the
same number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from verify.language.binding import binder
from verify.language.columns import Column, Lists, taken
from verify.language.frames import Frame
from verify.language.operations import nothing, operation, whole_numbers
from verify.language.terms import Term

if TYPE_CHECKING:
    from verify.language.evaluation import Evaluation


@operation("steps")
def _steps(by: Evaluation, frame: Frame, term: Term) -> Column:
    counts = by.beginning.scene.descent.counts[frame.owner]
    numbers = [step for count in counts for step in range(int(count))]
    return Column(Lists(counts, whole_numbers(numbers)), np.ones(len(frame), dtype=bool))


@operation("step_size")
def _step_size(by: Evaluation, frame: Frame, term: Term, step: Column) -> Column:
    descent = by.beginning.scene.descent
    numbers, found = step.values, by.arithmetic.zeros((len(frame),))
    defined = step.defined & (numbers >= 0) & (numbers < descent.counts[frame.owner])
    defined = defined.astype(bool)
    for number in sorted(set(numbers[defined])):
        rows = np.flatnonzero(defined & (numbers == number))
        found[rows] = descent.rates[int(number)][frame.owner[rows]]
    return Column(found, defined)


@binder("after")
def _after(by: Evaluation, frame: Frame, term: Term) -> Column:
    """Always from the weights of the case, also within another `after`."""
    asked, body = by.column(term.args[0], frame), term.args[1]
    reached = by.beginning.scene.descent.reached[frame.owner]
    defined = (asked.defined & (asked.values >= 0) & (asked.values <= reached)).astype(bool)
    pieces = []
    for steps in sorted(set(asked.values[defined])):
        rows = np.flatnonzero(defined & (asked.values == steps))
        there = by.beginning.after(int(steps))
        bound = {}
        for part in body.walk():
            if part.op == "var" and part.args[0] in body.free and part.args[0] not in bound:
                column = by.column(part, frame)
                values = taken(column.values, part.sort, rows)
                bound[part.args[0]] = Column(values, column.defined[rows])
        owner = frame.owner[rows]
        inner = Frame(owner, there.root, owner, bound)
        pieces.append((rows, there.column(body, inner)))
    rest = np.flatnonzero(~defined)
    if len(rest) or not pieces:
        pieces.append((rest, nothing(by, term.sort, len(rest))))
    return by.merged(pieces, term.sort, len(frame))
