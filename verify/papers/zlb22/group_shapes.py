"""Groups of neurons, of sizes M^e, as profiles are drawn, mended and changed: their parents, layers
and in-degrees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True)
class Shape:
    """A profile as its groups: the parents of each (numbers, ascending), the exponent of its size,
    the group that its skips come from (None: no skips); skips is None where there can be none."""

    parents: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    skips: tuple[int | None, ...] | None = None

    @property
    def count(self) -> int:
        """How many groups."""
        return len(self.parents)

    @property
    def output(self) -> int:
        """The number of the last group."""
        return self.count - 1

    def children(self, g: int) -> list[int]:
        """The groups that have it as a parent."""
        return [j for j in range(self.count) if g in self.parents[j]]

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        """The exponent of the in-degree of each group: of its largest parent (0 of the input)."""
        return tuple(max((self.sizes[h] for h in row), default=0) for row in self.parents)

    @cached_property
    def layers(self) -> tuple[int, ...]:
        """p: the length of the longest path of weights from the input."""
        found: list[int] = []
        for row in self.parents:
            found.append(1 + max((found[h] for h in row), default=-1))
        return tuple(found)

    @property
    def hidden(self) -> list[int]:
        """The groups that are neither the input nor the output."""
        return list(range(1, self.output))

    @property
    def later(self) -> list[int]:
        """The groups outside of the input layer and the first layer."""
        return [g for g in range(self.count) if self.layers[g] >= 2]

    # changes -------------------------------------------------------------------------------------
    def sized(self, g: int, size: int) -> Shape:
        """The shape with another size of one group."""
        return replace(self, sizes=(*self.sizes[:g], size, *self.sizes[g + 1 :]))

    def fed(self, g: int, parents: Iterable[int]) -> Shape:
        """The shape with other parents of one group."""
        row = tuple(sorted(set(parents)))
        return replace(self, parents=(*self.parents[:g], row, *self.parents[g + 1 :]))

    def skipping(self, g: int, source: int | None) -> Shape:
        """The shape with the skips of one group from another one."""
        assert self.skips is not None
        return replace(self, skips=(*self.skips[:g], source, *self.skips[g + 1 :]))

    def inserted(self, place: int, size: int, parents: Sequence[int]) -> Shape:
        """The shape with one more group, of this number; it has no children yet."""

        def moved(h: int) -> int:
            return h + (h >= place)

        rows = [tuple(map(moved, row)) for row in self.parents]
        rows.insert(place, tuple(sorted(parents)))
        sizes = (*self.sizes[:place], size, *self.sizes[place:])
        if self.skips is None:
            return Shape(tuple(rows), sizes)
        skips = [None if s is None else moved(s) for s in self.skips]
        skips.insert(place, None)
        return Shape(tuple(rows), sizes, tuple(skips))

    def contracted(self, g: int) -> Shape:
        """The shape without a hidden group; what read it has its parents, and what took from it
        takes nothing."""

        def renamed(row: Iterable[int]) -> tuple[int, ...]:
            return tuple(sorted({h - (h > g) for h in row if h != g}))

        rows = [
            renamed((*row, *self.parents[g]) if g in row else row)
            for k, row in enumerate(self.parents)
            if k != g
        ]
        sizes = (*self.sizes[:g], *self.sizes[g + 1 :])
        if self.skips is None:
            return Shape(tuple(rows), sizes)
        skips = [None if s in (None, g) else s - (s > g) for s in self.skips]
        return Shape(tuple(rows), sizes, (*skips[:g], *skips[g + 1 :]))

    def mended(self) -> Shape:
        """A shape near it that is well formed: at least one hidden group is there already."""
        shape = self.sized(0, 0).sized(self.output, 0).fed(0, ())
        for g in range(1, self.count):
            if not shape.parents[g]:
                shape = shape.fed(g, (g - 1,))
        for g in range(self.output):
            if not shape.children(g):
                shape = shape.fed(g + 1, (*shape.parents[g + 1], g))
        for g, source in enumerate(shape.skips or ()):
            if source is not None and shape.layers[source] >= shape.layers[g]:
                shape = shape.skipping(g, None)
        return shape
