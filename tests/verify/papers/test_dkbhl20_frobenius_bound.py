"""Lemma 13 and the steps of Theorem 14 on laws of finite support: by hand, and the engine."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import RATIONALS, as_fraction
from graphs.reals import Real
from verify.deep import tensor_of
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import frobenius_bound, surrogate_bound
from verify.papers.dkbhl20.matrix_laws import correlated
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import Tensor

CI = Context(budget_named("ci"), 2, "cpu")
HALF = Fraction(1, 2)


def law(*points, **numbers):
    """Pairs of a probability and the common correlation of a 2 x 2 matrix."""
    entries = tuple(x for _, c in points for row in correlated(2, c) for x in row)
    made = {
        "M": Tensor(("s", "d", "d"), (len(points), 2, 2), entries),
        "probs": tensor_of(("s",), [p for p, _ in points]),
    }
    made |= {name: Tensor((), (), (Fraction(value),)) for name, value in numbers.items()}
    return Chained(made)


def exact(value):
    return value if isinstance(value, Real) else as_fraction(value)


def entries(measure, case):
    found = measure(Chained.scene([case], RATIONALS))
    return {found.label(k).get("part", ""): exact(found.values[k]) for k in range(len(found))}


def meets(hypothesis, case):
    scene = Chained.scene([case], RATIONALS)
    return bool(hypothesis.test(scene, frobenius_bound.norm_slack(scene)).all())


# m = 1/2: |M|^2 = 2 + 2/4, Tr M^3 = 2 + 6/4, Tr diag(M^2)^2 = 2 (1 + 1/4)^2
F, T, S = Fraction(5, 2), Fraction(7, 2), Fraction(25, 8)


def test_one_matrix_by_hand():
    case = law((1, HALF))
    assert entries(frobenius_bound.norm_slack, case)[""] == 8 * T - (T - S) * F**2
    assert entries(frobenius_bound.slack_53, case)[""] == 8 - 2 * F + 8 * (T - S)
    assert entries(frobenius_bound.slack_55, case)[""] == 4 - (T - S)
    assert entries(surrogate_bound.surrogate_mean, case)[""] == 0
    left = (4 / F) ** 2 * T - 2 * (T - S)  # (E r)^2 T - (T - S) d
    assert entries(surrogate_bound.surrogate_bound, case)[""] == left * F**2


def test_two_matrices_by_hand():
    # |M|^2 is 2 and 4, each with probability 1/2: E 1/|M|^2 = 3/8, E |M|^2 = 3
    case = law((HALF, 0), (HALF, 1))
    assert entries(surrogate_bound.surrogate_mean, case)[""] == (Fraction(3, 8) * 3 - 1) * 8
    # E Tr M^3 = (2 + 8)/2 = E Tr diag(M^2)^2: alpha = 1
    assert entries(frobenius_bound.norm_slack, case)[""] == 8 * 5
    assert not meets(frobenius_bound.BELOW_1, case)


def test_the_chain_by_hand():
    # eigenvalues 1 and 1, then 2 and 0: the roots of 2 |l|_3^3 are 2 and 4
    case = law((HALF, 0), (HALF, 1))
    chain = entries(frobenius_bound.chain_slack, case)
    assert float(chain["spectrum"]) == 0
    assert float(chain["mean"]) == 2 * 5 - 9
    assert float(chain["end"]) == 8 * 5 - 0 - 0


def test_soft_ranks_by_hand():
    # eigenvalues 3/2 and 1/2: one is at least 3/4
    case = law((1, HALF), tau=Fraction(3, 4))
    assert entries(surrogate_bound.soft_rank_slack, case)[""] == F - Fraction(1, 16) * 4


def test_the_remainder_fails_at_wide_strong_correlations_alone():
    case = law((1, HALF))
    assert meets(frobenius_bound.REMAINDER, case)
    assert frobenius_bound.REMAINDER.break_ is not None
    broken = frobenius_bound.REMAINDER.break_(case, Random(0))
    assert not meets(frobenius_bound.REMAINDER, broken)
    assert meets(frobenius_bound.BELOW_1, broken)


@pytest.mark.parametrize(
    "name", ["lem13.a", "lem13.b@B", "lem13_53.c", "lem13_53.e", "thm14.c", "thm14.g", "thm14.h"]
)
def test_these_are_proved_and_no_case_speaks_against_them(name):
    claim = find(f"dkbhl20.{name}")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("lem13.a", "remainder of (52)"),
        ("lem13_53.e", "remainder of (52)"),
        ("thm14.c", "unit diagonal"),
    ],
)
def test_needed_hypotheses_have_certified_cases(name, needed):
    found = necessity(find(f"dkbhl20.{name}"), CI)
    assert found.figures["certified"] == found.figures["needed"] > 0
    assert needed in str(found)
