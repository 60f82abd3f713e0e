from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given

from numerics.deep.families import low_rank
from numerics.deep.networks import DeepNetworks
from numerics.deep.rounding import (
    bounded_jacobians,
    certified_ranks,
    jacobian_spectrum,
    log_pseudo_determinant,
    schatten,
)
from numerics.spectra import UNDECIDED
from tests.numerics.deep.drawn import drawn_networks


def exact_jacobian(networks, number, point):
    """In rationals, and whether no pre-activation of a hidden layer is 0."""
    exact = np.vectorize(Fraction, otypes=[object])
    x, jacobian, clear = exact(point.numpy()), None, True
    for layer, weight in enumerate(networks.weights, start=1):
        w, b = exact(weight[number].numpy()), exact(networks.biases[layer - 1][number].numpy())
        z, jacobian = w @ x + b, w if jacobian is None else w @ jacobian
        if layer < networks.depth:
            slope = Fraction(float(networks.slopes[number]))
            slopes = np.array([Fraction(1) if v >= 0 else slope for v in z], dtype=object)
            clear = clear and all(v != 0 for v in z)
            x, jacobian = z * slopes, slopes[:, None] * jacobian
    return jacobian, clear


@given(drawn_networks(count=2))
def test_the_bound_holds_against_rationals(case):
    networks, points = case
    found = bounded_jacobians(networks, points)
    for c in range(networks.count):
        for n in range(2):
            wanted, clear = exact_jacobian(networks, c, points[c, n])
            error = float(found.errors[c, n])
            if np.isfinite(error):
                assert clear or networks.depth == 1
                gap = [Fraction(float(v)) for v in found.values[c, n].flatten()] - wanted.flatten()
                assert sum(g * g for g in gap) <= Fraction(error) ** 2
                assert error < 1e-10 * (1 + float(found.values[c, n].abs().max()))


def test_ranks_of_a_shared_path_are_certified():
    generator = torch.Generator().manual_seed(0)
    for rank in (1, 2, 3):
        networks = low_rank([5, 9, 9, 9, 4], 6, generator, rank=rank, slopes=1.0)
        found = jacobian_spectrum(bounded_jacobians(networks, torch.randn(3, 5).double()))
        assert certified_ranks(found).tolist() == [rank] * 18


def test_a_singular_value_in_the_gap_leaves_the_rank_undecided():
    weight = torch.diag(torch.tensor([1.0, 1e-9])).double()[None]
    networks = DeepNetworks((weight,), (torch.zeros(1, 2).double(),), torch.zeros(1).double())
    found = jacobian_spectrum(bounded_jacobians(networks, torch.zeros(1, 2)))
    assert certified_ranks(found).tolist() == [2]
    widened = replace(found, error=found.values[:, 1] / 3)
    assert certified_ranks(widened).tolist() == [UNDECIDED]
    assert not bool(schatten(widened, 0.5).decided.any())


def test_a_kink_leaves_everything_undecided():
    one, zero = torch.ones(1, 1, 1).double(), torch.zeros(1, 1).double()
    networks = DeepNetworks((one, one), (zero, zero), torch.zeros(1).double())
    found = jacobian_spectrum(bounded_jacobians(networks, torch.zeros(1, 1)))
    assert certified_ranks(found).tolist() == [UNDECIDED]


def test_norms_of_a_diagonal_matrix_by_hand():
    weight = torch.diag(torch.tensor([4.0, 9.0, 0.0])).double()[None]
    networks = DeepNetworks((weight,), (torch.zeros(1, 3).double(),), torch.zeros(1).double())
    found = jacobian_spectrum(bounded_jacobians(networks, torch.zeros(1, 3)))
    assert schatten(found, 0.5).value.item() == pytest.approx(5)
    assert log_pseudo_determinant(found).value.item() == pytest.approx(np.log(36))
    assert schatten(found, 0.5).error.item() < 1e-12
