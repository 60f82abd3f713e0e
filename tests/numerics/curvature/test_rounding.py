"""The bounds against the same Hessians in exact arithmetic."""

from fractions import Fraction

import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.architectures import fully_connected
from numerics.curvature.families import fcn
from numerics.curvature.networks import draw
from numerics.curvature.norms import hessian_norms
from numerics.curvature.passes import at_each_point
from numerics.curvature.products import hessian_products, hessians
from numerics.curvature.rounding import absolute, enclosed, gamma, roundings
from numerics.curvature.shared_weights import conv1d
from numerics.curvature.wirings import points
from tests.numerics.curvature.drawn import architectures, generator, networks_of, points_of


def exact_products(networks, x, vector):
    """H v of f = W3 s3 q(W2 s2 q(W1 s1 x)), q(z) = z^2, with the stored factors s, as Fractions:
    by the coefficient of a b in f(w + a e_k + b v), two-sided differences of a polynomial."""
    shapes = networks.architecture.shapes
    flat = [Fraction(w) for w in networks.flat()[0].tolist()]
    move = [Fraction(v) for v in vector.tolist()]
    point = [Fraction(v) for v in x.tolist()]
    factors = [[Fraction(s) for s in scale[0].tolist()] for scale in networks.scales]

    # numbers c0 + c1 a + c2 b + c3 a b, to first order in each
    def times(p, q):
        return (
            p[0] * q[0],
            p[0] * q[1] + p[1] * q[0],
            p[0] * q[2] + p[2] * q[0],
            p[0] * q[3] + p[1] * q[2] + p[2] * q[1] + p[3] * q[0],
        )

    found = []
    for k in range(len(flat)):
        weights = [
            (w, Fraction(int(i == k)), v, Fraction(0))
            for i, (w, v) in enumerate(zip(flat, move, strict=True))
        ]
        values, at = [(v, Fraction(0), Fraction(0), Fraction(0)) for v in point], 0
        for layer, (rows, columns) in enumerate(shapes):
            after = []
            for i in range(rows):
                z = [Fraction(0)] * 4
                for j in range(columns):
                    term = times(weights[at + i * columns + j], values[j])
                    z = [a + b for a, b in zip(z, term, strict=True)]
                z = tuple(factors[layer][i] * part for part in z)
                after.append(z if layer == len(shapes) - 1 else times(z, z))
            values, at = after, at + rows * columns
        found.append(values[0][3])
    return found


def test_the_slack_covers_the_rounding_of_integers_scaled_to_be_exact_passes():
    """Weights and inputs that are multiples of 1/8, in-degrees 4 and 16: the pass is exact, so the
    rounding is that of the products alone, for vectors of full precision."""
    networks = draw(fully_connected([4, 4, 4, 1], "quadratic"), 1, generator(0))
    flat = (8 * networks.flat()).round().clamp(-16, 16) / 8
    networks = networks.with_flat(flat)
    x = (8 * points(4)).round() / 8
    found = at_each_point(networks, x)
    off = 0.0
    for seed in range(3):
        vector = torch.randn(1, 1, flat.shape[1], generator=generator(seed + 1)).double() / 3
        exact = exact_products(networks, x[0], vector[0, 0])
        computed = hessian_products(found, vector)[0, 0]
        slack = gamma(roundings(found)) * hessian_products(absolute(found), vector.abs())[0, 0]
        for one, two, bound in zip(computed.tolist(), exact, slack.tolist(), strict=True):
            assert abs(Fraction(one) - two) <= Fraction(bound)
            off = max(off, float(abs(Fraction(one) - two)))
    assert off > 0  # something has rounded


@pytest.mark.parametrize("name", architectures())
def test_absolute_values_dominate(name):
    networks = networks_of(name, dropped=True)
    found = at_each_point(networks, points_of(networks))
    size = networks.parameter_count
    vectors = torch.randn(2, 3, size, generator=generator(1)).double()
    whole = hessian_products(absolute(found), vectors.abs())
    assert bool((whole >= hessian_products(found, vectors).abs() * (1 - 1e-12)).all())
    assert roundings(found) > 2 * max(networks.architecture.widths)


@pytest.mark.parametrize("wiring", [fcn(20), conv1d(4, length=5)], ids=["fcn", "conv1d"])
def test_radii_hold_an_eigenvalue_and_lower_bounds_the_norm(wiring):
    networks = wiring.draw(2, generator(2))
    found = at_each_point(networks, points(networks.architecture.inputs, 2))
    norms = hessian_norms(found, generator(3), tolerance=1e-4)
    values = torch.linalg.eigvalsh(hessians(found))
    off = (values - norms.eigenvalue[..., None]).abs().amin(dim=2)
    assert bool((off <= norms.radius).all())
    assert bool((norms.radius <= 3e-4 * norms.eigenvalue.abs()).all())
    largest = values.abs().amax(dim=2)
    assert bool((norms.lower <= largest).all())
    assert_close(norms.lower, norms.eigenvalue.abs(), rtol=1e-7, atol=0)


def test_one_by_one_is_the_same(monkeypatch):
    networks = networks_of("dense", count=2)
    found = at_each_point(networks, points_of(networks, 3))
    vectors = torch.randn(2, 3, networks.parameter_count, generator=generator(1)).double()
    numbers = torch.randn(2, 3, generator=generator(2)).double()
    together = enclosed(found, vectors, numbers)
    monkeypatch.setattr("numerics.curvature.rounding.TOGETHER", 10)
    for one, two in zip(enclosed(found, vectors, numbers), together, strict=True):
        assert_close(one, two, rtol=1e-12, atol=0)


def test_a_vector_that_is_none_shows_in_the_radius():
    networks = fcn(12).draw(1, generator(4))
    found = at_each_point(networks, points(8))
    dense = hessians(found)[0, 0]
    values, vectors = torch.linalg.eigh(dense)
    between = (vectors[:, -1] + vectors[:, 0])[None, None] / 2**0.5
    radius, lower = enclosed(found, between, values[-1:][None])
    assert radius[0, 0] >= 0.9 * (values[-1] - values[0]) / 2**0.5
    assert lower[0, 0] <= values.abs().max()
    nothing = enclosed(found, torch.zeros_like(between), values[-1:][None])
    assert torch.isinf(nothing[0]).all()
    assert not nothing[1].any()
