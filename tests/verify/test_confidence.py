"""Confidence sequences: they hold at all numbers of draws together, and they narrow."""

import numpy as np
import pytest

from verify.confidence import mean_interval

ERROR = 0.1
LOOKS = (2, 4, 8, 16, 32, 64, 128)


def ever_missed(error: float, draws: np.ndarray, mean: float) -> bool:
    return any(
        not low <= mean <= high
        for low, high in (mean_interval(draws[:count], error) for count in LOOKS)
    )


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_normal_draws_are_missed_as_seldom_as_it_says_whenever_one_looks(scale):
    generator = np.random.default_rng(3)
    draws = generator.normal(5, scale, (1500, max(LOOKS)))
    missed = sum(ever_missed(ERROR, row, 5) for row in draws)
    # of 1500 at most 150 are expected, and 195 have probability below 1e-4
    assert 0 < missed < 195


def test_an_interval_for_one_number_of_draws_is_missed_too_often():
    # what the sequence is for: 90 % t-intervals, looked at seven times
    from scipy.stats import t

    generator = np.random.default_rng(4)
    missed = 0
    for row in generator.normal(0, 1, (800, max(LOOKS))):
        means = [(row[:n].mean(), row[:n].std(ddof=1) / n**0.5 * t.ppf(0.95, n - 1)) for n in LOOKS]
        missed += any(abs(mean) > reach for mean, reach in means)
    assert missed > 130


def test_it_narrows_like_the_root_of_the_number_of_draws():
    values = np.random.default_rng(5).normal(0, 1, 40_000)
    widths = [np.diff(mean_interval(values[:count], 0.01))[0] for count in (400, 4000, 40_000)]
    assert widths[1] / widths[0] == pytest.approx(0.1**0.5, rel=0.2)
    assert widths[2] < 0.06


def test_it_is_equivariant():
    values = np.random.default_rng(6).normal(0, 1, 20)
    low, high = mean_interval(values, 0.05)
    assert mean_interval(3 * values + 7, 0.05) == pytest.approx((3 * low + 7, 3 * high + 7))
    assert mean_interval(-values, 0.05) == pytest.approx((-high, -low))


def test_few_draws_say_nothing_and_a_constant_says_all():
    assert mean_interval(np.zeros(0), 0.05) == (-np.inf, np.inf)
    assert mean_interval(np.ones(1), 0.05) == (-np.inf, np.inf)
    assert mean_interval(np.full(5, 0.1), 0.05) == (0.1, 0.1)


@pytest.mark.parametrize("error", [0.0, 1.0, -0.1])
def test_an_error_is_a_probability(error):
    with pytest.raises(ValueError, match="probability above 0 and below 1"):
        mean_interval(np.ones(3), error)
