"""Named examples of a definition or assumption: which of them meet it, and by which part of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Part:
    """One part of a predicate on one example. value: what was found, text with LaTeX."""

    name: str
    value: str
    holds: bool


@dataclass(frozen=True)
class Example:
    """A named example, with all parts of the predicate."""

    name: str
    parts: tuple[Part, ...]

    @property
    def meets(self) -> bool:
        """Whether it meets all parts."""
        return all(part.holds for part in self.parts)

    def to_json(self) -> dict[str, Any]:
        """As a record."""
        parts = [{"name": p.name, "value": p.value, "holds": p.holds} for p in self.parts]
        return {"name": self.name, "meets": self.meets, "parts": parts}


Examples = Callable[[], Sequence[Example]]  # computed when a record or `lemmata show` asks
