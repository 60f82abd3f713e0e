"""Derivatives of losses in the log domain, where the risk is too small for float64."""

from __future__ import annotations

import torch

from numerics.losses import Exponential, Logistic, Loss


def log_slope(loss: Loss, margins: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The sign of l'(z) and log |l'(z)|, of the shape of the margins z; for the logistic and the
    exponential loss also where l'(z) itself under- or overflows."""
    if isinstance(loss, Exponential):
        return -torch.ones_like(margins), -margins
    if isinstance(loss, Logistic):
        small = torch.log1p(torch.exp(-torch.abs(margins)))
        return -torch.ones_like(margins), -torch.clamp(margins, min=0.0) - small
    slopes = loss.derivative(margins)
    return torch.sign(slopes), torch.log(torch.abs(slopes))
