"""Networks near the bound of Theorem 6, and the hypotheses that its claims add.

The bound is small only where the layers are nearly products of frames: W_l = s F_l G_(l-1)^T with
n_l x k matrices of nearly orthonormal columns. Random weights are far from it, and nothing that
fails by little fails there. Most networks drawn here are of this kind. What lies between F_l and
G_l is the activation: G_l is F_l, the frame of D_l F_l, or one turned away from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

from verify.core.losses import PRESCRIBED
from verify.kinds.deep.changes import SLOPES, with_number
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import DeepPool, gaussian
from verify.language.building import Each, hidden, slope_left
from verify.papers.j23.theorem6_notation import P
from verify.statements.stated import Given

SHARES = tuple(map(Fraction, ("1/100", "1/10", "1/4", "1/2", "3/4", "9/10")))
NEAR = Fraction(1, 100)
ROOT = 64  # roots are rounded to multiples of 1/ROOT
SCALES = tuple(map(Fraction, ("1", "1", "1", "9/10", "11/10")))
EXTREME = tuple(map(Fraction, ("-9/10", "-1/2", "0", "0", "1/5", "9/10")))
SLOPES_OF = {
    "frame": tuple(map(Fraction, ("-19/20", "-9/10", "-1/2", "0"))),
    "turned": tuple(map(Fraction, ("19/20", "9/10", "0", "-9/10"))),
    "": EXTREME,
}
MANNERS = ("frame", "frame", "same", "turned", "turned")
FAMILY = "products of frames"
Columns = list[list[Fraction]]


# frames -------------------------------------------------------------------------------------------
def _dot(one: list[Fraction], other: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def nearly_orthonormal(columns: Columns, random: Random) -> Columns:
    """Gram and Schmidt, with rounded roots; a column that is lost becomes a random one."""
    frame: Columns = []
    for column in columns:
        rest = column
        for _ in range(4):
            for other in frame:
                share = _dot(rest, other) / _dot(other, other)
                rest = [a - share * b for a, b in zip(rest, other, strict=True)]
            root = Fraction(isqrt(int(_dot(rest, rest) * ROOT**2)), ROOT)
            if root >= Fraction(1, 8):
                break
            rest = [gaussian(random) for _ in column]
        else:
            root = Fraction(1)
        rounded = [Fraction(round(entry / root * ROOT), ROOT) for entry in rest]
        frame.append(rounded if any(rounded) else [Fraction(1), *rounded[1:]])
    return frame


def _random_frame(size: int, k: int, random: Random) -> Columns:
    return nearly_orthonormal([[gaussian(random) for _ in range(size)] for _ in range(k)], random)


def _turned(frame: Columns, random: Random) -> Columns:
    """A frame somewhere near."""
    size = random.choice((Fraction(1, 4), Fraction(1, 2), Fraction(1)))
    moved = [[entry + size * gaussian(random) for entry in column] for column in frame]
    return nearly_orthonormal(moved, random)


def _product(columns: Columns, rows: Columns, scale: Fraction) -> list[list[Fraction]]:
    """scale F G^T."""
    height, width = len(columns[0]), len(rows[0])
    return [
        [
            scale * sum((f[i] * g[j] for f, g in zip(columns, rows, strict=True)), Fraction(0))
            for j in range(width)
        ]
        for i in range(height)
    ]


def _filled(frame: Columns, count: int, random: Random) -> Columns:
    """The frame with random columns beside it, so many in all."""
    size = len(frame[0])
    more = [[gaussian(random) for _ in range(size)] for _ in range(count - len(frame))]
    return frame if not more else nearly_orthonormal(frame + more, random)


@dataclass(frozen=True)
class _Layer:
    """A layer at a point: weight, shift, its frame of outputs, that frame and the activation behind
    the slopes."""

    weight: list[list[Fraction]]
    shift: list[Fraction]
    ahead: Columns
    passed: Columns
    at: list[Fraction]

    @property
    def score(self) -> Fraction:
        """Small where the slopes turn the first direction much and hardly shrink it."""
        one, two = self.ahead[0], self.passed[0]
        length = _dot(two, two)
        return _dot(one, two) ** 2 / length + 2 * (1 - length) if length else Fraction(3)


def _layer(
    ahead: Columns,
    rows: Columns,
    at: list[Fraction],
    numbers: tuple[Fraction, Fraction, list[Fraction]],
    random: Random,
) -> _Layer:
    """The layer with these frames at a point. numbers: slope, scale and shift."""
    slope, scale, shift = numbers
    weight = _product(_filled(ahead, len(rows), random), rows, scale)
    z = [_dot(row, at) + b for row, b in zip(weight, shift, strict=True)]
    slopes = [slope if value < 0 else Fraction(1) for value in z]
    passed = [[d * e for d, e in zip(slopes, column, strict=True)] for column in ahead]
    moved = [d * value for d, value in zip(slopes, z, strict=True)]
    return _Layer(weight, shift, ahead, passed, moved)


def of_frames(case: Deep, random: Random, always: str = "") -> Deep:
    """The same network with weights that are nearly products of frames along its point. Some layers
    carry more columns than k, as isometries do. always: the manner of all layers ("": each its
    own); of "frame" each frame is one of several, that which the slopes turn most."""
    widths = case.widths
    plain = random.random() < 0.5  # nothing but the frames
    k = 1 if plain or random.random() < 0.7 else random.randint(1, min(widths))
    slope = random.choice(SLOPES_OF[always])
    tries = 8 if always == "frame" else 1
    inner, wide = random.choice(((0.0, 0.0), (1.0, 0.0), (0.5, 0.5)))  # chances of more columns
    behind = _random_frame(widths[0], k, random)
    at = list(case.arrays["X"].entries[: widths[0]])
    for layer in range(1, case.depth + 1):
        height = widths[layer]
        chance = inner if 1 < layer < case.depth else wide
        count = min(widths[layer - 1], height) if random.random() < chance else k
        scale = Fraction(1) if plain else random.choice(SCALES)
        own = not plain and random.random() < 0.3
        shift = list(case.arrays[f"b{layer}"].entries) if own else [Fraction(0)] * height
        rows = _filled(behind, count, random)
        candidates = (
            _layer(_random_frame(height, k, random), rows, at, (slope, scale, shift), random)
            for _ in range(tries)
        )
        found = min(candidates, key=lambda candidate: candidate.score)
        at = found.at
        manner = always or random.choice(MANNERS)
        behind = found.ahead if manner == "same" else nearly_orthonormal(found.passed, random)
        behind = _turned(behind, random) if manner == "turned" else behind
        case = case.with_array(f"W{layer}", found.weight).with_array(f"b{layer}", found.shift)
    case = with_number(case, "a", slope)
    return Deep(case.arrays, case.choice, FAMILY)


@dataclass(frozen=True)
class FramePool(DeepPool):
    """The networks of a `DeepPool`, three quarters of them products of frames, and most of these
    with a bound that is met with equality.

    ways: how frames follow one another, as of `of_frames`, one of these.
    """

    ways: tuple[str, ...] = ("frame", "turned", "")

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Deep:
        """One random network."""
        case = super().draw(random, n=n, loss=loss, large=large)
        if random.random() < 0.25:
            return case
        case = of_frames(case, random, random.choice(self.ways))
        if "p" in case.arrays:
            below = _breakpoint(case, random) - NEAR  # one layer more is asked for than at it
            case = with_number(case, "p", random.choice((below, below, _share(case, random))))
        for name in self.gaps if random.random() < 0.9 else ():
            case = with_number(case, name, 0)
        return case


def frame_pool(**options: Any) -> FramePool:
    """A pool of them; one loss, one number of examples: both belong to other instances."""
    return FramePool(examples=(1,), losses=(PRESCRIBED,), points=(1,), **options)


# hypotheses ---------------------------------------------------------------------------------------
def _breakpoint(case: Deep, random: Random) -> Fraction:
    """One of j/L, the first one often."""
    number = random.choice((1, random.randint(1, case.depth)))
    return Fraction(number, case.depth)


def _share(case: Deep, random: Random) -> Fraction:
    """A breakpoint or next to one; or from a ladder."""
    point = _breakpoint(case, random) + random.choice((Fraction(0), NEAR, -NEAR))
    return point if 0 < point < 1 and random.random() < 0.75 else random.choice(SHARES)


def with_share(case: Deep, random: Random) -> Deep:
    """The case with p inside (0, 1)."""
    inside = 0 < case.number("p") < 1
    return case if inside else with_number(case, "p", _share(case, random))


NO_SHARES = tuple(map(Fraction, ("-1/2", "1", "3/2", "2")))
SHARE = Given(
    "p inside (0, 1)",
    (P > 0) & (P < 1),
    r"$p\in(0,1)$",
    lifted(with_share),
    lifted(lambda case, random: with_number(case, "p", random.choice(NO_SHARES))),
)

SLOPE_AT_LEAST_0 = Given(
    "slope at least 0",
    Each(hidden(), lambda v: slope_left(v) >= 0),
    r"$a\ge0$",
    lifted(lambda case, random: with_number(case, "a", abs(case.number("a")))),
    lifted(
        lambda case, random: with_number(
            case, "a", random.choice([slope for slope in SLOPES if slope < 0])
        )
    ),
)

SUMMED: dict[str, Any] = {"gaps": ("gap",), "whole": (("k", 0, 3),)}
COUNTED: dict[str, Any] = {
    **SUMMED,
    "depths": (1, 2, 2, 3, 3, 4, 4, 5, 5),
    "extras": (("p", ()),),
    "last": with_share,
}
BY_SLOPES = ("frame", "frame", "turned", "")
BY_WEIGHTS = ("frame", "turned", "turned", "turned", "")
NETWORKS = layered_pool(frame_pool(ways=BY_SLOPES, **SUMMED))
TURNED = layered_pool(frame_pool(ways=BY_WEIGHTS, **SUMMED))
WITH_SHARE = layered_pool(frame_pool(ways=BY_SLOPES, **COUNTED))
TURNED_WITH_SHARE = layered_pool(frame_pool(ways=BY_WEIGHTS, **COUNTED))
