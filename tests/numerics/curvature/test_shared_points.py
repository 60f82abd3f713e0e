"""Short vectors where weights are shared, beside the operator on all weights and dense Hessians."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.architectures import Architecture, Layer
from numerics.curvature.lanczos import lanczos
from numerics.curvature.networks import draw
from numerics.curvature.norms import hessian_norms, leading
from numerics.curvature.operators import FullHessians
from numerics.curvature.passes import Objective, at_each_point, backward, forward
from numerics.curvature.products import hessian_products, hessians
from numerics.curvature.shared_points import SharedPointHessians, one_graph
from numerics.curvature.shared_weights import conv1d, shared
from numerics.curvature.wirings import points
from tests.numerics.curvature.drawn import generator


def by_hand():
    """A vertex that uses a weight twice, a layer that reads inputs beside another, a skip, and an
    edge that is not there."""
    layers = (
        Layer(3, (0,), "tanh"),
        Layer(2, (0, 1), "softplus", ((1, 2), (0, 1))),
        Layer(2, (1, 2), "sin"),
    )
    first = torch.tensor([[[0, 0], [0, 1], [1, 2]]])
    second = torch.tensor([[[0, 1, 2, 2, 3], [1, 1, 3, -1, 0]]])
    mask = (second >= 0).double()
    architecture = Architecture(2, layers)
    return draw(architecture, 2, generator(1), masks=(None, mask, None), ties=(first, second, None))


def networks_of(name):
    if name == "by_hand":
        return by_hand()
    wiring = {
        "shared": lambda: shared(3, 3, generator(7), depth=3, inputs=3),
        "deep": lambda: shared(2, 2, generator(8), depth=4, inputs=2, activation="softplus"),
        "conv1d": lambda: conv1d(2, length=4, depth=3, outputs=2, output="tanh"),
        "channels": lambda: conv1d(2, window=3, length=3, input_channels=2, depth=4),
    }[name]()
    return wiring.draw(2, generator(3))


NAMES = ("by_hand", "shared", "deep", "conv1d", "channels")


def short_of(name, **where):
    networks = networks_of(name)
    x = points(networks.architecture.inputs, 2, seed=4)
    return SharedPointHessians(at_each_point(networks, x, **where))


@pytest.mark.parametrize("name", NAMES)
def test_the_gram_matrix_is_that_of_the_map_to_weights(name):
    operator = short_of(name)
    unit = torch.eye(operator.size, dtype=torch.float64)
    lanes = [vector.expand(*operator.lanes, -1) for vector in unit]
    images = torch.stack([operator.weights_of(vector) for vector in lanes], dim=2)
    grams = torch.stack([operator.gram(vector) for vector in lanes], dim=2)
    # but in place of inputs, where coordinates count for nothing
    counted = (operator.weights > 0).double()
    wanted = (images @ images.mT) * counted[..., None] * counted[..., None, :]
    assert_close(grams * counted[..., None], wanted, rtol=1e-12, atol=1e-13)
    draws = torch.randn(2, 2, operator.dimension, generator=generator(5)).double()
    across = torch.stack([(image * draws).sum(dim=2) for image in images.unbind(2)], dim=2)
    assert_close(operator.transposed(draws) * counted, across * counted, rtol=1e-12, atol=1e-13)
    full = hessian_products(operator.found, draws)
    assert_close(operator.weights_of(operator.image(draws)), full, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("neurons", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_both_lanczos_have_the_norms_of_dense_hessians(name, neurons):
    compiled = pytest.importorskip("numerics.curvature.compiled", reason="needs numba")
    for layer in range(2, networks_of(name).architecture.depth + 1):
        operator = short_of(name, layer=layer, vertex=1 if layer == 2 else 0, neurons=neurons)
        dense = hessians(operator.found)
        wanted = torch.linalg.matrix_norm(dense, ord=2)
        assert wanted.min() > 1e-5
        for run in (compiled.compiled_lanczos, lanczos):
            ritz = run(operator, operator.start(generator(layer)), tolerance=1e-9)
            assert_close(ritz.value.abs(), wanted, rtol=1e-11, atol=0)
            vectors = operator.weights_of(ritz.vectors)
            moved = (dense @ vectors[..., None])[..., 0]
            assert_close(moved, ritz.value[..., None] * vectors, rtol=0, atol=1e-8)


def test_larger_ones_agree_with_all_weights():
    for wiring in (conv1d(12, length=6, depth=4), shared(8, 4, generator(1))):
        networks = wiring.draw(2, generator(2))
        found = at_each_point(networks, points(networks.architecture.inputs, 2))
        one = leading(FullHessians(found), generator(3), tolerance=1e-8)
        two = lanczos(FullHessians(found), FullHessians(found).start(generator(3)))
        assert_close(one.value, two.value, rtol=1e-10, atol=0)
        assert_close(one.vectors.norm(dim=2), torch.ones(2, 2).double(), rtol=1e-9, atol=0)
        rest = hessian_products(found, one.vectors) - one.value[..., None] * one.vectors
        assert_close(rest.norm(dim=2), one.residual, rtol=1e-3, atol=1e-13)
        assert bool((one.residual <= 2e-8 * one.value.abs()).all())


def test_each_network_may_have_its_own_graph():
    """Then the operator on all weights runs."""
    wirings = [shared(3, 2, generator(seed), inputs=3) for seed in (1, 2)]
    masks, ties = (
        tuple(
            None if one is None else torch.cat([one, two])
            for one, two in zip(*(getattr(wiring, kind) for wiring in wirings), strict=True)
        )
        for kind in ("masks", "ties")
    )
    networks = replace(wirings[0], masks=masks, ties=ties).draw(2, generator(3))
    found = at_each_point(networks, points(3))
    assert not one_graph(found)
    assert one_graph(at_each_point(wirings[0].draw(2, generator(3)), points(3)))
    norms = hessian_norms(found, generator(4))
    wanted = torch.linalg.matrix_norm(hessians(found), ord=2)
    assert_close(norms.eigenvalue.abs(), wanted, rtol=1e-9, atol=0)


def test_a_hessian_of_zero_and_several_points():
    networks = networks_of("conv1d")
    x = points(networks.architecture.inputs, 3)
    assert not hessian_norms(at_each_point(networks, x, layer=1), generator()).eigenvalue.any()
    together = forward(networks, x)
    ones = torch.ones(2, dtype=torch.float64)
    found = backward(together, Objective(3, ones))
    assert not one_graph(found)
    with pytest.raises(ValueError, match="3 points"):
        SharedPointHessians(found)
