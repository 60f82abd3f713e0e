from math import inf, log

import numpy as np
import pytest
import torch
from scipy.special import digamma

from numerics.chains import counters, laws
from numerics.chains.products import ProductPlan, run_products
from tests.numerics.deep.long_products import log_singular_values

ORDERS = ["left", "right"]


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


@pytest.mark.parametrize("order", ORDERS)
def test_exponents_of_gaussian_products_in_closed_form(order):
    depth, seeds = 400, range(60)
    plan = ProductPlan(depth, (depth,), order=order)
    found = run_products(laws.gaussian(), 3, gammas=inf, seeds=seeds, plan=plan).exponents
    error = found.std(dim=0).numpy() / len(seeds) ** 0.5
    gap = np.abs(found.mean(dim=0).numpy() - gaussian_exponents(3))
    assert (gap < 5 * error + 2 / depth).all()  # the frame needs a few factors to turn
    assert error.max() < 0.01


def test_width_one_is_a_sum_of_logarithms():
    seeds, depth = [3, 4], 30
    plan = ProductPlan(depth, (10, depth))
    found = run_products(laws.gaussian(), 1, gammas=0.5, seeds=seeds, plan=plan)
    sizes = torch.stack([f[:, 0, 0] for f in factors(laws.gaussian(), 0.5, seeds, 1, depth)], 1)
    logs = sizes.abs().log().cumsum(1)
    assert torch.allclose(found.log_values[:, :, 0], logs[:, [9, 29]], atol=1e-11)
    assert found.least_norms.tolist() == pytest.approx([1, 1])
    with pytest.raises(ValueError, match="width 1"):
        _ = found.log_ratios


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("gamma", [0.3, inf])
def test_singular_values_against_the_products_of_stored_factors(order, gamma):
    seeds, depth = [1, 2, 3], 60
    plan = ProductPlan(depth, (1, 5, depth), order=order)
    law = laws.uniform_of_variance_one()
    found = run_products(law, 4, gammas=gamma, seeds=seeds, plan=plan)
    every = factors(law, gamma, seeds, 4, depth)
    for place, layer in enumerate(found.layers):
        chosen = every[:layer] if order == "left" else every[:layer][::-1]
        wanted = log_singular_values(chosen)
        assert torch.allclose(found.log_values[:, place], wanted, atol=1e-9)
    assert float(found.log_ratios[0, -1]) < float(found.log_ratios[0, 0])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("norm", ["frobenius", "spectral"])
def test_normalised_products_against_formed_ones(order, norm):
    seeds, depth = [1, 2], 12
    X = torch.randn(3, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    plan = ProductPlan(depth, (4, depth), order=order, norm=norm, keep_states=True)
    found = run_products(laws.gaussian(), 3, gammas=0.4, seeds=seeds, plan=plan, inputs=X)
    product, states = torch.eye(3, dtype=torch.float64).expand(2, 3, 3), []
    for factor in factors(laws.gaussian(), 0.4, seeds, 3, depth):
        product = factor @ product if order == "left" else product @ factor
        kind = "fro" if norm == "frobenius" else 2
        states.append(product @ X / torch.linalg.matrix_norm(product, ord=kind, keepdim=True))
    assert torch.allclose(found.states[:, 0], states[3], atol=1e-12)
    assert torch.allclose(found.states[:, 1], states[-1], atol=1e-12)
    gap = torch.linalg.matrix_norm(states[-1] - states[-2])
    assert torch.allclose(found.differences[:, 1], gap, atol=1e-12)
    least = torch.stack([torch.linalg.matrix_norm(state) for state in states]).amin(0)
    assert torch.allclose(found.least_norms, least, atol=1e-12)
    values = torch.linalg.svdvals(product @ X).log()
    assert torch.allclose(found.input_log_values[:, 1], values, atol=1e-9)


def test_one_matrix_again_and_again_grows_like_its_eigenvalues():
    law, seeds, depth = laws.gaussian().with_symmetric_matrix(), [1, 2, 3, 4], 400
    plan = ProductPlan(depth, (depth,))
    found = run_products(law, 3, gammas=inf, seeds=seeds, plan=plan, repeated=True)
    eigenvalues = torch.linalg.eigvalsh(factors(law, inf, seeds, 3, 1)[0]).abs()
    wanted = eigenvalues.log().sort(dim=1, descending=True).values
    assert torch.allclose(found.log_values[:, 0] / depth, wanted, atol=1e-9)


def test_values_far_below_the_smallest_float():
    plan = ProductPlan(3000, (3000,))
    found = run_products(laws.gaussian(), 3, gammas=inf, seeds=[1], plan=plan)
    assert float(found.log_values[0, 0, 2] - found.log_values[0, 0, 0]) < -1000 * log(2)
    every = factors(laws.gaussian(), inf, [1], 3, 3000)
    total = sum(float(torch.linalg.slogdet(factor).logabsdet[0]) for factor in every)
    assert float(found.log_values.sum()) == pytest.approx(total, abs=1e-6)


def test_a_product_that_becomes_zero_is_told():
    # of 40 Rademacher 2 x 2 matrices in a row some product vanishes
    plan = ProductPlan(60, (60,), keep_states=True)
    found = run_products(laws.rademacher(), 2, gammas=inf, seeds=range(8), plan=plan)
    assert bool(torch.isfinite(found.states).all())
    assert not bool(torch.isnan(found.log_values).any())
    assert float(found.log_values[:, :, -1].max()) < -30
    assert (found.least_norms == 0).any()


def test_wrong_plans_are_refused():
    with pytest.raises(ValueError, match="order 'up'"):
        ProductPlan(5, (5,), order="up")
    with pytest.raises(ValueError, match="from 1 to 5"):
        ProductPlan(5, (6,))
    with pytest.raises(ValueError, match="none"):
        ProductPlan(5, ())
