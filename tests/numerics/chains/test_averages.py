import numpy as np
import pytest

from numerics.chains.averages import (
    Estimate,
    of_batches,
    ratio_of_batches,
)


def autoregression(rng, runs, length, factor):
    """(runs, length): x_t = factor x_(t-1) + noise of variance one, stationary from the start."""
    noise = rng.standard_normal((length, runs))
    x = rng.standard_normal(runs) / np.sqrt(1 - factor**2)
    found = np.empty((length, runs))
    for t in range(length):
        x = factor * x + noise[t]
        found[t] = x
    return found.T


@pytest.mark.parametrize("factor", [-0.5, 0.0, 0.8])
def test_errors_of_an_autoregression_are_the_known_ones(factor):
    series = autoregression(np.random.default_rng(1), 400, 6400, factor)
    means = series.reshape(400, 64, 100).mean(axis=2)
    found = of_batches(means)
    wanted = 1 / (1 - factor) / np.sqrt(6400)  # the long-run standard deviation over root n
    assert np.sqrt((found.error**2).mean()) == pytest.approx(wanted, rel=0.06)
    low, high = found.interval(0.95)
    assert ((low < 0) & (high > 0)).mean() == pytest.approx(0.95, abs=0.04)


def test_the_naive_error_would_be_noticed():
    series = autoregression(np.random.default_rng(2), 200, 6400, 0.8)
    naive = of_batches(series)  # every observation its own batch
    assert (np.abs(naive.value) / naive.error > 2).mean() > 0.2
    assert naive.lag.mean() == pytest.approx(0.8, abs=0.02)


def test_unequal_batches_are_weighted():
    found = of_batches(np.array([[1.0, 4.0]]), np.array([2, 1]))
    assert found.value == pytest.approx([2])


def test_a_ratio_has_the_error_of_the_delta_method():
    rng = np.random.default_rng(3)
    lower = 5 + rng.standard_normal((2000, 50))
    upper = 3 * lower + rng.standard_normal((2000, 50))
    found = ratio_of_batches(upper, lower)
    assert found.value.mean() == pytest.approx(3, abs=0.005)
    assert found.error.mean() == pytest.approx(1 / 5 / np.sqrt(50), rel=0.03)
    assert found.value.std() == pytest.approx(found.error.mean(), rel=0.08)


def test_degenerate_averages():
    nothing = ratio_of_batches(np.zeros((1, 4)), np.zeros((1, 4)))
    assert np.isinf(nothing.value).all()
    single = of_batches(np.array([[2.0]]))
    assert np.isinf(single.error).all()
    assert of_batches(np.full((1, 5), 2.0)).error == [0]


def estimate(values, errors):
    values = np.array(values, dtype=float)
    return Estimate(values, np.array(errors, dtype=float), np.full(len(values), 9), 0 * values)
