"""All small fully connected networks as cases with a network: those of their arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from graphs.arithmetic import Arithmetic
from verify.core.claim import Claim
from verify.kinds.deep.layered import Layered, LayeredPool, as_network
from verify.search.enumeration.arrays import array_ladder
from verify.search.enumeration.blocks import Block
from verify.search.enumeration.scopes import Ladder


def layered_ladder(claim: Claim, pool: LayeredPool, random: Random) -> Ladder:
    """The scopes of the arrays."""
    rungs = array_ladder(claim, pool.of, random)
    return (
        (replace(scope, blocks=tuple(map(LayeredBlock, scope.blocks))) for scope in rung)
        for rung in rungs
    )


@dataclass(frozen=True, eq=False)
class LayeredBlock:
    """The networks of a block of arrays."""

    of: Block

    @property
    def unit(self) -> float:
        """As of the arrays."""
        return self.of.unit

    @property
    def count(self) -> int:
        """How many cases there are."""
        return self.of.count

    def slab(self, start: int, stop: int) -> LayeredSlab:
        """The cases with these numbers."""
        return LayeredSlab(self.of.slab(start, stop).cases)


@dataclass(frozen=True, eq=False)
class LayeredSlab:
    """Some networks of a block, of one architecture."""

    of: Sequence[Any]

    @cached_property
    def cases(self) -> list[Layered]:
        """The networks."""
        return [as_network(case) for case in self.of]

    def scene(self, arithmetic: Arithmetic) -> Any:
        """Their scene."""
        return Layered.scene(self.cases, arithmetic)
