"""What a claim lets one choose beside numbers, and all ways to choose it on a small network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from random import Random
from typing import Any

from graphs.layers import layers
from graphs.network import Network
from verify.cases.sliding import SELECTION
from verify.core.claim import Claim
from verify.core.losses import PRESCRIBED
from verify.search.drawing import draw

Choice = Mapping[str, Any]
PROBES = 6
MOST_LAYERS = 512
STEPS = (["1"], ["1/2", "1"])  # sizes of the steps of a descent

GROUPS = {
    ("layers",): "all ordered pairs of different layers (Definition 7, as the claim reads it)",
    ("eta", "slopes"): "one step of size 1, or steps of sizes 1/2 and 1, slopes -1 or -2 at the "
    "second",
    ("loss",): "the loss -z",
    ("selection",): "no selection at kinks, or one dormant ReLU vertex with every direction in "
    "{-1, 1} (its in-weights 0)",
    ("sliding",): "sliding along a kink",
}
"""What is chosen together, and all ways in which it is."""

SELECTIONS = frozenset({"selection", "sliding"})
"""Chosen by the activations of a network."""

FITTED = frozenset({"beta"})
"""Chosen for the numbers of one case, so that other numbers do not go with it."""


def what_is_chosen(claim: Claim, random: Random) -> frozenset[str]:
    """The names of what some drawn cases of a claim choose.

    A claim that chooses something in rare draws alone is looked at without it.
    """
    assert claim.pool is not None
    names: set[str] = set()
    for number in range(PROBES):
        n = claim.pool.examples[number % len(claim.pool.examples)]
        case = draw(claim, random, n=n, loss=PRESCRIBED, large=False)
        names |= {*case.choice, *case.arrays}
    if getattr(claim.pool, "kinks", False):
        names |= {"selection"}
    return frozenset(names - {"dormant", "direction"} if "selection" in names else names)


def is_listed(chosen: frozenset[str]) -> bool:
    """Whether all ways to choose these are listed."""
    return chosen == {name for group in groups_of(chosen) for name in group}


def groups_of(chosen: frozenset[str]) -> list[tuple[str, ...]]:
    """What of these is chosen together, in all listed ways."""
    return [group for group in GROUPS if chosen.issuperset(group)]


def parts_of(chosen: frozenset[str]) -> tuple[frozenset[str], ...]:
    """The same; sliding, which is slow to work out, apart."""
    if "selection" not in chosen:
        return (chosen,)
    return (chosen, chosen - {"selection"} | {"sliding"})


def choices_on(net: Network, chosen: frozenset[str], n: int) -> Iterator[Choice]:
    """All ways to choose these, for a network and n examples; of what is not listed, none."""
    for ways in product(*(list(_ways(net, group, n)) for group in groups_of(chosen))):
        yield {key: value for way in ways for key, value in way.items()}


def _ways(net: Network, group: tuple[str, ...], n: int) -> Iterator[Choice]:
    """All ways to choose what is chosen together."""
    if group == ("layers",):
        yield from ({"layers": pair} for pair in _pairs_of_layers(net))
    elif group == ("eta", "slopes"):
        for sizes in STEPS:
            later = product(("-1", "-2"), repeat=len(sizes) - 1)
            yield from ({"eta": sizes, "slopes": [[s] * n for s in rows]} for rows in later)
    elif group == ("loss",):
        yield {"loss": ["0", "-1"]}
    elif group == ("selection",):
        yield {}
        yield from _dormant(net)
    else:
        yield {"selection": SELECTION}


def _pairs_of_layers(net: Network) -> Iterator[list[list[list[str]]]]:
    """Of layers by either reading of Definition 7; hypotheses ask for that of the claim."""
    found = {
        frozenset(layer)
        for reading in "AB"
        for layer in layers(net, reading, MOST_LAYERS, only=net.own_parameter)
    }
    named = [
        [[net.names[net.tails[e]], net.names[net.heads[e]]] for e in sorted(layer)]
        for layer in sorted(found, key=sorted)
    ]
    yield from ([one, other] for one, other in permutations(named, 2))


def _dormant(net: Network) -> Iterator[Choice]:
    """One ReLU vertex that sleeps: its in-weights must be 0, or the hypotheses are not met."""
    for v in net.inner:
        if net.activations[v].kind != "relu" or not all(map(net.own_parameter, net.in_edges[v])):
            continue
        names = [net.parameter_names[net.parameter_of[e]] for e in net.in_edges[v]]
        for steps in product(("1", "-1"), repeat=len(names)):
            yield {
                "selection": "dormant",
                "dormant": [net.names[v]],
                "direction": dict(zip(names, steps, strict=True)),
            }
