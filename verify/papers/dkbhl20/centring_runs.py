"""Whether centring matters: chains with and without it, and small networks trained with either.

The networks: perceptrons with batch normalisation in each hidden layer and no biases, on scikit-
learn's handwritten digits, a tenth of them in a batch, plain gradient steps on the cross-entropy.
They stand in for VGG19 on CIFAR-10 (Fig. 7), which is far beyond the budget here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor

    from verify.papers.dkbhl20.long_runs import Setting

SMALLEST = 1e-5  # added to a variance, as PyTorch does
BATCHES = 10
RATE = 0.2


@dataclass(frozen=True)
class Pair:
    """Averages of r and of rank_(1/2) along chains with the same inputs and weights, (C,) each."""

    setting: Setting
    plain: tuple[np.ndarray, np.ndarray]
    centred: tuple[np.ndarray, np.ndarray]

    @property
    def apart(self) -> float:
        """The largest relative difference of their means over the chains."""
        pairs = zip(self.plain, self.centred, strict=True)
        return max(abs(float(one.mean() / two.mean()) - 1) for one, two in pairs)


def both_chains(setting: Setting, count: int, seed: int, depth: int) -> Pair:
    """The chain of a setting without and with centring."""
    from verify.papers.dkbhl20.long_runs import run_of

    found = [
        run_of(
            setting,
            count,
            np.random.default_rng(seed),
            0,
            thresholds=(0.5,),
            depth=depth,
            centred=centred,
        )
        for centred in (False, True)
    ]
    plain, centred = ((seen.mean("r"), seen.mean("rank[0.5]")) for seen in found)
    return Pair(setting, plain, centred)


@dataclass(frozen=True)
class Course:
    """A training. accuracies: on the training data, before and after each epoch. ranks: r of the
    last hidden layer, likewise."""

    accuracies: list[float]
    ranks: list[float]


def normalised(values: Tensor, *, centred: bool) -> Tensor:
    """Batch normalisation over the samples (n, width), without parameters."""
    if centred:
        values = values - values.mean(dim=0)
    return values / (values.square().mean(dim=0) + SMALLEST).sqrt()


def hidden(weights: list[Tensor], inputs: Tensor, *, centred: bool) -> Tensor:
    """The last hidden layer, (n, width)."""
    values = inputs
    for matrix in weights[:-1]:
        values = normalised(values @ matrix.T, centred=centred).relu()
    return values


def trained(depth: int, width: int, epochs: int, seed: int, *, centred: bool) -> Course:
    """Train a perceptron with that many hidden layers; the same seed starts at the same weights."""
    import torch
    from sklearn.datasets import load_digits

    from numerics.training import by_autograd, descent

    generator = torch.Generator().manual_seed(seed)
    data = load_digits()
    inputs = torch.tensor(data.data / 16, dtype=torch.float64)
    labels = torch.tensor(data.target)
    sizes = [inputs.shape[1], *[width] * depth, 10]
    weights = [
        (2 * torch.rand(rows, columns, generator=generator, dtype=torch.float64) - 1) / columns**0.5
        for columns, rows in pairwise(sizes)
    ]
    course = Course([], [])
    batches: list[Tensor] = []

    def loss(place: list[Tensor], step: int) -> Tensor:
        if step % BATCHES == 0:
            batches[:] = torch.randperm(len(inputs), generator=generator).chunk(BATCHES)
        batch = batches[step % BATCHES]
        scores = hidden(place, inputs[batch], centred=centred) @ place[-1].T
        return torch.nn.functional.cross_entropy(scores, labels[batch])

    places = descent(by_autograd(loss), weights, RATE)
    for step, place in zip(range(epochs * BATCHES + 1), places, strict=False):
        if step % BATCHES == 0:
            _record(course, place, inputs, labels, centred)
    return course


def _record(
    course: Course, weights: list[Tensor], inputs: Tensor, labels: Tensor, centred: bool
) -> None:
    import torch

    with torch.no_grad():
        last = hidden(weights, inputs, centred=centred)
        right = (last @ weights[-1].T).argmax(dim=1) == labels
        moments = last.T @ last
        r = moments.trace().square() / moments.square().sum()
    course.accuracies.append(float(right.double().mean()))
    course.ranks.append(float(r))
