"""Corollary 8 and its steps, on networks worked out by hand."""

from fractions import Fraction
from math import exp, isclose, log, sqrt

import pytest

from verify.core.budgets import budget_named
from verify.kinds.deep.networks import deep, number
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.j23 import corollary8
from verify.search.certificates import answer, certificate_of
from verify.search.judging import judge_exactly

CLAIMS = {claim.id: claim for claim in corollary8.CLAIMS}


def network(weights, points, slope=0, biases=None, k=1, **gaps):
    numbers = {name: number(gaps.get(name, 0)) for name in ("gap", "gap2")}
    return deep(weights, biases, points, slope, k=number(k, integer=True), **numbers)


def values(claim, case):
    """The entries by label, as floats."""
    entries = CLAIMS[claim].measure(case.exact)
    labels = [tuple(entries.label(k).values()) for k in range(len(entries))]
    return {label: float(v) for label, v in zip(labels, entries.values, strict=True)}


# W = (1, 0)^T, b = (0, 1/2): points 1/2 and -1/2 give the rows (1/2, -1/2) and (1/2, 1/2)
SHIFTED = network([[[1], [0]]], [[Fraction(1, 2)], [Fraction(-1, 2)]], biases=[[0, Fraction(1, 2)]])


def test_a_bias_counts_in_the_kernel():
    # s_2^2 = 1/4; c L = 2 / 4 + 2, c_1 = 1/4, |Jf| = 1
    found = values("j23.cor8@A", SHIFTED)[(1,)]
    assert isclose(found, 2.5 * 0.25 * exp(0.25) - 0.25)


def test_steps_with_a_bias():
    assert values("j23.cor8.steps.sv.a", SHIFTED) == {(1,): 0.5}
    assert values("j23.cor8.steps.sv.b", SHIFTED) == {(1,): -0.25}


def deep_chains(depth, far):
    """Two chains of small norm that mix a little, one point on the upper side of each."""
    c, s, scale = Fraction(40, 41), Fraction(9, 41), Fraction(1, 3)
    weight = [[scale * c, scale * s], [-scale * s, scale * c]]
    points = [[far, Fraction(-far, 4)], [Fraction(-far, 4), far]]
    return network([weight] * depth, points)


def test_a_small_norm_refutes_it_without_the_maximum():
    printed, mended = (CLAIMS[f"j23.cor8@A{fix}"] for fix in ("", ".fix"))
    assert not judge_exactly(printed, deep_chains(4, 2**40)).violations
    case = deep_chains(20, 2**40)
    violation = judge_exactly(printed, case).violations[0]
    assert answer(certificate_of(printed, violation))["exit"] == 0
    assert not judge_exactly(mended, case).violations
    assert judge_exactly(mended, case).admitted


def test_sums_over_the_layers_of_a_chain():
    case = network([[["1/2"]], [["1/2"]]], [[1]])  # s_2 of the weights is 0
    # (1/2)^2 + (1/2)^2 times 1 + 1/4; c_1 = -3/2, log |Jf|^2 = log 1/16; c L = 1/4 + 1/4 + 1 + 1/4
    first, second = 0.5 * 1.25, (-1.5 + log(16)) * 1.75 * 16
    assert values("j23.cor8.steps.sum.a", case) == {(): 0}
    assert isclose(values("j23.cor8.steps.sum.b", case)[()], first)
    assert isclose(values("j23.cor8.steps.sum.c", case)[()], second - first)
    assert isclose(values("j23.cor8.steps.sum.c.fix", case)[()], second - first)


def test_one_far_point_outweighs_the_mean():
    points = [[-256], *([1] for _ in range(11))]
    case = network([[["9/10"]], [["9/10"]]], points, slope=Fraction(1, 4))
    claim = CLAIMS["j23.cor8.steps.sum.c"]
    assert judge_exactly(claim, case).violations
    assert not judge_exactly(CLAIMS["j23.cor8.steps.sum.c.fix"], case).violations
    # |Jf| is (1/4) (81/100) once and 81/100 else: the mean of the inverse squares against the least
    size = (81 / 100) ** 2
    found = values("j23.cor8.steps.layers.b", case)[()]
    case_bound = corollary8.kernel_bound(case.exact)[0]
    growth = exp(2 * 0.81 - 2)
    expected = float(case_bound) * growth * (16 - (16 + 11) / 12) / size
    assert isclose(found, expected)
    assert sqrt(found) > 0


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.endswith((".fix", ".sum.a", ".sum.b"))])
def test_repaired_claims_hold_on_small_cases(claim):
    found = pointwise(CLAIMS[claim], Context(budget_named("smoke")))
    assert found.outcome.value == "supports", found.summary
