from fractions import Fraction

import pytest
import torch
from torch.testing import assert_close

from graphs.exact import preactivations
from graphs.network import network
from numerics.curvature.architectures import Architecture, Layer, fully_connected
from numerics.curvature.conversion import from_network
from numerics.curvature.networks import draw, draw_masks
from numerics.curvature.passes import forward
from tests.numerics.curvature.drawn import networks_of, plain, points_of


def test_an_unlayered_graph_becomes_layers():
    graph = network(
        [("x", "a"), ("x", "b"), ("a", "b"), ("b", "o"), ("x", "o")], inputs=["x"], outputs=["o"]
    )
    networks = from_network(graph, [[2.0, 3.0, -1.0, 5.0, 7.0]])
    assert networks.architecture.widths == (1, 1, 1, 1)
    exact = preactivations(graph, [Fraction(w) for w in (2, 3, -1, 5, 7)], [Fraction(3)])
    found = forward(networks, torch.tensor([[3.0]], dtype=torch.float64)).preactivations[-1]
    assert exact[graph.index["o"]] == Fraction(found.item())


@pytest.mark.parametrize("name", ["connected", "dense", "some_sources", "skips", "skips_before"])
def test_values_are_those_of_a_loop_over_vertices(name):
    networks = networks_of(name, count=3, dropped=True)
    points = points_of(networks, 4)
    found = forward(networks, points).neurons[-1][:, 0]
    for seed in range(3):
        wanted = plain(networks, seed, networks.flat()[seed], points[seed], neurons=True)
        assert_close(found[seed], wanted, rtol=1e-12, atol=1e-13)


def test_draws_scale_with_the_in_degree_that_is_left():
    generator = torch.Generator().manual_seed(1)
    architecture = fully_connected([50, 400, 1], scaling="standard")
    masks = draw_masks(architecture, 1, 0.5, generator)
    networks = draw(architecture, 8, generator, masks=masks)
    rows = (networks.weights[0] ** 2).sum(dim=2).mean()
    assert abs(rows - 1) < 0.02
    assert 0.45 < masks[0].mean() < 0.55
    ntk = draw(fully_connected([50, 400, 1]), 8, generator)
    assert abs(ntk.weights[0].square().mean() - 1) < 0.02
    assert_close(ntk.matrices[0], ntk.weights[0] / 50**0.5)


def test_every_vertex_keeps_an_edge():
    architecture = fully_connected([3, 500, 1])
    masks = draw_masks(architecture, 2, 0.05, torch.Generator().manual_seed(2))
    assert masks[0].sum(dim=2).min() == 1


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="only earlier"):
        Architecture(2, (Layer(3, (1,)),))
    with pytest.raises(ValueError, match="no vertex 5"):
        Architecture(2, (Layer(1, (0,), "tanh", ((0, 5),)),))
    networks = networks_of("connected", dropped=True)
    with pytest.raises(ValueError, match="has a weight"):
        type(networks)(
            networks.architecture, tuple(w + 1 for w in networks.weights), networks.masks
        )
    with pytest.raises(ValueError, match="not 32"):
        networks.with_flat(torch.zeros(2, 31, dtype=torch.float64))
    shared = network(
        [("x", "a"), ("x", "b"), ("a", "o"), ("b", "o")],
        inputs=["x"],
        outputs=["o"],
        parameters={("x", "a"): "w", ("x", "b"): "w"},
    )
    with pytest.raises(ValueError, match="share parameters"):
        from_network(shared, [[1.0, 2.0, 3.0]])
