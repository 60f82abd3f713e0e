"""Confidence sequences: intervals for a mean that hold at all numbers of draws at once.

An interval that is looked at again and again until it decides is wrong more often than it says; one
of a confidence sequence is not, whenever one stops.
"""

from __future__ import annotations

from math import inf, log, sqrt

import numpy as np

PRIOR = 1.0  # of the mixture, in draws; a small one decides early and costs little later


def mean_interval(values: np.ndarray, error: float) -> tuple[float, float]:
    """An interval for the mean of independent normal draws of unknown variance, valid at all
    numbers of draws together but for a probability `error`.

    values: (n,) float64. It inverts the test martingale of a normal mixture over the effect size,
    sqrt(c / (n + c)) (V / (V - S^2 / (n + c)))^(n/2) with S and V the sums of x - mu and of its
    square (T. L. Lai, On confidence sequences, Annals of Statistics 4, 1976; H. Wang, A. Ramdas,
    Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance, 2023).
    Draws that are means over many layers are close to normal; where they are not, the interval is
    as good as that approximation.

    >>> low, high = mean_interval(np.array([1.0, 1.2, 0.8, 1.1, 0.9, 1.0, 1.1, 0.9]), 0.05)
    >>> low < 1 < high
    True
    """
    if not 0 < error < 1:
        raise ValueError(f"error is {error}: it is a probability above 0 and below 1")
    count = len(values)
    if not count:
        return -inf, inf
    mean, spread = float(np.mean(values)), float(np.std(values))
    if spread == 0 and count > 1 and _is_constant(values):
        return mean, mean
    log_threshold = log(1 / error) + log((count + PRIOR) / PRIOR) / 2
    share = 1 - float(np.exp(-2 * log_threshold / count))
    room = count / (count + PRIOR) - share
    if room <= 0:
        return -inf, inf
    reach = spread * sqrt(share / room)
    return mean - reach, mean + reach


def _is_constant(values: np.ndarray) -> bool:
    return bool((values == values[0]).all())
