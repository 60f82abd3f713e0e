"""Power and grade: whether a check could have failed, and how often a false statement fails."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.cases.degeneracy import corners, off_corners
from verify.core.budgets import budget_named
from verify.core.claim import Kind, Source
from verify.core.evidence import Evidence, Mutant, Outcome
from verify.core.grade import ENOUGH, Grade, grade_from_json, interval
from verify.core.power import CONCLUSION, power_from_json
from verify.language.building import Matrix
from verify.methods.context import Context
from verify.methods.generic import generic, grade_of, is_corner
from verify.methods.mutation import mutation
from verify.methods.nearest import STANDS, nearest
from verify.papers.registry import all_claims, find
from verify.runs.power import LARGER, power_of
from verify.search.circular import asked_twice
from verify.search.joint_hypotheses import drawn_cases
from verify.search.judging import judge_exactly
from verify.statements.stated import Given, stated

LAW = find("lj22.lemma2a")
KILLED = Mutant("sign", "a sign", "killed", "a case")
SURVIVED = Mutant("constant", "a constant", "survived", "")
DROPPED = Mutant("hypothesis", "without: it", "killed", "a case")
GRADE = Grade(1000, 3, 0.1, 0.2, False, "n = 1")


def mutated(*mutants):
    return Evidence("mutation", Outcome.SUPPORTS, "", mutants=mutants)


def drawn(away, **figures):
    figures = {LARGER: away, **figures}
    return Evidence("pointwise", Outcome.SUPPORTS, "", figures=figures, instances=30)


def test_power_by_hand():
    assert power_of(LAW, [drawn(20)]) is None  # nobody looked
    sharp = power_of(LAW, [mutated(KILLED, SURVIVED), drawn(20)])
    assert (sharp.tested, sharp.mutants, sharp.killed, sharp.generic) == (True, 2, 1, 20)
    for faulty in (
        [mutated(SURVIVED), drawn(20)],
        [mutated(), drawn(20)],
        [mutated(DROPPED), drawn(20)],  # a hypothesis is not the statement
        [mutated(KILLED), drawn(4)],
        [mutated(KILLED), drawn(20, **{"smallest relative slack": "9.95e-01"})],
        [mutated(KILLED, Mutant("hypothesis", "without: it", "killed", f"{CONCLUSION}: ..."))],
    ):
        assert power_of(LAW, faulty).tested is False
        assert power_of(LAW, faulty).why
    near = drawn(20, **{"smallest relative slack": "1e-3"})
    assert power_of(LAW, [mutated(KILLED), near]).tested is True


def test_power_and_grade_are_read_back():
    power = power_of(LAW, [mutated(KILLED), drawn(9)])
    assert power_from_json(power.to_json()) == power
    grade = GRADE
    assert grade_from_json(grade.to_json()) == grade
    assert power_from_json(None) is grade_from_json(None) is None


# a hypothesis that is the conclusion ------------------------------------------------------------
M = Matrix("M", "rows", "columns")
IS_SMALL = abs(M[1, 1]) <= 1


def circular(*given):
    """The claim that the first entry is small."""
    return stated("lj22.risk", Source("control", "-", ""), "", "", IS_SMALL, given)


def large(case, random):
    return case.with_numbers([9 * abs(number) + 9 for number in case.numbers])


def small(case, random):
    return case.with_numbers([number / (1 + abs(number)) for number in case.numbers])


ALIKE = Given("small", IS_SMALL, "", small, large)
OTHER = Given("any", M[1, 1] ** 2 >= 0)


def test_a_statement_that_says_what_a_hypothesis_asks_is_seen():
    assert [one.name for one in asked_twice(circular(ALIKE, OTHER))] == ["small"]
    assert asked_twice(circular(OTHER)) == []
    assert asked_twice(find("lj22.lemma2a")) == []


def test_a_hypothesis_that_is_the_conclusion_leaves_the_check_without_power():
    found = mutation(circular(ALIKE), Context(budget_named("smoke")))
    power = power_of(circular(ALIKE), [found])
    assert power.tested is False
    assert CONCLUSION in power.why


# grades ----------------------------------------------------------------------------------------
@given(st.integers(1, 3000), st.data())
def test_the_interval_holds_the_share(cases, data):
    failed = data.draw(st.integers(0, cases))
    low, high = interval(failed, cases)
    assert 0 <= low <= failed / cases + 1e-6
    assert failed / cases - 1e-6 <= high <= 1


def test_the_rule_of_three():
    assert interval(0, 1000) == (0.0, pytest.approx(1 - 0.025 ** (1 / 1000), abs=1e-6))


def test_only_enough_generic_cases_show_that_corners_alone_fail():
    assert Grade(ENOUGH, 0, 0, 0, True, "").corner_only
    assert not Grade(ENOUGH - 1, 0, 0, 0, True, "").corner_only
    assert not Grade(ENOUGH, 1, 0, 0, True, "").corner_only
    assert not Grade(ENOUGH, 0, 0, 0, False, "").corner_only


def test_the_nature_of_a_slip_is_what_stands_near_it() -> None:
    def nature(*rules: str) -> str:
        near = tuple({"rule": rule, "change": "2 should be 1"} for rule in rules)
        return replace(GRADE, near=near).nature

    assert GRADE.nature == ""
    assert nature() == "nothing near it stands"
    assert nature("hypothesis") == "one hypothesis away"
    assert nature("exponent", "hypothesis") == "one change away"
    told = replace(GRADE, near=({"rule": "sign", "change": "- should be +"},))
    assert grade_from_json(told.to_json()) == told
    assert grade_from_json(GRADE.to_json()) == GRADE


def test_what_all_cases_share_is_no_corner():
    cases = [["an entry of 0"], ["an entry of 0"], ["an entry of 0", "an axis of length 1"]]
    assert off_corners(cases) == (2, ("an entry of 0",))
    assert off_corners([[], ["a weight of 0"]]) == (1, ())
    assert off_corners([]) == (0, ())


def test_generic_cases_of_a_false_claim_and_of_one_that_fails_at_kinks_alone():
    """The risk with y outside and inside differs for most networks; the balance of Lemma 2 fails
    where a Clarke element is chosen at a kink, and nowhere else."""
    context = Context(replace(budget_named("smoke"), generic=60))
    wrong = generic(find("lj22.risk"), context)
    assert wrong.instances >= 60
    assert int(wrong.figures["failed"]) > 20
    corner = generic(find("lj22.thm1-1@A"), context)
    assert corner.figures["failed"] == 0
    assert grade_of(find("lj22.risk"), [wrong], None).failed == wrong.figures["failed"]
    assert grade_of(find("lj22.risk"), [], None) is None


@pytest.mark.parametrize("name", ["lj22.risk", "lj22.lemma2b@A", "lj22.weyl.a", "lj22v1.gd-86"])
def test_what_is_left_out_would_not_have_counted(name, monkeypatch):
    """Against all cases that are drawn, each judged by itself. Few at a time, so that what they
    share shrinks more than once."""
    monkeypatch.setattr("verify.methods.generic.CHECKED", 2)
    claim, context = find(name), Context(replace(budget_named("smoke"), generic=15))
    figures = generic(claim, context).figures
    random = context.random(claim, "generic")
    cases = drawn_cases(claim, claim.hypotheses, random, figures["drawn"], context.seed)
    words, fails = [], []
    for case in cases:
        seen = judge_exactly(claim, case.exactly())
        if seen.admitted:
            words.append(corners(claim, case))
            fails.append(bool(seen.violations))
    count, shared = off_corners(words)
    assert figures["generic"] == count > 0
    pairs = zip(words, fails, strict=True)
    assert figures["failed"] == sum(fail and set(shared).issuperset(here) for here, fail in pairs)
    assert figures.get("in every case", "") == "; ".join(shared)


def test_the_nearest_are_looked_for_in_a_given_time(monkeypatch):
    """With none of it none is tried; the time is asked within one statement, too."""
    monkeypatch.setattr("verify.methods.nearest.LONGEST", 0.0)
    found = nearest(find("lj22.lemma11-80"), Context(budget_named("smoke")))
    assert found.figures == {"tried": 0, STANDS: 0}


def test_statements_about_limits_are_not_graded():
    """Their cases are solutions that are made."""
    limit = next(claim for claim in all_claims() if claim.kind is Kind.LIMIT and claim.judged)
    assert generic(limit, Context(budget_named("smoke"))) is None


def rectangle(*entries):
    """A case of `circular` with two rows and two columns."""
    random = Random(3)
    pool = circular().pool
    case = next(c for c in (pool.draw(random, n=2) for _ in range(99)) if len(c.numbers) == 4)
    return case.with_numbers([Fraction(entry) for entry in entries])


@pytest.mark.parametrize(
    ("entries", "corner"),
    [
        ((0, 2, 3, 4), True),  # a first entry of 0 violates it, and none beside
        ((0, 0, 3, 4), True),
        ((5, 0, 3, 4), False),  # degenerate, but a first entry of 5 violates it as well
        ((5, 2, 3, 4), False),  # not degenerate at all
    ],
)
def test_a_corner_has_no_failure_beside_it(entries, corner):
    """Of the claim that the first entry is neither 0 nor at least 4."""

    says = (M[1, 1] != 0) & (abs(M[1, 1]) < 4)
    claim = stated("control.first", Source("control", "-", ""), "", "", says)
    certificate = {"case": rectangle(*entries).to_json()}
    assert is_corner(claim, certificate, set()) is corner
    assert not is_corner(claim, certificate, {"an entry of 0"})
    assert not is_corner(claim, None, set())


def test_a_statement_of_existence_within_compares_with_no_zero():
    claim = find("lj22.thm1-6")  # its leaf is no relation
    assert power_of(claim, ()) is None or power_of(claim, ()).why
