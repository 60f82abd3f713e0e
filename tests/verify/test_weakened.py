"""A claim without a hypothesis: batches are judged as single cases are."""

from random import Random

import pytest

from verify.papers.registry import find
from verify.search.drawing import draw
from verify.search.enclosing import needs_enclosing
from verify.search.judging import judge_exactly
from verify.search.weakened import broken_cases, judged, without
from verify.statements import network_hypotheses as given

CLAIMS = ["lj22.lemma2a", "lj22.thm1-5", "lj22.weyl.a", "lj22v1.gd-77@B1"]


def drawn(claim, count):
    random = Random(3)
    counts = claim.pool.examples
    return [
        draw(claim, random, n=counts[k % len(counts)], loss="prescribed", large=False).exactly()
        for k in range(count)
    ]


@pytest.mark.parametrize("name", CLAIMS)
def test_a_batch_is_judged_as_its_cases_are(name):
    claim = find(name)
    cases = drawn(claim, 6)
    for hypothesis in claim.hypotheses:
        weakened = without(claim, hypothesis)
        broken = list(broken_cases(claim, hypothesis, cases, Random(4)))
        found = judged(weakened, broken)
        assert len(found) == len(broken)
        for case, one in zip(broken, found, strict=True):
            if one is None or needs_enclosing(case):
                continue
            alone = judge_exactly(weakened, case)
            assert (one.admitted, one.violations) == (alone.admitted, alone.violations)


def test_a_case_of_which_the_claim_cannot_be_stated_is_none_and_spoils_no_other():
    claim = find("lj22.lemma2a")
    cases = drawn(claim, 4)
    senseless = cases[0].choosing(slopes_at_0="none")
    found = judged(claim, [senseless, *cases[1:]])
    assert found[0] is None
    assert [one.admitted for one in found[1:]] == [
        judge_exactly(claim, case).admitted for case in cases[1:]
    ]


def test_without_asks_for_all_the_others_and_not_for_this_one():
    claim = find("lj22.lemma2a")
    [data] = [h for h in claim.hypotheses if h.name == "data"]
    names = [h.name for h in without(claim, data).hypotheses]
    assert names[-1] == "not: data"
    assert set(names[:-1]) == {h.name for h in claim.hypotheses} - {"data"}


def test_where_there_is_no_way_to_break_it_the_cases_stay():
    claim = find("lj22v1.lemma1")
    (definable,) = (h for h in claim.hypotheses if h.break_ is None)
    cases = drawn(claim, 3)
    assert list(broken_cases(claim, definable, cases, Random(0))) == cases


@pytest.mark.parametrize("hypothesis", [given.FEEDFORWARD, given.BIAS_FREE, given.OWN_PARAMETERS])
def test_broken_cases_are_others(hypothesis):
    claim = find("lj22.lemma2a")
    cases = drawn(claim, 6)
    broken = list(broken_cases(claim, hypothesis, cases, Random(1)))
    assert sum(a != b for a, b in zip(cases, broken, strict=False)) >= 3
