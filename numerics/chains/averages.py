"""Averages along one long run, with Monte Carlo errors by batch means.

Neighbouring layers depend on each other, so the error of an average is read off the averages of
long stretches (batches), which hardly do: Glynn and Whitt (1991); the ratio of two averages by the
delta method on batches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import t

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """An average with its Monte Carlo error; every field has the shape of what was averaged.

    value; error: its standard error; freedom: degrees of freedom of the error; lag: correlation of
    neighbouring batches (near 0 where batches are long enough to trust the error).
    """

    value: np.ndarray
    error: np.ndarray
    freedom: np.ndarray
    lag: np.ndarray

    def interval(self, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
        """The confidence interval of this level, by Student's t."""
        half = t.ppf((1 + level) / 2, np.maximum(self.freedom, 1)) * self.error
        return self.value - half, self.value + half


def of_batches(means: np.ndarray, counts: np.ndarray | None = None) -> Estimate:
    """The average of batch means (..., B), with its error; fields are (...).

    counts: (B,), how many layers each batch has; default equal numbers. The error is infinite for
    a single batch.

    >>> found = of_batches(np.array([1.0, 3.0, 1.0, 3.0]))
    >>> float(found.value), round(float(found.error), 4)
    (2.0, 0.5774)
    """
    means = np.asarray(means, dtype=np.float64)
    share = _shares(means, counts)
    value = (means * share).sum(axis=-1)
    return _from_deviations(value, means - value[..., None], share)


def ratio_of_batches(
    upper: np.ndarray, lower: np.ndarray, counts: np.ndarray | None = None
) -> Estimate:
    """The ratio of the averages of two series of batch means (..., B), with its error.

    Where the lower average is 0 the ratio and its error are infinite.
    """
    upper, lower = np.asarray(upper, dtype=np.float64), np.asarray(lower, dtype=np.float64)
    share = _shares(upper, counts)
    over, under = (upper * share).sum(axis=-1), (lower * share).sum(axis=-1)
    defined = under != 0
    safe = np.where(defined, under, 1.0)
    ratio = over / safe
    deviations = (upper - ratio[..., None] * lower) / safe[..., None]
    found = _from_deviations(ratio, deviations, share)
    value, error = (np.where(defined, part, np.inf) for part in (found.value, found.error))
    return Estimate(value, error, found.freedom, found.lag)


def _shares(means: np.ndarray, counts: np.ndarray | None) -> np.ndarray:
    """(B,): the share of each batch in the whole."""
    batches = means.shape[-1]
    weight = np.ones(batches) if counts is None else np.asarray(counts, dtype=np.float64)
    return np.asarray(weight / weight.sum())


def _from_deviations(value: np.ndarray, deviations: np.ndarray, share: np.ndarray) -> Estimate:
    """The error of a mean whose batches lie this far from it (..., B)."""
    batches = deviations.shape[-1]
    freedom = np.full(value.shape, batches - 1)
    if batches < 2:
        return Estimate(value, np.full(value.shape, np.inf), freedom, np.zeros(value.shape))
    squares = (deviations**2 * share).sum(axis=-1)
    error = np.sqrt(squares / (batches - 1))
    products = (deviations[..., 1:] * deviations[..., :-1] * share[1:]).sum(axis=-1)
    lag = np.where(squares > 0, products / np.where(squares > 0, squares, 1.0), 0.0)
    return Estimate(value, error, freedom, lag)
