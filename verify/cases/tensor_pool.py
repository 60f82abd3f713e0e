"""The pool of instances made of arrays: shapes and numbers drawn at random, corners on purpose.

Numbers come in manners: like rounded Gaussians, sparse, small integers, of low rank, with
orthogonal slices, all equal, all 0, a single entry, and of unequal scales.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any

from verify.cases.tensors import Tensor, Tensors
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Shape = tuple[int, ...]


@dataclass(frozen=True)
class TensorPool:
    """What instances a claim speaks of.

    arrays: the axes of each array by name. integers: numbers by name, with their least and largest
    value. largest: the longest axis of a large draw. adapt: a last change of every instance.
    """

    arrays: tuple[tuple[str, tuple[str, ...]], ...] = ()
    integers: tuple[tuple[str, int, int], ...] = ()
    largest: int = 4
    adapt: Callable[[Tensors, Random], Tensors] | None = None
    examples: tuple[int, ...] = (1,)
    losses: tuple[str, ...] = (PRESCRIBED,)

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance (n and loss belong to networks)."""
        return self.draw_with({}, random, large=large)

    def draw_with(self, lengths: Mapping[str, int], random: Random, *, large: bool) -> Tensors:
        """One random instance with axes of these lengths."""
        top = self.largest if large else min(3, self.largest)
        axes = sorted({axis for _, names in self.arrays for axis in names})
        square = random.random() < 0.15
        side = random.randint(1, top)
        drawn = {axis: side if square else random.randint(1, top) for axis in axes}
        lengths = {**drawn, **lengths}
        manner = random.choice(sorted(MANNERS))
        mixed = random.random() < 0.3
        parts = {}
        for name, names in self.arrays:
            one = random.choice(sorted(MANNERS)) if mixed else manner
            shape = tuple(lengths[axis] for axis in names)
            parts[name] = Tensor(names, shape, tuple(MANNERS[one](shape, random)))
        for name, low, high in self.integers:
            value = random.choice((low, high, random.randint(low, high), random.randint(low, high)))
            parts[name] = Tensor((), (), (Fraction(value),), integer=True)
        case = Tensors(parts, family="mixed" if mixed else manner if self.arrays else "integers")
        return case if self.adapt is None else self.adapt(case, random)

    def layouts(self) -> Iterator[TensorPool]:
        """The pools of one set of arrays each that make it up: itself."""
        yield self

    def values_of(self, name: str, values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """What the entries of an array are chosen from where small instances are listed, instead
        of these values."""
        return values

    def drawn(self) -> SearchStrategy[Tensors]:
        """Small instances for the guided search: the shape and every number drawn structurally."""
        from verify.cases.strategies import drawn_tensors

        return drawn_tensors(self)

    def named(self, random: Random) -> Iterator[Tensors]:
        """None has a name."""
        return iter(())

    def scope(self) -> tuple[str, ...]:
        """The range of axes and integers."""
        lines = [f"every axis of length 1 to {self.largest}"] if self.arrays else []
        lines += [f"{name} from {low} to {high}" for name, low, high in self.integers]
        return tuple(lines)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The last change of every instance."""
        return {} if self.adapt is None else {"adapt": self.adapt}


# numbers ----------------------------------------------------------------------------------------
def _gaussian(shape: Shape, random: Random) -> list[Fraction]:
    return [Fraction(round(random.gauss(0, 1) * 16), 16) for _ in range(prod(shape))]


def _sparse(shape: Shape, random: Random) -> list[Fraction]:
    return [x if random.random() < 0.35 else Fraction(0) for x in _gaussian(shape, random)]


def _integers(shape: Shape, random: Random) -> list[Fraction]:
    return [Fraction(random.randint(-3, 3)) for _ in range(prod(shape))]


def _outer(shape: Shape, random: Random) -> list[Fraction]:
    entries = [Fraction(1)]
    for length in shape:
        factor = [Fraction(random.randint(-3, 3)) for _ in range(length)]
        entries = [a * b for a in entries for b in factor]
    return entries


def _low_rank(shape: Shape, random: Random) -> list[Fraction]:
    terms = [_outer(shape, random) for _ in range(random.randint(1, 2))]
    return [sum(column, Fraction(0)) for column in zip(*terms, strict=True)]


def _orthogonal_slices(shape: Shape, random: Random) -> list[Fraction]:
    """A permutation pattern: of a matrix a partial permutation, of a tensor slices that are."""
    signs = random.random() < 0.5
    shifts = [random.randrange(length) for length in shape]
    entries = []
    for place in range(prod(shape)):
        index = []
        for length in reversed(shape):
            place, i = divmod(place, length)
            index.append(i)
        total = sum(i + s for i, s in zip(reversed(index), shifts, strict=True))
        hit = len(shape) == 0 or total % max(shape) == 0
        entries.append(Fraction((random.choice((1, -1)) if signs else 1) if hit else 0))
    return entries


def _equal(shape: Shape, random: Random) -> list[Fraction]:
    return [Fraction(random.randint(1, 6), random.randint(1, 4))] * prod(shape)


def _zeros(shape: Shape, random: Random) -> list[Fraction]:
    return [Fraction(0)] * prod(shape)


def _single(shape: Shape, random: Random) -> list[Fraction]:
    entries = [Fraction(0)] * prod(shape)
    entries[random.randrange(len(entries))] = Fraction(random.randint(1, 6), random.randint(1, 4))
    return entries


def _scales(shape: Shape, random: Random) -> list[Fraction]:
    """Of the size of a tenth, or of ten: beside others, unequal scales."""
    size = random.choice((Fraction(1, 10), Fraction(1, 3), Fraction(3), Fraction(10)))
    return [x * size for x in _gaussian(shape, random)]


MANNERS: dict[str, Callable[[Shape, Random], list[Fraction]]] = {
    "Gaussian": _gaussian,
    "sparse": _sparse,
    "small integers": _integers,
    "low rank": _low_rank,
    "orthogonal slices": _orthogonal_slices,
    "equal entries": _equal,
    "zeros": _zeros,
    "single entry": _single,
    "scaled": _scales,
}
