"""Inputs of chains: matrices of d rows and N samples as columns, many at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import sqrt

import numpy as np
import torch
from torch import Tensor

PIXELS = 64
MAP_SEED = 64  # of the fixed Gaussian matrix that maps digits to another dimension


def full(generator: torch.Generator, count: int, d: int, n: int) -> Tensor:
    """`X-FULL`: (count, d, n) independent standard normal entries."""
    return torch.randn(count, d, n, generator=generator, dtype=torch.float64)


def orthonormal_rows(generator: torch.Generator, count: int, d: int, n: int) -> Tensor:
    """(count, d, n): sqrt(n) times orthonormal rows, uniform. Raises ValueError for n < d."""
    if n < d:
        raise ValueError(f"{d} orthonormal rows do not fit into {n} samples: give n >= d")
    basis, upper = torch.linalg.qr(full(generator, count, n, d))
    signs = torch.where(upper.diagonal(dim1=1, dim2=2) < 0, -1.0, 1.0)
    return sqrt(n) * (basis * signs[:, None, :]).mT.contiguous()


def low_rank(generator: torch.Generator, count: int, d: int, n: int, rank: int) -> Tensor:
    """`X-LOW(k)`: (count, d, n), a Gaussian d x k matrix times a Gaussian k x n matrix.

    Raises ValueError for a rank that is not positive.
    """
    if rank < 1:
        raise ValueError(f"rank {rank}: give a positive one")
    return full(generator, count, d, rank) @ full(generator, count, rank, n)


def collinear(generator: torch.Generator, count: int, d: int, n: int, spread: float) -> Tensor:
    """`X-COLL(e)`: (count, d, n), u v^T plus `spread` times G, all Gaussian."""
    line = rank_one(generator, count, d, n)
    return line + spread * full(generator, count, d, n)


def rank_one(
    generator: torch.Generator, count: int, d: int, n: int, kind: str = "gaussian"
) -> Tensor:
    """`X-ONE`: (count, d, n), u v^T with u, v Gaussian ("gaussian"), of signs ("signs") or all ones
    ("ones"). Raises ValueError for another kind."""
    if kind == "ones":
        return torch.ones(count, d, n, dtype=torch.float64)
    makers = {"gaussian": full, "signs": signs}
    if kind not in makers:
        raise ValueError(f"kind {kind!r}: use gaussian, signs or ones")
    make = makers[kind]
    return make(generator, count, d, 1) * make(generator, count, 1, n)


def with_offset(generator: torch.Generator, count: int, d: int, n: int, offset: float) -> Tensor:
    """`X-MEAN(c)`: (count, d, n), Gaussian plus the constant c everywhere."""
    return full(generator, count, d, n) + offset


def signs(generator: torch.Generator, count: int, d: int, n: int) -> Tensor:
    """`X-SIGN`, drawn: (count, d, n) entries -1 and 1 with equal probability."""
    return 2.0 * torch.randint(2, (count, d, n), generator=generator).double() - 1.0


def digits(generator: torch.Generator, count: int, d: int, n: int, kind: str = "mapped") -> Tensor:
    """`X-DIGITS`: (count, d, n), each a batch of n different handwritten digits.

    kind: "raw" (64 pixels from 0 to 16), "standardised" (each pixel of mean zero and variance one
    over all images, or zero where it is constant), or "mapped" (standardised, and multiplied by a
    fixed Gaussian d x 64 matrix over 8). The first two need d = 64.

    Raises ValueError for another kind or d, or more samples than there are.
    """
    images = _images()
    if kind not in ("raw", "standardised", "mapped"):
        raise ValueError(f"kind {kind!r}: use raw, standardised or mapped")
    if kind != "mapped" and d != PIXELS:
        raise ValueError(f"d = {d}: the images have {PIXELS} pixels, use kind='mapped'")
    if n > len(images):
        raise ValueError(f"{n} samples, but there are {len(images)} images")
    if kind != "raw":
        deviation = images.std(axis=0)
        images = (images - images.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    samples = torch.from_numpy(images).T
    if kind == "mapped":
        fixed = torch.Generator().manual_seed(MAP_SEED)
        samples = full(fixed, 1, d, PIXELS)[0] @ samples / sqrt(PIXELS)
    chosen = [torch.randperm(len(images), generator=generator)[:n] for _ in range(count)]
    return samples.T[torch.stack(chosen)].mT.contiguous()


def named(name: str, generator: torch.Generator, count: int, d: int, n: int) -> Tensor:
    """(count, d, n): inputs by the name of their kind. Raises KeyError for another name."""
    return NAMED[name](generator, count, d, n)


NAMED: dict[str, Callable[[torch.Generator, int, int, int], Tensor]] = {
    "X-FULL": full,
    "orthonormal rows": orthonormal_rows,
    "X-LOW(1)": partial(low_rank, rank=1),
    "X-LOW(2)": partial(low_rank, rank=2),
    "X-ONE": partial(rank_one, kind="signs"),
    "X-COLL(1/10)": partial(collinear, spread=0.1),
    "X-COLL(1/1000)": partial(collinear, spread=1e-3),
    "X-MEAN(1)": partial(with_offset, offset=1.0),
    "X-MEAN(3)": partial(with_offset, offset=3.0),
    "X-DIGITS": digits,
}
"""The inputs by the names that runs are told by; X-ONE is of signs, X-DIGITS mapped."""


@cache
def _images() -> np.ndarray:
    """(1797, 64) pixels; nobody changes them."""
    from sklearn.datasets import load_digits  # takes a second to import

    return np.asarray(load_digits().data, dtype=np.float64)
