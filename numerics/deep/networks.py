"""A batch of fully connected networks of the same widths: matrices, biases and slopes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor


@dataclass(frozen=True)
class DeepNetworks:
    """C networks of depth L with widths n_0 to n_L.

    weights: L tensors (C, n_l, n_(l-1)); biases: L tensors (C, n_l); slopes: (C,), the slope of the
    activation left of 0 in the hidden layers (0 ReLU, 1 the identity). All float64, on one device.

    Raises ValueError where shapes, dtypes or devices do not fit.
    """

    weights: tuple[Tensor, ...]
    biases: tuple[Tensor, ...]
    slopes: Tensor

    def __post_init__(self) -> None:
        if not self.weights or len(self.weights) != len(self.biases):
            raise ValueError(
                f"{len(self.weights)} matrices, {len(self.biases)} biases: give as many"
            )
        count, inputs = len(self.slopes), self.weights[0].shape[-1]
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True), 1):
            rows = bias.shape[-1]
            if tuple(weight.shape) != (count, rows, inputs) or tuple(bias.shape) != (count, rows):
                raise ValueError(
                    f"layer {layer}: matrices {tuple(weight.shape)} and biases "
                    f"{tuple(bias.shape)}, where {count} networks read {inputs} numbers"
                )
            inputs = rows
        arrays = [*self.weights, *self.biases, self.slopes]
        if any(array.dtype != torch.float64 or array.device != self.device for array in arrays):
            raise ValueError("give all arrays in float64 on one device")

    @property
    def count(self) -> int:
        """C."""
        return len(self.slopes)

    @property
    def depth(self) -> int:
        """L."""
        return len(self.weights)

    @property
    def widths(self) -> tuple[int, ...]:
        """n_0 to n_L."""
        return (self.weights[0].shape[2], *(weight.shape[1] for weight in self.weights))

    @property
    def device(self) -> torch.device:
        """Where the arrays are."""
        return self.slopes.device

    def at(self, chosen: Sequence[int] | Tensor) -> DeepNetworks:
        """Some of the networks, by number or by a mask (C,)."""
        index = torch.as_tensor(chosen, device=self.device)
        return DeepNetworks(
            tuple(weight[index] for weight in self.weights),
            tuple(bias[index] for bias in self.biases),
            self.slopes[index],
        )

    def to(self, device: str | torch.device) -> DeepNetworks:
        """The same on another device."""
        return DeepNetworks(
            tuple(weight.to(device) for weight in self.weights),
            tuple(bias.to(device) for bias in self.biases),
            self.slopes.to(device),
        )

    def flat(self) -> Tensor:
        """(C, P): all parameters, W_1, b_1, W_2, and so on."""
        parts = [
            part
            for weight, bias in zip(self.weights, self.biases, strict=True)
            for part in (weight.flatten(1), bias)
        ]
        return torch.cat(parts, dim=1)


def parameter_count(widths: Sequence[int]) -> int:
    """P, weights and biases.

    >>> parameter_count([2, 3, 1])
    13
    """
    return sum(rows * (columns + 1) for columns, rows in pairwise(widths))


def layer_views(flat: Tensor, widths: Sequence[int]) -> tuple[list[Tensor], list[Tensor]]:
    """Matrices and biases as views of parameters (C, P); writing to them writes to those."""
    weights, biases, at = [], [], 0
    for columns, rows in pairwise(widths):
        weights.append(flat[:, at : at + rows * columns].view(-1, rows, columns))
        at += rows * columns
        biases.append(flat[:, at : at + rows])
        at += rows
    return weights, biases


def from_flat(flat: Tensor, widths: Sequence[int], slopes: Tensor) -> DeepNetworks:
    """The networks with these parameters (C, P). Raises ValueError for another number of them."""
    if flat.shape[1] != parameter_count(widths):
        raise ValueError(f"{flat.shape[1]} parameters for widths {tuple(widths)}")
    weights, biases = layer_views(flat, widths)
    return DeepNetworks(tuple(weights), tuple(biases), slopes)
