"""Corners: what is false at a corner alone is found there, what is true is not refuted."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.verify.methods import planted
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.corners import corners
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.corners.corpus import corpus
from verify.search.corners.numbers import KINDS
from verify.search.judging import judge_all, judge_exactly

CI = Context(replace(BUDGETS["ci"], corners=160))
SMOKE = Context(BUDGETS["smoke"])
FOUND = (Outcome.VIOLATES, Outcome.REFUTES)  # the checker knows no planted claim
PLANTED = [
    *(planted.of_cases(name, fails) for name, fails in planted.AT_CORNERS.items()),
    *(
        planted.of_cases(name, fails, planted.MATRICES, ())
        for name, fails in planted.AT_CORNERS_OF_MATRICES.items()
    ),
]


@pytest.mark.parametrize("claim", PLANTED, ids=lambda claim: claim.title)
def test_what_is_false_at_a_corner_alone_is_found(claim, unknown):
    evidence = corners(claim, CI)
    assert evidence.outcome in FOUND
    assert "checker" in evidence.summary or evidence.outcome is Outcome.REFUTES


@pytest.mark.parametrize("claim", PLANTED[::4], ids=lambda claim: claim.title)
def test_what_is_true_there_too_is_not_refuted(claim):
    evidence = corners(planted.true_beside(claim), CI)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.instances > 20
    assert f"{evidence.instances} corners" in evidence.summary


def test_an_inequality_that_is_strict_unless_two_matrices_are_equal(unknown):
    false = planted.strict("not equal", planted.distance)
    true = planted.strict("a square", planted.distance_from_above)
    assert corners(false, CI).outcome in FOUND
    evidence = corners(true, CI)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.figures["slack 0"] > 0


@pytest.mark.parametrize(
    "name", ["control.true", "control.inequality.false", "control.false", "control.planted.lj22"]
)
def test_controls_get_what_they_should(name):
    claim, expected = CONTROLS[name]
    evidence = corners(claim, CI)
    assert evidence.outcome is (Outcome.REFUTES if "refuted" in expected else Outcome.SUPPORTS)


@pytest.mark.parametrize("name", ["lj22.eq3", "lj22.gflow", "lj22.lemma11-79", "lj22v1.thm1-6"])
def test_false_claims_are_refuted_and_the_checker_agrees(name):
    evidence = corners(find(name), Context(replace(BUDGETS["ci"], corners=120)))
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0


@pytest.mark.parametrize(
    "name", ["lj22.risk.fix", "lj22.lemma2a", "lj22.lemma11@B", "lj22.weyl.b", "lj22.hg"]
)
def test_true_claims_stand_and_what_was_covered_is_said(name):
    claim = find(name)
    evidence = corners(claim, SMOKE)
    assert evidence.outcome is Outcome.SUPPORTS
    found = corpus(claim, SMOKE.random(claim, "corners"), BUDGETS["smoke"].corners)
    met = Counter(kind for kind, case in found if judge_exactly(claim, case).admitted)
    looked = Counter(kind for kind, _ in found)
    assert evidence.instances == met.total() > 0
    for kind in KINDS:
        assert (f"{kind} {met[kind]} of {looked[kind]}" in evidence.scope[0]) is bool(looked[kind])


@pytest.mark.parametrize("name", ["lj22.lemma2a", "lj22.thm1-2", "lj22.weyl.a", "lj22v1.gd-76"])
def test_judging_together_is_judging_one_by_one(name):
    claim = find(name)
    cases = [case for _, case in corpus(claim, Random(2), 60)]
    assert judge_all(claim, cases) == [judge_exactly(claim, case) for case in cases]


def test_every_kind_comes_before_any_comes_often():
    found = corpus(find("lj22.lemma2a"), Random(0), 40)
    counts = Counter(kind for kind, _ in found)
    assert set(counts) == set(KINDS)
    assert max(counts.values()) <= 3 * min(counts.values())


def test_the_corpus_stands():
    claim = find("lj22.lemma2a")
    one, other = (corpus(claim, Random(5), 50) for _ in range(2))
    assert one == other


def test_what_has_no_small_solutions_has_no_corners():
    assert corners(find("lj22.def1"), SMOKE) is None
    assert corners(find("lj22.cor1"), SMOKE) is None
