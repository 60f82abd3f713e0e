"""Profiles: families of linear networks on DAGs, indexed by M, and the order of their Hessians.

A profile is a graph of groups of neurons. Group 0 is the input (one number, 1), the last group the
output; each neuron of a group has all neurons of the parent groups as incoming neurons, and a group
has M^e neurons, e a whole number. All activations are the identity, weights are independent and
standard normal, factors are 1/sqrt(in-degree), so that f is a polynomial of degree 1 in each weight
and everything below is counted, not drawn.

Let `b_v` be the derivative of f in the neuron v. For a hidden neuron v the block of the Hessian
between the weights into v and those above v is of rank one: the vector of incoming neurons over
sqrt(in(v)), times the gradient of b_v. Its squared norm is a polynomial X in the weights with

    E X >= E b_v^2,    E b_v^2 = sum_j E b_j^2 / in(j)    (over the neurons j that v enters),

which is the probability that a walk from the output, each step to an incoming neuron chosen at
random, comes by v. Entries have degree at most L, so that E X^2 <= 9^L (E X)^2 (Bonami's lemma) and
P(X >= E X / 2) >= 9^-L / 4 (Paley and Zygmund). So |H_f| is of the order of the square root of the
largest E b_v^2 at least, with a probability that does not fall with M, and with E b_v^2 of order
M^x no bound M^y, y < x/2, holds with a probability that tends to 1, whatever the logarithms.

Skips (Zhu, Liu and Belkin 2022, Appendix D) add a neuron to a pre-activation with no weight: the
array S says from which group; the neurons of a group take those of the other in turn. A neuron
takes at most one, so that different paths still have different weights on them, and E b_v^2 gains
sum_j E b_j^2 over those j that take v. Where skips alone lead from v to the output, which then has
a skip term itself, b_v has a constant term; that adds nothing to its gradient, and is left out:
E X >= E b_v^2 - (E b_v)^2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from random import Random

from graphs.arithmetic import Arithmetic, Array
from verify.cases.array_scenes import MatrixScene
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.profiles.group_shapes import Shape

LARGEST_EXPONENT = 3


class Profile(Tensors):
    """A profile as arrays of integers, axis "g" the groups: A (g, g), 1 where the second is a
    parent of the first; e (g), the exponents of the sizes; S (g, g), 1 where skips come from the
    second, in profiles with skips; and numbers of the claim."""

    @property
    def shape(self) -> Shape:
        """The groups. Entries other than 1, and those on or above the diagonal, are none."""
        count = self.lengths["g"]
        rows = [_ones(self.arrays["A"], g) for g in range(count)]
        sizes = tuple(map(int, self.arrays["e"].entries))
        skips = None
        if "S" in self.arrays:
            skips = tuple(next(iter(_ones(self.arrays["S"], g)), None) for g in range(count))
        return Shape(tuple(rows), sizes, skips)

    @property
    def well_formed(self) -> bool:
        """Whether the arrays say what they should, and the shape is well formed."""
        for name in {"A", "S"} & set(self.arrays):
            rows = [_ones(self.arrays[name], g) for g in range(self.lengths["g"])]
            if sum(map(len, rows)) != sum(entry != 0 for entry in self.arrays[name].entries):
                return False
            if name == "S" and max(map(len, rows)) > 1:
                return False
        return self.shape.well_formed

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
                found = found.with_whole(name, int(array.entries[0]) + random.choice((-1, 1)))
        return found

    def _fewer_indices(self) -> Iterator[Tensors]:
        shape = self.shape
        for g in shape.hidden if shape.count > 3 else ():
            yield self.of(shape.contracted(g))
        yield from super()._fewer_indices()

    def described(self) -> str:
        """The groups in order, with sizes and parents."""
        shape = self.shape
        words = []
        for g in range(1, shape.count):
            size = {0: "1", 1: "M"}.get(shape.sizes[g], f"M^{shape.sizes[g]}")
            into = ", ".join(map(str, shape.parents[g]))
            skip = None if shape.skips is None else shape.skips[g]
            words.append(
                f"{g}: {size} from {into}" + (f" skips {skip}" if skip is not None else "")
            )
        numbers = [f"{name} = {t.entries[0]}" for name, t in self.arrays.items() if not t.axes]
        return "groups " + "; ".join([*words, *numbers])

    @staticmethod
    def scene(cases: Sequence[Tensors], arithmetic: Arithmetic) -> ProfileScene:
        """A batch of profiles in one arithmetic."""
        return ProfileScene(cases, arithmetic)


class ProfileScene(MatrixScene):
    """A batch of profiles."""

    @cached_property
    def profiles(self) -> list[Profile]:
        """The profiles."""
        return [case for case in self.cases if isinstance(case, Profile)]

    @cached_property
    def shapes(self) -> list[Shape]:
        """The groups of each profile."""
        return [case.shape for case in self.profiles]

    def numbers(self, values: Sequence[int]) -> Array:
        """(C,): a number for each profile."""
        return self.arithmetic.array([Fraction(value) for value in values])


def profile(shape: Shape, family: str = "", **numbers: int) -> Profile:
    """The arrays of a shape, and numbers by name."""
    count = shape.count
    square, line = ("g", "g"), (count, count)
    marks = [int(h in shape.parents[g]) for g in range(count) for h in range(count)]
    arrays = {"A": _whole(square, line, marks), "e": _whole(("g",), (count,), shape.sizes)}
    if shape.skips is not None:
        marks = [int(h == shape.skips[g]) for g in range(count) for h in range(count)]
        arrays["S"] = _whole(square, line, marks)
    arrays |= {name: _whole((), (), [value]) for name, value in numbers.items()}
    return Profile(arrays, family=family)


def _whole(axes: tuple[str, ...], lengths: tuple[int, ...], values: Sequence[int]) -> Tensor:
    return Tensor(axes, lengths, tuple(map(Fraction, values)), integer=True)


def _ones(matrix: Tensor, g: int) -> tuple[int, ...]:
    """Where a row is 1, left of the diagonal."""
    row = matrix.entries[g * matrix.shape[1] : g * matrix.shape[1] + g]
    return tuple(h for h, entry in enumerate(row) if entry == 1)
