"""Theorem E.1 along ladders."""

from fractions import Fraction

import numpy as np
import pytest
import torch

from numerics.curvature.balls import Vertex
from numerics.curvature.products import hessians
from numerics.curvature.wirings import generator_of, points
from verify.papers.zlb22.ladders import BALL, CENTRE
from verify.papers.zlb22.shared_weights import AS_MANY, CLAIMS, CONSTANT, Sharing, measured


@pytest.mark.parametrize("arm", [*CONSTANT, AS_MANY], ids=lambda arm: arm.name)
def test_norms_are_those_of_dense_hessians_by_the_distinct_weights(arm):
    width, seeds = 3, 2
    found = measured(arm, width, seeds, np.random.default_rng(3))
    own = generator_of(np.random.default_rng(3))
    arm.wiring(width, 1, own)  # the size is asked for first
    networks = arm.wiring(width, seeds, own).draw(seeds, own)
    target = Vertex(points(arm.inputs, 1, "uniform"))
    dense = hessians(target.at(networks))[:, 0]
    assert dense.shape[-1] == networks.parameter_count < networks.architecture.parameter_count
    norms = torch.linalg.matrix_norm(dense, ord=2)
    assert torch.allclose(torch.from_numpy(found[CENTRE]), norms, rtol=1e-2)
    assert (found[BALL] >= found[CENTRE]).all()


def test_places_grow_where_they_should():
    own = torch.Generator().manual_seed(0)
    growing = Sharing("tanh", 1, Fraction(1, 2))
    assert growing.wiring(16, 1, own).architecture.widths == (4, 64, 64, 1)
    assert growing.wiring(25, 1, own).architecture.widths == (4, 125, 125, 1)
    assert Sharing("tanh", 2).wiring(16, 1, own).architecture.widths == (4, 32, 32, 1)


def test_the_competing_exponent_is_named():
    for claim in CLAIMS:
        assert claim.exponents is not None
        for said in claim.exponents.predicted:
            assert said.borders == (None, Fraction(-3, 8))
