"""From evidence to a verdict: what outranks what, and no verdict is wider than its evidence."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.core.claim import Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.power import Power
from verify.core.verdict import Verdict, decide
from verify.papers.registry import find

LAW = find("lj22.lemma2a")
EXISTENCE = find("lj22.lemma4")
DEFINITION = find("lj22.def1")
JUDGED_DEFINITION = find("lj22.def4")


def piece(method, outcome, instances=5, **more):
    return Evidence(
        method,
        outcome,
        f"{method} {outcome.value}",
        (f"scope of {method}",),
        **more,
        instances=instances,
    )


REFUTES = piece("search", Outcome.REFUTES, 1)
PROVES = piece("search", Outcome.PROVES, 1)
ARGUES = piece("schema", Outcome.ARGUES, 4)
ARGUES_PART = piece("expanded", Outcome.ARGUES_ON_SCOPE, 9)
CONTRADICTS = piece("sampling", Outcome.CONTRADICTS, 90)
ON_SCOPE = piece("expanded", Outcome.PROVES_ON_SCOPE, 30)
SUPPORTS = piece("pointwise", Outcome.SUPPORTS)
UNSURE = piece("trials", Outcome.INCONCLUSIVE)
BROKEN = piece("expanded", Outcome.ERROR, 0)
VIOLATES = piece("search", Outcome.VIOLATES, 1)
EMPTY = piece("pointwise", Outcome.SUPPORTS, 0, figures={"drawn": 72})

ORDER = [
    (REFUTES, Verdict.REFUTED),
    (BROKEN, Verdict.ERROR),
    (VIOLATES, Verdict.OPEN),
    (CONTRADICTS, Verdict.CONTRADICTED),
    (PROVES, Verdict.PROVED),
    (ARGUES, Verdict.ARGUED),
    (UNSURE, Verdict.OPEN),
    (ON_SCOPE, Verdict.PROVED_ON_SCOPE),
    (ARGUES_PART, Verdict.ARGUED_ON_SCOPE),
    (SUPPORTS, Verdict.SUPPORTED),
]


@pytest.mark.parametrize("place", range(len(ORDER)))
def test_the_strongest_evidence_decides(place):
    """Each outcome against all that it outranks, in every order."""
    strongest, expected = ORDER[place]
    weaker = [weak for weak, _ in ORDER[place + 1 :]]
    for some in permutations([strongest, *weaker[:2]]):
        assert decide(LAW, [*some, *weaker[2:]]).verdict is expected


@given(st.permutations([pair[0] for pair in ORDER]), st.integers(1, len(ORDER)))
def test_a_counterexample_outranks_everything(pieces, count):
    some = pieces[:count]
    verdict = decide(LAW, some).verdict
    assert (verdict is Verdict.REFUTED) is (REFUTES in some)
    if BROKEN in some and REFUTES not in some:
        assert verdict is Verdict.ERROR


def test_no_evidence_is_no_verdict():
    assert decide(LAW, []).verdict is Verdict.NOT_RUN


def test_definitions_are_not_judged():
    assert decide(DEFINITION, []).verdict is Verdict.DEFINITION
    assert decide(DEFINITION, [REFUTES]).verdict is Verdict.DEFINITION
    assert JUDGED_DEFINITION.kind is Kind.DEFINITION
    assert decide(JUDGED_DEFINITION, [SUPPORTS]).verdict is Verdict.SUPPORTED


def test_hypotheses_that_nothing_met_support_nothing():
    decision = decide(LAW, [EMPTY, replace(EMPTY, method="search", figures={"drawn": 40})])
    assert decision.verdict is Verdict.VACUOUS
    assert "none of 112 cases" in decision.reason
    assert decide(LAW, [EMPTY, SUPPORTS]).verdict is Verdict.SUPPORTED
    # where a search for a witness met no case, nothing is known either way
    unsure = piece("search", Outcome.INCONCLUSIVE, 0)
    assert decide(EXISTENCE, [unsure]).verdict is Verdict.OPEN


@pytest.mark.parametrize("method", ["enumeration", "corners", "ascent", "extremes", "flow"])
def test_cases_that_met_nothing_support_nothing_where_none_was_drawn(method):
    empty = piece(method, Outcome.SUPPORTS, 0)
    unneeded = piece("necessity", Outcome.SUPPORTS, 9)  # its cases leave out a hypothesis
    mutants = piece("mutation", Outcome.SUPPORTS, 9)
    constants = piece("constants", Outcome.SUPPORTS, 9)
    for some in ([empty], [empty, unneeded], [unneeded], [empty, mutants, constants]):
        assert decide(LAW, some).verdict is Verdict.OPEN
    assert decide(LAW, [empty, PROVES]).verdict is Verdict.PROVED


def test_support_by_listed_cases_alone_tells_how_many():
    listed = piece("enumeration", Outcome.SUPPORTS, 7)
    for some in ([listed], [EMPTY, listed]):
        decision = decide(LAW, some)
        assert decision.verdict is Verdict.SUPPORTED
        assert decision.reason == "no violation in 7 (enumeration) cases that met all hypotheses"


def test_nothing_is_argued_of_nothing():
    """An argument for a claim whose hypotheses no case met shows nothing."""
    assert decide(LAW, [ARGUES, EMPTY]).verdict is Verdict.VACUOUS
    assert decide(LAW, [ON_SCOPE, EMPTY]).verdict is Verdict.VACUOUS
    assert decide(LAW, [ARGUES]).verdict is Verdict.ARGUED  # where no method looked at cases
    assert decide(LAW, [ARGUES, EMPTY, REFUTES]).verdict is Verdict.REFUTED


def test_what_refutes_by_a_lemma_is_called_so_and_the_lemma_is_named():
    by_lemma = replace(
        LAW,
        through="an exponent worked out on paper (docs/mathematics/zlb22.md#walks-from-the-output)",
    )
    decision = decide(by_lemma, [REFUTES])
    assert decision.verdict is Verdict.REFUTED_BY_ARGUMENT
    assert by_lemma.through in decision.reason
    witness = decide(replace(EXISTENCE, through="a lemma"), [PROVES])
    assert witness.verdict is Verdict.ARGUED


def test_support_by_checks_that_could_not_have_failed_is_none():
    blind = Power(False, "none of 9 changed statements was refuted by the same checks", 9, 0, 5, 5)
    sharp = Power(True, "", 9, 9, 5, 5)
    assert decide(LAW, [SUPPORTS], blind).verdict is Verdict.UNTESTED
    assert blind.why in decide(LAW, [SUPPORTS], blind).reason
    assert decide(LAW, [SUPPORTS], sharp).verdict is Verdict.SUPPORTED
    assert decide(LAW, [ARGUES], blind).verdict is Verdict.ARGUED  # that rests on no check
    assert decide(LAW, [REFUTES], blind).verdict is Verdict.REFUTED


def test_what_is_proved_of_a_part_is_told_beside():
    decision = decide(LAW, [ARGUES, ON_SCOPE])
    assert decision.verdict is Verdict.ARGUED
    assert decision.beside == "proved on scope: scope of expanded"


def test_a_witness_proves():
    assert decide(EXISTENCE, [piece("search", Outcome.PROVES, 1)]).verdict is Verdict.PROVED


# scope and reason -----------------------------------------------------------------------------
def test_the_scope_is_that_of_the_evidence():
    assert decide(LAW, [ON_SCOPE, SUPPORTS]).scope == "scope of expanded"
    assert decide(LAW, [SUPPORTS, UNSURE]).scope == "scope of pointwise; scope of trials"
    assert decide(LAW, [SUPPORTS, SUPPORTS]).scope == "scope of pointwise"
    assert decide(LAW, [PROVES, SUPPORTS]).scope == "the whole claim"
    assert decide(LAW, [REFUTES]).scope == "the whole claim"


def test_the_reason_is_what_decided():
    for strongest, _ in ORDER[:-1]:
        assert strongest.summary in decide(LAW, [strongest, SUPPORTS]).reason
    two = decide(LAW, [ON_SCOPE, replace(ON_SCOPE, method="expanded", summary="another")])
    assert two.reason == f"{ON_SCOPE.summary} another"


def test_the_bound_on_the_violation_rate_is_of_drawn_cases_alone():
    """Three over n, at 95 percent, for n independent cases; searched ones are not independent."""
    searched = piece("search", Outcome.SUPPORTS, 1000)
    trials = piece("trials", Outcome.SUPPORTS, 295)
    reason = decide(LAW, [SUPPORTS, trials, searched]).reason
    assert "in 1300 cases" in reason
    assert "below 0.01 at 95 %" in reason
    # identities that an engine decided are no cases
    decided = piece("expanded", Outcome.SUPPORTS, 10**6)
    assert decide(LAW, [SUPPORTS, decided]).reason == decide(LAW, [SUPPORTS]).reason
    assert "%" not in decide(LAW, [searched]).reason
    assert "below 1 at" in decide(LAW, [replace(SUPPORTS, instances=2)]).reason


@given(st.integers(1, 10**6))
def test_more_cases_bound_more(count):
    # (1 - 3/n)^n <= exp(-3) < 0.05
    assert count < 3 or (1 - 3 / count) ** count < 0.05


MET = piece("vacuity", Outcome.SUPPORTS, 3)
UNMET = piece("vacuity", Outcome.INCONCLUSIVE, 0)


@pytest.mark.parametrize(
    ("found", "expected"), [([], Verdict.NOT_RUN), *(([p], v) for p, v in ORDER)]
)
@pytest.mark.parametrize("beside", [MET, UNMET])
def test_what_meets_the_hypotheses_says_nothing_for_the_claim(found, expected, beside):
    alone, together = decide(LAW, found), decide(LAW, [*found, beside])
    assert together == alone
    assert together.verdict is expected


def test_a_vacuous_claim_says_why():
    decision = decide(LAW, [EMPTY, UNMET])
    assert decision.verdict is Verdict.VACUOUS
    assert decision.reason == "none of 72 cases met all hypotheses. vacuity inconclusive"


def test_a_case_that_only_the_vacuity_run_has_leaves_the_claim_open():
    assert decide(LAW, [EMPTY, MET]).verdict is Verdict.OPEN


def test_a_vacuity_run_that_breaks_is_an_error():
    broken = replace(MET, outcome=Outcome.ERROR)
    assert decide(LAW, [SUPPORTS, broken]).verdict is Verdict.ERROR
