"""How much of all small cases fits into a budget: scopes, the size of each known in advance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verify.search.enumeration.blocks import Block


@dataclass(frozen=True, eq=False)
class Scope:
    """Blocks that together are all cases of a description.

    words: the description, without the number of cases. drawn: whether it holds something that was
    drawn, so that the scope is not all there is of its kind.
    """

    words: str
    blocks: tuple[Block, ...]
    drawn: bool = False

    @property
    def count(self) -> int:
        """How many cases there are."""
        return sum(block.count for block in self.blocks)

    @property
    def cost(self) -> float:
        """What it takes to look at all of them, in units of a network that float64 serves."""
        return sum(block.count * block.unit for block in self.blocks)


Ladder = Iterable[Iterable[Scope]]
"""For each size of cases the scopes of that size, the largest one first."""


def fitting(ladder: Ladder, budget: float, share: float) -> Iterator[Scope]:
    """From each rung the largest scope that takes at most a share of what is left of a budget."""
    left = budget
    for rung in ladder:
        for scope in rung:
            if scope.count and scope.cost <= left * share:
                left -= scope.cost
                yield scope
                break


def listed(values: Iterable[object]) -> str:
    """Values as a set."""
    return "{" + ", ".join(map(str, values)) + "}"
