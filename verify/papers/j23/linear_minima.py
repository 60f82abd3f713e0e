"""Gradient descent on deep linear networks, and the loss C(A) + lambda R(A; L) around its end.

Matrix completion: C(A) is the sum of squares over the observed entries of a matrix of rank one plus
noise; R(A; L) = L sum_i s_i(A)^(2/L).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NOTHING = 1e-7  # singular values below it count as 0: descent ends within its tolerance of rank k
SIZE = 1e-3  # of the perturbations
TRIES = 400
MOMENTUM = 0.9


@dataclass(frozen=True)
class Ended:
    """Where descent of one network ended. rank: of A. excess: |theta|^2 - R(A; L), divided by
    R + 1. inside, outside: the least change of C + lambda R over small perturbations that keep the
    rank, and that raise it. gradient: the norm at the end."""

    depth: int
    rank: int
    cost: float
    norm: float
    excess: float
    inside: float
    outside: float
    gradient: float


def completion(size: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(d, d): a matrix of rank one plus noise, and a mask of about 0.7 of its entries."""
    u, v = generator.standard_normal((2, size))
    matrix = np.outer(u, v) + 0.1 * generator.standard_normal((size, size))
    return matrix, (generator.random((size, size)) < 0.7).astype(float)


def cost_of_rank(matrix: np.ndarray, depth: int) -> float:
    """R(A; L)."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return float(depth * np.sum(values[values > NOTHING] ** (2 / depth)))


def descend(
    depth: int, size: int, runs: int, steps: int, ridge: float, seed: int, rate: float
) -> list[Ended]:
    """Gradient descent with momentum from random starts, all on one matrix."""
    import torch

    from numerics.training import after, by_autograd, descent

    generator = np.random.default_rng(seed)
    matrix, mask = completion(size, generator)
    goal, seen = torch.from_numpy(matrix), torch.from_numpy(mask)
    start = generator.standard_normal((depth, runs, size, size)) * 0.8 / np.sqrt(size)

    def loss(place: list[torch.Tensor], step: int) -> torch.Tensor:
        product = place[0][0]
        for weight in place[0][1:]:
            product = weight @ product
        return (seen * (product - goal)).square().sum() + ridge * place[0].square().sum()

    gradients = by_autograd(loss)
    begun = [torch.from_numpy(start)]
    ended = after(steps, descent(gradients, begun, rate, momentum=MOMENTUM))
    size_at_end = gradients(ended, steps)[0].square().sum(dim=(0, 2, 3)).sqrt()
    found = []
    for run in range(runs):
        matrices = ended[0][:, run].numpy()
        product = matrices[0]
        for one in matrices[1:]:
            product = one @ product
        found.append(
            _around(
                product,
                depth,
                float(np.square(matrices).sum()),
                (matrix, mask, ridge),
                float(size_at_end[run]),
                generator,
            )
        )
    return found


def _around(
    product: np.ndarray,
    depth: int,
    norm: float,
    task: tuple[np.ndarray, np.ndarray, float],
    gradient: float,
    generator: np.random.Generator,
) -> Ended:
    matrix, mask, ridge = task
    left, values, right = np.linalg.svd(product)
    values = np.where(values > NOTHING, values, 0.0)
    product = (left * values) @ right
    rank, size = int((values > 0).sum()), len(product)

    def loss(a: np.ndarray) -> float:
        return float(np.square(mask * (a - matrix)).sum()) + ridge * cost_of_rank(a, depth)

    here, inside, outside = loss(product), np.inf, np.inf
    for _ in range(TRIES):
        g, h = generator.standard_normal((2, size, size)) * SIZE
        inside = min(inside, loss((np.eye(size) + g) @ product @ (np.eye(size) + h)) - here)
        u, v = generator.standard_normal((2, size))
        step = SIZE * np.outer(u, v) / (np.linalg.norm(u) * np.linalg.norm(v))
        outside = min(outside, loss(product + step) - here)
    representation = cost_of_rank(product, depth)
    excess = (norm - representation) / (1 + representation)
    cost = float(np.square(mask * (product - matrix)).sum())
    return Ended(depth, rank, cost, norm, excess, inside, outside, gradient)
