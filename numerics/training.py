"""Training: gradient descent, Adam, L-BFGS, of many networks side by side.

What is trained is a list of tensors whose first axis counts the networks (or has none, for one);
the objective tells gradients of the same shapes, each network's of its own value. So one loop
serves networks with all weights in one tensor and gradients written by hand, and any model with
gradients by autograd (`by_autograd`); mini-batches, schedules and penalties that change are the
objective's, which is told the step. Descent and Adam are endless sequences of iterates: take as
many as are wanted, and look at each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import TypeAlias

import torch
from torch import Tensor

Place = list[Tensor]
Gradients = Callable[[Place, int], Place]
"""The gradients at a place, in a step (from 0)."""
Rate: TypeAlias = float | Tensor | Callable[[int, Place, Place], float | Tensor]
"""A number; (B,), one for each network; or either, from the step, the place and the gradients."""

MEMORY = 10
ARMIJO = 1e-4
HALVINGS = 25
MANY = 2**15  # numbers in a layer's activations from which several threads pay


def by_autograd(value: Callable[[Place, int], Tensor]) -> Gradients:
    """The gradients of the sum of what `value` tells, by autograd."""

    def gradients(place: Place, step: int) -> Place:
        given = [tensor.detach().requires_grad_() for tensor in place]
        return list(torch.autograd.grad(value(given, step).sum(), given))

    return gradients


def descent(
    gradients: Gradients, start: Sequence[Tensor], rate: Rate, *, momentum: float = 0.0
) -> Iterator[Place]:
    """w(0), w(1), ... of w(t+1) = w(t) + u(t+1), u(t+1) = m u(t) - eta(t) d(w(t)): gradient descent
    with step size eta (ascent where it is negative) and momentum m (heavy ball).

    >>> steps = descent(lambda place, step: place, [torch.tensor([8.0])], 0.5)
    >>> [float(next(steps)[0]) for _ in range(3)]
    [8.0, 4.0, 2.0]
    """
    place: Place = list(start)
    moves: Place = []
    step = 0
    while True:
        yield place
        found = gradients(place, step)
        size = rate(step, place, found) if callable(rate) else rate
        pulls = [-(_each(size, gradient) * gradient) for gradient in found]
        if momentum and moves:
            pulls = [momentum * move + pull for move, pull in zip(moves, pulls, strict=True)]
        moves = pulls
        place = [one + move for one, move in zip(place, moves, strict=True)]
        step += 1


def adam(
    gradients: Gradients, start: Sequence[Tensor], rate: Callable[[int], float]
) -> Iterator[Place]:
    """w(0), w(1), ... of Adam (Kingma and Ba 2015, with their constants), with the rate of each
    step, from 0. The tensors are new, and changed in place from step to step."""
    place = [tensor.clone() for tensor in start]
    means = [(torch.zeros_like(tensor), torch.zeros_like(tensor)) for tensor in place]
    step = 0
    while True:
        yield place
        found = gradients(place, step)
        size = rate(step) / (1 - 0.9 ** (step + 1))
        for tensor, gradient, (first, second) in zip(place, found, means, strict=True):
            first.lerp_(gradient, 0.1)
            second.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
            root = (second / (1 - 0.999 ** (step + 1))).sqrt_().add_(1e-8)
            tensor.addcdiv_(first, root, value=-size)
        step += 1


def after(steps: int, iterates: Iterator[Place]) -> Place:
    """The iterate after so many steps; of a course that has begun, counted from the next one."""
    for _ in range(steps):
        next(iterates)
    return next(iterates)


def _each(size: float | Tensor, like: Tensor) -> float | Tensor:
    """A step size for each network, shaped to multiply a tensor."""
    if isinstance(size, Tensor) and size.ndim:
        return size.view(-1, *[1] * (like.ndim - 1))
    return size


class Ending(Enum):
    """How the training of a network ended; the value is what a reader is told."""

    CONVERGED = "the gradient is below the tolerance"
    BUDGET = "the budget of steps was used up"
    STALLED = "no step of the line search lowered the loss: a kink, or rounding"
    DIVERGED = "the loss is not finite"


def lbfgs(
    objective: Callable[[Tensor], tuple[Tensor, Tensor]],
    start: Tensor,
    steps: int,
    tolerance: Callable[[Tensor], Tensor],
) -> tuple[Tensor, tuple[Ending, ...]]:
    """L-BFGS on the full batch, all networks in step, each with its own line search; one that is
    done stays where it is. By two-loop recursion (Nocedal and Wright, algorithm 7.4).

    objective: losses (B,) and gradients (B, P) at (B, P). tolerance: norms (B,) of the gradients
    that are small enough, at (B, P). Returns where it ended, (B, P), and how for each.
    """
    flat = start
    loss, gradient = objective(flat)
    pairs: deque[tuple[Tensor, Tensor, Tensor]] = deque(maxlen=MEMORY)
    stalled = torch.zeros(len(flat), dtype=torch.bool, device=flat.device)

    def going() -> Tensor:
        large = torch.linalg.vector_norm(gradient, dim=1) > tolerance(flat)
        return large & torch.isfinite(loss)

    for _ in range(steps):
        moving = going() & ~stalled
        if not bool(moving.any()):
            break
        direction = -_two_loops(gradient, pairs)
        slope = (direction * gradient).sum(dim=1)
        uphill = ~(slope < 0)
        direction = torch.where(uphill[:, None], -gradient, direction)
        slope = torch.where(uphill, -gradient.square().sum(dim=1), slope)
        first = _first_steps(direction, scaled=bool(pairs))
        moved = _line_search(objective, flat, loss, direction, slope, moving, first)
        stalled |= moving & (moved[1] >= loss)
        take = moving & (moved[1] < loss)
        new_flat = torch.where(take[:, None], moved[0], flat)
        new_gradient = torch.where(take[:, None], moved[2], gradient)
        change, turn = new_flat - flat, new_gradient - gradient
        curvature = (change * turn).sum(dim=1)
        good = curvature > 1e-12 * turn.square().sum(dim=1).sqrt() * change.square().sum(1).sqrt()
        pairs.append((change, turn, torch.where(good, 1 / curvature, 0.0)))
        loss = torch.where(take, moved[1], loss)
        flat, gradient = new_flat, new_gradient
    finite, left = torch.isfinite(loss).tolist(), going().tolist()
    return flat, tuple(map(_ending, finite, left, stalled.tolist()))


def _ending(finite: bool, going: bool, stalled: bool) -> Ending:
    if not finite:
        return Ending.DIVERGED
    if not going:
        return Ending.CONVERGED
    return Ending.STALLED if stalled else Ending.BUDGET


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


def _first_steps(direction: Tensor, *, scaled: bool) -> Tensor:
    """(B,): 1; before anything is known of the curvature, a length of at most 0.1."""
    size = torch.linalg.vector_norm(direction, dim=1).clamp(min=1e-300)
    return torch.ones_like(size) if scaled else (0.1 / size).clamp(max=1.0)


def _line_search(
    objective: Callable[[Tensor], tuple[Tensor, Tensor]],
    flat: Tensor,
    loss: Tensor,
    direction: Tensor,
    slope: Tensor,
    moving: Tensor,
    step: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """Halving until Armijo's condition holds, network by network: parameters, loss and gradient
    there."""
    for _ in range(HALVINGS):
        moved = flat + step[:, None] * direction
        value, gradient = objective(moved)
        fails = moving & ~(value <= loss + ARMIJO * step * slope)
        if not bool(fails.any()):
            break
        step = torch.where(fails, step / 2, step)
    return moved, torch.nan_to_num(value, nan=torch.inf), gradient


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
