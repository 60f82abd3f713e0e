"""Copies that read the same: the exponents against Hessians of drawn sizes."""

from fractions import Fraction

import pytest
import torch

from graphs.arithmetic import RATIONALS, as_fraction
from verify.deep_scene import RealTensors
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import tensor

CLAIM = "zlb22.thmE.1.copies"


def norm(weights: int, copies: int) -> float:
    """|H| of f = m^(-1/2) sum_k u_k sum_t v_kt by the distinct weights, m = weights * copies."""

    def value(flat):
        u, v = flat[:weights], flat[weights:].view(weights, copies)
        return (u[:, None] * v).sum() / (weights * copies) ** 0.5

    at = torch.randn(weights * (1 + copies), generator=torch.Generator().manual_seed(0)).double()
    return float(torch.linalg.matrix_norm(torch.autograd.functional.hessian(value, at), ord=2))


@pytest.mark.parametrize(("p", "a"), [(1, 0), (0, 1), (1, 1), (2, 1)])
def test_the_exponents_are_those_of_the_norm(p, a):
    """M = 3: |H| = M^(-p/2), and m = M^(p + a)."""
    assert norm(3**p, 3**a) == pytest.approx(3 ** (-p / 2))
    arrays = {"p": tensor((), Fraction(p)), "a": tensor((), Fraction(a))}
    (slack,) = find(CLAIM).measure(RealTensors.scene([RealTensors(arrays)], RATIONALS)).values
    assert as_fraction(slack) == Fraction(p, 2) - Fraction(p + a, 2)


def test_constantly_many_is_needed_and_certified():
    found = necessity(find(CLAIM), Context(budget_named("smoke"), 0, "cpu"))
    (need,) = [need for need in found.needs if need.hypothesis == "constantly many copies"]
    assert need.needed
    assert need.certificate is not None
