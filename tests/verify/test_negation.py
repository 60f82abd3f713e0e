"""The negation of every claim, in words."""

from dataclasses import replace

import pytest

from verify.core.claim import Kind
from verify.core.negation import negation
from verify.core.verdict import Decision, Verdict
from verify.papers.registry import all_claims, find
from verify.runs.record import Found, claim_record

JUDGED = [claim for claim in all_claims() if claim.judged]


def test_every_judged_claim_has_one_and_no_other():
    assert all(negation(claim).endswith(".") for claim in JUDGED)
    others = [claim for claim in all_claims() if not claim.judged]
    drawn = [(claim.rate, claim.sampled, claim.exponents) != (None,) * 3 for claim in others]
    assert [bool(negation(claim)) for claim in others] == drawn
    assert not any("refuted by" in negation(claim) for claim in others)


@pytest.mark.parametrize("kind", [Kind.LIMIT, Kind.EXISTENCE])
def test_limits_and_existence_say_what_fails(kind):
    found = [claim for claim in JUDGED if claim.kind is kind]
    assert len(found) >= 10
    assert all(claim.negated and claim.negated in negation(claim) for claim in found)


def test_a_claim_that_a_case_exists_is_not_refuted_by_a_case():
    for claim in JUDGED:
        by_case = "one exact case" in negation(claim)
        assert by_case is (claim.kind not in (Kind.LIMIT, Kind.EXISTENCE, Kind.EXPERIMENT))


def test_a_trajectory_refutes_neither_a_limit_nor_a_law():
    for claim in JUDGED:
        if claim.kind in (Kind.LIMIT, Kind.LAW):
            assert "trajectory" in negation(claim)


def test_the_words_of_a_claim_come_before_those_of_its_kind():
    claim = replace(find("lj22.lemma1"), negated="the two sides differ")
    assert negation(claim).endswith("at which the two sides differ.")


def test_it_is_in_the_record():
    claim = find("lj22.lemma1")
    record = claim_record(claim, Found(Decision(Verdict.NOT_RUN, "", ""), ()))
    assert record["negation"] == negation(claim)
