"""What is measured along a chain, and the sums over layers in which it is kept.

r, soft ranks and the traces: Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020), (3), (4) and (46).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

R, FROBENIUS, CUBE, SQUARES, ROW_MEANS = "r", "frobenius", "cube", "squares", "row_means"
TRACES = (R, FROBENIUS, CUBE, SQUARES, ROW_MEANS)
"""r(H) = Tr(M)^2 / |M|_F^2; |M|_F^2; Tr(M^3); Tr(diag(M^2)^2); the mean over rows of the square of
the row's mean over samples."""


def rank_name(threshold: float) -> str:
    """The name of the soft rank: how many eigenvalues of M are at least the threshold."""
    return f"rank[{threshold:g}]"


def moment_name(i: int, j: int) -> str:
    """The name of the entry M_ij (indices from 0)."""
    return f"M[{i},{j}]"


def hidden_name(i: int, j: int) -> str:
    """The name of the entry H_ij (indices from 0)."""
    return f"H[{i},{j}]"


@dataclass(frozen=True)
class Plan:
    """How deep a chain goes and what is measured on the way.

    The layers burn_in + stride, burn_in + 2 stride, ... up to depth are observed (layer l is H_l,
    so the input is never among them). They are cut into `batches` stretches of equal length for
    batch means (fewer where there are fewer layers). thresholds: of soft ranks. moments, hidden:
    places (i, j) of entries of M and of H. checkpoints: layers at which all eigenvalues of M and
    singular values of H are kept, 0 for the input; keep_states: and H itself.

    Raises ValueError where no layer would be observed or a checkpoint lies outside.
    """

    depth: int
    burn_in: int = 0
    stride: int = 1
    batches: int = 64
    thresholds: tuple[float, ...] = ()
    moments: tuple[tuple[int, int], ...] = ()
    hidden: tuple[tuple[int, int], ...] = ()
    checkpoints: tuple[int, ...] = ()
    keep_states: bool = False

    def __post_init__(self) -> None:
        if self.stride < 1 or self.batches < 1 or self.burn_in < 0 or self.observed < 1:
            raise ValueError(
                f"depth {self.depth}, burn-in {self.burn_in}, stride {self.stride}, "
                f"{self.batches} batches: no layer would be observed"
            )
        outside = [layer for layer in self.checkpoints if not 0 <= layer <= self.depth]
        if outside:
            raise ValueError(f"checkpoints {outside} lie outside 0 to {self.depth}")

    @property
    def observed(self) -> int:
        """How many layers are observed."""
        return (self.depth - self.burn_in) // self.stride

    @property
    def stretches(self) -> int:
        """How many batches there are."""
        return min(self.batches, self.observed)

    @property
    def counts(self) -> np.ndarray:
        """(B,) int64: how many layers each batch has."""
        edges = -(-np.arange(self.stretches + 1) * self.observed // self.stretches)
        return np.diff(edges)

    @property
    def names(self) -> tuple[str, ...]:
        """What is measured, in the order of the last axis of all results."""
        return (
            *TRACES,
            *(rank_name(threshold) for threshold in self.thresholds),
            *(moment_name(*place) for place in self.moments),
            *(hidden_name(*place) for place in self.hidden),
        )

    def batch(self, layer: int) -> int:
        """The batch of an observed layer, or -1 where the layer is not observed."""
        number, rest = divmod(layer - self.burn_in, self.stride)
        if number < 1 or rest or number > self.observed:
            return -1
        return (number - 1) * self.stretches // self.observed


@dataclass
class Totals:
    """What is kept of the observed layers of C chains: K measures, B batches (float64).

    sums: (C, B, K). least, greatest, last: (C, K). rises: (C, K), how often a value was larger than
    at the observed layer before. zero_rows: (C,), how many rows were zero, over all layers.
    """

    sums: np.ndarray
    least: np.ndarray
    greatest: np.ndarray
    last: np.ndarray
    rises: np.ndarray
    zero_rows: np.ndarray

    @staticmethod
    def empty(chains: int, plan: Plan) -> Totals:
        """Nothing seen yet."""
        size = (chains, len(plan.names))
        return Totals(
            np.zeros((chains, plan.stretches, len(plan.names))),
            np.full(size, np.inf),
            np.full(size, -np.inf),
            np.full(size, np.inf),
            np.zeros(size),
            np.zeros(chains),
        )

    def add(self, values: np.ndarray, batch: int) -> None:
        """Take in the values (C, K) of one observed layer."""
        self.sums[:, batch] += values
        np.minimum(self.least, values, out=self.least)
        np.maximum(self.greatest, values, out=self.greatest)
        self.rises += values > self.last
        self.last[:] = values


def second_moments(hidden: Tensor) -> Tensor:
    """(..., d, d): M(H) = H H^T / N from H (..., d, N)."""
    return hidden @ hidden.mT / hidden.shape[-1]


def measured(hidden: Tensor, probes: Tensor, plan: Plan) -> Tensor:
    """(C, K): everything in plan.names of H = A V, from its coefficients A (C, d, k). r is 0 where
    M is.

    probes: (C, k, 1 + q), see numerics.chains.backends.Setting.
    """
    moments = second_moments(hidden)
    squared = moments @ moments
    frobenius = moments.square().sum(dim=(1, 2))
    trace = moments.diagonal(dim1=1, dim2=2).sum(dim=1)
    safe = torch.where(frobenius > 0, frobenius, 1.0)
    found = [
        trace.square() / safe,
        frobenius,
        (squared * moments).sum(dim=(1, 2)),
        squared.diagonal(dim1=1, dim2=2).square().sum(dim=1),
        (hidden @ probes[:, :, :1]).square().mean(dim=(1, 2)),
    ]
    if plan.thresholds:
        eigenvalues = torch.linalg.eigvalsh(moments)
        found += [soft_ranks(eigenvalues, threshold) for threshold in plan.thresholds]
    found += [moments[:, i, j] for i, j in plan.moments]
    read = hidden @ probes
    found += [read[:, i, 1 + number] for number, (i, _) in enumerate(plan.hidden)]
    return torch.stack(found, dim=1)


def soft_ranks(eigenvalues: Tensor, threshold: float) -> Tensor:
    """(...): how many of the eigenvalues (..., d) of M are at least the threshold, as float64; all
    of them where it is at most 0, since M is positive semidefinite."""
    if threshold <= 0:
        return torch.full_like(eigenvalues[..., 0], eigenvalues.shape[-1])
    return (eigenvalues >= threshold).sum(dim=-1).double()
