"""Products of random matrices, drawn: how far they move, and how their singular values part. B_l is
the product of I + gamma W_k, for gamma = inf of W_k, with X = I and new factors on the left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import TYPE_CHECKING

import numpy as np

from verify.kinds.statistics.rate import Claimed, Fit, Rate, Samples
from verify.kinds.statistics.sampling import Arm

if TYPE_CHECKING:
    from torch import Tensor

    from numerics.chains.laws import Law

LENGTHS = (100, 200, 1000)  # l, by scale; also 2 l is looked at
LADDERS = ((20, 80, 160), (20, 40, 80, 160), (40, 80, 160, 320, 640))
SEEDS = (16, 16, 64)


@dataclass(frozen=True)
class Product:
    """One setting: the law by its name, width and strength."""

    law: str
    width: int
    gamma: float

    @property
    def name(self) -> str:
        """In words."""
        return f"{self.law}, d = {self.width}, gamma = {self.gamma:g}"


def law_of(name: str) -> Law:
    """The law of the entries by its name here."""
    from numerics.chains import laws

    makers: dict[str, Callable[[], Law]] = {
        "Gaussian": laws.gaussian,
        "uniform": laws.uniform_of_variance_one,
        "signs": laws.rademacher,
        "rare weights": lambda: laws.three_points(4),
    }
    return makers[name]()


# normalised products ------------------------------------------------------------------------------
def states(setting: Product, length: int, count: int, generator: np.random.Generator) -> Tensor:
    """(2, count, d, d): H~_l and H~_2l for X = I, of independent products."""
    import torch

    source = torch.Generator().manual_seed(int(generator.integers(2**62)))
    law, size = law_of(setting.law), setting.width
    one = torch.eye(size, dtype=torch.float64)
    whole, found = one.expand(count, size, size), []
    for layer in range(1, 2 * length + 1):
        drawn = law.draw(source, count, size, size)
        factor = drawn if isinf(setting.gamma) else one + setting.gamma * drawn
        whole = factor @ whole
        whole = whole / torch.linalg.matrix_norm(whole, keepdim=True)
        if layer in (length, 2 * length):
            found.append(whole)
    kept = torch.stack(found)
    return kept / torch.linalg.matrix_norm(kept, 2, keepdim=True)


def moves(settings: list[Product], scale: int) -> list[Arm]:
    """|H~_2l - H~_l|_F."""

    def arm(setting: Product) -> Arm:
        def draw(count: int, generator: np.random.Generator) -> np.ndarray:
            first, second = states(setting, LENGTHS[scale], count, generator)
            return np.asarray((second - first).flatten(1).norm(dim=1))

        return Arm(setting.name, draw)

    return [arm(setting) for setting in settings]


# rates --------------------------------------------------------------------------------------------
def gaps(settings: Mapping[str, Product], *, shrinking: tuple[str, ...] = ()) -> Samples:
    """log(sigma_1/sigma_2) of B_l at a length, by name; with gamma/l for gamma where named."""

    def samples(size: int, count: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
        from numerics.chains.products import log_singular_values

        found = {}
        for name, setting in settings.items():
            strength = setting.gamma / size if name in shrinking else setting.gamma
            seeds = [int(x) for x in generator.integers(2**31, size=count)]
            values = log_singular_values(
                law_of(setting.law), setting.width, size, gammas=strength, seeds=seeds
            )
            found[name] = (values[:, 0] - values[:, 1]).numpy()
        return found

    return samples


def growing(settings: Mapping[str, Product], scope: str) -> Rate:
    """sigma_1/sigma_2 grows exponentially with the number of factors, in each setting."""
    claimed = tuple(Claimed(name, Fraction(0), None, fit=Fit.EXPONENTIAL) for name in settings)
    return Rate("l", LADDERS, SEEDS, gaps(settings), claimed, (scope,), logarithms=True)


def named(settings: list[Product]) -> dict[str, Product]:
    """By the words that say which one it is."""
    return {f"sigma_1/sigma_2, {setting.name}": setting for setting in settings}
