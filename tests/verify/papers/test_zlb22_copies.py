"""zlb22, Theorem E.1 on copies that read the same: by hand, judged, and measured."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.verify.arrays import entries_of
from verify.checker import ACCEPT, REJECT, check
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.zlb22.many_copies import CLAIMS
from verify.papers.zlb22.orders import number
from verify.runs.budgets import BUDGETS
from verify.tensors import Tensors

F = Fraction
CI = Context(BUDGETS["ci"])
(CLAIM,) = CLAIMS


def family(p, a):
    return CLAIM.pool.adapt(Tensors({"p": number(F(p)), "a": number(F(a))}), None)


def slack(p, a, claim=CLAIM):
    return [value for _, value in entries_of(claim, family(p, a))]


@pytest.mark.parametrize(("p", "a", "expected"), [(1, 0, [0]), (F(1, 2), 0, [0]), (1, 1, [])])
def test_of_one_copy_the_rate_is_exact(p, a, expected):
    assert slack(p, a) == expected


MANY = [(1, 1, F(-1, 2)), (0, 2, -1), (2, F(1, 3), F(-1, 6))]


@pytest.mark.parametrize(("p", "a", "expected"), MANY)
def test_of_many_copies_it_is_not(p, a, expected):
    assert slack(p, a, replace(CLAIM, hypotheses=CLAIM.hypotheses[:2])) == [expected]


@pytest.mark.parametrize(("p", "a"), [(0, 0), (-1, 0), (-1, 2), (1, -1)])
def test_what_does_not_grow_is_not_looked_at(p, a):
    assert slack(p, a) == []


def test_it_stands_and_constant_sharing_is_needed():
    assert pointwise(CLAIM, CI).outcome is Outcome.SUPPORTS
    needs = {need.hypothesis: need for need in necessity(CLAIM, CI).needs}
    certificate = dict(needs["constantly many copies"].certificate)
    assert check(certificate).code == ACCEPT
    assert check({**certificate, "value": "-7/5"}).code == REJECT


@pytest.mark.parametrize(("weights", "copies"), [(1, 4), (3, 5), (6, 1)])
def test_the_norm_by_hand(weights, copies):
    # f = sum_k u_k sum_t v_kt / sqrt(m): the Hessian has the entries 1/sqrt(m) at (u_k, v_kt)
    size = weights * copies
    hessian = np.zeros((weights + size, weights + size))
    for k in range(weights):
        own = weights + k * copies + np.arange(copies)
        hessian[k, own] = hessian[own, k] = size**-0.5
    norm = np.linalg.norm(hessian, 2)
    assert norm == pytest.approx((copies / size) ** 0.5)
