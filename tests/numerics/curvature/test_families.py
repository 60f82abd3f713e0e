import numpy as np
import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.families import (
    densenet,
    densenet_drop,
    fcn,
    power,
    random_dag,
)
from numerics.curvature.norms import hessian_norms, operator_of
from numerics.curvature.passes import at_each_point, forward
from numerics.curvature.products import hessians
from numerics.curvature.shared_weights import conv1d, shared
from numerics.curvature.variations import skip
from numerics.curvature.wirings import Wiring, generator_of, points
from tests.numerics.curvature.drawn import dense, generator


def dead_ends(wiring):
    """How many vertices before layer L nothing reads and nothing skips from, over all graphs.
    Zhu, Liu and Belkin 2022, Definition 2.5, would call them outputs."""
    architecture, found = wiring.architecture, 0
    for layer in range(1, architecture.depth):
        used = torch.zeros(1, architecture.widths[layer], dtype=torch.bool)
        for later in range(layer + 1, architecture.depth + 1):
            places = wiring.columns(later)
            if layer in places:
                used = used | (wiring.mask(later)[:, :, places[layer]] > 0).any(dim=1)
            for source, vertex in architecture.layers[later - 1].skips:
                if source == layer:
                    used[:, vertex] = True
        found += int((~used).sum())
    return found


def small():
    """One of each family and variation, small enough for dense autograd."""
    one = fcn(3, depth=3, inputs=2)
    return {
        "fcn": one,
        "unequal": fcn(2, powers=(1, 2, 1.5), inputs=2, activation="softplus"),
        "densenet": densenet(3, depth=3, inputs=2, outputs=2),
        "densenet_drop": densenet_drop(3, 2, generator(), depth=4, inputs=2),
        "random_dag_1": random_dag(3, 2, generator(1), most=1, depth=4, inputs=2),
        "random_dag_2": random_dag(3, 2, generator(2), most=2, depth=3, inputs=2),
        "several_outputs": random_dag(2, 2, generator(3), most=1.5, depth=3, outputs=3),
        "index": skip(fcn(3, depth=4, inputs=2), "index"),
        "random": skip(densenet_drop(3, 2, generator(5), depth=4), "random", generator(6)),
        "one": skip(one, "one", skip_from="preactivations"),
        "from_inputs": skip(one, "inputs"),
        "nonlinear_output": fcn(3, inputs=2, output="tanh"),
        "shared": shared(2, 3, generator(7), depth=3, inputs=3),
        "shared_deep": shared(2, 2, generator(8), depth=4, inputs=2, activation="softplus"),
        "conv1d": conv1d(2, length=4, depth=3, outputs=2),
        "conv1d_deep": conv1d(2, window=3, length=3, input_channels=2, depth=4),
    }


@pytest.mark.parametrize("name", small())
def test_hessians_are_those_of_autograd(name):
    """With respect to the distinct weights: T^T H T of the Hessian over edges."""
    wiring = small()[name]
    networks = wiring.draw(2, generator(10))
    x = points(networks.architecture.inputs, 2)
    neurons = name == "nonlinear_output"
    found = at_each_point(networks, x, neurons=neurons)
    computed = hessians(found)
    unit = torch.eye(networks.parameter_count, dtype=torch.float64).expand(2, -1, -1)
    tied = torch.cat([part.flatten(2) for part in networks.spread(unit)], dim=2)
    for seed in range(2):
        for n in range(2):
            wanted = dense(networks, seed, x[n : n + 1], lambda v: v[0, 0], neurons=neurons)
            wanted = tied[seed] @ wanted @ tied[seed].mT
            assert_close(computed[seed, n], wanted, rtol=1e-11, atol=1e-12)
            assert wanted.abs().max() > 1e-4
    norms = hessian_norms(found, generator(11))
    wanted = torch.linalg.matrix_norm(computed, ord=2)
    assert_close(norms.eigenvalue.abs(), wanted, rtol=1e-9, atol=0)
    assert bool((norms.upper >= wanted * (1 - 1e-13)).all())


@pytest.mark.parametrize(
    "name", [name for name in small() if name not in ("densenet_drop", "random")]
)
def test_every_vertex_is_read_and_inner_in_degrees_are_positive(name):
    wiring = small()[name]
    assert dead_ends(wiring) == 0
    for layer in range(1, wiring.architecture.depth + 1):
        assert wiring.degrees(layer).min() >= 1


