"""The necessity run: what it finds, what it does not say, and that a needless hypothesis shows."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphs.files import from_json
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import network
from verify.case import Case, case_from_json
from verify.certificates import answer
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity, without
from verify.network_hypotheses import BIAS_FREE, INCIDENT_LEARNABLE
from verify.point_hypotheses import FLOW_SELECTION
from verify.registry import find
from verify.runs.budgets import budget_named

CONTEXT = Context(budget_named("ci"))
CHAIN = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])


def chain(**choice: object) -> Case:
    one = Fraction(1)
    return Case(CHAIN, (one, 2 * one), ((one,),), (one,), slopes=(-one,), choice=choice)


@pytest.fixture(scope="module")
def needs():
    found = necessity(find("lj22.lemma2a"), CONTEXT)
    return {need.hypothesis: need for need in found.needs}


def test_every_hypothesis_is_named_once(needs):
    assert list(needs) == [h.name for h in find("lj22.lemma2a").hypotheses]


@pytest.mark.parametrize(
    "name", ["incident edges learnable", "gradient flow", "positively homogeneous activations"]
)
def test_what_the_vertex_law_needs_is_found(needs, name):
    assert needs[name].needed


def test_what_is_needed_has_a_certificate_that_is_none_of_anything_else(needs):
    needed = [need for need in needs.values() if need.needed]
    assert len(needed) >= 3
    for need in needed:
        assert need.text.startswith("a certified case")
        assert answer(dict(need.certificate))["exit"] == 0
        assert need.certificate["without"] == need.hypothesis
        for other in needs.keys() - {need.hypothesis}:
            assert answer({**need.certificate, "without": other})["exit"] != 0
        plain = {key: value for key, value in need.certificate.items() if key != "without"}
        assert answer({**plain, "kind": "counterexample"})["exit"] == 1


def test_a_smooth_case_is_certified_with_an_enclosure(needs):
    low, high = needs["positively homogeneous activations"].certificate["value"]
    assert Fraction(low) <= Fraction(high)
    assert not Fraction(low) <= 0 <= Fraction(high)


def test_what_the_checker_does_not_know_is_not_called_certified():
    unknown = replace(find("lj22.lemma2a"), id="lj22.unknown")
    found = necessity(unknown, CONTEXT)
    needed = [need for need in found.needs if need.needed]
    assert needed
    assert all(need.certificate is None and "not certified" in need.text for need in needed)
    assert found.figures["certified"] == 0


def test_what_the_checker_refuses_is_not_called_needed():
    claim = find("lj22.lemma2a")

    def twice(scene):  # so that no number agrees with that of the checker
        entries = claim.measure(scene)
        return replace(entries, values=entries.values + entries.values)

    found = necessity(replace(claim, measure=twice), CONTEXT)
    assert not any(need.needed for need in found.needs)
    assert sum(need.text.startswith("not shown: ") for need in found.needs) >= 3


@pytest.mark.parametrize("name", ["data", "bias-free"])
def test_what_the_vertex_law_does_not_need_is_not(needs, name):
    assert not needs[name].needed
    assert "none found in" in needs[name].text


def test_a_found_case_violates_the_claim_without_the_hypothesis_and_only_then(needs):
    claim = find("lj22.lemma2a")
    need = needs["incident edges learnable"]
    case = case_from_json(need.case["case"])
    (violation, *_) = judge_exactly(without(claim, INCIDENT_LEARNABLE), case).violations
    assert str(violation.value) == need.case["value"]
    assert violation.entry == need.case["entry"]
    assert not judge_exactly(claim, case).violations


def test_weight_decay_is_no_gradient_flow_and_breaks_the_vertex_law():
    # w = (1, 2), kappa = -1: velocities (2, 1), so 2*1*2 - 2*2*1 = 0; with decay 1/2 they are
    # (3/2, 0) and the defect is 2*1*3/2 - 2*2*0 = 3
    claim = find("lj22.lemma2a")
    assert not judge_exactly(claim, chain()).violations
    decayed = chain(weight_decay="1/2")
    assert judge_exactly(claim, decayed).admitted == 0
    (violation,) = judge_exactly(without(claim, FLOW_SELECTION), decayed).violations
    assert violation.value == 3


def test_of_a_claim_that_fails_anyway_nothing_is_said():
    false = replace(find("lj22.lemma2a"), measure=lambda scene: _in_side(scene))
    found = necessity(false, CONTEXT)
    assert found.needs == ()
    assert "fails with all its hypotheses" in found.summary


def test_a_needless_hypothesis_is_never_called_needed():
    claim = find("lj22.lemma2a")
    doubled = replace(claim, hypotheses=(*claim.hypotheses, BIAS_FREE))
    found = necessity(doubled, CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert not any(need.needed for need in found.needs if need.hypothesis == BIAS_FREE.name)


def _in_side(scene):
    rate = scene.weights * scene.velocity
    return scene.per_vertex(scene.into(rate), scene.into(rate) * 0)


def test_the_law_for_pairs_needs_equal_neighbourhoods():
    found = necessity(find("lj22.lemma2b@A.fix"), CONTEXT)
    needed = {need.hypothesis: need for need in found.needs}
    assert needed["equal neighbourhoods"].needed
    net, _ = from_json(needed["equal neighbourhoods"].case["case"]["network"])
    (u, v) = needed["equal neighbourhoods"].case["entry"]["pair"]
    assert (net.index[u], net.index[v]) not in list(equal_neighbourhoods(net))
