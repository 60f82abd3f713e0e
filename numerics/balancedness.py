"""Drift of balances against the step size of gradient descent.

The gradient flow conserves the balances; descent at step size eta changes them by the sum of
eta^2 d^T A d, so over a fixed time by a multiple of eta to first order (S. S. Du, W. Hu, J. D. Lee,
Algorithmic regularization in learning deep homogeneous models, NeurIPS 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics.descent import StepSizes, descend
from numerics.examples import Examples
from numerics.losses import Loss
from numerics.program import Program


@dataclass(frozen=True)
class Drifts:
    """For each of S step sizes what descent made of F forms over the same time.

    sizes: (S,). drift: (S, F), Q at the end less Q at the start. slack: (S, F), the sum of
    eta^2 d^T A d, which the drift is up to rounding. cross: (S, F), the rest. size: (S, F), the
    measure of rounding. risks: (S, 2, C), at the start and at the end. endings: (S, C).
    """

    sizes: np.ndarray
    drift: np.ndarray
    slack: np.ndarray
    cross: np.ndarray
    size: np.ndarray
    risks: np.ndarray
    endings: np.ndarray

    @property
    def orders(self) -> np.ndarray:
        """(S - 1, F): between neighbouring step sizes the exponent p of |drift| ~ eta^p; not a
        number where a drift is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.diff(np.log(self.sizes))[:, None]
            found = np.diff(np.log(np.abs(self.drift)), axis=0) / steps
        return np.where(np.isfinite(found), found, np.nan)


def drift_against_step(
    program: Program,
    weights: Any,
    examples: Examples,
    loss: Loss,
    forms: Any,
    *,
    sizes: Sequence[float],
    time: float,
) -> Drifts:
    """Descend with each constant step size, each for round(time / size) steps.

    forms: as for `descend`; `numerics.quadratic` has those of vertices and of pairs.

    Raises ValueError where a step size is larger than the time, or none is given.
    """
    if not len(sizes) or not all(0 < size <= time for size in sizes):
        raise ValueError(f"step sizes {list(sizes)} for the time {time}: each must be in (0, time]")
    results = [
        descend(
            program,
            weights,
            examples,
            loss,
            round(time / size),
            StepSizes("constant", size),
            forms=forms,
            watch=False,
        )
        for size in sizes
    ]
    balances = [result.balances for result in results]
    return Drifts(
        sizes=np.array(sizes, dtype=np.float64),
        drift=np.array([balance.change for balance in balances]),
        slack=np.array([balance.slack for balance in balances]),
        cross=np.array([balance.cross for balance in balances]),
        size=np.array([balance.size for balance in balances]),
        risks=np.array([result.risks for result in results]),
        endings=np.array([result.endings for result in results], dtype=np.int64),
    )
