"""Cross-entropy training of ReLU networks without biases on separable data, and its margin.

Networks are homogeneous of degree L, so |theta|^2 / gamma^(2/L), gamma the smallest margin, is the
squared norm of the same direction scaled to margin 1: what the representation cost says is least.
Training follows the gradient of the logarithm of the mean logistic loss with steps relative to the
norm of the parameters, which goes the way of gradient descent with growing steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Margins:
    """Of networks of one depth. trained: (runs,), |theta|^2 / gamma^(2/L) at the end, infinite
    where the data are not separated. course: (T, runs), the same along training. best: the least
    value that direct optimisation found from many starts."""

    depth: int
    trained: np.ndarray
    course: np.ndarray
    best: float


def separable_points(count: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(N, 2) points and labels +-1, separated by a line through 0 with a gap."""
    points = generator.standard_normal((4 * count, 2))
    normal = generator.standard_normal(2)
    values = points @ normal / np.linalg.norm(normal)
    points = points[np.abs(values) > 0.3][:count]
    return points, np.sign(points @ normal)


def margins_of(depth: int, width: int, runs: int, steps: int, seed: int, count: int = 8) -> Margins:
    """Train, and optimise directly, from random starts."""
    import torch

    generator = np.random.default_rng(seed)
    points, labels = separable_points(count, generator)
    inputs, signs = torch.from_numpy(points), torch.from_numpy(labels)
    widths = [2, *[width] * (depth - 1), 1]

    def start() -> list[torch.Tensor]:
        return [
            torch.from_numpy(generator.standard_normal((runs, rows, columns)) / np.sqrt(columns))
            for columns, rows in pairwise(widths)
        ]

    def cross_entropy(weights: Sequence[torch.Tensor], _: float) -> torch.Tensor:
        margins = signs * _outputs(weights, inputs)
        # log of the mean of log(1 + e^-m), also where that underflows
        terms = torch.where(margins > 30, -margins, _log_softplus(-margins.clamp(max=30)))
        return torch.logsumexp(terms, dim=1).sum()

    def smoothed(weights: Sequence[torch.Tensor], share: float) -> torch.Tensor:
        """Minus the logarithm of the smoothed margin of the direction; sharper and sharper."""
        size = sum(weight.square().sum(dim=(1, 2)) for weight in weights)
        margins = signs * _outputs(weights, inputs) / size[:, None] ** (depth / 2) * depth
        sharp = 10.0 * 300.0**share
        return (torch.logsumexp(-sharp * margins, dim=1) / sharp).sum()

    course = _followed(cross_entropy, start(), inputs, signs, steps)
    direct = [_followed(smoothed, start(), inputs, signs, steps).min() for _ in range(3)]
    return Margins(depth, course[-1], course, float(min([*direct, course.min()])))


def _outputs(weights: Sequence[torch.Tensor], inputs: torch.Tensor) -> torch.Tensor:
    """(runs, N)."""
    value = inputs
    for layer, weight in enumerate(weights):
        value = value @ weight.mT
        if layer < len(weights) - 1:
            value = value.relu()
    return value[..., 0]


def _log_softplus(values: torch.Tensor) -> torch.Tensor:
    import torch

    return torch.log(torch.nn.functional.softplus(values))


def _scaled_norms(
    weights: Sequence[torch.Tensor], inputs: torch.Tensor, signs: torch.Tensor
) -> np.ndarray:
    """(runs,): |theta|^2 / gamma^(2/L), infinite where the margin is not positive."""
    margin = (signs * _outputs(weights, inputs)).amin(dim=1).numpy()
    size = sum(weight.square().sum(dim=(1, 2)) for weight in weights).numpy()
    safe = np.where(margin > 0, margin, 1.0)
    return np.where(margin > 0, size / safe ** (2 / len(weights)), np.inf)


def _followed(
    loss: Callable[[Sequence[torch.Tensor], float], torch.Tensor],
    weights: list[torch.Tensor],
    inputs: torch.Tensor,
    signs: torch.Tensor,
    steps: int,
) -> np.ndarray:
    """Steps of a size relative to the norm of the parameters, falling from 0.03 to 0.00003."""
    from numerics.training import by_autograd, descent

    def norm(tensors: Sequence[torch.Tensor]) -> torch.Tensor:
        return sum(one.square().sum(dim=(1, 2)) for one in tensors).sqrt()

    def rate(step: int, place: list[torch.Tensor], found: list[torch.Tensor]) -> torch.Tensor:
        return 0.03 * 1e-3 ** (step / steps) * norm(place) / norm(found).clamp(min=1e-300)

    gradients = by_autograd(lambda place, step: loss(place, step / steps))
    course = []
    for step, place in zip(range(steps + 1), descent(gradients, weights, rate), strict=False):
        if step and ((step - 1) % max(1, steps // 60) == 0 or step == steps):
            course.append(_scaled_norms(place, inputs, signs))
    return np.stack(course)
