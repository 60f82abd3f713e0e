"""A claim without a hypothesis: batches are judged as single cases are."""

from dataclasses import replace
from random import Random

import pytest

from graphs.errors import PrecisionError
from tests.verify.without import without
from verify.papers.registry import find
from verify.search import weakened
from verify.search.drawing import draw
from verify.search.enclosing import needs_enclosing
from verify.search.judging import judge_exactly
from verify.search.weakened import broken_cases, in_step, judged
from verify.statements import network_hypotheses as given

CLAIMS = ["lj22.lemma2a", "lj22.thm1-5", "lj22.weyl.a", "lj22v1.gd-77@B1"]


def drawn(claim, count):
    random = Random(3)
    counts = claim.pool.examples
    return [
        draw(claim, random, n=counts[k % len(counts)], loss="prescribed", large=False).exactly()
        for k in range(count)
    ]


def told(judgements):
    return [None if one is None else (one.admitted, one.violations) for one in judgements]


@pytest.mark.parametrize("name", CLAIMS)
def test_a_batch_is_judged_as_its_cases_are_each_without_its_own_hypothesis(name):
    claim = find(name)
    cases = drawn(claim, 6)
    broken = [
        (case, hypothesis)
        for hypothesis in claim.hypotheses
        for case in broken_cases(claim, hypothesis, cases, Random(4))
    ]
    found = judged(claim, *zip(*broken, strict=True))
    assert len(found) == len(broken)
    exact = 0
    for (case, hypothesis), one in zip(broken, found, strict=True):
        if one is None or needs_enclosing(case):
            continue
        exact += bool(one.admitted)
        assert told([one]) == told([judge_exactly(without(claim, hypothesis), case)])
    assert exact or name == "lj22.weyl.a"  # without symmetry it says nothing


def test_one_case_is_judged_without_one_hypothesis_and_without_another():
    claim = find("lj22.thm1-5")
    one, other = (h for h in claim.hypotheses if h.name in ("data", "bias-free"))
    broken = list(broken_cases(claim, one, drawn(claim, 6), Random(4)))
    case = next(c for c in broken if judge_exactly(without(claim, one), c).admitted)
    met = [found.admitted for found in judged(claim, [case, case], [one, other])]
    assert met[0] > 0
    assert met[1] == 0  # it meets the other one, and not the first


def test_what_asks_in_step_is_told_what_it_would_be_told_alone():
    claim = find("lj22.thm1-5")
    cases = drawn(claim, 4)

    def asking(hypothesis, rounds):
        found = []
        for number in range(rounds):
            broken = list(broken_cases(claim, hypothesis, cases, Random(number)))
            judgements = yield broken
            assert len(judgements) == len(broken)
            found += judgements
        return hypothesis.name, told(found)

    several = {h: asking(h, 1 + k % 3) for k, h in enumerate(claim.hypotheses)}
    alone = [in_step(claim, {h: asking(h, 1 + k % 3)})[0] for k, h in enumerate(claim.hypotheses)]
    assert in_step(claim, several) == alone
    assert [name for name, _ in alone] == [h.name for h in claim.hypotheses]
    assert any(one and one[0] for _, judgements in alone for one in judgements)


def test_an_error_of_one_that_asks_in_step_is_its_own(monkeypatch):
    """Without python-flint there are no enclosures: who asks of a named loss is told so."""
    claim = find("lj22.thm1-5")
    first, data = (h for h in claim.hypotheses if h.name in ("data", "bias-free"))
    cases = list(broken_cases(claim, data, drawn(claim, 6), Random(4)))
    named = [replace(case, loss="logistic", slopes=()) for case in cases]

    def missing(*_):
        raise PrecisionError("python-flint is not installed")

    monkeypatch.setattr(weakened, "judge_closely", missing)

    def asking(some):
        try:
            return [one.admitted for one in (yield some)]
        except PrecisionError as error:
            return str(error)

    found = in_step(claim, {first: asking(cases), data: asking(named)})
    assert found == [[0] * len(cases), "python-flint is not installed"]


def test_a_case_of_which_the_claim_cannot_be_stated_is_none_and_spoils_no_other():
    claim = find("lj22.lemma2a")
    cases = drawn(claim, 4)
    senseless = cases[0].choosing(slopes_at_0="none")
    found = judged(claim, [senseless, *cases[1:]])
    assert found[0] is None
    assert [one.admitted for one in found[1:]] == [
        judge_exactly(claim, case).admitted for case in cases[1:]
    ]


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
