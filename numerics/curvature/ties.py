"""Weights that edges share: matrices of numbers, one for each shared weight, -1 where there is no
edge."""

from __future__ import annotations

import torch
from torch import Tensor


def numbers_of(tie: Tensor, like: Tensor) -> Tensor:
    """(S, ..., d s): the numbers of shared weights, for arrays (S, ..., any)."""
    flat = tie.clamp(min=0).flatten(1)
    wide = flat.view(flat.shape[0], *[1] * (like.ndim - 2), flat.shape[1])
    return wide.expand(*like.shape[:-1], flat.shape[1])


def untied(weight: Tensor, tie: Tensor, size: int) -> Tensor:
    """(S, Q): each of the shared weights, from one of its edges; 0 where it has none."""
    count = weight.shape[0]
    numbers = torch.where(tie < 0, size, tie).flatten(1).expand(count, -1)
    held = weight.new_zeros(count, size + 1).scatter(1, numbers, weight.flatten(1))
    return held[:, :size]


def check_tie(number: int, weight: Tensor, tie: Tensor, mask: Tensor | None) -> None:
    """Whether the ties of layer `number` fit its weights (S, d, s) and its mask.

    Raises ValueError where they do not: shape, edges that are not there, numbers without an edge,
    or weights that differ and should not.
    """
    if tie.shape[0] not in (1, len(weight)) or tie.shape[1:] != weight.shape[1:]:
        raise ValueError(f"layer {number}: ties {tuple(tie.shape)} for {tuple(weight.shape)}")
    there = torch.ones_like(tie, dtype=torch.bool) if mask is None else mask > 0
    if bool(((tie >= 0) != there).any()):
        raise ValueError(f"layer {number}: a tie of an edge that is not there, or none of one")
    size = int(tie.max()) + 1
    used = weight.new_zeros(tie.shape[0], size + 1)
    used.scatter_(1, torch.where(tie < 0, size, tie).flatten(1), 1.0)
    if not bool(used[:, :size].all()):
        raise ValueError(f"layer {number}: a shared weight without an edge")
    same = untied(weight, tie, size).gather(1, numbers_of(tie, weight.flatten(1)))
    if bool(((weight.flatten(1) != same) & there.flatten(1)).any()):
        raise ValueError(f"layer {number}: shared weights differ")
