"""Registered statements on networks of which it is known what they meet."""

from fractions import Fraction
from itertools import pairwise

import pytest

from graphs.activations import TANH
from graphs.network import network
from verify.core.evidence import Outcome
from verify.papers.registry import all_claims, find
from verify.runs import own_networks
from verify.runs.own_networks import Check, about_networks, decided_on_one
from verify.search.admission import Refused
from verify.search.judging import Judgement

EDGES = [("x1", "h1"), ("x2", "h1"), ("x2", "h2"), ("h1", "o"), ("h2", "o"), ("x1", "o")]
SKIP = network(EDGES, inputs=["x1", "x2"], outputs=["o"])


def test_a_law_that_holds_at_every_hidden_vertex():
    found = Check(SKIP).finding(find("lj22.lemma2a"))
    assert (found.outcome, found.cases) == ("holds", own_networks.CASES)
    assert found.entries == 2 * found.cases


@pytest.mark.parametrize(
    ("net", "claim", "name"),
    [
        (
            network([*EDGES, ("x1", "p")], inputs=["x1", "x2"], outputs=["o", "p"]),
            "lj22.lemma2a",
            "feedforward, one output",
        ),
        (SKIP.with_activations({"h1": TANH}), "lj22.lemma2a", "positively homogeneous activations"),
        (SKIP, "j23.prop9.1", "fully connected"),
    ],
)
def test_a_hypothesis_that_the_network_fails_is_named_for_good(net, claim, name):
    found = Check(net).finding(find(claim))
    assert (found.outcome, found.hypothesis[0], found.definite) == ("not met", name, True)


def test_a_statement_that_is_false_here_has_a_certificate_on_this_very_network():
    found = Check(SKIP).finding(find("lj22.eq31"))
    assert (found.outcome, found.accepted) == ("violated", True)
    shown = found.certificate["case"]["network"]
    assert [vertex["name"] for vertex in shown["vertices"]] == list(SKIP.names)
    assert len(shown["edges"]) == len(EDGES)


def test_the_points_and_weights_of_the_user_are_those_that_are_looked_at():
    weights, at = tuple(Fraction(k) for k in (3, -1, 2, 5, 7, 1)), (Fraction(0), Fraction(1, 2))
    check = Check(SKIP, weights, [at])
    case = check._case(find("lj22.lemma2a"), own_networks.Random(0), 3, SKIP)
    assert (case.weights, case.inputs) == (weights, (at,))
    assert check.finding(find("lj22.lemma2a")).outcome == "holds"
    outside = Check(SKIP, weights, [(Fraction(0), Fraction(9))]).finding(find("lj22.lemma2a"))
    assert (outside.hypothesis[0], outside.definite) == ("data", False)


def test_layers_are_found_for_statements_about_consecutive_layers():
    """Theorem 1, item 1, of LJ22 holds for two dense layers without biases; with one it is not
    about them."""
    edges = [(t, h) for h in ("a", "b") for t in ("x1", "x2")] + [("a", "o"), ("b", "o")]
    plain = network(edges, inputs=["x1", "x2"], outputs=["o"])
    assert Check(plain).finding(find("lj22.thm1-1@A")).outcome == "holds"
    biased = network(
        [*edges, ("1", "a")], inputs=["x1", "x2", "1"], outputs=["o"], constants={"1": 1}
    )
    found = Check(biased).finding(find("lj22.thm1-1@A"))
    assert (found.outcome, found.hypothesis[0]) == ("not met", "bias-free")


def test_what_takes_too_long_or_is_too_large_is_left_out(monkeypatch):
    claims = [find("lj22.lemma2a"), find("lj22.eq31")]
    late = Check(SKIP, seconds=1e-9).findings(claims)
    assert [(one.outcome, "seconds were over" in one.reason) for one in late] == [
        ("left out", True)
    ] * 2
    monkeypatch.setattr(own_networks, "MOST_EDGES", 5)
    assert "not evaluated" in Check(SKIP).finding(claims[0]).reason
    monkeypatch.setattr(own_networks, "ASKED_EDGES", 5)
    assert "not asked" in Check(SKIP).finding(claims[0]).reason


