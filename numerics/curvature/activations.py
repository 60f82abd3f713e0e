"""Activations with their first two derivatives, each in closed form."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

import torch
from torch import Tensor

Jet = tuple[Tensor, Tensor, Tensor]
"""Value, first and second derivative, elementwise."""


def _linear(z: Tensor) -> Jet:
    return z, torch.ones_like(z), torch.zeros_like(z)


def _quadratic(z: Tensor) -> Jet:
    return z.square(), 2 * z, torch.full_like(z, 2.0)


def _cubic(z: Tensor) -> Jet:
    return z**3, 3 * z.square(), 6 * z


def _tanh(z: Tensor) -> Jet:
    value = torch.tanh(z)
    first = 1 - value.square()
    return value, first, -2 * value * first


def _sigmoid(z: Tensor) -> Jet:
    value = torch.sigmoid(z)
    first = value * (1 - value)
    return value, first, first * (1 - 2 * value)


def _softplus(z: Tensor) -> Jet:
    first = torch.sigmoid(z)
    return torch.logaddexp(z, torch.zeros_like(z)), first, first * (1 - first)


def _sharp(beta: float) -> Callable[[Tensor], Jet]:
    """softplus(beta z) / beta, which tends to ReLU as beta grows."""

    def jet_of(z: Tensor) -> Jet:
        value, first, second = _softplus(beta * z)
        return value / beta, first, beta * second

    return jet_of


def _gelu(z: Tensor) -> Jet:
    below = torch.special.ndtr(z)
    density = torch.exp(-z.square() / 2) / sqrt(2 * pi)
    return z * below, below + z * density, (2 - z.square()) * density


def _sine(z: Tensor) -> Jet:
    value = torch.sin(z)
    return value, torch.cos(z), -value


def _log_cosh(z: Tensor) -> Jet:
    first = torch.tanh(z)
    # log cosh z = |z| + log(1 + exp(-2 |z|)) - log 2, which does not overflow
    value = z.abs() + torch.log1p(torch.exp(-2 * z.abs())) - torch.log(torch.full_like(z, 2.0))
    return value, first, 1 - first.square()


def _relu(z: Tensor) -> Jet:
    return z.clamp(min=0), (z > 0).to(z.dtype), torch.zeros_like(z)


ACTIVATIONS: dict[str, Callable[[Tensor], Jet]] = {
    "linear": _linear,
    "quadratic": _quadratic,
    "cubic": _cubic,
    "tanh": _tanh,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
    "softplus4": _sharp(4.0),
    "softplus16": _sharp(16.0),
    "softplus64": _sharp(64.0),
    "gelu": _gelu,
    "sin": _sine,
    "log_cosh": _log_cosh,
    "relu": _relu,
}
"""By name. quadratic is z^2, cubic z^3; softplus4 is softplus(4 z) / 4; the second
derivative of relu is that almost everywhere, and its slope at 0 is 0."""


def jet(kind: str, z: Tensor) -> Jet:
    """Value, first and second derivative of the activation at pre-activations of any shape.

    Raises ValueError for an unknown name.
    """
    if kind not in ACTIVATIONS:
        raise ValueError(f"activation {kind!r}: use one of {', '.join(ACTIVATIONS)}")
    return ACTIVATIONS[kind](z)
