"""Named arrays of rationals: instances of claims about matrices and numbers, without a network.

Axes have names. Axes of the same name have the same length, so that matrices fit, and stay
fitting when an index is dropped along an axis everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from graphs.rationals import RATIONALS

if TYPE_CHECKING:
    from graphs.arithmetic import Arithmetic
    from verify.cases.array_scenes import MatrixScene

FORMAT = "tensors"
UNWIELDY = 256  # numerator and denominator together
RATIOS = 32
SMALL = 6  # entries of an array that is told by them


class CaseError(ValueError):
    """A case is not well formed."""


@dataclass(frozen=True)
class Tensor:
    """An array of rationals of any rank.

    axes: the name of each axis; none for a number. shape: their lengths, at least 1. entries: in
    the order of rows (the last index runs fastest). integer: whether it holds integers that are
    to stay such (sizes, counts). held: whether its numbers are tied by equations, so that none of
    them moves alone: hypotheses that put them there say so, and an ascent leaves them.
    """

    axes: tuple[str, ...]
    shape: tuple[int, ...]
    entries: tuple[Fraction, ...]
    integer: bool = False
    held: bool = field(default=False, compare=False)

    @property
    def free(self) -> bool:
        """Whether each of its numbers may move by itself, to any real number."""
        return not (self.integer or self.held)

    def __post_init__(self) -> None:
        if len(self.axes) != len(self.shape) or any(length < 1 for length in self.shape):
            raise CaseError(f"axes {self.axes} with lengths {self.shape}")
        if len(self.entries) != prod(self.shape):
            raise CaseError(f"{len(self.entries)} entries for the shape {self.shape}")
        if self.integer and any(entry.denominator > 1 for entry in self.entries):
            raise CaseError("an array of integers holds another number")

    @property
    def text(self) -> str:
        """A vector as (1, 2), a matrix by its rows: ((1, 2), (3, 4))."""
        size = self.shape[-1]
        lines = [self.entries[k : k + size] for k in range(0, len(self.entries), size)]
        rows = [f"({', '.join(map(str, line))})" for line in lines]
        return rows[0] if len(self.axes) == 1 else f"({', '.join(rows)})"

    def without(self, axis: str, index: int) -> Tensor:
        """The array without one index along every axis of that name."""
        lengths = (n for name, n in zip(self.axes, self.shape, strict=True) if name == axis)
        return self.taking(axis, [i for i in range(next(lengths, 0)) if i != index])

    def taking(self, axis: str, indices: Sequence[int]) -> Tensor:
        """The array with these indices, in this order, along every axis of that name."""
        kept = [
            indices if name == axis else range(length)
            for name, length in zip(self.axes, self.shape, strict=True)
        ]
        entries = tuple(self.entries[self._place(at)] for at in product(*kept))
        return replace(self, shape=tuple(map(len, kept)), entries=entries)

    def fitted(self, lengths: Mapping[str, int]) -> Tensor:
        """The array with these lengths along axes of these names: cut, or repeated from its
        start."""
        found = self
        for axis, old in zip(self.axes, self.shape, strict=True):
            new = lengths.get(axis, old)
            if new != old:
                found = found.taking(axis, [k % old for k in range(new)])
        return found

    def _place(self, index: Sequence[int]) -> int:
        place = 0
        for i, length in zip(index, self.shape, strict=True):
            place = place * length + i
        return place

    def nested(self) -> Any:
        """The entries as text, as lists of lists along the axes."""
        rows: list[Any] = [str(entry) for entry in self.entries]
        for length in reversed(self.shape):
            rows = [rows[k : k + length] for k in range(0, len(rows), length)]
        return rows[0]


def tensor(axes: Sequence[str], nested: Any, *, integer: bool = False) -> Tensor:
    """An array from lists of lists of numbers. Raises CaseError where they are ragged."""
    shape: list[int] = []
    rows = [nested]
    for _ in axes:
        if not all(isinstance(row, list | tuple) for row in rows) or len(set(map(len, rows))) != 1:
            raise CaseError(f"not an array with the axes {list(axes)}: {nested!r}")
        shape.append(len(rows[0]))
        rows = [item for row in rows for item in row]
    try:
        entries = tuple(Fraction(entry) for entry in rows)
    except (TypeError, ValueError) as error:
        raise CaseError(f"not an array of rationals: {nested!r}") from error
    return Tensor(tuple(axes), tuple(shape), entries, integer)


Arrays = Mapping[str, Tensor]


def lengths_of(arrays: Arrays) -> dict[str, int]:
    """The length of each axis. Raises CaseError where one has two."""
    lengths: dict[str, int] = {}
    for name, array in arrays.items():
        for axis, length in zip(array.axes, array.shape, strict=True):
            if lengths.setdefault(axis, length) != length:
                raise CaseError(f"the axis {axis!r} of {name!r} has another length elsewhere")
    return lengths


def fewer_indices(arrays: Arrays, kept: Collection[str] = ()) -> Iterator[dict[str, Tensor]]:
    """The arrays without one index along one axis. kept: axes that stay as they are."""
    for axis, length in lengths_of(arrays).items():
        for index in range(length if length > 1 and axis not in kept else 0):
            yield {name: array.without(axis, index) for name, array in arrays.items()}


def plainer_entries(arrays: Arrays) -> Iterator[dict[str, Tensor]]:
    """The arrays with a plainer number in one place."""
    for name, array in arrays.items():
        for place, value in enumerate(array.entries):
            for plain in _plainer(value, integer=array.integer):
                entries = (*array.entries[:place], plain, *array.entries[place + 1 :])
                yield {**arrays, name: replace(array, entries=entries)}


@dataclass(frozen=True)
class Tensors:
    """One instance made of named arrays.

    arrays: by name. choice: what the claim's statement lets one choose, as JSON data. family:
    where the instance came from, for reports.
    """

    arrays: Mapping[str, Tensor]
    choice: Mapping[str, Any] = field(default_factory=dict)
    family: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        lengths_of(self.arrays)

    @property
    def lengths(self) -> dict[str, int]:
        """The length of each axis."""
        return lengths_of(self.arrays)

    def number(self, name: str) -> Fraction:
        """The value of an array without axes."""
        (value,) = self.arrays[name].entries
        return value

    def whole(self, name: str) -> int:
        """The value of an integer without axes."""
        return int(self.number(name))

    def matrix(self, name: str) -> np.ndarray:
        """An array, of its shape, as rationals of graphs.arithmetic."""
        array = self.arrays[name]
        entries: np.ndarray = RATIONALS.array(list(array.entries)).reshape(array.shape)
        return entries

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """What may move: the entries of all arrays that are free, in order."""
        free = (array for array in self.arrays.values() if array.free)
        return tuple(entry for array in free for entry in array.entries)

    def with_numbers(self, numbers: Sequence[Fraction]) -> Self:
        """The same instance with other `numbers`."""
        left, arrays = list(numbers), dict(self.arrays)
        for name, array in self.arrays.items():
            if array.free:
                count = len(array.entries)
                arrays[name] = replace(array, entries=tuple(left[:count]))
                left = left[count:]
        return replace(self, arrays=arrays)

    def changing(self, **arrays: Tensor) -> Self:
        """The same with some arrays replaced."""
        return replace(self, arrays={**self.arrays, **arrays})

    def with_entries(self, **entries: Iterable[Fraction]) -> Self:
        """The same with other entries of some arrays, of the same shapes."""
        arrays = {n: replace(self.arrays[n], entries=tuple(new)) for n, new in entries.items()}
        return self.changing(**arrays)

    def choosing(self, **choice: Any) -> Self:
        """The same with more chosen."""
        return replace(self, choice={**self.choice, **choice})

    # what methods ask of an instance (verify.core.instance) --------------------------------------
    @property
    def admissible(self) -> bool:
        """Always: what is supposed of the arrays are hypotheses."""
        return True

    @property
    def rational(self) -> bool:
        """Always."""
        return True

    @property
    def scene_key(self) -> tuple[Any, ...]:
        """The arrays, and how long their axes are."""
        return type(self), *self.arrays, *sorted(self.lengths.items())

    def exactly(self) -> Tensors:
        """Itself."""
        return self

    def size(self) -> tuple[int, ...]:
        """Number of entries, of entries that are not 0, of fractions; height; negative entries."""
        numbers = [entry for array in self.arrays.values() for entry in array.entries]
        return (
            len(numbers),
            sum(value != 0 for value in numbers),
            sum(value.denominator > 1 for value in numbers),
            sum(abs(value.numerator) + value.denominator for value in numbers),
            sum(value < 0 for value in numbers),
        )

    def changes(self) -> Iterator[Tensors]:
        """Neighbours that are likely to be smaller, the boldest first."""
        yield from self._fewer_indices()
        yield from self._common_scales()
        yield from self._plain_ratios()
        for arrays in plainer_entries(self.arrays):
            yield replace(self, arrays=arrays)

    def _fewer_indices(self) -> Iterator[Tensors]:
        for arrays in fewer_indices(self.arrays):
            yield replace(self, arrays=arrays)

    def _common_scales(self) -> Iterator[Tensors]:
        """All numbers but the integers times the same factor."""
        free = {name: array for name, array in self.arrays.items() if not array.integer}
        found = {entry.denominator for array in free.values() for entry in array.entries}
        factors = [Fraction(denominator) for denominator in sorted(found - {1}, reverse=True)]
        for factor in (*factors, Fraction(1, 2), Fraction(1, 3)):
            yield self.changing(
                **{
                    name: replace(array, entries=tuple(entry * factor for entry in array.entries))
                    for name, array in free.items()
                }
            )

    def _plain_ratios(self) -> Iterator[Tensors]:
        """Where a number is unwieldy: all of them about in their ratios, as small integers."""
        largest = max(map(abs, self.numbers), default=Fraction(0))
        if largest and any(map(_unwieldy, self.numbers)):
            for size in range(1, RATIOS + 1):
                factor = size / largest
                yield self.with_numbers([Fraction(round(v * factor)) for v in self.numbers])

    def varied(self, random: Random) -> Tensors:
        """The instance with one or two numbers, or the size of a whole array, changed."""
        case = self
        names = [name for name, array in self.arrays.items() if array.free]
        for _ in range(random.randint(1, 2) if names else 0):
            name = random.choice(names)
            array = case.arrays[name]
            entries = list(array.entries)
            if random.random() < 0.2:
                factor = random.choice((Fraction(2), Fraction(1, 2)))
                entries = [(entry * factor).limit_denominator(256) for entry in entries]
            else:
                place = random.randrange(len(entries))
                entries[place] = vary(entries[place], random)
            case = case.changing(**{name: replace(array, entries=tuple(entries))})
        return case

    def plain(self) -> Tensors:
        """Itself: the names are the claim's."""
        return self

    def to_json(self) -> dict[str, Any]:
        """As the case of a certificate: strict JSON, rationals as "p/q"."""
        choice = json.loads(json.dumps(dict(self.choice)))
        return {"format": FORMAT, "arrays": arrays_to_json(self.arrays), "choice": choice}

    def described(self) -> str:
        """The entries of each small array, the shape of each other one."""
        parts = []
        for name, array in self.arrays.items():
            if len(array.axes) in (1, 2) and len(array.entries) <= SMALL:
                parts.append(f"{name} = {array.text}")
            elif array.axes:
                parts.append(f"{name} {' x '.join(map(str, array.shape))}")
            else:
                parts.append(f"{name} = {array.entries[0]}")
        return ", ".join(parts)

    @staticmethod
    def scene(cases: Sequence[Tensors], arithmetic: Arithmetic) -> MatrixScene:
        """The scene of instances with the same axes of the same lengths."""
        from verify.cases.array_scenes import MatrixScene

        return MatrixScene(cases, arithmetic)

    @staticmethod
    def batches(cases: Sequence[Tensors]) -> Iterator[Sequence[Tensors]]:
        """Those of the same shapes together, with the same arrays free."""
        by_shape: dict[tuple[Any, ...], list[Tensors]] = {}
        for case in cases:
            free = tuple(array.free for array in case.arrays.values())
            by_shape.setdefault((free, case.scene_key), []).append(case)
        yield from by_shape.values()


