"""Expectations over W of index sums, with the moments of one weight as symbols, for every d."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from graphs.normalised.index_sums import (
    Diagram,
    Sums,
    renamed_pairs,
    summed_indices,
    symbol,
    zero,
)
from graphs.rings import Polynomial


@cache
def cumulants() -> tuple[Polynomial, ...]:
    """The cumulants of orders 1 to 4 of one weight in its moments m_1 to m_4."""
    m1, m2, m3, m4 = (symbol(f"m{n}") for n in (1, 2, 3, 4))
    return (
        m1,
        m2 - m1 * m1,
        m3 - 3 * m1 * m2 + 2 * m1 * m1 * m1,
        m4 - 4 * m1 * m3 - 3 * m2 * m2 + 12 * m1 * m1 * m2 - 6 * m1 * m1 * m1 * m1,
    )


def partitions(items: Sequence[Any]) -> list[list[list[Any]]]:
    """All partitions of a sequence into blocks.

    >>> len(partitions("abcd"))
    15
    """
    if not items:
        return [[]]
    found = []
    for rest in partitions(items[1:]):
        found.append([[items[0]], *rest])
        for k, block in enumerate(rest):
            found.append([*rest[:k], [items[0], *block], *rest[k + 1 :]])
    return found


def mean(sums: Sums) -> Sums:
    """E over W with i.i.d. entries. The rows of W must be free letters.

    Cumulants of independent weights vanish unless all are the same weight, so E of a product is
    the sum over partitions of its factors of products of cumulants, the columns of a block made
    equal and those of different blocks left as they are: no case is made of summed indices that
    coincide. Raises ValueError where a row is summed or a block has more than four factors.
    """
    total = zero(sums.unit)
    for diagram, coefficient in sums.terms.items():
        if any(row.isdigit() for row, _ in diagram.arrows):
            raise ValueError(f"the rows of W in {diagram.arrows} are summed: give free ones")
        rows = sorted({row for row, _ in diagram.arrows})
        choices = [
            partitions([column for name, column in diagram.arrows if name == row]) for row in rows
        ]
        for chosen in product(*choices):
            blocks = [block for partition in chosen for block in partition]
            part = _joined(diagram, coefficient, blocks, sums.unit)
            total = total if part is None else total + part
    return total


def _joined(
    diagram: Diagram, coefficient: Polynomial, blocks: Sequence[Sequence[str]], unit: bool
) -> Sums | None:
    """The diagram without arrows, the columns of each block one vertex; None where two letters
    would be the same index."""
    names: dict[str, str] = {}

    def root(vertex: str) -> str:
        while vertex in names:
            vertex = names[vertex]
        return vertex

    value = coefficient
    for block in blocks:
        if len(block) > len(cumulants()):
            raise ValueError(f"a weight occurs {len(block)} times: moments go to m_4")
        value = value * cumulants()[len(block) - 1]
        for column in block[1:]:
            one, other = root(block[0]), root(column)
            if one == other:
                continue
            if not one.isdigit() and not other.isdigit():
                return None
            names.update({one: other} if one.isdigit() else {other: one})
    everywhere = {v: root(v) for v in names}
    kept = Diagram(tuple(renamed_pairs(diagram.edges, everywhere)), ())
    left = {root(v) for v in summed_indices(diagram)}
    for _ in {v for v in left if v.isdigit()} - summed_indices(kept):
        value = value * symbol("d")
    return Sums({kept: value}, unit)
