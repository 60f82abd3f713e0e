"""Lemma 13 and the steps of Theorem 14 on laws of finite support: by hand, and the engine."""

from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.verify.arrays import value_at, violated
from tests.verify.papers.looking import looking
from tests.verify.papers.matrix_laws import law, of_matrices
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.evidence import Outcome
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20.laws import correlated
from verify.papers.dkbhl20.lemma13 import ALPHA_BELOW_1, CLAIMS, REMAINDER, display_54
from verify.papers.dkbhl20.theorem14 import CLAIMS as STEPS
from verify.papers.registry import find
from verify.search.constants.moves import moved
from verify.search.drawing import repair
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

CI = looking("ci", 2)
HALF, LAM = Fraction(1, 2), [Fraction(1, 2), Fraction(3, 2)]


def spectra(*points, alpha):
    """Pairs of a probability and a spectrum."""
    made = {"lambda": tensor(("s", "d"), [lam for _, lam in points])}
    return Tensors(made | {"p": tensor(("s",), [p for p, _ in points]), "alpha": tensor((), alpha)})


def told(name, case, *at):
    return value_at(find(f"dkbhl20.{name}"), case, *at)


def near(value):
    """A number within an enclosure, as a float."""
    return float(getattr(value, "low", value))


# m = 1/2: |M|^2 = 2 + 2/4, Tr M^3 = 2 + 6/4, Tr diag(M^2)^2 = 2 (1 + 1/4)^2
F, T, S = Fraction(5, 2), Fraction(7, 2), Fraction(25, 8)
REST = (T - S) / T  # 1 - alpha


def test_one_matrix_by_hand():
    case = law((1, HALF))
    assert told("lem13_53.c", case) == 8 - 2 * F + 8 * (T - S)
    assert told("lem13_53.e", case) == 4 / REST - T
    assert told("thm14.g", case) == 0
    root = float(REST) ** 0.5
    assert near(told("lem13.a", case)) == pytest.approx(8**0.5 / root - 2.5)
    assert near(told("thm14.h", case)) == pytest.approx(1.6 - 2**0.5 * root)
    # of (57) both ends, and in between twice the root of 2 |l|_3^3
    assert near(told("lem13.b@B", case, 0, 0)) == pytest.approx(7**0.5 - 2.5)
    assert near(told("lem13.b@B", case, 0, 1)) == pytest.approx(0, abs=1e-8)
    assert near(told("lem13.b@B", case, 1)) == pytest.approx(8**0.5 / root - 7**0.5)


def test_two_matrices_by_hand():
    # |M|^2 is 2 and 4, each with probability 1/2: E 4/|M|^2 = 3/2, E |M|^2 = 3
    case = law((HALF, 0), (HALF, 1))
    assert told("thm14.g", case) == Fraction(3, 2) - Fraction(4, 3)
    # E Tr M^3 = (2 + 8)/2 = E Tr diag(M^2)^2: alpha = 1
    assert not true_of(ALPHA_BELOW_1.holds)(case)


def test_soft_ranks_by_hand():
    # eigenvalues 3/2 and 1/2: one is at least 3/4
    case = law((1, HALF), tau=Fraction(3, 4))
    assert told("thm14.c", case) == 1 - Fraction(1, 16) * 4 / F


def test_displays_54_and_55_by_hand():
    # d = 2, l = (1/2, 3/2): 8 - 5 + 8 (1 - alpha) 7/2 with alpha = 1/4
    case = spectra((1, LAM), alpha=Fraction(1, 4))
    assert told("lem13_53.d", case) == 3 + 21
    assert told("lem13_53.e.from54", case) == 4 / Fraction(3, 4) - Fraction(7, 2)
    assert not true_of(display_54(-1))(case)  # 3 - 21
    rank_one = spectra((1, [2, 0]), alpha=0)
    assert told("lem13_53.e.from54", rank_one) == 4 - 8


def test_display_56_by_hand():
    # sums of powers 2, 5/2, 7/2: the roots are that of 7
    case = Tensors({"lambda": tensor(("d",), LAM)})
    assert near(told("lem13_53.f@B", case, 0)) == pytest.approx(7**0.5 - 2.5)
    assert near(told("lem13_53.f@B", case, 1)) == pytest.approx(0, abs=1e-8)


def test_the_remainder_fails_at_wide_strong_correlations_alone():
    case = law((1, HALF))
    assert true_of(REMAINDER.holds)(case)
    broken = REMAINDER.break_(case, Random(0))
    assert not true_of(REMAINDER.holds)(broken)
    assert true_of(ALPHA_BELOW_1.holds)(broken)
    # (1 - c) I + c 1 1^T, d = 16, c = 3/4: there (55) fails
    claim = find("dkbhl20.lem13_53.e")
    strong = of_matrices([(1, correlated(16, Fraction(3, 4)))])
    assert not violated(claim, strong)
    kept = tuple(one for one in claim.hypotheses if one.name != REMAINDER.name)
    assert violated(replace(claim, hypotheses=kept), strong)


PROVED = {"lem13_53.d", "lem13_53.e.from54.fix", "lem13_53.f@B", "thm14.g"}


@pytest.mark.parametrize(
    "claim",
    [one for one in (*CLAIMS, *STEPS) if one.id != "dkbhl20.lem13_53.e.from54"],
    ids=lambda claim: claim.id,
)
def test_these_are_argued_or_proved_and_no_case_speaks_against_them(claim):
    proved = claim.id.removeprefix("dkbhl20.") in PROVED
    assert schema(claim, CI).outcome is (Outcome.PROVES if proved else Outcome.ARGUES)
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("lem13.a", "remainder of (52)"),
        ("lem13_53.e", "remainder of (52)"),
        ("lem13_53.d", "alpha below 1"),
        ("thm14.c", "unit diagonal"),
    ],
)
def test_needed_hypotheses_have_certified_cases(name, needed):
    found = necessity(find(f"dkbhl20.{name}"), CI)
    assert found.figures["certified"] == found.figures["needed"] > 0
    assert needed in str(found)


def test_what_is_false_is_refuted_and_certified():
    found = pointwise(find("dkbhl20.lem13_53.e.from54"), CI)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0
    changes = [
        (("value", "left"), "1"),
        (("case", "arrays", "p", "entries"), ["1/3", "1/3"]),
        (("case", "arrays", "lambda", "entries", 0, 0), "-2"),
    ]
    for (*path, last), value in changes:
        certificate = inside = deepcopy(found.certificate)
        for step in path:
            inside = inside[step]
        inside[last] = value
        assert check(certificate).code == 1


def test_repairs_reach_cases():
    claim, random = find("dkbhl20.lem13_53.e.from54.fix"), Random(3)
    judged = [
        judge_exactly(claim, repair(claim, claim.pool.draw(random), random)) for _ in range(30)
    ]
    assert sum(one.admitted for one in judged) >= 15
    assert not any(one.violations for one in judged)


def test_where_all_numbers_are_tied_they_move_together():
    claim, random = find("dkbhl20.lem13_53.f@B"), Random(5)
    cases = [repair(claim, claim.pool.draw(random), random) for _ in range(20)]
    tied = [case for case in cases if not case.numbers]
    assert tied
    others = [moved(claim, case, random) for case in tied]
    assert all(judge_exactly(claim, other).admitted for other in others)
    assert any(other != case for case, other in zip(tied, others, strict=True))
