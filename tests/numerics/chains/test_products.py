from math import inf, log

import numpy as np
import pytest
import torch
from scipy.special import digamma

from numerics.chains import counters, laws, products
from tests.numerics.chains.long_products import log_singular_values


def gaussian_exponents(width):
    """(d,): the Lyapunov exponents of products of d x d standard normal matrices, the largest
    first: (log 2 + psi((d - i + 1)/2)) / 2, Newman (1986)."""
    places = np.arange(width, 0, -1)
    return (np.log(2) + digamma(places / 2)) / 2


def factors(law, gamma, seeds, width, depth):
    one = torch.eye(width, dtype=torch.float64)
    found = []
    for layer in range(depth):
        base = counters.bases(counters.tensor_keys(seeds), layer)
        drawn = counters.weights(law, base, width, width)
        found.append(drawn if gamma == inf else one + gamma * drawn)
    return found


def test_exponents_of_gaussian_products_in_closed_form():
    depth, seeds = 400, range(60)
    values = products.log_singular_values(laws.gaussian(), 3, depth, gammas=inf, seeds=seeds)
    found = values / depth
    error = found.std(dim=0).numpy() / len(seeds) ** 0.5
    gap = np.abs(found.mean(dim=0).numpy() - gaussian_exponents(3))
    assert (gap < 5 * error + 2 / depth).all()  # the frame needs a few factors to turn
    assert error.max() < 0.01


def test_width_one_is_a_sum_of_logarithms():
    seeds, depth = [3, 4], 30
    found = products.log_singular_values(laws.gaussian(), 1, depth, gammas=0.5, seeds=seeds)
    sizes = torch.stack([f[:, 0, 0] for f in factors(laws.gaussian(), 0.5, seeds, 1, depth)], 1)
    assert torch.allclose(found[:, 0], sizes.abs().log().sum(dim=1), atol=1e-11)


@pytest.mark.parametrize("gamma", [0.3, inf])
@pytest.mark.parametrize("depth", [1, 5, 60])
def test_singular_values_against_the_products_of_stored_factors(gamma, depth):
    seeds, law = [1, 2, 3], laws.uniform_of_variance_one()
    found = products.log_singular_values(law, 4, depth, gammas=gamma, seeds=seeds)
    wanted = log_singular_values(factors(law, gamma, seeds, 4, depth))
    assert torch.allclose(found, wanted, atol=1e-9)


def test_values_far_below_the_smallest_float():
    found = products.log_singular_values(laws.gaussian(), 3, 2000, gammas=inf, seeds=[1])
    assert float(found[0, 2] - found[0, 0]) < -700 * log(2)
    every = factors(laws.gaussian(), inf, [1], 3, 2000)
    total = sum(float(torch.linalg.slogdet(factor).logabsdet[0]) for factor in every)
    assert float(found.sum()) == pytest.approx(total, abs=1e-6)


def test_a_product_that_becomes_zero_is_told():
    # of 40 Rademacher 2 x 2 matrices in a row some product vanishes
    found = products.log_singular_values(laws.rademacher(), 2, 60, gammas=inf, seeds=range(8))
    assert not bool(torch.isnan(found).any())
    assert float(found[:, -1].max()) < -30
