import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics.deep.balance import differences
from numerics.deep.families import gaussian
from numerics.deep.least_norm import least_norm
from numerics.deep.passes import jacobians
from numerics.deep.representations import linear_cost, linear_representation


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**20))
def test_factors_multiply_to_the_map_and_cost_what_they_should(rows, columns, depth, seed):
    generator = torch.Generator().manual_seed(seed)
    matrices = torch.randn(3, rows, columns, generator=generator, dtype=torch.float64)
    networks = linear_representation(matrices, [min(rows, columns) + 1] * (depth - 1))
    found = jacobians(networks, torch.zeros(1, columns))[:, 0]
    torch.testing.assert_close(found, matrices)
    norms = networks.squared_norms()
    torch.testing.assert_close(norms.sum(dim=1), linear_cost(matrices, depth))
    assert all(bool((part.abs() < 1e-9).all()) for part in differences(networks))


def test_a_width_below_the_rank_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        linear_representation(torch.eye(2).double()[None], [1])


@pytest.mark.parametrize("depth", [2, 3])
def test_doubling_on_an_interval_costs_what_the_bound_says(depth):
    generator = torch.Generator().manual_seed(0)
    x = torch.linspace(0, 1, 5, dtype=torch.float64)[:, None]
    start = gaussian([1, *[3] * (depth - 1), 1], 6, generator, biases=0.2)
    found = least_norm(start, x, 2 * x, steps=60)
    best = found.best(1e-4)
    assert best is not None
    cost = depth * 2 ** (2 / depth)
    assert float(found.norms[best]) == pytest.approx(cost, abs=1e-3)
    assert float(found.lower[best]) <= float(found.norms[best]) + 1e-6
    assert found.best(-1.0) is None
