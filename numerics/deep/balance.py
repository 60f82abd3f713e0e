"""Balanced networks: |W_(l,i.)|^2 + b_(l,i)^2 = |W_(l+1,.i)|^2 for every hidden neuron i.

Multiplying what enters a neuron by e^t and what leaves it by e^-t keeps the function, the
activation being positively homogeneous. The squared norm of the parameters is a sum of exponentials
in the t of all neurons: convex, and balanced exactly where it is least. Newton's method finds that
point; its matrix couples neurons of neighbouring layers only, and is solved layer by layer.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.deep.networks import DeepNetworks

STEPS = 100
LARGEST = 1.0  # of the change of a logarithm in one step


@dataclass(frozen=True)
class Balanced:
    """networks: with the same functions. defects: (C,), the largest remaining difference of the
    two squared norms of a neuron, divided by the squared norm of the parameters. steps: taken."""

    networks: DeepNetworks
    defects: Tensor
    steps: int


def differences(networks: DeepNetworks) -> list[Tensor]:
    """For the hidden layers l = 1 to L-1: (C, n_l), |W_(l,i.)|^2 + b_(l,i)^2 - |W_(l+1,.i)|^2."""
    entering = [
        weight.square().sum(dim=2) + bias.square()
        for weight, bias in zip(networks.weights[:-1], networks.biases[:-1], strict=True)
    ]
    leaving = [weight.square().sum(dim=1) for weight in networks.weights[1:]]
    return [one - other for one, other in zip(entering, leaving, strict=True)]


def pruned(networks: DeepNetworks) -> DeepNetworks:
    """Weights set to 0 that the function does not depend on: of hidden neurons that are reached by
    no input and no bias, or from which no output is reached. The function is the same."""
    weights, biases = list(networks.weights), list(networks.biases)
    for layer in range(networks.depth - 1):
        alive = (weights[layer] != 0).any(dim=2) | (biases[layer] != 0)
        weights[layer + 1] = weights[layer + 1] * alive[:, None, :]
    for layer in range(networks.depth - 2, -1, -1):
        used = (weights[layer + 1] != 0).any(dim=1)
        weights[layer] = weights[layer] * used[:, :, None]
        biases[layer] = biases[layer] * used
    return DeepNetworks(tuple(weights), tuple(biases), networks.slopes)


def balanced(networks: DeepNetworks, tolerance: float = 1e-13) -> Balanced:
    """The balanced networks with the same functions: of least norm among all rescalings.

    Raises ValueError where slopes make the activation not positively homogeneous: they never do;
    kept out are only numbers that are not finite.
    """
    if not bool(torch.isfinite(networks.flat()).all()):
        raise ValueError("a parameter is not finite")
    current = pruned(networks)
    count = networks.count
    hidden = networks.depth - 1
    taken, defects = 0, _defects(current)
    while hidden and taken < STEPS and bool((defects > tolerance).any()):
        step = _newton_step(current)
        largest = torch.stack([part.abs().amax(dim=1) for part in step]).amax(dim=0)
        share = (LARGEST / largest).clamp(max=1.0)
        before = current.squared_norms().sum(dim=1)
        moved = current
        for _ in range(30):  # halve until the norm does not grow, network by network
            moved = rescaled(current, [share[:, None] * part for part in step])
            worse = moved.squared_norms().sum(dim=1) > before * (1 + 1e-15)
            if not bool(worse.any()):
                break
            share = torch.where(worse, share / 2, share)
        better = _defects(moved) < defects
        far = largest > 1e-6
        take = better | far
        current = _choose(take, moved, current)
        taken += 1
        after = _defects(current)
        if not bool((take & (defects > tolerance)).any()):
            break
        defects = after
    return Balanced(current, _defects(current) if hidden else torch.zeros(count), taken)


def rescaled(networks: DeepNetworks, logarithms: list[Tensor]) -> DeepNetworks:
    """What enters neuron i of hidden layer l is multiplied by e^t, what leaves it by e^-t, t the
    entry i of (C, n_l) number l - 1: the same function."""
    weights, biases = list(networks.weights), list(networks.biases)
    for layer, logarithm in enumerate(logarithms):
        up, down = logarithm.exp(), (-logarithm).exp()
        weights[layer] = weights[layer] * up[:, :, None]
        biases[layer] = biases[layer] * up
        weights[layer + 1] = weights[layer + 1] * down[:, None, :]
    return DeepNetworks(tuple(weights), tuple(biases), networks.slopes)


def _defects(networks: DeepNetworks) -> Tensor:
    worst = [part.abs().amax(dim=1) for part in differences(networks)]
    size = networks.squared_norms().sum(dim=1)
    if not worst:
        return torch.zeros_like(size)
    return torch.stack(worst).amax(dim=0) / torch.where(size > 0, size, 1.0)


def _choose(mask: Tensor, one: DeepNetworks, other: DeepNetworks) -> DeepNetworks:
    pick = mask[:, None, None]
    return DeepNetworks(
        tuple(torch.where(pick, a, b) for a, b in zip(one.weights, other.weights, strict=True)),
        tuple(
            torch.where(mask[:, None], a, b) for a, b in zip(one.biases, other.biases, strict=True)
        ),
        one.slopes,
    )


def _newton_step(networks: DeepNetworks) -> list[Tensor]:
    """The step of Newton's method in the logarithms, by block elimination from below: diagonal
    blocks diag(in + out), blocks -W_(l+1)^2 (entrywise) between layers l and l + 1."""
    squares = [weight.square() for weight in networks.weights]
    entering = [
        square.sum(dim=2) + bias.square()
        for square, bias in zip(squares[:-1], networks.biases[:-1], strict=True)
    ]
    leaving = [square.sum(dim=1) for square in squares[1:]]
    factors: list[Tensor] = []
    sides: list[Tensor] = []
    for layer, (enter, leave) in enumerate(zip(entering, leaving, strict=True)):
        size = enter + leave
        block = torch.diag_embed(2 * torch.where(size > 0, size, 1.0))
        side = leave - enter  # minus half of the gradient; the matrix is halved likewise
        if layer:
            coupling = -2 * squares[layer]  # (C, n_l, n_(l-1))
            solved = torch.cholesky_solve(coupling.mT, factors[-1])
            block = block - coupling @ solved
            side = side - (solved.mT @ sides[-1][..., None])[..., 0]
        factors.append(_cholesky(block))
        sides.append(side)
    steps = [torch.cholesky_solve(sides[-1][..., None], factors[-1])]
    for layer in range(len(sides) - 2, -1, -1):
        right = sides[layer][..., None] + 2 * squares[layer + 1].mT @ steps[-1]
        steps.append(torch.cholesky_solve(right, factors[layer]))
    return [step[..., 0] for step in reversed(steps)]


def _cholesky(blocks: Tensor) -> Tensor:
    """Cholesky factors; where rounding took the positivity, of the block with a larger diagonal."""
    factor, failed = torch.linalg.cholesky_ex(blocks)
    if bool((failed > 0).any()):
        diagonal = blocks.diagonal(dim1=1, dim2=2)
        raised = blocks + torch.diag_embed(1e-8 * diagonal.abs() + 1e-300)
        again, still = torch.linalg.cholesky_ex(raised)
        plain = torch.diag_embed(diagonal.abs().clamp(min=1e-300).sqrt())
        again = torch.where((still > 0)[:, None, None], plain, again)
        factor = torch.where((failed > 0)[:, None, None], again, factor)
    return factor
