"""Long runs of the chain: settings of width, strength, law and input, and what is averaged.

A setting is a start of the chain and the law of its weights; replicates are independent chains from
independent inputs. The first fifth of a run is left out. A step changes M by an amount of order
gamma, so that runs are longer the smaller gamma is. Nothing here supposes that the invariant
distribution is unique: averages of different starts are never put together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from verify.kinds.statistics.sampling import Arm

if TYPE_CHECKING:
    from numerics.chains.normalised import Seen

DEPTHS = (400, 2_000, 10_000)  # layers at gamma = 1, by scale
LONGEST = (20_000, 40_000, 400_000)


@dataclass(frozen=True)
class Setting:
    """One setting. law, start: a law and an input by their names (numerics.chains.laws.menu,
    numerics.chains.inputs.NAMED). samples: N as a multiple of d."""

    width: int = 8
    gamma: float = 0.1
    law: str = "W-U3"
    start: str = "X-FULL"
    samples: int = 1

    @property
    def name(self) -> str:
        """All of it, in words."""
        strength = "inf" if self.gamma == inf else f"{self.gamma:g}"
        return (
            f"d = {self.width}, N = {self.samples * self.width}, gamma = {strength}, {self.law}, "
            f"{self.start}"
        )


def depth_of(setting: Setting, scale: int) -> int:
    """How many layers a run has."""
    slow = 1.0 if setting.gamma >= 1 else 1 / setting.gamma**2
    return int(min(LONGEST[scale], DEPTHS[scale] * slow))


def run_of(
    setting: Setting,
    count: int,
    generator: np.random.Generator,
    scale: int,
    *,
    thresholds: Sequence[float] = (),
    hidden: Sequence[tuple[int, int]] = (),
    depth: int | None = None,
    centred: bool = False,
) -> Seen:
    """Independent chains of a setting, each from its own input."""
    import torch

    from numerics.chains import inputs, laws
    from numerics.chains.normalised import run
    from numerics.chains.observables import Plan

    own = torch.Generator().manual_seed(int(generator.integers(2**31)))
    seeds = [int(seed) for seed in generator.integers(2**31, size=count)]
    depth = depth or depth_of(setting, scale)
    plan = Plan(depth, depth // 5, thresholds=tuple(thresholds), hidden=tuple(hidden))
    law = laws.named(setting.law, setting.width)
    width = setting.width
    given = inputs.named(setting.start, own, count, width, setting.samples * width)
    gammas = setting.gamma
    return run(given, law, gammas=gammas, seeds=seeds, plan=plan, centred=centred, threads=1)


def arms_of(
    settings: Sequence[Setting],
    value: Callable[[Seen, Setting], np.ndarray],
    scale: int,
    *,
    thresholds: Sequence[float] = (),
    word: str = "",
) -> list[Arm]:
    """An arm a setting: the value of each of its chains, (count,)."""

    def draw(setting: Setting) -> Callable[[int, np.random.Generator], np.ndarray]:
        return lambda count, generator: value(
            run_of(setting, count, generator, scale, thresholds=thresholds), setting
        )

    return [Arm(f"{word}{setting.name}", draw(setting)) for setting in settings]


# settings in which the hypotheses on law and input hold -------------------------------------------
BASE = Setting()
WIDTHS = ((4, 8), (4, 8, 16), (4, 8, 16, 32, 64))
STRENGTHS = ((0.1,), (0.05, 0.1), (0.02, 0.05, 0.1))
LARGE = ((1.0, inf), (0.5, 1.0, 10.0, inf), (0.5, 0.9, 1.0, 2.0, 10.0, inf))
LAWS = (("W-U3",), ("W-U3", "W-BETA(2)"), ("W-U3", "W-BETA(6/5)", "W-BETA(2)", "W-BETA(4)"))
STARTS = (
    ("X-FULL",),
    ("X-FULL", "orthonormal rows", "X-COLL(1/10)", "X-MEAN(1)"),
    ("X-FULL", "orthonormal rows", "X-COLL(1/10)", "X-COLL(1/1000)", "X-MEAN(1)", "X-DIGITS"),
)
SCOPE = (
    "uniqueness of the invariant distribution is not supposed",
    "full-rank inputs, all entries of the weights independent",
)


def varied(scale: int, gammas: Sequence[float], base: Setting = BASE) -> list[Setting]:
    """The base setting with one thing changed at a time."""
    found = [replace(base, width=width) for width in WIDTHS[scale]]
    found += [replace(base, gamma=gamma) for gamma in gammas]
    found += [replace(base, law=law) for law in LAWS[scale]]
    found += [replace(base, start=start) for start in STARTS[scale]]
    found += [replace(base, samples=2)] if scale else []
    return list(dict.fromkeys(found))


def small(scale: int) -> list[Setting]:
    """Settings of Theorem 14 with gamma at most 1/10."""
    return varied(scale, STRENGTHS[scale])


def at_large_gamma(scale: int) -> list[Setting]:
    """Settings with gamma above that, the network without skip connections included."""
    strengths = LARGE[scale]
    found = [replace(BASE, gamma=gamma) for gamma in strengths]
    found += [replace(BASE, gamma=strengths[-1], width=width) for width in WIDTHS[scale]]
    found += [replace(BASE, gamma=1.0, law="W-G")]
    return list(dict.fromkeys(found))
