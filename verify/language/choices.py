"""What a case holds beside its network: lists of its vertices, edges, or numbers; and arrays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.network import Network
from verify.cases.case import Case
from verify.language.columns import Column, Lists
from verify.language.sorts import EDGE, INT, NUM, VERTEX, Sort

if TYPE_CHECKING:
    from verify.language.domains import Domain
    from verify.language.evaluation import Evaluation

LONGEST = 3  # of a list of lists or numbers that is drawn


def chosen(by: Evaluation, name: str, sort: Sort) -> Column:
    """The list of each case; without a value where it has none, or one of what the network has
    not."""
    union = by.scene.union
    found = [
        _numbered(case.list_of(name), sort, case.network, int(vertices), int(edges))
        for case, vertices, edges in zip(
            by.scene.cases, union.vertex_offset, union.edge_offset, strict=False
        )
    ]
    lists = [() if one is None else one for one in found]
    return Column(_column(by, lists, sort), np.array([one is not None for one in found]))


def arrays_named(by: Evaluation, name: str) -> list[tuple[np.ndarray, Any]]:
    """An array by its shape: the cases that have it so, and (k, *shape) of them."""
    if not hasattr(by.scene, "union"):  # cases of arrays alone come with one shape
        return [(np.arange(len(by.scene.cases)), by.scene[name])]
    rows: dict[tuple[int, ...], list[int]] = {}
    for row, case in enumerate(by.scene.cases):
        if name in case.arrays:
            rows.setdefault(case.arrays[name].shape, []).append(row)
    found = []
    for shape, some in rows.items():
        flat = [entry for row in some for entry in by.scene.cases[row].arrays[name].entries]
        made = by.arithmetic.array(flat).reshape(len(some), *shape)
        found.append((np.array(some), made))
    return found


def _numbered(value: Any, sort: Sort, network: Network, vertices: int, edges: int) -> Any:
    """A list of a case, with the numbers that vertices and edges have in the union."""
    if sort.name == "seq":
        if not isinstance(value, list | tuple):
            return None
        inner = [_numbered(one, sort.inner[0], network, vertices, edges) for one in value]
        return None if None in inner else inner
    if sort == VERTEX:
        number = network.index.get(value)
        return None if number is None else number + vertices
    if sort == EDGE:
        number = edge_named(network, value)
        return None if number is None else number + edges
    return Fraction(value) if sort == NUM else int(value)


def edge_named(network: Network, ends: Sequence[str]) -> int | None:
    """The number of the edge between two vertices."""
    tail, head = (network.index.get(name) for name in ends)
    leaving = () if tail is None else network.out_edges[tail]
    return next((e for e in leaving if network.heads[e] == head), None)


def _column(by: Evaluation, values: list[Any], sort: Sort) -> Any:
    if sort.name == "seq":
        counts = np.array([len(one) for one in values], dtype=np.int64)
        return Lists(counts, _column(by, [one for some in values for one in some], sort.inner[0]))
    if sort == NUM:
        return by.arithmetic.array(values)
    if sort == INT:
        found = np.empty(len(values), dtype=object)
        found[:] = values
        return found
    return np.array(values, dtype=np.int64)


def with_lists(domain: Domain, case: Case, random: Random) -> Case:
    """The case with a list for each of the domain."""
    lists = {name: _drawn(array.sort, case.network, random) for name, array in domain.lists.items()}
    return case.choosing(**lists)


def _drawn(sort: Sort, network: Network, random: Random) -> list[Any]:
    """Of lists, whole numbers or numbers a few; of vertices and edges some."""
    element, names = sort.inner[0], network.names
    if element.name == "seq":
        return [_drawn(element, network, random) for _ in range(random.randint(1, LONGEST))]
    if element == INT:
        return [random.randint(1, LONGEST) for _ in range(random.randint(1, LONGEST))]
    if element == NUM:
        count = random.randint(1, LONGEST)
        return [str(Fraction(random.randint(-4, 4), random.randint(1, 4))) for _ in range(count)]
    edges = zip(network.tails, network.heads, strict=True)
    every = list(names) if element == VERTEX else [[names[a], names[b]] for a, b in edges]
    count = random.randint(1, len(every)) if random.random() < 0.5 else min(2, len(every))
    return random.sample(every, count)
