"""Mutants and rewrites of a statement as a whole: of the two sides that its entries have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from verify.cases.scenes import Entries
from verify.core.claim import Kind

Change = Callable[[Any, Any], Any]  # of the values (left - right) and the left sides


@dataclass(frozen=True)
class Whole:
    """A change of the values of the entries. sides: whether it speaks of their sides. strict:
    whether a slack of 0 is then a violation."""

    rule: str
    change: str
    values: Change
    sides: bool = True
    strict: bool = False

    def of(self, entries: Entries) -> Entries | None:
        """The entries of the changed statement; None where it speaks of sides that they have
        not."""
        if entries.left is None and self.sides:
            return None
        return replace(entries, values=self.values(entries.values, entries.left))


def _right(values: Any, left: Any) -> Any:
    return left - values


EQUATIONS = (
    Whole("sign", "left = right -> left = -right", lambda v, left: left + _right(v, left)),
    Whole("constant", "left = right -> left = 2 right", lambda v, left: v - _right(v, left)),
    Whole("constant", "left = right -> 2 left = right", lambda v, left: v + left),
    Whole("term", "left = right -> left = 0", lambda v, left: left),
)
INEQUALITIES = (
    Whole(
        "strictness", "left >= right -> left > right", lambda v, left: v, sides=False, strict=True
    ),
    Whole("strictness", "left >= right -> left = right", lambda v, left: -(v * v), sides=False),
    Whole("operands", "left >= right -> right >= left", lambda v, left: -v, sides=False),
    Whole("sign", "left >= right -> left >= -right", lambda v, left: left + _right(v, left)),
    Whole("constant", "left >= right -> left >= 2 right", lambda v, left: v - _right(v, left)),
)
SAME_EQUATIONS = (
    Whole("rewrite", "left = right -> right = left", lambda v, left: _right(v, left) - left),
    Whole("rewrite", "left = right -> 3 left = 3 right", lambda v, left: v + v + v, sides=False),
)
SAME_INEQUALITIES = (
    Whole("rewrite", "left >= right -> -right >= -left", lambda v, left: left - _right(v, left)),
    Whole("rewrite", "left >= right -> 2 left >= 2 right", lambda v, left: v + v, sides=False),
)


def wholes(kind: Kind) -> tuple[Whole, ...]:
    """Mutants of the whole statement of a claim of this kind."""
    return INEQUALITIES if kind is Kind.INEQUALITY else EQUATIONS


def same_wholes(kind: Kind) -> tuple[Whole, ...]:
    """Rewrites of the whole statement of a claim of this kind: they hold where it holds."""
    return SAME_INEQUALITIES if kind is Kind.INEQUALITY else SAME_EQUATIONS
