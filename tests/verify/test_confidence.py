"""Confidence sequences: they hold at all numbers of draws together, and they narrow."""

import numpy as np
import pytest

from verify.kinds.statistics.confidence import bounded_interval, mean_interval

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


# draws between two numbers ------------------------------------------------------------------------
LAWS = {
    "rare": lambda generator, count: (generator.random(count) < 0.03).astype(float),
    "common": lambda generator, count: (generator.random(count) < 0.97).astype(float),
    "uniform": lambda generator, count: generator.random(count),
    "skewed": lambda generator, count: generator.random(count) ** 8,
}
MEANS = {"rare": 0.03, "common": 0.97, "uniform": 0.5, "skewed": 1 / 9}


@pytest.mark.parametrize("name", LAWS)
def test_bounded_draws_are_missed_as_seldom_as_it_says_whatever_their_law(name):
    generator = np.random.default_rng(8)
    missed = 0
    for _ in range(100):
        draws = LAWS[name](generator, max(LOOKS))
        looks = (bounded_interval(draws[:count], 0, 1, ERROR) for count in LOOKS)
        missed += any(not low <= MEANS[name] <= high for low, high in looks)
    assert missed < 24  # 10 are expected at most, 24 have probability below 1e-4


def test_an_interval_for_normal_draws_misses_rare_ones_too_often():
    # what it is for: draws that are mostly 0 look like a constant
    generator = np.random.default_rng(9)
    rows = [LAWS["rare"](generator, max(LOOKS)) for _ in range(200)]
    assert sum(ever_missed(ERROR, row, MEANS["rare"]) for row in rows) > 100


def test_bounded_intervals_narrow_and_turn_with_the_draws():
    draws = np.random.default_rng(10).random(4000)
    widths = [np.diff(bounded_interval(draws[:n], 0, 1, 0.01))[0] for n in (40, 400, 4000)]
    assert widths[0] > 2 * widths[1] > 4 * widths[2]
    low, high = bounded_interval(draws[:100], 0, 1, 0.05)
    assert bounded_interval(5 - 3 * draws[:100], 2, 5, 0.05) == pytest.approx(
        (5 - 3 * high, 5 - 3 * low), abs=1e-6
    )


def test_equal_bounded_draws_are_decided_by_their_number():
    assert bounded_interval(np.zeros(0), 0, 1, 0.05) == pytest.approx((0, 1))
    few, many = (bounded_interval(np.zeros(n), 0, 1, 0.001)[1] for n in (8, 32))
    assert few > 0.5 > many > 0
    with pytest.raises(ValueError, match="a draw is not between 0 and 1"):
        bounded_interval(np.array([0.5, 1.5]), 0, 1, 0.05)
    with pytest.raises(ValueError, match="the first is to be the smaller one"):
        bounded_interval(np.array([0.5]), 1, 0, 0.05)
    with pytest.raises(ValueError, match="probability above 0 and below 1"):
        bounded_interval(np.array([0.5]), 0, 1, 1.0)
