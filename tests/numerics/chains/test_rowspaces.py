import pytest
import torch

from numerics.chains import inputs
from numerics.chains.observables import second_moments
from numerics.chains.rowspaces import of_inputs


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


def normalised(hidden):
    return hidden / hidden.square().mean(dim=2, keepdim=True).sqrt()


@pytest.mark.parametrize(
    ("d", "n", "rank"), [(4, 7, 2), (4, 7, 4), (5, 3, 3), (5, 3, 1), (3, 9, 1)]
)
def test_coefficients_run_through_the_same_chain(generator, d, n, rank):
    X = inputs.low_rank(generator, 3, d, n, rank)
    rows = of_inputs(X)
    assert rows.ranks.tolist() == [rank] * 3
    k = rows.basis.shape[1]
    assert k == rank
    gram = rows.basis @ rows.basis.mT * k / n
    assert torch.allclose(gram, torch.eye(k, dtype=torch.float64), atol=1e-12)
    weight = inputs.full(generator, 3, d, d)
    after = normalised(weight @ rows.coefficients)
    assert torch.allclose(after @ rows.basis, normalised(weight @ X), atol=1e-9)
    assert torch.allclose(second_moments(after), second_moments(normalised(weight @ X)), atol=1e-9)


def test_signs_stay_signs(generator):
    X = inputs.rank_one(generator, 4, 5, 6, "signs")
    rows = of_inputs(X)
    assert rows.coefficients.unique().tolist() == [-1, 1]
    assert torch.allclose(rows.coefficients @ rows.basis, X, atol=1e-14)


def test_ranks_may_differ(generator):
    X = torch.cat([inputs.low_rank(generator, 1, 4, 6, k) for k in (1, 3, 2)])
    rows = of_inputs(X)
    assert rows.ranks.tolist() == [1, 3, 2]
    assert rows.coefficients.shape == (3, 4, 3)
    assert bool((rows.coefficients[0, :, 1:] == 0).all())
    after = normalised(rows.coefficients)
    assert torch.allclose(after @ rows.basis, normalised(X), atol=1e-9)


def test_full_inputs_are_taken_as_they_are(generator):
    X = inputs.full(generator, 2, 5, 5)
    rows = of_inputs(X)
    assert torch.equal(rows.coefficients, X)
    assert torch.equal(rows.basis, torch.eye(5, dtype=torch.float64).expand(2, 5, 5))


def test_centring_and_zero(generator):
    X = inputs.full(generator, 2, 3, 8) + 5
    rows = of_inputs(X, centred=True)
    assert float(rows.basis.mean(dim=2).abs().max()) < 1e-14
    nothing = of_inputs(torch.zeros(2, 3, 4, dtype=torch.float64))
    assert nothing.ranks.tolist() == [0, 0]
    assert bool((nothing.coefficients == 0).all())
