"""Lemma 10 on laws of finite support and with a unique law: by hand, and what the engine says."""

from fractions import Fraction

import pytest

from graphs.arithmetic import RATIONALS, as_fraction
from verify.deep import tensor_of
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.vacuity import vacuity
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import lemma10, unique_laws
from verify.papers.dkbhl20.matrix_laws import correlated
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.runs.tasks import perform, tasks_for
from verify.tensors import Tensor
from verify.verdict import Verdict, decide

CI = Context(budget_named("ci"), 2, "cpu")
HALF = Fraction(1, 2)


def law(*points):
    """Pairs of a probability and the common correlation of a 2 x 2 matrix."""
    entries = tuple(x for _, c in points for row in correlated(2, c) for x in row)
    matrices = Tensor(("s", "d", "d"), (len(points), 2, 2), entries)
    return Chained({"M": matrices, "probs": tensor_of(("s",), [p for p, _ in points])})


def signs(gamma, rows=((1,), (1,))):
    """W-3(2) and d = 2: |gamma sum W_ij u_j| is at most 4 gamma."""
    quarter = Fraction(1, 8)
    numbers = {"gamma": Fraction(gamma), "B": Fraction(2)}
    made = {name: Tensor((), (), (value,)) for name, value in numbers.items()}
    made["H"] = tensor_of(("d", "N"), rows)
    made["atoms"] = tensor_of(("k",), (-2, 0, 2))
    made["probs"] = tensor_of(("k",), (quarter, 1 - 2 * quarter, quarter))
    return Chained(made)


def values(measure, case):
    found = measure(Chained.scene([case], RATIONALS))
    return {found.label(k).get("part", ""): as_fraction(found.values[k]) for k in range(len(found))}


def numbers(lam):
    return Chained({"lam": tensor_of(("d",), lam)})


def test_alpha_is_1_for_blocks_alone():
    assert values(lemma10.alpha_is_below_1, law((1, HALF)))[""] == 0
    assert values(lemma10.alpha_is_below_1, law((HALF, 0), (HALF, 1)))[""] == -1
    assert values(lemma10.alpha_is_below_1, law((HALF, HALF), (HALF, 1)))[""] == 0
    assert lemma10.is_of_blocks(correlated(3, 1))
    assert lemma10.is_of_blocks(correlated(3, 0))
    assert not lemma10.is_of_blocks(correlated(3, HALF))


def test_the_excess_by_hand():
    # m = 1/2: Tr diag(M^2)^2 = 2 (5/4)^2, Tr M^3 = 7/2
    assert values(lemma10.square_excess, law((1, HALF)))[""] == Fraction(25, 8) - Fraction(7, 2)


def test_the_largest_eigenvalue_by_hand():
    assert values(lemma10.largest_eigenvalue, numbers((2, 1, 0))) == {
        "square": 6 - 5,
        "trace": 0,
        "strict": 0,
    }
    found = values(lemma10.largest_eigenvalue, numbers((3, 0, 0)))
    assert found == {"square": 0, "trace": 0, "strict": -1}


def test_the_mean_change_by_hand():
    # the identity: 2 d^2 - 2 d = 4, which is 4 (d - 1) for d = 2; rank one: 0
    assert values(lemma10.mean_change, law((1, 0)))[""] == 0
    assert values(lemma10.mean_change, law((1, 1)))[""] == -4
    # blocks of 1 and 3 rows: |M|_F^2 = 10 and delta_F = 12, the least there is for d = 4
    entries = tuple(Fraction((i == 0) == (j == 0)) for i in range(4) for j in range(4))
    blocks = Tensor(("s", "d", "d"), (1, 4, 4), entries)
    case = Chained({"M": blocks, "probs": tensor_of(("s",), [1])})
    assert values(lemma10.mean_change, case)[""] == 0
    # 2 P for a projection of rank two: |M|_F^2 = 8 and delta_F = 16
    rows = ((1, 0, 1, 0), (0, 1, 0, 1), (1, 0, 1, 0), (0, 1, 0, 1))
    halves = Tensor(("s", "d", "d"), (1, 4, 4), tuple(Fraction(x) for row in rows for x in row))
    case = Chained({"M": halves, "probs": tensor_of(("s",), [1])})
    assert values(lemma10.mean_change, case)[""] == 4


def test_alpha_of_signs_is_1():
    case = signs(1)
    squares, cubes = unique_laws.traces_of_signs(case)
    assert squares == cubes == 8
    assert values(unique_laws.alpha_below_one, case)[""] == -1
    assert values(unique_laws.surrogate_above_bound, case)[""] == 1
    assert values(unique_laws.spread_of_limits, case)[""] == 0


PROVED = ["lem10.a.fix", "lem10.b.fix", "lem10.c", "lem10.d", "cor15.a.fix"]


@pytest.mark.parametrize("name", PROVED)
def test_these_are_proved_and_no_case_speaks_against_them(name):
    claim = find(f"dkbhl20.{name}")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


UNIQUE = ["lem10.a", "thm14.a", "thm14.b", "thm14.d", "thm14.i", "cor15.a"]


@pytest.mark.parametrize("name", [*UNIQUE, "lem10.b"])
def test_nothing_meets_these(name):
    claim = find(f"dkbhl20.{name}")
    found = [perform(task) for task in tasks_for(claim, "smoke", 0, "cpu")]
    decision = decide(claim, [piece for piece in found if piece is not None])
    assert decision.verdict is Verdict.VACUOUS
    conflict = vacuity(claim, CI).summary
    assert "alpha above 1" in conflict or "unique invariant law" in conflict


def test_a_unique_law_at_a_large_gamma_has_alpha_1():
    found = necessity(find("dkbhl20.lem10.a"), CI)
    assert found.figures["certified"] == found.figures["needed"] >= 2
    assert "gamma at most 1/(8Bd)" in str(found)
    assert "unique invariant law" in str(found)


@pytest.mark.parametrize("name", PROVED)
def test_needed_hypotheses_have_certified_cases(name):
    found = necessity(find(f"dkbhl20.{name}"), CI)
    assert found.figures["certified"] == found.figures["needed"] > 0
