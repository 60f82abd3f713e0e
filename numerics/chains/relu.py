"""Random multilayer perceptrons: rank of the hidden layer against depth.

Figures 1 and 2 of Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020): linear and ReLU networks, with
and without batch normalisation, PyTorch's default initialisation or independent weights of a law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor

from numerics.chains.counters import bases, tensor_keys, uniforms, weights
from numerics.chains.laws import Law, torch_default
from numerics.chains.observables import second_moments
from numerics.chains.ranks import numerical_rank

BIASES = 1 << 40  # layers from here on of the same seeds: bases of the biases
TORCH_EPS = 1e-5


@dataclass(frozen=True)
class Architecture:
    """A perceptron without its weights.

    widths: of the hidden layers, in order. law: of the entries; None for PyTorch's default, uniform
    within 1/sqrt(fan-in), biases too. relu: whether max(0, .) follows each layer. normalisation:
    "none", "plain" (rows over the root of their mean square, as the paper's chain) or "centred"
    (rows less their mean first, with PyTorch's 1e-5 under the root, as torch.nn.BatchNorm1d does in
    training); it comes before the ReLU.

    Raises ValueError for other words.
    """

    widths: tuple[int, ...]
    law: Law | None = None
    relu: bool = True
    normalisation: str = "none"

    def __post_init__(self) -> None:
        if self.normalisation not in ("none", "plain", "centred"):
            raise ValueError(f"normalisation {self.normalisation!r}: use none, plain or centred")
        if not self.widths or min(self.widths) < 1:
            raise ValueError(f"widths {self.widths}: give at least one, all positive")


@dataclass(frozen=True)
class DepthProfile:
    """What was seen of C networks at K depths, (C, K) each.

    footnote, footnote_single: int64, numerical rank by footnote 2's threshold, for the pass in
    float64 and for a pass in float32; library, library_single: by the libraries' own threshold. r:
    Tr(M)^2 / |M|_F^2, 0 where M is 0; soft_rank: eigenvalues of M that are at least tau = 1/2.
    dead: whether H is 0 altogether.
    """

    layers: tuple[int, ...]
    footnote: Tensor
    footnote_single: Tensor
    library: Tensor
    library_single: Tensor
    r: Tensor
    soft_rank: Tensor
    dead: Tensor


def depth_profile(
    inputs: Tensor, architecture: Architecture, seeds: Sequence[int], layers: Sequence[int]
) -> DepthProfile:
    """Ranks of the hidden layers `layers` (from 1, after the ReLU) of random networks.

    inputs: (d_0, N) or (C, d_0, N). seeds: (C,). Raises ValueError for layers that there are not.
    """
    wanted = tuple(sorted(set(layers)))
    if not wanted or wanted[0] < 1 or wanted[-1] > len(architecture.widths):
        raise ValueError(f"layers {wanted}: give some from 1 to {len(architecture.widths)}")
    double, powers = _activations(inputs, architecture, seeds, wanted, torch.float64)
    single, _ = _activations(inputs, architecture, seeds, wanted, torch.float32)
    moments = [second_moments(hidden) for hidden in double]
    squares = torch.stack([moment.square().sum(dim=(1, 2)) for moment in moments], 1)
    traces = torch.stack([m.diagonal(dim1=1, dim2=2).sum(dim=1) for m in moments], 1)
    soft = [
        (torch.linalg.eigvalsh(moment) >= 0.5 * torch.exp2(-2 * power)[:, None]).sum(dim=1)
        for moment, power in zip(moments, powers, strict=True)
    ]
    safe = torch.where(squares > 0, squares, 1.0)
    return DepthProfile(
        wanted,
        torch.stack([numerical_rank(hidden) for hidden in double], 1),
        torch.stack([numerical_rank(hidden) for hidden in single], 1),
        torch.stack([numerical_rank(hidden, "library") for hidden in double], 1),
        torch.stack([numerical_rank(hidden, "library") for hidden in single], 1),
        traces.square() / safe,
        torch.stack(soft, 1),
        torch.stack([(hidden == 0).all(dim=2).all(dim=1) for hidden in double], 1),
    )


def _activations(
    inputs: Tensor,
    architecture: Architecture,
    seeds: Sequence[int],
    wanted: Sequence[int],
    dtype: torch.dtype,
) -> tuple[list[Tensor], list[Tensor]]:
    """H (C, d_l, N) at the wanted layers, and powers p (C,): the layer is 2^p times what is given
    (0 but where it would overflow). Weights are drawn in float64 and rounded."""
    keys = tensor_keys(seeds, inputs.device)
    hidden = inputs.to(dtype).expand(len(keys), *inputs.shape[-2:])
    power = torch.zeros(len(keys), dtype=torch.float64, device=inputs.device)
    homogeneous = architecture.law is not None and architecture.normalisation == "none"
    found, powers = [], []
    for number, width in enumerate(architecture.widths[: max(wanted)]):
        weight, bias = _layer(architecture, keys, number, width, hidden.shape[1])
        after = weight.to(dtype) @ hidden + bias.to(dtype)
        hidden = _normalised(after, architecture.normalisation)
        if architecture.relu:
            hidden = hidden.clamp(min=0)
        if homogeneous:  # without biases a factor passes through all that follows
            hidden, power = _rescaled(hidden, power)
        if number + 1 in wanted:
            found.append(hidden)
            powers.append(power)
    return found, powers


def _rescaled(hidden: Tensor, power: Tensor) -> tuple[Tensor, Tensor]:
    """H divided by a power of two that brings its largest entry near one."""
    largest = hidden.abs().amax(dim=(1, 2))
    step = torch.floor(torch.log2(torch.where(largest > 0, largest, 1.0)))
    return hidden * torch.exp2(-step)[:, None, None], power + step.double()


def _layer(
    architecture: Architecture, keys: Tensor, number: int, width: int, fan_in: int
) -> tuple[Tensor, Tensor]:
    """Weights (C, width, fan_in) and biases (C, width, 1) of one layer."""
    law = architecture.law or torch_default(fan_in)
    weight = weights(law, bases(keys, number), width, fan_in)
    if architecture.law is not None:
        return weight, weight.new_zeros(len(keys), width, 1)
    share = 2 * uniforms(bases(keys, BIASES + number), width) - 1
    return weight, share[:, :, None] / sqrt(fan_in)


def _normalised(hidden: Tensor, kind: str) -> Tensor:
    if kind == "none":
        return hidden
    eps = 0.0
    if kind == "centred":
        hidden, eps = hidden - hidden.mean(dim=2, keepdim=True), TORCH_EPS
    squares = hidden.square().mean(dim=2, keepdim=True) + eps
    return hidden / torch.sqrt(torch.where(squares > 0, squares, 1.0))
