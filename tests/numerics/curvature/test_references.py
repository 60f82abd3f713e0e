"""Beside curvlinops and PyHessian, which differentiate twice by autograd."""

import numpy as np
import pytest
import torch
from scipy.sparse.linalg import eigsh
from torch.testing import assert_close

from numerics.curvature.families import densenet_drop, fcn, random_dag
from numerics.curvature.norms import hessian_norms
from numerics.curvature.passes import Objective, at_each_point, backward, forward
from numerics.curvature.products import gradient, hessian_products, tangent_kernels
from numerics.curvature.shared_weights import conv1d
from numerics.curvature.variations import skip
from numerics.curvature.wirings import points
from tests.numerics.curvature.drawn import generator, plain

REASON = "not installed: pip install --no-deps, see the Makefile"


FAMILIES = {
    "fcn": lambda: fcn(6, inputs=3),
    "deep": lambda: fcn(4, depth=4, inputs=2, activation="softplus"),
    "dropped": lambda: densenet_drop(5, 1, generator(1), inputs=3),
    "random": lambda: random_dag(3, 1, generator(2), depth=4, inputs=2, activation="gelu"),
    "skips": lambda: skip(fcn(4, depth=4, inputs=2), "index"),
    "convolution": lambda: conv1d(2, length=4),
}


class Model(torch.nn.Module):
    """Output 0 of the network, with the distinct weights as its one parameter."""

    def __init__(self, networks):
        super().__init__()
        self.networks = networks
        self.flat = torch.nn.Parameter(networks.flat()[0].clone())

    def forward(self, x):
        edges = torch.cat([part[0].flatten() for part in self.networks.spread(self.flat[None])])
        return plain(self.networks, 0, edges, x)[:, :1]


class Itself(torch.nn.Module):
    """The loss that is the output."""

    reduction = "sum"

    def forward(self, output, _):
        return output.sum()


def case(name):
    """Networks, a model of the first, and two points."""
    networks = FAMILIES[name]().draw(1, generator(3))
    return networks, Model(networks), points(networks.architecture.inputs, 2)


def hessian_of(curvlinops, model, x, loss, targets):
    return curvlinops.HessianLinearOperator(
        model, loss, list(model.parameters()), [(x, targets)], check_deterministic=False
    )


@pytest.mark.parametrize("name", FAMILIES)
def test_hessian_products_and_leading_eigenvalues_are_those_of_curvlinops(name):
    curvlinops = pytest.importorskip("curvlinops", reason=REASON)
    networks, model, x = case(name)
    found = at_each_point(networks, x)
    draws = torch.randn(1, 2, networks.parameter_count, generator=generator(4)).double()
    vectors = networks.on_edges(draws)
    products = hessian_products(found, vectors)[0]
    norms = hessian_norms(found, generator(5), tolerance=1e-12)
    for n in range(2):
        operator = hessian_of(curvlinops, model, x[n : n + 1], Itself(), torch.zeros(1, 1).double())
        there = networks.on_edges((operator @ vectors[0, n])[None, None])[0, 0]
        assert_close(products[n], there.detach(), rtol=1e-10, atol=1e-11)
        start = np.random.default_rng(0).standard_normal(networks.parameter_count)
        values = eigsh(operator.to_scipy(), k=1, which="LM", v0=start, return_eigenvectors=False)
        assert_close(norms.eigenvalue[0, n].abs().item(), abs(values[0]), rtol=1e-9, atol=0)
        assert products[n].abs().max() > 1e-4


@pytest.mark.parametrize("name", FAMILIES)
def test_tangent_kernels_are_those_of_curvlinops(name):
    """By its Jacobian."""
    curvlinops = pytest.importorskip("curvlinops", reason=REASON)
    networks, model, x = case(name)
    data = [(x, torch.zeros(2, 1, dtype=torch.float64))]
    operator = curvlinops.JacobianLinearOperator(
        model, list(model.parameters()), data, check_deterministic=False
    )
    rows = operator @ torch.eye(networks.parameter_count, dtype=torch.float64)
    rows = networks.on_edges(rows.detach()[None])[0]
    assert_close(tangent_kernels(networks, x)[0], rows @ rows.mT, rtol=1e-11, atol=1e-12)


def test_the_hessian_of_a_square_loss_is_that_of_curvlinops():
    curvlinops = pytest.importorskip("curvlinops", reason=REASON)
    networks, model, x = case("deep")
    targets = torch.tensor([[1.0], [-1.0]], dtype=torch.float64)
    operator = hessian_of(curvlinops, model, x, torch.nn.MSELoss(reduction="sum"), targets)
    one = forward(networks, x)
    rest = one.preactivations[-1] - targets
    found = backward(one, Objective(4, 2 * rest, 2 * torch.ones_like(rest)))
    vectors = torch.randn(1, 1, networks.parameter_count, generator=generator(6)).double()
    there = (operator @ vectors[0, 0]).detach()
    assert_close(hessian_products(found, vectors)[0, 0], there, rtol=1e-10, atol=1e-11)


@pytest.fixture
def _double():
    """PyHessian draws its start in the default precision."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.usefixtures("_double")
@pytest.mark.filterwarnings("ignore:Using backward")  # as PyHessian does
@pytest.mark.parametrize("name", FAMILIES)
def test_the_power_iteration_of_pyhessian_comes_to_the_same_eigenvalue(name):
    pyhessian = pytest.importorskip("pyhessian", reason=REASON)
    networks, model, x = case(name)
    found = at_each_point(networks, x[:1])
    norms = hessian_norms(found, generator(5), tolerance=1e-12)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        there = pyhessian.hessian(model, Itself(), data=(x[:1], torch.zeros(1, 1)), cuda=False)
        (value,), _ = there.eigenvalues(maxIter=3000, tol=1e-13)
    assert abs(value) == pytest.approx(norms.eigenvalue[0, 0].abs().item(), rel=1e-4)
    slope = networks.on_edges(there.gradsH[0].detach()[None, None])
    assert_close(gradient(found), slope, rtol=1e-11, atol=1e-12)
    model.zero_grad()
