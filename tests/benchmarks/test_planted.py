"""The planted lemmas are what they say: the false ones are false, the true ones hold on cases."""

import random

import pytest

from benchmarks.planted.all import FALSE, TRUE
from benchmarks.planted_lemmas import ask, case_of, exact_replay, look, main
from verify import admission
from verify.judging import judge_exactly
from verify.methods.context import Context, draw
from verify.runs.budgets import budget_named

CONTEXT = Context(budget_named("smoke"))


def named(lemmas):
    return {"argvalues": lemmas, "ids": lambda lemma: getattr(lemma, "claim", lemma).id}


def test_there_are_thirty_of_each_and_no_name_is_used_twice():
    names = [planted.claim.id for planted in FALSE] + [claim.id for claim in TRUE]
    assert (len(FALSE), len(TRUE), len(set(names))) == (30, 30, 60)
    assert {planted.difficulty for planted in FALSE} == {1, 2, 3, 4}


@pytest.mark.parametrize("planted", **named(FALSE))
def test_each_false_lemma_has_a_counterexample_made_by_hand(planted):
    case = planted.counterexample()
    judgement = judge_exactly(planted.claim, case)
    assert judgement.violations
    again = case_of(case.to_json())
    assert judge_exactly(planted.claim, again).violations


@pytest.mark.parametrize("claim", **named(TRUE))
def test_each_true_lemma_has_a_proof_and_holds_on_some_cases(claim):
    assert "Proof:" in claim.measure.__doc__
    generator = random.Random(claim.id)
    met = 0
    for number in range(80):
        n = claim.pool.examples[number % len(claim.pool.examples)]
        case = draw(claim, generator, n=n, loss="prescribed", large=False)
        judgement = judge_exactly(claim, case)
        assert not judgement.violations
        met += judgement.admitted > 0
        if met == 8:
            break
    assert met >= 4


def test_a_lemma_is_found_with_a_witness_that_shows_it_false():
    planted = next(p for p in FALSE if p.claim.id == "planted.false.rank-less-one")
    with exact_replay([planted.claim]):
        answer = look(planted.claim, CONTEXT)
    assert answer.method
    assert judge_exactly(planted.claim, answer.case).violations


@pytest.mark.parametrize("name", ["false.bounded", "true.sum-by-squares"])
def test_constants_that_are_counted_or_raised_to_a_power_break_nothing(name):
    lemmas = [planted.claim for planted in FALSE] + list(TRUE)
    claim = next(claim for claim in lemmas if claim.id == f"planted.{name}")
    with exact_replay([claim]):
        answer = ask(claim, "constants", CONTEXT)
    assert answer.broken == ()
    assert answer.case is None or name.startswith("false")


def test_the_replay_rejects_a_case_that_shows_nothing():
    planted = FALSE[0]
    good = planted.counterexample().to_json()
    zeros = [["0", "0"], ["0", "0"]]
    bad = {**good, "arrays": {k: {**v, "entries": zeros} for k, v in good["arrays"].items()}}
    usual = admission.answer
    with exact_replay([planted.claim]):
        exits = [
            admission.answer({"claim": planted.claim.id, "case": case, "entry": {}})["exit"]
            for case in (good, bad)
        ]
    assert exits == [0, 1]
    assert admission.answer is usual


def test_the_table_counts_what_is_found(capsys):
    assert main(["--quick", "--only", "of-gram"]) == 0
    assert "false alarms: 0 of 1 true lemmas" in capsys.readouterr().out
