"""Averages along deep chains against the width, which Figures 3a, 8 and 9 share.

Gaussian inputs, d = N, as printed; several seeds, and laws beside the Gaussian one at full size.
The averages run over all layers from the first, as printed, so that shallow runs at small gamma
still show their input. Beside these stand chains with inputs and laws that the figures do not
speak of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from verify.core.experiment import Setting

if TYPE_CHECKING:
    from verify.core.experiment_store import Arrays

LANES = 8  # seeds that the compiled kernel carries together
STEP = 10  # layers from one that is looked at to the next
PRINTED = "X-FULL"  # the input of the figures


@dataclass(frozen=True)
class Arm:
    """A law of the weights and an input, by their names in numerics.chains."""

    law: str = "W-G"
    start: str = PRINTED

    @property
    def name(self) -> str:
        """The law, and the input where it is not the printed one."""
        return self.law if self.start == PRINTED else f"{self.law}, {self.start}"


@dataclass(frozen=True)
class Sizes:
    """widths; depths: of the chains, one for each width; gammas; arms; seeds."""

    widths: tuple[int, ...]
    depths: tuple[int, ...]
    gammas: tuple[float, ...]
    arms: tuple[Arm, ...] = (Arm(),)
    seeds: int = LANES


BOTH_LAWS = (Arm(), Arm("W-U3"))
FIG3A = (
    Sizes((4, 8, 16), (200,) * 3, (1.0, inf)),
    Sizes((8, 16, 32, 64), (4000, 4000, 4000, 2000), (0.1, 1.0, inf)),
    Sizes(
        (8, 16, 32, 64, 128, 256),
        (10**6, 10**6, 10**6, 10**5, 10**5, 20_000),
        (0.01, 0.1, 1.0, inf),
        BOTH_LAWS,
        4,
    ),
)
FIG8 = (
    Sizes((4, 8, 16), (300,) * 3, (0.1, 1.0)),
    Sizes((4, 8, 12, 16, 32, 64), (20_000, 20_000, 20_000, 10_000, 5000, 1500), (0.1, 1.0)),
    Sizes(
        (4, 8, 12, 16, 32, 64, 128, 256),
        (10**6, 10**6, 10**6, 10**6, 10**6, 10**5, 10**5, 30_000),
        (0.1, 1.0),
        BOTH_LAWS,
        4,
    ),
)
OTHER_LAWS = tuple(map(Arm, ("W-POS", "W-TRI", "W-ASYM")))
OTHER_INPUTS = tuple(
    Arm(start=start) for start in ("X-ONE", "X-LOW(2)", "X-COLL(1/1000)", "X-MEAN(3)", "X-DIGITS")
)
BESIDE = (
    Sizes((4, 8), (200, 200), (1.0,), (OTHER_LAWS[0], OTHER_INPUTS[0])),
    Sizes((8, 16, 32), (4000, 4000, 2000), (1.0,), OTHER_LAWS + OTHER_INPUTS),
    Sizes(
        (8, 16, 32, 64, 128),
        (10**5, 10**5, 10**5, 20_000, 10_000),
        (0.1, 1.0, inf),
        (*OTHER_LAWS, *OTHER_INPUTS, Arm(start="orthonormal rows"), Arm(start="X-COLL(1/10)")),
        4,
    ),
)
"""What the figures do not speak of, with at most as many widths and layers as they have."""


@dataclass(frozen=True)
class Averages:
    """Averages along chains; arrays are (arms, gammas, widths, seeds), float64.

    soft_rank: of rank_{1/2}; r; frobenius: of |M|_F^2; alpha: the estimate (49); alpha_error: its
    standard error by batch means.
    """

    sizes: Sizes
    soft_rank: np.ndarray
    r: np.ndarray
    frobenius: np.ndarray
    alpha: np.ndarray
    alpha_error: np.ndarray

    @property
    def curves(self) -> list[tuple[str, int, int]]:
        """Each curve: its name, the places of its arm and of its gamma."""
        return [
            (f"{arm.name}, γ = {'∞' if gamma == inf else f'{gamma:g}'}", i, j)
            for i, arm in enumerate(self.sizes.arms)
            for j, gamma in enumerate(self.sizes.gammas)
        ]

    def of_arm(self, place: int) -> Averages:
        """Of one law and input alone."""
        kept = {name: getattr(self, name)[place : place + 1] for name in FIELDS}
        return Averages(replace(self.sizes, arms=self.sizes.arms[place : place + 1]), **kept)

    def line(self) -> str:
        """What was carried, in words."""
        sizes = self.sizes
        depths = ", ".join(f"{d}: {L}" for d, L in zip(sizes.widths, sizes.depths, strict=True))
        laws = " and ".join(dict.fromkeys(arm.law for arm in sizes.arms))
        starts = [start for arm in sizes.arms if (start := arm.start) != PRINTED]
        inputs = ", ".join(dict.fromkeys(starts))
        return (
            f"Gaussian inputs{' or ' * bool(inputs)}{inputs}, d = N; depth L by width d: {depths}; "
            f"{sizes.seeds} seeds of each, every layer of number divisible by {STEP} measured, "
            f"from the first on; weights {laws}"
        )


FIELDS = ("soft_rank", "r", "frobenius", "alpha", "alpha_error")


def averages(sizes: Sizes, setting: Setting) -> Averages:
    """Carry the chains, once for all who keep in the same place."""
    rows = []
    for arm in sizes.arms:
        for width, depth in zip(sizes.widths, sizes.depths, strict=True):
            told = {
                "law": arm.law,
                "start": arm.start,
                "width": width,
                "depth": depth,
                "gammas": [str(gamma) for gamma in sizes.gammas],
                "seeds": sizes.seeds,
                "seed": setting.common,
                "device": setting.device,
            }
            given = (sizes.gammas, sizes.seeds, setting.common, setting.device)
            rows.append(
                setting.kept.once(__file__, told, partial(_carried, arm, width, depth, *given))
            )
    shape = (len(sizes.arms), len(sizes.widths), len(sizes.gammas), sizes.seeds)
    arrays = {
        name: np.stack([row[name] for row in rows]).reshape(shape).swapaxes(1, 2) for name in FIELDS
    }
    return Averages(sizes, **arrays)


def _carried(
    arm: Arm,
    width: int,
    depth: int,
    gammas: Sequence[float],
    seeds: int,
    seed: int,
    device: str,
) -> Arrays:
    """(gammas, seeds) of everything, for one law, one input and one width."""
    import torch

    from numerics.chains import inputs, laws
    from numerics.chains.normalised import run
    from numerics.chains.observables import FROBENIUS, Plan, R, rank_name

    count = len(gammas) * seeds
    generator = torch.Generator().manual_seed(seed + width)
    seen = run(
        inputs.named(arm.start, generator, count, width, width),
        laws.named(arm.law, width),
        gammas=[gamma for gamma in gammas for _ in range(seeds)],
        seeds=range(seed, seed + count),
        plan=Plan(depth, stride=STEP, thresholds=(0.5,)),
        device=device,
    )
    alpha = seen.regularity()
    found = (
        seen.mean(rank_name(0.5)),
        seen.mean(R),
        seen.mean(FROBENIUS),
        alpha.value,
        alpha.error,
    )
    return {
        name: values.reshape(len(gammas), seeds) for name, values in zip(FIELDS, found, strict=True)
    }