def test_what_cannot_be_computed_is_left_out_and_the_rest_is_found(monkeypatch):
    def beyond(claim, cases):
        raise OverflowError("too large")

    claims = [find("lj22.lemma2a"), find("j23.prop9.1")]
    monkeypatch.setattr(own_networks, "judge_all", beyond)
    found = {one.claim.id: one for one in Check(SKIP).findings(claims)}
    assert found["j23.prop9.1"].outcome == "not met"
    told = found["lj22.lemma2a"]
    assert (told.outcome, told.reason) == ("left out", "it cannot be computed here: too large")


def test_weights_of_all_sizes_lose_no_statement():
    """1e300 beside 1e-300 is beyond what singular values are computed with."""
    net = network(
        [("x1", "o"), ("x2", "o"), ("1", "o")],
        inputs=["x1", "x2", "1"],
        outputs=["o"],
        constants={"1": 1},
    )
    check = Check(net, (Fraction(1e300), Fraction(1e-300), Fraction(1)))
    found = check.findings([find("j23.prop9.1"), find("lj22.lemma2a")])
    assert [one.outcome for one in found] == ["left out", "not met"]
    assert "cannot be computed here" in found[0].reason


@pytest.mark.parametrize(
    ("refused", "outcome", "contradicted"),
    [
        (Outcome.VIOLATES, "violated", False),
        (Outcome.ERROR, "left out", True),
        (Outcome.INCONCLUSIVE, "left out", False),
    ],
)
def test_a_suspicion_that_the_gate_refuses_is_no_violation(
    monkeypatch, refused, outcome, contradicted
):
    monkeypatch.setattr(own_networks, "admit", lambda *how: Refused("why", refused))
    found = Check(SKIP).finding(find("lj22.eq31"))
    assert (found.outcome, found.contradicted, found.accepted) == (outcome, contradicted, False)
    assert "why" in (found.checker, found.reason)


def test_of_smooth_activations_it_is_said_that_nothing_is_proved():
    net = network([*EDGES[:-1], ("x1", "h2")], inputs=["x1", "x2"], outputs=["o"])
    claim = find("lj22v1.gd-75.75")
    found = Check(net.with_activations(dict.fromkeys(("h1", "h2"), TANH))).finding(claim)
    assert (found.outcome, found.reason) == ("holds", own_networks.ENCLOSED)
    assert Check(net).finding(claim).reason == ""


def test_the_hypothesis_that_is_named_is_one_that_some_case_came_to():
    """Of three cases one was not evaluated, one failed the first hypothesis, one came to the
    last: that one is not met together with those before it."""
    claim = find("lj22.lemma2a")
    count = len(claim.hypotheses)
    judged = [Judgement(0, (), unmet=unmet) for unmet in (0, count, 1)]
    found = Check(SKIP)._unmet(claim, [], judged, smooth=False)
    assert (found.hypothesis[0], found.reason) == (
        claim.hypotheses[-1].name,
        own_networks.BESIDE,
    )
    first = Check(SKIP)._unmet(claim, [], judged[:2], smooth=False)
    assert (first.hypothesis[0], first.reason) == (claim.hypotheses[0].name, "")


def test_of_more_layers_than_cases_it_is_said_how_many_were_looked_at():
    names = ["x", "a", "b", "c", "d", "e", "f", "o"]
    net = network(list(pairwise(names)), inputs=["x"], outputs=["o"])
    found = Check(net).finding(find("lj22.thm1-1@A"))
    assert f"{own_networks.CASES} of 6 p" in found.reason


def test_the_alarm_stops_what_takes_longer():
    def endless() -> None:
        with own_networks.at_most(0.05):
            while True:
                pass

    with pytest.raises(own_networks.OutOfTimeError):
        endless()


def test_only_statements_about_one_network_are_looked_at():
    asked = [one for one in all_claims() if about_networks(one) and decided_on_one(one)]
    assert {"lj22.lemma2a", "j23.prop9.1"} <= {one.id for one in asked}
    assert not any(one.kind.value in ("limit", "existence", "definition") for one in asked)
    done = []
    found = Check(SKIP).findings(
        [find("lj22.lemma11@B"), find("lj22.lemma2a")], lambda k, n: done.append((k, n))
    )
    assert ([one.claim.id for one in found], done) == (["lj22.lemma2a"], [(0, 1)])
