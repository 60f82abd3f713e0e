"""Products of random matrices without normalisation: exponents, singular values, convergence.

B_l is the product of I + gamma W_k, or of W_k for gamma = inf, and H~_l = B_l X / |B_l|:
Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020), (6) and Lemmas 3 and 18. The singular values are
carried as logarithms, by QR decompositions of one factor after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.chains.counters import bases, tensor_keys, weights
from numerics.chains.laws import Law
from numerics.chains.steps import coefficients
from numerics.deep.products import of_graded_rows

LEFT, RIGHT = "left", "right"
FROBENIUS, SPECTRAL = "frobenius", "spectral"


@dataclass(frozen=True)
class ProductPlan:
    """How many factors, and after which of them something is recorded.

    order: "left" where new factors come in on the left, B_l = F_l ... F_1, or "right". norm: that
    of |B_l|, "frobenius" or "spectral". keep_states: whether H~_l is kept at the recorded layers.

    Raises ValueError for layers outside 1 to depth, or other words.
    """

    depth: int
    layers: tuple[int, ...]
    order: str = LEFT
    norm: str = FROBENIUS
    keep_states: bool = False

    def __post_init__(self) -> None:
        if self.order not in (LEFT, RIGHT) or self.norm not in (FROBENIUS, SPECTRAL):
            raise ValueError(
                f"order {self.order!r}, norm {self.norm!r}: use left or right, "
                "frobenius or spectral"
            )
        outside = [layer for layer in self.layers if not 1 <= layer <= self.depth]
        if outside or not self.layers:
            raise ValueError(f"layers {outside or 'none'}: give some from 1 to {self.depth}")


@dataclass(frozen=True)
class Products:
    """What was seen of C products at K layers (float64).

    layers: (K,), in order. log_values: (C, K, d), logarithms of the singular values of B_l, the
    largest first; what is exactly zero comes out as rounding, some 36 below the others or more, or
    as minus infinity. input_log_values: (C, K, m), those of B_l X, m = min(d, N) (order "right": of
    the formed product, so that values below 1e-16 of the largest are rounding). exponents: (C, d),
    Lyapunov exponents, log |R_ii| / l at the end. differences: (C, K), the Frobenius norm of
    H~_l - H~_(l-1). least_norms: (C,), the least |H~_l|_F over all layers. states: (C, K, d, N).
    """

    layers: tuple[int, ...]
    log_values: Tensor
    input_log_values: Tensor
    exponents: Tensor
    differences: Tensor
    least_norms: Tensor
    states: Tensor | None

    @property
    def log_ratios(self) -> Tensor:
        """(C, K): log(sigma_2 / sigma_1) of B_l. Raises ValueError for width one."""
        if self.log_values.shape[2] < 2:
            raise ValueError("matrices of width 1 have no second singular value")
        return self.log_values[:, :, 1] - self.log_values[:, :, 0]


@dataclass
class _Graded:
    """A product Q T with T = diag(e^logs) unit: frame (C, d, k), logs (C, k), unit (C, k, n)."""

    frame: Tensor
    logs: Tensor
    unit: Tensor

    @staticmethod
    def of(matrix: Tensor) -> _Graded:
        frame, upper = torch.linalg.qr(matrix)
        return _Graded(frame, *_rows(upper))

    def multiply(self, factor: Tensor) -> None:
        """Q T becomes factor Q T."""
        self.frame, upper = torch.linalg.qr(factor @ self.frame)
        steps = _log_sizes(upper)
        after = self.logs + steps
        # row i of the product is sum_j upper_ij e^(logs_j) unit_j, divided by e^(after_i)
        ratio = torch.exp((self.logs[:, None, :] - after[:, :, None]).clamp(max=700.0))
        unit = (upper * torch.where(upper == 0, 0.0, ratio)) @ self.unit
        self.logs, self.unit = after, unit


def _log_sizes(upper: Tensor) -> Tensor:
    """(C, k): log |R_ii|, of a row that is zero there a number far below all others."""
    sizes = upper.diagonal(dim1=1, dim2=2).abs()
    return torch.where(sizes > 0, torch.log(torch.where(sizes > 0, sizes, 1.0)), -690.0)


def _rows(upper: Tensor) -> tuple[Tensor, Tensor]:
    logs = _log_sizes(upper[:, :, : upper.shape[1]])
    return logs, upper * torch.exp(-logs)[:, :, None]


def run_products(
    law: Law,
    width: int,
    *,
    gammas: float | Sequence[float] | Tensor,
    seeds: Sequence[int],
    plan: ProductPlan,
    inputs: Tensor | None = None,
    repeated: bool = False,
    device: torch.device | str = "cpu",
) -> Products:
    """Multiply plan.depth random factors of this width, for each seed.

    gammas: one for all or (C,), may be infinite (then the factors are W_k). inputs: X, (d, N) or
    (C, d, N); default the identity. repeated: the same W at each layer. The weights are those that
    numerics.chains.normalised draws for the same seeds.
    """
    keys = tensor_keys(seeds, device)
    chains = len(keys)
    strengths = torch.as_tensor(gammas, dtype=torch.float64).expand(chains).to(device)
    keep, strength = coefficients(strengths)
    one = torch.eye(width, dtype=torch.float64, device=device)
    given = one if inputs is None else torch.as_tensor(inputs, dtype=torch.float64).to(device)
    start = given.expand(chains, *given.shape[-2:])
    identity = one.expand(chains, width, width)
    left = plan.order == LEFT
    whole, applied = _Graded.of(identity), _Graded.of(start)
    formed, before = identity, _applied(identity, start, plan.norm)
    least = torch.full((chains,), torch.inf, dtype=torch.float64, device=device)
    scale = torch.zeros(chains, 1, dtype=torch.float64, device=device)
    found: list[tuple[Tensor, ...]] = []
    wanted = set(plan.layers)
    for layer in range(1, plan.depth + 1):
        drawn = weights(law, bases(keys, 0 if repeated else layer - 1), width, width)
        factor = keep[:, None, None] * one + strength[:, None, None] * drawn
        whole.multiply(factor if left else factor.mT)
        formed = factor @ formed if left else formed @ factor
        sizes = _sizes(formed)
        formed, scale = formed / sizes, scale + torch.log(sizes[:, :, 0])
        if left:
            applied.multiply(factor)
        state = _applied(formed, start, plan.norm)
        least = torch.minimum(least, torch.linalg.matrix_norm(state))
        if layer in wanted:
            if left:
                of_input = of_graded_rows(applied.logs, applied.unit)
            else:
                of_input = torch.log(torch.linalg.svdvals(formed @ start)) + scale
            values = of_graded_rows(whole.logs, whole.unit)
            found.append((values, of_input, torch.linalg.matrix_norm(state - before), state))
        before = state
    values, of_input, differences, states = (
        torch.stack(part, 1) for part in zip(*found, strict=True)
    )
    kept = states if plan.keep_states else None
    exponents = whole.logs / plan.depth
    layers = tuple(sorted(wanted))
    return Products(layers, values, of_input, exponents, differences, least, kept)


def _sizes(matrices: Tensor) -> Tensor:
    """(C, 1, 1): Frobenius norms, 1 where a product has become zero."""
    sizes = torch.linalg.matrix_norm(matrices, keepdim=True)
    return torch.where(sizes > 0, sizes, 1.0)


def _applied(formed: Tensor, start: Tensor, norm: str) -> Tensor:
    """H~ = B X / |B| from a multiple of B."""
    if norm == FROBENIUS:
        return formed @ start / _sizes(formed)
    sizes = torch.linalg.matrix_norm(formed, ord=2, keepdim=True)
    return formed @ start / torch.where(sizes > 0, sizes, 1.0)
