"""Cases that are built of pieces: a smaller plan gives a smaller case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from verify.cases.case import Case
from verify.cases.lists_of_pieces import list_of
from verify.cases.networks_of_pieces import Plan
from verify.cases.smaller import fewer_examples, plainer_activations, plainer_numbers, renamed
from verify.cases.smaller_plans import smaller


@dataclass(frozen=True)
class Structured(Case):
    """A case built from a plan."""

    plan: Plan = field(default=Plan(1, (), ()), compare=False)

    @cached_property
    def _lists(self) -> dict[str, Any]:
        return {}

    def list_of(self, name: str) -> Any:
        """A list that is chosen, or else what it is of the pieces
        (verify.cases.lists_of_pieces)."""
        if name in self.choice:
            return self.choice[name]
        if name not in self._lists:
            self._lists[name] = list_of(self, name)
        return self._lists[name]

    def changes(self) -> Iterator[Case]:
        """Smaller plans first, then plainer activations and numbers."""
        yield from fewer_examples(self)
        yield from smaller(self)
        yield from plainer_activations(self)
        yield from plainer_numbers(self)

    def plain(self) -> Case:
        """The case with plain names, in its pieces too."""
        case = renamed(self)
        name = dict(zip(self.network.names, case.network.names, strict=True))
        records = [
            {
                key: [name[v] for v in value] if key in ("tails", "inner", "heads") else value
                for key, value in record.items()
            }
            for record in case.choice["pieces"]
        ]
        return case.choosing(pieces=records)
