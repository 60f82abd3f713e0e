"""Frames: the rows in which terms are evaluated; and the table of what evaluates each operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from graphs.errors import TooManyPathsError
from verify.language.columns import Column, Rows

MOST_ROWS = 2_000_000


class TooManyRowsError(TooManyPathsError):
    """A term speaks of more elements than are looked at."""


@dataclass(eq=False)
class Frame:
    """Rows. owner: (R,) the case of each. parent, up: the frame that it was made from, and the row
    there. bound: by the number of a variable its column. known, within: what has been worked out:
    by the id of a term its column, and the frames that were made from this one, by what makes them.
    """

    owner: np.ndarray
    parent: Frame | None = None
    up: Rows | None = None
    bound: dict[int, Column] = field(default_factory=dict)
    known: dict[int, Column] = field(default_factory=dict)
    within: dict[tuple[int, int], Any] = field(default_factory=dict)
    distinct: dict[frozenset[int], tuple[Frame, Rows] | None] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.owner)

    @cached_property
    def variables(self) -> frozenset[int]:
        """All that is bound here or in a frame that it was made from."""
        above = frozenset[int]() if self.parent is None else self.parent.variables
        return above | self.bound.keys()

    def bound_above(self, variable: int) -> Column:
        """The column of a variable that is bound here or in a frame that it was made from."""
        if variable in self.bound:
            return self.bound[variable]
        assert self.parent is not None
        assert self.up is not None
        above = self.parent.bound_above(variable)
        values = above.values[self.up] if isinstance(above.values, np.ndarray) else above.values
        return Column(values, above.defined[self.up])

    def inside(self, up: Rows, bound: Mapping[int, Column] | None = None) -> Frame:
        """A frame of rows each of which comes from one of these."""
        if len(up) > MOST_ROWS:
            raise TooManyRowsError(f"{len(up)} elements, at most {MOST_ROWS} are looked at")
        return Frame(self.owner[up], self, up, dict(bound or {}))


Operation = Callable[..., Column]
OPERATIONS: dict[str, Operation] = {}
"""By operator: a function of the evaluation, the frame, and the columns of the arguments."""
BINDERS: dict[str, Operation] = {}
"""By binder (and `if`, `and`, `or`, `implies`, which look at some rows alone): a function of the
evaluation, the frame, and the term."""
