"""The pool of profiles: layered graphs, dense ones, random ones, and some with single neurons put
between groups. Small ones are drawn structurally for the guided search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import LARGEST_EXPONENT, Profile, profile

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

FEWEST, MOST_SMALL = 4, 6  # groups
SIZES = (0, 0, 1, 1, 1, 2, 2, LARGEST_EXPONENT)


@dataclass(frozen=True)
class ProfilePool(TensorPool):
    """Profiles of at least four groups, with skips or without, and with integers."""

    skips: bool = False

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Profile:
        """One random profile (n and loss belong to networks)."""
        count = random.randint(FEWEST, self.largest if large else MOST_SMALL)
        manner = random.choice(sorted(MANNERS))
        shape = MANNERS[manner](count, random)
        if random.random() < 0.5:
            shape = with_single(shape, random)
        if self.skips:
            shape = with_skips(shape, random)
        numbers = {name: random.randint(low, high) for name, low, high in self.integers}
        return profile(shape.mended(), manner, **numbers)

    def drawn(self) -> SearchStrategy[Tensors]:
        """Small profiles: groups, edges, sizes and skips drawn one by one."""
        from hypothesis import strategies as st

        @st.composite
        def one(draw: st.DrawFn) -> Profile:
            count = draw(st.integers(FEWEST, self.largest))
            rows = [()] + [
                tuple(h for h in range(g) if draw(st.booleans())) for g in range(1, count)
            ]
            sizes = tuple(draw(st.integers(0, LARGEST_EXPONENT)) for _ in range(count))
            skips = None
            if self.skips:
                skips = tuple(
                    draw(st.integers(0, g - 1)) if 0 < g < count - 1 else None for g in range(count)
                )
            numbers = {name: draw(st.integers(low, high)) for name, low, high in self.integers}
            return profile(Shape(tuple(rows), sizes, skips).mended(), "drawn", **numbers)

        return one()

    def scope(self) -> tuple[str, ...]:
        """The range of groups, sizes and integers."""
        groups = f"linear networks of {FEWEST} to {self.largest} groups or a few more"
        return (
            f"{groups}, sizes up to M^{LARGEST_EXPONENT}",
            "of |H| the exponent of M that it has at least, with a probability that does not fall",
            *super().scope()[1:],
        )


def profile_pool(*integers: tuple[str, int, int], skips: bool = False) -> ProfilePool:
    """The pool of profiles with these integers."""
    arrays = [("E", ("n", "n")), ("e", ("n",))] + [("S", ("n", "n"))] * skips
    return ProfilePool(tuple(arrays), integers, largest=7, adapt=as_profile, skips=skips)


def as_profile(case: Tensors, random: Random) -> Profile:
    """A profile from arrays of any numbers: signs are edges, sizes are rounded; two more groups, so
    that there are enough."""
    count = case.lengths["n"]
    square, line = case.arrays["E"].entries, case.arrays["e"].entries
    rows = [tuple(h for h in range(g) if square[g * count + h] > 0) for g in range(count)]
    sizes = [int(abs(entry)) % (LARGEST_EXPONENT + 1) for entry in line]
    rows += [(count - 1,), (count,)]
    sizes += [1, 0]
    skips: list[int | None] | None = None
    if "S" in case.arrays:
        marks = case.arrays["S"].entries
        skips = [
            next((h for h in range(g) if marks[g * count + h] > 0), None) for g in range(count)
        ] + [count - 1 if count > 1 else None, None]
    shape = Shape(tuple(rows), tuple(sizes), None if skips is None else tuple(skips))
    numbers = {name: int(t.entries[0]) for name, t in case.arrays.items() if not t.axes}
    return profile(shape.mended(), case.family, **numbers)


# manners ----------------------------------------------------------------------------------------
def _sizes(count: int, random: Random) -> tuple[int, ...]:
    return (0, *(random.choice(SIZES) for _ in range(count - 2)), 0)


def layers(count: int, random: Random) -> Shape:
    """Each group reads the one before it."""
    return Shape(((), *((g - 1,) for g in range(1, count))), _sizes(count, random))


def dense(count: int, random: Random) -> Shape:
    """Each group reads all before it."""
    return Shape(tuple(tuple(range(g)) for g in range(count)), _sizes(count, random))


def anyhow(count: int, random: Random) -> Shape:
    """Each group reads some before it."""
    rows = [()] + [tuple(h for h in range(g) if random.random() < 0.4) for g in range(1, count)]
    return Shape(tuple(rows), _sizes(count, random)).mended()


MANNERS: dict[str, Callable[[int, Random], Shape]] = {
    "layers": layers,
    "dense": dense,
    "random groups": anyhow,
}


def with_single(shape: Shape, random: Random) -> Shape:
    """One more group, of a single neuron, between two others; a group, small or large, may hang on
    it alone."""
    place = random.randint(2, shape.output) if shape.output > 1 else 1
    shape = shape.inserted(place, 0, random.sample(range(place), min(place, random.randint(1, 2))))
    later = list(range(place + 1, shape.count))
    child = random.choice(later)
    if random.random() < 0.5 or child == shape.output:
        child = place + 1
        shape = shape.inserted(child, random.choice(SIZES), (place,))
        taker = random.randrange(child + 1, shape.count)
        return shape.fed(taker, (*shape.parents[taker], child))
    return shape.fed(child, (*shape.parents[child], place))


def with_skips(shape: Shape, random: Random) -> Shape:
    """Skips into some of the hidden groups, from any earlier ones."""
    sources: list[int | None] = [None] * shape.count
    for g in range(1, shape.output):
        if random.random() < 0.8:
            sources[g] = random.randrange(g)
    return Shape(shape.parents, shape.sizes, tuple(sources))
