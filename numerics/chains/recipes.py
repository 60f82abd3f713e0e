"""Recipes: how an entry of a weight matrix is made of uniform numbers, by the kind of its law."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

import torch
from torch import Tensor

NORMAL, UNIFORM, ATOMS, BETA, TRIANGULAR, STUDENT = range(6)
"""The kinds of recipe."""
WORDS = (1, 1, 1, 4, 1, 2)
"""How many uniform numbers an entry takes, by kind. Two normals are made of two together."""


def words_for(kind: int, count: int) -> int:
    """How many uniform numbers `count` entries take."""
    return count + count % 2 if kind == NORMAL else count * WORDS[kind]


def base_entries(kind: int, numbers: Sequence[float], uniforms: Tensor) -> Tensor:
    """Entries of the base law from uniform numbers in (0, 1), (..., words) -> (..., count).

    Normal pairs by Box and Muller; Student's t by Bailey (1994); the symmetric beta law by Ulrich
    (1984) for a + 1, brought to a by a mixture.
    """
    return _RECIPES[kind](uniforms, numbers)


def _normal(uniforms: Tensor, numbers: Sequence[float]) -> Tensor:
    radius = torch.sqrt(-2 * torch.log(uniforms[..., 0::2]))
    angle = 2 * pi * uniforms[..., 1::2]
    return torch.stack([radius * torch.cos(angle), radius * torch.sin(angle)], dim=-1).flatten(-2)


def _uniform(uniforms: Tensor, numbers: Sequence[float]) -> Tensor:
    return 2 * uniforms - 1


def _atoms(uniforms: Tensor, numbers: Sequence[float]) -> Tensor:
    first, second, third, below, also = uniforms.new_tensor(numbers)
    rest = torch.where(uniforms < also, second, third)
    return torch.where(uniforms < below, first, rest)


def _beta(uniforms: Tensor, numbers: Sequence[float]) -> Tensor:
    """Up to sign and scale: 1 - x^2 has the law Beta(a, 1/2), a mixture of Beta(a + 1, 1/2) and of
    Beta(a, 3/2), which is Beta(a + 1, 1/2) times an independent U^(1/a)."""
    bound, power, inverse, share = numbers
    one, angle, other, coin = (uniforms[..., k::4] for k in range(4))
    cosine = torch.cos(2 * pi * angle)
    rest = 1 - cosine.square() * (1 - one**power)
    rest = torch.where(coin < share, rest, rest * other**inverse)
    size = bound * torch.sqrt((1 - rest).clamp(min=0))
    return torch.where(cosine < 0, -size, size)


def _triangular(uniforms: Tensor, numbers: Sequence[float]) -> Tensor:
    side = numbers[0]
    return 2 * side - 3 * side * torch.sqrt(uniforms)


def _student(uniforms: Tensor, numbers: Sequence[float]) -> Tensor:
    factor, power = numbers
    radius = torch.sqrt(factor * (1 / uniforms[..., 0::2] ** power - 1))
    return radius * torch.cos(2 * pi * uniforms[..., 1::2])


_RECIPES = (_normal, _uniform, _atoms, _beta, _triangular, _student)
