"""What a backend of a program has to do. There are two: `compiled` (Numba) and `levels` (torch)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import torch

from numerics.blocks import Blocks
from numerics.examples import Examples
from numerics.losses import Loss


class Backend(ABC):
    """Passes over all networks of a layout. weights: (P,) float64, finite, on the device."""

    name: str

    @abstractmethod
    def values(self, weights: torch.Tensor, examples: Examples) -> Blocks:
        """The outputs: block c is (outputs, n_c)."""

    @abstractmethod
    def preactivations(self, weights: torch.Tensor, examples: Examples) -> Blocks:
        """Block c is (V_c, n_c); at an input the input itself."""

    @abstractmethod
    def gradient(
        self, weights: torch.Tensor, examples: Examples, cotangents: Callable[[Blocks], Blocks]
    ) -> torch.Tensor:
        """(P,): the gradient of the sum over outputs k and examples j of
        cotangents[k, j] * nu_k(x_j), the cotangents taken as constant.

        cotangents: gives them from the outputs; both have blocks (outputs, n_c).
        """

    def risk_gradient(
        self, weights: torch.Tensor, examples: Examples, loss: Loss
    ) -> torch.Tensor | None:
        """(P,): the gradient of the risk in one pass, or None if that loss needs `gradient`."""
        return None
