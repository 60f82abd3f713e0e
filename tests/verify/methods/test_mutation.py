"""Fates of mutants that were worked out by hand, and what is said of them."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import constant_entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor
from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind
from verify.core.evidence import Outcome, evidence_from_json
from verify.core.verdict import Verdict, decide
from verify.methods.context import Context
from verify.methods.mutation import mutation
from verify.papers.registry import find
from verify.runs.tasks import METHODS, tasks_for
from verify.search.mutants import rewrites
from verify.search.mutants.draws import batches, rounds
from verify.search.mutants.trial import Suspect, Trial

CONTEXT = Context(replace(budget_named("ci"), mutants=48, mutant_draws=36))
PAIRS = TensorPool(integers=(("a", 0, 3), ("b", 0, 3)))


def gap(a, b):
    return a * a + b * b - 2 * a * b


def squares(scene):
    """(a - b)^2, multiplied out."""
    rows = []
    for k, case in enumerate(scene.cases):
        rows.append((k, {}, Fraction(gap(case.whole("a"), case.whole("b")))))
    return constant_entries(scene, rows)


def expanded(a, b):
    return (a + b) ** 2 - (a * a + b * b + 2 * a * b)


def binomial(scene):
    """(a + b)^2 less what it is multiplied out."""
    rows = []
    for k, case in enumerate(scene.cases):
        rows.append((k, {}, Fraction(expanded(case.whole("a"), case.whole("b")))))
    return constant_entries(scene, rows)


def difference(scene):
    """a - b."""
    rows = []
    for k, case in enumerate(scene.cases):
        rows.append((k, {}, Fraction(case.whole("a") - case.whole("b"))))
    return constant_entries(scene, rows)


def hollow(scene):
    """0, whatever the case."""
    return constant_entries(scene, [(k, {}, Fraction(0)) for k in range(len(scene.cases))])


def ordered(case, random):
    a, b = sorted((case.whole("a"), case.whole("b")), reverse=True)
    return put(case, a, b)


def disordered(case, random):
    return put(case, 0, 1 + random.randrange(3))


def put(case, a, b):
    one, two = (Tensor((), (), (Fraction(value),), integer=True) for value in (a, b))
    return case.changing(a=one, b=two)


ORDER = Hypothesis(
    "order", "a >= b", by_case(lambda c: c.whole("a") >= c.whole("b")), ordered, disordered
)
ANY = Hypothesis("any", "", by_case(lambda case: True), break_=lambda case, random: case)


def claim(kind, measure, *hypotheses) -> Claim:
    return replace(
        find("lj22.rho@B"),
        id=f"test.{measure.__name__}",
        kind=kind,
        measure=measure,
        hypotheses=hypotheses,
        pool=PAIRS,
        exact_only=True,
        proof=None,
        terms=None,
    )


SQUARES = claim(Kind.INEQUALITY, squares)


@pytest.fixture(scope="module")
def fates():
    found = mutation(SQUARES, CONTEXT)
    return {
        one.change.split(" in gap")[0].split(" in squares")[0]: one.fate for one in found.mutants
    }


def test_half_of_the_mutants_come_first_and_all_where_none_of_those_was_killed():
    few = Context(replace(budget_named("ci"), mutants=8, mutant_draws=12))
    told = mutation(SQUARES, few)
    assert told.figures["killed"] >= 1
    whole = {one.change for one in mutation(SQUARES, CONTEXT).mutants}
    assert len(told.mutants) < len(whole)
    assert len(mutation(claim(Kind.IDENTITY, hollow), few).mutants) == len(
        mutation(claim(Kind.IDENTITY, hollow), CONTEXT).mutants
    )


def test_what_is_false_of_some_numbers_is_killed(fates):
    """By a = b = 1, or by a = 0 and b = 1."""
    killed = (
        "2 -> 3",
        "2 -> 4",
        "a * a + b * b -> a * a - b * b",
        "a * a + b * b -> a * a",
        "a * a + b * b -> b * b",
        "a * a -> a",
        "2 * a * b -> 2 * a",
        "2 * a -> 2",
        "left >= right -> left > right",
        "left >= right -> left = right",
        "left >= right -> right >= left",
    )
    assert {change: fates[change] for change in killed} == dict.fromkeys(killed, "killed")


def test_what_is_weaker_is_not_told_apart(fates):
    for change in ("2 -> 1", "2 -> -2", "2 * a -> a"):
        assert fates[change] == "not told apart"


def test_what_is_true_as_well_survives(fates):
    """b^2 - b and a^2 + b^2 - b are never negative at whole numbers, and (b - b)^2 is 0."""
    for change in ("2 * a * b -> b", "'a' -> 'b'", "'b' -> 'a'"):
        assert fates[change] == "survived"


def test_the_share_and_the_survivors_are_told(fates):
    found = mutation(SQUARES, CONTEXT)
    killed = sum(fate == "killed" for fate in fates.values())
    survived = sum(fate == "survived" for fate in fates.values())
    assert found.figures["killed"] >= killed
    assert found.figures["share killed, percent"] < 90
    assert "below 90 percent" in found.summary
    assert "'a' -> 'b'" in found.summary
    assert survived >= 3


def test_an_equation_kills_all_that_can_be_told_from_it():
    found = mutation(claim(Kind.IDENTITY, binomial), CONTEXT)
    told = {one.change.split(" in ")[0]: one.fate for one in found.mutants}
    assert told["a + b -> a - b"] == "killed"
    assert told["2 -> 3"] == "killed"
    assert found.figures["share killed, percent"] == 100
    assert found.figures["smallest violation noticed"] == "any, exactly"
    right = [one for one in found.mutants if one.rule == "operands" and "** 2" in one.change]
    assert [one.fate for one in right] == ["not told apart"]  # right side less left side


def test_a_measure_that_looks_at_nothing_is_seen():
    for kind in (Kind.IDENTITY, Kind.LAW):
        found = mutation(claim(kind, hollow), CONTEXT)
        assert found.figures["killed"] == 0
        assert found.figures["share killed, percent"] == 0
        assert found.figures["smallest violation noticed"] == "none seen"
        assert "its checks are not seen to be able to fail" in found.summary


def test_each_hypothesis_is_dropped():
    found = mutation(claim(Kind.INEQUALITY, difference, ORDER, ANY), CONTEXT)
    dropped = {one.change: one.fate for one in found.mutants if one.rule == "hypothesis"}
    assert dropped == {"without: order": "killed", "without: any": "not told apart"}
    assert found.instances > 0


def test_rewrites_pass():
    for measure in (squares, binomial, difference):
        found = mutation(claim(Kind.INEQUALITY, measure, ORDER), CONTEXT)
        same = [one for one in found.mutants if one.rule == "rewrite"]
        assert same
        assert {one.fate for one in same} == {"passed"}


def test_a_rewrite_that_does_not_pass_is_an_error(monkeypatch):
    def slip(one, other):
        return other + one + 1

    monkeypatch.setitem(rewrites.REWRITE_NAMES, "_commuted_sum", slip)
    found = mutation(claim(Kind.IDENTITY, binomial), CONTEXT)
    assert found.outcome is Outcome.ERROR
    assert "a rewrite that says the same did not pass" in found.summary


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


def test_a_mutant_that_writes_into_its_case_harms_no_other():
    pool = TensorPool((("w", ("i",)),))

    def unchanged(scene):
        """Whether the numbers of the scene are those of the cases."""
        pairs = zip(scene["w"], scene.cases, strict=True)
        rows = [
            (k, {}, as_fraction(row[0]) - case.arrays["w"].entries[0])
            for k, (row, case) in enumerate(pairs)
        ]
        return constant_entries(scene, rows)

    def writing(scene):
        found = unchanged(scene)
        scene["w"][:] = scene["w"] + 1
        return found

    suspects = [Suspect("term", "writes", writing), Suspect("sign", "sound", unchanged)]
    whole = replace(SQUARES, measure=unchanged, kind=Kind.IDENTITY, pool=pool)
    trial = Trial(whole, suspects)
    assert trial.look([pool.draw(Random(1))]) == 1
    assert [suspect.killed for suspect in suspects] == ["", ""]
    assert [suspect.stated for suspect in suspects] == [0, 1]  # arrays of a scene are read-only


def test_a_mutant_may_speak_of_what_the_claim_does_not():
    """a - b >= 0 for the cases with a >= b, and a changed statement for all of them."""

    def where(scene, speaks):
        kept = [(k, c) for k, c in enumerate(scene.cases) if speaks(c)]
        gaps = [(k, {}, Fraction(c.whole("a") - c.whole("b"))) for k, c in kept]
        return constant_entries(scene, gaps)

    def some(scene):
        return where(scene, lambda c: c.whole("a") >= c.whole("b"))

    silent = put(PAIRS.draw(Random(1)), 0, 2)
    wider = Suspect("term", "for all", lambda scene: where(scene, lambda c: True))
    trial = Trial(claim(Kind.INEQUALITY, some, ANY), [wider])
    assert trial.look([silent]) == 0
    assert wider.killed
    supposed = Suspect("term", "for all", wider.measure)
    assert Trial(claim(Kind.INEQUALITY, some, ORDER), [supposed]).look([silent]) == 0
    assert not supposed.killed  # the case does not meet the hypothesis


def test_batches_leave_no_case_out():
    cases = [PAIRS.draw(Random(k)) for k in range(9)]
    assert sum(map(len, batches(cases))) == 9
