"""What is looked at along computed flows, for claims about the limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from verify.cases.networks_of_pieces import Plan


@dataclass(frozen=True)
class LimitObservable:
    """What verify.methods.limits looks at.

    planner: draws the architecture, given whether it may be large. what: the quantity, a name in
    verify.kinds.solutions.limit_series.SERIES. options: of the quantity.
    """

    planner: Callable[[Random, bool], Plan]
    what: str
    options: tuple[str, ...] = ()
