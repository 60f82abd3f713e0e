"""Derivatives, variances and blocks, layer by layer, against autograd-free counterparts by hand."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch

from numerics.curvature.families import densenet, densenet_drop, fcn, random_dag
from numerics.curvature.passes import at_each_point
from numerics.curvature.products import hessians
from numerics.curvature.wirings import points
from tests.numerics.curvature.drawn import jacobian
from verify.kinds.statistics.exponents import Exponents
from verify.papers.registry import find
from verify.papers.zlb22 import ladders, layer_norms, layer_rates
from verify.papers.zlb22.layer_norms import LayerPass

DEPTH, INPUTS, SEEDS = 3, 4, 2
POINT = points(INPUTS, 1, "uniform")
MORE = {"depth": DEPTH, "inputs": INPUTS}
KINDS = ("fcn", "densenet", "dropped", "random")


def drawn(kind):
    generator = torch.Generator().manual_seed(3)
    wiring = {
        "fcn": lambda: fcn(5, **MORE),
        "densenet": lambda: densenet(4, **MORE),
        "dropped": lambda: densenet_drop(8, SEEDS, generator, **MORE),
        "random": lambda: random_dag(4, SEEDS, generator, most=1.5, **MORE),
    }[kind]()
    return wiring.draw(SEEDS, generator)


def of_layer(networks, layer):
    """The places of a layer's weights in flat vectors."""
    ends = [0, *np.cumsum(networks.distinct)]
    return slice(int(ends[layer - 1]), int(ends[layer]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [1, 2])
def test_derivatives_of_incoming_neurons(kind, start):
    networks = drawn(kind)
    at = LayerPass(networks, POINT)
    rows = [
        jacobian(networks, POINT, layer=source, vertex=v, neurons=True)[:, 0]
        * read[:, v].expand(SEEDS)[:, None]
        for source, read in at.parents(DEPTH)
        if source >= start
        for v in range(networks.architecture.widths[source])
    ]
    whole = torch.stack(rows, dim=1)[:, :, of_layer(networks, start)]
    found = at.incoming(DEPTH, start)
    torch.testing.assert_close(found @ found.mT, whole @ whole.mT)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [1, 2])
