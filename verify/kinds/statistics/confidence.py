"""Confidence sequences: intervals for a mean that hold at all numbers of draws at once.

An interval that is looked at again and again until it decides is wrong more often than it says; one
of a confidence sequence is not, whenever one stops.
"""

from __future__ import annotations

from math import inf, log, sqrt

import numpy as np

PRIOR = 1.0  # of the mixture, in draws; a small one decides early and costs little later
STAKES = np.array([0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0])
"""Shares of the wealth that a bet can lose at most."""


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


def bounded_interval(
    values: np.ndarray, low: float, high: float, error: float
) -> tuple[float, float]:
    """An interval for the mean of independent draws between two numbers, whatever their law, valid
    at all numbers of draws together but for a probability `error`.

    values: (n,) float64. Each end takes half of the error: a mean m is beyond it where a gambler
    who bets a share of the wealth, at a fair game for m, that draws lie on the near side has
    multiplied it by 2/error (I. Waudby-Smith, A. Ramdas, Estimating means of bounded random
    variables by betting, 2024); the wealth is the mean over the shares in STAKES. Raises ValueError
    for a draw that is not between the numbers.

    >>> low, high = bounded_interval(np.full(40, 0.9), 0.0, 1.0, 0.05)
    >>> 0.7 < low < 0.9 < high
    True
    """
    if not 0 < error < 1:
        raise ValueError(f"error is {error}: it is a probability above 0 and below 1")
    if not low < high:
        raise ValueError(f"draws between {low} and {high}: the first is to be the smaller one")
    if len(values) and not (low <= values.min() and values.max() <= high):
        raise ValueError(f"a draw is not between {low} and {high}: {values.min()}, {values.max()}")
    shares = (np.asarray(values, dtype=float) - low) / (high - low)
    upper = _upper_end(shares, error / 2)
    lower = 1 - _upper_end(1 - shares, error / 2)
    return low + (high - low) * lower, low + (high - low) * upper


def _upper_end(shares: np.ndarray, error: float) -> float:
    """The largest mean in [0, 1] that is not excluded from above, by bisection: the wealth of bets
    on draws below the mean grows with it."""
    left, right = 0.0, 1.0
    if _log_wealth(shares, right - 1e-12) < log(1 / error):
        return 1.0
    for _ in range(50):
        middle = (left + right) / 2
        if _log_wealth(shares, middle) < log(1 / error):
            left = middle
        else:
            right = middle
    return right


def _log_wealth(shares: np.ndarray, mean: float) -> float:
    """The logarithm of the wealth of who bets that draws lie below the mean: 1 - c (x - m)/(1 - m),
    which is at least 0 and has a mean of at most 1 where that of x is at least m."""
    with np.errstate(divide="ignore"):
        logs = np.log1p(np.outer(-STAKES, (shares - mean) / (1 - mean))).sum(axis=1)
    largest = logs.max()
    if largest == -inf:
        return -inf
    return float(largest + log(np.exp(logs - largest).mean()))


def _is_constant(values: np.ndarray) -> bool:
    return bool((values == values[0]).all())
