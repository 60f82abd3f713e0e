"""Layered networks fitted with an L2 penalty: mean |f - y|^2 + lambda |theta|^2.

Adam first, its rate falling geometrically, then L-BFGS. Both see all data in every step, so a run
is a function of its start alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.layered.network import LayeredNetwork
from numerics.training import Ending, adam, after, lbfgs, threads_for

SIZES = {"A": 1.0, "B": 0.5}


@dataclass(frozen=True)
class Options:
    """ridge: lambda. reading: of the squared error, A the mean of |f - y|^2 over the data, B half
    of it, C that mean divided by the number of outputs. adam, lbfgs: steps of each. rate: of Adam,
    at the start; falls to rate * last. heavy: by how much the penalty is larger in Adam's first
    step; it falls geometrically to its own size in the first half of Adam's steps (1: it is the
    same throughout). tolerance: of the gradient, its norm divided by 1 + lambda |theta|.

    Raises ValueError where the reading is none of A, B, C.
    """

    ridge: float
    reading: str = "A"
    adam: int = 1000
    lbfgs: int = 200
    rate: float = 1e-2
    last: float = 1e-2
    heavy: float = 1.0
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        if self.reading not in (*SIZES, "C"):
            raise ValueError(f"reading {self.reading!r} of the squared error: give A, B or C")


@dataclass(frozen=True)
class Fitted:
    """weights: (B, P) at the end. costs: (B,), the squared error in the reading; norms: (B,),
    |theta|^2; gradients: (B,), norms of the gradient of the whole loss. endings: one each."""

    weights: Tensor
    costs: Tensor
    norms: Tensor
    gradients: Tensor
    endings: tuple[Ending, ...]


@dataclass(frozen=True)
class Fit:
    """Squared error and penalty on data: inputs and targets (n, .) or (B, n, .), float64; factor:
    of the sum of squared errors.

    Raises ValueError where the shapes do not fit.
    """

    network: LayeredNetwork
    inputs: Tensor
    targets: Tensor
    factor: float

    def __post_init__(self) -> None:
        wanted = (self.inputs.shape[-2], self.network.outputs)
        if tuple(self.targets.shape[-2:]) != wanted:
            raise ValueError(
                f"targets {tuple(self.targets.shape)}: give (..., {wanted[0]}, {wanted[1]})"
            )

    def costs(self, weights: Tensor) -> Tensor:
        """(B,): the squared error, without the penalty."""
        error = self.network.forward(weights, self.inputs).outputs - self.targets
        return self.factor * error.square().sum(dim=(1, 2))

    def gradient(self, weights: Tensor, ridge: float) -> tuple[Tensor, Tensor]:
        """(B,) and (B, P): the loss with penalty, and its gradient."""
        state = self.network.forward(weights, self.inputs)
        error = state.outputs - self.targets
        loss = self.factor * error.square().sum(dim=(1, 2)) + ridge * weights.square().sum(dim=1)
        found = self.network.backward(weights, state, (2 * self.factor) * error)
        return loss, found.add_(weights, alpha=2 * ridge)


def fit(
    net: LayeredNetwork, start: Tensor, inputs: Tensor, targets: Tensor, options: Options
) -> Fitted:
    """Train from weights (B, P) on inputs (n, d) or (B, n, d) and targets (n, K) or (B, n, K), on
    the device of the start.

    Raises ValueError where the shapes do not fit.
    """
    inputs, targets = (data.to(start) for data in (inputs, targets))
    factor = SIZES.get(options.reading, 1 / net.outputs) / inputs.shape[-2]
    problem, ridge = Fit(net, inputs, targets, factor), options.ridge

    def gradients(place: list[Tensor], step: int) -> list[Tensor]:
        left = max(1 - 2 * (step + 1) / options.adam, 0.0)
        return [problem.gradient(place[0], ridge * options.heavy**left)[1]]

    def rate(step: int) -> float:
        return options.rate * options.last ** ((step + 1) / options.adam)

    def tolerance(flat: Tensor) -> Tensor:
        return options.tolerance * (1 + ridge * torch.linalg.vector_norm(flat, dim=1))

    widest = max(net.inputs, *(one.width for one in net.maps))
    with threads_for(len(start) * inputs.shape[-2] * widest):
        (flat,) = after(options.adam, adam(gradients, [start], rate))
        flat, endings = lbfgs(
            lambda place: problem.gradient(place, ridge), flat, options.lbfgs, tolerance
        )
    _, gradient = problem.gradient(flat, ridge)
    norms = torch.linalg.vector_norm(gradient, dim=1)
    return Fitted(flat, problem.costs(flat), flat.square().sum(dim=1), norms, endings)
