"""What a Cholesky factorisation shows, and what is added for rounding, by hand."""

import numpy as np
import pytest
import torch

from numerics.conversion import UNIT
from numerics.curvature import norms
from numerics.curvature.families import fcn
from numerics.curvature.norms import certified_norm
from numerics.curvature.passes import at_each_point
from numerics.curvature.wirings import points


def test_a_factorisation_leaves_its_own_rounding_open():
    """Of I, n = 3: g trace with g = 4 u / (1 - 4 u) and trace 3, so 12 u at least."""
    zero = torch.zeros(3, 3, dtype=torch.float64)
    found = norms._semidefinite(zero, 1.0)
    assert found >= 1 + 12 * UNIT
    assert found < 1 + 64 * UNIT


def test_a_matrix_that_is_not_symmetric_is_bounded_by_all_of_it():
    """diag(2, 1) and a part [[0, 1/2], [-1/2, 0]] of Frobenius norm 1/sqrt 2."""
    matrix = torch.tensor([[2.0, 0.5], [-0.5, 1.0]], dtype=torch.float64)
    found = certified_norm(matrix, 2.0)
    assert found == pytest.approx(2 + np.sqrt(0.5), rel=1e-6)
    assert found >= 2 + np.sqrt(0.5)


def test_a_guess_that_is_too_small_does_not_pass():
    """Of diag(2, -2): both c I - B and c I + B must have a factorisation."""
    for entries in ((2.0, -1.0), (1.0, -2.0)):
        matrix = torch.diag(torch.tensor(entries, dtype=torch.float64))
        assert norms._semidefinite(matrix, 1.9) == float("inf")
        assert certified_norm(matrix, 1.0) >= 2


def test_without_a_certificate_the_stated_rounding_is_taken_off():
    networks = fcn(4, inputs=3).draw(2, torch.Generator().manual_seed(0))
    found = norms.hessian_norms(
        at_each_point(networks, points(3)), torch.Generator(), certificate=norms.NOTHING
    )
    magnitude = found.eigenvalue.abs()
    assert (found.rounding >= 4 * UNIT * magnitude).all()
    torch.testing.assert_close(found.lower, magnitude - found.rounding, rtol=0, atol=0)
    torch.testing.assert_close(found.radius, found.residual + found.rounding, rtol=0, atol=0)
    assert torch.isinf(found.upper).all()