def test_sizes_and_widths():
    assert fcn(8, powers=(1, 2, 1.5)).architecture.widths == (8, 8, 64, 23, 1)
    assert fcn(8, powers=(1, 2, 1)).width() == 8
    assert fcn(8, powers=(2, 1)).width() == 8
    assert fcn(8, powers=(2, 1)).width(output=False) == 64
    assert fcn(8, depth=2).width(output=False) is None
    assert densenet(8, depth=4, inputs=3).width() == 11
    assert conv1d(8, window=3, length=6).width() == 24
    assert shared(8, 3, generator()).width() == 8
    assert [power(m, 1.5) for m in (16, 64, 256)] == [64, 512, 4096]


def test_what_families_share_reaches_the_architecture():
    options = {"inputs": 3, "outputs": 2, "activation": "sin", "output": "tanh"}
    found = densenet(4, depth=4, scaling="standard", **options).architecture
    assert found.widths == (3, 4, 4, 4, 2)
    assert [layer.activation for layer in found.layers] == ["sin", "sin", "sin", "tanh"]
    assert found.scaling == "standard"
    assert conv1d(4, length=5, depth=2).architecture.widths == (5, 20, 1)
    with pytest.raises(TypeError, match="inputs"):
        conv1d(4, inputs=3)  # the length gives them
    with pytest.raises(TypeError, match="width"):
        fcn(4, width=3)


def test_dropped_edges_leave_about_their_share():
    wiring = densenet_drop(64, 4, generator(), keep=0.5, depth=4)
    for layer in range(2, 5):
        share = wiring.degrees(layer).mean() / wiring.architecture.shapes[layer - 1][1]
        assert 0.45 < share < 0.55
    assert 64 / 4 < wiring.width() < 64 * 0.6


@pytest.mark.parametrize("most", [1, 1.5, 2])
@pytest.mark.parametrize("depth", [3, 4])
def test_random_graphs_have_the_in_degrees_asked_for(most, depth):
    m = 12
    wiring = random_dag(m, 3, generator(depth), most=most, depth=depth)
    assert wiring.width() == m
    assert dead_ends(wiring) == 0
    for layer in range(2, depth + 1):
        degrees = wiring.degrees(layer)
        assert degrees.min() >= m
        assert degrees.max() <= m**most + 1
        just_before = wiring.mask(layer)[:, :, wiring.columns(layer)[layer - 1]]
        assert just_before.sum(dim=2).min() >= 1
    if most > 1 and depth == 3:
        degrees = wiring.degrees(2)
        assert degrees.max() > m ** (1 + 0.6 * (most - 1))
        assert not torch.equal(degrees[0], degrees[1])
    masks = wiring.mask(depth)
    assert not torch.equal(masks[0], masks[1])


def test_parents_are_spread_evenly():
    """Over many graphs each vertex of the pool is a parent about equally often, but for the bias of
    the one that stands in the layer just before."""
    wiring = random_dag(16, 100, generator(5), most=1, depth=3, inputs=8)
    share = wiring.mask(2).mean(dim=(0, 1))
    # one of the last sixteen, then 15 of the other 23
    assert abs(share[:8].mean() - 15 / 23) < 0.03
    assert abs(share[8:].mean() - (1 / 16 + 15 / 16 * 15 / 23)) < 0.03
    assert share[8:].std() < 0.06


def test_skips_go_where_they_should():
    base = fcn(4, depth=4)
    found = skip(base, "index").architecture
    assert found.layers[1].skips == ((1, 0), (1, 1), (1, 2), (1, 3))
    assert not found.layers[0].skips
    assert not found.layers[3].skips
    assert set(skip(base, "one").architecture.layers[2].skips) == {(1, 0)}
    chosen = skip(base, lambda layer, vertex: (layer - 2, 3 - vertex)).architecture
    assert chosen.layers[2].skips == ((1, 3), (1, 2), (1, 1), (1, 0))
    with pytest.raises(ValueError, match="generator"):
        skip(base, "random")


