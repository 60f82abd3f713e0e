"""Theorem 10 for the smallest eigenvalue: networks by hand, the engine, the checker."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from verify.checker import check
from verify.deep import deep
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.papers.j23.kernel_scaling import with_identities
from verify.papers.j23.smallest_eigenvalues import DEEP, bottleneck, order_of_the_smallest
from verify.registry import find
from verify.runs.budgets import budget_named

F = Fraction
SMOKE = Context(budget_named("smoke"), 1, "cpu")
CASE = deep([[[1, 1]], [[2], [1]]], [[F(1, 2)], [0, 3]], [[1, 0], [2, 2], [0, 1]])


def smallest(case, at=0):
    kernel = case.exact.tangent_kernel(at, at, biases=True)[0].astype(float)
    return np.linalg.eigvalsh(kernel)[0]


def orders(case):
    return [float(as_fraction(v)) for v in order_of_the_smallest(case.exact).values]


def test_the_smallest_eigenvalue_stays_and_the_largest_grows():
    # by hand: p = 3/2 at the first point, J = (2, 1); one layer adds (p^2 + 1) J J^T
    one, two = (with_identities(CASE, more).exact for more in (1, 2))
    added = two.tangent_kernel(0, 0, biases=True)[0] - one.tangent_kernel(0, 0, biases=True)[0]
    assert added.astype(float) == pytest.approx(13 / 4 * np.array([[4, 2], [2, 1]]))
    norms = [one.parameter_square[0], two.parameter_square[0]]
    assert norms[1] - norms[0] == 1  # so that c_1 stays
    few, many = (with_identities(CASE, more) for more in (100, 200))
    assert smallest(many) == pytest.approx(smallest(few), rel=0.01)
    before = CASE.exact.tangent_kernel(0, 0, biases=True)[0].astype(float)
    assert smallest(few) <= np.linalg.norm(before, 2)


def test_it_is_refuted_and_the_checker_accepts():
    found = [method(find("j23.thm10.deep@C"), SMOKE) for method in (pointwise, search)]
    refuting = [one for one in found if one and one.outcome is Outcome.REFUTES]
    assert refuting
    assert all(check(one.certificate).code == 0 for one in refuting)


def test_one_output_and_wider_layers():
    one = deep([[[1, 1]], [[2]]], [[F(1, 2)], [0]], [[1, 0], [2, 2], [0, 1]])
    dead = deep([[[1, 1]], [[0], [0]]], [[F(1, 2)], [0, 3]], [[1, 0], [2, 2], [0, 1]])
    wide = deep([[[1, 1], [1, 2]], [[2, 0], [1, 1]]], [[1, 1], [0, 3]], [[1, 0], [2, 2], [0, 1]])
    assert [bottleneck(case) for case in (CASE, one, dead, wide)] == [1, 1, 1, None]
    assert [orders(case) for case in (CASE, one, dead, wide)] == [[-1], [0], [-1], []]
    assert judge_exactly(DEEP, CASE).violations
    for case in (one, wide):
        assert not judge_exactly(DEEP, case).admitted