def test_derivatives_by_neurons_below(kind, start):
    networks = drawn(kind)
    back = at_each_point(networks, POINT, layer=DEPTH).upstream[start - 1]
    found = LayerPass(networks, POINT).upward(DEPTH, start)
    torch.testing.assert_close(found, back[:, 0, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_of_the_hessian(kind, monkeypatch):
    monkeypatch.setattr(layer_norms, "POWER_STEPS", 200)
    networks = drawn(kind)
    at = LayerPass(networks, POINT)
    whole = hessians(at_each_point(networks, POINT, layer=DEPTH))[:, 0]
    best = torch.zeros(SEEDS, dtype=torch.float64)
    for first in (1, 2):
        for second in range(first, DEPTH + 1):
            block = whole[:, of_layer(networks, first), of_layer(networks, second)]
            ratio = torch.linalg.matrix_norm(block, 2) * at.least(first + 1, DEPTH).sqrt()
            best = torch.maximum(best, ratio)
    found = layer_norms.largest_block(at, DEPTH, torch.Generator().manual_seed(0))
    torch.testing.assert_close(found, best, rtol=1e-4, atol=0)


def test_the_variance_by_its_definition():
    networks = drawn("fcn")
    at = LayerPass(networks, POINT)
    layer, middle, width = 3, 2, 5
    found = list(layer_norms.variances(at, layer))
    seed = 1
    gradients = {
        start: torch.stack(
            [
                jacobian(networks, POINT, layer=middle, vertex=v)[
                    seed, 0, of_layer(networks, start)
                ]
                for v in range(width)
            ]
        )
        for start in (1, 2)
    }
    bends = at.bends(middle)[seed]
    sizes = []
    for one, two in ((1, 2), (2, 1)):
        total = sum(
            bends[i] ** 2
            * gradients[two][i].square().sum()
            * torch.outer(gradients[one][i], gradients[one][i])
            for i in range(width)
        )
        sizes.append(torch.linalg.matrix_norm(total, 2))
    expected = max(sizes) / width * width  # over the in-degree, times the least in-degree
    values = [float(value[seed]) for value in found]
    assert any(abs(value - float(expected)) < 1e-12 for value in values)
    assert len(values) == 3  # the pairs (1, 1), (1, 2), (2, 2)


def test_the_bound_on_the_variance_begins_above_the_lower_layer():
    """In-degrees 4, 2, 5 and 4 from layer 1 on: for the pair (l1, l2) of layers below layer 4 the
    least in-degree is that of the layers l1 + 1 to 4, whatever l2 is."""
    networks = fcn(2, depth=4, inputs=INPUTS, powers=(1, 5**0.5, 2)).draw(1, torch.Generator())
    assert networks.architecture.widths == (4, 2, 5, 4, 1)
    at = LayerPass(networks, POINT)
    found = [float(value) for value in layer_norms.variances(at, 4)]
    gradients = [at.chain(start)[3][0] * at.weight_factors(start)[0] for start in (1, 2, 3)]
    expected, bends = [], at.bends(3)[0]
    for one, two in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
        nu = 0.0
        for inner, outer in ((one, two), (two, one)):
            rows = bends[:, None] * gradients[outer].norm(dim=1, keepdim=True) * gradients[inner]
            nu = max(nu, float(torch.linalg.matrix_norm(rows, 2)) ** 2 / 4)
        expected.append(nu * min((2, 5, 4)[one:]))
    assert found == pytest.approx(expected)


def test_one_hidden_layer_by_hand():
    """f = m^(-1/2) sum v_i sigma(u_i.x / sqrt d): df_S/du is block diagonal."""
    width = 6
    networks = fcn(width, depth=2, inputs=INPUTS).draw(SEEDS, torch.Generator().manual_seed(0))
    z = (networks.weights[0] @ POINT[0]) / INPUTS**0.5
    slopes = 1 - z.tanh().square()
    length = POINT[0].norm() / INPUTS**0.5
    found = layer_norms.measured(networks, POINT, torch.Generator(), blocks=False)
    torch.testing.assert_close(found[layer_norms.SPECTRAL], slopes.amax(dim=1) * length)
    rooted = slopes.norm(dim=1) * length / width**0.5
    torch.testing.assert_close(found[layer_norms.FROBENIUS], rooted)
    torch.testing.assert_close(found[layer_norms.NEURONS], z.tanh().abs().amax(dim=1))
    torch.testing.assert_close(found[layer_norms.INCOMING], z.tanh().norm(dim=1) / width**0.5)
    bends = (-2 * z.tanh() * slopes).square().amax(dim=1)
    torch.testing.assert_close(found[layer_norms.VARIANCE], bends * length**4)


def test_the_same_weights_everywhere_are_noticed():
    """With one weight vector for all neurons of layer 2 the spectral norm grows like sqrt(m)."""
    ratios = []
    for width in (16, 64):
        generator = torch.Generator().manual_seed(0)
        networks = fcn(width, depth=3, inputs=INPUTS, activation="linear").draw(8, generator)
        weights = list(networks.weights)
        weights[1] = weights[1][:, :1].expand(-1, width, -1).contiguous()
        tied = replace(networks, weights=tuple(weights))
        found = [
            layer_norms.measured(one, POINT, generator, blocks=False)[layer_norms.SPECTRAL]
            for one in (networks, tied)
        ]
        ratios.append([float(value.log().mean()) for value in found])
    usual, tied = (np.diff(column)[0] / np.log(4) for column in zip(*ratios, strict=True))
    assert usual < 0.25 < tied


def test_many_fixed_matrices_are_looked_at():
    weights = torch.tensor([[3.0, -4.0]], dtype=torch.float64)
    neurons = torch.tensor([[1.0, -1.0]], dtype=torch.float64)
    assert float(layer_norms.largest_series(weights, neurons)) == pytest.approx(7)


# what is drawn ------------------------------------------------------------------------------------
@pytest.mark.parametrize("blocks", [False, True])
def test_every_quantity_is_measured(blocks):
    family = layer_rates.families_of(0, blocks=blocks)[0]
    values = family.values(8, 3, np.random.default_rng(0))
    names = set(layer_rates.NAMES.values()) - (set() if blocks else {layer_norms.BLOCKS})
    plain = {name.removesuffix(layer_norms.INCLUDED) for name in names}
    assert set(values) == names | plain
    assert all(value.shape == (3,) and (value > 0).all() for value in values.values())


@pytest.mark.parametrize("quantity", sorted(layer_rates.NAMES))
def test_names_agree(quantity):
    assert layer_rates.INCLUDED == layer_norms.INCLUDED
    name = layer_rates.NAMES[quantity].removesuffix(layer_norms.INCLUDED)
    assert name in vars(layer_norms).values()


def test_printed_powers_of_the_logarithm():
    networks, radius = drawn("fcn"), 2.0
    point = ladders.target_of().points
    generator = torch.Generator().manual_seed(0)
    found = layer_norms.measured(networks, point, generator, radius=radius, blocks=False)
    at = LayerPass(networks, point)
    logarithm = np.log(float(at.degrees(2).min())) + radius
    sizes = [at.neurons(k).abs().amax(dim=1) / logarithm**k for k in range(1, at.depth)]
    largest = torch.stack(sizes).amax(dim=0)
    torch.testing.assert_close(found[layer_norms.NEURONS + layer_norms.INCLUDED], largest)
    last = at.upward(at.depth, at.depth - 1)
    assert at.depth == 3
    series = [
        layer_norms.largest_series(last, at.neurons(2)) / logarithm,
        layer_norms.largest_series(at.upward(3, 1), at.neurons(1)) / logarithm**2,
        layer_norms.largest_series(at.upward(2, 1), at.neurons(1)) / logarithm,
    ]
    largest = torch.stack(series).amax(dim=0)
    torch.testing.assert_close(found[layer_norms.SERIES + layer_norms.INCLUDED], largest)


def test_displacements_have_the_length_of_the_ball():
    networks = drawn("fcn")
    generator = torch.Generator().manual_seed(0)
    moves = layer_rates.chosen_after(networks, ladders.target_of(), 2.0, generator)
    assert len(moves) > 2
    for move in moves:
        torch.testing.assert_close(move.norm(dim=1), torch.full((SEEDS,), 2.0).double())


@pytest.mark.parametrize(
    "name", ["lemB.1.spectral", "lemB.1.frobenius", "lemB.2", "lemK.3", "lemK.9", "lemK.10"]
)
def test_each_lemma_names_its_rival(name):
    measured = find(f"zlb22.{name}@A").exponents
    assert isinstance(measured, Exponents)
    (said,) = measured.predicted
    assert said.exponent == 0
    assert said.above == Fraction(1, 4)
