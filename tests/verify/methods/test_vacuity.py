"""The vacuity run: every case that it shows meets the hypotheses, and every conflict is one."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verify.as_hypothesis import as_hypothesis
from verify.cases.case import Case, case_from_json
from verify.cases.degeneracy import LENGTH_ONE, degeneracies
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.tensors import CaseError, tensors_from_json
from verify.cases.transformations import freeze_edge
from verify.core.budgets import budget_named
from verify.core.claim import Source
from verify.core.evidence import Outcome
from verify.language.building import Whole
from verify.methods.context import Context
from verify.methods.vacuity import smaller, vacuity
from verify.papers.lj22.unrolling import TREES, has_weights
from verify.papers.registry import find
from verify.search.drawing import draw
from verify.search.joint_hypotheses import conflict, enumerated, meeting, meets, small_cases
from verify.statements import network_hypotheses as terms
from verify.statements.stated import Given, stated

CONTEXT = Context(budget_named("ci"))
LEAST = Context(replace(budget_named("smoke"), hidden=0, vacuity_draws=1))
LAW = find("lj22.lemma2a")
ALL_LEARNABLE, BIAS_FREE, DATA = (
    as_hypothesis(one, LAW.pool) for one in (terms.ALL_LEARNABLE, terms.BIAS_FREE, terms.DATA)
)
MET = (  # networks, built of pieces, matrices, a descent, an existence claim
    "lj22.lemma2a",
    "lj22.lemma8@A1B1.fix",
    "lj22.sig1.i@A.fix",
    "lj22.lemma10",
    "lj22v1.gd",
    "lj22.lemma4",
)


def read(case):
    return tensors_from_json(case) if "arrays" in case else case_from_json(case)


def claim_with(*hypotheses):
    return replace(LAW, hypotheses=hypotheses)


def of_cases(name, predicate):
    return Hypothesis(name, "", by_case(predicate))


def some_edge_fixed(case):
    return not all(map(case.network.learnable, range(case.network.edge_count)))


FIXED = replace(of_cases("an edge is fixed", some_edge_fixed), repair=freeze_edge)
NEVER = of_cases("never", lambda case: False)


@pytest.mark.parametrize("name", MET)
def test_the_case_that_is_shown_meets_every_hypothesis(name):
    claim = find(name)
    found = vacuity(claim, CONTEXT)
    (meeting,) = found.joint_cases
    assert found.instances > 0
    assert meeting.hypotheses == tuple(h.name for h in claim.hypotheses)
    assert meets(claim, read(meeting.case))


def test_the_law_is_met_away_from_corners():
    (meeting,) = vacuity(LAW, CONTEXT).joint_cases
    assert degeneracies(read(meeting.case)) == ()
    assert "corner" not in meeting.text


def test_numbers_of_coefficients_are_no_lengths():
    """A polynomial of degree 0 is no corner; an axis of length 1 is one."""
    told = {axis: tensors_from_json(arrays_of(axis)) for axis in ("power", "n")}
    assert LENGTH_ONE not in degeneracies(told["power"])
    assert LENGTH_ONE in degeneracies(told["n"])


def arrays_of(axis):
    rows = {"axes": ["m", axis], "entries": [["2"], ["3"]]}
    return {"format": "tensors", "arrays": {"A": rows}, "choice": {}}


def test_hypotheses_that_only_corners_meet_are_told():
    zero = of_cases("a zero input", lambda case: any(0 in row for row in case.inputs))
    found = vacuity(claim_with(zero), CONTEXT)
    assert "an input of 0" in found.summary
    assert found.figures["corners only"] == "an input of 0"


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_smaller_case_meets_the_same_and_is_no_more_of_a_corner(random):
    case = draw(LAW, random, n=2, loss="prescribed", large=True)
    if meets(LAW, case):
        small = smaller(LAW, case, 30)
        assert meets(LAW, small)
        assert small.size() <= case.size()
        assert set(degeneracies(small)) <= set(degeneracies(case))


def test_a_case_that_makes_no_sense_spoils_no_other():
    class Senseless:
        rational = False

        def exactly(self):
            raise CaseError("it has no exact form")

    random = Random(1)
    cases = [draw(LAW, random, n=n, loss="prescribed", large=False) for n in (1, 2, 2, 1, 3, 2)]
    outside = [
        replace(cases[k], inputs=((Fraction(2),) * len(cases[k].inputs[0]),)) for k in (0, 3)
    ]
    asked = [*cases, Senseless(), *outside]
    found = meeting(LAW, asked)
    assert found == [isinstance(one, Case) and meets(LAW, one) for one in asked]
    assert True in found
    assert found[-3:] == [False] * 3


def test_a_smaller_case_has_numbers_that_the_claim_speaks_of():
    k = Whole("k", 2, 5)
    claim = stated("p.a", Source("p", "", "nowhere"), "a", "a", k >= 2)
    five = {"axes": [], "entries": "5", "integer": True}
    case = tensors_from_json({"format": "tensors", "arrays": {"k": five}, "choice": {}})
    assert smaller(claim, case, 30).whole("k") == 2


def test_two_hypotheses_that_contradict_each_other_are_what_remains():
    claim = claim_with(BIAS_FREE, ALL_LEARNABLE, DATA, FIXED)
    core, parts = conflict(claim, CONTEXT.random(claim, "test"), 20)
    assert core == (ALL_LEARNABLE, FIXED)
    assert [set(part.hypotheses) for part in parts] == [
        {"data", "an edge is fixed"},
        {"all weights learnable"},
    ]
    for part, hypotheses in zip(parts, ((DATA, FIXED), (ALL_LEARNABLE,)), strict=True):
        assert meets(claim, read(part.case), hypotheses)


def test_a_contradiction_has_no_case_and_claims_no_more_than_was_looked_at():
    labels = as_hypothesis(terms.LABELS, LAW.pool)
    found = vacuity(claim_with(labels, FIXED, ALL_LEARNABLE), CONTEXT)
    whole, *parts = found.joint_cases
    assert (found.outcome, found.instances, whole.case) == (Outcome.INCONCLUSIVE, 0, None)
    assert "none found in" in whole.text
    assert "exist" not in whole.text
    assert len(parts) == 2


def test_the_printed_hasse_diagram_gives_no_network_a_weight():
    """The arc that leaves the empty path has no edge to take a weight from."""
    claim = find("lj22.lemma5")
    weights = Given("weights", has_weights("A1B1"))
    more = (weights, terms.HOMOGENEOUS)
    pool = replace(TREES, families=("tree", "random DAG"), largest=1, examples=(1,))
    printed = stated(claim.id, claim.source, claim.title, "", claim.terms.says, more, pool=pool)
    found = vacuity(printed, LEAST)
    whole, *parts = found.joint_cases
    assert whole.hypotheses == ("weights",)
    assert "enumerated" in whole.text
    assert whole.case is None
    assert len(parts) == 1
    assert set(parts[0].hypotheses).isdisjoint(whole.hypotheses)


def test_the_enumeration_finds_what_draws_may_miss():
    rare = of_cases("two equal edges", lambda case: case.weights == (-1, 0))
    looked = enumerated(LAW, (rare,), 1)
    assert looked.case.weights == (-1, 0)
    assert looked.count == 1 + next(k for k, c in enumerate(small_cases(1)) if c == looked.case)


def test_the_enumeration_is_of_all_networks_of_its_scope():
    looked = enumerated(LAW, (NEVER,), 1)
    assert looked.case is None
    # no hidden vertex: 3 + 9; one: x-h-o, with and without x-o; two inputs: 8 networks
    assert looked.count == 3 + 9 + 9 + 27 + 648


def test_what_is_not_judged_is_not_looked_at():
    assert vacuity(find("lj22.def1"), CONTEXT) is None
