"""Algorithm 1: pre-training of the hidden layers on r(H) = Tr(M)^2 / |M|_F^2.

M minibatches of N samples, T steps on each, which each network draws for itself. Readings: B, along
plus the gradient of r(H_L) with respect to all hidden layers, as Algorithm 1 names r(H_L); C, along
plus the gradient of r(H_l) with respect to the parameters of layer l, one layer after the other
from the first, the same M minibatches for each, as Section 4 says. Step sizes are tried on a grid;
the one with the largest mean r(H_L) afterwards is taken, for either reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.chains.ranks import numerical_rank
from numerics.training import after, by_autograd, descent
from verify.papers.dkbhl20.perceptron_training import Stack, surrogate

GRID = (0.03, 0.3, 3.0)
READINGS = ("B", "C")
PROBE = 256


@dataclass
class Pretrained:
    """stack: the networks, one for each seed. before, after: (seeds, depth), r of each layer on the
    probe; rank_before, rank_after: (seeds,) of H_L by footnote 2, in the float64 pass of the same
    parameters; gradient: (seeds,), the norm of the first gradient of r(H_L). rate: what was taken.
    """

    stack: Stack
    before: Tensor
    after: Tensor
    rank_before: Tensor
    rank_after: Tensor
    gradient: Tensor
    rate: float


def pretrain(
    begun: Stack,
    inputs: Tensor,
    reading: str,
    minibatches: int,
    steps: int,
    batch: int,
    seed: int,
    rates: Sequence[float] = GRID,
) -> Pretrained:
    """Pre-train each network of `begun` with each rate, and take the best rate.

    inputs: (d, n). Raises ValueError for another reading.
    """
    if reading not in READINGS:
        raise ValueError(f"reading {reading!r}: use {', '.join(READINGS)}")
    count, tried = len(begun.weights[0]), len(rates)
    stack = begun.at([k for k in range(count) for _ in range(tried)])
    rate = torch.tensor(list(rates) * count, device=inputs.device)
    generator = torch.Generator().manual_seed(seed)
    index = torch.randint(inputs.shape[1], (minibatches, count, batch), generator=generator)
    given = [inputs[:, chosen.to(inputs.device)].movedim(1, 0) for chosen in index]
    gradient = gradient_norm(begun, given[0])
    given = [one.repeat_interleave(tried, dim=0) for one in given]
    move = _layer_by_layer if reading == "C" else _whole
    stack = move(stack, given, steps, rate)
    probe = inputs[:, :PROBE]
    reached = layer_surrogates(stack, probe)[:, -1].reshape(count, tried).mean(dim=0)
    best = int(reached.argmax())
    taken = stack.at([k * tried + best for k in range(count)])
    return Pretrained(
        taken,
        layer_surrogates(begun, probe),
        layer_surrogates(taken, probe),
        double_ranks(begun, probe),
        double_ranks(taken, probe),
        gradient,
        rates[best],
    )


def _whole(stack: Stack, given: Sequence[Tensor], steps: int, rate: Tensor) -> Stack:
    """After steps of rate times the gradient of r(H_L); given: minibatches (K, d, N)."""

    def surrogates(place: list[Tensor], step: int) -> Tensor:
        return surrogate(_hidden(stack, place).last(given[step // steps]))

    begun = [*stack.weights[:-1], *stack.biases[:-1]]
    return _hidden(stack, _climbed(surrogates, begun, rate, len(given) * steps))


def _hidden(stack: Stack, place: list[Tensor]) -> Stack:
    """With these weights, then biases, of the hidden layers."""
    half = len(place) // 2
    parts = (*place[:half], stack.weights[-1], *place[half:], stack.biases[-1])
    return stack.with_parameters(parts)


def _layer_by_layer(stack: Stack, given: Sequence[Tensor], steps: int, rate: Tensor) -> Stack:
    """After steps of rate times the gradient of r(H_l), layer after layer."""
    hidden = list(given)
    for number in range(len(stack.weights) - 1):
        stack = _layer_climbed(stack, number, hidden, steps, rate)
        hidden = [stack.layer(number, before) for before in hidden]
    return stack


def _layer_climbed(
    stack: Stack, number: int, hidden: Sequence[Tensor], steps: int, rate: Tensor
) -> Stack:
    parameters, count = stack.parameters(), len(stack.weights)
    places = (number, count + number)

    def with_layer(layer: list[Tensor]) -> Stack:
        kept = list(parameters)
        for place, tensor in zip(places, layer, strict=True):
            kept[place] = tensor
        return stack.with_parameters(kept)

    def surrogates(layer: list[Tensor], step: int) -> Tensor:
        return surrogate(with_layer(layer).layer(number, hidden[step // steps]))

    begun = [parameters[place] for place in places]
    return with_layer(_climbed(surrogates, begun, rate, len(hidden) * steps))


def _climbed(
    surrogates: Callable[[list[Tensor], int], Tensor], begun: list[Tensor], rate: Tensor, steps: int
) -> list[Tensor]:
    return after(steps, descent(by_autograd(surrogates), begun, -rate))


def gradient_norm(stack: Stack, batch: Tensor) -> Tensor:
    """(K,): the norm of the gradient of r(H_L) on minibatches (K, d, N) with respect to all hidden
    layers."""
    hidden = [*stack.weights[:-1], *stack.biases[:-1]]
    values = by_autograd(lambda place, _: surrogate(_hidden(stack, place).last(batch)))
    gradients = values(hidden, 0)
    return torch.cat([gradient.flatten(1) for gradient in gradients], dim=1).norm(dim=1)


def layer_surrogates(stack: Stack, probe: Tensor) -> Tensor:
    """(K, depth): r(H_l) on the probe (d, n), 1 where numbers overflowed."""
    with torch.no_grad():
        inputs = probe.expand(len(stack.weights[0]), -1, -1)
        values = torch.stack([surrogate(hidden) for hidden in stack.layers(inputs)], dim=1)
        return torch.where(torch.isfinite(values), values, 1.0)


def double_ranks(stack: Stack, probe: Tensor) -> Tensor:
    """(K,): the rank of H_L by footnote 2 in a pass in float64; 0 where numbers overflowed."""
    weights, biases = ([p.double() for p in ps] for ps in (stack.weights, stack.biases))
    double = Stack(weights, biases, stack.normalisation)
    with torch.no_grad():
        hidden = double.last(probe.double().expand(len(weights[0]), -1, -1))
        finite = torch.isfinite(hidden).all(dim=2).all(dim=1)
        return torch.where(finite, numerical_rank(torch.nan_to_num(hidden)), 0)
