"""Convolutional networks on 8 x 8 images, many side by side, in place of VGG19 and ResNet-50.

Convolutions of 3 x 3 with a border of zeros, batch normalisation of each channel over the batch and
all places (as in (2): no learned scale or shift), ReLU; averages over 2 x 2 places after a third
and two thirds of the layers. H_L is the average of the last layer over its places, and a linear
layer follows. Training and what is measured are those of perceptron_training.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from torch.nn.functional import avg_pool2d, conv2d

from verify.papers.dkbhl20.designs import CLASSES, Design
from verify.papers.dkbhl20.perceptron_training import Stack, drawn

if TYPE_CHECKING:
    from torch import Tensor

SIDE, WINDOW = 8, 3


@dataclass
class Convolutions(Stack):
    """K networks of one shape. weights: (K, out, in x 9) each, the last (K, 10, out); biases:
    (K, out, 1)."""

    def last(self, inputs: Tensor) -> Tensor:
        """H_L, (K, channels, N), for images (K, 64, N)."""
        count, _, samples = inputs.shape
        maps = self.maps(inputs).mean(dim=(2, 3))
        return maps.reshape(samples, count, -1).permute(1, 2, 0)

    def maps(self, inputs: Tensor) -> Tensor:
        """The last layer at each place, (N, K x channels, side, side); the channels of a network
        beside each other."""
        count, _, samples = inputs.shape
        maps = inputs.permute(2, 0, 1).reshape(samples, count, SIDE, SIDE)
        depth = len(self.weights) - 1
        for number, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if number == depth:
                break
            kernel = weight.reshape(count * weight.shape[1], -1, WINDOW, WINDOW)
            after = conv2d(maps, kernel, bias.reshape(-1), padding=1, groups=count)
            side = after.shape[-1]
            rows = after.reshape(samples, count, -1, side * side).permute(1, 2, 0, 3)
            rows = self.normalised(rows.flatten(2)).relu().reshape(rows.shape)
            maps = rows.permute(2, 0, 1, 3).reshape(samples, -1, side, side)
            if number + 1 in pooled_after(depth):
                maps = avg_pool2d(maps, 2)
        return maps


def pooled_after(depth: int) -> set[int]:
    """After how many layers places are averaged.

    >>> sorted(pooled_after(6)), sorted(pooled_after(2))
    ([2, 4], [1])
    """
    return {depth // 3, 2 * depth // 3} - {0}


def initial(design: Design, seeds: int, seed: int, device: str) -> Convolutions:
    """One network for each seed; the law is that of perceptrons, the fan-in that of a window."""
    channels = [1, *[design.width] * design.depth]
    shapes = [(WINDOW**2 * before, after) for before, after in pairwise(channels)]
    layers = drawn(design, [*shapes, (design.width, CLASSES)], seeds, seed, device)
    return Convolutions(*layers, design.normalisation)
