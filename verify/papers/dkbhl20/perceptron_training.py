"""Training of multilayer perceptrons by stochastic gradient descent, many side by side.

Which networks, and on what: see perceptrons. Networks that differ in seed or rate are carried
together: arrays have K networks first. Float32, as usual.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Self

import numpy as np
import torch

from numerics.training import by_autograd, descent
from verify.papers.dkbhl20.designs import CLASSES, COUNT, NOISE, PIXELS, Design, Training

if TYPE_CHECKING:
    from torch import Tensor

EPS = 1e-5  # PyTorch's, under the root


@dataclass
class Stack:
    """K networks of one shape. weights: (K, out, in) each, biases: (K, out, 1), the last of both
    those of the linear layer."""

    weights: list[Tensor]
    biases: list[Tensor]
    normalisation: str

    def layer(self, number: int, hidden: Tensor) -> Tensor:
        """The hidden layer `number` (from 0) of H (K, in, N)."""
        after = torch.baddbmm(self.biases[number], self.weights[number], hidden)
        return self.normalised(after).relu()

    def normalised(self, after: Tensor) -> Tensor:
        """Of (K, out, N): what batch normalisation makes of it, if there is any."""
        if self.normalisation == "centred":
            after = after - after.mean(dim=2, keepdim=True)
        if self.normalisation != "none":
            after = after * torch.rsqrt(after.square().mean(dim=2, keepdim=True) + EPS)
        return after

    def layers(self, inputs: Tensor) -> Iterator[Tensor]:
        """H_1 to H_L (K, width, N) for inputs (K, d, N)."""
        hidden = inputs
        for number in range(len(self.weights) - 1):
            hidden = self.layer(number, hidden)
            yield hidden

    def last(self, inputs: Tensor) -> Tensor:
        """H_L, (K, width, N)."""
        *_, hidden = self.layers(inputs)
        return hidden

    def logits(self, hidden: Tensor) -> Tensor:
        """(K, 10, N) from H_L."""
        return torch.baddbmm(self.biases[-1], self.weights[-1], hidden)

    def parameters(self) -> list[Tensor]:
        """Weights, then biases."""
        return [*self.weights, *self.biases]

    def with_parameters(self, given: Sequence[Tensor]) -> Self:
        """The same with these, in the order of `parameters`."""
        count = len(self.weights)
        return replace(self, weights=list(given[:count]), biases=list(given[count:]))

    def at(self, chosen: Sequence[int]) -> Self:
        """The networks of these numbers, some perhaps more than once."""
        index = torch.as_tensor(list(chosen), device=self.weights[0].device)
        weights, biases = ([p[index].clone() for p in ps] for ps in (self.weights, self.biases))
        return replace(self, weights=weights, biases=biases)

    def flat(self) -> Tensor:
        """(K, P): all parameters."""
        return torch.cat([p.flatten(1) for p in self.parameters()], dim=1)


def initial(design: Design, seeds: int, seed: int, device: str) -> Stack:
    """One network for each seed."""
    shapes = pairwise([PIXELS, *[design.width] * design.depth, CLASSES])
    return Stack(*drawn(design, shapes, seeds, seed, device), design.normalisation)


def drawn(
    design: Design, shapes: Iterable[tuple[int, int]], seeds: int, seed: int, device: str
) -> tuple[list[Tensor], list[Tensor]]:
    """Weights (K, out, fan-in) and biases (K, out, 1) of layers with these fan-ins and sizes:
    uniform on [-1, 1] over the root of the fan-in, hidden weights by the positive law on [0, 2]."""
    generator = torch.Generator().manual_seed(seed)
    weights, biases = [], []
    for number, (fan_in, out) in enumerate(shapes):
        weight = 2 * torch.rand(seeds, out, fan_in, generator=generator) - 1
        if design.law == "positive" and number < design.depth:
            weight += 1
        bias = 2 * torch.rand(seeds, out, 1, generator=generator) - 1
        weights.append((weight / sqrt(fan_in)).to(device))
        biases.append((bias / sqrt(fan_in)).to(device))
    return weights, biases


def data(name: str, seed: int, device: str) -> tuple[Tensor, Tensor]:
    """(64, n) float32 inputs and (n,) labels of "digits" or "clusters"; "noise" gives the labels of
    the digits and inputs that are uniform on [0, 16], standardised as the pixels are."""
    from sklearn.datasets import load_digits

    bundled = load_digits()
    labels = torch.from_numpy(bundled.target)
    generator = np.random.default_rng(seed)
    if name == "clusters":
        centres = generator.standard_normal((CLASSES, PIXELS))
        labels = torch.arange(COUNT) % CLASSES
        points = centres[labels.numpy()] + NOISE * generator.standard_normal((COUNT, PIXELS))
        deviation = sqrt(1 + NOISE**2)
        return torch.from_numpy(points.T / deviation).float().to(device), labels.to(device)
    images = np.asarray(bundled.data, dtype=float)
    if name == "noise":
        images = generator.uniform(0, 16, images.shape)
    spread = images.std(axis=0)
    images = (images - images.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return torch.from_numpy(images.T.copy()).float().to(device), labels.to(device)


def surrogate(hidden: Tensor) -> Tensor:
    """(K,): r(H) = Tr(M)^2 / |M|_F^2 of H (K, d, N), (4); 0 where H is."""
    size = hidden.abs().amax(dim=(1, 2), keepdim=True).detach()
    scaled = hidden / torch.where(size > 0, size, 1.0)  # r does not know of it
    moment = scaled @ scaled.mT
    square = moment.square().sum(dim=(1, 2))
    trace = moment.diagonal(dim1=1, dim2=2).sum(dim=1)
    return trace.square() / torch.where(square > 0, square, 1.0)


def alignment(hidden: Tensor) -> Tensor:
    """(K,): the mean over pairs of samples of |cos| between the gradients of one neuron of the last
    layer. By (97) these are multiples of the columns of H_L (K, d, N), so columns tell."""
    columns = hidden / hidden.norm(dim=1, keepdim=True).clamp(min=1e-30)
    count = hidden.shape[2]
    return ((columns.mT @ columns).abs().sum(dim=(1, 2)) - count) / (count * (count - 1))


@dataclass
class Course:
    """What was measured along training. steps: (T,). loss, accuracy, r, cosine: (T, seeds, rates)
    on the probe; places: (T, K, P) the parameters, where they are kept."""

    steps: np.ndarray
    loss: np.ndarray
    accuracy: np.ndarray
    r: np.ndarray
    cosine: np.ndarray
    places: list[Tensor]

    def arrays(self) -> dict[str, np.ndarray]:
        """All but the parameters."""
        names = ("steps", "loss", "accuracy", "r", "cosine")
        return {name: getattr(self, name) for name in names}


def train(
    begun: Stack,
    training: Training,
    inputs: Tensor,
    labels: Tensor,
    seed: int,
    *,
    probe: int = 512,
    keep_places: bool = False,
) -> Course:
    """SGD from one network for each seed, with each rate. All networks of a seed see the same
    batches; the probe is the first so many samples."""
    seeds, rates = training.seeds, len(training.rates)
    stack = begun.at([k for k in range(seeds) for _ in range(rates)])
    rate = torch.tensor(training.rates * seeds, device=inputs.device)
    generator = torch.Generator().manual_seed(seed)
    looks = set(np.linspace(0, training.steps, training.records + 1).round().astype(int).tolist())
    seen: list[tuple[Tensor, ...]] = []
    places: list[Tensor] = []

    def mean_losses(parameters: list[Tensor], step: int) -> Tensor:
        index = torch.randint(inputs.shape[1], (seeds, training.batch), generator=generator)
        index = index.to(inputs.device).repeat_interleave(rates, dim=0)
        here = stack.with_parameters(parameters)
        logits = here.logits(here.last(inputs.T[index].mT))
        found = torch.nn.functional.cross_entropy(logits, labels[index], reduction="none")
        return found.mean(dim=1)

    course = descent(by_autograd(mean_losses), stack.parameters(), rate)
    for step, parameters in zip(range(training.steps + 1), course, strict=False):
        if step in looks:
            here = stack.with_parameters(parameters)
            seen.append(measured(here, inputs[:, :probe], labels[:probe]))
            places += [here.flat()] if keep_places else []
    values = [
        torch.stack(rows).reshape(len(seen), seeds, rates).cpu().numpy()
        for rows in zip(*seen, strict=True)
    ]
    loss, accuracy, r, cosine = values
    return Course(np.array(sorted(looks)), loss, accuracy, r, cosine, places)


def measured(stack: Stack, inputs: Tensor, labels: Tensor) -> tuple[Tensor, ...]:
    """(K,) each: loss, accuracy, r and alignment; where numbers overflowed the loss is that of
    chance, and so is the accuracy."""
    with torch.no_grad():
        count = len(stack.weights[0])
        hidden = stack.last(inputs.expand(count, *inputs.shape))
        logits = stack.logits(hidden)
        target = labels.expand(count, -1)
        loss = torch.nn.functional.cross_entropy(logits, target, reduction="none").mean(dim=1)
        accuracy = (logits.argmax(dim=1) == target).float().mean(dim=1)
        finite = torch.isfinite(loss) & torch.isfinite(hidden).all(dim=2).all(dim=1)
        r, cosine = surrogate(hidden), alignment(hidden)
        chance = float(np.log(CLASSES))
        return (
            torch.where(finite, loss, chance),
            torch.where(finite, accuracy, 1 / CLASSES),
            torch.where(finite, r, 1.0),
            torch.where(finite, cosine, 1.0),
        )
