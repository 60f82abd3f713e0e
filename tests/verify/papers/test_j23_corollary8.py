"""Corollary 8 and its steps, on networks worked out by hand."""

from fractions import Fraction
from math import exp, log, sqrt
from random import Random

import pytest

from graphs.rationals import RATIONALS
from verify.core.budgets import budget_named
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, number
from verify.language.evaluation import Evaluation
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.j23 import corollary8
from verify.papers.j23.network_notation import NO_BIASES
from verify.search.certificates import answer, certificate_of
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

CLAIMS = {claim.id: claim for claim in corollary8.CLAIMS}


def network(weights, points, slope=0, biases=None, k=1, p="1/2", **gaps):
    numbers = {name: number(gaps.get(name, 0)) for name in ("gap", "gap2")}
    k = number(k, integer=True)
    return as_network(deep(weights, biases, points, slope, k=k, p=number(p), **numbers))


def worth(term, case):
    """A number in a case."""
    return float(Evaluation(case.scene([case], RATIONALS)).column(term).values[0])


def values(claim, case):
    """The slacks and defects, in order."""
    return [float(v) for v in CLAIMS[claim].measure(case.scene([case], RATIONALS)).values]


# W = (1, 0)^T, b = (0, 1/2): the points 1/2 and -1/2 are columns (1/2, 1/2) and (-1/2, 1/2)
SHIFTED = network([[[1], [0]]], [[Fraction(1, 2)], [Fraction(-1, 2)]], biases=[[0, Fraction(1, 2)]])


def test_a_bias_counts_in_the_kernel():
    # each point adds (1/4 + 1) 2 to the trace of 2.5; c_1 = 1/4, |Jf| = 1
    assert worth(corollary8.C, SHIFTED) == 2.5
    assert worth(corollary8.EXCESS, SHIFTED) == 0.25
    assert worth(corollary8.representation(1), SHIFTED) == 0.5
    assert worth(corollary8.size(1), SHIFTED) == 0.5
    assert worth(corollary8.mean_square(1), SHIFTED) == 0.25


@pytest.mark.parametrize(("gap", "found"), [("-1/4", False), ("-24/100", True)])
def test_a_layer_is_counted_where_its_value_is_small(gap, found):
    # against s_2 = 1/2 stands sqrt(2.5 c_1 e^(c_1)) / p, without the gap sqrt(0.8)/(1/2) = 1.79;
    # with c_1 = 0 it is 0, with c_1 = 1/100 it is about 0.159 / p, enough for p = 1/10
    case = network(
        [[[1], [0]]],
        [[Fraction(1, 2)], [Fraction(-1, 2)]],
        biases=[[0, Fraction(1, 2)]],
        gap=gap,
        p="1/10",
    )
    for claim in ("j23.cor8@A", "j23.cor8@A.fix"):
        assert values(claim, case) == [pytest.approx(found - 9 / 10)]


def test_of_a_negative_number_there_is_no_root():
    case = network([[[1]]], [[1]], gap=-1)  # c_1 = -1, |Jf| = 1
    assert worth(corollary8.EXCESS, case) == -1
    for claim in ("cor8@A", "cor8@A.fix", "cor8.steps.layers.a", "cor8.steps.sum.c"):
        assert values(f"j23.{claim}", case) == []


def test_there_are_no_more_orthonormal_columns_than_rows():
    case = network([[[1]], [[1]]], [[1]], k=2)
    for claim in ("sum.b", "sum.c", "sum.c.fix"):
        assert values(f"j23.cor8.steps.{claim}", case) == []


def test_steps_with_a_bias():
    assert values("j23.cor8.steps.sv.a", SHIFTED) == [0.5]
    assert values("j23.cor8.steps.sv.b", SHIFTED) == [-0.5]
    assert not true_of(NO_BIASES.holds)(SHIFTED)
    mended = NO_BIASES.repair(SHIFTED, Random(0))
    assert true_of(NO_BIASES.holds)(mended)
    assert not true_of(NO_BIASES.holds)(NO_BIASES.break_(mended, Random(0)))
    assert values("j23.cor8.steps.sv.a.fix", mended) == [0]
    assert values("j23.cor8.steps.sv.b.fix", mended) == [0]


def deep_chains(depth, far):
    """Two chains of small norm that mix a little, one point on the upper side of each."""
    c, s, scale = Fraction(40, 41), Fraction(9, 41), Fraction(1, 3)
    weight = [[scale * c, scale * s], [-scale * s, scale * c]]
    points = [[far, Fraction(-far, 4)], [Fraction(-far, 4), far]]
    return network([weight] * depth, points, p=Fraction(1, depth + 1))


def test_a_small_norm_refutes_it_without_the_maximum():
    printed, mended = (CLAIMS[f"j23.cor8@A{fix}"] for fix in ("", ".fix"))
    assert not judge_exactly(printed, deep_chains(4, 2**40)).violations
    case = deep_chains(17, 2**40)
    violation = judge_exactly(printed, case).violations[0]
    assert answer(certificate_of(printed, violation))["exit"] == 0
    assert not judge_exactly(mended, case).violations
    assert judge_exactly(mended, case).admitted


def test_sums_over_the_layers_of_a_chain():
    case = network([[["1/2"]], [["1/2"]]], [[1]])  # s_2 of the weights is 0
    # (1/2)^2 + (1/2)^2 times 1 + 1/4; c_1 = -3/2, log |Jf|^2 = log 1/16; c L = 1/4 + 1/4 + 1 + 1/4
    first, second = sqrt(0.5 * 1.25), sqrt((-1.5 + log(16)) * 1.75 * 16)
    assert values("j23.cor8.steps.sum.a", case) == [0]
    assert values("j23.cor8.steps.sum.b", case) == [pytest.approx(first)]
    assert values("j23.cor8.steps.sum.c", case) == [pytest.approx(second - first)]
    assert values("j23.cor8.steps.sum.c.fix", case) == [pytest.approx(second - first)]


def test_the_sum_by_cauchy_and_schwarz():
    case = network([[[1, 0], [0, 3]], [[1, 0], [0, 2]]], [[1, 1]])  # s_2 = 1, 1; |alpha|^2 = 2, 10
    slack = sqrt(2) * sqrt(12) - (sqrt(2) + sqrt(10))
    assert values("j23.cor8.steps.sum.a", case) == [pytest.approx(slack)]


def test_one_far_point_outweighs_the_mean():
    points = [[-256], *([1] for _ in range(11))]
    case = network([[["9/10"]], [["9/10"]]], points, slope=Fraction(1, 4))
    claim = CLAIMS["j23.cor8.steps.sum.c"]
    assert judge_exactly(claim, case).violations
    assert not judge_exactly(CLAIMS["j23.cor8.steps.sum.c.fix"], case).violations
    # |Jf| is (1/4) (81/100) once and 81/100 else: the mean of the inverse squares against the least
    scale = worth(corollary8.C, case) * exp(2 * 0.81 - 2) / (81 / 100) ** 2
    least, mean = 16, (16 + 11) / 12
    expected = sqrt(scale * least) - sqrt(scale * mean)
    assert values("j23.cor8.steps.layers.b", case) == [pytest.approx(expected)]


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.endswith((".fix", ".sum.a", ".sum.b"))])
def test_repaired_claims_hold_on_small_cases(claim):
    found = pointwise(CLAIMS[claim], Context(budget_named("smoke")))
    assert found.outcome.value == "supports", found.summary
