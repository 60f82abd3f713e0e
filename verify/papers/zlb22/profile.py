"""Profiles: the cases of families of linear networks (verify.papers.zlb22.group_notation)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor, Tensors
from verify.papers.zlb22.group_shapes import Shape

LARGEST_EXPONENT = 3


class Profile(Tensors):
    """A profile as arrays of whole numbers, axis "n" the groups: E (n, n), 1 where the second is a
    parent of the first; e (n), the exponents of the sizes; S (n, n), 1 where skips come from the
    second, in profiles with skips; and numbers of the claim."""

    @property
    def shape(self) -> Shape:
        """The groups. Entries other than 1, and those on or above the diagonal, are none."""
        count = self.lengths["n"]
        rows = [_ones(self.arrays["E"], g) for g in range(count)]
        sizes = tuple(map(int, self.arrays["e"].entries))
        skips = None
        if "S" in self.arrays:
            skips = tuple(next(iter(_ones(self.arrays["S"], g)), None) for g in range(count))
        return Shape(tuple(rows), sizes, skips)

    def of(self, shape: Shape) -> Profile:
        """The same numbers with another shape."""
        plain = profile(shape, self.family)
        numbers = {name: t for name, t in self.arrays.items() if not t.axes}
        return replace(plain, arrays={**plain.arrays, **numbers}, choice=self.choice)

    def with_whole(self, name: str, value: int) -> Profile:
        """The same with another number."""
        return replace(self, arrays={**self.arrays, name: _whole((), (), [value])})

    def varied(self, random: Random) -> Profile:
        """The profile with one edge, size or number changed."""
        shape = self.shape
        g = random.randrange(1, shape.count)
        way = random.choice(("parent", "size", "skip", "number"))
        if way == "parent":
            shape = shape.fed(g, set(shape.parents[g]) ^ {random.randrange(g)})
        elif way == "size":
            shape = shape.sized(g, random.randint(0, LARGEST_EXPONENT))
        elif way == "skip" and shape.skips is not None:
            shape = shape.skipping(g, random.choice((None, random.randrange(g))))
        found = self.of(shape.mended() if shape.count > 2 else shape)
        for name, array in self.arrays.items():
            if not array.axes and way == "number":
                moved = int(array.entries[0]) + random.choice((-1, 1))
                found = found.with_whole(name, min(max(1, moved), LARGEST_EXPONENT))
        return found

    def _fewer_indices(self) -> Iterator[Tensors]:
        shape = self.shape
        for g in shape.hidden if shape.count > 3 else ():
            yield self.of(shape.contracted(g))
        yield from super()._fewer_indices()

    def described(self) -> str:
        """The groups after the input, which is group 1, with sizes and parents."""
        shape = self.shape
        words = []
        for g in range(1, shape.count):
            size = {0: "1", 1: "M"}.get(shape.sizes[g], f"M^{shape.sizes[g]}")
            into = ", ".join(str(h + 1) for h in shape.parents[g])
            skip = None if shape.skips is None else shape.skips[g]
            skips = "" if skip is None else f" skips {skip + 1}"
            words.append(f"{g + 1}: {size} from {into}{skips}")
        numbers = [f"{name} = {t.entries[0]}" for name, t in self.arrays.items() if not t.axes]
        return "groups " + "; ".join([*words, *numbers])


def profile(shape: Shape, family: str = "", **numbers: int) -> Profile:
    """The arrays of a shape, and numbers by name."""
    count = shape.count
    square, line = ("n", "n"), (count, count)
    marks = [int(h in shape.parents[g]) for g in range(count) for h in range(count)]
    arrays = {"E": _whole(square, line, marks), "e": _whole(("n",), (count,), shape.sizes)}
    if shape.skips is not None:
        marks = [int(h == shape.skips[g]) for g in range(count) for h in range(count)]
        arrays["S"] = _whole(square, line, marks)
    arrays |= {name: _whole((), (), [value]) for name, value in numbers.items()}
    return Profile(arrays, family=family)


def _whole(axes: tuple[str, ...], lengths: tuple[int, ...], values: Sequence[int]) -> Tensor:
    entries = tuple(map(Fraction, values))
    return Tensor(axes, lengths, entries, integer=not axes, held=bool(axes))


def _ones(matrix: Tensor, g: int) -> tuple[int, ...]:
    """Where a row is 1, left of the diagonal."""
    row = matrix.entries[g * matrix.shape[1] : g * matrix.shape[1] + g]
    return tuple(h for h, entry in enumerate(row) if entry == 1)
