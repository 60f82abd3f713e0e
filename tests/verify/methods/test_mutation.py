"""Fates of mutants that were worked out by hand, and what is said of them."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from verify.cases.tensors import Tensor
from verify.core.budgets import budget_named
from verify.core.claim import Source
from verify.core.evidence import Outcome, evidence_from_json
from verify.core.verdict import Verdict, decide
from verify.language.building import Whole, implies
from verify.methods.context import Context
from verify.methods.mutation import mutation
from verify.papers.registry import find
from verify.runs.tasks import METHODS, tasks_for
from verify.search.mutants.draws import batches, rounds
from verify.search.mutants.trial import Suspect, Trial
from verify.statements.stated import Given, stated

CONTEXT = Context(replace(budget_named("ci"), mutants=48, mutant_draws=36))
A, B = Whole("a", 0, 3), Whole("b", 0, 3)


def ordered(case, random):
    a, b = sorted((case.whole("a"), case.whole("b")), reverse=True)
    return put(case, a, b)


def disordered(case, random):
    return put(case, 0, 1 + random.randrange(3))


def put(case, a, b):
    one, two = (Tensor((), (), (Fraction(value),), integer=True) for value in (a, b))
    return case.changing(a=one, b=two)


ORDER = Given("order", A >= B, "a >= b", ordered, disordered)
ANY = Given("any", A + B >= 0, break_=lambda case, random: case)


def claim(says, *given):
    return stated("test.numbers", Source("test", "-", "-"), "-", "-", says, given)


SQUARES = claim(A * A + B * B >= 2 * A * B)
"""(a - b)^2 >= 0, multiplied out."""
BINOMIAL = claim((A + B) ** 2 == A * A + B * B + 2 * A * B)
DIFFERENCE = claim(A - B >= 0, ORDER, ANY)
HOLLOW = claim((A >= 0) | (B >= 0))
"""Whichever part is changed, the other one is true."""


@pytest.fixture(scope="module")
def fates():
    return {one.change.strip("$"): one.fate for one in mutation(SQUARES, CONTEXT).mutants}


def test_half_of_the_mutants_come_first_and_all_where_none_of_those_was_killed():
    few = Context(replace(budget_named("ci"), mutants=8, mutant_draws=12))
    assert len(mutation(SQUARES, few).mutants) == 4
    assert len(mutation(HOLLOW, few).mutants) == 8
    assert len(mutation(SQUARES, CONTEXT).mutants) > 8


def test_what_is_false_of_some_numbers_is_killed(fates):
    """By a = b = 1, or by a = 0 and b = 1."""
    sides = r"a \, a + b \, b", r"2 \, a \, b"
    killed = (
        r"2 \to 3",
        rf"{sides[0]} \to a \, a - b \, b",
        rf"{sides[0]} \to a \, a",
        rf"{sides[0]} \to b \, b",
        r"a \, a \to a",
        rf"{sides[1]} \to 2 \, a",
        rf"{sides[1]} \to 2 \, \left(2 \, a \, b\right)",
        rf"{sides[0]} \ge {sides[1]} \to {sides[0]} > {sides[1]}",
        rf"{sides[0]} \ge {sides[1]} \to {sides[0]} \le {sides[1]}",
    )
    assert {change: fates[change] for change in killed} == dict.fromkeys(killed, "killed")


def test_what_is_weaker_is_not_told_apart(fates):
    for change in (r"2 \to 1", r"2 \to -2", r"2 \, a \to a"):
        assert fates[change] == "not told apart"


def test_what_is_true_as_well_survives(fates):
    """a^2 + b^2 - b is never negative at whole numbers."""
    assert fates[r"2 \, a \, b \to b"] == "survived"
    assert list(fates.values()).count("survived") == 1


def test_the_share_and_the_survivors_are_told():
    found = mutation(DIFFERENCE, CONTEXT)
    assert found.figures["killed"] == 5
    assert found.figures["share killed, percent"] == 83
    assert "below 90 percent" in found.summary
    assert r"$a - b \to b$" in found.summary  # b >= 0


def test_an_equation_kills_all_that_can_be_told_from_it():
    found = mutation(BINOMIAL, CONTEXT)
    assert {one.fate for one in found.mutants} == {"killed"}
    assert found.figures["share killed, percent"] == 100
    assert found.figures["smallest violation noticed"] == "any, exactly"


def test_a_statement_that_says_nothing_is_seen():
    found = mutation(HOLLOW, CONTEXT)
    assert found.figures["killed"] == 0
    assert found.figures["share killed, percent"] == 0
    assert found.figures["smallest violation noticed"] == "none seen"
    assert "its checks are not seen to be able to fail" in found.summary


def test_each_hypothesis_is_dropped():
    found = mutation(DIFFERENCE, CONTEXT)
    dropped = {one.change: one.fate for one in found.mutants if one.rule == "hypothesis"}
    assert dropped == {"without: order": "killed", "without: any": "not told apart"}
    assert found.instances > 0


def test_a_claim_that_fails_is_not_mutated():
    found = mutation(find("lj22.lemma3@A"), CONTEXT)
    assert found.mutants == ()
    assert found.outcome is Outcome.VIOLATES
    assert "violates the claim itself" in found.summary


def test_a_statement_of_existence_is_not_mutated():
    found = mutation(find("lj22.lemma4"), CONTEXT)
    assert found.mutants == ()
    assert "rests on its witness" in found.summary


def test_the_same_mutants_and_fates_each_time():
    some = find("lj22.lemma2a")
    first, second = (replace(mutation(some, CONTEXT), seconds=0.0) for _ in range(2))
    assert first == second
    assert evidence_from_json(first.to_json()) == first


@pytest.mark.parametrize("name", ["lj22.lemma2a", "lj22.thm1-2", "lj22.eq30", "j23.bn1fit"])
def test_checks_of_the_paper_kill_their_mutants(name):
    found = mutation(find(name), CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert found.figures["killed"] >= 6
    assert found.figures["share killed, percent"] >= 90


def test_what_survives_of_lemma_10():
    """With T_(1) it is true as well; with T_(2) it fails where slices are orthogonal, b = 1 say,
    and few cases are like that."""
    found = mutation(find("lj22.lemma10"), CONTEXT)
    left = {mutant.change for mutant in found.mutants if mutant.fate == "survived"}
    assert left <= {r"$T_{(3)} \to T_{(1)}$", r"$T_{(3)} \to T_{(2)}$"}
    assert found.figures["killed"] >= 6


def test_what_would_be_noticed_of_an_inequality():
    """|W|_2^2 rank(W) >= |W|_F^2 is an equality for rank 1: any larger constant is noticed."""
    found = mutation(find("lj22.thm2-rank"), CONTEXT)
    assert found.figures["smallest violation noticed"] == "any factor above 1 on the right side"


def test_mutants_alone_say_nothing_for_a_claim():
    found = mutation(SQUARES, CONTEXT)
    assert decide(SQUARES, [found]).verdict is Verdict.NOT_RUN


def test_it_is_run_last_of_every_judged_claim():
    assert "mutation" in METHODS
    tasks = [task.method for task in tasks_for(find("lj22.lemma3@B"), "ci", 0, "cpu")]
    assert "mutation" in tasks


def test_a_mutant_that_breaks_is_never_told_of():
    broken = Suspect("sign", "broken", lambda scene: 1 / 0)
    trial = Trial(SQUARES, [broken])
    for cases in rounds(SQUARES, Random(1), 8):
        for batch in cases:
            trial.look(batch)
    assert broken.stated == 0
    assert broken.unstated > 0
    assert trial.met >= 8


def test_a_mutant_whose_numbers_are_not_compared_is_no_error():
    def odd(scene):
        found = SQUARES.measure(scene)
        return replace(found, values=np.array([object()] * len(found), dtype=object))

    strange = Suspect("sign", "odd", odd)
    assert Trial(SQUARES, [strange]).look([put(SQUARES.pool.draw(Random(1)), 2, 1)]) == 1
    assert (strange.unstated, strange.killed) == (1, "")


def test_a_mutant_may_speak_of_what_the_claim_does_not():
    """a - b >= 0 where a >= b, and the same of all cases."""
    some, wider = implies(A >= B, A - B >= 0), claim(A - B >= 0).measure
    silent = put(SQUARES.pool.draw(Random(1)), 0, 2)
    told = Suspect("term", "for all", wider)
    assert Trial(claim(some, ANY), [told]).look([silent]) == 0
    assert told.killed
    supposed = Suspect("term", "for all", wider)
    assert Trial(claim(some, ORDER), [supposed]).look([silent]) == 0
    assert not supposed.killed  # the case does not meet the hypothesis


def test_batches_leave_no_case_out():
    cases = [SQUARES.pool.draw(Random(k)) for k in range(9)]
    assert sum(map(len, batches(cases))) == 9
