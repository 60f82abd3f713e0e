"""Arguments for whole claims: one false step and the check is broken, not the claim proved."""

from dataclasses import replace

import pytest

from verify.argument import Argument, Step
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.registry import all_claims, find
from verify.runs.budgets import BUDGETS
from verify.verdict import Verdict, decide

CONTEXT = Context(BUDGETS["smoke"])
CLAIM = find("lj22.pullback")
GOOD, BAD = Step("two and two is four", True), Step("two and two is five", False)


def arguing(*steps, trusted=(), uses=()):
    proved = Argument("an argument", steps, trusted, "pulled_through", uses)
    return replace(CLAIM, proof=lambda: proved)


@pytest.mark.parametrize(
    "claim", [c for c in all_claims() if c.proof is not None], ids=lambda c: c.id
)
def test_the_arguments_of_the_papers_hold(claim):
    evidence, argument = schema(claim, CONTEXT), claim.proof()
    assert evidence.outcome is (Outcome.PROVES_ON_SCOPE if argument.scope else Outcome.PROVES)
    assert evidence.figures["steps"] == len(argument.steps) > 0
    expected = Verdict.PROVED_ON_SCOPE if argument.scope else Verdict.PROVED
    assert decide(claim, [evidence]).verdict is expected


def test_an_argument_on_a_scope_proves_no_more_than_that():
    proved = Argument("an argument", (GOOD,), ("a fact",), "pulled_through", (), ("two networks",))
    evidence = schema(replace(CLAIM, proof=lambda: proved), CONTEXT)
    assert evidence.outcome is Outcome.PROVES_ON_SCOPE
    assert evidence.scope == ("two networks", "rests on: a fact")
    decision = decide(CLAIM, [evidence])
    assert (decision.verdict, decision.scope) == (
        Verdict.PROVED_ON_SCOPE,
        "two networks; rests on: a fact",
    )


def test_an_argument_proves_no_other_claim():
    """Neither one that lacks a hypothesis that it uses, nor one that measures something else."""
    lacking = schema(arguing(GOOD, uses=("a hypothesis that is not there",)), CONTEXT)
    assert lacking.outcome is Outcome.ERROR
    assert "a hypothesis that is not there" in lacking.summary
    other = schema(replace(arguing(GOOD), measure=find("lj22.risk").measure), CONTEXT)
    assert other.outcome is Outcome.ERROR
    for claim in all_claims():
        if claim.proof is not None:
            for gone in claim.proof().uses:
                fewer = tuple(h for h in claim.hypotheses if gone not in (h.name, h.statement))
                assert len(fewer) < len(claim.hypotheses)
                assert schema(replace(claim, hypotheses=fewer), CONTEXT).outcome is Outcome.ERROR


def test_every_step_must_hold():
    for steps in ((BAD,), (GOOD, BAD), (BAD, GOOD)):
        evidence = schema(arguing(*steps), CONTEXT)
        assert evidence.outcome is Outcome.ERROR
        assert BAD.text in evidence.summary
        assert decide(CLAIM, [evidence]).verdict is Verdict.ERROR


def test_an_argument_without_steps_proves_nothing():
    evidence = schema(arguing(), CONTEXT)
    assert evidence.outcome is Outcome.ERROR
    assert "no steps" in evidence.summary


def test_what_is_trusted_is_shown():
    evidence = schema(arguing(GOOD, trusted=("a known fact",)), CONTEXT)
    assert evidence.scope == ("the whole claim", "rests on: a known fact")
    assert evidence.summary == "an argument"


def test_most_claims_have_no_argument():
    assert schema(find("lj22.risk"), CONTEXT) is None
