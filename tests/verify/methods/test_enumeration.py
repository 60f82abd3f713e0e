"""The enumeration: it is complete on what it names, and finds what is false on one small case."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from tests.verify.measured import compare, frobenius_squared, measured
from tests.verify.methods import planted
from verify.cases.tensor_pool import TensorPool
from verify.core.budgets import BUDGETS
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.enumeration import SHARES, enumeration
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.enumeration.ladders import ladder_of
from verify.search.enumeration.looking import Count, look_at
from verify.search.enumeration.scopes import fitting
from verify.search.judging import judge_exactly

CI = Context(BUDGETS["ci"])
LARGE = Context(replace(BUDGETS["ci"], enumerated=30_000))
SMALL = Context(replace(BUDGETS["ci"], enumerated=200))
ONE_NETWORK = planted.of_cases("one network", planted.on_one_network)
ONE_PAIR = planted.of_cases("one pair", planted.on_one_pair_of_matrices, planted.MATRICES, ())


@pytest.mark.parametrize("claim", [ONE_NETWORK, ONE_PAIR], ids=lambda claim: claim.title)
def test_what_is_false_on_one_small_case_alone_is_found(claim, unknown):
    evidence = enumeration(claim, LARGE)
    assert evidence.outcome is Outcome.VIOLATES
    assert "the checker says" in evidence.summary


@pytest.mark.parametrize("claim", [ONE_NETWORK, ONE_PAIR], ids=lambda claim: claim.title)
def test_what_is_true_there_too_is_not_refuted(claim):
    evidence = enumeration(planted.true_beside(claim), LARGE)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.instances > 1000


def test_pairs_of_two_by_two_matrices_are_among_the_small_cases():
    pool = TensorPool((("A", ("n", "n")), ("B", ("n", "n"))))
    claim = measured(
        lambda scene: compare(
            scene, *(frobenius_squared(scene, scene[a] @ scene[b]) for a, b in ("AB", "BA"))
        ),
        pool,
        kind=Kind.IDENTITY,
    )
    count = Count()
    budget = CI.budget.enumerated
    for scope in fitting(ladder_of(claim, Random(0), budget), budget, SHARES[0]):
        for block in scope.blocks:
            look_at(claim, block, count)
    assert count.looked >= 16
    assert count.broken is not None
    assert {array.shape for array in count.broken.arrays.values()} == {(2, 2)}


def test_an_inequality_that_is_strict_unless_two_matrices_are_equal(unknown):
    false = planted.strict("not equal", planted.distance)
    true = planted.strict("a square", planted.distance_from_above)
    assert enumeration(false, CI).outcome is Outcome.VIOLATES
    evidence = enumeration(true, CI)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.figures["slack 0"] > 0


@pytest.mark.parametrize("name", ["control.true", "control.false", "control.planted.lj22"])
def test_controls_get_what_they_should(name):
    claim, expected = CONTROLS[name]
    evidence = enumeration(claim, CI)
    assert evidence.outcome is (Outcome.REFUTES if "refuted" in expected else Outcome.SUPPORTS)


@pytest.mark.parametrize(
    ("name", "context"),
    [
        ("lj22.eq3", CI),
        ("lj22.gflow", CI),
        ("lj22v1.gd-82", CI),
        ("lj22v1.gd-83@AB1", LARGE),
        ("lj22.eq32.b@B2", CI),
    ],
)
def test_false_claims_are_refuted_and_the_checker_agrees(name, context):
    evidence = enumeration(find(name), context)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0


@pytest.mark.parametrize(
    "name", ["lj22.risk.fix", "lj22.lemma2a", "lj22.lemma11@B", "lj22.thm1-2", "lj22v1.gd-76"]
)
def test_all_at_once_is_one_by_one(name):
    """The float64 that is exact and the rationals say the same of every case of a scope."""
    claim = find(name)
    budget = SMALL.budget.enumerated
    scopes = list(fitting(ladder_of(claim, SMALL.random(claim, "x"), budget), budget, 1.0))
    for block in scopes[0].blocks[:3]:
        count = Count()
        look_at(claim, block, count)
        judged = [judge_exactly(claim, case) for case in block.slab(0, block.count).cases]
        assert count.looked == block.count == len(judged)
        assert count.met == sum(bool(judgement.admitted) for judgement in judged)
        assert count.entries == sum(judgement.admitted for judgement in judged)
        assert count.touches == sum(judgement.touches for judgement in judged)
        assert (count.broken is None) == (not any(j.violations for j in judged))


def test_the_first_violation_of_a_block_is_the_one_that_is_reported():
    claim = find("lj22.gflow")
    evidence = enumeration(claim, CI)
    assert evidence.certificate["case"]["network"]["vertices"]
    assert evidence.figures["drawn"] <= CI.budget.enumerated


def test_what_was_covered_is_said_with_its_numbers():
    evidence = enumeration(find("lj22.lemma2a"), CI)
    assert evidence.outcome is Outcome.SUPPORTS
    assert (
        sum(int(line.rsplit(": ", 1)[1].split()[0]) for line in evidence.scope)
        == (evidence.figures["drawn"])
    )
    assert all(line.startswith("all networks with ") for line in evidence.scope)
    assert f"{evidence.instances} meet all hypotheses" in evidence.summary
    met = sum(int(line.split(" cases, ")[1].split()[0]) for line in evidence.scope)
    assert met == evidence.instances


def test_a_witness_is_one_of_the_small_cases():
    evidence = enumeration(find("lj22.lemma4"), Context(replace(BUDGETS["ci"], enumerated=20_000)))
    assert evidence.outcome is Outcome.PROVES
    weights = evidence.certificate["case"]["network"]["weights"].values()
    assert all(abs(Fraction(weight)) <= 2 for weight in weights)


def test_nothing_is_said_where_nothing_fits():
    nothing = Context(replace(BUDGETS["ci"], enumerated=1))
    assert enumeration(find("lj22.lemma2b@A"), nothing) is None
    assert enumeration(find("lj22.def1"), CI) is None
    assert enumeration(find("lj22.cor1"), CI) is None


def test_the_same_seed_finds_the_same():
    claim = find("lj22.thm1-2")
    first, second = (replace(enumeration(claim, CI), seconds=0) for _ in "12")
    assert first == second
