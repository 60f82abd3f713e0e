"""Random numbers that depend on nothing but a seed, a layer and a place.

The word at a place is the finaliser of SplitMix64 (Steele, Lea, Flood 2014) of a base plus a
multiple of the golden ratio's odd integer; every layer of every seed has a base of its own, hashed
from both. So a chain draws the same weights whatever runs beside it, in whatever order, and a
compiled kernel (numerics.chains.kernels) draws the same as torch does here.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.chains.laws import Law, entries, structured
from numerics.chains.recipes import words_for

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SHIFTS = (30, 27, 31)
STEP, HALF_STEP = 2.0**-52, 2.0**-53


def mixed(word: int) -> int:
    """The finaliser of SplitMix64 on a word of 64 bits."""
    for shift, factor in zip(SHIFTS[:2], FACTORS, strict=True):
        word = ((word ^ (word >> shift)) * factor) & MASK
    return word ^ (word >> SHIFTS[2])


def key_of(seed: int) -> int:
    """The key of a seed: 64 bits."""
    return mixed(mixed((seed + GOLDEN) & MASK) ^ (seed >> 64 & MASK))


def signed(words: Sequence[int], device: torch.device | str = "cpu") -> Tensor:
    """(n,) int64: words of 64 bits, in two's complement."""
    numbers = [word - (1 << 64) if word >> 63 else word for word in words]
    return torch.tensor(numbers, dtype=torch.int64, device=device)


def _mixed(words: Tensor) -> Tensor:
    """`mixed` for int64 tensors, whose products wrap; the sign is masked after a shift."""
    for shift, factor in zip(SHIFTS[:2], FACTORS, strict=True):
        words = (words ^ _shifted(words, shift)) * (factor - (1 << 64))
    return words ^ _shifted(words, SHIFTS[2])


def _shifted(words: Tensor, by: int) -> Tensor:
    return (words >> by) & ((1 << (64 - by)) - 1)


def bases(keys: Tensor, layer: int) -> Tensor:
    """(C,) int64 from keys (C,): the bases of one layer."""
    step = GOLDEN * (layer + 1) & MASK
    return _mixed(keys + (step - (1 << 64) if step >> 63 else step))


def uniforms(bases: Tensor, count: int) -> Tensor:
    """(C, count) float64 in (0, 1), all multiples of 2^-53, from bases (C,)."""
    places = torch.arange(1, count + 1, device=bases.device) * (GOLDEN - (1 << 64))
    words = _mixed(bases[:, None] + places)
    return _shifted(words, 12).to(torch.float64) * STEP + HALF_STEP


def weights(law: Law, bases: Tensor, rows: int, columns: int) -> Tensor:
    """(C, rows, columns): a weight matrix of the law for each base."""
    count = rows * columns
    drawn = entries(law, uniforms(bases, words_for(law.kind, count)))[:, :count]
    return structured(law, drawn.reshape(-1, rows, columns))


def tensor_keys(seeds: Sequence[int], device: torch.device | str = "cpu") -> Tensor:
    """(C,) int64: the keys of the seeds."""
    return signed([key_of(seed) for seed in seeds], device)
