import pytest
import torch
from hypothesis import given, settings

from numerics.deep.networks import layer_views
from numerics.deep.tangent_kernels import (
    gram_matrices,
    mixed_derivatives,
    operator_norms,
    traces,
)
from tests.numerics.deep.drawn import drawn_networks


def output(flat, widths, slope, x):
    weights, biases = layer_views(flat[None], widths)
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True), 1):
        x = weight[0] @ x + bias[0]
        if layer < len(weights):
            x = torch.where(x >= 0, x, slope * x)
    return x


def kernel(networks, c, x, y, biases):
    """Theta(x, y) by automatic differentiation in the parameters."""
    flat = networks.flat()[c]
    sides = [
        torch.func.jacrev(lambda p, v=v: output(p, networks.widths, networks.slopes[c], v))(flat)
        for v in (x, y)
    ]
    if not biases:
        keep = torch.zeros_like(flat)
        for weight in layer_views(keep[None], networks.widths)[0]:
            weight += 1
        sides = [side * keep for side in sides]
    return sides[0] @ sides[1].T


@settings(max_examples=25)
@given(drawn_networks(count=2))
@pytest.mark.parametrize("biases", [True, False])
def test_the_gram_matrix_is_that_of_autograd(biases, case):
    networks, points = case
    gram = gram_matrices(networks, points, biases=biases)
    d = networks.widths[-1]
    for c in range(networks.count):
        for i in range(2):
            for j in range(2):
                wanted = kernel(networks, c, points[c, i], points[c, j], biases)
                block = gram[c, i * d : (i + 1) * d, j * d : (j + 1) * d]
                torch.testing.assert_close(block, wanted)
    trace = gram.diagonal(dim1=1, dim2=2).sum(dim=1)
    torch.testing.assert_close(traces(networks, points, biases=biases).sum(dim=1), trace)


@settings(max_examples=25)
@given(drawn_networks(count=1))
def test_the_mixed_derivative_is_that_of_autograd(case):
    networks, points = case
    x = points[0, 0]
    theta = torch.func.jacrev(
        lambda p: torch.func.jacrev(lambda q: kernel(networks, 0, p, q, True))(x)
    )(x)  # [a, b, j, i]
    wanted = theta.permute(3, 0, 2, 1).reshape(2 * [x.numel() * networks.widths[-1]])
    torch.testing.assert_close(mixed_derivatives(networks, points)[0, 0], wanted)


@given(drawn_networks())
def test_the_operator_norm_is_enclosed(case):
    networks, points = case
    gram = gram_matrices(networks, points)
    ball = operator_norms(gram)
    wanted = torch.linalg.matrix_norm(gram, 2)
    assert bool(((ball.mid - wanted).abs() <= ball.rad + 1e-13 * wanted).all())