def vary(number: Fraction, random: Random) -> Fraction:
    """A number nearby, or twice, half or minus as large."""
    step = Fraction(random.choice((-1, 1)), random.choice((1, 2, 4, 8)))
    twice = random.choice((Fraction(2), Fraction(1, 2), Fraction(-1)))
    moved = number * twice if random.random() < 0.5 else number + step
    return moved.limit_denominator(256)


def _unwieldy(value: Fraction) -> bool:
    return abs(value.numerator) + value.denominator > UNWIELDY


def _plainer(value: Fraction, *, integer: bool) -> Iterator[Fraction]:
    """Plainer numbers to put in place of one."""
    half = Fraction(value.numerator // 2, 1 if integer else value.denominator)
    nearest, one = Fraction(round(value)), Fraction(1)
    candidates = [Fraction(0), one, -one, nearest, half, -value]
    if integer:
        candidates += [value - 1, value - 2, Fraction(2)]
    else:
        candidates += [value.limit_denominator(4), 2 * value]
        if _unwieldy(value):
            candidates += [value.limit_denominator(size) for size in (8, 16, 64)]
    for plain in dict.fromkeys(candidates):
        if plain != value:
            yield plain


def arrays_to_json(arrays: Arrays) -> dict[str, Any]:
    """As in the case of a certificate."""
    found: dict[str, Any] = {}
    for name, array in arrays.items():
        found[name] = {"axes": list(array.axes), "entries": array.nested()}
        if array.integer:
            found[name]["integer"] = True
    return found


def arrays_from_json(data: Mapping[str, Any]) -> dict[str, Tensor]:
    """The arrays that `arrays_to_json` wrote."""
    return {
        name: tensor(item["axes"], item["entries"], integer=item.get("integer", False))
        for name, item in data.items()
    }


def tensors_from_json(data: Mapping[str, Any]) -> Tensors:
    """The instance that `Tensors.to_json` wrote. Raises CaseError."""
    try:
        if data["format"] != FORMAT or set(data) - {"format", "arrays", "choice"}:
            raise CaseError("not an instance made of arrays")
        return Tensors(arrays_from_json(data["arrays"]), dict(data.get("choice", {})))
    except (KeyError, TypeError, AttributeError) as error:
        raise CaseError(f"not an instance made of arrays: {error}") from error
