"""Cases on one given network: drawn weights and data, lists of the pieces that the network has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from random import Random
from typing import Any

from graphs.network import Network
from verify.cases.case import Case, Point
from verify.cases.lists_of_pieces import active
from verify.cases.pool import random_data, random_labels, random_weights
from verify.cases.smaller import fewer_examples, plainer_numbers
from verify.cases.transformations import random_rational


@dataclass(frozen=True)
class OnNetwork(Case):
    """A case whose network stays as it is; its examples and numbers may become fewer and
    plainer."""

    def changes(self) -> Iterator[Case]:
        """With fewer examples, or plainer numbers."""
        yield from fewer_examples(self)
        yield from plainer_numbers(self)

    def plain(self) -> Case:
        """Itself: the names are those of whoever asks."""
        return self

    def list_of(self, name: str) -> Any:
        """A list that is chosen; the active neurons and channels are those of the weights."""
        if name == "I" and "B" in self.choice:
            return active(self, self.choice["B"])
        if name == "K" and "V" in self.choice:
            rows = self.choice["V"]
            awake = set(active(self, (v for row in rows for v in row)))
            return [row for row in rows if awake.issuperset(row)]
        return super().list_of(name)


def on_network(case: Case) -> OnNetwork:
    """The same case, on its network."""
    return OnNetwork(**{one.name: getattr(case, one.name) for one in fields(Case)})


def drawn_on(
    net: Network,
    random: Random,
    n: int,
    weights: Sequence[Fraction] | None = None,
    points: Sequence[Point] = (),
) -> OnNetwork:
    """A case with weights and points that are given, or drawn."""
    rows = tuple(points) or random_data(len(net.free_inputs), n, random)
    return OnNetwork(
        net,
        random_weights(net, random) if weights is None else tuple(weights),
        rows,
        random_labels(len(rows), random),
        slopes=tuple(random_rational(random) for _ in rows),
        family="the network",
    )


def with_one_of(case: Case, lists: dict[str, Any]) -> Case:
    """The case with lists that are chosen."""
    return replace(case, choice={**case.choice, **lists})