def convolved(flat, x, channels, window):
    """(N,): the output of a network of two convolutions from inputs (N, 2, Q), by torch."""
    hidden, before = x, 2
    for _ in range(2):
        size = channels * before * window
        weight, flat = flat[:size].view(channels, before, window), flat[size:]
        z = torch.nn.functional.conv1d(hidden, weight, padding=window // 2)
        hidden, before = torch.tanh(z / (before * window) ** 0.5), channels
    return hidden.flatten(1) @ flat / hidden[0].numel() ** 0.5


@pytest.mark.parametrize(("window", "length", "channels"), [(3, 6, 4), (5, 8, 2), (1, 3, 3)])
def test_convolutions_are_those_of_torch(window, length, channels):
    wiring = conv1d(channels, window=window, length=length, input_channels=2, depth=3)
    networks = wiring.draw(2, generator(1))
    x = points(networks.architecture.inputs, 5)
    found = forward(networks, x).preactivations[-1][:, 0, :, 0]
    curved = hessians(at_each_point(networks, x[:1]))[:, 0]
    for seed in range(2):

        def function(flat, x=x):
            return convolved(flat, x.view(-1, 2, length), channels, window)

        flat = networks.flat()[seed]
        assert_close(found[seed], function(flat), rtol=1e-12, atol=1e-13)
        wanted = torch.autograd.functional.hessian(lambda w: function(w, x[:1])[0], flat)
        assert_close(curved[seed], wanted, rtol=1e-11, atol=1e-12)


def test_shared_vectors_are_used_as_often_as_asked():
    wiring = shared(5, 3, generator(2), depth=3, inputs=4)
    networks = wiring.draw(2, generator(3))
    assert networks.distinct == (5 * 4, 5 * 5, 15)
    for layer in (1, 2):
        numbers = wiring.ties[layer - 1][0]
        counts = torch.bincount(numbers[numbers >= 0])
        assert counts.tolist() == [3] * len(counts)
        # the three places of a vector read different vertices, or the same in another order
        assert not torch.equal(numbers[0], numbers[1])
    one = shared(5, 1, generator(2), inputs=4)
    assert one.draw(1, generator(3)).parameter_count == 20 + 25 + 5


def test_flat_and_back():
    networks = conv1d(2, length=4).draw(3, generator(1))
    again = networks.with_flat(networks.flat())
    for one, two in zip(again.weights, networks.weights, strict=True):
        assert torch.equal(one, two)
    some = networks.at([2, 0])
    assert torch.equal(some.flat(), networks.flat()[[2, 0]])
    vectors = torch.randn(3, networks.parameter_count, generator=generator(2)).double()
    parts = [torch.randn(w.shape, generator=generator(3)).double() for w in networks.weights]
    left = sum(
        (a * b).sum() for a, b in zip(networks.spread(vectors), parts, strict=True)
    )  # <T v, M> = <v, T^T M>
    assert_close(left, (vectors * networks.collected(parts)).sum(), rtol=1e-12, atol=0)


def test_ties_that_do_not_fit_are_refused():
    networks = conv1d(2, length=4).draw(1, generator(1))
    weights = list(networks.weights)
    weights[1] = weights[1] * torch.rand(weights[1].shape, generator=generator(2)).double()
    with pytest.raises(ValueError, match="differ"):
        type(networks)(networks.architecture, tuple(weights), networks.masks, networks.ties)
    ties = list(networks.ties)
    ties[1] = torch.where(ties[1] == 3, -1, ties[1])
    with pytest.raises(ValueError, match="not there"):
        type(networks)(networks.architecture, networks.weights, networks.masks, tuple(ties))
    assert operator_of(at_each_point(networks, points(4))).size == networks.parameter_count


def test_points_are_bounded_and_fixed():
    for kind in ("uniform", "signs"):
        x = points(6, 50, kind)
        assert x.abs().max() <= 1
        assert torch.equal(x, points(6, 50, kind))
    assert points(6, 50, "signs").abs().min() == 1
    assert points(6, 500, "gaussian").abs().max() > 2
    with pytest.raises(ValueError, match="uniform, signs"):
        points(6, kind="other")
    one, two = (generator_of(np.random.default_rng(s)).initial_seed() for s in (1, 2))
    assert one != two


def test_two_layers_are_too_few_for_a_random_graph():
    with pytest.raises(ValueError, match="3 at least"):
        random_dag(8, 1, generator(), depth=2)


def test_a_wiring_draws_a_graph_for_each_network():
    wiring = random_dag(4, 3, generator(1))
    assert isinstance(wiring, Wiring)
    networks = wiring.draw(3, generator(2))
    assert networks.count == 3
    with pytest.raises(ValueError, match="3 graphs for 2"):
        wiring.draw(2, generator(2))
