"""Training with an L2 penalty, mean |f - y|^2 + lambda |theta|^2, of many networks of one shape.

Adam first, its rate falling geometrically, then L-BFGS on the full batch, each network with its own
line search. Both see all data in every step, so a run is a function of its start alone. Gradients
are written by hand: two products a layer, where autograd would also build a graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

import torch
from torch import Tensor

from numerics.deep.networks import DeepNetworks, from_flat, layer_views
from numerics.deep.passes import batched_points

MEMORY = 10
ARMIJO = 1e-4
HALVINGS = 25
MANY = 2**15  # numbers in a layer's activations from which several threads pay
SIZES = {"A": 1.0, "B": 0.5}


class Status(Enum):
    """How the training of a network ended; the value is what a reader is told."""

    CONVERGED = "the gradient is below the tolerance"
    BUDGET = "the budget of steps was used up"
    STALLED = "no step of the line search lowered the loss: a kink, or rounding"
    DIVERGED = "the loss is not finite"

    @property
    def text(self) -> str:
        """What a reader is told."""
        return self.value


@dataclass(frozen=True)
class Options:
    """ridge: lambda. reading: of the squared error, A the mean of |f - y|^2 over the data, B half
    of it, C that mean divided by the number of outputs. adam, lbfgs: steps of each. rate: of Adam,
    at the start; falls to rate * last. heavy: by how much the penalty is larger in Adam's first
    step; it falls geometrically to its own size in the first half of Adam's steps (1: it is the
    same throughout). tolerance: of the gradient, its norm divided by 1 + lambda |theta|."""

    ridge: float
    reading: str = "A"
    adam: int = 1000
    lbfgs: int = 200
    rate: float = 1e-2
    last: float = 1e-2
    heavy: float = 1.0
    tolerance: float = 1e-6


@dataclass(frozen=True)
class Trained:
    """networks at the end. costs: (C,), the squared error in the reading; norms: (C,), |theta|^2;
    gradients: (C,), norms of the gradient of the whole loss. statuses: one each. evaluations: of
    loss and gradient, of the whole batch."""

    networks: DeepNetworks
    costs: Tensor
    norms: Tensor
    gradients: Tensor
    statuses: tuple[Status, ...]
    evaluations: int


@dataclass
class Problem:
    """Loss and gradient on data: inputs (C, N, n_0), targets (C, N, n_L)."""

    widths: tuple[int, ...]
    slopes: Tensor
    inputs: Tensor
    targets: Tensor
    ridge: float
    factor: float
    evaluations: int = 0

    def costs(self, flat: Tensor) -> Tensor:
        """(C,): the squared error in the reading, without the penalty."""
        weights, biases = layer_views(flat, self.widths)
        value = self.inputs
        for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            value = torch.baddbmm(bias[:, None], value, weight.mT)
            if layer < len(weights) - 1:
                value = torch.where(value >= 0, value, value * self.slopes[:, None, None])
        return self.factor * (value - self.targets).square().sum(dim=(1, 2))

    def loss_and_gradient(self, flat: Tensor) -> tuple[Tensor, Tensor]:
        """(C,) and (C, P)."""
        self.evaluations += 1
        weights, biases = layer_views(flat, self.widths)
        below = self.slopes[:, None, None]
        activations, slopes = [self.inputs], []
        for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
            z = torch.baddbmm(bias[:, None], activations[-1], weight.mT)
            slopes.append(torch.where(z >= 0, 1.0, below))
            activations.append(z * slopes[-1])
        outputs = torch.baddbmm(biases[-1][:, None], activations[-1], weights[-1].mT)
        error = outputs - self.targets
        loss = self.factor * error.square().sum(dim=(1, 2))
        loss += self.ridge * flat.square().sum(dim=1)
        gradient = (2 * self.ridge) * flat
        of_weights, of_biases = layer_views(gradient, self.widths)
        delta = (2 * self.factor) * error
        for layer in range(len(weights) - 1, -1, -1):
            of_weights[layer] += delta.mT @ activations[layer]
            of_biases[layer] += delta.sum(dim=1)
            if layer:
                delta = (delta @ weights[layer]) * slopes[layer - 1]
        return loss, gradient


def train(start: DeepNetworks, inputs: Tensor, targets: Tensor, options: Options) -> Trained:
    """Train from a start on inputs (C, N, n_0) or (N, n_0) and targets (C, N, n_L) or (N, n_L), on
    the device of the start.

    Raises ValueError where the reading is none of A, B, C or the shapes do not fit.
    """
    if options.reading not in (*SIZES, "C"):
        raise ValueError(f"reading {options.reading!r} of the squared error: give A, B or C")
    points = batched_points(start, inputs)
    wanted = targets.to(start.device, torch.float64)
    wanted = wanted.expand(start.count, *wanted.shape) if wanted.ndim == 2 else wanted
    if tuple(wanted.shape) != (start.count, points.shape[1], start.widths[-1]):
        raise ValueError(f"targets {tuple(targets.shape)} for points {tuple(points.shape)}")
    factor = SIZES.get(options.reading, 1 / start.widths[-1]) / points.shape[1]
    problem = Problem(start.widths, start.slopes, points, wanted, options.ridge, factor)
    flat = start.flat().clone()
    with threads_for(problem.targets.shape[:2].numel() * max(start.widths)):
        _adam(problem, flat, options)
        flat, statuses = _lbfgs(problem, flat, options)
    _, gradient = problem.loss_and_gradient(flat)
    return Trained(
        from_flat(flat, start.widths, start.slopes),
        problem.costs(flat),
        flat.square().sum(dim=1),
        torch.linalg.vector_norm(gradient, dim=1),
        statuses,
        problem.evaluations,
    )


@contextmanager
def threads_for(numbers: int) -> Iterator[None]:
    """One thread for layers of few numbers, where several only wait for each other."""
    before = torch.get_num_threads()
    if numbers < MANY:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _adam(problem: Problem, flat: Tensor, options: Options) -> None:
    """In place. Kingma and Ba 2015, with their constants."""
    first, second = torch.zeros_like(flat), torch.zeros_like(flat)
    for step in range(1, options.adam + 1):
        left = max(1 - 2 * step / options.adam, 0.0)
        problem.ridge = options.ridge * options.heavy**left
        _, gradient = problem.loss_and_gradient(flat)
        first.lerp_(gradient, 0.1)
        second.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
        rate = options.rate * options.last ** (step / options.adam) / (1 - 0.9**step)
        flat.addcdiv_(first, (second / (1 - 0.999**step)).sqrt_().add_(1e-8), value=-rate)


def _lbfgs(problem: Problem, flat: Tensor, options: Options) -> tuple[Tensor, tuple[Status, ...]]:
    """Two-loop recursion (Nocedal and Wright, algorithm 7.4), all networks in step; one that is
    done stays where it is."""
    loss, gradient = problem.loss_and_gradient(flat)
    pairs: deque[tuple[Tensor, Tensor, Tensor]] = deque(maxlen=MEMORY)
    stalled = torch.zeros(len(flat), dtype=torch.bool, device=flat.device)
    for _ in range(options.lbfgs):
        going = _going(problem, flat, loss, gradient, options) & ~stalled
        if not bool(going.any()):
            break
        direction = -_two_loops(gradient, pairs)
        slope = (direction * gradient).sum(dim=1)
        uphill = ~(slope < 0)
        direction = torch.where(uphill[:, None], -gradient, direction)
        slope = torch.where(uphill, -gradient.square().sum(dim=1), slope)
        moved = _line_search(problem, flat, loss, direction, slope, going, bool(pairs))
        stalled |= going & (moved[1] >= loss)
        take = (going & (moved[1] < loss))[:, None]
        new_flat = torch.where(take, moved[0], flat)
        new_gradient = torch.where(take, moved[2], gradient)
        change, turn = new_flat - flat, new_gradient - gradient
        curvature = (change * turn).sum(dim=1)
        good = curvature > 1e-12 * turn.square().sum(dim=1).sqrt() * change.square().sum(1).sqrt()
        pairs.append((change, turn, torch.where(good, 1 / curvature, 0.0)))
        loss = torch.where(take[:, 0], moved[1], loss)
        flat, gradient = new_flat, new_gradient
    return flat, _statuses(problem, flat, loss, gradient, stalled, options)


def _two_loops(gradient: Tensor, pairs: deque[tuple[Tensor, Tensor, Tensor]]) -> Tensor:
    found, shares = gradient, []
    for change, turn, inverse in reversed(pairs):
        share = inverse * (change * found).sum(dim=1)
        shares.append(share)
        found = found - share[:, None] * turn
    if pairs:
        change, turn, inverse = pairs[-1]
        size = turn.square().sum(dim=1)
        scale = (change * turn).sum(dim=1) / torch.where(size > 0, size, 1.0)
        found = found * torch.where((inverse > 0) & (scale > 0), scale, 1.0)[:, None]
    for (change, turn, inverse), share in zip(pairs, reversed(shares), strict=True):
        back = inverse * (turn * found).sum(dim=1)
        found = found + change * (share - back)[:, None]
    return found


def _line_search(
    problem: Problem,
    flat: Tensor,
    loss: Tensor,
    direction: Tensor,
    slope: Tensor,
    going: Tensor,
    scaled: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Halving from 1 until Armijo's condition holds, network by network: parameters, loss and
    gradient there."""
    size = torch.linalg.vector_norm(direction, dim=1).clamp(min=1e-300)
    step = torch.ones_like(loss) if scaled else (0.1 / size).clamp(max=1.0)
    for _ in range(HALVINGS):
        moved = flat + step[:, None] * direction
        value, gradient = problem.loss_and_gradient(moved)
        fails = going & ~(value <= loss + ARMIJO * step * slope)
        if not bool(fails.any()):
            break
        step = torch.where(fails, step / 2, step)
    return moved, torch.nan_to_num(value, nan=torch.inf), gradient


def _going(
    problem: Problem, flat: Tensor, loss: Tensor, gradient: Tensor, options: Options
) -> Tensor:
    size = 1 + problem.ridge * torch.linalg.vector_norm(flat, dim=1)
    large = torch.linalg.vector_norm(gradient, dim=1) > options.tolerance * size
    return large & torch.isfinite(loss)


def _statuses(
    problem: Problem,
    flat: Tensor,
    loss: Tensor,
    gradient: Tensor,
    stalled: Tensor,
    options: Options,
) -> tuple[Status, ...]:
    going = _going(problem, flat, loss, gradient, options)
    found = []
    for number in range(len(flat)):
        if not bool(torch.isfinite(loss[number])):
            found.append(Status.DIVERGED)
        elif not bool(going[number]):
            found.append(Status.CONVERGED)
        else:
            found.append(Status.STALLED if bool(stalled[number]) else Status.BUDGET)
    return tuple(found)
