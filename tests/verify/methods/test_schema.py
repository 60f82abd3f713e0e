"""Arguments: they argue and never prove, and one false step or nothing to rest on breaks them."""

from dataclasses import replace
from functools import cache

import pytest

from reports.mathematics import REFERENCE, titles
from verify.core.argument import Argument, Step
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.core.verdict import Verdict, decide
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.registry import all_claims, find
from verify.papers.zlb22 import two_sided

CONTEXT = Context(BUDGETS["smoke"])
SHARE = 20  # every twentieth argument
PLACE = "docs/mathematics/lj22.md#rays"
GOOD, BAD = Step("two and two is four", True), Step("two and two is five", False)


CLAIM = replace(find("lj22.lemma2a"), derivation=None)
"""With hypotheses."""


def arguing(*steps, trusted=("a known fact",), uses=(), section=PLACE, scope=()):
    goal = CLAIM.terms.says
    argument = Argument("an argument", steps, trusted, uses, scope, section, goal=goal)
    return replace(CLAIM, proof=lambda: argument)


@cache
def argument_of(claim_id):
    """What it says of itself, of which families of networks it holds aside."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two_sided, "holds_on_list", lambda *told: (1, True))
        return find(claim_id).proof()


ARGUED = [claim for claim in all_claims() if claim.proof is not None]


@pytest.mark.parametrize("claim", ARGUED[::SHARE], ids=lambda c: c.id)
def test_the_arguments_of_the_papers_hold(claim):
    """The baseline has all of them (verdicts "argued")."""
    evidence, argument = schema(claim, CONTEXT), argument_of(claim.id)
    assert evidence.outcome is (Outcome.ARGUES_ON_SCOPE if argument.scope else Outcome.ARGUES)
    assert evidence.figures["steps"] == len(argument.steps) > 0
    expected = Verdict.ARGUED_ON_SCOPE if argument.scope else Verdict.ARGUED
    assert decide(claim, [evidence]).verdict is expected


@pytest.mark.parametrize("claim", ARGUED, ids=lambda c: c.id)
def test_arguments_say_what_they_rest_on_and_where_that_is_argued(claim):
    argument = argument_of(claim.id)
    assert argument.trusted
    assert REFERENCE.fullmatch(argument.section).groups() in titles()
    assert set(argument.cites) <= {c.id for c in all_claims()}


def test_an_argument_on_a_scope_shows_no_more_than_that():
    evidence = schema(arguing(GOOD, scope=("two networks",)), CONTEXT)
    assert evidence.outcome is Outcome.ARGUES_ON_SCOPE
    assert evidence.scope == ("two networks",)
    decision = decide(CLAIM, [evidence])
    assert (decision.verdict, decision.scope) == (Verdict.ARGUED_ON_SCOPE, "two networks")


def test_an_argument_that_rests_on_nothing_or_is_argued_nowhere_does_not_count():
    """That is how a forgery looks: one step, 1 = 1, under the right name."""
    for forged, fault in (
        (arguing(GOOD, trusted=()), "what it rests on"),
        (arguing(GOOD, section=""), "where that is argued"),
    ):
        evidence = schema(forged, CONTEXT)
        assert evidence.outcome is Outcome.ERROR
        assert fault in evidence.summary


def test_an_argument_is_for_no_other_claim():
    """Neither one that lacks a hypothesis that it uses, nor one that says something else."""
    lacking = schema(arguing(GOOD, uses=("a hypothesis that is not there",)), CONTEXT)
    assert lacking.outcome is Outcome.ERROR
    assert "a hypothesis that is not there" in lacking.summary
    other = schema(replace(arguing(GOOD), terms=find("lj22.risk").terms), CONTEXT)
    assert other.outcome is Outcome.ERROR
    for claim in [claim for claim in ARGUED if argument_of(claim.id).uses][::SHARE]:
        for gone in argument_of(claim.id).uses:
            fewer = tuple(h for h in claim.hypotheses if gone not in (h.name, h.statement))
            assert len(fewer) < len(claim.hypotheses)
            assert schema(replace(claim, hypotheses=fewer), CONTEXT).outcome is Outcome.ERROR


def test_every_step_must_hold():
    for steps in ((BAD,), (GOOD, BAD), (BAD, GOOD)):
        evidence = schema(arguing(*steps), CONTEXT)
        assert evidence.outcome is Outcome.ERROR
        assert BAD.text in evidence.summary
        assert decide(CLAIM, [evidence]).verdict is Verdict.ERROR


def test_an_argument_without_steps_shows_nothing():
    evidence = schema(arguing(), CONTEXT)
    assert evidence.outcome is Outcome.ERROR
    assert "no steps" in evidence.summary


def test_what_is_trusted_is_shown():
    evidence = schema(arguing(GOOD), CONTEXT)
    assert evidence.scope == ("the whole claim",)
    assert (evidence.rests_on, evidence.section) == (("a known fact",), PLACE)
    assert evidence.summary == "an argument"


def test_most_claims_have_no_argument():
    assert schema(find("lj22.risk"), CONTEXT) is None
