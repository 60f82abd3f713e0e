"""Random networks seen at a ladder of depths: what is kept of them, once for the parts of a figure.

Layer l of a deep network stands for the last hidden layer of a network of depth l.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from verify.core.experiment import Setting
from verify.papers.dkbhl20.perceptrons import code

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from verify.core.experiment_store import Arrays

FIELDS = ("footnote", "footnote_single", "library", "library_single", "r", "soft_rank", "dead")
BOTH = ("footnote", "footnote_single")


@dataclass(frozen=True)
class Sizes:
    """width; samples N; layers: the depths; seeds: networks of each kind."""

    width: int
    samples: int
    layers: tuple[int, ...]
    seeds: int


@dataclass(frozen=True)
class Network:
    """What the networks of one curve have in common. law: "default" (PyTorch's, with biases),
    "W-G", "W-STD" or "W-POS" (without). data: "digits", "clusters" (see perceptrons), "mapped"
    (digits, to the width) or "gaussian"."""

    name: str
    relu: bool
    normalisation: str
    law: str
    data: str


@dataclass(frozen=True)
class Profile:
    """One curve. arrays: (seeds, depths) by the names of `FIELDS`."""

    network: Network
    layers: tuple[int, ...]
    arrays: Arrays

    def mean(self, field: str) -> np.ndarray:
        """(depths,): the mean over seeds."""
        return np.asarray(self.arrays[field].astype(float).mean(axis=0))

    def interval(self, field: str) -> tuple[np.ndarray, np.ndarray]:
        """(depths,) each: the ends of the 95 % interval of the mean, by Student's t."""
        from scipy.stats import t

        values = self.arrays[field].astype(float)
        count = len(values)
        reach = t.ppf(0.975, count - 1) * values.std(axis=0, ddof=1) / sqrt(count)
        middle = values.mean(axis=0)
        return middle - reach, middle + reach

    def at(self, depth: int) -> int:
        """The place of the last depth that is at most this."""
        return max(k for k, layer in enumerate(self.layers) if layer <= depth)


def profiles(networks: Sequence[Network], sizes: Sizes, setting: Setting) -> list[Profile]:
    """The curves, each computed once for all who keep in the same place."""
    found = []
    for network in networks:
        told = {**asdict(network), **asdict(sizes), "seed": setting.common, "files": code()}
        make = partial(_profile, network, sizes, setting.common)
        found.append(Profile(network, sizes.layers, setting.kept.once(__file__, told, make)))
    return found


def _profile(network: Network, sizes: Sizes, seed: int) -> Arrays:
    import torch

    from numerics.chains import inputs, laws
    from numerics.chains.relu import Architecture, depth_profile

    width, count, samples = sizes.width, sizes.seeds, sizes.samples
    generator = torch.Generator().manual_seed(seed)
    if network.data == "gaussian":
        given = inputs.full(generator, count, width, samples)
    elif network.data == "mapped":
        given = inputs.digits(generator, count, width, samples)
    elif network.data == "clusters":
        given = _clusters(generator, count, samples)
    else:
        given = inputs.digits(generator, count, inputs.PIXELS, samples, "standardised")
    made = {
        "default": None,
        "W-G": laws.gaussian(),
        "W-STD": laws.torch_default(width),
        "W-POS": laws.positive(width),
    }
    widths = (width,) * max(sizes.layers)
    architecture = Architecture(widths, made[network.law], network.relu, network.normalisation)
    seen = depth_profile(given, architecture, range(seed, seed + count), sizes.layers)
    return {name: getattr(seen, name).numpy() for name in FIELDS}


def _clusters(generator: Generator, count: int, samples: int) -> Tensor:
    """(count, 64, samples): different points of the clusters."""
    import torch

    from verify.papers.dkbhl20.perceptron_training import data

    points, _ = data("clusters", int(generator.initial_seed()), "cpu")
    chosen = [torch.randperm(points.shape[1], generator=generator)[:samples] for _ in range(count)]
    return points.double().T[torch.stack(chosen)].mT.contiguous()
